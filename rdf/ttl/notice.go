package ttl

import (
	"bytes"
	"fmt"

	"laundromat/internal/fault"
)

// notice makes a notice about the text at pos, with an excerpt around it.
func (l *lexer) notice(code fault.Code, severity fault.Severity, pos fault.Pos, format string, args ...any) fault.Notice {
	message := format
	if len(args) > 0 {
		message = fmt.Sprintf(format, args...)
	}
	return fault.Notice{Code: code, Severity: severity, Pos: pos, Message: message, Excerpt: l.excerpt(pos.Offset)}
}

// before is how much of the line an excerpt shows before the place of the fault.
const before = 40

// excerpt shows the line around an offset. It shows the same however the window is
// filled: the window holds slack bytes before each token, and is made to hold what
// comes after.
func (l *lexer) excerpt(at int64) string {
	if at < l.tok.from-slack+2*before || at < l.base {
		at = max(l.tok.from, l.base)
	}
	for int(at-l.base)+2*fault.MaxExcerpt > len(l.buf) {
		keep, need := l.keep, min(at, l.tok.from)
		if l.keep < 0 || l.keep > need {
			l.keep = need
		}
		more := l.refill()
		l.keep = keep
		if !more {
			break
		}
	}
	from := int(at - l.base)
	to := min(from+2*fault.MaxExcerpt, len(l.buf))
	begin := max(from-before, 0)
	if i := bytes.LastIndexAny(l.buf[begin:from], "\r\n"); i >= 0 {
		begin += i + 1
	}
	for begin < from && l.buf[begin]&0xC0 == 0x80 {
		begin++
	}
	if i := bytes.IndexAny(l.buf[from:to], "\r\n"); i >= 0 {
		to = from + i
	}
	return fault.Excerpt(l.buf[begin:to])
}

// within is the position of the byte at index i of the text of tok.
func (l *lexer) within(i int) fault.Pos {
	pos, text := l.tok.pos, l.bytes(&l.tok)[:i]
	pos.Offset += int64(i)
	for len(text) > 0 {
		n := bytes.IndexAny(text, "\r\n")
		if n < 0 {
			break
		}
		if text[n] == '\r' && n+1 < len(text) && text[n+1] == '\n' {
			n++
		}
		text = text[n+1:]
		pos.Line++
		pos.Column = 1
	}
	pos.Column += int64(len(text)) - continuations(text)
	return pos
}
