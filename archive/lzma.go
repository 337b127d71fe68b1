package archive

import (
	"bufio"
	"encoding/binary"
	"io"

	"github.com/ulikunitz/xz/lzma"
)

// lzmaStream decodes one LZMA stream. At a fault the decoder keeps what it has decoded but
// not yet handed out, up to a whole window. To fetch that, lzmaStream lets the input end
// there, so that the decoder can only empty itself.
type lzmaStream struct {
	r      *lzma.Reader
	in     *prefixed
	failed error
}

// newLzma decodes what in holds after the properties byte, the window's size and
// the data's size, which make up the header of LZMA alone.
func newLzma(in *bufio.Reader, properties [5]byte, size uint64) (*lzmaStream, error) {
	header := binary.LittleEndian.AppendUint64(properties[:], size)
	z := &lzmaStream{in: &prefixed{first: header, rest: in}}
	r, err := lzma.ReaderConfig{DictCap: maxWindow}.NewReader(z.in)
	z.r = r
	return z, err
}

// lzmaUnknown is the size of data that ends with a mark.
const lzmaUnknown = 1<<64 - 1

// lzmaMembers reads files of LZMA alone, of which several may be one after
// another.
type lzmaMembers struct{}

func (lzmaMembers) fresh() memberKind   { return lzmaMembers{} }
func (lzmaMembers) is(head []byte) bool { return isLzma(head) }

func (m lzmaMembers) found(head []byte) bool { return m.is(head) }

func (lzmaMembers) open(in *bufio.Reader) (io.Reader, error) {
	var header [lzma.HeaderLen]byte
	if _, err := io.ReadFull(in, header[:]); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	z, err := newLzma(in, [5]byte(header[:5]), binary.LittleEndian.Uint64(header[5:]))
	return z, err
}

func (z *lzmaStream) Read(p []byte) (int, error) {
	n, err := z.r.Read(p)
	if err != nil && err != io.EOF && z.failed == nil {
		z.failed, z.in.cut = err, true
		if n == 0 {
			n, _ = z.r.Read(p)
		}
	}
	switch {
	case z.failed == nil:
		return n, err
	case n > 0:
		return n, nil
	}
	return 0, z.failed
}

// prefixed reads some bytes before those of a reader, without reading ahead in it.
type prefixed struct {
	first []byte
	rest  *bufio.Reader
	cut   bool // the input ends here
}

func (r *prefixed) Read(p []byte) (int, error) {
	if r.cut {
		return 0, io.EOF
	}
	if len(r.first) > 0 {
		n := copy(p, r.first)
		r.first = r.first[n:]
		return n, nil
	}
	return r.rest.Read(p)
}

func (r *prefixed) ReadByte() (byte, error) {
	if r.cut {
		return 0, io.EOF
	}
	if len(r.first) > 0 {
		b := r.first[0]
		r.first = r.first[1:]
		return b, nil
	}
	return r.rest.ReadByte()
}
