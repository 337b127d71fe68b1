package ttl

import (
	"bytes"
	"encoding/binary"
	"sync"

	"laundromat/rdf"
)

// forejudge finds, in the lines that are in the window, those that are clean already:
// sound in every term, and spelled as canonical N-Quads spell them. They go to the sink as
// they are, many at a time; the reader itself looks at the others alone. Several
// goroutines share the work, each with a part of the window.
type forejudge struct {
	to    rdf.LineSink
	parts []*part
	least int // bytes that are worth a goroutine of their own

	passed, missed int64 // bytes of the lines of the last window
	rests, waits   int   // windows that are not looked at: still, and after the next in vain
}

// part is what one goroutine looks at.
type part struct {
	sound    func(*rdf.Quad) bool
	graphs   bool     // a fourth term may stand in a line
	longest  int      // of the lines that are looked at, in bytes
	quad     rdf.Quad // the line that was looked at last
	decoded  []byte
	subject  known
	names    [64]known // of predicates and datatypes, by their last letters
	noted    bool      // decoding came upon something that needs a notice
	note     func(finding)
	from, to int
	runs     []run
	panicked any // what look of another goroutine ended with
}

// run is a stretch of clean lines in the window.
type run struct {
	from, to, lines int
	quads           bool // a line has four terms
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
	f := &forejudge{to: sink, least: min(leastPart, block/4)}
	for range max(workers, 1) {
		p := &part{sound: sink.Judge(), longest: longest}
		if p.sound == nil {
			return nil
		}
		p.note = func(finding) { p.noted = true }
		f.parts = append(f.parts, p)
	}
	return f
}

// mayRest says that the next window is not worth a look: hardly a line was clean in the last
// ones. Where that goes on, more and more are passed over.
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

// look judges the lines of b, the last of which is whole, from index from on, and calls
// each with the runs of clean ones, in order.
func (f *forejudge) look(b []byte, from int, graphs bool, each func(run) (more bool)) {
	size := max((len(b)-from)/len(f.parts), f.least) + 1
	var others sync.WaitGroup
	used := 0
	for at := from; at < len(b); used++ {
		p := f.parts[used]
		p.from, p.graphs, p.runs = at, graphs, p.runs[:0]
		if at += size; used == len(f.parts)-1 || at >= len(b) {
			at = len(b)
		} else {
			at += bytes.IndexByte(b[at:], '\n') + 1 // -1 + 1: a line that began before ends with another sign
		}
		p.to = at
		if used > 0 {
			others.Go(func() {
				// Whoever reads may hold a panic of the reader to be the document's; one of
				// another goroutine would end the process.
				defer func() { p.panicked = recover() }()
				p.look(b)
			})
		}
	}
	if used > 0 {
		f.parts[0].look(b)
	}
	others.Wait()
	for _, p := range f.parts[:used] {
		if p.panicked != nil {
			panic(p.panicked)
		}
	}
	f.passed, f.missed = 0, int64(len(b)-from)
	for _, p := range f.parts[:used] {
		for _, r := range p.runs {
			f.passed += int64(r.to - r.from)
		}
	}
	f.missed -= f.passed
	for _, p := range f.parts[:used] {
		for _, r := range p.runs {
			if !each(r) {
				return
			}
		}
	}
}

func (p *part) look(b []byte) {
	r := run{from: p.from, to: p.from}
	keep := func() {
		if r.lines > 0 {
			p.runs = append(p.runs, r)
		}
	}
	for i := p.from; i < p.to; {
		if next := p.line(b, i); next >= 0 {
			r.to = next
			r.lines++
			r.quads = r.quads || p.quad.Graph.Kind != rdf.NoTerm
			i = next
			continue
		}
		keep()
		n := bytes.IndexByte(b[i:p.to], '\n')
		if n < 0 {
			return
		}
		i += n + 1
		r = run{from: i, to: i}
	}
	keep()
}

// line returns the index behind the line at index i, if it is a clean one; else -1.
func (p *part) line(b []byte, i int) int {
	begin := i
	p.decoded = p.decoded[:0]
	q := &p.quad
	if i = p.again(b, i, &q.Subject); i < 0 || b[i] != ' ' {
		return -1
	}
	if i = p.name(b, i+1, &q.Predicate); i < 0 || b[i] != ' ' {
		return -1
	}
	i++
	if b[i] == '"' {
		i = p.literal(b, i, &q.Object)
	} else {
		i = p.iri(b, i, &q.Object)
	}
	if i < 0 || b[i] != ' ' {
		return -1
	}
	i++
	q.Graph.Kind = rdf.NoTerm
	if b[i] == '<' && p.graphs {
		if i = p.iri(b, i, &q.Graph); i < 0 || b[i] != ' ' {
			return -1
		}
		i++
	}
	if b[i] != '.' || b[i+1] != '\n' || i+1-begin > p.longest || !p.sound(q) {
		return -1
	}
	return i + 2
}

// again reads the IRI at index i, which is most often that of the line before.
func (p *part) again(b []byte, i int, t *rdf.Term) int {
	if last := p.subject.iri; len(last) > 0 && bytes.HasPrefix(b[i+1:], last) && b[i] == '<' && b[i+1+len(last)] == '>' {
		t.Kind, t.Bytes, t.Value = rdf.IRI, p.subject.bytes, b[i+1:i+1+len(last):i+1+len(last)]
		return i + len(last) + 2
	}
	next := p.iri(b, i, t)
	if next >= 0 {
		p.subject.iri, p.subject.bytes = append(p.subject.iri[:0], t.Value...), t.Bytes
	}
	return next
}

// name reads the IRI at index i, which is most often one of few.
func (p *part) name(b []byte, i int, t *rdf.Term) int {
	if b[i] != '<' {
		return -1
	}
	n := bytes.IndexByte(b[i+1:], '>')
	if n < 8 {
		return -1
	}
	value := b[i+1 : i+1+n : i+1+n]
	slot := &p.names[binary.LittleEndian.Uint64(value[n-8:])*0x9E3779B97F4A7C15>>58]
	if bytes.Equal(slot.iri, value) {
		t.Kind, t.Bytes, t.Value = rdf.IRI, slot.bytes, value
		return i + n + 2
	}
	next := p.iri(b, i, t)
	if next >= 0 {
		slot.iri, slot.bytes = append(slot.iri[:0], t.Value...), t.Bytes
	}
	return next
}

// iri reads the IRI at index i, without escapes.
func (p *part) iri(b []byte, i int, t *rdf.Term) int {
	if b[i] != '<' {
		return -1
	}
	end, seen := seeUntil(b, i+1, endsIRI)
	if b[end] != '>' {
		return -1
	}
	t.Kind, t.Bytes, t.Value = rdf.IRI, rdf.Bytes(seen), b[i+1:end:end]
	if !absolute(t.Value) {
		return -1
	}
	return end + 1
}

// literal reads the literal whose " is at index i.
func (p *part) literal(b []byte, i int, t *rdf.Term) int {
	from := i + 1
	end, seen := seeUntil(b, from, endsQuoted)
	value := b[from:end:end]
	if b[end] == '\\' {
		for b[end] == '\\' {
			switch b[end+1] {
			case '"', '\\', 'n', 'r', 't', 'b', 'f':
			default:
				return -1 // not the canonical spelling
			}
			var more uint8
			end, more = seeUntil(b, end+2, endsQuoted)
			seen |= more
		}
		lost := (*finding)(nil)
		n := len(p.decoded)
		p.noted = false
		if p.decoded, lost = appendString(p.decoded, b[from:end], p.note); lost != nil || p.noted {
			return -1
		}
		value = p.decoded[n:len(p.decoded):len(p.decoded)]
	}
	if b[end] != '"' || !isWrittenAsIs(b[from:end], rdf.Bytes(seen)) {
		return -1
	}
	seen &^= endsIRI
	if len(value) != end-from {
		seen &^= uint8(rdf.BytesSeen)
	}
	t.Kind, t.Bytes, t.Value, t.Language, t.Datatype = rdf.Literal, rdf.Bytes(seen), value, nil, nil
	i = end + 1
	switch b[i] {
	case '@':
		i++
		begin := i
		for class[b[i]]&nameInside != 0 {
			i++
		}
		t.Language = b[begin:i:i]
		if !isLanguageTag(t.Language) || bytes.IndexByte(t.Language, '_') >= 0 {
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
		if i = p.name(b, i+2, &datatype); i < 0 || string(datatype.Value) == rdf.String {
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
