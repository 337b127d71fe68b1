package ttl

import (
	"laundromat/internal/fault"
	"laundromat/rdf/ttl/terms"
)

// frame is an open statement, [ or (.
type frame struct {
	kind frameKind
	role role // what the bracket is in the frame below

	subject, predicate terms.Held
	// lost says that the notice for the statement being read has been given.
	lost bool
	// started says that a predicate and object are before the ; that was read.
	started bool
	// complete says that the subject is a [ ] with contents, which needs no predicate.
	complete bool
	// label says that the subject may be the label of a graph.
	label bool
	// named says that the subject is an IRI or a blank node with a label.
	named bool
	// isA says that the predicate is the keyword a.
	isA bool
	// subjectTag and verbTag say that the subject and the predicate look like tags of HTML.
	subjectTag, verbTag bool
	// afterComma says that an object is before the comma that was read.
	afterComma bool

	// Of a list: its first node and the current one, 0 if there is none. Whether object
	// holds a member that is not given yet.
	head, cell uint64
	member     bool
	// flawed says that a member of the list is lost.
	flawed bool
	// unsure says that nothing shows how many members are between the current node and
	// what comes.
	unsure bool
	doubt  fault.Code // why, if that is no string

	// braced says that a { stands for the [ of the bracket, so that a } may end it.
	braced bool

	// notes is what ~ and {| |} after the object are about; nil where there is none.
	notes *notes

	// Of the layout: the column where the statement began and that of the predicate, 0 if
	// they are not the first on their lines.
	start, column int64
	lastColumn    int64 // of the last predicate that was the first on its line
	// fresh says that the predicate has no sound object yet.
	fresh bool
	// verbs is the number of predicates so far; inside says that the layout shows the
	// current one to be within this frame.
	verbs  int
	inside bool
	// odd says that a [ may be lost in this frame. The layout shows it, or what was read as a
	// predicate or object may belong to another node.
	odd bool
	// hollow says that the bracket begins with values between commas, or holds one alone, and not
	// with a predicate. Most likely it is no bracket if it has no predicate.
	hollow bool
	// astray says that the subject is where predicates do: after a dot that stands for a semicolon, it may be one.
	astray bool
	// lineVerb is the offset of the last predicate that was the first on its line; 0 if there is none.
	lineVerb int64
	// stepped says that a predicate was in the column of those of the frame around. With
	// doubtful, there was a fault as well, so that what closes the frame may not be its own.
	stepped, doubtful bool
	steppedHeld       int // what is held back from there on
	// what is held back from this frame on, and up to where it is sure
	firstHeld, sureHeld int

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

// role is where a bracket is.
type role uint8

const (
	asObject role = iota
	asSubject
	asPredicate
	asNotes
)

// maxDepth is how many brackets may be open at once.
const maxDepth = 1000

func (r *turtle) top() *frame { return &r.stack[r.depth-1] }

// push opens a frame. False means that it would be too deep; the fault is dealt with.
func (r *turtle) push(kind frameKind, as role) bool {
	if r.depth > maxDepth || r.heavy() {
		n := r.Notice(fault.LimitNesting, fault.Drop, r.Tok.Pos, "more than %d brackets are open, or what they hold is too long", maxDepth)
		r.recover(n, false)
		return false
	}
	if r.depth == len(r.stack) {
		r.stack = append(r.stack, frame{})
	}
	r.depth++
	f := r.top()
	subject, predicate := f.subject.Buf, f.predicate.Buf
	if cap(subject)+cap(predicate) > 1<<20 {
		subject, predicate = nil, nil
	}
	*f = frame{kind: kind, role: as, pos: r.Tok.Pos}
	f.subject.Buf, f.predicate.Buf = subject, predicate
	f.atSubject, f.atPredicate, f.atObject = r.Repairs(), r.Repairs(), r.Repairs()
	if f.withholds() {
		r.opened(f)
	}
	return true
}

// heavy says that the terms of the open brackets are too much to hold. It adds them
// up only when a long one is on top.
func (r *turtle) heavy() bool {
	if r.depth == 0 || r.top().weight() < 64<<10 {
		return false
	}
	sum := 0
	for i := range r.stack[:r.depth] {
		sum += r.stack[i].weight()
	}
	return sum > 4*r.MaxToken
}

// withholds says that the contents of f are held back until it is closed. That is so for
// statements with a subject of their own, and for a list where none may be, which may be
// none.
func (f *frame) withholds() bool {
	return f.kind != statementFrame && f.hasPairs() || f.kind == listFrame && f.role != asObject
}
