package turtle

import (
	"cmp"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/terms"
)

// frame is an open statement or bracket.
type frame struct {
	subject, predicate terms.Held
	progress
}

// progress is how far a frame was read.
type progress struct {
	kind grammar.Frame
	role grammar.Role

	// lost says that the notice for the statement being read has been given; doomed is why the bracket itself is
	// lost as an object.
	lost   bool
	doomed fault.Code
	// fresh says that the predicate has no sound object yet, afterComma that an object is before the comma.
	fresh, afterComma bool
	verbs             int    // predicates so far
	verb, space       uint64 // the hash of the current one, and of what it begins with
	subjectSpace      uint64 // what the subject begins with, until that is learned
	notes             *notes // what ~ and {| |} after the object are about; nil where there is none
	list              list

	frameLayout
	sureHeld int // what is held back of this frame is sure up to here
	pos      fault.Pos
	repairsBefore
}

// frameLayout is what the layout shows of a frame.
type frameLayout struct {
	// The columns where the frame and the current predicate begin a line; 0 if they do not.
	column, verbColumn int64
	// inside says that the current predicate is within this frame.
	inside bool
}

// repairsBefore are the numbers of repairs before the subject, the predicate and the object.
type repairsBefore struct{ atSubject, atPredicate, atObject int64 }

// maxDepth is how many brackets may be open at once.
const maxDepth = 1000

// push opens a frame.
func (r *Reader) push(kind grammar.Frame, as grammar.Role) {
	if r.depth == len(r.stack) {
		r.stack = append(r.stack, frame{})
	}
	r.depth++
	f := r.top()
	if cap(f.subject.Buf)+cap(f.predicate.Buf) > 1<<20 {
		f.subject.Buf, f.predicate.Buf = nil, nil
	}
	f.subject.Clear()
	f.predicate.Clear()
	f.progress = progress{kind: kind, role: as, pos: r.Tok.Pos}
	f.atSubject, f.atPredicate, f.atObject = r.Repairs(), r.Repairs(), r.Repairs()
	if f.withholds() {
		r.opened(f)
	}
}

// withholds says that the contents of f are held back until it is closed. That is so for frames with a subject of
// their own, and for a list where none may be, which may be none.
func (f *frame) withholds() bool {
	return f.kind == grammar.Properties || f.kind == grammar.Notes || f.kind == grammar.List && f.role != grammar.AsObject
}

// tooDeep says that no more brackets may be open, or hold so much.
func (r *Reader) tooDeep(kind grammar.Frame) bool {
	switch {
	case r.depth > maxDepth:
		return true
	case kind == grammar.Triple:
		nested := 0
		for nested < r.depth && r.stack[r.depth-1-nested].kind == grammar.Triple {
			nested++
		}
		return nested >= maxTriples
	case r.depth == 0 || r.top().weight() < 64<<10:
		return false
	}
	sum := 0
	for i := range r.stack[:r.depth] {
		sum += r.stack[i].weight()
	}
	return sum > 4*r.MaxToken
}

// open opens a bracket. It returns whether nothing is held back behind it.
func (r *Reader) open(k lex.Kind) (settles bool) {
	kind, role := grammar.Opens(r.at, k)
	if kind == grammar.Notes {
		settles = true
		r.annotate(r.top(), k)
	} else if r.at.In == grammar.List {
		settles = true
		r.nextCell(r.top())
	}
	if r.at.In == grammar.Outside && role == grammar.AsSubject {
		if r.graph.open {
			r.doubtGraph()
			r.graph.statements++
		}
		r.push(grammar.Statement, grammar.AsObject)
		r.top().column = r.column()
	}
	if r.depth > 0 && role == grammar.AsObject {
		r.top().atObject = r.Repairs()
	}
	r.plan.mended = false
	if role != grammar.AsReifier { // else the object of the triple waits
		r.object.Clear()
	}
	r.push(kind, role)
	f := r.top()
	f.column = r.column()
	if role == grammar.AsSubject {
		r.doubtTerm(&f.doomed)
	}
	if kind == grammar.Properties || kind == grammar.Anon {
		r.anonymous++
		f.subject.SetNode(r.anonymous, r.Tok.Pos)
	} else if kind == grammar.Notes {
		f.subject.Copy(&r.stack[r.depth-2].notes.reifier)
	}
	r.at = r.at.Enter(kind)
	if r.tooDeep(kind) {
		n := r.Notice(fault.LimitNesting, fault.Drop, r.Tok.Pos, "more than %d brackets are open, or what they hold is too long", maxDepth)
		if kind == grammar.Triple {
			n.Message = "too many triple terms are nested"
		}
		r.giveUp(n)
		r.passStatement()
		return true
	}
	return settles
}

// close ends the innermost bracket, and gives its node to the frame around. It returns whether an object is held.
func (r *Reader) close(k lex.Kind) (held bool) {
	child := r.top()
	around := grammar.Outside
	if r.depth > 1 {
		around = r.stack[r.depth-2].kind
	}
	next := r.at.Leave(child.role, around)
	r.plan.spoilt = ""
	switch child.kind {
	case grammar.Reified, grammar.Triple:
		r.closeTriple()
	case grammar.Notes:
		r.commit()
		r.Withdraw(child.atObject)
		r.closeHeld(child)
		r.depth--
		r.top().lost = false
		r.object.Clear()
	default:
		r.closeNode(child)
	}
	r.at = next
	return child.role == grammar.AsObject
}

// closeNode ends a [ ] or ( ).
func (r *Reader) closeNode(child *frame) {
	switch {
	case child.kind == grammar.List:
		r.commitMember(child)
		if child.list.cell != 0 {
			r.link(child, &rdf.Term{Kind: rdf.IRI, Value: nilIRI, Pos: r.Tok.Pos})
		}
	case r.at.Expect != grammar.FirstVerb && r.at.Expect != grammar.NextVerb && r.at.Expect != grammar.AnonEnd:
		r.commit()
	}
	r.Withdraw(child.atObject)
	if child.withholds() {
		r.closeHeld(child)
	}
	role, pos, node := child.role, child.pos, child.subject.Anonymous
	if child.kind == grammar.List {
		node = child.list.head
	}
	doomed := cmp.Or(child.doomed, child.list.uncounted)
	if node != 0 {
		doomed = child.doomed // it is that list, however long
	}
	r.depth--
	target := &r.object
	switch role {
	case grammar.AsSubject:
		target = &r.top().subject
	case grammar.AsReifier:
		target = r.reifier()
	case grammar.AsLabel:
		target = &r.graph.label
	}
	if node == 0 {
		target.SetIRI(rdf.Nil, pos)
	} else {
		target.SetNode(node, pos)
	}
	if role == grammar.AsSubject {
		r.top().atPredicate = r.Repairs()
	}
	if role == grammar.AsObject && r.top().kind == grammar.List {
		r.top().list.member = true
	}
	if doomed != "" {
		target.Dead = doomed
		if role == grammar.AsObject {
			r.loseObject(doomed)
		}
	}
}

// loseObject loses the statement whose object was read, since that is not sure.
func (r *Reader) loseObject(code fault.Code) {
	r.lose(fault.Notice{Code: code, Severity: fault.Drop, Pos: r.object.Pos,
		Message: "this statement is lost with what is in it, reported " +
			"of there", Excerpt: r.shown(&r.object)})
}

// giveUp reports n, and gives up all that is open, except for the graph.
func (r *Reader) giveUp(n fault.Notice) {
	if r.depth == 0 {
		n.Lost = 1
		r.tell(n)
	} else {
		r.lose(n)
		r.unwind()
	}
	r.tellLosses()
	r.object.Clear()
	r.Withdraw(r.Told)
	r.at = grammar.State{InGraph: r.graph.open}
}

// unwind gives up all frames, and counts what is lost in each. That is the statement that waited for a
// bracket, and the rdf:rest of a list that does not go on.
func (r *Reader) unwind() {
	for waits := false; r.depth > 0; r.depth-- {
		f := r.top()
		if waits && !f.lost {
			r.tell(r.unfinished(f, "this statement is lost with the brackets in it"))
		}
		if f.kind == grammar.List && f.list.cell != 0 {
			r.tell(r.unfinished(f, "the list ends here, and its last node has no rdf:rest"))
		}
		if f.withholds() {
			r.abandon(f)
		}
		waits = f.role == grammar.AsObject && f.kind != grammar.Triple
	}
}

func (r *Reader) unfinished(f *frame, message string) fault.Notice {
	return fault.Notice{Code: fault.SyntaxUnclosedBracket, Severity: fault.Drop, Pos: f.pos, Lost: 1, Message: message,
		Excerpt: r.shown(&f.subject)}
}

// passStatement passes over tokens up to the end of a statement that was given up.
func (r *Reader) passStatement() {
	for k := r.Tok.Kind; k != lex.Dot && k != lex.EndOfText && k != lex.Stopped && k != lex.CloseGraph; k = r.Tok.Kind {
		r.Next()
	}
}
