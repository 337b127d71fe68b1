package clean

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// liner writes the lines, and counts.
type liner struct {
	tally   *Tally
	lines   Lines
	notices func(fault.Notice)
	line    []byte
}

// Lines takes text of n clean lines, each with its line end; it is valid until Lines
// returns.
type Lines func(text []byte, n int) error

// Then is a Lines that gives the same to l and, unless that fails, to next.
func (l Lines) Then(next Lines) Lines {
	return func(text []byte, n int) error {
		if err := l(text, n); err != nil {
			return err
		}
		return next(text, n)
	}
}

// EachLine is a Lines that passes line after line on, without their ends.
func EachLine(line func([]byte) error) Lines {
	return func(text []byte, _ int) error {
		for len(text) > 0 {
			end := bytes.IndexByte(text, '\n')
			if err := line(text[:end:end]); err != nil {
				return err
			}
			text = text[end+1:]
		}
		return nil
	}
}

// longLine is how long a line may be whose memory is kept for the next one, in bytes.
const longLine = 1 << 20

func (l *liner) Quad(q *rdf.Quad) error {
	l.line = append(rdf.AppendQuad(l.line[:0], q), '\n')
	if err := l.lines(l.line, 1); err != nil {
		return err
	}
	if len(l.line) > longLine {
		l.line = nil
	}
	l.tally.Read++
	if q.Repaired {
		l.tally.Repaired++
	} else {
		l.tally.Kept++
	}
	return nil
}

// Lines takes n clean lines that nothing was wrong with.
func (l *liner) Lines(text []byte, n int) error {
	if err := l.lines(text, n); err != nil {
		return err
	}
	l.tally.Read += int64(n)
	l.tally.Kept += int64(n)
	return nil
}

// Cleaned takes what a judge made of statements.
func (l *liner) Cleaned(c *rdf.CleanedLines) error {
	for _, n := range c.Notices {
		l.Notice(n)
	}
	l.tally.Keyed = l.tally.Keyed || c.Keyed
	if c.Lines == 0 {
		return nil
	}
	if err := l.lines(c.Text, c.Lines); err != nil {
		return err
	}
	l.tally.Read += int64(c.Lines)
	l.tally.Repaired += int64(c.Repaired)
	l.tally.Kept += int64(c.Lines - c.Repaired)
	return nil
}

func (l *liner) Notice(n fault.Notice) {
	if n.Severity == fault.Drop {
		l.tally.Read += int64(n.Lost)
		l.tally.Dropped += int64(n.Lost)
	}
	l.notices(n)
}
