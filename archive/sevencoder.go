package archive

import (
	"encoding/binary"
	"fmt"

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

// sevenCoders are the names of the coders that are read, by us or the library, and of
// those that are known by name alone. The names are those of 7-Zip's list of methods.
var sevenCoders = map[string]struct {
	name string
	read sevenReadBy
}{
	sevenCopy:          {"Copy", sevenOurs},
	"\x03":             {"Delta", sevenLibrary},
	"\x04":             {"BCJ (x86)", sevenNobody},
	"\x05":             {"PPC", sevenNobody},
	"\x06":             {"IA64", sevenNobody},
	"\x07":             {"ARM", sevenNobody},
	"\x08":             {"ARMT", sevenNobody},
	"\x09":             {"SPARC", sevenNobody},
	"\x0A":             {"ARM64", sevenLibrary},
	"\x0B":             {"RISCV", sevenNobody},
	sevenLzma2:         {"LZMA2", sevenOurs},
	"\x02\x03\x02":     {"Swap2", sevenNobody},
	"\x02\x03\x04":     {"Swap4", sevenNobody},
	sevenLzma:          {"LZMA", sevenOurs},
	"\x03\x03\x01\x03": {"BCJ", sevenLibrary},
	"\x03\x03\x01\x1B": {"BCJ2", sevenLibrary},
	"\x03\x03\x02\x05": {"PPC", sevenLibrary},
	"\x03\x03\x04\x01": {"IA64", sevenNobody},
	"\x03\x03\x05\x01": {"ARM", sevenLibrary},
	"\x03\x03\x07\x01": {"ARMT", sevenNobody},
	"\x03\x03\x08\x05": {"SPARC", sevenLibrary},
	sevenPpmd:          {"PPMD", sevenLibrary},
	"\x04\x01\x08":     {"Deflate", sevenLibrary},
	sevenDeflate64:     {"Deflate64", sevenAlone},
	"\x04\x02\x02":     {"BZip2", sevenLibrary},
	sevenZstd:          {"ZSTD", sevenAlone},
	"\x04\xF7\x11\x02": {"BROTLI", sevenLibrary},
	"\x04\xF7\x11\x04": {"LZ4", sevenLibrary},
	"\x04\xF7\x11\x05": {"LZS", sevenNobody},
	"\x04\xF7\x11\x06": {"LIZARD", sevenNobody},
	sevenAES:           {"7zAES", sevenLibrary},
}

// sevenReadBy says who reads what a coder has packed.
type sevenReadBy int

const (
	sevenNobody  sevenReadBy = iota
	sevenLibrary             // the library alone
	sevenOurs                // the library, and we where it is alone
	sevenAlone               // only we, where it is alone
)

// unknown names a coder that can't be read; "" for one that can. Alone says that
// the folder has no other.
func (c *sevenCoder) unknown(alone bool) string {
	known, ok := sevenCoders[c.id]
	switch {
	case !ok:
		return fmt.Sprintf("the method %X", c.id)
	case known.read == sevenNobody:
		return fmt.Sprintf("%s (method %X)", known.name, c.id)
	case known.read == sevenAlone && !alone:
		return fmt.Sprintf("%s (method %X) together with another", known.name, c.id)
	}
	return ""
}

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
	}
	return true
}
