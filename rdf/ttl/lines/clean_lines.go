package lines

import (
	"bytes"
	"slices"
	"sync"
	"sync/atomic"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// forejudge looks at the lines of the window before the reader does. Those that are clean already are sound in
// every term, and spelled as canonical N-Quads spell them. They go to the sink as they are, many at a time. Of
// others it finds out what the sink would make of them, where that depends on nothing but the line. The reader
// itself looks at the rest alone. Several goroutines share the work.
type forejudge struct {
	to     rdf.LineSink
	judges []*judge // one for each goroutine
	least  int      // bytes that are worth a part of their own
	parts  []part   // of the last window
	runs   []run
}

// judge looks at lines, for one goroutine at a time.
type judge struct {
	plainLine
	of      rdf.LineJudge
	longest int    // of the lines that are looked at, in bytes
	text    []byte // the window, which begins at an offset
	base    int64
	row     int64 // which line of its run it is
}

// part is a part of a window: whole lines, and those among them of which all is known.
type part struct {
	from, to int
	runs     []run
	made     rdf.CleanedLines // what was made of them
	panicked any              // what the look at it ended with
}

// run is a stretch of lines in the window of which all is known.
type run struct {
	from, to, lines int
	quads, triples  int // lines with four terms, and with three
	isMade          bool
	// made is what takes the place of the lines, if isMade; else they are clean as they are. Its notices count
	// lines from the first of the run.
	made rdf.CleanedLines
}

// leastPart is the least of a forejudge; less in a window of small blocks.
const leastPart = 32 << 10

// leastMade is the room, in bytes, for what is made of the lines of a part, where the part is no shorter.
const leastMade = 4 << 10

// newForejudge returns nil if the sink has no judge.
func newForejudge(to rdf.Sink, longest int, opt Options) *forejudge {
	sink, ok := to.(rdf.LineSink)
	if !ok {
		return nil
	}
	f := &forejudge{to: sink, least: max(min(leastPart, opt.Block/8), 1)}
	for range max(opt.Workers, 1) {
		j := &judge{of: sink.Judge(), longest: longest}
		if j.of == nil {
			return nil
		}
		f.judges = append(f.judges, j)
	}
	return f
}

// look judges the lines of b, which begins at an offset, from index from on; the last of them is whole. It returns
// the runs of those of which all is known, in order. They are valid until the next call.
func (f *forejudge) look(b []byte, base int64, from int, graphs bool) []run {
	n := 0
	for at := from; at < len(b); n++ {
		if n == len(f.parts) {
			f.parts = append(f.parts, part{})
		}
		p := &f.parts[n]
		p.from, p.to = at, len(b)
		if at = min(at+f.least, len(b)); bytes.IndexByte(b[at:], '\n') >= 0 {
			p.to = at + bytes.IndexByte(b[at:], '\n') + 1
		}
		at = p.to
	}
	parts := f.parts[:n]
	var taken atomic.Int64
	work := func(j *judge) {
		j.text, j.base, j.graphs = b, base, graphs
		for i := taken.Add(1) - 1; i < int64(n); i = taken.Add(1) - 1 {
			j.look(&parts[i])
		}
	}
	var others sync.WaitGroup
	for _, j := range f.judges[1:max(min(n, len(f.judges)), 1)] {
		others.Go(func() { work(j) })
	}
	work(f.judges[0])
	others.Wait()
	f.runs = f.runs[:0]
	for i := range parts {
		// Whoever reads may hold a panic of the reader to be the document's; one of
		// another goroutine would end the process.
		if p := parts[i].panicked; p != nil {
			panic(p)
		}
		for _, r := range parts[i].runs {
			last := len(f.runs) - 1
			if last < 0 || f.runs[last].to != r.from || f.runs[last].isMade || r.isMade {
				f.runs = append(f.runs, r)
				continue
			}
			whole := &f.runs[last] // which goes on in this part
			whole.to, whole.lines, whole.quads, whole.triples = r.to, whole.lines+r.lines, whole.quads+r.quads, whole.triples+r.triples
		}
	}
	return f.runs
}

// look finds the runs of a part.
func (j *judge) look(p *part) {
	defer func() { p.panicked = recover() }()
	out := &p.made
	clear(out.Notices)
	*out = rdf.CleanedLines{Text: out.Text[:0], Notices: out.Notices[:0], Place: func(q *rdf.Quad) {
		j.place(q, j.text, fault.Pos{Line: j.row, Column: 1, Offset: j.base + int64(j.from)})
	}}
	p.runs = p.runs[:0]
	text, notices := 0, 0 // of out, where those of r begin
	r := run{from: p.from, to: p.from}
	end := func(next int) {
		if r.isMade {
			r.made = *out
			r.made.Text, r.made.Notices = out.Text[text:], out.Notices[notices:]
			text, notices = len(out.Text), len(out.Notices)
			out.Lines, out.Repaired, out.Keyed = 0, 0, false
		}
		if r.lines > 0 {
			p.runs = append(p.runs, r)
		}
		r = run{from: next, to: next}
	}
	for i := p.from; i < p.to; {
		j.row = 1 // of what may be made
		if r.isMade {
			j.row = int64(r.lines) + 1
		}
		next, verdict := j.line(j.text, i, j.longest), rdf.Cleaned
		if next < 0 {
			verdict = rdf.Unjudged
		} else if j.isStatement {
			verdict = j.judge(out)
		}
		switch {
		case verdict == rdf.Unjudged:
			n := bytes.IndexByte(j.text[i:p.to], '\n')
			if n < 0 {
				n = p.to - i - 1
			}
			i += n + 1
			end(i)
			continue
		case verdict == rdf.Cleaned && !r.isMade:
			end(i)
			r.isMade = true
			out.Text = slices.Grow(out.Text, min(p.to-next, leastMade)) // most often what follows is made, too
		case verdict == rdf.Sound && r.isMade: // a run of few lines would cost more than this copy
			out.Text = append(out.Text, j.text[i:next]...)
			out.Lines++
		}
		r.to = next
		r.lines++
		switch {
		case !j.isStatement:
		case j.fourth:
			r.quads++
		default:
			r.triples++
		}
		i = next
	}
	end(p.to)
}

// judge says what is known of the line that was read last.
func (j *judge) judge(out *rdf.CleanedLines) rdf.Verdict {
	if o := &j.quad.Object; o.Kind != rdf.Literal && (o.Language != nil || o.Datatype != nil) {
		o.Language, o.Datatype = nil, nil // of a line before
	}
	verdict := j.of.Judge(&j.quad, j.spelled, out)
	if verdict != rdf.Sound {
		j.quad = rdf.Quad{} // the judge may have changed it
	}
	return verdict
}
