package archive

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash"
	"hash/crc32"
	"io"

	"github.com/ulikunitz/xz/lzma"

	"laundromat/internal/fault"
)

const (
	lzipHeader  = 6  // mark, version, window
	lzipTrailer = 20 // CRC-32, size of the data, size of the member
)

var errLzip = errors.New("archive: not a lzip member")

// lzipStream reads the members of an lzip file one after another. Each is an
// LZMA stream with an end mark and fixed properties, between a header and a
// trailer of its own.
type lzipStream struct {
	layer *layer
	in    *bufio.Reader
	lzma  *lzma.Reader
	crc   hash.Hash32
	n     uint64
}

func openLzip(l *layer) (io.ReadCloser, error) {
	z := &lzipStream{layer: l, in: l.in, crc: crc32.NewIEEE()}
	if err := z.open(); err != nil {
		return nil, err
	}
	return io.NopCloser(z), nil
}

// lzipWindow reads the coded size of the window: a power of two less some
// sixteenths; 0 if it is out of range.
func lzipWindow(code byte) uint32 {
	power := code & 0x1F
	if power < 12 || power > 29 {
		return 0
	}
	window := uint32(1) << power
	return window - window/16*uint32(code>>5)
}

// open reads a member's header.
func (z *lzipStream) open() error {
	var header [lzipHeader]byte
	if _, err := io.ReadFull(z.in, header[:]); err != nil {
		return io.ErrUnexpectedEOF
	}
	if !isLzip(header[:]) {
		return errLzip
	}
	// The decoder wants the header of LZMA alone: properties 3, 0, 2; the window; an unknown size.
	alone := [lzma.HeaderLen]byte{0: 0x5D, 5: 0xFF, 6: 0xFF, 7: 0xFF, 8: 0xFF, 9: 0xFF, 10: 0xFF, 11: 0xFF, 12: 0xFF}
	binary.LittleEndian.PutUint32(alone[1:5], lzipWindow(header[5]))
	r, err := lzma.ReaderConfig{DictCap: maxWindow}.NewReader(&prefixed{alone[:], z.in})
	z.lzma, z.n = r, 0
	z.crc.Reset()
	return err
}

func (z *lzipStream) Read(p []byte) (int, error) {
	for {
		n, err := z.lzma.Read(p)
		z.n += uint64(n)
		z.crc.Write(p[:n])
		if err == io.EOF {
			err = z.next()
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// next checks the trailer and goes to the next member.
func (z *lzipStream) next() error {
	var trailer [lzipTrailer]byte
	if _, err := io.ReadFull(z.in, trailer[:]); err != nil {
		return io.ErrUnexpectedEOF
	}
	if binary.LittleEndian.Uint32(trailer[:4]) != z.crc.Sum32() || binary.LittleEndian.Uint64(trailer[4:12]) != z.n {
		z.layer.note(fault.ArchiveChecksum, fault.Warning, "a lzip member fails its checksum; its data is kept")
	}
	head, err := z.in.Peek(lzipHeader)
	switch {
	case len(head) == 0:
		return err
	case !isLzip(head):
		z.layer.note(fault.ArchiveTrailingBytes, fault.Warning, "lzip data is followed by bytes that are none; they are passed over")
		return io.EOF
	}
	return z.open()
}

// prefixed reads some bytes before those of a reader, without reading ahead in it.
type prefixed struct {
	first []byte
	rest  *bufio.Reader
}

func (r *prefixed) Read(p []byte) (int, error) {
	if len(r.first) > 0 {
		n := copy(p, r.first)
		r.first = r.first[n:]
		return n, nil
	}
	return r.rest.Read(p)
}

func (r *prefixed) ReadByte() (byte, error) {
	if len(r.first) > 0 {
		b := r.first[0]
		r.first = r.first[1:]
		return b, nil
	}
	return r.rest.ReadByte()
}
