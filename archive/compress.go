package archive

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// compressStream decodes the output of compress (.Z): codes of 9 bits and more, the
// lowest bits first, which name strings that came before (LZW). Whenever codes grow
// wider or the table is cleared, the rest of a group of eight codes is skipped.
// The format has no checksum and no end of its own. Where another stream follows, its
// header is looked for, and believed if what is after it can begin a stream.
type compressStream struct {
	in      *bufio.Reader
	head    [3]byte
	most    uint // bits of the widest code
	clears  bool // code 256 clears the table
	width   uint
	bits    uint64
	n       uint // bits that are held
	codes   int  // since codes have this width, modulo 8
	free    int  // the next code to be given
	prefix  []uint16
	suffix  []byte
	last    int // the code before; -1 for none
	first   byte
	ready   []byte
	scratch []byte
	trial   bool // of a beginning
}

var (
	errCompress = errors.New("archive: corrupt data of compress")
	errTooWide  = errors.New("archive: codes of compress that are too wide")
	errAnother  = errors.New("archive: another stream of compress begins")
)

const compressClear = 256

// isCompress wants the header that the program writes: a width of 9 to 16 bits.
func isCompress(head []byte) bool {
	return len(head) >= 3 && head[0] == 0x1F && head[1] == 0x9D && head[2]&0x60 == 0 && head[2]&31 >= 9 && head[2]&31 <= 16
}

func openCompress(l *layer) (io.ReadCloser, error) {
	var head [3]byte
	if _, err := io.ReadFull(l.in, head[:]); err != nil {
		return nil, cutShort(err)
	}
	z, err := newCompress(l.in, head)
	return io.NopCloser(z), err
}

// newCompress decodes what is after a header.
func newCompress(in *bufio.Reader, head [3]byte) (*compressStream, error) {
	z := &compressStream{in: in, head: head, most: uint(head[2] & 31), clears: head[2]&0x80 != 0, width: 9, last: -1}
	if z.most > 16 {
		return z, errTooWide
	}
	z.prefix, z.suffix = make([]uint16, 1<<z.most), make([]byte, 1<<z.most)
	for i := range 256 {
		z.suffix[i] = byte(i)
	}
	z.reset()
	return z, nil
}

// another says whether the byte that was just read begins another stream. The current one
// then ends with less than a byte of nothing. The codes after the header are checked
// against the rule that each was given before. Some sixty codes that are no beginning
// practically never all keep it.
func (z *compressStream) another() bool {
	if z.n >= 8 || z.bits != 0 || z.trial {
		return false
	}
	if head, _ := z.in.Peek(2); len(head) < 2 || head[0] != z.head[1] || head[1] != z.head[2] {
		return false
	}
	head, _ := z.in.Peek(compressTrial)
	trial, err := newCompress(bufio.NewReader(bytes.NewReader(head[2:])), z.head)
	if err != nil {
		return false
	}
	trial.trial = true
	_, err = io.Copy(io.Discard, trial)
	return len(head) > 3 && err == nil
}

// compressTrial is how many bytes are tried, with the header: some sixty codes.
const compressTrial = 2 + 72

// restart begins with another stream.
func (z *compressStream) restart() error {
	z.in.Discard(2)
	z.reset()
	z.width, z.last, z.bits, z.n, z.codes = 9, -1, 0, 0, 0
	return nil
}

func (z *compressStream) reset() {
	z.free = 256
	if z.clears {
		z.free = 257
	}
}

func (z *compressStream) Read(p []byte) (int, error) {
	for len(z.ready) == 0 {
		if err := z.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, z.ready)
	z.ready = z.ready[n:]
	return n, nil
}

// code reads a code; io.EOF if fewer bits are left than one has. The last code may be
// followed by up to seven bits of nothing.
func (z *compressStream) code() (int, error) {
	for z.n < z.width {
		b, err := z.in.ReadByte()
		if err == io.EOF && z.n >= 8 && z.bits != 0 && !z.trial {
			return 0, io.ErrUnexpectedEOF
		}
		if b == z.head[0] && err == nil && z.another() {
			return 0, errAnother
		}
		if err != nil {
			return 0, err
		}
		z.bits |= uint64(b) << z.n
		z.n += 8
	}
	v := int(z.bits & (1<<z.width - 1))
	z.bits >>= z.width
	z.n -= z.width
	z.codes = (z.codes + 1) & 7
	return v, nil
}

// align skips the rest of a group of eight codes.
func (z *compressStream) align() error {
	for z.codes != 0 {
		if _, err := z.code(); err != nil {
			return err
		}
	}
	return nil
}

// next decodes one code.
func (z *compressStream) next() error {
	if z.free > 1<<z.width-1 && z.width < z.most {
		if err := z.align(); err == errAnother {
			return z.restart()
		} else if err != nil {
			return err
		}
		z.width++
	}
	code, err := z.code()
	if err == errAnother {
		return z.restart()
	}
	if err != nil {
		return err
	}
	if code == compressClear && z.clears {
		if err := z.align(); err != nil {
			return err
		}
		z.reset()
		z.width, z.last = 9, -1
		return nil
	}
	if z.last < 0 {
		if code > 255 {
			return errCompress
		}
		z.first, z.last = byte(code), code
		z.ready = append(z.scratch[:0], byte(code))
		z.scratch = z.ready
		return nil
	}
	if code > z.free || code == z.free && z.free >= 1<<z.most {
		return errCompress
	}
	out := z.scratch[:0]
	at := code
	if code == z.free { // the string that is being made: the one before and its first byte
		out = append(out, z.first)
		at = z.last
	}
	for at > 255 {
		if at == compressClear && z.clears {
			return errCompress
		}
		out = append(out, z.suffix[at])
		at = int(z.prefix[at])
	}
	z.first = byte(at)
	out = append(out, z.first)
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	if z.free < 1<<z.most {
		z.prefix[z.free], z.suffix[z.free] = uint16(z.last), z.first
		z.free++
	}
	z.last = code
	z.scratch, z.ready = out, out
	return nil
}
