package archive

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash"
	"hash/crc32"
	"io"

	"laundromat/internal/lzma"
)

const (
	lzipHeader  = 6  // mark, version, window
	lzipTrailer = 20 // CRC-32, size of the data, size of the member
)

var errLzip = errors.New("archive: not an lzip member")

// lzipMembers reads the members of an lzip file. Each is an LZMA stream with an
// end mark and fixed properties, between a header and a trailer of its own.
type lzipMembers struct{ memory int }

func (m lzipMembers) fresh() memberKind { return m }

func (lzipMembers) is(head []byte) bool { return isLzip(head) }

func (m lzipMembers) found(head []byte) bool { return m.is(head) }

func (m lzipMembers) open(in *bufio.Reader) (io.Reader, error) {
	var header [lzipHeader]byte
	if _, err := io.ReadFull(in, header[:]); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	if !isLzip(header[:]) {
		return nil, errLzip
	}
	z := lzma.NewReader(in, usualLzma, uint64(lzipWindow(header[5])), lzma.UnknownSize, m.memory)
	return &lzipMember{in: in, lzma: z, crc: crc32.NewIEEE()}, nil
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

type lzipMember struct {
	in   *bufio.Reader
	lzma *lzma.Reader
	crc  hash.Hash32
	n    uint64
}

func (m *lzipMember) Read(p []byte) (int, error) {
	n, err := m.lzma.Read(p)
	m.n += uint64(n)
	m.crc.Write(p[:n])
	if err != io.EOF {
		return n, err
	}
	var trailer [lzipTrailer]byte
	if _, err := io.ReadFull(m.in, trailer[:]); err != nil {
		return n, io.ErrUnexpectedEOF
	}
	if binary.LittleEndian.Uint32(trailer[:4]) != m.crc.Sum32() || binary.LittleEndian.Uint64(trailer[4:12]) != m.n {
		return n, errWrongSum
	}
	return n, io.EOF
}
