package linesort

import (
	"encoding/binary"

	"laundromat/internal/commonprefix"
)

// stretch is the lines of a piece in order, each once.
type stretch struct {
	text   []byte // with line ends
	ends   []int  // after each line
	shared []int  // what each begins with as the one before does, in bytes, up to mostShared; of the first 0

	// Whose the first line is, and the last.
	first, last int
	repeats     []repeat
}

// repeat is a line that occurs more than once, and whose it is. Those of a line are side by
// side, the first for that which is in the text.
type repeat struct {
	line     uint32
	document uint32
}

// mostShared bounds what is counted as shared: as far back as deflate reaches (RFC 1951 §3.2.5).
const mostShared = 32 << 10

// gather makes the stretch that of a piece, which it sorts unless that is in order. What a line has in
// common with the one before is asked here, where both are at hand, and passed to whoever compresses them.
func (t *stretch) gather(p *piece, ordered bool) {
	t.text = emptied(t.text, len(p.text)+len(p.entries)*len(p.common))
	t.ends, t.shared, t.repeats = emptied(t.ends, len(p.entries)), emptied(t.shared, len(p.entries)), t.repeats[:0]
	var last []byte
	p.each(ordered, func(entries []entry, common int) {
		text, ends, shares := t.text, t.ends, t.shared
		known := 0 // what the line surely has in common with the last
		for i := range entries {
			e := &entries[i]
			line := p.text[e.offset : e.offset+e.length]
			shared := commonprefix.Common(last, line, known)
			known = min(common, len(line))
			if shared == len(line) && shared == len(last) && len(ends) > 0 {
				t.repeat(p.document(e), len(ends)-1)
				continue
			}
			t.last = p.document(e)
			if len(ends) == 0 {
				t.first = t.last
			}
			text = append(text, p.common...)
			from := len(text)
			text = append(append(text, line...), '\n')
			ends, shares = append(ends, len(text)), append(shares, min(len(p.common)+shared, mostShared))
			last = text[from : len(text)-1]
		}
		t.text, t.ends, t.shared = text, ends, shares
	})
}

// repeat takes the document of another of the last line.
func (t *stretch) repeat(document, line int) {
	if n := len(t.repeats); n == 0 || t.repeats[n-1].line != uint32(line) {
		t.repeats = append(t.repeats, repeat{uint32(line), uint32(t.last)})
	}
	t.repeats = append(t.repeats, repeat{uint32(line), uint32(document)})
}

// document is that of an entry.
func (p *piece) document(e *entry) int {
	return int(binary.LittleEndian.Uint32(p.text[e.offset-documentSize:]))
}
