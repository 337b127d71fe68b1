package ttl

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
)

var reifiesIRI = []byte(rdf.Reifies)

// notes is what is said of the triple of the object that was read last.
type notes struct {
	triple   *rdf.Triple
	size     int // bytes that triple holds
	repaired bool
	dead     fault.Code // why there is no triple; the notice was given

	reifier held
	open    bool // the reifier was read, and its rdf:reifies is not given yet
}

// closedBy says that k is the bracket that ends f, where that is one.
func (f *frame) closedBy(k tokenKind) bool {
	switch f.kind {
	case propertiesFrame:
		return k == closeProperties || k == closeGraph && f.braced
	case reifiedFrame:
		return k == closeReified
	case tripleFrame:
		return k == closeTriple
	case notesFrame:
		return k == closeNotes
	}
	return false
}

// hasPairs says that f holds predicates and objects, with , and ; between them.
func (f *frame) hasPairs() bool {
	return f.kind == statementFrame || f.kind == propertiesFrame || f.kind == notesFrame
}

// weight is how many bytes f holds.
func (f *frame) weight() int {
	n := len(f.subject.buf) + len(f.predicate.buf)
	if f.notes != nil {
		n += f.notes.size
	}
	return n
}

// triple opens the frame of a << or <<(.
func (r *turtle) triple(as role) {
	f, kind, lost := r.top(), reifiedFrame, false
	if r.tok.kind == openTriple {
		kind = tripleFrame
		if as == asSubject {
			f.subject.clear()
			f.subject.dead = fault.SyntaxMisplacedTerm
			r.lose(r.misplaced("a subject"))
		}
		lost = f.lost // a fault in it is one of the statement
		nested := 0
		for nested < r.depth && r.stack[r.depth-1-nested].kind == tripleFrame {
			nested++
		}
		if nested >= maxTriples {
			r.recover(r.notice(fault.LimitNesting, fault.Drop, r.tok.pos, "more than %d triple terms stand in one another", maxTriples), false)
			return
		}
	} else if f.kind == tripleFrame {
		r.lose(r.misplaced("a term of a triple term"))
	}
	if r.push(kind, as) {
		r.top().lost = lost
		r.next()
		r.state = expectTripleSubject
	}
}

// maxTriples is how many triple terms Turtle and TriG may have in one another: less
// than readers of lines allow, since what is said of a statement makes one more.
const maxTriples = rdf.MaxTriples - 2

// tripleTerm reads what stands in << >> and <<( )>>.
//
//	reifiedTriple ::= '<<' rtSubject verb rtObject reifier? '>>'
//	rtSubject     ::= iri | BlankNode | reifiedTriple
//	rtObject      ::= iri | BlankNode | literal | tripleTerm | reifiedTriple
//	tripleTerm    ::= '<<(' ttSubject verb ttObject ')>>'
//	ttSubject     ::= iri | BlankNode
//	ttObject      ::= iri | BlankNode | literal | tripleTerm
func (r *turtle) tripleTerm() {
	f, k := r.top(), r.tok.kind
	switch r.state {
	case expectTripleSubject:
		switch {
		case k == iriToken, k == nameToken, k == labelToken:
			if !r.take(&f.subject) {
				r.lose(r.problem)
			}
			r.next()
		case k == openProperties:
			if !r.emptyBrackets(&f.subject) {
				return
			}
		case k == openReified, k == openTriple:
			r.triple(asSubject)
			return
		case k.isTerm():
			f.subject.clear()
			f.subject.dead = fault.SyntaxMisplacedTerm
			r.lose(r.misplaced("a subject"))
			r.next()
		default:
			r.recover(r.unexpected("the subject of a triple"), true)
			return
		}
		r.state = expectTripleVerb
	case expectTripleVerb:
		switch {
		case k.isVerb():
			if !r.takeNamed(&f.predicate, "the predicate") {
				r.lose(r.problem)
			}
			r.next()
		case k == openProperties:
			r.deadPredicate(f)
			if !r.emptyBrackets(&r.spare) {
				return
			}
		case k == openReified, k == openTriple:
			r.deadPredicate(f)
			r.triple(asPredicate)
			return
		case k.isTerm():
			r.deadPredicate(f)
			r.next()
		default:
			r.recover(r.unexpected("a predicate"), true)
			return
		}
		r.state = expectTripleObject
	case expectTripleObject:
		switch {
		case k == openProperties:
			if r.emptyBrackets(&r.object) {
				r.state = expectTripleEnd
			}
		case k == openReified, k == openTriple:
			r.triple(asObject)
		case k.isTerm():
			r.readTerm()
		default:
			r.recover(r.unexpected("the object of a triple"), true)
		}
	case expectTripleEnd:
		switch {
		case k == tilde && f.kind == reifiedFrame && f.notes == nil:
			f.notes = new(notes)
			r.readReifier(&f.notes.reifier)
		case f.closedBy(k):
			r.closeTriple()
		case f.kind == reifiedFrame:
			r.recover(r.unexpected("the >> of a triple"), true)
		default:
			r.recover(r.unexpected("the )>> of a triple term"), true)
		}
	}
}

// emptyBrackets reads ANON ::= '[' ']'. False means that it is none; the fault is
// dealt with.
func (r *turtle) emptyBrackets(h *held) bool {
	if r.nextKind() != closeProperties {
		r.recover(r.notice(fault.SyntaxMisplacedTerm, fault.Drop, r.tok.pos, "only an empty [] can stand in a triple that is a term"), true)
		return false
	}
	r.anonymous++
	h.anonymous(r.anonymous, r.tok.pos)
	r.next()
	r.next()
	return true
}

// readReifier reads reifier ::= '~' (iri | BlankNode)?, the ~ of which is present.
func (r *turtle) readReifier(h *held) {
	pos := r.tok.pos
	r.next()
	switch r.tok.kind {
	case iriToken, nameToken, labelToken:
		if !r.take(h) {
			r.lose(r.problem)
		}
		r.next()
	case openProperties:
		r.emptyBrackets(h)
	case endOfText: // it may have been cut off
		n := r.notice(fault.SyntaxUnfinished, fault.Drop, r.ended, "the text ends where a reifier may have been cut off")
		h.dead = n.Code
		r.lose(n)
	default:
		r.anonymous++
		h.anonymous(r.anonymous, pos)
	}
}

// closeTriple ends the << or <<( on top, whose closing bracket is present: it gives
// the triple term to the frame below, or the rdf:reifies of a reified triple to the sink
// and its reifier to the frame below. Where the triple is lost, the reifier is not.
func (r *turtle) closeTriple() {
	child := r.top()
	kind, as, pos := child.kind, child.role, child.pos
	switch {
	case child.lost:
	case child.subject.dead != "":
		r.lostWith(child.subject.dead, "subject")
		child.lost = true
	case child.predicate.dead != "":
		r.lostWith(child.predicate.dead, "predicate")
		child.lost = true
	}
	term := held{Term: rdf.Term{Kind: rdf.TripleTerm, Pos: pos}}
	if !child.lost {
		term.Triple, _ = newTriple(&child.subject, &child.predicate, &r.object)
		term.repaired = child.subject.repaired || child.predicate.repaired || r.object.repaired
	}
	lost := child.lost
	r.object.clear()
	if kind == reifiedFrame {
		term = r.reified(child, &term)
	}
	r.depth--
	f := r.top()
	switch as {
	case asSubject:
		if kind == reifiedFrame {
			f.subject.copy(&term)
			f.complete, f.label = true, false
		}
		f.atPredicate = r.seen()
		if r.state = expectVerb; !f.hasPairs() {
			r.state = expectTripleVerb
		}
	case asPredicate:
		if r.state = expectObject; !f.hasPairs() {
			r.state = expectTripleObject
		}
	default:
		switch {
		case kind == tripleFrame && lost:
			f.lost = true
			r.object.dead = fault.SyntaxUnexpected
		case term.dead != "":
			r.lose(r.notice(term.dead, fault.Drop, pos, "this statement is lost with the triple in it, told of above"))
			r.object.dead = term.dead
		default:
			r.object.copy(&term)
		}
		r.state = r.afterTerm()
	}
	r.next()
}

// reified gives the rdf:reifies of the reified triple of frame f, which is term, and
// returns the reifier.
func (r *turtle) reified(f *frame, term *held) (reifier held) {
	if f.notes == nil {
		r.anonymous++
		reifier.anonymous(r.anonymous, f.pos)
	} else {
		reifier = f.notes.reifier
	}
	if f.lost {
		r.withdraw(f.atSubject)
	} else {
		r.emitReifies(&reifier, term)
	}
	return reifier
}

func (r *turtle) emitReifies(reifier, term *held) {
	r.emit(&reifier.Term, &rdf.Term{Kind: rdf.IRI, Value: reifiesIRI, Pos: reifier.Pos}, &term.Term, reifier.repaired || term.repaired, true)
}

// closeLost ends the frame on top, in which a fault was found; the bracket that closes
// it is present.
func (r *turtle) closeLost(tilde bool, code fault.Code) {
	if tilde { // who knows which node was meant
		r.top().notes = &notes{reifier: held{dead: code}}
	}
	r.closeTriple()
}

// copy makes h the term of other, with bytes of its own.
func (h *held) copy(other *held) {
	buf := append(h.buf[:0], other.Value...)
	*h = held{Term: other.Term, buf: buf, repaired: other.repaired, dead: other.dead}
	if other.Value != nil {
		h.Value = buf
	}
}

// newTriple makes a triple that lives by itself, and says how many bytes it holds.
func newTriple(subject, predicate, object *held) (*rdf.Triple, int) {
	size := 0
	for _, h := range []*held{subject, predicate, object} {
		size += len(h.Value) + len(h.Datatype) + len(h.Language)
	}
	buf := make([]byte, 0, size)
	keep := func(b []byte) []byte {
		if len(b) == 0 {
			return nil
		}
		n := len(buf)
		buf = append(buf, b...)
		return buf[n:len(buf):len(buf)]
	}
	t := &rdf.Triple{Subject: subject.Term, Predicate: predicate.Term, Object: object.Term}
	for _, term := range []*rdf.Term{&t.Subject, &t.Predicate, &t.Object} {
		term.Value, term.Datatype, term.Language = keep(term.Value), keep(term.Datatype), keep(term.Language)
	}
	return t, size
}

// annotate reads the ~ or {| behind an object.
//
//	objectList      ::= object annotation (',' object annotation)*
//	annotation      ::= (reifier | annotationBlock)*
//	annotationBlock ::= '{|' predicateObjectList '|}'
//
// The statement itself is given first.
func (r *turtle) annotate(f *frame) {
	n := f.notes
	if n == nil {
		n = new(notes)
		switch {
		case f.subject.dead != "":
			n.dead = f.subject.dead
		case f.predicate.dead != "":
			n.dead = f.predicate.dead
		case f.lost || r.object.Kind == rdf.NoTerm:
			n.dead = fault.SyntaxUnexpected
		case r.graphDead != "":
			n.dead = r.graphDead
		default:
			n.triple, n.size = newTriple(&f.subject, &f.predicate, &r.object)
			n.repaired = f.subject.repaired || f.predicate.repaired || r.object.repaired
		}
		r.commit()
		f.notes = n
	}
	if r.tok.kind == tilde {
		r.giveReifier(f)
		n.open = true
		r.readReifier(&n.reifier)
		return
	}
	if !n.open {
		r.anonymous++
		n.reifier.anonymous(r.anonymous, r.tok.pos)
		n.open = true
	}
	r.giveReifier(f)
	if r.push(notesFrame, asNotes) {
		r.top().subject.copy(&n.reifier)
		r.next()
		r.state = expectVerb
	}
}

// giveReifier gives the rdf:reifies of the reifier that was read, if one was.
func (r *turtle) giveReifier(f *frame) {
	n := f.notes
	if !n.open {
		return
	}
	n.open = false
	switch {
	case f.lost:
		f.lost = false // its reifier; that was told
		r.withdraw(f.atObject)
	case n.dead != "":
		r.withdraw(f.atObject)
		r.to.Notice(fault.Notice{Code: n.dead, Severity: fault.Drop, Pos: n.reifier.Pos, Lost: 1,
			Message: "this reifier is lost with the triple before it, told of above", Excerpt: r.shown(&n.reifier)})
	default:
		r.emitReifies(&n.reifier, &held{Term: rdf.Term{Kind: rdf.TripleTerm, Triple: n.triple, Pos: n.triple.Subject.Pos}, repaired: n.repaired})
	}
}

// closeNotes ends the {| on top.
func (r *turtle) closeNotes() {
	r.withdraw(r.top().atObject)
	r.learnColumn(r.top())
	r.closed()
	r.depth--
	r.top().lost = false
	r.object.clear()
	r.state = expectEnd
	r.next()
}
