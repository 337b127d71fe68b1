package archive

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"

	"laundromat/internal/lzma"
)

// newLzma decodes what in holds after the properties byte and the window's size, which with
// the data's size make up the header of LZMA alone.
func newLzma(in *bufio.Reader, properties [5]byte, size uint64, memory int) (*lzma.Reader, error) {
	p, err := lzma.PropertiesOf(properties[0])
	if err != nil {
		return nil, err
	}
	return lzma.NewReader(in, p, uint64(binary.LittleEndian.Uint32(properties[1:])), size, memory), nil
}

// usualLzma is what nearly every packer writes.
var usualLzma = lzma.Properties{LC: 3, PB: 2}

// lzmaHead is the length of the header of LZMA alone.
const lzmaHead = 13

// lzmaMembers reads files of LZMA alone, of which several may be one after
// another.
type lzmaMembers struct{ memory int }

func (m lzmaMembers) fresh() memberKind { return m }

func (lzmaMembers) is(head []byte) bool { return isLzma(head) }

// found wants a header that is sure: in damaged data much looks like the others.
func (lzmaMembers) found(head []byte) bool { return isUsualLzma(head) }

func (m lzmaMembers) open(in *bufio.Reader) (io.Reader, error) {
	var header [lzmaHead]byte
	if _, err := io.ReadFull(in, header[:]); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	z, err := newLzma(in, [5]byte(header[:5]), binary.LittleEndian.Uint64(header[5:]), m.memory)
	if err != nil {
		return nil, err
	}
	return z, nil
}

// isLzma knows files of LZMA alone, which have no mark. A header that the usual packers write is
// believed. Any other that the format allows is believed if what follows it unpacks. Other files
// have something impossible within their first bytes, or seem to unpack to zero bytes.
func isLzma(head []byte) bool {
	if isUsualLzma(head) {
		return true
	}
	if len(head) <= lzmaHead || head[lzmaHead] != 0 || string(head[:len(zipLocal)]) == zipLocal {
		return false // a range coder begins with a zero byte; so does the time of a zip, which costs 3 MB to try
	}
	size := binary.LittleEndian.Uint64(head[5:])
	if size == 0 || size != lzma.UnknownSize && size >= lzmaMost {
		return false
	}
	z, err := newLzma(bufio.NewReader(bytes.NewReader(head[lzmaHead:])), [5]byte(head[:5]), size, headSize)
	if err != nil {
		return false
	}
	var first [headSize]byte
	n, err := io.ReadFull(z, first[:])
	switch {
	case n == 0:
		return err == io.EOF && size == lzma.UnknownSize // nothing, and the mark of the end
	case first[0] == 0:
		return false
	}
	isCut := err == io.ErrUnexpectedEOF && z.Ended() == err && len(head) >= headSize
	return err == nil || z.Ended() == io.EOF || isCut
}

// lzmaMost is the first size that is not believed, in bytes.
const lzmaMost = 1 << 38

// isUsualLzma wants the usual properties, and a size that is unknown or below 256 GiB. The window
// is a power of two or the sum of two neighbours.
func isUsualLzma(head []byte) bool {
	if len(head) < lzmaHead || head[0] != 0x5D || head[1] != 0 || head[2] != 0 {
		return false
	}
	window := binary.LittleEndian.Uint32(head[1:5])
	size := binary.LittleEndian.Uint64(head[5:13])
	top := window & (window - 1)
	return window >= 1<<16 && (top == 0 || window == top|top>>1) && (size == lzma.UnknownSize || size < lzmaMost)
}
