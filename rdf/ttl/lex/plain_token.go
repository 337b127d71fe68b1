package lex

import (
	"bytes"

	"laundromat/rdf"
)

// What follows reads tokens that are as most are, without making a [Token] of them. Each function looks at what begins
// at index i of b, and returns the index behind it. That is 0 where the token is another one, where anything is to be
// said of it, or where b may end within it.

// PassWhite passes blanks and line ends. It returns the byte behind them, or 0 where the window ends.
func (l *Lexer) PassWhite() byte {
	for i := l.Pos; i < len(l.Buf); i++ {
		c := l.Buf[i]
		if Class[c]&White == 0 {
			l.Pos = i
			return c
		}
		if c == '\n' || c == '\r' {
			l.newline(i + 1)
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
	if b[i] != ':' && Class[b[i]]&Letter == 0 {
		return 0, -1, 0
	}
	for i < len(b) && Class[b[i]]&NameInside != 0 {
		i++
	}
	if i < len(b) && b[i] != ':' {
		return i, -1, 0
	}
	seen, colon = rdf.BytesSeen, i
	for i++; i < len(b); i++ {
		switch c := b[i]; {
		case Class[c]&NameInside != 0 && (c != '-' || i > colon+1), c == ':':
		case c >= 0x80:
			size, begins, _ := wideName(b[i:])
			if !begins || size == 1 {
				return 0, -1, 0
			}
			seen |= rdf.BytesHigh
			i += size - 1
		case c == '.' && i+1 < len(b) && i > colon+1 && Class[b[i+1]]&NameInside != 0:
			seen |= rdf.BytesDot
		case c < ' ' && Class[c]&White == 0, c == '-', c == '%', c == '\\', c == '~', c == '.' &&
			(i+1 == len(b) || Class[b[i+1]]&White == 0):
			return 0, -1, 0
		default:
			return i, colon, seen
		}
	}
	return 0, -1, 0
}

// PlainLabel reads a blank node label of ASCII.
func PlainLabel(b []byte, i int) (end int) {
	if i+2 >= len(b) || b[i] != '_' || b[i+1] != ':' || Class[b[i+2]]&NameInside == 0 || b[i+2] == '-' {
		return 0
	}
	end = i + 3
	for end < len(b) && (Class[b[end]]&NameInside != 0 || b[end] == '.') {
		end++
	}
	if end == len(b) || b[end] >= 0x80 || bytes.IndexByte([]byte(":%/~+$!&=*\x00"), b[end]) >= 0 {
		return 0
	}
	for b[end-1] == '.' {
		end--
	}
	return end
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
	begin := i + 1
	for end = begin; end < len(b) && Class[b[end]]&Letter != 0; end++ {
	}
	isWord := end > begin
	if end < len(b) && Class[b[end]]&NameInside != 0 {
		for end < len(b) && Class[b[end]]&NameInside != 0 {
			isWord = isWord && b[end] != '_'
			end++
		}
		isWord = isWord && IsLanguageTag(b[begin:end])
	}
	if !isWord || end >= len(b) || end > begin+3 && directiveAfterAt(b[begin:end]) != Language {
		return 0
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
	if c := b[i]; Class[c]&White != 0 || c == ';' || c == ',' || c == '.' && Class[b[i+1]]&White != 0 {
		return i, kind
	}
	return 0, 0
}
