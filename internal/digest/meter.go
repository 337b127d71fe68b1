package digest

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// Meter is an io.Writer that counts the characters, lines and line ends of the UTF-8 text
// written to it. Every byte that is not of the form 10xxxxxx begins a character. It never
// returns an error. How the text is cut into writes does not matter.
type Meter struct {
	bytes, chars   int64
	lf, crlf, cr   int64
	afterCR        bool // the last byte was CR, whose line end is not counted yet
	unfinishedLine bool
}

// Write counts p, and keeps none of it.
func (m *Meter) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	m.bytes += int64(len(p))
	m.chars += int64(len(p) - continuations(p))
	m.countLines(p)
	return len(p), nil
}

func (m *Meter) countLines(p []byte) {
	rest := p
	if m.afterCR {
		m.afterCR = false
		if rest[0] == '\n' {
			m.crlf++
			rest = rest[1:]
		} else {
			m.cr++
		}
	}
	// What comes after a CR, up to the next one, may begin with the LF that belongs to it.
	for {
		i := bytes.IndexByte(rest, '\r')
		if i < 0 {
			break
		}
		m.lf += int64(bytes.Count(rest[:i], newline))
		rest = rest[i+1:]
		switch {
		case len(rest) == 0:
			m.afterCR = true
		case rest[0] == '\n':
			m.crlf++
			rest = rest[1:]
		default:
			m.cr++
		}
	}
	m.lf += int64(bytes.Count(rest, newline))
	last := p[len(p)-1]
	m.unfinishedLine = last != '\n' && last != '\r'
}

var newline = []byte{'\n'}

// continuations counts the bytes 10xxxxxx, which begin no character, eight at a time.
func continuations(p []byte) (n int) {
	const ones = 0x0101010101010101
	for len(p) >= 32 {
		a, b, c, d := binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[8:]), binary.LittleEndian.Uint64(p[16:]),
			binary.LittleEndian.Uint64(p[24:])
		if (a|b|c|d)&(ones<<7) != 0 {
			n += bits.OnesCount64((a>>7)&^(a>>6)&ones | (b>>7)&^(b>>6)&ones<<1 | (c>>7)&^(c>>6)&ones<<2 | (d>>7)&^(d>>6)&ones<<3)
		}
		p = p[32:]
	}
	for len(p) >= 8 {
		w := binary.LittleEndian.Uint64(p)
		if w&(ones<<7) != 0 {
			n += bits.OnesCount64((w >> 7) &^ (w >> 6) & ones)
		}
		p = p[8:]
	}
	for _, b := range p {
		if b&0xC0 == 0x80 {
			n++
		}
	}
	return n
}

// CountChars counts the characters of a text in UTF-8.
func CountChars(p []byte) int64 { return int64(len(p) - continuations(p)) }

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
