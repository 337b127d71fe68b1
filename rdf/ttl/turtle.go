package ttl

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/terms"
)

// turtle reads Turtle and TriG. It is a machine of states over a stack of open brackets,
// with one frame for the statement and one for each [ and ( in it. So depth is a number,
// and not the stack of the program.
//
// A statement is given to the sink only when the token after its object may follow it. So
// an object that merely began well is never written.
type turtle struct {
	terms.Reader
	in     rdf.Input
	trig   bool
	adapts bool // the format was guessed: a graph's { makes Turtle TriG

	state  state
	stack  []frame
	depth  int        // frames in use
	object terms.Held // the object that was read last; NoTerm if there is none
	spare  terms.Held
	tagged fault.Notice // of an object with a language tag and a ^^, if its datatype is another than that of such texts
	// objectColumn is the column of object, 0 if it is not the first on its line; text
	// is its token, if it is a string.
	objectColumn int64
	text         lex.Token

	habits   *habits
	foreseen bool // see foresee
	withheld withheld
	odd      int  // how many statements were held back where a line or a [ may be lost; -1 if none seems to be
	oddSure  bool // it is
	// looked is how many bytes were looked at ahead, to find where to go on; reached is
	// where the last fault was.
	looked, reached int64
	walked          int64 // up to where members of a list made sense
	resumed         int64 // where reading went on after the last fault; -1 if that is no matter

	graph   terms.Held // NoTerm for the default graph
	inGraph bool
	// graphDead is why no statement of the current graph can be kept.
	graphDead fault.Code
	// graphs is how many were begun so far; graphStatements how many statements, in those before the current one.
	graphs, graphStatements int
	// graphColumn is where the graph begins, 0 if that is not the first of a line. The
	// field inGraphStatements is the number of statements in it so far; graphChecked says
	// that it was checked for its end.
	graphColumn       int64
	inGraphStatements int
	// open says that no } was found for the graph; unsure that what is in it from here on may
	// be after it as well.
	open, unsure bool
	// left is the graph before, until something sound was read after its }; justLeft says so.
	left         terms.Held
	leftDead     fault.Code
	justLeft     bool
	leftAlone    bool // that } is alone on its line
	graphChecked bool
	// relabelled is the offset of the last label that was read again, since it was read as a part
	// of the statement before.
	relabelled int64
	// unopened is the last offset before the brace that was found last where the { of a graph is missing, -1 if there
	// is none. The fields brace and braceUnopened are what soonBrace found from offset braceFrom on, at braceTo.
	unopened, braceUnopened int64
	brace                   lex.Kind
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

func newTurtle(t terms.Reader, trig bool) *turtle {
	return &turtle{Reader: t, trig: trig, habits: emptyHabits.Get().(*habits), resumed: -1, odd: -1, relabelled: -1}
}

// free gives memory back that is reused, after run.
func (r *turtle) free() {
	*r.habits = habits{}
	emptyHabits.Put(r.habits)
	r.habits = nil
	r.Free()
}

// run reads to the end of the text.
func (r *turtle) run() error {
	r.Next()
	for r.sinkErr == nil {
		if r.BehindHole && r.parted() {
			continue
		}
		if len(r.Marks) > 0 {
			r.TellMarks(r.To.Notice)
		}
		switch r.Tok.Kind {
		case lex.Stopped:
			return r.Err
		case lex.EndOfText:
			r.end()
			return r.sinkErr
		case lex.IRI:
			if r.scrap() {
				continue
			}
		case lex.Symbol:
			if r.scrap() || r.scrapLine() {
				continue
			}
		case lex.Broken:
			if r.Tok.Code != fault.SyntaxUnclosedIRI && r.scrapLine() {
				continue
			}
		case lex.Name:
			if r.state != expectVerb && r.startsLine() && !r.isDeclared() && r.scrapLine() {
				continue
			}
		case lex.OpenGraph:
			if r.startsLine() && r.nextKind() == lex.String && r.scrapLine() {
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
	switch k := r.Tok.Kind; k {
	case lex.Prefix, lex.Base, lex.SPARQLPrefix, lex.SPARQLBase:
		r.directive()
	case lex.Version, lex.SPARQLVersion:
		r.version()
	case lex.Language:
		if bytes.EqualFold(r.Bytes(&r.Tok), []byte("@charset")) && r.charset() {
			return
		}
		r.recover(r.unexpected("the beginning of a statement"), false)
	case lex.CloseGraph:
		if r.inGraph {
			if r.isStrayClose() {
				r.stray("this } closes nothing; it was ignored")
				r.Next()
				return
			}
			if r.closesTwice() {
				r.beginUnknown()
				return
			}
			first := r.startsLine()
			r.leaveGraph()
			r.Next()
			r.leftAlone = first && r.startsLine()
			return
		}
		r.stray("this } closes nothing; it was ignored")
		r.Next()
	case lex.Dot:
		r.stray("this dot ends nothing; it was ignored")
		r.Next()
	case lex.OpenGraph:
		if is, ends := r.isBlock(); is && (r.inGraph || !ends || r.isDoubled()) {
			if !ends && r.opensNothing() {
				r.stray("this { has no }, for another graph begins before one; it was ignored")
				r.Next()
				return
			}
			r.recover(r.unexpected("the beginning of a statement"), false)
			return
		}
		r.spare.Clear()
		r.enterGraph(&r.spare, r.column())
	case lex.Graph:
		r.graphKeyword()
	case lex.IRI, lex.Name, lex.Label:
		if r.inGraph {
			r.closeUnclosed()
			r.inGraphStatements++
			r.doubtGraph()
		}
		if r.push(statementFrame, asObject) {
			f := r.top()
			f.label, f.named = true, true
			f.start, f.subjectTag = r.column(), r.isTag() || r.isEndTag()
			if f.astray = k != lex.Label && r.standsAsVerb(); f.astray {
				r.beginOdd()
				f.odd = true
			}
			if !r.Take(&f.subject) {
				r.lose(r.Problem)
			}
			f.atPredicate = r.Repairs()
			r.Next()
			r.state = expectVerb
		}
	case lex.OpenProperties, lex.OpenList:
		if r.push(statementFrame, asObject) {
			r.bracket(asSubject)
		}
	case lex.OpenReified, lex.OpenTriple:
		if r.push(statementFrame, asObject) {
			r.triple(asSubject)
		}
	default:
		if k == lex.String && r.isTail() {
			n := r.Misplaced("a subject")
			r.Seek(r.Tok.Pos, r.Tok.From+3)
			r.Next()
			r.recover(n, false)
			return
		}
		if !k.IsTerm() {
			r.recover(r.unexpected("the beginning of a statement"), false)
			return
		}
		if r.push(statementFrame, asObject) {
			f := r.top()
			f.subject.Clear()
			f.subject.Dead = fault.SyntaxMisplacedTerm
			r.lose(r.Misplaced("a subject"))
			r.Next()
			r.state = expectVerb
		}
	}
}

// bracket opens the frame of a [ or (.
func (r *turtle) bracket(as role) {
	kind, then := propertiesFrame, expectVerb
	if r.Tok.Kind == lex.OpenList {
		kind, then = listFrame, expectMember
	}
	if !r.push(kind, as) {
		return
	}
	if kind == propertiesFrame {
		r.anonymous++
		r.top().subject.SetNode(r.anonymous, r.Tok.Pos)
	}
	r.Next()
	r.state = then
}

// verb reads
//
//	predicateObjectList ::= verb objectList (';' (verb objectList)?)*
func (r *turtle) verb() {
	f := r.top()
	f.afterComma = false
	switch k := r.Tok.Kind; k {
	case lex.IRI, lex.Name, lex.A:
		f.atPredicate = r.Repairs()
		ok := r.TakeNamed(&f.predicate, "the predicate")
		if !ok && k == lex.Name && r.scrapLine() {
			f.predicate.Clear()
			return
		}
		f.fresh, f.isA, f.verbTag = true, k == lex.A, r.isTag() || r.isEndTag()
		f.verbs++
		if r.judgeColumn(f, r.column()); !ok {
			r.lose(r.Problem)
		}
		f.atObject = r.Repairs()
		r.Next()
		r.state = expectObject
	case lex.Semicolon:
		if !f.started {
			r.stray("nothing stands before this semicolon; it was ignored")
			if r.doubtSubject(f); f.kind == statementFrame && (f.complete || f.start > 0 && len(r.habits.starts[r.kindOfPlace()].all()) > 0 && r.beginsByLayout(f.start) != likely && !r.hasBegun(f.start)) {
				f.subject.Dead = fault.SyntaxStray // it may be an object whose predicate is missing
			}
		}
		r.Next()
	case lex.CloseProperties:
		if f.kind != propertiesFrame {
			r.recover(r.unexpected("a predicate"), true)
			return
		}
		r.closeBracket()
	case lex.CloseNotes:
		if f.kind != notesFrame {
			r.recover(r.unexpected("a predicate"), true)
			return
		}
		if !f.started {
			r.stray("nothing stands in this {| |}")
		}
		r.closeNotes()
	case lex.Dot, lex.CloseGraph:
		if f.kind == propertiesFrame && f.closedBy(k) {
			r.closeBracket()
			return
		}
		if f.kind != statementFrame || k == lex.CloseGraph && (!r.inGraph || r.dividesName() || r.closesTooEarly()) {
			r.recover(r.unexpected("a predicate or ]"), true)
			return
		}
		if k == lex.Dot && f.label && f.verbs == 0 && !r.inGraph && r.hasGraphs() && r.dotBeforeGraph() {
			f.subject.Repaired = true
			return
		}
		if !f.started && !f.complete {
			r.lose(r.Notice(fault.SyntaxIncomplete, fault.Drop, r.Tok.Pos, "the statement ends before its predicate"))
		}
		r.finish()
		if k == lex.Dot {
			r.Next()
		}
	case lex.OpenGraph:
		if f.started && r.goesOnBehindBrace() {
			r.stray("this { opens nothing; it was ignored")
			r.beginOdd()
			f.odd = true
			r.Next()
			return
		}
		if is, ends := r.isBlock(); f.kind != statementFrame || f.started || is && (r.inGraph || !ends || r.isDoubled()) {
			r.recover(r.unexpected("a predicate"), is)
			return
		}
		r.labelledGraph(f)
	default:
		if f.named && f.verbs == 0 && !f.started && f.subject.Dead == "" && r.isGlued() {
			f.subject.Dead = r.Tok.Code // who knows where that ends
		}
		switch {
		case k.IsDirective() && f.kind == statementFrame && f.started:
			r.stray("the semicolon before ends the statement: the dot is missing")
			r.finish()
		case k == lex.OpenProperties, k == lex.OpenList:
			r.deadPredicate(f)
			r.bracket(asPredicate)
		case k == lex.OpenReified, k == lex.OpenTriple:
			r.deadPredicate(f)
			r.triple(asPredicate)
		case k == lex.Label && r.mayStandUnopened(f, walker{state: expectStatement, inGraph: true}):
			r.depth = 0
			r.enterUnopened(&f.subject, f.start, r.Tok.Pos)
		case k == lex.Label && f.kind == statementFrame && f.started && r.odd < 0 && r.isSubjectOf():
			column := r.column()
			r.Take(&r.spare)
			r.splitAtSemicolon(&r.spare, column)
			r.Next()
		case k == lex.Label && f.kind == statementFrame && !f.started && r.isSubjectOf():
			if r.inGraph && f.verbs == 0 && f.subject.Dead == "" && r.standsAsGraph(f.start) {
				r.stray("the graph before is not closed; it was taken to end here")
				r.leaveGraph()
				r.depth = 0
				r.enterUnopened(&f.subject, f.start, r.Tok.Pos)
				return
			}
			f.subject.Dead = fault.SyntaxIncomplete // most likely it is the label of a graph
			r.deadPredicate(f)
			r.Next()
			r.state = expectObject
		case k == lex.Label && r.startsLine() && (f.started && r.beginsByLayout(r.column()) == likely || endless(f.subject.Dead)):
			r.recover(r.Misplaced("a predicate"), true)
		case r.isIs():
			r.verbIsA(f)
		case k == lex.Broken && r.Tok.Code == fault.SyntaxWord && r.startsLine() && !r.standsAsTerm():
			r.recover(r.unexpected("a predicate"), true)
		case k.IsTerm(), k == lex.Symbol:
			r.deadPredicate(f)
			r.Next()
			r.state = expectObject
		default:
			if k == lex.Unclosed && f.verbs == 0 {
				r.doubtAsVerb(f)
			}
			r.recover(r.unexpected("a predicate"), true)
		}
	}
}

// isGlued says that the current token is faulty, and is right after a name.
func (r *turtle) isGlued() bool {
	before := r.Tok.From - r.Base - 1
	return r.Tok.Code != "" && r.Tok.From == r.Ended.Offset && before >= 0 && r.Buf[before] != '>'
}

// goesOnBehindBrace looks ahead whether what follows the current {, which is after a
// semicolon, makes sense without it, and not in a graph.
func (r *turtle) goesOnBehindBrace() bool {
	v := r.walk(walker{frames: r.depth, inGraph: r.inGraph, state: expectVerb, may: true, skip: true})
	return v.sound() && !r.opensSoundly()
}

func (r *turtle) deadPredicate(f *frame) {
	r.foresee()
	f.predicate.Clear()
	f.predicate.Dead = fault.SyntaxMisplacedTerm
	f.atObject = r.Repairs()
	f.verbs++
	f.fresh, f.column, f.isA = false, 0, false
	r.doubtSubject(f)
	r.lose(r.Misplaced("a predicate"))
}

// isSubjectOf says that the current token is clearly a subject: the keyword a follows it, or another predicate
// and its object.
func (r *turtle) isSubjectOf() bool {
	m := r.Mark()
	defer r.Reset(m)
	r.Next()
	if k := r.Tok.Kind; k == lex.A || !k.IsVerb() {
		return k == lex.A
	}
	r.Next()
	return r.plainlyObject()
}

// standsAsTerm says that what follows makes sense if the current token is in the place of a
// predicate, but is none. It is then no word of a text whose beginning is lost.
func (r *turtle) standsAsTerm() bool {
	w := walker{frames: r.depth, inGraph: r.inGraph, state: expectObject, skip: true}
	v := r.walk(w)
	return v.sound()
}

// isIs says that the current token is the word is before the keyword a.
func (r *turtle) isIs() bool {
	return r.Tok.Kind == lex.Broken && r.Tok.Code == fault.SyntaxWord && string(r.Bytes(&r.Tok)) == "is" && r.nextKind() == lex.A
}

// verbIsA reads the keyword a without the word is before it, which is present.
func (r *turtle) verbIsA(f *frame) {
	f.atPredicate = r.Repairs()
	f.fresh, f.isA = true, true
	f.verbs++
	r.judgeColumn(f, r.column())
	r.Repair(fault.SyntaxWord, r.Tok.Pos, "the word before the keyword a was left out")
	r.Next()
	r.Take(&f.predicate)
	f.predicate.Repaired = true
	f.atObject = r.Repairs()
	r.Next()
	r.state = expectObject
}

// finish ends the statement.
func (r *turtle) finish() {
	r.Withdraw(r.stack[0].atSubject)
	r.depth = 0
	if r.odd >= 0 {
		r.endOdd(r.oddSure)
	}
	r.state = expectStatement
}

// stray reports punctuation that was ignored. No statement is touched by it.
func (r *turtle) stray(message string) {
	r.To.Notice(r.Notice(fault.SyntaxStray, fault.Repair, r.Tok.Pos, "%s", message))
}
