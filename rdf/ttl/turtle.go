package ttl

import (
	"bytes"

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
	tagged fault.Notice // of an object with a language tag and a ^^, if its datatype is another than that of such texts
	// objectColumn is the column of object, 0 if it is not the first on its line; text
	// is its token, if it is a string.
	objectColumn int64
	text         token

	habits   *habits
	foreseen bool // see foresee
	withheld withheld
	odd      int  // how many statements were held back where a line or a [ may be lost; -1 if none seems to be
	oddSure  bool // it is
	// looked is how many bytes were looked at ahead, to find where to go on; reached is
	// where the last fault was.
	looked, reached int64
	walked          int64 // up to where members of a list made sense
	resumed         int64 // where reading went on behind the last fault; -1 if that is no matter

	graph   held // NoTerm for the default graph
	inGraph bool
	// graphDead is why no statement of the present graph can be kept.
	graphDead fault.Code
	// graphs is how many were begun so far; graphStatements how many statements, in those before the present one.
	graphs, graphStatements int
	// graphColumn is where the graph begins, 0 if that is not the first of a line;
	// inGraphStatements is the number of statements in it so far; graphChecked says that it was looked
	// at whether it is closed.
	graphColumn       int64
	inGraphStatements int
	// open says that no } was found for the graph; unsure that what stands in it from here on may
	// stand behind it as well.
	open, unsure bool
	// left is the graph before, until something sound was read behind its }; justLeft says so.
	left         held
	leftDead     fault.Code
	justLeft     bool
	leftAlone    bool // that } stands alone on its line
	graphChecked bool
	// relabelled is the offset of the last label that was read again, since it was read as a part
	// of the statement before.
	relabelled int64
	// unopened is the last offset before the brace that was found last where the { of a graph is missing, -1 if there
	// is none. brace and braceUnopened are what soonBrace found from offset braceFrom on, at braceTo.
	unopened, braceUnopened int64
	brace                   tokenKind
	braceFrom, braceTo      int64

	anonymous uint64 // blank nodes without a label, so far
	quad      rdf.Quad
	sinkErr   error
}

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

func newTurtle(t terms, trig bool) *turtle {
	return &turtle{terms: t, trig: trig, habits: emptyHabits.Get().(*habits), resumed: -1, odd: -1, relabelled: -1}
}

// free gives memory back that serves again, after run.
func (r *turtle) free() {
	*r.habits = habits{}
	emptyHabits.Put(r.habits)
	r.habits = nil
	r.window.free()
}

// run reads to the end of the text.
func (r *turtle) run() error {
	r.next()
	for r.sinkErr == nil {
		if r.behindHole && r.parted() {
			continue
		}
		if len(r.marks) > 0 {
			r.tellMarks(r.to.Notice)
		}
		switch r.tok.kind {
		case stopped:
			return r.err
		case endOfText:
			r.end()
			return r.sinkErr
		case iriToken:
			if r.scrap() {
				continue
			}
		case symbolToken:
			if r.scrap() || r.scrapLine() {
				continue
			}
		case brokenToken:
			if r.tok.code != fault.SyntaxUnclosedIRI && r.scrapLine() {
				continue
			}
		case nameToken:
			if r.state != expectVerb && r.startsLine() && !r.isDeclared() && r.scrapLine() {
				continue
			}
		case openGraph:
			if r.startsLine() && r.nextKind() == stringToken && r.scrapLine() {
				continue
			}
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
	case languageToken:
		if bytes.EqualFold(r.bytes(&r.tok), []byte("@charset")) && r.charset() {
			return
		}
		r.recover(r.unexpected("the beginning of a statement"), false)
	case closeGraph:
		if r.inGraph {
			if r.isStrayClose() {
				r.stray("this } closes nothing; it was ignored")
				r.next()
				return
			}
			if r.closesTwice() {
				r.beginUnknown()
				return
			}
			first := r.startsLine()
			r.leaveGraph()
			r.next()
			r.leftAlone = first && r.startsLine()
			return
		}
		r.stray("this } closes nothing; it was ignored")
		r.next()
	case dot:
		r.stray("this dot ends nothing; it was ignored")
		r.next()
	case openGraph:
		if is, ends := r.isBlock(); is && (r.inGraph || !ends || r.isDoubled()) {
			if !ends && r.opensNothing() {
				r.stray("this { has no }, for another graph begins before one; it was ignored")
				r.next()
				return
			}
			r.recover(r.unexpected("the beginning of a statement"), false)
			return
		}
		r.spare.clear()
		r.enterGraph(&r.spare, r.column())
	case graphToken:
		r.graphKeyword()
	case iriToken, nameToken, labelToken:
		if r.inGraph {
			r.closeUnclosed()
			r.inGraphStatements++
			r.doubtGraph()
		}
		if r.push(statementFrame, asObject) {
			f := r.top()
			f.label, f.named = true, true
			f.start, f.subjectTag = r.column(), r.isTag() || r.isEndTag()
			if f.astray = k != labelToken && r.standsAsVerb(); f.astray {
				r.beginOdd()
				f.odd = true
			}
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
		if k == stringToken && r.isTail() {
			n := r.misplaced("a subject")
			r.seek(r.tok.pos, r.tok.from+3)
			r.next()
			r.recover(n, false)
			return
		}
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
		ok := r.takeNamed(&f.predicate, "the predicate")
		if !ok && k == nameToken && r.scrapLine() {
			f.predicate.clear()
			return
		}
		f.fresh, f.isA, f.verbTag = true, k == aToken, r.isTag() || r.isEndTag()
		f.verbs++
		if r.judgeColumn(f, r.column()); !ok {
			r.lose(r.problem)
		}
		f.atObject = r.seen()
		r.next()
		r.state = expectObject
	case semicolon:
		if !f.started {
			r.stray("nothing stands before this semicolon; it was ignored")
			if r.doubtSubject(f); f.kind == statementFrame && (f.complete || f.start > 0 && len(r.habits.starts[r.kindOfPlace()].all()) > 0 && r.beginsByLayout(f.start) != likely && !r.hasBegun(f.start)) {
				f.subject.dead = fault.SyntaxStray // it may be an object whose predicate is missing
			}
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
		if f.kind == propertiesFrame && f.closedBy(k) {
			r.closeBracket()
			return
		}
		if f.kind != statementFrame || k == closeGraph && (!r.inGraph || r.dividesName() || r.closesTooEarly()) {
			r.recover(r.unexpected("a predicate or ]"), true)
			return
		}
		if k == dot && f.label && f.verbs == 0 && !r.inGraph && r.hasGraphs() && r.dotBeforeGraph() {
			f.subject.repaired = true
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
		if f.started && r.goesOnBehindBrace() {
			r.stray("this { opens nothing; it was ignored")
			r.beginOdd()
			f.odd = true
			r.next()
			return
		}
		if is, ends := r.isBlock(); f.kind != statementFrame || f.started || is && (r.inGraph || !ends || r.isDoubled()) {
			r.recover(r.unexpected("a predicate"), is)
			return
		}
		r.labelledGraph(f)
	default:
		if f.named && f.verbs == 0 && !f.started && f.subject.dead == "" && r.isGlued() {
			f.subject.dead = r.tok.code // who knows where that ends
		}
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
		case k == labelToken && r.mayStandUnopened(f, walker{state: expectStatement, inGraph: true}):
			r.depth = 0
			r.enterUnopened(&f.subject, f.start, r.tok.pos)
		case k == labelToken && f.kind == statementFrame && f.started && r.odd < 0 && r.isSubjectOf():
			column := r.column()
			r.take(&r.spare)
			r.splitAtSemicolon(&r.spare, column)
			r.next()
		case k == labelToken && f.kind == statementFrame && !f.started && r.isSubjectOf():
			if r.inGraph && f.verbs == 0 && f.subject.dead == "" && r.standsAsGraph(f.start) {
				r.stray("the graph before is not closed; it was taken to end here")
				r.leaveGraph()
				r.depth = 0
				r.enterUnopened(&f.subject, f.start, r.tok.pos)
				return
			}
			f.subject.dead = fault.SyntaxIncomplete // most likely it is the label of a graph
			r.deadPredicate(f)
			r.next()
			r.state = expectObject
		case k == labelToken && r.startsLine() && (f.started && r.beginsByLayout(r.column()) == likely || endless(f.subject.dead)):
			r.recover(r.misplaced("a predicate"), true)
		case r.isIs():
			r.verbIsA(f)
		case k == brokenToken && r.tok.code == fault.SyntaxWord && r.startsLine() && !r.standsAsTerm():
			r.recover(r.unexpected("a predicate"), true)
		case k.isTerm(), k == symbolToken:
			r.deadPredicate(f)
			r.next()
			r.state = expectObject
		default:
			if k == unclosedToken && f.verbs == 0 {
				r.doubtAsVerb(f)
			}
			r.recover(r.unexpected("a predicate"), true)
		}
	}
}

// isGlued says that the present token is faulty, and stands right behind a name.
func (r *turtle) isGlued() bool {
	before := r.tok.from - r.base - 1
	return r.tok.code != "" && r.tok.from == r.ended.Offset && before >= 0 && r.buf[before] != '>'
}

// goesOnBehindBrace looks ahead whether what follows the present {, which stands behind a
// semicolon, makes sense without it, and not in a graph.
func (r *turtle) goesOnBehindBrace() bool {
	v := r.walk(walker{frames: r.depth, inGraph: r.inGraph, state: expectVerb, may: true, skip: true})
	return v.sound() && !r.opensSoundly()
}

func (r *turtle) deadPredicate(f *frame) {
	r.foresee()
	f.predicate.clear()
	f.predicate.dead = fault.SyntaxMisplacedTerm
	f.atObject = r.seen()
	f.verbs++
	f.fresh, f.column, f.isA = false, 0, false
	r.doubtSubject(f)
	r.lose(r.misplaced("a predicate"))
}

// isSubjectOf says that the present token is plainly a subject: the keyword a follows it, or another predicate
// and its object.
func (r *turtle) isSubjectOf() bool {
	m := r.mark()
	defer r.reset(m)
	r.next()
	if k := r.tok.kind; k == aToken || !k.isVerb() {
		return k == aToken
	}
	r.next()
	return r.plainlyObject()
}

// standsAsTerm says that what follows makes sense if the present token is a predicate that is
// none, and no word of a text the beginning of which is lost.
func (r *turtle) standsAsTerm() bool {
	w := walker{frames: r.depth, inGraph: r.inGraph, state: expectObject, skip: true}
	v := r.walk(w)
	return v.sound()
}

// isIs says that the present token is the word is before the keyword a.
func (r *turtle) isIs() bool {
	return r.tok.kind == brokenToken && r.tok.code == fault.SyntaxWord && string(r.bytes(&r.tok)) == "is" && r.nextKind() == aToken
}

// verbIsA reads the keyword a without the word is before it, which is present.
func (r *turtle) verbIsA(f *frame) {
	f.atPredicate = r.seen()
	f.fresh, f.isA = true, true
	f.verbs++
	r.judgeColumn(f, r.column())
	r.repair(fault.SyntaxWord, r.tok.pos, "the word before the keyword a was left out")
	r.next()
	r.take(&f.predicate)
	f.predicate.repaired = true
	f.atObject = r.seen()
	r.next()
	r.state = expectObject
}

// finish ends the statement.
func (r *turtle) finish() {
	r.withdraw(r.stack[0].atSubject)
	r.depth = 0
	if r.odd >= 0 {
		r.endOdd(r.oddSure)
	}
	r.state = expectStatement
}

// stray tells of punctuation that was ignored. No statement is touched by it.
func (r *turtle) stray(message string) {
	r.to.Notice(r.notice(fault.SyntaxStray, fault.Repair, r.tok.pos, "%s", message))
}
