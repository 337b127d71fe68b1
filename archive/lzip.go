package archive

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash"
	"hash/crc32"
	"io"

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
	lzma  *lzmaStream
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
	properties := [5]byte{0x5D} // literal context 3, literal position 0, position 2, as the format fixes them
	binary.LittleEndian.PutUint32(properties[1:], lzipWindow(header[5]))
	r, err := newLzma(z.in, properties, lzmaUnknown)
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
