package turtle

import (
	"laundromat/rdf"
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/terms"
)

// plain is what is kept while statements are read that are as most are. They have a subject, predicates and objects
// that are names, IRIs, labels and literals, on which nothing is to be said.
//
// Of those the reader takes a predicate and an object at once, up to the sign behind. It does what it would do token
// by token. Where the next ones are others it goes back to the sign before them, and goes on from there.
type plain struct {
	subject, predicate    *wording
	nextSubject, nextVerb *wording // those that are looked at
	object, datatype      wording
	text                  []byte // of a string with escapes
	column                int64  // of the next subject, if it begins a line
	hasRead               bool   // a statement was begun
	gatherer              rdf.GatheringSink
	gathers               bool

	behind, behindObject lex.Spot       // the last sign, and the object before it
	expects              grammar.Expect // what was expected there
}

func newPlain(to rdf.Sink) plain {
	gatherer, _ := to.(rdf.GatheringSink)
	return plain{subject: new(wording), predicate: new(wording), nextSubject: new(wording), nextVerb: new(wording), gatherer: gatherer}
}

// wording is a term, and how it stands in the window.
type wording struct {
	rdf.Term
	from, to int
	colon    int // of a name; 0 for another term

	iri        []byte           // what the last name means
	space      *terms.Namespace // and the namespace of its prefix; nil where there was none
	spaceBytes rdf.Bytes        // the kinds of bytes of that
}

// readPlain reads on over plain statements, from behind the current token on.
func (r *Reader) readPlain() {
	if !r.mayBePlain() {
		return
	}
	p := &r.plain
	start := r.Spot()
	p.behind, p.hasRead = start, false
	for _, w := range [...]*wording{p.subject, p.predicate, p.nextSubject, p.nextVerb, &p.object, &p.datatype} {
		w.space = nil // it may have been declared anew
	}
	if r.depth == 0 || r.takeUp() && r.plainPairs(false) {
		for r.plainBlock() {
		}
	}
	if r.Return(p.behind); p.behind != start {
		r.leavePlain()
	}
	if p.gathers {
		p.gathers = false
		r.failed(p.gatherer.Release())
	}
}

// failed notes the first error of the sink.
func (r *Reader) failed(err error) {
	if err != nil && r.sinkErr == nil {
		r.sinkErr = &rdf.SinkError{Err: err}
	}
}

// mayBePlain says that nothing is pending that a statement would have to do with.
func (r *Reader) mayBePlain() bool {
	switch p := &r.plan; {
	case r.Stepwise, len(r.variables) > 0, p.next != never, p.spoilt != "", p.mended, p.untold != nil:
		return false
	case len(p.Unsure) > 0 && p.Unsure[len(p.Unsure)-1] >= r.Offset():
		return false
	}
	switch g := &r.graph; {
	case g.dead != "" || g.open && g.endless || g.open != r.at.InGraph:
		return false
	case r.depth == 0 && r.at.Expect != grammar.Block, r.depth == 1 && r.at.In != grammar.Statement, r.depth > 1:
		return false
	}
	return len(r.Pending) == 0 && len(r.Marks) == 0 && r.held.open == 0 && r.Keep < 0 && r.sinkErr == nil
}

// takeUp goes on with the statement that is open. False means that something is wrong with it.
func (r *Reader) takeUp() bool {
	f := r.top()
	if f.notes != nil || f.lost || f.subject.Dead != "" || f.subject.Repaired || f.predicate.Dead != "" || f.predicate.Repaired {
		return false
	}
	r.plain.subject.Term, r.plain.predicate.Term = f.subject.Term, f.predicate.Term
	r.plain.hasRead = true
	return r.at.Expect == grammar.NextVerb || r.at.Expect == grammar.Object
}

// leavePlain leaves all behind the last sign as it were if the tokens had been read one by one.
func (r *Reader) leavePlain() {
	p := &r.plain
	r.object.Clear()
	if p.hasRead {
		f := &r.stack[0]
		f.subject.Copy(&terms.Held{Term: p.subject.Term})
		f.predicate.Copy(&terms.Held{Term: p.predicate.Term})
	}
	if r.depth == 0 {
		r.at = grammar.State{InGraph: r.graph.open}
		r.settle(false)
		return
	}
	r.at = grammar.State{Expect: p.expects, In: grammar.Statement, InGraph: r.graph.open}
	r.settleAt(r.PlaceOf(p.behindObject), false)
	if r.at.Expect = grammar.NextVerb; r.top().afterComma {
		r.at.Expect = grammar.Object
	}
}

// columnSince is the column of the next byte, if a line began behind a line.
func (r *Reader) columnSince(line int64) int64 {
	if r.Line > line {
		return r.Offset() - r.LineStart - r.Extra + 1
	}
	return 0
}

// plainBlock reads a statement, or what begins or ends a graph. False means that it reads no further.
func (r *Reader) plainBlock() bool {
	p, line := &r.plain, r.Line
	c := r.PassWhite()
	p.column = r.columnSince(line)
	switch c {
	case '}':
		return r.plainClose()
	case '{':
		r.graph.label.Clear()
		return r.graph.count > 0 && r.plainOpen() // the first may be that of a formula
	}
	if !r.plainNode(p.nextSubject, c) {
		return false
	}
	before := r.Spot()
	if r.PassWhite() != '{' {
		r.Return(before)
		return r.plainPairs(true)
	}
	if !r.TriG || r.graph.open {
		return false
	}
	r.graph.label.Copy(&terms.Held{Term: p.nextSubject.Term})
	if !r.plainOpen() {
		return false
	}
	r.beginPlain()
	p.predicate.Term = rdf.Term{}
	r.depth = 0
	return true
}

// plainOpen takes the { of a graph with the label.
func (r *Reader) plainOpen() bool {
	if !r.TriG || r.graph.open || r.Pos+1 >= len(r.Buf) || r.Buf[r.Pos+1] == '|' {
		return false
	}
	if k, known := r.braceFrom(r.Offset()+1, false); !known || k != lex.CloseGraph && k != lex.Stopped {
		return false
	}
	g := &r.graph
	g.column, g.endless = r.plain.column, false
	g.begin()
	r.passSign()
	return true
}

// plainClose takes the } of a graph.
func (r *Reader) plainClose() bool {
	if !r.TriG || !r.graph.open {
		return false
	}
	if k, known := r.braceFrom(r.Offset()+1, false); !known || k == lex.CloseGraph {
		return false
	}
	r.graph.leave(r.Offset())
	r.passSign()
	return true
}

func (r *Reader) passSign() {
	r.Pos++
	r.plain.behind = r.Spot()
}

// beginPlain opens the statement whose subject was looked at.
func (r *Reader) beginPlain() {
	p := &r.plain
	p.subject, p.nextSubject, p.hasRead = p.nextSubject, p.subject, true
	if len(r.stack) == 0 {
		r.stack = append(r.stack, frame{})
	}
	r.depth = 1
	f := r.top()
	n := r.Repairs()
	f.progress = progress{kind: grammar.Statement, role: grammar.AsObject, pos: p.subject.Pos, repairsBefore: repairsBefore{n, n, n}}
	f.column = p.column
	if p.subject.Kind == rdf.IRI && r.habits.counts() {
		f.subjectSpace = r.spaceOf(p.subject)
	}
}

// spaceOf is what hashSpace is of a token.
func (r *Reader) spaceOf(w *wording) uint64 {
	if w.colon > 0 {
		return hashOf(r.Buf[w.from:w.colon])
	}
	return hashBeginning(r.Buf[w.from:w.to])
}

// plainPairs reads predicates and objects up to the end of the statement; where begins is true, the first ones. False
// means that it reads no further.
func (r *Reader) plainPairs(begins bool) bool {
	p := &r.plain
	afterComma := !begins && r.at.Expect == grammar.Object
	for {
		column := int64(0)
		if !afterComma {
			line := r.Line
			c := r.PassWhite()
			column = r.columnSince(line)
			if !r.plainVerb(p.nextVerb, c) {
				return false
			}
		}
		expects, isPlain := r.plainObject(r.PassWhite())
		if !isPlain {
			return false
		}
		behindObject, sign := r.Spot(), r.PassWhite()
		switch sign {
		case '.':
			if r.Pos+1 >= len(r.Buf) || !isWhite(r.Buf[r.Pos+1]) {
				return false
			}
		case ';', ',':
		default:
			return false
		}
		r.passSign()
		p.behindObject, p.expects = behindObject, expects
		if begins {
			r.beginPlain()
			begins = false
			if r.graph.open {
				r.graph.statements++
			}
		}
		f := r.top()
		if !afterComma {
			r.notePlainVerb(f, column)
		}
		r.emitPlain(f)
		afterComma = sign == ','
		f.afterComma = afterComma
		if r.sinkErr != nil {
			return false
		}
		if sign == '.' {
			r.depth = 0
			return true
		}
	}
}

func isWhite(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// notePlainVerb takes the predicate that was looked at.
func (r *Reader) notePlainVerb(f *frame, column int64) {
	p := &r.plain
	p.predicate, p.nextVerb = p.nextVerb, p.predicate
	f.fresh = true
	f.verb = hashOf(r.Buf[p.predicate.from:p.predicate.to])
	if !r.habits.isVerb(f.verb) {
		f.space = r.spaceOf(p.predicate)
	}
	if column > 0 {
		f.verbColumn, f.inside = column, false
	}
	f.verbs++
}

// emitPlain gives the statement with the object that was read to the sink.
func (r *Reader) emitPlain(f *frame) {
	if f.fresh {
		f.fresh = false
		r.learn(f)
	}
	q := &r.quad
	s, v := r.plain.subject, r.plain.predicate
	q.Subject.Kind, q.Subject.Bytes, q.Subject.Value, q.Subject.Anonymous, q.Subject.Pos = s.Kind, s.Bytes, s.Value, s.Anonymous, s.Pos
	q.Predicate.Kind, q.Predicate.Bytes, q.Predicate.Value, q.Predicate.Anonymous, q.Predicate.Pos = v.Kind, v.Bytes, v.Value, v.Anonymous,
		v.Pos
	q.Graph = r.graph.name.Term
	q.Repaired = r.graph.name.Repaired
	if p := &r.plain; !p.gathers && p.gatherer != nil {
		p.gathers = true
		p.gatherer.Gather()
	}
	r.failed(r.To.Quad(q))
}
