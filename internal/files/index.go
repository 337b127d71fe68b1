package files

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// The index of a clean file that has several members says where each gzip member begins and with which
// subject, so that a subject is found without reading all. Version 1 is, in order
// (numbers are unsigned varints, as encoding/binary writes them):
//
//	magic       8 bytes, "nq-index"
//	version     number, 1
//	for each member, in order:
//	  packed    number, its length in the clean file, in bytes (never 0)
//	  text      number, the length of its text, in bytes
//	  lines     number
//	  subject   number, a length of at most 64, then so many bytes: the beginning
//	            of the subject of its first line, with < and >
//	end         number, 0
//	members     number
//	packed      number, the length of the clean file
//	text        number, the length of all text
//	lines       number, all lines
//	checksum    4 bytes, little-endian: CRC-32C of all bytes before
//
// Where a member begins is the sum of the lengths before it. Since a subject may be
// cut, and may go on from one member into the next, who looks for a subject begins
// at the last member whose subject is smaller.
const (
	indexMagic     = "nq-index"
	indexVersion   = 1
	longestSubject = 64
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// indexWriter writes an index; with out nil it does nothing.
type indexWriter struct {
	out    io.Writer
	buffer []byte
	sum    uint32
	begun  bool

	total indexTotal
}

type indexTotal struct{ members, packed, text, lines uint64 }

// member adds a member of packed bytes.
func (x *indexWriter) member(packed int64, text []byte, lines int64) error {
	if x.out == nil {
		return nil
	}
	x.begin()
	subject := subjectOf(text)
	for _, n := range [...]int64{packed, int64(len(text)), lines, int64(len(subject))} {
		x.buffer = binary.AppendUvarint(x.buffer, uint64(n))
	}
	x.buffer = append(x.buffer, subject...)
	x.total.members++
	x.total.packed += uint64(packed)
	x.total.text += uint64(len(text))
	x.total.lines += uint64(lines)
	if len(x.buffer) < 32<<10 {
		return nil
	}
	return x.flush()
}

func (x *indexWriter) end() error {
	if x.out == nil {
		return nil
	}
	x.begin()
	for _, n := range [...]uint64{0, x.total.members, x.total.packed, x.total.text, x.total.lines} {
		x.buffer = binary.AppendUvarint(x.buffer, n)
	}
	sum := crc32.Update(x.sum, castagnoli, x.buffer)
	x.buffer = binary.LittleEndian.AppendUint32(x.buffer, sum)
	return x.flush()
}

func (x *indexWriter) begin() {
	if !x.begun {
		x.begun = true
		x.buffer = binary.AppendUvarint(append(x.buffer, indexMagic...), indexVersion)
	}
}

func (x *indexWriter) flush() error {
	x.sum = crc32.Update(x.sum, castagnoli, x.buffer)
	_, err := x.out.Write(x.buffer)
	x.buffer = x.buffer[:0]
	return err
}

// subjectOf is what the index keeps of the first line of text.
func subjectOf(text []byte) []byte {
	text = text[:min(len(text), longestSubject)]
	if i := bytes.IndexAny(text, " \n"); i >= 0 {
		text = text[:i]
	}
	return text
}

// indexEntry is what an index says of a member.
type indexEntry struct {
	packed, text, lines uint64
	subject             []byte // valid until the next call
}

// indexReader reads an index.
type indexReader struct {
	in      *bufio.Reader
	sum     uint32
	total   indexTotal // of the members read
	subject [longestSubject]byte
}

var errIndex = errors.New("the index is damaged")

func newIndexReader(r io.Reader) (*indexReader, error) {
	x := &indexReader{in: bufio.NewReader(r)}
	var magic [len(indexMagic)]byte
	if err := x.read(magic[:]); err != nil {
		return nil, err
	}
	if string(magic[:]) != indexMagic {
		return nil, errIndex
	}
	switch version, err := x.number(); {
	case err != nil:
		return nil, err
	case version != indexVersion:
		return nil, fmt.Errorf("the index is of version %d; this program reads version %d", version, indexVersion)
	}
	return x, nil
}

// next returns the next member's entry; io.EOF after the last, if the end agrees
// with the members and nothing follows it.
func (x *indexReader) next() (e indexEntry, err error) {
	if e.packed, err = x.number(); err != nil {
		return e, err
	}
	if e.packed == 0 {
		return e, x.end()
	}
	var length uint64
	for _, n := range []*uint64{&e.text, &e.lines, &length} {
		if *n, err = x.number(); err != nil {
			return e, err
		}
	}
	if length > longestSubject {
		return e, errIndex
	}
	e.subject = x.subject[:length]
	if err := x.read(e.subject); err != nil {
		return e, err
	}
	x.total.members++
	x.total.packed += e.packed
	x.total.text += e.text
	x.total.lines += e.lines
	return e, nil
}

func (x *indexReader) end() error {
	for _, n := range [...]uint64{x.total.members, x.total.packed, x.total.text, x.total.lines} {
		if is, err := x.number(); err != nil {
			return err
		} else if is != n {
			return errIndex
		}
	}
	sum := x.sum
	var checksum [4]byte
	if err := x.read(checksum[:]); err != nil {
		return err
	}
	if binary.LittleEndian.Uint32(checksum[:]) != sum {
		return errIndex
	}
	if _, err := x.in.ReadByte(); err != io.EOF {
		return errors.Join(errIndex, err)
	}
	return io.EOF
}

func (x *indexReader) read(data []byte) error {
	if _, err := io.ReadFull(x.in, data); err != nil {
		return cutShort(err, errIndex)
	}
	x.sum = crc32.Update(x.sum, castagnoli, data)
	return nil
}

// number reads an unsigned varint.
func (x *indexReader) number() (n uint64, err error) {
	var b [1]byte
	for shift := 0; shift < 64; shift += 7 {
		if err := x.read(b[:]); err != nil {
			return 0, err
		}
		n |= uint64(b[0]&0x7F) << shift
		if b[0] < 0x80 {
			return n, nil
		}
	}
	return 0, errIndex
}
