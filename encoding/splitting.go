package encoding

import (
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/transform"
)

// splitterOf returns what cuts a word of the encoding c into characters.
func splitterOf(c charset) func([]char, []byte) []char {
	if cm, ok := c.enc.(*charmap.Charmap); ok {
		return func(chars []char, word []byte) []char {
			for _, b := range word {
				chars = append(chars, char{r: cm.DecodeByte(b), common: true})
			}
			return chars
		}
	}
	decoder := c.enc.NewDecoder().Transformer
	return func(chars []char, word []byte) []char {
		for len(word) > 0 {
			n := min(sequenceLength(c.name, word), len(word))
			var dst [8]byte
			decoder.Reset()
			nDst, nSrc, err := decoder.Transform(dst[:], word[:n], true)
			r, size := utf8.DecodeRune(dst[:nDst])
			if err != nil && err != transform.ErrShortDst || size != nDst || nSrc != n || size == 0 {
				// Where a sequence is none, its first byte alone is the fault.
				r, n = utf8.RuneError, 1
			}
			chars = append(chars, char{r: r, common: commonLead(c.name, word[0])})
			word = word[n:]
		}
		return chars
	}
}

// sequenceLength is the number of bytes that a character takes which begins so.
func sequenceLength(name string, p []byte) int {
	lead := p[0]
	switch {
	case lead < 0x80:
		return 1
	case name == "shift_jis" && 0xA1 <= lead && lead <= 0xDF:
		return 1
	case name == "euc-jp" && lead == 0x8F:
		return 3
	case name == "gb18030" && len(p) > 1 && 0x30 <= p[1] && p[1] <= 0x39:
		return 4
	default:
		return 2
	}
}

// commonLead says that the lead byte is one of the rows in which the set keeps the
// characters in common use (the first level of the standards).
func commonLead(name string, lead byte) bool {
	in := func(from, to byte) bool { return from <= lead && lead <= to }
	switch name {
	case "gb18030":
		return in(0xB0, 0xD7)
	case "big5":
		return in(0xA4, 0xC6)
	case "shift_jis":
		return in(0x88, 0x97)
	case "euc-jp":
		return in(0xB0, 0xCF)
	case "euc-kr":
		return in(0xB0, 0xC8)
	}
	return false
}

// splitUTF8 cuts words of UTF-8 that has bytes of Windows-1252 in it.
func splitUTF8(chars []char, word []byte) []char {
	for len(word) > 0 {
		r, size := utf8.DecodeRune(word)
		c := char{r: r, common: true}
		if r == utf8.RuneError && size == 1 {
			c = char{r: charmap.Windows1252.DecodeByte(word[0]), stray: true}
		}
		chars = append(chars, c)
		word = word[size:]
	}
	return chars
}
