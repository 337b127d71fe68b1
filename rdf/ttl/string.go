package ttl

import (
	"bytes"

	"laundromat/internal/fault"
)

// String ::= STRING_LITERAL_QUOTE | STRING_LITERAL_SINGLE_QUOTE |
// STRING_LITERAL_LONG_SINGLE_QUOTE | STRING_LITERAL_LONG_QUOTE
func (l *lexer) scanString(quote byte) bool {
	i := l.pos + 1
	if !l.has(i + 1) {
		return false
	}
	if l.at(i) == quote && l.at(i+1) == quote {
		return l.scanLong(quote)
	}
	l.tok.quote = 1
	var wide byte
	for {
		for i < len(l.buf) && class[l.buf[i]]&inString != 0 {
			wide |= l.buf[i]
			i++
		}
		if i >= len(l.buf) {
			if !l.eof && i-l.pos <= l.maxToken {
				return false
			}
			i = len(l.buf)
			break
		}
		c := l.buf[i]
		if c == quote {
			if i-l.pos > l.maxToken {
				break
			}
			if !l.has(i + 2) {
				return false
			}
			if l.at(i+1) == quote && l.at(i+2) == quote {
				if !l.has(i + 3 + maxGlued) {
					return false
				}
				if l.beginsText(i+3) && !l.beginsTerm(i+3) {
					break // these quotes open a string in three quotes, and this one was not closed
				}
			}
			if wide >= 0x80 {
				return l.finishWide(stringToken, i+1)
			}
			return l.finish(stringToken, i+1)
		}
		if c == '\n' || c == '\r' {
			break
		}
		if c == '\\' {
			l.tok.escaped = true
			if next := l.at(i + 1); next == '\\' || next == quote {
				i++
			}
		}
		i++
	}
	if i-l.pos > l.maxToken {
		l.skipLine = true
		return l.wrong(unclosedToken, i, fault.LimitToken, "the string does not end within the longest piece that is held; the rest of the line is passed over")
	}
	return l.wrong(unclosedToken, i, fault.SyntaxUnclosedString, "the quotation mark that ends this string is missing on its line")
}

// maxGlued is how long a name, number or truth value right behind a string may be, in bytes.
const maxGlued = 64

// beginsText says that a letter or a digit stands at index i, right behind quotation marks: as it does where they
// open a string, and not where they close one.
func (l *lexer) beginsText(i int) bool {
	c := l.at(i)
	return class[c]&nameInside != 0 || c >= 0x80
}

// beginsTerm says that a whole name with a prefix, number or truth value begins at index i, and may stand
// right behind a string in a list.
func (l *lexer) beginsTerm(i int) bool {
	text := l.buf[min(i, len(l.buf)):min(i+maxGlued, len(l.buf))]
	if len(text) == 0 {
		return false
	}
	if end, colon := plainName(text); colon > 0 && end > colon+1 {
		return true
	}
	word := text[:wordEnd(text)]
	rest := text[len(word):]
	switch {
	case string(word) == "true", string(word) == "false":
	case bytes.ContainsFunc(word, func(c rune) bool { return c < '0' || c > '9' }):
		return false
	}
	return len(rest) == 0 || bytes.IndexByte([]byte(";,)]."), rest[0]) >= 0
}

// wordEnd is the length of the letters, digits, - and _ that text begins with.
func wordEnd(text []byte) int {
	i := 0
	for i < len(text) && (class[text[i]]&nameInside != 0 || text[i] >= 0x80) {
		i++
	}
	return i
}

// mayOpen says that a string may begin at index i: it stands behind white space, a sign that stands before an
// object, an IRI, another string, or a name with a prefix.
func (l *lexer) mayOpen(i int) bool {
	switch c := l.buf[i-1]; {
	case c <= ' ', bytes.IndexByte([]byte(",(>\"'"), c) >= 0:
		return true
	case class[c]&nameInside == 0 && c < 0x80:
		return false
	}
	for i--; i > 0 && i > l.pos; i-- {
		if c := l.buf[i-1]; class[c]&nameInside == 0 && c < 0x80 {
			return c == ':'
		}
	}
	return false
}

// scanLong reads a string in three quotes, which may go over lines. If it is not
// closed, the text goes on behind the line on which it began.
func (l *lexer) scanLong(quote byte) bool {
	l.tok.quote = 3
	kind := l.quoteKind()
	i := l.pos + 3
	if known := l.noLong[kind]; known.from <= l.tok.from && known.to-2 > l.base+int64(i) {
		i = int(known.to-l.base) - 2
		// an escape that reaches over i can only hide quotes that the search, which
		// began earlier, has seen hidden as well
		for i > l.pos+3 && i <= len(l.buf) && l.buf[i-1] == '\\' {
			i--
		}
		l.tok.escaped = true
	}
	for i < len(l.buf) && i-l.pos <= l.maxToken {
		c := l.buf[i]
		if c == '\\' {
			l.tok.escaped = true
			i += 2
			continue
		}
		if c != quote {
			i++
			continue
		}
		if i+2 >= len(l.buf) {
			break
		}
		if l.buf[i+1] == quote && l.buf[i+2] == quote {
			if i+3-l.pos > l.maxToken {
				break
			}
			if !l.has(i+3) || l.beginsText(i+3) && !l.has(i+3+maxGlued) {
				return false
			}
			if !l.beginsText(i+3) || l.beginsTerm(i+3) || !l.mayOpen(i) {
				return l.finishLines(stringToken, i+3)
			}
			// text follows: these quotes open another string, and this one was not closed
			if !l.eof && len(l.buf)-l.pos <= l.maxToken && !bytes.ContainsAny(l.buf[l.pos:], "\r\n") {
				return false // its first line is not whole
			}
			l.noteNoLong(kind, l.base+int64(i)+2)
			return l.unclosedLong(false)
		}
		i++
	}
	if !l.eof && len(l.buf)-l.pos <= l.maxToken+3 {
		return false
	}
	l.noteNoLong(kind, min(l.base+int64(len(l.buf)), l.tok.from+int64(l.maxToken)))
	return l.unclosedLong(len(l.buf)-l.pos > l.maxToken)
}

// noteNoLong notes that no string of a kind that begins between the present token and an offset ends there.
func (l *lexer) noteNoLong(kind int, to int64) {
	known, from := &l.noLong[kind], l.tok.from
	switch {
	case from > known.to || to < known.from:
		*known = stretch{from, to}
	default:
		*known = stretch{min(from, known.from), max(to, known.to)}
	}
}

// quoteKind is the index into noLong for the string at pos.
func (l *lexer) quoteKind() int {
	if l.buf[l.pos] == '\'' {
		return 1
	}
	return 0
}

// unclosedLong gives up a string in three quotes: it ends with its first line. tooLong
// says that its end may be behind what is held.
func (l *lexer) unclosedLong(tooLong bool) bool {
	end := l.pos
	for end < len(l.buf) && end-l.pos <= l.maxToken && l.buf[end] != '\n' && l.buf[end] != '\r' {
		end++
	}
	code, message := fault.SyntaxUnclosedString, "the three quotation marks that end this string are missing; reading goes on behind its first line"
	if l.lines {
		message = "the three quotation marks that end this string are missing on its line"
	}
	if tooLong {
		code, message = fault.LimitToken, "the string does not end within the longest piece that is held; reading goes on behind its first line"
	}
	l.skipLine = end-l.pos > l.maxToken
	return l.wrong(unclosedToken, end, code, message)
}

// finishLines ends a token that may hold line ends at index end.
func (l *lexer) finishLines(kind tokenKind, end int) bool {
	text := l.buf[l.pos:end]
	from := l.pos
	if bytes.IndexByte(text, '\n') >= 0 || bytes.IndexByte(text, '\r') >= 0 {
		for i := l.pos; i < end; i++ {
			if c := l.buf[i]; c == '\n' || c == '\r' {
				l.newline(i + 1)
				from = i + 1
			}
		}
	}
	l.extra += continuations(l.buf[from:end])
	return l.finish(kind, end)
}
