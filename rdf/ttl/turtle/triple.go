package turtle

import (
	"cmp"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/terms"
)

// maxTriples is how many triple terms Turtle and TriG may have in one another. It is less than readers of lines
// allow, since a statement about a triple nests one more.
const maxTriples = rdf.MaxTriples - 2

// notes is what is said of the triple of the object that was read last.
type notes struct {
	triple   *rdf.Triple
	size     int // bytes that triple holds
	repaired bool
	dead     fault.Code // why there is no triple; the notice was given

	reifier terms.Held
	open    bool // the reifier was read, and its rdf:reifies is not given yet
}

// weight is how many bytes f holds.
func (f *frame) weight() int {
	n := len(f.subject.Buf) + len(f.predicate.Buf)
	if f.notes != nil {
		n += f.notes.size
	}
	return n
}

// reifier is where the reifier goes that is being read.
func (r *Reader) reifier() *terms.Held { return &r.top().notes.reifier }

// takeReifier takes the ~ behind an object or in << >>, or the reifier behind it.
func (r *Reader) takeReifier(act grammar.Act, k lex.Kind) {
	f := r.top()
	if act == grammar.TakeReifier {
		switch h := r.reifier(); {
		case k == grammar.Missing:
			r.lack(h)
		case !r.Take(h):
			r.lose(r.Problem)
		}
		return
	}
	if f.kind == grammar.Reified {
		f.notes = new(notes)
	} else {
		r.annotate(f, k)
	}
	r.anonymous++
	r.reifier().SetNode(r.anonymous, r.Tok.Pos)
}

// annotate begins an annotation of the triple of the object before: a reifier, or a block of statements about one.
//
// The statement itself is given first.
func (r *Reader) annotate(f *frame, k lex.Kind) {
	n := f.notes
	if n == nil {
		n = new(notes)
		switch {
		case f.subject.Dead != "":
			n.dead = f.subject.Dead
		case f.predicate.Dead != "":
			n.dead = f.predicate.Dead
		case f.lost || r.object.Kind == rdf.NoTerm || r.plan.doubts(r.object.Pos.Offset):
			n.dead = cmp.Or(r.object.Dead, r.plan.code, fault.SyntaxUnexpected)
		case r.graph.dead != "":
			n.dead = r.graph.dead
		default:
			n.triple, n.size = newTriple(&f.subject, &f.predicate, &r.object)
			n.repaired = f.subject.Repaired || f.predicate.Repaired || r.object.Repaired
		}
		r.commit()
		f.notes = n
	}
	if k == lex.OpenNotes && !n.open {
		r.anonymous++
		n.reifier.SetNode(r.anonymous, r.Tok.Pos)
		n.open = true
	}
	r.giveReifier(f)
	n.open = k == lex.Tilde
}

// giveReifier gives the rdf:reifies of the reifier that was read, if one was.
func (r *Reader) giveReifier(f *frame) {
	n := f.notes
	if !n.open {
		return
	}
	n.open = false
	switch {
	case f.lost:
		f.lost = false // its reifier; that was reported
		r.Withdraw(f.atObject)
	case n.dead != "" || n.reifier.Dead != "":
		r.Withdraw(f.atObject)
		code := n.dead
		if code == "" {
			code = n.reifier.Dead
		}
		r.tell(fault.Notice{Code: code, Severity: fault.Drop, Pos: n.reifier.Pos, Lost: 1,
			Message: "this reifier is lost with the triple before it, reported above", Excerpt: r.shown(&n.reifier)})
	default:
		r.emitReifies(&n.reifier, &terms.Held{Term: rdf.Term{Kind: rdf.TripleTerm, Triple: n.triple, Pos: n.triple.Subject.Pos},
			Repaired: n.repaired})
	}
}

func (r *Reader) emitReifies(reifier, term *terms.Held) {
	r.emit(&reifier.Term, &rdf.Term{Kind: rdf.IRI, Value: reifiesIRI, Pos: reifier.Pos}, &term.Term, reifier.Repaired || term.Repaired,
		true)
}

// closeTriple ends the << or <<( on top. It gives a triple term to the frame around. Of a reified triple it gives
// the rdf:reifies to the sink, and the reifier to the frame around. Where the triple is lost, the reifier is not.
func (r *Reader) closeTriple() {
	child := r.top()
	switch {
	case child.lost:
	case r.object.Kind == rdf.NoTerm:
		r.lose(r.Notice(fault.SyntaxIncomplete, fault.Drop, child.pos, "this triple has no object"))
	case child.subject.Dead != "":
		r.lostWith(&child.subject, "subject")
		child.lost = true
	case child.predicate.Dead != "":
		r.lostWith(&child.predicate, "predicate")
		child.lost = true
	}
	term := terms.Held{Term: rdf.Term{Kind: rdf.TripleTerm, Pos: child.pos}}
	if !child.lost {
		term.Triple, _ = newTriple(&child.subject, &child.predicate, &r.object)
		term.Repaired = child.subject.Repaired || child.predicate.Repaired || r.object.Repaired
	}
	lost, kind := child.lost, child.kind
	if kind == grammar.Reified {
		term = r.reified(child, &term)
	}
	r.object.Clear()
	r.depth--
	f := r.top()
	switch {
	case child.role == grammar.AsSubject:
		f.subject.Copy(&term)
		f.atPredicate = r.Repairs()
	case kind == grammar.Triple && lost:
		f.lost = true
		r.object.Dead = fault.SyntaxUnexpected
	case term.Dead != "":
		r.lose(r.Notice(term.Dead, fault.Drop, child.pos, "this statement is lost with the triple in it, reported there"))
		r.object.Dead = term.Dead
	default:
		r.object.Copy(&term)
	}
	if child.role == grammar.AsObject && f.kind == grammar.List {
		f.list.member = true
	}
}

// reified gives the rdf:reifies of the reified triple of frame f, which is term, and returns the reifier.
func (r *Reader) reified(f *frame, term *terms.Held) (reifier terms.Held) {
	if f.notes == nil {
		r.anonymous++
		reifier.SetNode(r.anonymous, f.pos)
	} else {
		reifier = f.notes.reifier
	}
	if f.lost || reifier.Dead != "" {
		r.Withdraw(f.atSubject)
	} else {
		r.emitReifies(&reifier, term)
	}
	return reifier
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
