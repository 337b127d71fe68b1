package lex

import (
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// What follows reads tokens that are as most are, without making a [Token] of them. Each function looks at what begins
// at index i of b, and returns the index behind it. That is 0 where the token is another one, where anything is to be
// said of it, or where b may end within it.

// Spot is a place between two tokens in the window.
type Spot struct {
	index                           int
	line, lineStart, extra, afterCR int64
}

// Spot is the current place, for Return.
func (l *Lexer) Spot() Spot { return Spot{l.Pos, l.Line, l.LineStart, l.Extra, l.AfterCR} }

// Return goes back to s. The window must not have moved.
func (l *Lexer) Return(s Spot) {
	l.Pos, l.Line, l.LineStart, l.Extra, l.AfterCR = s.index, s.line, s.lineStart, s.extra, s.afterCR
}

// PlaceOf is the position of s.
func (l *Lexer) PlaceOf(s Spot) fault.Pos {
	at := l.Base + int64(s.index)
	return fault.Pos{Line: s.line, Column: at - s.lineStart - s.extra + 1, Offset: at}
}

// PassWhite passes blanks and line ends. It returns the byte behind them, or 0 where the window ends.
func (l *Lexer) PassWhite() byte {
	for i := l.Pos; i < len(l.Buf); i++ {
		switch c := l.Buf[i]; c {
		case ' ', '\t':
		case '\n', '\r':
			l.newline(i + 1)
		default:
			l.Pos = i
			return c
		}
	}
	return 0
}

// Pass passes a token up to index end, which holds such bytes and no line end.
func (l *Lexer) Pass(end int, seen rdf.Bytes) {
	if seen&rdf.BytesHigh != 0 {
		l.Extra += Continuations(l.Buf[l.Pos:end])
	}
	l.Pos = end
}

// PlainIRI reads an absolute IRI in < and >. The kinds of its bytes are seen.
func PlainIRI(b []byte, i int) (end int, seen rdf.Bytes) {
	end, kinds := SeeUntil(b, i+1, EndsIRI)
	if end >= len(b) || b[end] != '>' || !Absolute(b[i+1:end]) {
		return 0, 0
	}
	return end + 1, rdf.Bytes(kinds)
}

// PlainWord reads a prefixed name without escapes, or a word. The index of the colon is colon, -1 for a word. The kinds
// of the bytes behind it are seen.
func PlainWord(b []byte, i int) (end, colon int, seen rdf.Bytes) {
	for i < len(b) && Class[b[i]]&NameInside != 0 {
		i++
	}
	if i >= len(b) {
		return 0, -1, 0
	}
	if b[i] != ':' {
		return i, -1, 0
	}
	seen, colon = rdf.BytesSeen, i
	for i++; i < len(b); {
		c := b[i]
		switch {
		case Class[c]&NameInside != 0:
			if c == '-' && i == colon+1 {
				return 0, -1, 0
			}
			i++
		case c >= 0x80:
			size := plainLetter(b[i:])
			if size == 0 {
				return 0, -1, 0
			}
			seen |= rdf.BytesHigh
			i += size
		case c == ':':
			i++
		case c == '.':
			goesOn, known := dotInName(b, i)
			if !known || goesOn && i == colon+1 {
				return 0, -1, 0
			}
			if !goesOn {
				return i, colon, seen
			}
			seen |= rdf.BytesDot
			i++
		case c < ' ' && c != '\t' && c != '\n' && c != '\r', c == '%', c == '\\', c == '~':
			return 0, -1, 0
		default:
			return i, colon, seen
		}
	}
	return 0, -1, 0
}

// dotInName says whether a name goes on behind the dot at index i; known is false where that takes a closer look.
func dotInName(b []byte, i int) (goesOn, known bool) {
	if i+1 >= len(b) {
		return false, false
	}
	switch c := b[i+1]; {
	case Class[c]&NameInside != 0:
		return true, true
	case c == ' ', c == '\t', c == '\n', c == '\r':
		return false, true
	}
	return false, false
}

// plainLetter is the length of the letter outside ASCII that b begins with; 0 for another character, and for some rare
// letters. Such a letter may be anywhere in a name.
func plainLetter(b []byte) int {
	if b[0] < 0xE0 {
		if b[0] < 0xC3 || len(b) < 2 || b[1]&0xC0 != 0x80 {
			return 0
		}
		switch r := rune(b[0]&0x1F)<<6 | rune(b[1]&0x3F); {
		case r == 0xD7, r == 0xF7, r == 0x37E, 0x300 <= r && r <= 0x36F:
			return 0
		}
		return 2
	}
	r, size := utf8.DecodeRune(b)
	if size == 3 && r != utf8.RuneError && (r <= 0x1FFF || 0x3001 <= r && r <= 0xD7FF) {
		return 3
	}
	return 0
}

// PlainLabel reads a blank node label of letters and digits of ASCII.
func PlainLabel(b []byte, i int) (end int) {
	if i+2 >= len(b) || b[i+1] != ':' || b[i+2] == '-' {
		return 0
	}
	end = i + 2
	for end < len(b) && Class[b[end]]&NameInside != 0 {
		end++
	}
	switch {
	case end == i+2 || end >= len(b) || b[end] >= 0x80:
		return 0
	case b[end] == ' ', b[end] == '\n', b[end] == ';', b[end] == ',':
		return end
	}
	return 0
}

// PlainString reads a string in single quotation marks ". There are escapes in it if escaped is true.
func PlainString(b []byte, i int) (end int, seen rdf.Bytes, escaped bool) {
	i, kinds := SeeUntil(b, i+1, EndsQuoted)
	for i+1 < len(b) && b[i] == '\\' && b[i+1] != '\n' && b[i+1] != '\r' {
		escaped = true
		var more uint8
		i, more = SeeUntil(b, i+2, EndsQuoted)
		kinds |= more
	}
	if i+1 >= len(b) || b[i] != '"' || b[i+1] == '"' {
		return 0, 0, false
	}
	seen = rdf.Bytes(kinds &^ EndsIRI)
	if escaped {
		seen &^= rdf.BytesSeen
	}
	return i + 1, seen, escaped
}

// PlainTag reads a language tag with its @, which has no direction.
func PlainTag(b []byte, i int) (end int) {
	end = i + 1
	odd := false
	for end < len(b) && Class[b[end]]&NameInside != 0 {
		odd = odd || b[end] == '_'
		end++
	}
	tag := b[i+1 : end]
	if end >= len(b) || odd || !IsLanguageTag(tag) {
		return 0
	}
	switch tag[0] | 0x20 { // prefix, base, version are looked at closely
	case 'p', 'b', 'v':
		if n := len(tag); n == 6 || n == 4 || n == 7 {
			return 0
		}
	}
	return end
}

// PlainNumber reads an integer or a decimal number.
func PlainNumber(b []byte, i int) (end int, kind Kind) {
	if b[i] == '+' || b[i] == '-' {
		i++
	}
	from := i
	for i < len(b) && Class[b[i]]&Digit != 0 {
		i++
	}
	if i == from || i+1 >= len(b) {
		return 0, 0
	}
	kind = Integer
	if b[i] == '.' && Class[b[i+1]]&Digit != 0 {
		kind = Decimal
		for i++; i < len(b) && Class[b[i]]&Digit != 0; i++ {
		}
	}
	if i+1 >= len(b) {
		return 0, 0
	}
	switch c := b[i]; c {
	case ' ', '\t', '\n', '\r', ';', ',':
		return i, kind
	case '.':
		if next := b[i+1]; next == ' ' || next == '\n' || next == '\r' || next == '\t' {
			return i, kind
		}
	}
	return 0, 0
}
