package archive

import (
	"encoding/binary"

	"github.com/klauspost/compress/zip"
)

// sevenCoder is one way of packing, as a folder of a 7z names it.
type sevenCoder struct {
	id         string
	in         uint64
	properties []byte
}

// Identifiers of coders.
const (
	sevenCopy      = "\x00"
	sevenLzma      = "\x03\x01\x01"
	sevenLzma2     = "\x21"
	sevenPpmd      = "\x03\x04\x01"
	sevenZstd      = "\x04\xF7\x11\x01"
	sevenDeflate64 = "\x04\x01\x09"
	sevenAES       = "\x06\xF1\x07\x01"
)

func (r *sevenReader) coder() sevenCoder {
	flags := r.byte()
	c := sevenCoder{id: string(r.bytes(uint64(flags & 0x0F))), in: 1}
	if flags&0x10 != 0 {
		c.in = r.number()
		if out := r.number(); out != 1 || c.in == 0 || c.in > 4 {
			r.fail(zip.ErrAlgorithm)
		}
	}
	if flags&0x20 != 0 {
		c.properties = r.bytes(r.number())
	}
	if flags&0xC0 != 0 || r.err == nil && !c.modest() {
		r.fail(zip.ErrAlgorithm)
	}
	return c
}

// modest says whether a coder keeps to the memory that it may have.
func (c *sevenCoder) modest() bool {
	switch c.id {
	case sevenLzma:
		return len(c.properties) == 5 && binary.LittleEndian.Uint32(c.properties[1:]) <= maxWindow
	case sevenLzma2:
		return len(c.properties) == 1 && c.properties[0] <= 40 && lzma2Window(c.properties[0]) <= maxWindow
	case sevenPpmd:
		memory := uint32(0)
		if len(c.properties) == 5 {
			memory = binary.LittleEndian.Uint32(c.properties[1:])
		}
		return memory >= 1<<11 && memory <= 2*maxWindow && c.properties[0] >= 2 && c.properties[0] <= 64
	case sevenZstd:
		return false // the library sets its window no bound
	}
	return true
}
