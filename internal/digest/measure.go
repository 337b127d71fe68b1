package digest

import (
	"bytes"
	"unicode/utf8"
)

// Measure is an io.Writer that hashes and counts the bytes written to it. As long as they
// are UTF-8 text, it counts characters and lines too. It never returns an error.
type Measure struct {
	hasher *Hasher
	meter  Meter
	binary bool
	tail   [utf8.UTFMax]byte // an unfinished sequence at the end of the last write
	tailed int
}

// NewMeasure returns a Measure that has seen nothing.
func NewMeasure() *Measure { return &Measure{hasher: NewHasher()} }

// Write measures p, and keeps none of it. A character may be cut between two calls.
func (m *Measure) Write(p []byte) (int, error) {
	m.hasher.Write(p)
	if !m.binary {
		m.meter.Write(p)
		m.binary = !m.isText(p)
	}
	return len(p), nil
}

// isText says whether the next bytes go on a UTF-8 text without NUL.
func (m *Measure) isText(p []byte) bool {
	if bytes.IndexByte(p, 0) >= 0 {
		return false
	}
	for m.tailed > 0 && len(p) > 0 {
		m.tail[m.tailed] = p[0]
		m.tailed++
		p = p[1:]
		if utf8.FullRune(m.tail[:m.tailed]) {
			if !utf8.Valid(m.tail[:m.tailed]) {
				return false
			}
			m.tailed = 0
		}
	}
	if utf8.Valid(p) {
		return true
	}
	cut := len(p)
	for back := 1; back < utf8.UTFMax && back <= len(p); back++ {
		if utf8.RuneStart(p[len(p)-back]) {
			cut = len(p) - back
			break
		}
	}
	if utf8.FullRune(p[cut:]) || !utf8.Valid(p[:cut]) {
		return false
	}
	m.tailed = copy(m.tail[:], p[cut:])
	return true
}

// Content returns what was written so far; the counts of text are in it if all of
// it is UTF-8 text.
func (m *Measure) Content() Content {
	content := m.hasher.Content()
	if m.binary || m.tailed > 0 {
		return content
	}
	text := m.meter.Text()
	content.Newline = text.Newline
	content.NumberOfChars = &text.NumberOfChars
	content.NumberOfLines = &text.NumberOfLines
	return content
}
