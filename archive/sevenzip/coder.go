package sevenzip

import "fmt"

// Coder is one way of packing, as a folder names it.
type Coder struct {
	ID         string
	Properties []byte

	inputs uint64
	first  uint64 // number of its first input
}

// Identifiers of coders.
const (
	Copy  = "\x00"
	LZMA2 = "\x21"

	delta     = "\x03"
	lzma1     = "\x03\x01\x01"
	bcj2      = "\x03\x03\x01\x1B"
	ppmd7     = "\x03\x04\x01"
	deflate   = "\x04\x01\x08"
	deflate64 = "\x04\x01\x09"
	bzip2Code = "\x04\x02\x02"
	zstdCode  = "\x04\xF7\x11\x01"
	brotliID  = "\x04\xF7\x11\x02"
	lz4Code   = "\x04\xF7\x11\x04"
	aes       = "\x06\xF1\x07\x01"
)

// names are those of 7-Zip's list of methods.
var names = map[string]string{
	"\x0B":             "RISCV",
	"\x02\x03\x02":     "Swap2",
	"\x02\x03\x04":     "Swap4",
	"\x04\xF7\x11\x05": "LZS",
	"\x04\xF7\x11\x06": "LIZARD",
}

// unknown names a coder that can't be read; "" for one that can.
func (c *Coder) unknown() string {
	if c.ID == aes || c.ID == bcj2 || decoders[c.ID] != nil {
		return ""
	}
	if name := names[c.ID]; name != "" {
		return fmt.Sprintf("%s (method %X)", name, c.ID)
	}
	return fmt.Sprintf("the method %X", c.ID)
}

func (r *reader) coder() Coder {
	flags := r.byte()
	c := Coder{ID: string(r.bytes(uint64(flags & 0x0F))), inputs: 1}
	if flags&0x10 != 0 {
		c.inputs = r.number()
		if out := r.number(); out != 1 || c.inputs == 0 || c.inputs > 4 {
			r.fail(ErrUnsupported)
		}
	}
	if flags&0x20 != 0 {
		c.Properties = r.bytes(r.number())
	}
	if flags&0xC0 != 0 {
		r.fail(ErrUnsupported)
	}
	return c
}
