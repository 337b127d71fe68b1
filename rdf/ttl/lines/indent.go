package lines

import (
	"laundromat/rdf/ttl/lex"
)

// skipIndent goes over white space and zero bytes at the beginning of a line, of which nothing is held.
// After a hole, the line may be the rest of a statement.
func (l *Reader) skipIndent() {
	for ; l.Pos < len(l.Buf); l.Pos++ {
		switch c := l.Buf[l.Pos]; {
		case lex.Class[c]&lex.Space != 0:
		case c != 0:
			l.tellIndent()
			return
		default:
			if l.indent.Zeros == 0 {
				l.Extra = 0
				l.indent.At = l.Place()
			}
			l.indent.Zeros++
			if l.indent.Zeros == lex.LeastHole {
				l.broken, l.holed = true, true
			}
		}
	}
}

// tellIndent reports the zero bytes before the line.
func (l *Reader) tellIndent() {
	if l.indent.Zeros > 0 {
		l.TellZeros(l.indent, l.To.Notice)
		l.indent.Zeros = 0
	}
}
