package content

// Meter is an io.Writer that counts the characters, lines and line ends of the
// UTF-8 text written to it; a byte that is not part of a well-formed sequence's
// tail counts as one character. It never returns an error.
type Meter struct {
	bytes, chars   int64
	lf, crlf, cr   int64
	afterCR        bool // the last byte was CR, whose line end is not counted yet
	unfinishedLine bool
}

func (m *Meter) Write(p []byte) (int, error) {
	m.bytes += int64(len(p))
	for _, b := range p {
		if b&0xC0 != 0x80 {
			m.chars++
		}
		switch {
		case b == '\n' && m.afterCR:
			m.crlf++
			m.afterCR = false
			m.unfinishedLine = false
			continue
		case m.afterCR:
			m.cr++
			m.afterCR = false
			m.unfinishedLine = false
		}
		switch b {
		case '\n':
			m.lf++
			m.unfinishedLine = false
		case '\r':
			m.afterCR = true
		default:
			m.unfinishedLine = true
		}
	}
	return len(p), nil
}

// Text returns the counts so far, as if the text ended here.
func (m *Meter) Text() Text {
	lf, crlf, cr, unfinished := m.lf, m.crlf, m.cr, m.unfinishedLine
	if m.afterCR {
		cr++
		unfinished = false
	}
	text := Text{NumberOfBytes: m.bytes, NumberOfChars: m.chars, NumberOfLines: lf + crlf + cr}
	if unfinished {
		text.NumberOfLines++
	}
	switch {
	case lf+crlf+cr == 0:
		text.Newline = None
	case lf > 0 && crlf == 0 && cr == 0:
		text.Newline = LF
	case crlf > 0 && lf == 0 && cr == 0:
		text.Newline = CRLF
	case cr > 0 && lf == 0 && crlf == 0:
		text.Newline = CR
	default:
		text.Newline = Mixed
	}
	return text
}
