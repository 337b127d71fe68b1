package linesort

import (
	"bytes"

	"laundromat/internal/commonprefix"
)

// output passes lines on and counts; it gets them in order, equal ones too.
type output struct {
	lines func(text []byte, ends, shared []int, release func()) error
	stats *Stats

	last     []byte // the last line; of a giant, as much as the next may share
	isGiant  bool   // which no other line equals
	document int    // whose it is

	lastLines []int64 // of each document, the number of the last line that repeats and is its own

	ends, shared [1]int // of a line by itself
}

// pass passes lines on.
func (o *output) pass(text []byte, ends, shared []int, release func()) error {
	o.stats.Lines += int64(len(ends))
	if err := o.lines(text, ends, shared, release); err != nil {
		return &refusal{err}
	}
	return nil
}

// again counts a line that equals that of a number, whose first is of a document, too.
func (o *output) again(number int64, first, document int) {
	o.stats.Duplicates++
	if len(o.stats.PerDocument) == 1 {
		o.stats.PerDocument[0]++
		return
	}
	if o.lastLines == nil {
		o.lastLines = make([]int64, len(o.stats.PerDocument))
	}
	o.lastLines[first] = number
	if o.lastLines[document] == number {
		o.stats.PerDocument[document]++
	}
	o.lastLines[document] = number
}

// giant passes on a line by itself, given with its end, which stays as it is: none is equal to it.
func (o *output) giant(line []byte, document int) error {
	o.ends[0] = len(line)
	line = line[:len(line)-1]
	o.shared[0] = o.shares(line)
	o.last, o.isGiant, o.document = append(o.last[:0], line[:min(len(line), mostShared)]...), true, document
	return o.pass(line[:o.ends[0]], o.ends[:], o.shared[:], func() {})
}

// shares is how much of line is the beginning of the last one.
func (o *output) shares(line []byte) int {
	return min(commonprefix.Common(o.last, line, 0), mostShared)
}

// stretch passes on the lines of a piece. release is called once when its text, and t, may be used again.
func (o *output) stretch(t *stretch, release func()) error {
	n := len(t.ends)
	if n == 0 {
		release()
		return nil
	}
	text, ends, shared := t.text, t.ends, t.shared
	first := text[:ends[0]-1]
	number, document := o.stats.Lines+1, t.first // of the first line
	from := 0
	if n > 1 {
		from = ends[n-2]
	}
	last := text[from : ends[n-1]-1]
	if number > 1 && !o.isGiant && bytes.Equal(first, o.last) {
		number, document = number-1, o.document
		o.again(number, document, t.first)
		skipped := ends[0]
		text, ends, shared = text[skipped:], ends[1:], shared[1:]
		for i := range ends {
			ends[i] -= skipped
		}
	} else {
		shared[0] = o.shares(first)
	}
	for i, r := range t.repeats {
		switch {
		case i > 0 && t.repeats[i-1].line == r.line:
			o.again(number+int64(r.line), document, int(r.document))
		case r.line > 0:
			document = int(r.document)
		}
	}
	if len(ends) == 0 {
		release()
		return nil
	}
	o.last, o.isGiant, o.document = append(o.last[:0], last...), false, t.last
	return o.pass(text, ends, shared, release)
}
