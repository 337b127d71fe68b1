package inflate

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// Gzip reads one member of a gzip file (RFC 1952 §2.3). Its zero value is to be Reset.
type Gzip struct {
	// WrongHeadSum says that the head has a checksum, which is not its own. The data has another.
	WrongHeadSum bool

	in   *bufio.Reader
	data Reader
	sum  uint32 // CRC-32 of what was handed out
	n    uint32 // and its length, modulo 2^32
	err  error
}

// Flags of a member's head (§2.3.1).
const (
	flagHeadSum  = 1 << 1
	flagExtra    = 1 << 2
	flagName     = 1 << 3
	flagComment  = 1 << 4
	flagReserved = 7 << 5
)

// Reset reads the head of a member that begins where in is. Errors are io.EOF if in is
// at its end, io.ErrUnexpectedEOF, gzip.ErrHeader, or one of in.
func (z *Gzip) Reset(in *bufio.Reader) error {
	z.in, z.sum, z.n, z.WrongHeadSum = in, 0, 0, false
	if _, z.err = in.Peek(1); z.err != nil {
		return z.err
	}
	if z.err = early(z.head()); z.err == nil {
		z.data.Reset(in)
	}
	return z.err
}

func early(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// head reads what is before the compressed data.
func (z *Gzip) head() error {
	var fixed [10]byte // mark (2), method, flags, time (4), extra flags, system
	sum := uint32(0)
	get := func(p []byte) error {
		_, err := io.ReadFull(z.in, p)
		sum = crc32.Update(sum, crc32.IEEETable, p)
		return err
	}
	if err := get(fixed[:]); err != nil {
		return err
	}
	if fixed[0] != 0x1F || fixed[1] != 0x8B || fixed[2] != 8 {
		return gzip.ErrHeader
	}
	flags := fixed[3]
	if flags&flagExtra != 0 {
		var length [2]byte
		if err := get(length[:]); err != nil {
			return err
		}
		if err := get(make([]byte, binary.LittleEndian.Uint16(length[:]))); err != nil {
			return err
		}
	}
	for _, flag := range []byte{flagName, flagComment} {
		if flags&flag == 0 {
			continue
		}
		for b := [1]byte{1}; b[0] != 0; {
			if err := get(b[:]); err != nil {
				return err
			}
		}
	}
	if flags&flagHeadSum != 0 {
		want := uint16(sum)
		var written [2]byte
		if err := get(written[:]); err != nil {
			return err
		}
		z.WrongHeadSum = binary.LittleEndian.Uint16(written[:]) != want
	}
	if flags&flagReserved != 0 {
		return gzip.ErrHeader
	}
	return nil
}

// Read returns io.EOF just after the member. If its checksum or length is not that of the
// data, it returns gzip.ErrChecksum there. Else it may return an error of [Reader.Next].
func (z *Gzip) Read(p []byte) (int, error) {
	if z.err != nil {
		return 0, z.err
	}
	n, err := z.data.Read(p)
	z.sum = crc32.Update(z.sum, crc32.IEEETable, p[:n])
	z.n += uint32(n)
	if err != nil {
		z.err = err
		if err == io.EOF {
			z.err = z.tail()
		}
	}
	return n, z.err
}

// tail reads what is after the compressed data.
func (z *Gzip) tail() error {
	var b [8]byte // CRC-32 (4), length (4)
	if _, err := io.ReadFull(z.in, b[:]); err != nil {
		return early(err)
	}
	if binary.LittleEndian.Uint32(b[:]) != z.sum || binary.LittleEndian.Uint32(b[4:]) != z.n {
		return gzip.ErrChecksum
	}
	return io.EOF
}

// Members reads the members of a gzip file one after the other, to its end (§2.2).
type Members struct{ Gzip }

// NewMembers reads the head of the first member. Errors are those of [Gzip.Reset].
func NewMembers(in *bufio.Reader) (*Members, error) {
	m := new(Members)
	if err := m.Reset(in); err != nil {
		return nil, err
	}
	return m, nil
}

// Read returns io.EOF after the last member, or an error of [Gzip.Read] or of [Gzip.Reset].
func (m *Members) Read(p []byte) (int, error) {
	for {
		n, err := m.Gzip.Read(p)
		if err == io.EOF {
			err = m.Reset(m.in)
		}
		if n > 0 || err != nil || len(p) == 0 {
			return n, err
		}
	}
}
