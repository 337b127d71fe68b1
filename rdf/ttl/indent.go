package ttl

// skipIndent goes over white space and zero bytes at the beginning of a line, of which nothing is held.
// Behind a hole, the line may be the rest of a statement.
func (l *lines) skipIndent() {
	for ; l.pos < len(l.buf); l.pos++ {
		switch c := l.buf[l.pos]; {
		case class[c]&space != 0:
		case c != 0:
			l.tellIndent()
			return
		default:
			if l.indent.zeros == 0 {
				l.extra = 0
				l.indent.at = l.place()
			}
			l.indent.zeros++
			if l.indent.zeros == leastHole {
				l.broken, l.holed = true, true
			}
		}
	}
}

// tellIndent tells of the zero bytes before the line.
func (l *lines) tellIndent() {
	if l.indent.zeros > 0 {
		l.tellZeros(l.indent, l.to.Notice)
		l.indent.zeros = 0
	}
}
