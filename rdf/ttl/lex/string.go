package lex

import (
	"bytes"

	"laundromat/internal/fault"
)

// String ::= STRING_LITERAL_QUOTE | STRING_LITERAL_SINGLE_QUOTE |
// STRING_LITERAL_LONG_SINGLE_QUOTE | STRING_LITERAL_LONG_QUOTE
func (l *Lexer) scanString(quote byte) bool {
	i := l.Pos + 1
	if !l.Has(i + 1) {
		return false
	}
	if l.At(i) == quote && l.At(i+1) == quote {
		return l.scanLong(quote)
	}
	l.Tok.Quote = 1
	var wide byte
	for {
		for i < len(l.Buf) && Class[l.Buf[i]]&inString != 0 {
			wide |= l.Buf[i]
			i++
		}
		if i >= len(l.Buf) {
			if !l.EOF && i-l.Pos <= l.MaxToken {
				return false
			}
			i = len(l.Buf)
			break
		}
		c := l.Buf[i]
		if c == quote {
			if i-l.Pos > l.MaxToken {
				break
			}
			if !l.Has(i + 2) {
				return false
			}
			if l.At(i+1) == quote && l.At(i+2) == quote {
				if !l.Has(i + 3 + maxGlued) {
					return false
				}
				if l.beginsText(i+3) && !l.beginsTerm(i+3) {
					break // these quotes open a string in three quotes, and this one was not closed
				}
			}
			if wide >= 0x80 {
				return l.finishWide(String, i+1)
			}
			return l.finish(String, i+1)
		}
		if c == '\n' || c == '\r' {
			break
		}
		if c == '\\' {
			l.Tok.Escaped = true
			if next := l.At(i + 1); next == '\\' || next == quote {
				i++
			}
		}
		i++
	}
	if i-l.Pos > l.MaxToken {
		l.skipLine = true
		return l.wrong(Unclosed, i, fault.LimitToken, "the string does not end within the longest piece that is held; the rest of the line is passed over")
	}
	return l.wrong(Unclosed, i, fault.SyntaxUnclosedString, "the quotation mark that ends this string is missing on its line")
}

// maxGlued is how long a name, number or truth value right after a string may be, in bytes.
const maxGlued = 64

// beginsText says that a letter or a digit is at index i, right after quotation marks. So it is where
// they open a string, and not where they close one.
func (l *Lexer) beginsText(i int) bool {
	c := l.At(i)
	return Class[c]&NameInside != 0 || c >= 0x80
}

// beginsTerm says that a whole name with a prefix, number or truth value begins at index i. Such a
// term may come right after a string in a list.
func (l *Lexer) beginsTerm(i int) bool {
	text := l.Buf[min(i, len(l.Buf)):min(i+maxGlued, len(l.Buf))]
	if len(text) == 0 {
		return false
	}
	if end, colon := PlainName(text); colon > 0 && end > colon+1 {
		return true
	}
	word := text[:WordEnd(text)]
	rest := text[len(word):]
	switch {
	case string(word) == "true", string(word) == "false":
	case bytes.ContainsFunc(word, func(c rune) bool { return c < '0' || c > '9' }):
		return false
	}
	return len(rest) == 0 || bytes.IndexByte([]byte(";,)]."), rest[0]) >= 0
}

// WordEnd is the length of the letters, digits, - and _ that text begins with.
func WordEnd(text []byte) int {
	i := 0
	for i < len(text) && (Class[text[i]]&NameInside != 0 || text[i] >= 0x80) {
		i++
	}
	return i
}

// mayOpen says that a string may begin at index i. It comes after white space, a sign that precedes
// an object, an IRI, another string, or a name with a prefix.
func (l *Lexer) mayOpen(i int) bool {
	switch c := l.Buf[i-1]; {
	case c <= ' ', bytes.IndexByte([]byte(",(>\"'"), c) >= 0:
		return true
	case Class[c]&NameInside == 0 && c < 0x80:
		return false
	}
	for i--; i > 0 && i > l.Pos; i-- {
		if c := l.Buf[i-1]; Class[c]&NameInside == 0 && c < 0x80 {
			return c == ':'
		}
	}
	return false
}

// scanLong reads a string in three quotes, which may go over lines. If it is not
// closed, the text goes on after the line on which it began.
func (l *Lexer) scanLong(quote byte) bool {
	l.Tok.Quote = 3
	kind := l.quoteKind()
	i := l.Pos + 3
	if known := l.noLong[kind]; known.from <= l.Tok.From && known.to-2 > l.Base+int64(i) {
		i = int(known.to-l.Base) - 2
		// an escape that reaches over i can only hide quotes that the search, which
		// began earlier, has seen hidden as well
		for i > l.Pos+3 && i <= len(l.Buf) && l.Buf[i-1] == '\\' {
			i--
		}
		l.Tok.Escaped = true
	}
	for i < len(l.Buf) && i-l.Pos <= l.MaxToken {
		c := l.Buf[i]
		if c == '\\' {
			l.Tok.Escaped = true
			i += 2
			continue
		}
		if c != quote {
			i++
			continue
		}
		if i+2 >= len(l.Buf) {
			break
		}
		if l.Buf[i+1] == quote && l.Buf[i+2] == quote {
			if i+3-l.Pos > l.MaxToken {
				break
			}
			if !l.Has(i+3) || l.beginsText(i+3) && !l.Has(i+3+maxGlued) {
				return false
			}
			if !l.beginsText(i+3) || l.beginsTerm(i+3) || !l.mayOpen(i) {
				return l.finishLines(String, i+3)
			}
			// text follows: these quotes open another string, and this one was not closed
			if !l.EOF && len(l.Buf)-l.Pos <= l.MaxToken && !bytes.ContainsAny(l.Buf[l.Pos:], "\r\n") {
				return false // its first line is not whole
			}
			l.noteNoLong(kind, l.Base+int64(i)+2)
			return l.unclosedLong(false)
		}
		i++
	}
	if !l.EOF && len(l.Buf)-l.Pos <= l.MaxToken+3 {
		return false
	}
	l.noteNoLong(kind, min(l.Base+int64(len(l.Buf)), l.Tok.From+int64(l.MaxToken)))
	return l.unclosedLong(len(l.Buf)-l.Pos > l.MaxToken)
}

// noteNoLong notes that no string of a kind that begins between the current token and an offset ends there.
func (l *Lexer) noteNoLong(kind int, to int64) {
	known, from := &l.noLong[kind], l.Tok.From
	switch {
	case from > known.to || to < known.from:
		*known = stretch{from, to}
	default:
		*known = stretch{min(from, known.from), max(to, known.to)}
	}
}

// quoteKind is the index into noLong for the string at pos.
func (l *Lexer) quoteKind() int {
	if l.Buf[l.Pos] == '\'' {
		return 1
	}
	return 0
}

// unclosedLong gives up a string in three quotes: it ends with its first line. tooLong
// says that its end may be after what is held.
func (l *Lexer) unclosedLong(tooLong bool) bool {
	end := l.Pos
	for end < len(l.Buf) && end-l.Pos <= l.MaxToken && l.Buf[end] != '\n' && l.Buf[end] != '\r' {
		end++
	}
	code, message := fault.SyntaxUnclosedString, "the three quotation marks that end this string are missing; reading goes on behind its first line"
	if l.LineFormat {
		message = "the three quotation marks that end this string are missing on its line"
	}
	if tooLong {
		code, message = fault.LimitToken, "the string does not end within the longest piece that is held; reading goes on behind its first line"
	}
	l.skipLine = end-l.Pos > l.MaxToken
	return l.wrong(Unclosed, end, code, message)
}

// finishLines ends a token that may hold line ends at index end.
func (l *Lexer) finishLines(kind Kind, end int) bool {
	text := l.Buf[l.Pos:end]
	from := l.Pos
	if bytes.IndexByte(text, '\n') >= 0 || bytes.IndexByte(text, '\r') >= 0 {
		for i := l.Pos; i < end; i++ {
			if c := l.Buf[i]; c == '\n' || c == '\r' {
				l.newline(i + 1)
				from = i + 1
			}
		}
	}
	l.Extra += Continuations(l.Buf[from:end])
	return l.finish(kind, end)
}
