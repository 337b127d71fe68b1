package lex

import (
	"bytes"
	"fmt"

	"laundromat/internal/fault"
)

// Notice makes a notice about the text at pos, with an excerpt around it.
func (l *Lexer) Notice(code fault.Code, severity fault.Severity, pos fault.Pos, format string, args ...any) fault.Notice {
	message := format
	if len(args) > 0 {
		message = fmt.Sprintf(format, args...)
	}
	return fault.Notice{Code: code, Severity: severity, Pos: pos, Message: message, Excerpt: l.Excerpt(pos.Offset)}
}

// before is how much of the line an excerpt shows before the place of the fault.
const before = 40

// Excerpt shows the line around an offset. It shows the same however the window is
// filled: the window holds slack bytes before each token, and is made to hold what
// comes after.
func (l *Lexer) Excerpt(at int64) string {
	if at < l.Tok.From-slack+2*before || at < l.Base {
		at = max(l.Tok.From, l.Base)
	}
	for int(at-l.Base)+2*fault.MaxExcerpt > len(l.Buf) {
		keep, need := l.Keep, min(at, l.Tok.From)
		if l.Keep < 0 || l.Keep > need {
			l.Keep = need
		}
		more := l.Refill()
		l.Keep = keep
		if !more {
			break
		}
	}
	from := int(at - l.Base)
	to := min(from+2*fault.MaxExcerpt, len(l.Buf))
	begin := max(from-before, 0)
	if i := bytes.LastIndexAny(l.Buf[begin:from], "\r\n"); i >= 0 {
		begin += i + 1
	}
	for begin < from && l.Buf[begin]&0xC0 == 0x80 {
		begin++
	}
	if i := bytes.IndexAny(l.Buf[from:to], "\r\n"); i >= 0 {
		to = from + i
	}
	return fault.Excerpt(l.Buf[begin:to])
}

// Within is the position of the byte at index i of the text of tok.
func (l *Lexer) Within(i int) fault.Pos {
	back, skipLine, skipText := l.Spot(), l.skipLine, l.skipText
	l.Seek(l.Tok.Pos, l.Tok.From+int64(i))
	pos := l.Place()
	l.Return(back)
	l.skipLine, l.skipText = skipLine, skipText
	return pos
}
