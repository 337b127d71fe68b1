package ttl

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
)

// turtle reads Turtle and TriG. It is a machine of states over a stack of open
// brackets: one frame for the statement and one for each [ and ( in it, so that
// depth is a number, and not the stack of the program.
//
// A statement is given to the sink only when the token after its object is one
// that may follow it: so an object that merely began well is never written.
type turtle struct {
	terms
	trig   bool
	adapts bool // the format was guessed: a graph's { makes Turtle TriG

	state  state
	stack  []frame
	depth  int  // frames in use
	object held // the object that was read last; NoTerm if there is none
	spare  held

	graph   held // NoTerm for the default graph
	inGraph bool
	// graphDead is why no statement of the present graph can be kept.
	graphDead fault.Code

	anonymous uint64 // blank nodes without a label, so far
	quad      rdf.Quad
	sinkErr   error
}

// maxDepth is how many brackets may be open at once.
const maxDepth = 1000

// state is what the machine expects next.
type state uint8

const (
	expectStatement state = iota
	expectVerb            // a predicate, or what ends the list of them
	expectObject          // an object
	expectTag             // after a string: a language tag, ^^, or what follows an object
	expectDatatype        // after ^^
	expectEnd             // after an object: , ; . ] }
	expectMember          // in a list: a member or )
	// in a triple in << >> or <<( )>>
	expectTripleSubject
	expectTripleVerb
	expectTripleObject
	expectTripleEnd
)

// frame is an open statement, [ or (.
type frame struct {
	kind frameKind
	role role // what the bracket is in the frame below

	subject, predicate held
	// lost says that the notice for the statement being read has been given.
	lost bool
	// started says that a predicate and object stand before the ; that was read.
	started bool
	// complete says that the subject is a [ ] with contents, which needs no predicate.
	complete bool
	// label says that the subject may be the label of a graph.
	label bool
	// afterComma says that an object stands before the comma that was read.
	afterComma bool

	// Of a list: its first node and the present one, 0 if there is none; and whether
	// object holds a member that is not given yet.
	head, cell uint64
	member     bool

	// notes is what ~ and {| |} behind the object are about; nil where there is none.
	notes *notes

	pos fault.Pos
	// the numbers of repairs before the subject, the predicate and the object
	atSubject, atPredicate, atObject int64
}

type frameKind uint8

const (
	statementFrame frameKind = iota
	propertiesFrame
	listFrame
	reifiedFrame // << >>
	tripleFrame  // <<( )>>
	notesFrame   // {| |}
)

// role is where a bracket stands.
type role uint8

const (
	asObject role = iota
	asSubject
	asPredicate
	asNotes
)

// run reads to the end of the text.
func (r *turtle) run() error {
	r.next()
	for r.sinkErr == nil {
		switch r.tok.kind {
		case stopped:
			return r.err
		case endOfText:
			r.end()
			return r.sinkErr
		}
		switch r.state {
		case expectStatement:
			r.statement()
		case expectVerb:
			r.verb()
		case expectObject:
			r.readObject()
		case expectTag:
			r.tag()
		case expectDatatype:
			r.datatype()
		case expectEnd:
			r.endOfObject()
		case expectMember:
			r.listMember()
		default:
			r.tripleTerm()
		}
	}
	return r.sinkErr
}

func (r *turtle) top() *frame { return &r.stack[r.depth-1] }

// push opens a frame. False means that it would be too deep; the fault is dealt with.
func (r *turtle) push(kind frameKind, as role) bool {
	if r.depth > maxDepth || r.heavy() {
		n := r.notice(fault.LimitNesting, fault.Drop, r.tok.pos, "more than %d brackets are open, or what they hold is too long", maxDepth)
		r.recover(n, false)
		return false
	}
	if r.depth == len(r.stack) {
		r.stack = append(r.stack, frame{})
	}
	r.depth++
	f := r.top()
	subject, predicate := f.subject.buf, f.predicate.buf
	if cap(subject)+cap(predicate) > 1<<20 {
		subject, predicate = nil, nil
	}
	*f = frame{kind: kind, role: as, pos: r.tok.pos}
	f.subject.buf, f.predicate.buf = subject, predicate
	f.atSubject, f.atPredicate, f.atObject = r.seen(), r.seen(), r.seen()
	return true
}

// heavy says that the terms of the open brackets are too much to hold. It adds them
// up only when a long one stands on top.
func (r *turtle) heavy() bool {
	if r.depth == 0 || r.top().weight() < 64<<10 {
		return false
	}
	sum := 0
	for i := range r.stack[:r.depth] {
		sum += r.stack[i].weight()
	}
	return sum > 4*r.maxToken
}

// statement begins a statement, a directive or a graph.
//
//	trigDoc ::= (directive | block)*
//	block   ::= triplesOrGraph | wrappedGraph | triples2 | 'GRAPH' labelOrSubject wrappedGraph
func (r *turtle) statement() {
	switch k := r.tok.kind; k {
	case prefixToken, baseToken, sparqlPrefix, sparqlBase:
		r.directive()
	case versionToken, sparqlVersion:
		r.version()
	case closeGraph:
		if r.inGraph {
			r.leaveGraph()
		} else {
			r.stray("this } closes nothing; it was ignored")
		}
		r.next()
	case dot:
		r.stray("this dot ends nothing; it was ignored")
		r.next()
	case openGraph:
		r.spare.clear()
		r.enterGraph(&r.spare)
	case graphToken:
		r.graphKeyword()
	case iriToken, nameToken, labelToken:
		if r.push(statementFrame, asObject) {
			f := r.top()
			f.label = true
			if !r.take(&f.subject) {
				r.lose(r.problem)
			}
			f.atPredicate = r.seen()
			r.next()
			r.state = expectVerb
		}
	case openProperties, openList:
		if r.push(statementFrame, asObject) {
			r.bracket(asSubject)
		}
	case openReified, openTriple:
		if r.push(statementFrame, asObject) {
			r.triple(asSubject)
		}
	default:
		if !k.isTerm() {
			r.recover(r.unexpected("the beginning of a statement"), false)
			return
		}
		if r.push(statementFrame, asObject) {
			f := r.top()
			f.subject.clear()
			f.subject.dead = fault.SyntaxMisplacedTerm
			r.lose(r.misplaced("a subject"))
			r.next()
			r.state = expectVerb
		}
	}
}

// bracket opens the frame of a [ or (.
func (r *turtle) bracket(as role) {
	kind, then := propertiesFrame, expectVerb
	if r.tok.kind == openList {
		kind, then = listFrame, expectMember
	}
	if !r.push(kind, as) {
		return
	}
	if kind == propertiesFrame {
		r.anonymous++
		r.top().subject.anonymous(r.anonymous, r.tok.pos)
	}
	r.next()
	r.state = then
}

// verb reads
//
//	predicateObjectList ::= verb objectList (';' (verb objectList)?)*
func (r *turtle) verb() {
	f := r.top()
	f.afterComma = false
	switch k := r.tok.kind; k {
	case iriToken, nameToken, aToken:
		f.atPredicate = r.seen()
		if !r.take(&f.predicate) {
			r.lose(r.problem)
		}
		f.atObject = r.seen()
		r.next()
		r.state = expectObject
	case semicolon:
		if !f.started {
			r.stray("nothing stands before this semicolon; it was ignored")
		}
		r.next()
	case closeProperties:
		if f.kind != propertiesFrame {
			r.recover(r.unexpected("a predicate"), true)
			return
		}
		r.closeBracket()
	case closeNotes:
		if f.kind != notesFrame {
			r.recover(r.unexpected("a predicate"), true)
			return
		}
		if !f.started {
			r.stray("nothing stands in this {| |}")
		}
		r.closeNotes()
	case dot, closeGraph:
		if f.kind != statementFrame || k == closeGraph && !r.inGraph {
			r.recover(r.unexpected("a predicate or ]"), true)
			return
		}
		if !f.started && !f.complete {
			r.lose(r.notice(fault.SyntaxIncomplete, fault.Drop, r.tok.pos, "the statement ends before its predicate"))
		}
		r.finish()
		if k == dot {
			r.next()
		}
	case openGraph:
		if f.kind != statementFrame || f.started {
			r.recover(r.unexpected("a predicate"), false)
			return
		}
		r.labelledGraph(f)
	default:
		switch {
		case k.isDirective() && f.kind == statementFrame && f.started:
			r.stray("the semicolon before ends the statement: the dot is missing")
			r.finish()
		case k == openProperties, k == openList:
			r.deadPredicate(f)
			r.bracket(asPredicate)
		case k == openReified, k == openTriple:
			r.deadPredicate(f)
			r.triple(asPredicate)
		case k.isTerm(), k == symbolToken:
			r.deadPredicate(f)
			r.next()
			r.state = expectObject
		default:
			r.recover(r.unexpected("a predicate"), true)
		}
	}
}

func (r *turtle) deadPredicate(f *frame) {
	f.predicate.clear()
	f.predicate.dead = fault.SyntaxMisplacedTerm
	f.atObject = r.seen()
	r.lose(r.misplaced("a predicate"))
}

// readObject reads
//
//	object ::= iri | BlankNode | collection | blankNodePropertyList | literal | tripleTerm | reifiedTriple
func (r *turtle) readObject() {
	f := r.top()
	f.atObject = r.seen()
	switch k := r.tok.kind; {
	case k == openProperties || k == openList:
		r.bracket(asObject)
	case k.isTerm():
		r.readTerm()
	case k == openReified || k == openTriple:
		r.triple(asObject)
	case k == comma || k == semicolon || k == dot || k == closeProperties || k == closeGraph || k == closeNotes:
		r.object.clear()
		if f.afterComma {
			r.stray("no object follows the comma before; it was ignored")
		} else {
			r.lose(r.notice(fault.SyntaxIncomplete, fault.Drop, r.tok.pos, "the predicate before has no object"))
		}
		r.state = expectEnd
	default:
		r.recover(r.unexpected("an object"), true)
	}
}

// readTerm makes object of the present token, whose kind is that of a term.
func (r *turtle) readTerm() {
	k := r.tok.kind
	switch {
	case k == aToken:
		r.object.clear()
		r.object.dead = fault.SyntaxMisplacedTerm
		r.lose(r.misplaced("an object"))
	case !r.take(&r.object):
		r.lose(r.problem)
	}
	r.next()
	if r.state = r.afterTerm(); k == stringToken {
		r.state = expectTag
	}
}

// afterTerm is the state after an object or a member of a list.
func (r *turtle) afterTerm() state {
	switch f := r.top(); f.kind {
	case listFrame:
		f.member = true
		return expectMember
	case reifiedFrame, tripleFrame:
		return expectTripleEnd
	}
	return expectEnd
}

// tag reads what may follow the string of a literal.
//
//	RDFLiteral ::= String (LANG_DIR | '^^' iri)?
func (r *turtle) tag() {
	switch k := r.tok.kind; {
	case k == carets:
		r.next()
		r.state = expectDatatype
		return
	case k == languageToken, (k == prefixToken || k == baseToken || k == versionToken) && r.tok.from == r.ended.Offset:
		if r.object.dead == "" {
			r.takeLanguage(&r.object)
		}
		r.next()
	case k == brokenToken && (r.tok.code == fault.LanguageTag || r.tok.code == fault.LanguageDirection) && r.tok.from == r.ended.Offset:
		r.object.dead = r.tok.code
		r.lose(r.notice(r.tok.code, fault.Drop, r.tok.pos, "%s", r.tok.message))
		r.next()
	}
	r.state = r.afterTerm()
}

func (r *turtle) datatype() {
	switch k := r.tok.kind; {
	case k == iriToken, k == nameToken:
		if r.object.dead == "" && !r.takeDatatype(&r.object, &r.spare) {
			r.lose(r.problem)
		}
		r.next()
	default:
		r.object.dead = fault.SyntaxMisplacedTerm
		r.lose(r.misplaced("the IRI of a datatype"))
		if k.isTerm() {
			r.next()
		}
	}
	r.state = r.afterTerm()
}

// endOfObject reads what may follow an object.
func (r *turtle) endOfObject() {
	f := r.top()
	switch k := r.tok.kind; {
	case k == comma:
		r.commit()
		r.next()
		f.afterComma = true
		r.state = expectObject
	case k == semicolon:
		r.commit()
		r.next()
		f.started = true
		r.state = expectVerb
	case k == closeProperties && f.kind == propertiesFrame:
		r.commit()
		f.started = true
		r.closeBracket()
	case k == dot && f.kind == statementFrame, k == closeGraph && f.kind == statementFrame && r.inGraph:
		r.commit()
		r.finish()
		if k == dot {
			r.next()
		}
	case k == tilde, k == openNotes:
		r.annotate(f)
	case k == closeNotes && f.kind == notesFrame:
		r.commit()
		r.closeNotes()
	case k == dot && (f.kind == propertiesFrame || f.kind == notesFrame):
		r.dotInBrackets(f)
	case f.kind == statementFrame && r.plainlyNew():
		if r.object.Kind != rdf.NoTerm && !f.lost {
			r.object.repaired = true
			r.pending = append(r.pending, r.notice(fault.SyntaxMissingDot, fault.Repair, r.ended, "the dot at the end of this statement is missing"))
		} else if f.notes != nil {
			r.stray("the dot at the end of the statement before is missing")
		}
		r.commit()
		r.finish()
	default:
		r.recover(r.unexpected("a comma, semicolon or dot"), true)
	}
}

// dotInBrackets deals with a dot before the ] of [ … ] or the |} of {| … |}: one that stands just before
// it is ignored, another means that the ] is missing.
func (r *turtle) dotInBrackets(f *frame) {
	m := r.mark()
	r.next()
	closes := f.closedBy(r.tok.kind)
	r.reset(m)
	if closes {
		r.stray("a dot before the end of a bracket was ignored")
		r.next()
		return
	}
	r.commit()
	f.lost = true // nothing of this frame is lost any more
	r.recover(r.notice(fault.SyntaxUnclosedBracket, fault.Drop, f.pos, "this bracket is not closed before the dot"), false)
}

// closeBracket ends the [ or ( on top, and gives its node to the frame below.
func (r *turtle) closeBracket() {
	child := r.top()
	r.withdraw(child.atObject)
	kind, as, started, pos := child.kind, child.role, child.started, child.pos
	node, complete := child.subject.Anonymous, child.started
	if kind == listFrame {
		node, complete = child.head, false
	}
	r.depth--
	f := r.top()
	target := &r.object
	switch as {
	case asSubject:
		target = &f.subject
		f.complete, f.label = complete, kind == propertiesFrame && !started
		f.atPredicate = r.seen()
		r.state = expectVerb
	case asPredicate:
		target = &r.spare
		r.state = expectObject
	default:
		r.state = r.afterTerm()
	}
	if node == 0 {
		target.name(rdf.Nil, pos)
	} else {
		target.anonymous(node, pos)
	}
	r.next()
}

// finish ends the statement.
func (r *turtle) finish() {
	r.withdraw(r.stack[0].atSubject)
	r.depth = 0
	r.state = expectStatement
}

// stray tells of punctuation that was ignored. No statement is touched by it.
func (r *turtle) stray(message string) {
	r.to.Notice(r.notice(fault.SyntaxStray, fault.Repair, r.tok.pos, "%s", message))
}
