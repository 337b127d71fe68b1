package lines

import (
	"bytes"
	"sync"
	"sync/atomic"

	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
)

// forejudge looks at the lines of the window before the reader does. Those that are clean already are sound in
// every term, and spelled as canonical N-Quads spell them. They go to the sink as they are, many at a time. Of
// others it finds out what the sink would make of them, where that depends on nothing but the line. The reader
// itself looks at the rest alone. Other goroutines share the work where a processor is free for them.
type forejudge struct {
	to     rdf.LineSink
	judge  *judge      // of the goroutine that reads
	others chan *judge // those of others that are not at work
	least  int         // bytes that are worth a part of their own

	passed, missed int64 // bytes of the lines of the last window
	rests, waits   int   // windows that are not looked at: still, and after the next without success
}

// hearing is the work on one window. Each part of it is taken by the goroutine that comes
// first, so that none waits for one that has not begun.
type hearing struct {
	text   []byte
	base   int64 // the offset of its first byte
	graphs bool
	parts  []part
	taken  atomic.Int64
	left   sync.WaitGroup // parts that are not yet looked at
}

// part is a part of a window: whole lines, and those among them of which all is known.
type part struct {
	from, to int
	runs     []run
	made     *rdf.CleanedLines // what was made of them; nil for nothing
	panicked any               // what the look at it ended with
}

// run is a stretch of lines in the window of which all is known.
type run struct {
	from, to, lines int
	quads           int  // lines with four terms
	triples         bool // a line has three
	// made is what takes the place of the lines; nil if they are clean as they are. Its notices count
	// lines from the first of the run.
	made *rdf.CleanedLines
}

// leastPart is the least of a forejudge; less in a window of small blocks.
const leastPart = 32 << 10

// newForejudge returns nil if the sink has no judge.
func newForejudge(to rdf.Sink, workers, longest, block int) *forejudge {
	sink, ok := to.(rdf.LineSink)
	if !ok {
		return nil
	}
	f := &forejudge{to: sink, least: max(min(leastPart, block/8), 1), others: make(chan *judge, max(workers, 1))}
	for i := range max(workers, 1) {
		j := &judge{of: sink.Judge(), longest: longest}
		if j.of == nil {
			return nil
		}
		j.note = func(lex.Finding) { j.noted = true }
		if i == 0 {
			f.judge = j
		} else {
			f.others <- j
		}
	}
	return f
}

// mayRest says that the next window is not worth a look: hardly a line was clean in the last
// ones. Where that goes on, more and more are skipped.
func (f *forejudge) mayRest() bool {
	if f.rests > 0 {
		f.rests--
		return true
	}
	if f.missed > 7*f.passed && f.missed > int64(f.least) {
		f.waits = min(2*f.waits+1, 15)
		f.rests = f.waits - 1
		f.passed, f.missed = 0, 0
		return true
	}
	if f.passed > 0 {
		f.waits = 0
	}
	return false
}

// look judges the lines of b, which begins at an offset, from index from on; the last of them is whole. It calls each
// with the runs of those of which all is known, in order.
func (f *forejudge) look(b []byte, base int64, from int, graphs bool, each func(run) (more bool)) {
	h := &hearing{text: b, base: base, graphs: graphs, parts: make([]part, 0, (len(b)-from)/f.least+1)}
	for at := from; at < len(b); {
		p := part{from: at, to: len(b)}
		if at += f.least; at < len(b) {
			at += bytes.IndexByte(b[at:], '\n') + 1 // -1 + 1: a line that began before ends with another sign
			p.to = at
		}
		h.parts = append(h.parts, p)
	}
	h.left.Add(len(h.parts))
	for range min(len(f.others), len(h.parts)-1) {
		go func() {
			select {
			case j := <-f.others:
				h.work(j)
				f.others <- j
			default: // the one that was free is at work again
			}
		}()
	}
	h.work(f.judge)
	h.left.Wait()
	f.passed, f.missed = 0, int64(len(b)-from)
	for i := range h.parts {
		// Whoever reads may hold a panic of the reader to be the document's; one of
		// another goroutine would end the process.
		if p := h.parts[i].panicked; p != nil {
			panic(p)
		}
		for _, r := range h.parts[i].runs {
			f.passed += int64(r.to - r.from)
		}
	}
	f.missed -= f.passed
	defer h.release()
	var whole run // runs that go on in the next part are one
	for i := range h.parts {
		for _, r := range h.parts[i].runs {
			if whole.lines > 0 && whole.to == r.from && whole.made == nil && r.made == nil {
				whole = run{from: whole.from, to: r.to, lines: whole.lines + r.lines, quads: whole.quads + r.quads, triples: whole.triples || r.triples}
				continue
			}
			if whole.lines > 0 && !each(whole) {
				return
			}
			whole = r
		}
	}
	if whole.lines > 0 {
		each(whole)
	}
}

// work looks at parts until all are taken.
func (h *hearing) work(j *judge) {
	j.graphs, j.base = h.graphs, h.base
	for {
		i := int(h.taken.Add(1)) - 1
		if i >= len(h.parts) {
			return
		}
		h.try(j, &h.parts[i])
	}
}

func (h *hearing) try(j *judge, p *part) {
	defer h.left.Done()
	defer func() { p.panicked = recover() }()
	j.look(h.text, p)
}

// madeLines are used again.
var madeLines = sync.Pool{New: func() any { return new(rdf.CleanedLines) }}

// release gives back what the runs hold.
func (h *hearing) release() {
	for i := range h.parts {
		if made := h.parts[i].made; made != nil {
			clear(made.Notices)
			*made = rdf.CleanedLines{Text: made.Text[:0], Notices: made.Notices[:0]}
			madeLines.Put(made)
			h.parts[i].made = nil
		}
	}
}

// look finds the runs of a part.
func (j *judge) look(b []byte, p *part) {
	if j.out == nil {
		j.out = madeLines.Get().(*rdf.CleanedLines)
		j.out.Place = j.place
	}
	j.text = b
	r, isMade := run{from: p.from, to: p.from}, false
	text, notices := 0, 0 // of j.out, where those of r begin
	end := func() {
		if isMade {
			r.made = &rdf.CleanedLines{
				Text: j.out.Text[text:], Lines: j.out.Lines, Repaired: j.out.Repaired, Keyed: j.out.Keyed, Notices: j.out.Notices[notices:],
			}
			p.made = j.out
			text, notices, isMade = len(j.out.Text), len(j.out.Notices), false
			j.out.Lines, j.out.Repaired, j.out.Keyed = 0, 0, false
		}
		if r.lines > 0 {
			p.runs = append(p.runs, r)
		}
	}
	for i := p.from; i < p.to; {
		j.row = 1 // of what may be made
		if isMade {
			j.row = int64(r.lines) + 1
		}
		next, verdict := j.line(b, i)
		switch verdict {
		case rdf.Unjudged:
			end()
			n := bytes.IndexByte(b[i:p.to], '\n')
			if n < 0 {
				n = p.to - i - 1
			}
			i += n + 1
			r = run{from: i, to: i}
			continue
		case rdf.Cleaned:
			if !isMade {
				end()
				r, isMade = run{from: i}, true
			}
		case rdf.Sound:
			if isMade { // a run of few lines would cost more than this copy
				j.out.Text = append(j.out.Text, b[i:next]...)
				j.out.Lines++
			}
		}
		r.to = next
		r.lines++
		switch {
		case !j.isStatement:
		case j.fourth:
			r.quads++
		default:
			r.triples = true
		}
		i = next
	}
	end()
	if p.made != nil {
		j.out = nil
	}
}
