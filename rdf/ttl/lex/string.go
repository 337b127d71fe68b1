package lex

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/internal/pattern"
)

// scanString reads String ::= STRING_LITERAL_QUOTE | STRING_LITERAL_SINGLE_QUOTE |
// STRING_LITERAL_LONG_SINGLE_QUOTE | STRING_LITERAL_LONG_QUOTE
func (l *Lexer) scanString(quote byte) {
	if l.at(l.Pos+1) == quote && l.at(l.Pos+2) == quote {
		l.scanLong(quote)
		return
	}
	l.Tok.Quote = 1
	for i := l.Pos + 1; ; i++ {
		for i < len(l.Buf) && Class[l.Buf[i]]&inString != 0 {
			i++
		}
		switch c := l.at(i); {
		case c == quote && l.at(i+1) == quote && l.at(i+2) == quote && l.beginsText(i+3),
			c == '\n', c == '\r', i == len(l.Buf): // three quotes open a string, and this one was not closed
			l.wrong(Unclosed, i, fault.SyntaxUnclosedString, "the quotation mark that ends this string is missing on its line")
			return
		case c == quote:
			l.finish(String, i+1)
			return
		case c == '\\':
			l.Tok.Escaped = true
			if next := l.at(i + 1); next == '\\' || next == quote {
				i++
			}
		}
	}
}

// maxGlued is how long a name, number or truth value right after a string may be, in bytes.
const maxGlued = 64

// beginsText says that a letter or a digit is at index i, right after quotation marks, and no term. So it is where
// they open a string, and not where they close one. A whole name with a prefix, number or truth value may come right
// after a string in a list.
func (l *Lexer) beginsText(i int) bool {
	if c := l.at(i); Class[c]&NameInside == 0 && c < 0x80 {
		return false
	}
	l.at(i + maxGlued - 1)
	text := l.Buf[i:min(i+maxGlued, len(l.Buf))]
	if end, colon, _ := PlainWord(text, 0); colon > 0 && end > colon+1 {
		return false
	}
	word := text[:WordEnd(text)]
	rest := text[len(word):]
	switch {
	case string(word) == "true", string(word) == "false":
	case bytes.ContainsFunc(word, func(c rune) bool { return c < '0' || c > '9' }):
		return true
	}
	return len(rest) > 0 && bytes.IndexByte([]byte(";,)]."), rest[0]) < 0
}

// WordEnd is the length of the letters, digits, - and _ that text begins with.
func WordEnd(text []byte) int {
	i := 0
	for i < len(text) && (Class[text[i]]&NameInside != 0 || text[i] >= 0x80) {
		i++
	}
	return i
}

// mayOpen is what a string may come after. That is white space, a sign that precedes an object, an IRI, another string,
// or a name with a prefix.
var mayOpen = pattern.New(`(?:[\x00- ,(>"']|:[\w\x{80}-\x{10FFFF}-]+)$`)

// scanLong reads a string in three quotes, which may go over lines. If it is not
// closed, the text goes on after the line on which it began.
func (l *Lexer) scanLong(quote byte) {
	l.Tok.Quote = 3
	known := &l.noLong[quote&1]
	isKnown := known.from <= l.Tok.From && l.Tok.From < known.to
	i := l.Pos + 3
	for ; !isKnown && i < len(l.Buf) && i+2-l.Pos < l.MaxToken; i++ {
		switch c := l.Buf[i]; {
		case c == '\\':
			l.Tok.Escaped = true
			i++
		case c == quote && l.at(i+1) == quote && l.at(i+2) == quote:
			if l.beginsText(i+3) && mayOpen.Match(l.Buf[max(l.Pos, i-2*maxGlued):i]) {
				// text follows: these quotes open another string, and this one was not closed
				l.unclosedLong(false)
			} else {
				l.finishLines(String, i+3)
			}
			return
		}
	}
	l.at(l.Pos + l.MaxToken - 1)
	end := min(len(l.Buf), l.Pos+l.MaxToken)
	if !isKnown && !l.short && !l.LineFormat {
		*known = stretch{l.Tok.From, l.Base + int64(end)}
	}
	if isKnown {
		end = int(known.to - l.Base)
	}
	l.unclosedLong(end-l.Pos >= l.MaxToken)
}

// unclosedLong gives up a string in three quotes. It ends with its first line.
func (l *Lexer) unclosedLong(tooLong bool) {
	message := "the three quotation marks that end this string are missing; reading goes on after its first line"
	switch {
	case tooLong:
		l.tooLong(l.Pos, l.Extra)
		return
	case l.LineFormat:
		message = "the three quotation marks that end this string are missing on its line"
	}
	l.wrong(Unclosed, l.lineEnd(l.Pos), fault.SyntaxUnclosedString, message)
}
