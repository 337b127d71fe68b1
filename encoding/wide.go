package encoding

import (
	"bytes"
	"encoding/binary"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// wideForm is UTF-16 or UTF-32 in one order of its bytes.
type wideForm struct {
	name string
	unit func(p []byte) rune
	size int
}

var wideForms = []wideForm{
	{"utf-32le", func(p []byte) rune { return rune(binary.LittleEndian.Uint32(p)) }, 4},
	{"utf-32be", func(p []byte) rune { return rune(binary.BigEndian.Uint32(p)) }, 4},
	{"utf-16le", func(p []byte) rune { return rune(binary.LittleEndian.Uint16(p)) }, 2},
	{"utf-16be", func(p []byte) rune { return rune(binary.BigEndian.Uint16(p)) }, 2},
}

// wideWithoutMark recognises UTF-16 and UTF-32 without a byte order mark. All RDF begins
// with a character of ASCII and has more of them, and the rest are characters too. That is
// so in no other order of the bytes, and hardly ever in a binary format. The confidence is
// the share of units that are characters.
func wideWithoutMark(p []byte) (name string, confidence float64) {
	p = p[:min(len(p), 8192)]
	most := 0
	for _, form := range wideForms {
		t := form.tally(p)
		if t.sound() && t.ascii > most {
			name, confidence, most = form.name, float64(t.units-t.bad)/float64(t.units), t.ascii
		}
	}
	return name, confidence
}

// wideTally counts what bytes are, read in one form.
type wideTally struct {
	first             rune
	units, ascii, bad int // bad: no characters, or none that text has
}

// sound asks for one unit of ASCII in fifty, since a label of Chinese may be long. No more
// than that may be units that are no text.
func (t wideTally) sound() bool {
	return t.units > 1 && isPlainASCII(t.first) && t.ascii*50 >= t.units && t.bad*50 <= t.units
}

func (f *wideForm) tally(p []byte) (t wideTally) {
	for ; len(p) >= f.size; p = p[f.size:] {
		r := f.unit(p)
		if f.size == 2 && utf16.IsSurrogate(r) {
			if len(p) < 4 {
				break // cut there
			}
			r = utf16.DecodeRune(r, f.unit(p[2:]))
			if r != utf8.RuneError {
				p = p[2:]
			}
		}
		if t.units == 0 {
			if t.first = r; !isPlainASCII(r) {
				break // not sound, whatever follows; so most texts of bytes end here in each form
			}
		}
		t.units++
		switch {
		case isPlainASCII(r):
			t.ascii++
		case r < 0x20 || r == 0x7F || r == utf8.RuneError || !unicode.IsPrint(r) && !unicode.In(r, unicode.Z, unicode.Cf):
			t.bad++
		}
	}
	return t
}

// isPlainASCII recognises the characters of ASCII that are no controls but white space.
func isPlainASCII(r rune) bool { return r >= 0x20 && r < 0x7F || r == '\t' || r == '\n' || r == '\r' }

// PresumeUnicode is the encoding of a text in Unicode that begins with these four bytes, or fewer. UTF-16
// is recognised by its mark, or by the zero bytes between letters of ASCII; else it is UTF-8.
func PresumeUnicode(head []byte) string {
	zero := func(at int) bool { return at < len(head) && head[at] == 0 }
	switch {
	case bytes.HasPrefix(head, []byte("\xFF\xFE")), zero(1) && zero(3):
		return "utf-16le"
	case bytes.HasPrefix(head, []byte("\xFE\xFF")), zero(0) && zero(2):
		return "utf-16be"
	}
	return "utf-8"
}
