package ttl

import (
	"bytes"
	"encoding/binary"
	"slices"
	"sync"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
)

// habits is what the document has shown of how it is written. Where a fault leaves
// open what was meant, they show; where nothing is wrong they change nothing.
type habits struct {
	// verbs holds the last words that were predicates, and their namespaces, by their hash.
	verbs [1 << 11]uint64
	// subjects holds the namespaces of subjects; space is the last of them.
	subjects [1 << 7]uint64
	space    []byte
	// nouns holds IRIs that were subjects or objects near the beginning, by their hash.
	nouns [1 << 8]uint64
	// known and new count those that had been there before, and those that had not.
	known, new int
	seen       uint // predicates, be they looked at or not
	// starts are the columns where the last sound statements began, outside of graphs, and
	// in them. One that did not begin a line has 0. The columns of predicates of
	// statements that began a line are in deeper.
	starts [2]columns
	deeper [2]columns
	// later is where statements in graphs began lines, except for the first of each.
	later columns
	// pairs is the column of the last predicate that began a line, outside of graphs and in
	// them, by the number of open frames. Numbers beyond the last index share it.
	pairs [2][8]int64
}

// emptyHabits serve again: making large tables again costs more than a small document does.
var emptyHabits = sync.Pool{New: func() any { return new(habits) }}

// columns are the last ones of a kind.
type columns struct {
	last [8]int64
	n    uint
}

func (c *columns) add(column int64) {
	c.last[c.n%uint(len(c.last))] = column
	c.n++
}

// newest is the last one, 0 if none is known.
func (c *columns) newest() int64 {
	if c.n == 0 {
		return 0
	}
	return c.last[(c.n-1)%uint(len(c.last))]
}

// all are those that are known.
func (c *columns) all() []int64 { return c.last[:min(c.n, uint(len(c.last)))] }

// deeperAt is where predicates of statements began lines, outside of graphs or in them. If hardly
// one did in many statements, it is empty, since a torn line shows such a place too.
func (h *habits) deeperAt(place int) []int64 {
	const hardly = 16
	if hardly*h.deeper[place].n <= h.starts[place].n {
		return nil
	}
	return h.deeper[place].all()
}

// hashOf distinguishes IRIs, not surely.
func hashOf(iri []byte) uint64 {
	var a, b uint64
	if n := len(iri); n >= 8 {
		a, b = binary.LittleEndian.Uint64(iri), binary.LittleEndian.Uint64(iri[n-8:])
		if n >= 24 {
			a ^= binary.LittleEndian.Uint64(iri[n-16:]) * 31
		}
	} else {
		for i := range iri {
			a = a<<8 | uint64(iri[i])
		}
	}
	h := (a ^ uint64(len(iri))<<56) * 0x9E3779B97F4A7C15
	h = (h ^ h>>29 ^ b) * 0xBF58476D1CE4E5B9
	return h ^ h>>32 | 1
}

// spaceOf is the namespace of an IRI.
func spaceOf(iri []byte) []byte { return iri[:bytes.LastIndexAny(iri, "/#:")+1] }

// isVerb says whether an IRI is a predicate, as far as the predicates of the document show.
func (h *habits) isVerb(iri []byte) opinion {
	switch {
	case len(iri) == 0:
		return unknown
	case h.knowsVerb(hashOf(iri)), string(iri) == rdf.Type:
		return likely
	case holds(h.nouns[:], hashOf(iri)):
		return unlikely // it has been a subject or object, and as no predicate
	case h.new+h.known > 3 && (!h.knowsVerb(hashOf(spaceOf(iri))) || h.known > 8*h.new):
		return unlikely // it is in none of their namespaces; or few of them are ever new
	}
	return unknown
}

// isSpaceOfVerbs says that predicates are of the namespace of an IRI, and no subject is.
func (h *habits) isSpaceOfVerbs(iri []byte) bool {
	space := hashOf(spaceOf(iri))
	return h.knowsVerb(space) && !holds(h.subjects[:], space)
}

func (h *habits) knowsVerb(word uint64) bool { return holds(h.verbs[:], word) }

// holds says that a table of hashes holds one; put puts it there, in the place of another.
func holds(table []uint64, hash uint64) bool { return table[hash%uint64(len(table))] == hash }
func put(table []uint64, hash uint64)        { table[hash%uint64(len(table))] = hash }

// learn notes the predicate of frame f, the first object of which proved sound.
func (r *turtle) learn(f *frame) {
	h := r.habits
	h.seen++
	if h.seen&7 != 0 && f.verbs > 2 && h.known > 64+8*h.new {
		return // hardly anything is to be learnt here
	}
	h.learnVerb(f.predicate.Value)
	if h.seen < fewSeen && r.object.Kind == rdf.IRI {
		h.learnNoun(r.object.Value)
	}
	if r.depth > 1 {
		return
	}
	if f.verbs == 1 && !f.complete {
		if f.subject.Kind == rdf.IRI {
			if h.learnSpace(f.subject.Value); h.seen < fewSeen {
				h.learnNoun(f.subject.Value)
			}
		}
		if f.astray {
			return
		}
		h.starts[r.kindOfPlace()].add(f.start)
		if r.inGraph && r.inGraphStatements > 1 && f.start > 0 {
			h.later.add(f.start)
		}
	}
	if f.column > 0 && f.start > 0 {
		h.deeper[r.kindOfPlace()].add(f.column)
	}
}

// kindOfPlace is 1 in a graph, else 0.
func (r *turtle) kindOfPlace() int {
	if r.inGraph {
		return 1
	}
	return 0
}

func (h *habits) learnVerb(iri []byte) {
	verb := hashOf(iri)
	slot := &h.verbs[verb%uint64(len(h.verbs))]
	if *slot == verb {
		h.known++
		return
	}
	*slot = verb
	h.new++
	put(h.verbs[:], hashOf(spaceOf(iri)))
}

// learnSpace notes the namespace of a subject.
func (h *habits) learnSpace(subject []byte) {
	if len(h.space) > 0 && bytes.HasPrefix(subject, h.space) {
		return
	}
	h.space = append(h.space[:0], spaceOf(subject)...)
	put(h.subjects[:], hashOf(h.space))
}

// learnNoun notes an IRI that is a subject or object.
func (h *habits) learnNoun(iri []byte) {
	if len(iri) > 0 {
		put(h.nouns[:], hashOf(iri))
	}
}

// learnColumn notes where the predicates of frame f stood, which was closed.
func (r *turtle) learnColumn(f *frame) {
	if pairs := &r.habits.pairs[r.kindOfPlace()]; f.lastColumn > 0 && r.depth < len(pairs) {
		pairs[r.depth] = f.lastColumn
	}
}

// judgeColumn notes what the column of the current predicate, 0 if it does not begin a
// line, reports frame f. If it is deeper than the predicates of the frame around f, it is within f.
// If it is deeper than those of f itself, a line with a [ may be lost before it.
func (r *turtle) judgeColumn(f *frame, column int64) {
	f.column = column
	if f.inside = false; column == 0 || r.Tok.Kind == lex.IRI && (r.Tok.Forbidden || r.isTag() || r.isEndTag()) {
		return
	}
	pairs := &r.habits.pairs[r.kindOfPlace()]
	usual, around := f.lastColumn, int64(0)
	if usual == 0 && r.depth < len(pairs) {
		usual = pairs[r.depth]
	}
	if usual > 0 && column > usual {
		r.beginOdd()
		f.odd = true
		if f.lineVerb > 0 && r.reached >= f.lineVerb {
			r.oddSure = true // a fault as well: the [ is missing
		}
	}
	r.stepBack(f, column)
	f.lastColumn, f.lineVerb = column, r.Tok.From
	if r.depth == 1 || f.odd {
		return
	}
	if around = r.stack[r.depth-2].lastColumn; around == 0 && r.depth < len(pairs) {
		around = pairs[r.depth-1]
	}
	if f.inside = around > 0 && column > around; f.inside && r.odd < 0 {
		f.sureHeld = len(r.withheld.quads)
	}
}

// stepBack looks whether a predicate that begins a line is in the column of those of the frame
// around f. Then the ] of f may be missing. That alone is no fault.
func (r *turtle) stepBack(f *frame, column int64) {
	if f.kind != propertiesFrame || f.stepped || r.depth < 2 || !r.stack[r.depth-2].hasPairs() {
		return
	}
	if around := r.usualColumn(r.depth - 1); around == 0 || column > around || f.lastColumn > 0 && f.lastColumn <= around {
		return
	}
	f.stepped, f.steppedHeld = true, len(r.withheld.quads)
	if r.reached > f.pos.Offset {
		f.doubtful = true
	}
}

// standsOutside says that the current token begins a line in a list, but is another predicate of a frame around
// it, or begins a statement. It is no deeper than the predicates of the nearest frame, or a fault was found in the
// list. In the list what follows makes no sense. Outside it does, or its column is that of the predicates, so that
// it can't be trusted as a member.
func (r *turtle) standsOutside() bool {
	if r.Tok.From < r.walked {
		return false // it makes sense here
	}
	depth := r.depth - 1
	for ; depth > 0 && !r.stack[depth-1].hasPairs(); depth-- {
	}
	if depth == 0 {
		return false
	}
	around := r.usualColumn(depth)
	broken := r.reached > r.top().pos.Offset || r.top().lost
	if around > 0 && r.Tok.Pos.Column > around && !broken {
		return false
	}
	v := r.walk(walker{frames: r.depth, inGraph: r.inGraph, state: expectMember})
	r.walked = v.to
	if v.depth < r.depth {
		return false
	}
	fits := r.beginsByLayout(r.Tok.Pos.Column) == likely || r.hasBegun(r.Tok.Pos.Column)
	for ; r.Tok.Kind.IsVerb() && depth > 0; depth-- {
		f, usual := &r.stack[depth-1], r.usualColumn(depth)
		fits = fits || f.hasPairs() && usual == r.Tok.Pos.Column
		if !f.hasPairs() || usual != r.Tok.Pos.Column && (around > 0 || f.role != asObject) {
			continue
		}
		if v = r.walk(walker{frames: depth, inGraph: r.inGraph, state: expectVerb, may: true}); v.sound() || v.pairs > 0 && usual == r.Tok.Pos.Column {
			return true
		}
	}
	if fits || r.beginsByLayout(r.Tok.Pos.Column) == unlikely {
		return fits || broken && r.looksLikeVerb() != unlikely
	}
	v = r.walk(walker{state: expectStatement, inGraph: r.inGraph})
	return v.full
}

// usualColumn is where predicates begin lines in the frame at a depth. If none has yet, it is that of other
// frames as deep; 0 if that is not known.
func (r *turtle) usualColumn(depth int) int64 {
	column := r.stack[depth-1].lastColumn
	if pairs := &r.habits.pairs[r.kindOfPlace()]; column == 0 && depth < len(pairs) {
		column = pairs[depth]
	}
	return column
}

// doubtSubject is called where the first predicate of statement f is at fault. The subject
// may be a predicate whose own subject is lost, as after a dot that should be a semicolon.
// It is kept if it can be nothing else, or if the predicates that the document has
// used so far show.
func (r *turtle) doubtSubject(f *frame) {
	r.foresee()
	r.reenter(r.mayBeLabel(), r.Tok.From)
	r.doubtAsVerb(f)
}

// doubtAsVerb is doubtSubject, but that the graph is not looked at.
func (r *turtle) doubtAsVerb(f *frame) {
	if f.kind != statementFrame || f.verbs > 1 || f.complete || f.subject.Dead != "" {
		return
	}
	if f.subject.Kind != rdf.IRI {
		if f.named && r.beginsByLayout(f.start) == unlikely {
			f.subject.Dead = fault.SyntaxIncomplete
		}
		return
	}
	h := r.habits
	switch subject, layout := h.isVerb(f.subject.Value), r.beginsByLayout(f.start); {
	case subject != likely && layout != unlikely && r.isThird():
		return // three terms: a statement, the predicate of which is at fault
	case subject == likely, subject == unknown && h.isSpaceOfVerbs(f.subject.Value):
	case layout == likely, layout == unknown && (subject == unlikely || f.isA || f.fresh && h.isVerb(f.predicate.Value) == likely):
		return
	}
	f.subject.Dead = fault.SyntaxIncomplete
}

// isThird says that the current token, which is at fault as a predicate, is before an object.
func (r *turtle) isThird() bool {
	k := r.Tok.Kind
	return r.state == expectVerb && (k.IsTerm() || k == lex.Symbol) && r.nextKind().BeginsObject()
}

// startsLine says that the current token is the first on its line.
func (r *turtle) startsLine() bool { return r.Tok.Pos.Line > r.Ended.Line || r.Ended.Offset == 0 }

// column is that of the current token if it is the first on its line, else 0.
func (r *turtle) column() int64 {
	if r.startsLine() {
		return r.Tok.Pos.Column
	}
	return 0
}

// opinion is what the habits say of a guess.
type opinion int8

const (
	unlikely opinion = iota - 1
	unknown
	likely
)

// beginsByLayout says whether a term that is first on its line in a column (0 if it is not
// first) begins a statement. It judges by the layout: where statements have begun lines
// recently, and where predicates have.
func (r *turtle) beginsByLayout(column int64) opinion {
	starts, deeper := r.habits.starts[r.kindOfPlace()].all(), r.habits.deeperAt(r.kindOfPlace())
	if len(starts) == 0 {
		return unknown
	}
	first, last := slices.Min(starts), slices.Max(starts)
	switch {
	case column == 0 && first > 0 && len(starts) > 1:
		return unlikely
	case column == 0:
		return unknown
	case len(deeper) == 0:
		if len(starts) > 1 && first == column && last == column {
			return likely // each statement begins a line there, and no predicate begins one
		}
		return unknown
	case column < slices.Min(deeper) && slices.Contains(starts, column):
		return likely
	case first == 0 || slices.Min(deeper) <= last:
		return unknown
	case column >= slices.Min(deeper):
		return unlikely
	}
	return unknown
}

// standsAsVerb says that the current token, which may begin a statement, may be a predicate. It begins a line in
// a column of predicates and not of statements. What is before it may have been meant to go on.
func (r *turtle) standsAsVerb() bool {
	column := r.column()
	return column > 0 && column != r.habits.starts[r.kindOfPlace()].newest() && r.beginsByLayout(column) == unlikely && r.looksLikeVerb() != unlikely
}

// looksLikeVerb is isVerb for the current token.
func (r *turtle) looksLikeVerb() opinion {
	switch r.Tok.Kind {
	case lex.A:
		return likely
	case lex.Name, lex.IRI:
		return r.habits.isVerb(r.roughIRI())
	}
	return unlikely
}

// roughIRI is the IRI that the current token stands for, without a look at its characters; nil if that takes more. It
// holds until the next token.
func (r *turtle) roughIRI() []byte {
	switch text := r.Bytes(&r.Tok); r.Tok.Kind {
	case lex.Name:
		if ns := r.Prefixes[string(text[:r.Tok.Colon])]; ns != nil && ns.Dead == "" {
			r.Scratch = append(append(r.Scratch[:0], ns.IRI...), text[r.Tok.Colon+1:]...)
			return r.Scratch
		}
	case lex.IRI:
		if text = text[1 : len(text)-1]; lex.Absolute(text) {
			return text
		}
	}
	return nil
}

// isDeclared says that the current token is a name the prefix of which is declared.
func (r *turtle) isDeclared() bool {
	return r.Tok.Kind == lex.Name && r.NamespaceOf(r.Bytes(&r.Tok)[:r.Tok.Colon]) != nil
}
