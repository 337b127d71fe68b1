package archive

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"laundromat/internal/fault"
)

const tarBlock = 512

// isTarHeader holds a block against its own checksum, which is made as if the
// checksum's field were spaces. Old writers summed signed bytes.
func isTarHeader(block []byte) bool {
	const from, to = 148, 156
	field := strings.Trim(string(block[from:to]), " \x00")
	want, err := strconv.ParseInt(field, 8, 64)
	if err != nil || block[0] == 0 && block[156] != 'g' && block[156] != 'x' {
		return false
	}
	var unsigned, signed int64
	for i, b := range block {
		if i >= from && i < to {
			b = ' '
		}
		unsigned += int64(b)
		signed += int64(int8(b))
	}
	return want == unsigned || want == signed
}

// tar walks a tar archive. After a broken header it goes on at the next block
// that is a sound one.
func (w *walk) tar(ctx context.Context) error {
	var in io.Reader = w.chain.top
	if len(w.chain.layers) == 0 {
		in = w.chain.tap // which can seek over what nobody reads
	}
	r := tar.NewReader(in)
	for {
		h, err := r.Next()
		switch {
		case w.chain.trouble.err != nil:
			return errStop
		case err == io.EOF:
			return w.tarTail(in)
		case err != nil && !errors.Is(err, tar.ErrInsecurePath):
			code := fault.ArchiveCorrupt
			if errors.Is(err, io.ErrUnexpectedEOF) {
				if code = fault.ArchiveTruncated; w.cut {
					return nil // told already, of the entry itself
				}
			}
			w.place++
			w.note(code, fault.Drop, "", "the tar archive %s before its entry %d", damageVerb(code), w.place)
			block, found := nextTarHeader(in)
			if !found {
				return nil
			}
			in = io.MultiReader(bytes.NewReader(block), in)
			r = tar.NewReader(in)
			continue
		}
		if err := w.met(); err != nil {
			return err
		}
		switch h.Typeflag {
		case tar.TypeReg, tar.TypeCont, tar.TypeGNUSparse:
		case tar.TypeLink, tar.TypeSymlink:
			w.note(fault.ArchiveLink, fault.Warning, h.Name, "it is a link to %s", fault.Excerpt([]byte(h.Linkname)))
			continue
		default:
			continue
		}
		e := Entry{Name: h.Name, ModTime: h.ModTime, Size: h.Size}
		if err := w.entry(e, r, checks{size: h.Size}); err != nil {
			return err
		}
	}
}

// tarTail reads what follows the end of a tar archive, so that a filter below
// comes to its own end and checks.
func (w *walk) tarTail(in io.Reader) error {
	buf := make([]byte, 32<<10)
	padding := true
	for {
		n, err := in.Read(buf)
		if padding && !allZero(buf[:n]) {
			padding = false
			w.place++
			w.note(fault.ArchiveTrailingBytes, fault.Warning, "", "the end of the tar archive is followed by other bytes; they are passed over")
		}
		if err != nil {
			return nil // trouble, if it was any, is remembered
		}
	}
}

// nextTarHeader reads blocks until one is a header.
func nextTarHeader(in io.Reader) ([]byte, bool) {
	block := make([]byte, tarBlock)
	for {
		if _, err := io.ReadFull(in, block); err != nil {
			return nil, false
		}
		if isTarHeader(block) {
			return block, true
		}
	}
}
