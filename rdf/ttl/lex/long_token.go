package lex

import (
	"bytes"

	"laundromat/internal/fault"
)

// openText is a string whose beginning was given up, since it is longer than may be held. Nothing in it is read.
type openText struct {
	quote  byte
	quotes int8 // at its end; 0 if there is no such string
}

// tooLong ends the token that begins at an index, which is longer than may be held. Extra is that before it. A string
// ends where it ends, though nothing of it is held; anything else ends with its line.
func (l *Lexer) tooLong(from int, extra int64) {
	kind, end := Unclosed, max(l.Pos, from+1)
	if l.Pos, l.Extra = from, extra; l.Tok.Quote > 0 {
		kind, end = String, from+int(l.Tok.Quote)
		l.skipText = openText{l.Buf[from], l.Tok.Quote}
	} else {
		l.skipLine = true
	}
	l.wrong(kind, end, fault.LimitToken, fault.TooLong("this term", l.MaxToken))
}

// maxBehindText is how many bytes behind quotation marks show whether they end a string.
const maxBehindText = 64

// passText goes over the rest of a string that was given up, up to the quotation marks that end it. A string in single
// ones ends with its line at the latest.
func (l *Lexer) passText() {
	text := l.skipText
	l.skipText = openText{}
	for i := l.Pos; ; {
		for ; i+maxBehindText < len(l.Buf) || l.EOF && i < len(l.Buf); i++ {
			switch c := l.Buf[i]; {
			case c == '\\':
				i++
			case c == text.quote && l.endsText(text, i+int(text.quotes)):
				l.passLines(i + int(text.quotes))
				return
			case text.quotes == 1 && (c == '\n' || c == '\r'):
				l.passLines(i)
				return
			}
		}
		over := max(i-len(l.Buf), 0) // a backslash may be the last byte
		l.passLines(min(i, len(l.Buf)))
		goesOn := !l.EOF // where a read finds that the text ends here, all of it is in the window
		if !l.Refill() && (!goesOn || !l.EOF) {
			l.passLines(len(l.Buf)) // of the text, or of what the parser may look ahead at
			l.skipText = text
			return
		}
		i = l.Pos + over
	}
}

// endsText says that the quotation marks before an index end a string: what follows may stand behind one.
func (l *Lexer) endsText(text openText, end int) bool {
	if text.quotes == 1 {
		return true
	}
	if end > len(l.Buf) || l.Buf[end-2] != text.quote || l.Buf[end-1] != text.quote {
		return false
	}
	rest := l.Buf[end:min(end+maxBehindText, len(l.Buf))]
	behind := bytes.TrimLeft(rest, " \t\r\n")
	return len(behind) == 0 || bytes.IndexByte([]byte(".;,)]}@^|#~"), behind[0]) >= 0
}
