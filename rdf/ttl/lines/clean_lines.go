package lines

import (
	"bytes"
	"encoding/binary"
	"sync"
	"sync/atomic"

	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
)

// forejudge finds those lines of the window that are clean already. They are sound in every term, and
// spelled as canonical N-Quads spell them. They go to the sink as they are, many at a time, and the
// reader itself looks at the others alone. Other goroutines share the work where a processor is free
// for them.
type forejudge struct {
	to     rdf.LineSink
	judge  *judge      // of the goroutine that reads
	others chan *judge // those of others that are not at work
	least  int         // bytes that are worth a part of their own

	passed, missed int64 // bytes of the lines of the last window
	rests, waits   int   // windows that are not looked at: still, and after the next without success
}

// judge looks at lines, for one goroutine at a time.
type judge struct {
	sound   func(*rdf.Quad) bool
	graphs  bool     // a line may have a fourth term
	longest int      // of the lines that are looked at, in bytes
	quad    rdf.Quad // the line that was looked at last
	decoded []byte
	subject known
	names   [64]known // of predicates and datatypes, by their last letters
	noted   bool      // decoding came upon something that needs a notice
	note    func(lex.Finding)
}

// hearing is the work on one window. Each part of it is taken by the goroutine that comes
// first, so that none waits for one that has not begun.
type hearing struct {
	text   []byte
	graphs bool
	parts  []part
	taken  atomic.Int64
	left   sync.WaitGroup // parts that are not yet looked at
}

// part is a part of a window: whole lines, and the clean ones among them.
type part struct {
	from, to int
	runs     []run
	panicked any // what the look at it ended with
}

// run is a stretch of clean lines in the window.
type run struct {
	from, to, lines int
	quads           bool // a line has four terms
	triples         bool // a line has three
}

// known is an IRI that holds no character it must not hold.
type known struct {
	iri   []byte
	bytes rdf.Bytes
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
		j := &judge{sound: sink.Judge(), longest: longest}
		if j.sound == nil {
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

// look judges the lines of b from index from on, the last of which is whole. It calls each with the
// runs of clean ones, in order.
func (f *forejudge) look(b []byte, from int, graphs bool, each func(run) (more bool)) {
	h := &hearing{text: b, graphs: graphs, parts: make([]part, 0, (len(b)-from)/f.least+1)}
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
	var whole run // runs that go on in the next part are one
	for i := range h.parts {
		for _, r := range h.parts[i].runs {
			if whole.lines > 0 && whole.to == r.from {
				whole = run{whole.from, r.to, whole.lines + r.lines, whole.quads || r.quads, whole.triples || r.triples}
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
	j.graphs = h.graphs
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
	p.runs = j.look(h.text, p.from, p.to)
}

// look returns the runs of clean lines from index from up to to.
func (j *judge) look(b []byte, from, to int) (runs []run) {
	r := run{from: from, to: from}
	for i := from; i < to; {
		if next := j.line(b, i); next >= 0 {
			r.to = next
			r.lines++
			graph := j.quad.Graph.Kind != rdf.NoTerm
			r.quads, r.triples = r.quads || graph, r.triples || !graph
			i = next
			continue
		}
		if r.lines > 0 {
			runs = append(runs, r)
		}
		n := bytes.IndexByte(b[i:to], '\n')
		if n < 0 {
			return runs
		}
		i += n + 1
		r = run{from: i, to: i}
	}
	if r.lines > 0 {
		runs = append(runs, r)
	}
	return runs
}

// line returns the index after the line at index i, if it is a clean one; else -1.
func (j *judge) line(b []byte, i int) int {
	begin := i
	j.decoded = j.decoded[:0]
	q := &j.quad
	if i = j.again(b, i, &q.Subject); i < 0 || b[i] != ' ' {
		return -1
	}
	if i = j.name(b, i+1, &q.Predicate); i < 0 || b[i] != ' ' {
		return -1
	}
	i++
	if b[i] == '"' {
		i = j.literal(b, i, &q.Object)
	} else {
		i = j.iri(b, i, &q.Object)
	}
	if i < 0 || b[i] != ' ' {
		return -1
	}
	i++
	q.Graph.Kind = rdf.NoTerm
	if b[i] == '<' && j.graphs {
		if i = j.iri(b, i, &q.Graph); i < 0 || b[i] != ' ' {
			return -1
		}
		i++
	}
	if b[i] != '.' || b[i+1] != '\n' || i+1-begin > j.longest || !j.sound(q) {
		return -1
	}
	return i + 2
}

// again reads the IRI at index i, which is most often that of the line before.
func (j *judge) again(b []byte, i int, t *rdf.Term) int {
	if last := j.subject.iri; len(last) > 0 && bytes.HasPrefix(b[i+1:], last) && b[i] == '<' && b[i+1+len(last)] == '>' {
		t.Kind, t.Bytes, t.Value = rdf.IRI, j.subject.bytes, b[i+1:i+1+len(last):i+1+len(last)]
		return i + len(last) + 2
	}
	next := j.iri(b, i, t)
	if next >= 0 {
		j.subject.iri, j.subject.bytes = append(j.subject.iri[:0], t.Value...), t.Bytes
	}
	return next
}

// name reads the IRI at index i, which is most often one of few.
func (j *judge) name(b []byte, i int, t *rdf.Term) int {
	if b[i] != '<' {
		return -1
	}
	n := bytes.IndexByte(b[i+1:], '>')
	if n < 8 {
		return -1
	}
	value := b[i+1 : i+1+n : i+1+n]
	slot := &j.names[binary.LittleEndian.Uint64(value[n-8:])*0x9E3779B97F4A7C15>>58]
	if bytes.Equal(slot.iri, value) {
		t.Kind, t.Bytes, t.Value = rdf.IRI, slot.bytes, value
		return i + n + 2
	}
	next := j.iri(b, i, t)
	if next >= 0 {
		slot.iri, slot.bytes = append(slot.iri[:0], t.Value...), t.Bytes
	}
	return next
}

// iri reads the IRI at index i, without escapes.
func (j *judge) iri(b []byte, i int, t *rdf.Term) int {
	if b[i] != '<' {
		return -1
	}
	end, seen := lex.SeeUntil(b, i+1, lex.EndsIRI)
	if b[end] != '>' {
		return -1
	}
	t.Kind, t.Bytes, t.Value = rdf.IRI, rdf.Bytes(seen), b[i+1:end:end]
	if !lex.Absolute(t.Value) {
		return -1
	}
	return end + 1
}

// literal reads the literal whose " is at index i.
func (j *judge) literal(b []byte, i int, t *rdf.Term) int {
	from := i + 1
	end, seen := lex.SeeUntil(b, from, lex.EndsQuoted)
	value := b[from:end:end]
	if b[end] == '\\' {
		for b[end] == '\\' {
			switch b[end+1] {
			case '"', '\\', 'n', 'r', 't', 'b', 'f':
			default:
				return -1 // not the canonical spelling
			}
			var more uint8
			end, more = lex.SeeUntil(b, end+2, lex.EndsQuoted)
			seen |= more
		}
		lost := (*lex.Finding)(nil)
		n := len(j.decoded)
		j.noted = false
		if j.decoded, lost = lex.AppendString(j.decoded, b[from:end], j.note); lost != nil || j.noted {
			return -1
		}
		value = j.decoded[n:len(j.decoded):len(j.decoded)]
	}
	if b[end] != '"' || !isWrittenAsIs(b[from:end], rdf.Bytes(seen)) {
		return -1
	}
	seen &^= lex.EndsIRI
	if len(value) != end-from {
		seen &^= uint8(rdf.BytesSeen)
	}
	t.Kind, t.Bytes, t.Value, t.Language, t.Datatype = rdf.Literal, rdf.Bytes(seen), value, nil, nil
	i = end + 1
	switch b[i] {
	case '@':
		i++
		begin := i
		for lex.Class[b[i]]&lex.NameInside != 0 {
			i++
		}
		t.Language = b[begin:i:i]
		if !lex.IsLanguageTag(t.Language) || bytes.IndexByte(t.Language, '_') >= 0 {
			return -1
		}
		for _, c := range t.Language {
			if 'A' <= c && c <= 'Z' {
				return -1
			}
		}
	case '^':
		if b[i+1] != '^' {
			return -1
		}
		var datatype rdf.Term
		if i = j.name(b, i+2, &datatype); i < 0 || string(datatype.Value) == rdf.String {
			return -1
		}
		t.Datatype = datatype.Value
	}
	return i
}

// isWrittenAsIs says that the canonical form escapes no character of a string that the
// text does not escape.
func isWrittenAsIs(text []byte, seen rdf.Bytes) bool {
	if seen&rdf.BytesOdd != 0 {
		for _, c := range text {
			if c < ' ' || c == 0x7F {
				return false
			}
		}
	}
	return seen&rdf.BytesHigh == 0 || bytes.IndexByte(text, 0xEF) < 0 // U+FFFE and U+FFFF begin with it
}
