package ttl

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/terms"
)

var reifiesIRI = []byte(rdf.Reifies)

// notes is what is said of the triple of the object that was read last.
type notes struct {
	triple   *rdf.Triple
	size     int // bytes that triple holds
	repaired bool
	dead     fault.Code // why there is no triple; the notice was given

	reifier terms.Held
	open    bool // the reifier was read, and its rdf:reifies is not given yet
}

// closedBy says that k is the bracket that ends f, where that is one.
func (f *frame) closedBy(k lex.Kind) bool {
	switch f.kind {
	case propertiesFrame:
		return k == lex.CloseProperties || k == lex.CloseGraph && f.braced
	case reifiedFrame:
		return k == lex.CloseReified
	case tripleFrame:
		return k == lex.CloseTriple
	case notesFrame:
		return k == lex.CloseNotes
	}
	return false
}

// hasPairs says that f holds predicates and objects, with , and ; between them.
func (f *frame) hasPairs() bool {
	return f.kind == statementFrame || f.kind == propertiesFrame || f.kind == notesFrame
}

// weight is how many bytes f holds.
func (f *frame) weight() int {
	n := len(f.subject.Buf) + len(f.predicate.Buf)
	if f.notes != nil {
		n += f.notes.size
	}
	return n
}

// triple opens the frame of a << or <<(.
func (r *turtle) triple(as role) {
	f, kind, lost := r.top(), reifiedFrame, false
	if r.Tok.Kind == lex.OpenTriple {
		kind = tripleFrame
		if as == asSubject {
			f.subject.Clear()
			f.subject.Dead = fault.SyntaxMisplacedTerm
			r.lose(r.Misplaced("a subject"))
		}
		lost = f.lost // a fault in it is one of the statement
		nested := 0
		for nested < r.depth && r.stack[r.depth-1-nested].kind == tripleFrame {
			nested++
		}
		if nested >= maxTriples {
			r.recover(r.Notice(fault.LimitNesting, fault.Drop, r.Tok.Pos, "more than %d triple terms stand in one another", maxTriples), false)
			return
		}
	} else if f.kind == tripleFrame {
		r.lose(r.Misplaced("a term of a triple term"))
	}
	if r.push(kind, as) {
		r.top().lost = lost
		r.Next()
		r.state = expectTripleSubject
	}
}

// maxTriples is how many triple terms Turtle and TriG may have in one another. It is less
// than readers of lines allow, since a statement about a triple nests one more.
const maxTriples = rdf.MaxTriples - 2

// tripleTerm reads what is in << >> and <<( )>>.
//
//	reifiedTriple ::= '<<' rtSubject verb rtObject reifier? '>>'
//	rtSubject     ::= iri | BlankNode | reifiedTriple
//	rtObject      ::= iri | BlankNode | literal | tripleTerm | reifiedTriple
//	tripleTerm    ::= '<<(' ttSubject verb ttObject ')>>'
//	ttSubject     ::= iri | BlankNode
//	ttObject      ::= iri | BlankNode | literal | tripleTerm
func (r *turtle) tripleTerm() {
	f, k := r.top(), r.Tok.Kind
	switch r.state {
	case expectTripleSubject:
		switch {
		case k == lex.IRI, k == lex.Name, k == lex.Label:
			if !r.Take(&f.subject) {
				r.lose(r.Problem)
			}
			r.Next()
		case k == lex.OpenProperties:
			if !r.emptyBrackets(&f.subject) {
				return
			}
		case k == lex.OpenReified, k == lex.OpenTriple:
			r.triple(asSubject)
			return
		case k.IsTerm():
			f.subject.Clear()
			f.subject.Dead = fault.SyntaxMisplacedTerm
			r.lose(r.Misplaced("a subject"))
			r.Next()
		default:
			r.recover(r.unexpected("the subject of a triple"), true)
			return
		}
		r.state = expectTripleVerb
	case expectTripleVerb:
		switch {
		case k.IsVerb():
			if !r.TakeNamed(&f.predicate, "the predicate") {
				r.lose(r.Problem)
			}
			r.Next()
		case k == lex.OpenProperties:
			r.deadPredicate(f)
			if !r.emptyBrackets(&r.spare) {
				return
			}
		case k == lex.OpenReified, k == lex.OpenTriple:
			r.deadPredicate(f)
			r.triple(asPredicate)
			return
		case k.IsTerm():
			r.deadPredicate(f)
			r.Next()
		default:
			r.recover(r.unexpected("a predicate"), true)
			return
		}
		r.state = expectTripleObject
	case expectTripleObject:
		switch {
		case k == lex.OpenProperties:
			if r.emptyBrackets(&r.object) {
				r.state = expectTripleEnd
			}
		case k == lex.OpenReified, k == lex.OpenTriple:
			r.triple(asObject)
		case k.IsTerm():
			r.readTerm()
		default:
			r.recover(r.unexpected("the object of a triple"), true)
		}
	case expectTripleEnd:
		switch {
		case k == lex.Tilde && f.kind == reifiedFrame && f.notes == nil:
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
func (r *turtle) emptyBrackets(h *terms.Held) bool {
	if r.nextKind() != lex.CloseProperties {
		r.recover(r.Notice(fault.SyntaxMisplacedTerm, fault.Drop, r.Tok.Pos, "only an empty [] can stand in a triple that is a term"), true)
		return false
	}
	r.anonymous++
	h.SetNode(r.anonymous, r.Tok.Pos)
	r.Next()
	r.Next()
	return true
}

// readReifier reads reifier ::= '~' (iri | BlankNode)?, the ~ of which is present.
func (r *turtle) readReifier(h *terms.Held) {
	pos := r.Tok.Pos
	r.Next()
	switch r.Tok.Kind {
	case lex.IRI, lex.Name, lex.Label:
		if !r.Take(h) {
			r.lose(r.Problem)
		}
		r.Next()
	case lex.OpenProperties:
		r.emptyBrackets(h)
	case lex.EndOfText: // it may have been cut off
		n := r.Notice(fault.SyntaxUnfinished, fault.Drop, r.Ended, "the text ends where a reifier may have been cut off")
		h.Dead = n.Code
		r.lose(n)
	default:
		r.anonymous++
		h.SetNode(r.anonymous, pos)
	}
}

// closeTriple ends the << or <<( on top, whose closing bracket is present. It gives a
// triple term to the frame below. Of a reified triple it gives the rdf:reifies to the sink,
// and the reifier to the frame below. Where the triple is lost, the reifier is not.
func (r *turtle) closeTriple() {
	child := r.top()
	kind, as, pos := child.kind, child.role, child.pos
	switch {
	case child.lost:
	case child.subject.Dead != "":
		r.lostWith(child.subject.Dead, "subject")
		child.lost = true
	case child.predicate.Dead != "":
		r.lostWith(child.predicate.Dead, "predicate")
		child.lost = true
	}
	term := terms.Held{Term: rdf.Term{Kind: rdf.TripleTerm, Pos: pos}}
	if !child.lost {
		term.Triple, _ = newTriple(&child.subject, &child.predicate, &r.object)
		term.Repaired = child.subject.Repaired || child.predicate.Repaired || r.object.Repaired
	}
	lost := child.lost
	r.object.Clear()
	if kind == reifiedFrame {
		term = r.reified(child, &term)
	}
	r.depth--
	f := r.top()
	switch as {
	case asSubject:
		if kind == reifiedFrame {
			f.subject.Copy(&term)
			f.complete, f.label = true, false
		}
		f.atPredicate = r.Repairs()
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
			r.object.Dead = fault.SyntaxUnexpected
		case term.Dead != "":
			r.lose(r.Notice(term.Dead, fault.Drop, pos, "this statement is lost with the triple in it, told of above"))
			r.object.Dead = term.Dead
		default:
			r.object.Copy(&term)
		}
		r.state = r.afterTerm()
	}
	r.Next()
}

// reified gives the rdf:reifies of the reified triple of frame f, which is term, and
// returns the reifier.
func (r *turtle) reified(f *frame, term *terms.Held) (reifier terms.Held) {
	if f.notes == nil {
		r.anonymous++
		reifier.SetNode(r.anonymous, f.pos)
	} else {
		reifier = f.notes.reifier
	}
	if f.lost {
		r.Withdraw(f.atSubject)
	} else {
		r.emitReifies(&reifier, term)
	}
	return reifier
}

func (r *turtle) emitReifies(reifier, term *terms.Held) {
	r.emit(&reifier.Term, &rdf.Term{Kind: rdf.IRI, Value: reifiesIRI, Pos: reifier.Pos}, &term.Term, reifier.Repaired || term.Repaired, true)
}

// closeLost ends the frame on top, in which a fault was found; the bracket that closes
// it is present.
func (r *turtle) closeLost(tilde bool, code fault.Code) {
	if tilde { // who knows which node was meant
		r.top().notes = &notes{reifier: terms.Held{Dead: code}}
	}
	r.closeTriple()
}

// newTriple makes a triple that lives by itself, and says how many bytes it holds.
func newTriple(subject, predicate, object *terms.Held) (*rdf.Triple, int) {
	size := 0
	for _, h := range []*terms.Held{subject, predicate, object} {
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

// annotate reads the ~ or {| after an object.
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
		case f.subject.Dead != "":
			n.dead = f.subject.Dead
		case f.predicate.Dead != "":
			n.dead = f.predicate.Dead
		case f.lost || r.object.Kind == rdf.NoTerm:
			n.dead = fault.SyntaxUnexpected
		case r.graphDead != "":
			n.dead = r.graphDead
		default:
			n.triple, n.size = newTriple(&f.subject, &f.predicate, &r.object)
			n.repaired = f.subject.Repaired || f.predicate.Repaired || r.object.Repaired
		}
		r.commit()
		f.notes = n
	}
	if r.Tok.Kind == lex.Tilde {
		r.giveReifier(f)
		n.open = true
		r.readReifier(&n.reifier)
		return
	}
	if !n.open {
		r.anonymous++
		n.reifier.SetNode(r.anonymous, r.Tok.Pos)
		n.open = true
	}
	r.giveReifier(f)
	if r.push(notesFrame, asNotes) {
		r.top().subject.Copy(&n.reifier)
		r.Next()
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
		f.lost = false // its reifier; that was reported
		r.Withdraw(f.atObject)
	case n.dead != "":
		r.Withdraw(f.atObject)
		r.To.Notice(fault.Notice{Code: n.dead, Severity: fault.Drop, Pos: n.reifier.Pos, Lost: 1,
			Message: "this reifier is lost with the triple before it, told of above", Excerpt: r.shown(&n.reifier)})
	default:
		r.emitReifies(&n.reifier, &terms.Held{Term: rdf.Term{Kind: rdf.TripleTerm, Triple: n.triple, Pos: n.triple.Subject.Pos}, Repaired: n.repaired})
	}
}

// closeNotes ends the {| on top.
func (r *turtle) closeNotes() {
	r.Withdraw(r.top().atObject)
	r.learnColumn(r.top())
	r.closed()
	r.depth--
	r.top().lost = false
	r.object.Clear()
	r.state = expectEnd
	r.Next()
}
