package linesort

import "bytes"

// output passes lines on and counts; it gets them in order, equal ones too.
type output struct {
	line  func([]byte) error
	stats *Stats

	last      []byte // of the last piece
	document  int    // of the last line
	repeated  bool   // the last line was there more than once
	lastLines []int64
}

func (o *output) next(line []byte, document int) error {
	o.stats.Lines++
	o.document, o.repeated = document, false
	if err := o.line(line); err != nil {
		return &refusal{err}
	}
	return nil
}

// again counts a line that equals the last one.
func (o *output) again(document int) {
	o.stats.Duplicates++
	if len(o.stats.PerDocument) == 1 {
		o.stats.PerDocument[0]++
		return
	}
	// lastLines holds, for each document, the last line that repeats and is its own.
	if o.lastLines == nil {
		o.lastLines = make([]int64, len(o.stats.PerDocument))
	}
	if !o.repeated {
		o.repeated = true
		o.lastLines[o.document] = o.stats.Lines
	}
	if o.lastLines[document] == o.stats.Lines {
		o.stats.PerDocument[document]++
	}
	o.lastLines[document] = o.stats.Lines
}

func (o *output) piece(p *piece) error {
	for i := range p.entries {
		e := &p.entries[i]
		line, document := p.at(e)
		if e.word == repeated || i == 0 && o.stats.Lines > 0 && bytes.Equal(line, o.last) {
			o.again(document)
			continue
		}
		if err := o.next(line, document); err != nil {
			return err
		}
	}
	if n := len(p.entries); n > 0 {
		line, _ := p.at(&p.entries[n-1])
		o.last = append(o.last[:0], line...)
	}
	return nil
}
