package archive

import (
	"archive/tar"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"laundromat/internal/fault"
)

const tarBlock = 512

// isTarHeader holds a block against its own checksum, which is made as if the
// checksum's field were spaces. Old writers summed signed bytes.
func isTarHeader(block []byte) bool {
	const from, to = 148, 156
	want, ok := tarNumber(block[from:to])
	if !ok || want == 0 || block[0] == 0 && block[156] != 'g' && block[156] != 'x' {
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

// tarSuffixes are ends of names of tars.
var tarSuffixes = []string{".tar", ".tgz", ".tbz2", ".tbz", ".txz", ".tzst", ".tlz", ".taz", ".tzo"}

// isEmptyTar knows a tar of nothing but its end mark, which has no mark of its own: the
// name must say so too.
func isEmptyTar(all []byte) bool {
	return len(all) >= 2*tarBlock && len(all)%tarBlock == 0 && allZero(all)
}

// tar walks a tar archive, and those that follow it. After a broken header it goes
// on at the next sound one.
func (w *walk) tar(ctx context.Context) error {
	var under io.Reader = w.chain.top
	if len(w.chain.layers) == 0 {
		under = w.chain.tap // which can seek over what nobody reads
	}
	in := newTarInput(under, 0)
	r := tar.NewReader(in)
	for {
		in.faults, in.timeless = in.faults[:0], false
		h, err := r.Next()
		switch {
		case w.chain.trouble.err != nil:
			return errStop
		case err == io.EOF:
			if !in.zero && in.place() > 0 {
				w.place++
				w.note(fault.ArchiveTruncated, fault.Warning, "", "the tar archive has no end mark after its entry %d; entries may be "+
					"missing", w.place-1)
			}
			next, found := w.tarTail(in)
			if !found {
				return nil
			}
			in = next
			r = tar.NewReader(in)
			continue
		case err != nil && !errors.Is(err, tar.ErrInsecurePath):
			code := fault.ArchiveCorrupt
			if errors.Is(err, io.ErrUnexpectedEOF) {
				if code = fault.ArchiveTruncated; w.cut {
					return nil // reported already, of the entry itself
				}
			}
			w.place++
			w.note(code, fault.Drop, "", "the tar archive %s before its entry %d, at byte %d", damageVerb(code), w.place, in.place())
			next, _, found := nextTarHeader(in, nil)
			if !found {
				return nil
			}
			in = next
			r = tar.NewReader(in)
			continue
		}
		if err := w.met(); err != nil {
			return err
		}
		if len(in.faults) > 0 {
			w.note(fault.ArchiveBadField, fault.Warning, h.Name, "%s", strings.Join(in.faults, "; "))
		}
		switch h.Typeflag {
		case tar.TypeReg, tar.TypeCont, tar.TypeGNUSparse:
		case tar.TypeLink, tar.TypeSymlink:
			w.note(fault.ArchiveLink, fault.Warning, h.Name, "it is a link to %s", fault.Excerpt([]byte(h.Linkname)))
			continue
		case tar.TypeChar, tar.TypeBlock, tar.TypeFifo:
			w.device(h.Name)
			continue
		default:
			continue
		}
		e := Entry{Name: h.Name, ModTime: h.ModTime, Size: h.Size}
		if in.timeless {
			e.ModTime = time.Time{}
		}
		if err := w.entry(e, r, checks{size: h.Size}); err != nil {
			return err
		}
	}
}

// tarTail looks at what follows the end of a tar archive, so that a filter below
// comes to its own end and checks. Another archive may be there.
func (w *walk) tarTail(in *tarInput) (*tarInput, bool) {
	block := make([]byte, tarBlock)
	for {
		n, err := io.ReadFull(in, block)
		if !allZero(block[:n]) {
			if n == len(block) && isTarHeader(block) {
				return in.behind(block), true
			}
			w.place++
			next, skipped, found := nextTarHeader(in, block[:n])
			what := "they are passed over"
			if found {
				what = "the reading goes on at the next header"
			}
			w.o.noted.ofEntry(w.place, fault.Notice{Code: fault.ArchiveTrailingBytes, Severity: fault.Warning, Bytes: skipped,
				Message: fmt.Sprintf("the end of the tar archive is followed by other bytes; %s", what)})
			return next, found
		}
		if err != nil {
			return nil, false // trouble, if it was any, is remembered
		}
	}
}

// nextTarHeader looks for the next header. One with the mark of POSIX may be anywhere,
// since the gap may have any length. One without must be at a whole number of blocks. The
// block first was read already. It returns how many bytes it skipped.
func nextTarHeader(in *tarInput, first []byte) (*tarInput, int64, bool) {
	const mark, at = "ustar", 257
	start := in.place() - int64(len(first))
	in.raw = true
	r := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(bytes.Clone(first)), in), 64<<10)
	for passed := int64(0); ; {
		window, err := r.Peek(r.Size())
		if len(window) < tarBlock {
			io.Copy(io.Discard, r)
			return nil, passed + int64(len(window)), false
		}
		last := len(window) - tarBlock // where a header may begin in it
		found := -1
		for i := at; found < 0; i++ {
			next := bytes.Index(window[i:], []byte(mark))
			if next < 0 || i+next-at > last {
				break
			}
			if i += next; isTarHeader(window[i-at : i-at+tarBlock]) {
				found = i - at
			}
		}
		step := last + 1
		for i := int(-passed & (tarBlock - 1)); i <= last && (found < 0 || i < found); i += tarBlock {
			if isTarHeader(window[i : i+tarBlock]) {
				found = i
			}
		}
		if found >= 0 {
			step = found
		} else if err != nil {
			step = len(window)
		}
		r.Discard(step)
		passed += int64(step)
		if found >= 0 {
			return newTarInput(r, start+passed), passed, true
		}
	}
}
