package encoding

import (
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/transform"

	"laundromat/encoding/language"
)

// splitterOf returns what cuts a word of the encoding c into characters.
func splitterOf(c charset) splitter {
	if decode, ok := singleByte(c); ok {
		symbols := sync.OnceValue(func() *[256]language.Symbol { return symbolsOf(decode) })
		return func(word []language.Symbol, bytes []byte) []language.Symbol {
			table := symbols()
			for _, b := range bytes {
				word = append(word, table[b])
			}
			return word
		}
	}
	if c.enc == nil {
		return splitUTF8
	}
	return func(word []language.Symbol, bytes []byte) []language.Symbol {
		decoder := c.enc.NewDecoder().Transformer
		last := len(bytes) - 1
		word = append(word, language.SymbolOf(rune(bytes[0])))
		for rest := bytes[1:last]; len(rest) > 0; {
			if rest[0] < utf8.RuneSelf {
				word = append(word, language.SymbolOf(rune(rest[0])))
				rest = rest[1:]
				continue
			}
			n := min(sequenceLength(c.name, rest), len(rest))
			if n == len(rest) && len(bytes) == maxWord+2 && n < 4 {
				break // the word was cut, perhaps within a character
			}
			var dst [8]byte
			decoder.Reset()
			nDst, nSrc, err := decoder.Transform(dst[:], rest[:n], true)
			r, size := utf8.DecodeRune(dst[:nDst])
			if err != nil && err != transform.ErrShortDst || size != nDst || nSrc != n || size == 0 {
				// Where a sequence is none, its first byte alone is the fault.
				r, n = utf8.RuneError, 1
			}
			word = append(word, language.SymbolOf(r))
			rest = rest[n:]
		}
		return append(word, language.SymbolOf(rune(bytes[last])))
	}
}

func symbolsOf(decode func(byte) rune) *[256]language.Symbol {
	table := new([256]language.Symbol)
	for b := range table {
		r := rune(b)
		if b >= utf8.RuneSelf {
			r = decode(byte(b))
		}
		table[b] = language.SymbolOf(r)
	}
	return table
}

// sequenceLength is the number of bytes that a character takes which begins so.
func sequenceLength(name string, p []byte) int {
	lead := p[0]
	switch {
	case lead < 0x80, lead == 0x80, lead == 0xFF:
		return 1
	case name == "shift_jis" && 0xA1 <= lead && lead <= 0xDF:
		return 1
	case name == "euc-jp" && lead == 0x8F:
		return 3
	case name == "euc-tw" && lead == 0x8E:
		return 4
	case name == "gb18030" && len(p) > 1 && 0x30 <= p[1] && p[1] <= 0x39:
		return 4
	default:
		return 2
	}
}

// splitUTF8 cuts words of UTF-8 that has bytes of Windows-1252 in it.
func splitUTF8(word []language.Symbol, bytes []byte) []language.Symbol {
	return splitMixed(word, bytes, charmap.Windows1252.DecodeByte)
}

// splitMixed cuts a word of UTF-8 that has bytes of a single-byte encoding in it.
func splitMixed(word []language.Symbol, bytes []byte, stray func(byte) rune) []language.Symbol {
	isCut := len(bytes) == maxWord+2
	for len(bytes) > 0 {
		r, size := utf8.DecodeRune(bytes)
		if r == utf8.RuneError && size == 1 {
			if isCut && len(bytes) <= utf8.UTFMax && !utf8.FullRune(bytes[:len(bytes)-1]) {
				bytes = bytes[len(bytes)-1:]
				continue
			}
			r = stray(bytes[0])
		}
		word = append(word, language.SymbolOf(r))
		bytes = bytes[size:]
	}
	return word
}
