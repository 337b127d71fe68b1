package page

import (
	"bytes"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// lines finds the line and the column of an offset. It looks at a text once, as far as it is asked.
type lines struct {
	text  []byte
	marks []fault.Pos // the places of some offsets, in rising order, about lineStep apart
	last  fault.Pos   // that was asked for
}

// lineStep is how many bytes are looked at again for a place before the last.
const lineStep = 4 << 10

func newLines(text []byte) *lines {
	first := fault.Pos{Line: 1, Column: 1}
	return &lines{text: text, marks: []fault.Pos{first}, last: first}
}

// pos is the place of an offset, which is not between the two characters of a line end.
func (l *lines) pos(offset int) fault.Pos {
	at := l.last
	if int64(offset) < at.Offset || int64(offset) > at.Offset+lineStep {
		at = l.before(offset)
	}
	l.last = Advance(at, l.text[at.Offset:offset])
	return l.last
}

// before is the last mark that is not behind an offset.
func (l *lines) before(offset int) fault.Pos {
	last := l.marks[len(l.marks)-1]
	for int64(offset) > last.Offset+lineStep {
		to := int(last.Offset) + lineStep
		if l.text[to-1] == '\r' {
			to-- // its line feed may follow
		}
		last = Advance(last, l.text[last.Offset:to])
		l.marks = append(l.marks, last)
	}
	from, to := 0, len(l.marks)
	for to-from > 1 {
		if mid := (from + to) / 2; l.marks[mid].Offset <= int64(offset) {
			from = mid
		} else {
			to = mid
		}
	}
	return l.marks[from]
}

// Advance is the place after text that begins at a place.
func Advance(at fault.Pos, text []byte) fault.Pos {
	at.Offset += int64(len(text))
	if bytes.IndexByte(text, '\r') < 0 {
		if n := bytes.Count(text, []byte{'\n'}); n > 0 {
			at.Line, at.Column = at.Line+int64(n), 1
			text = text[bytes.LastIndexByte(text, '\n')+1:]
		}
		at.Column += int64(utf8.RuneCount(text))
		return at
	}
	for len(text) > 0 {
		i := bytes.IndexAny(text, "\r\n")
		if i < 0 {
			at.Column += int64(utf8.RuneCount(text))
			break
		}
		if text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n' {
			i++
		}
		at.Line++
		at.Column = 1
		text = text[i+1:]
	}
	return at
}
