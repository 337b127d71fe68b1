// Package turtle reads Turtle and TriG as a stream and with recovery.
//
// The reader runs the one grammar ([grammar.Step]) over the tokens of the text, and gives each act its
// effect. A term is made, a bracket opened, a statement given to the sink. A statement is given only
// when the token after its object may follow it.
//
// Where the grammar refuses a token, [repair.Find] finds what was meant. The reader goes back to the last
// place where nothing was held back, and carries the plan out.
package turtle

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/repair"
	"laundromat/rdf/ttl/terms"
)

// Options of a reading, which are set before Run.
type Options struct {
	// TriG says that the text is TriG. With Adapts it turns so at the { of a graph, without a repair.
	TriG, Adapts bool
	// Stepwise says that all is read token by token. What comes out is the same.
	Stepwise bool
	Input    rdf.Input
	Rules    repair.Switch
}

// Reader reads one text.
type Reader struct {
	terms.Reader
	Options

	at     grammar.State
	stack  []frame
	depth  int        // frames in use
	object terms.Held // the object that was read last; NoTerm if there is none
	spare  terms.Held
	tagged fault.Notice // of an object with a language tag and a ^^, if its datatype is another than that of such texts

	directive directive
	graph     graph
	quotes    quoteless
	held      withheld
	habits    *habits
	plain     plain
	from      checkpoint
	plan      plan
	losses    []fault.Notice // since the last place where nothing was held back

	anonymous uint64 // blank nodes without a label, so far
	quad      rdf.Quad
	sinkErr   error

	variables map[string]bool // of N3, that @forAll and @forSome name
}

// New makes a reader of the text whose terms t makes.
func New(t terms.Reader) *Reader {
	r := &Reader{Reader: t, habits: emptyHabits.Get().(*habits), plain: newPlain(t.To)}
	r.plan.clear()
	r.graph.brace.at = -1
	return r
}

// Free gives memory back that is reused, after Run.
func (r *Reader) Free() {
	*r.habits = habits{}
	emptyHabits.Put(r.habits)
	r.habits = nil
	r.Reader.Free()
}

// Run reads to the end of the text.
func (r *Reader) Run() error {
	r.settle(false)
	r.Next()
	for r.sinkErr == nil {
		if (r.Tok.From >= r.plan.next || r.BehindHole || len(r.Marks) > 0) && r.isDue() {
			continue
		}
		k := r.Tok.Kind
		act := grammar.Step(&r.at, k)
		if act < grammar.Settled {
			switch {
			case k == lex.Stopped:
				r.tellLosses()
				return r.Err
			case k == lex.EndOfText:
				r.end()
				return r.sinkErr
			case k == lex.OpenGraph && r.turnsN3(act):
				continue
			case act == grammar.Refused && r.isLanguage():
				act, k = grammar.TakeLanguage, lex.Language
			case act == grammar.Refused:
				if !r.passForeign(k) {
					r.mend()
				}
				continue
			case r.isDoubtful(act) && r.look():
				continue
			}
		}
		r.do(act, k)
		switch act {
		case grammar.EndStatement, grammar.PassSemicolon, grammar.PassComma, grammar.OpenGraph, grammar.CloseGraph, grammar.EndAll,
			grammar.EndDirective:
			r.readPlain()
		}
		r.Next()
	}
	return r.sinkErr
}

// isDue deals with what comes before the current token: a hole, marks, and the next step of a plan. It returns whether
// the token was left for another.
func (r *Reader) isDue() bool {
	if r.BehindHole && r.parted() {
		return true
	}
	if len(r.Marks) > 0 {
		r.TellMarks(r.tell)
	}
	return r.Tok.From >= r.plan.next && r.follow()
}

// isLanguage says that the current token is a language with the name of a directive.
func (r *Reader) isLanguage() bool {
	k := r.Tok.Kind
	return r.at.Expect == grammar.Tag && r.Tok.From == r.Ended.Offset && (k == lex.Prefix || k == lex.Base || k == lex.Version)
}

// isDoubtful says that the current token may be here, and yet may not be what it seems. That is a } with another
// one as the next brace, or the first { in Turtle.
func (r *Reader) isDoubtful(act grammar.Act) bool {
	if act == grammar.OpenGraph {
		return !r.TriG && r.graph.count == 0 && r.Tok.From > r.plan.reached && (!r.Adapts || r.nextBrace(true) != lex.CloseGraph)
	}
	return r.Tok.From > r.plan.reached && r.nextBrace(true) == lex.CloseGraph && r.confirmsBrace(lex.CloseGraph)
}

// put does what a sign or term that is missing would do.
func (r *Reader) put(k lex.Kind) bool {
	act := grammar.Step(&r.at, k)
	if act == grammar.Refused {
		return false
	}
	r.do(act, k)
	return true
}

// do gives an act its effect.
func (r *Reader) do(act grammar.Act, k lex.Kind) {
	switch act {
	case grammar.TakePredicate:
		r.takePredicate(k)
	case grammar.TakeObject, grammar.TakeString:
		r.takeObject(k)
	case grammar.PassComma:
		r.plan.spoilt = ""
		r.commit()
		r.top().afterComma = true
		r.settleBefore()
	case grammar.PassSemicolon:
		r.passSemicolon()
		r.settleBefore()
	case grammar.EndStatement:
		r.endStatement()
		r.at = grammar.State{InGraph: r.at.InGraph}
		r.settle(false)
		return
	case grammar.TakeSubject:
		r.takeSubject(k)
	case grammar.TakeLanguage, grammar.TakeCarets, grammar.TakeDatatype:
		r.takeTag(act, k)
	case grammar.Open:
		if r.open(k) {
			r.settle(false)
		}
		return
	case grammar.Close:
		r.settle(r.close(k))
		return
	case grammar.PassTilde, grammar.TakeReifier:
		r.takeReifier(act, k)
		r.at.Follow(act, k)
		r.settle(r.at.In == grammar.Reified)
		return
	default:
		r.plan.spoilt = ""
		settles := act == grammar.EndAll || r.atGraph(act, k) || r.inDirective(act, k)
		if act == grammar.EndAll {
			r.endStatement()
			r.graph.leave(r.Tok.From)
		}
		r.at.Follow(act, k)
		if settles {
			r.settle(false)
		}
		return
	}
	r.at.Follow(act, k)
}

// top is the innermost frame.
func (r *Reader) top() *frame { return &r.stack[r.depth-1] }

// checkpoint is the last place from which the text can be read again, since nothing that was read from there on was
// given away.
type checkpoint struct {
	at     grammar.State
	depth  int
	before fault.Pos // the end of the token before
	held   bool      // an object is not given yet
}

// settle makes the end of the current token such a place.
func (r *Reader) settle(held bool) { r.settleAt(r.Place(), held) }

// settleBefore makes the beginning of the current token such a place: a comma or semicolon, which may stand for
// another sign.
func (r *Reader) settleBefore() { r.settleAt(r.Ended, false) }

func (r *Reader) settleAt(before fault.Pos, held bool) {
	r.from = checkpoint{r.at, r.depth, before, held}
	r.Back = before.Offset
	if len(r.losses) > 0 {
		r.tellLosses()
	}
}

// takeSubject takes the subject of a statement, or of a triple.
func (r *Reader) takeSubject(k lex.Kind) {
	if r.at.In == grammar.Outside {
		if r.graph.open {
			r.doubtGraph()
			r.graph.statements++
		}
		r.push(grammar.Statement, grammar.AsObject)
		r.top().column = r.column()
	}
	f := r.top()
	switch {
	case k == grammar.Missing:
		r.lack(&f.subject)
		r.loseLacking("a subject is missing, or is none")
	case !r.takeTerm(&f.subject):
	case k != lex.Label:
		f.subjectSpace = r.habits.subjectSpace(r)
	}
	r.doubtTerm(&f.subject.Dead)
	if r.plan.mended {
		f.subject.Repaired, r.plan.mended = true, false
	}
	f.atPredicate = r.Repairs()
}

// lack makes h a term that is missing.
func (r *Reader) lack(h *terms.Held) {
	h.Clear()
	h.Pos, h.Dead = r.Tok.Pos, r.plan.code
}

// loseLacking loses the statement that lacks a term.
func (r *Reader) loseLacking(message string) {
	switch n := r.plan.untold; {
	case n != nil:
		r.plan.untold = nil
		r.lose(*n)
	case !r.top().lost:
		r.lose(r.Notice(r.plan.code, fault.Drop, r.Tok.Pos, "%s", message))
	}
}

func (r *Reader) takePredicate(k lex.Kind) {
	f := r.top()
	f.afterComma = false
	f.atPredicate = r.Repairs()
	f.fresh = k != grammar.Missing
	switch {
	case k == grammar.Missing:
		r.lack(&f.predicate)
		r.loseLacking("a predicate is missing, or is none")
	case r.Tok.Kind == lex.Formula:
		r.takeTerm(&f.predicate)
	case !r.tookTerm(&f.predicate, r.TakeNamed(&f.predicate, "the predicate")):
	default:
		f.verb = r.hashToken()
		if !r.habits.isVerb(f.verb) {
			f.space = r.hashSpace()
		}
		if column := r.column(); column > 0 {
			r.judgeColumn(f, column)
		}
	}
	r.doubtTerm(&f.predicate.Dead)
	if r.plan.mended {
		f.predicate.Repaired, r.plan.mended = true, false
	}
	f.verbs++
	f.atObject = r.Repairs()
}

// takeObject takes an object, or a member of a list.
func (r *Reader) takeObject(k lex.Kind) {
	f := r.top()
	if f.kind == grammar.List {
		r.nextCell(f)
		f.list.member = true
		r.settleBefore()
		r.from.at.Expect = grammar.Member
	}
	f.atObject = r.Repairs()
	switch {
	case k == grammar.Missing:
		r.lack(&r.object)
		r.loseLacking("an object is missing, or is none")
	case !r.takeTerm(&r.object):
	}
}

func (r *Reader) passSemicolon() {
	f := r.top()
	r.plan.spoilt = ""
	if r.at.Expect != grammar.NextVerb {
		r.commit()
	}
	f.lost = false
}

// endStatement ends the statement.
func (r *Reader) endStatement() {
	if r.at.Expect != grammar.NextVerb && r.at.Expect != grammar.FirstVerb {
		r.commit()
	}
	r.plan.spoilt = ""
	r.Withdraw(r.stack[0].atSubject)
	r.depth = 0
}

// takeTag reads what follows the string of a literal.
func (r *Reader) takeTag(act grammar.Act, k lex.Kind) {
	h := &r.object
	switch {
	case h.Dead != "":
	case act == grammar.TakeLanguage:
		if r.at.Expect == grammar.LateTag && !r.LacksLanguage(h) {
			h.Dead = fault.SyntaxUnexpected
			r.lose(r.Notice(h.Dead, fault.Drop, r.Tok.Pos, terms.NotBoth))
			break
		}
		r.TakeLanguage(h)
	case act == grammar.TakeCarets:
		if len(h.Language) > 0 {
			r.tagged = r.Notice(fault.SyntaxUnexpected, fault.Drop, r.Tok.Pos, terms.NotBoth)
		}
	case k == grammar.Missing:
		h.Dead = r.plan.code
		r.loseLacking("no datatype follows ^^")
	case !r.TakeDatatype(h, &r.spare):
		r.lose(r.Problem)
	case len(h.Language) > 0 && rdf.LanguageType(h.Datatype) == "":
		h.Dead = fault.SyntaxUnexpected
		r.lose(r.tagged)
	}
}

// end deals with what is open where the text ends.
func (r *Reader) end() {
	switch e := r.at.Expect; {
	case r.depth == 0 && (e == grammar.Block || e == grammar.DirectiveEnd && !r.at.Dotted):
	case e == grammar.DirectiveEnd:
		n := r.Notice(fault.SyntaxMissingDot, fault.Repair, r.Ended, "the dot at the end of this directive is missing")
		r.Edit(&n, r.Ended.Offset, r.Ended.Offset, " .")
		r.tell(n)
		r.put(lex.Dot)
	case e == grammar.Reifier && r.depth == 1:
		n := r.Notice(fault.SyntaxUnfinished, fault.Drop, r.Ended, "the text ends where a reifier may have been cut off")
		r.reifier().Dead = n.Code
		r.lose(n)
		r.stray("the dot at the end of this statement is missing")
		r.put(lex.Dot)
	case r.depth == 1 && r.at.In == grammar.Statement && grammar.Step(&r.at, lex.Dot) == grammar.EndStatement &&
		(e == grammar.NextVerb || e == grammar.FirstVerb || !r.CutShort()):
		n := r.Notice(fault.SyntaxMissingDot, fault.Repair, r.Ended, "the dot at the end of this statement is missing")
		r.Edit(&n, r.Ended.Offset, r.Ended.Offset, " .")
		if r.gives() {
			r.object.Repaired = true
			r.Pending = append(r.Pending, n)
		} else {
			r.tell(n)
		}
		r.put(lex.Dot)
	default:
		n := r.Notice(fault.SyntaxUnfinished, fault.Drop, r.Ended, "the text ends in the middle of a statement")
		r.giveUp(n)
	}
	if r.graph.open && r.sinkErr == nil {
		n := r.Notice(fault.SyntaxStray, fault.Repair, r.Ended, "the } of the last graph is missing")
		r.Edit(&n, r.Ended.Offset, r.Ended.Offset, " }")
		r.tell(n)
	}
}

// stray reports punctuation that was ignored. No statement is touched by it.
func (r *Reader) stray(message string) {
	r.tell(r.Notice(fault.SyntaxStray, fault.Repair, r.Tok.Pos, "%s", message))
}

// parted deals with a hole before the current token, if it is within a statement.
func (r *Reader) parted() bool {
	if r.at.Expect == grammar.Block || r.Tok.Kind == lex.EndOfText || r.Tok.Kind == lex.Stopped {
		return false
	}
	n := r.HoleWithin(r.Ended.Offset)
	r.BehindHole = false
	r.giveUp(n)
	r.settle(false)
	r.from.before = r.Ended
	return true
}
