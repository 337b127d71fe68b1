package ttl

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/rdf/ttl/lex"
)

// recover skips what follows a fault, from the current token on, and reports n,
// which costs the statement that is being read.
//
// It looks for the nearest place where reading may go on, and tries each with a walk over
// the tokens after it. So the reading is chosen that makes sense of what follows. With
// near, and as long as no other statement may have begun, these are places in the open
// frames. Else they are only those where a statement begins. Line ends alone never count.
func (r *turtle) recover(n fault.Notice, near bool) {
	r.foresee()
	if r.Tok.Kind == lex.OpenGraph && r.labelBegins() {
		r.beginLabelled(n)
		return
	}
	if r.bracketIsStray() {
		return
	}
	from, label := r.Tok.From, r.mayBeLabel()
	if r.odd >= 0 && r.Tok.Kind == lex.CloseProperties && r.depth == 1 {
		r.endOdd(true)
		f := r.top() // and its predicate may be that of what is lost
		f.predicate.Clear()
		f.predicate.Dead = n.Code
	}
	if r.depth > 0 && r.stack[0].astray && r.stack[0].subject.Dead == "" {
		r.stack[0].subject.Dead, r.oddSure = n.Code, true
	}
	if r.reached = max(r.reached, from); r.Tok.Code == fault.LimitToken {
		r.reached = max(r.reached, r.Tok.To) // so much was read, which the looks at what follows may cost
	}
	if r.depth > 0 {
		r.top().doubtTags(n.Code)
	}
	for i := range r.stack[:r.depth] {
		r.stack[i].doubtful = r.stack[i].doubtful || r.stack[i].stepped
	}
	for {
		again := r.Tok.From == r.resumed // the place was none
		s := search{turtle: r, from: r.Tok.From, line0: n.Line, near: near && r.depth > 0 && !again, again: again, member: r.Tok.Code != "" && r.state == expectMember}
		if s.run(); s.best.act != nowhere {
			if t := &s.best.string; t.To > 0 && t.From < from {
				n = r.Notice(fault.SyntaxUnclosedString, fault.Drop, t.Pos, "the quotation mark that ends this string is missing, or one in it is not escaped")
				from = t.From
			}
			act := s.best.act
			if act != goOnUnopened {
				r.reenter(label, from)
			}
			r.resume(&s.best, n, from)
			if r.resumed = r.Tok.From; act == goOnDot {
				r.resumed = -1
			}
			return
		}
		if near = false; s.over {
			r.Next()
		}
		if k := r.Tok.Kind; k == lex.EndOfText || k == lex.Stopped {
			r.giveUp(n, from)
			return
		}
	}
}

// doubtTags is called where a fault is found in f: what looks like a tag of HTML is one, most likely.
func (f *frame) doubtTags(code fault.Code) {
	if f.subjectTag && f.verbs <= 1 && !f.started {
		f.subject.Dead = code
	}
	if f.verbTag && f.fresh {
		f.predicate.Dead = code
	}
}

// search looks for a place to go on.
type search struct {
	*turtle
	from  int64
	line0 int64 // the line of the fault
	again bool  // reading went on at the current token before, without success
	near  bool  // no other statement has begun since the fault
	// member says that the fault is that of one member of a list, so that the next term is
	// another member. With quoted, a string was skipped.
	member, quoted bool
	// inText says that the place was found within what the lexer took for a string.
	inText  lex.Token
	midLine bool // and that is one in three quotes, on a later line, the line of which goes on
	// lostText says that words were skipped, and quotation marks after them that end a string.
	lostText bool
	depth    int  // brackets opened since the fault
	terms    int  // since the fault, or the last separator after it
	textual  bool // there were words among them that are none of the format
	words    bool // there were such words since the fault, at any depth
	// cut says that the first of them began a line, or that the line before breaks off in a string. What was
	// between them is lost.
	cut bool
	// closed says that the } of a graph was skipped, or the beginning of another.
	closed bool
	// semicolon says that one was skipped in the frame of the fault. With dotted, the last term
	// may be two, with a dot between them.
	semicolon, dotted bool
	begun             bool // and what follows is the rest of a statement
	// verb says that a term that may be a predicate was skipped, and another term after it;
	// mayBeVerb that the last one may be.
	verb, mayBeVerb bool
	odd             bool // the object before the fault may be a predicate
	labelled        bool // a blank node was skipped after an object, and nothing else, or one term
	uncounted       bool // members of a list may have been skipped that can't be counted
	tilde           bool // a reifier was skipped
	closing         bool // a bracket was skipped that closes one which was open at the fault
	apart           bool // there was white space between tokens skipped
	passed          int  // tokens skipped
	stops           int  // ends of statements skipped since best was found

	best plan
	// over says that the last token that can be looked at was skipped.
	over bool
}

// limits of a search: it ends there, and another one begins.
const (
	maxPassed = 400
	maxSearch = 64 << 10 // bytes
)

// run goes over the tokens from the current one on. The lexer is where best is
// afterwards, or, if there is none, where the search has ended.
func (s *search) run() {
	outer := s.Mark()
	if s.near {
		s.dotted = s.state == expectEnd && s.endsDotted()
		if s.dotted && s.Tok.Kind.IsVerb() {
			k := s.nextKind()
			s.begun = k.BeginsObject() || k.Opens()
		}
		s.odd = s.objectMayBeVerb()
		s.mayBeVerb = s.odd
		s.before()
		if s.text.To == s.Ended.Offset && s.ReachesBack() && s.Back == s.text.From && (s.text.To == s.Tok.From || s.Tok.Code != "") {
			s.within(s.text, 0)
		}
	}
	last := outer
	if (s.state == expectEnd || s.passed == 0 && s.Tok.Code == fault.SyntaxUnclosedIRI) && s.best.act == nowhere {
		s.leaveByLayout()
	}
	switch {
	case s.again:
		s.pass()
		s.Next()
	case s.SkipLine && outer.Keep < 0 && s.Tok.Code == fault.LimitToken:
		// Nothing before the end of the line is a place to go on, and none of it need be held.
		s.pass()
		s.passed++
		s.Keep = -1
		s.Next()
		last = s.Mark()
	}
	for ; s.best.score < fullScore; s.passed++ {
		k := s.Tok.Kind
		if k == lex.EndOfText || k == lex.Stopped || s.Beyond() || s.passed == maxPassed && s.best.act != nowhere || s.passed == 10*maxPassed || s.Tok.From-s.from > maxSearch ||
			s.stops > 2 {
			break
		}
		if k == lex.OpenGraph {
			if is, ends := s.isBlock(); is {
				from := s.Tok.From
				if near, _, _ := s.formula(); ends && near {
					s.Next()
					s.blockEnd(from, true)
				}
				last = s.Mark()
				s.Next()
				continue
			}
		}
		if s.passed > 0 {
			s.leaveByLayout()
		}
		if s.look(); s.best.score >= fullScore {
			break
		}
		if !s.spend(s.Tok.To-s.Tok.From) && s.best.act != nowhere {
			break // enough was looked at
		}
		if s.near && k == lex.String || k == lex.Unclosed {
			s.within(s.Tok, 0)
			if s.best.score >= fullScore {
				break
			}
		}
		tail := s.Tok.Quote == 3 && s.words && s.passed > 0 && (k == lex.Unclosed || s.isTail())
		s.pass()
		if last = s.Mark(); tail && s.Tok.From >= s.Base { // it may be the end of a string, not the beginning
			if s.lostText = true; !s.hasLines() {
				s.depth = 0 // a bracket may have been closed in what is lost
			}
			s.Seek(s.Tok.Pos, s.Tok.From+3)
		}
		s.Next()
	}
	switch {
	case s.best.act != nowhere:
		s.Reset(s.best.at)
	case s.Tok.Kind == lex.EndOfText || s.Beyond():
		s.Reset(last) // it may only be the end of what can be looked at ahead
		s.over = true
	}
	s.Keep = outer.Keep
}

// leaveByLayout looks whether the layout shows the current token to begin another statement, or what is left of one.
func (s *search) leaveByLayout() {
	k := s.Tok.Kind
	if s.near && s.startsLine() && (k.IsTerm() && (k != lex.Broken || s.Tok.Code == fault.SyntaxUnclosedIRI) || k.Opens()) &&
		!(k == lex.IRI && s.mayBeTag()) && (s.beginsByLayout(s.column()) == likely || s.passed == 0 && s.state == expectEnd && s.hasBegun(s.column()) || k != lex.Broken && s.standsBefore(s.column())) {
		s.near = false
	}
}

// pass takes note of the current token, which is skipped.
func (s *search) pass() {
	s.quoted = s.quoted || s.Tok.Quote > 0
	s.apart = s.apart || s.passed > 0 && s.Tok.From > s.Ended.Offset
	if k := s.Tok.Kind; !s.words && (k == lex.Unclosed || k == lex.Broken && s.Tok.Code == fault.SyntaxWord) {
		s.words, s.cut = true, s.startsLine() || k == lex.Unclosed && s.Tok.Quote == 1
	}
	if k := s.Tok.Kind; (s.words && k == lex.String || k == lex.Unclosed) && s.Tok.From >= s.Base && bytes.IndexByte(s.Bytes(&s.Tok), ';') >= 0 {
		s.semicolon = true // what is in it may be no string, but between two
	}
	s.closed = s.closed || s.inGraph && (s.Tok.Kind == lex.CloseGraph && !s.isStrayClose() || s.Tok.Kind == lex.Graph)
	s.noteVerb()
	switch k := s.Tok.Kind; {
	case k.Opens():
		if s.depth == 0 {
			s.terms++
		}
		s.depth++
	case k.Closes():
		if s.depth--; s.depth < 0 {
			s.closing = true
			s.semicolon = s.semicolon || s.terms > 1 && !s.textual // as one may be missing
			s.depth, s.terms = 0, 1                                // what is before it is one thing, or none
		}
	case s.depth > 0:
	case k == lex.Tilde:
		s.tilde = true
	case k == lex.Comma:
		s.terms = min(s.terms, 1)
	case k == lex.Semicolon:
		s.terms, s.semicolon = 0, true
	case k == lex.Carets:
		s.terms--
	case k == lex.Symbol:
	case k == lex.Unclosed, k == lex.Broken && s.Tok.Code == fault.SyntaxWord:
		s.textual = true
	case k.IsTerm():
		s.terms++
	}
	if k := s.Tok.Kind; (k == lex.Dot || k == lex.CloseGraph) && (s.isBeforeStatement() || s.isBeforeColumn()) {
		s.near = false
		s.stops++
		s.depth = 0
	}
	if s.best.act == nowhere {
		s.stops = 0
	}
}

// noteVerb notes whether the current token, which is skipped, may be a predicate, or are after one.
func (s *search) noteVerb() {
	switch k := s.Tok.Kind; {
	case s.depth > 0:
	case k == lex.Comma, k == lex.Semicolon:
		s.mayBeVerb = false
	case k.Opens(), k.IsTerm(), k == lex.Unclosed:
		if s.verb = s.verb || s.mayBeVerb; s.labelled && s.mayBeVerb {
			s.near = false // a blank node with a predicate and an object: another statement
		}
		s.labelled = k == lex.Label && s.passed == 0 && s.state == expectEnd || s.labelled && s.passed == 1 && k.IsVerb()
		s.mayBeVerb = (k == lex.IRI || k == lex.Name && s.isDeclared() || k == lex.A && !s.textual) && s.looksLikeVerb() != unlikely
	}
}

// isBeforeStatement looks ahead whether the current dot or } is before what can begin a statement.
func (s *search) isBeforeStatement() bool {
	m := s.Mark()
	k := s.Tok.Kind
	s.Next()
	begins := s.beginsStatement(k == lex.CloseGraph)
	s.Reset(m)
	return begins
}

// isBeforeColumn looks ahead whether the current dot is the last on its line, and a term follows
// in the column where the open statement began. A column where no predicate begins is enough.
// Where no predicate begins a line, any column is.
func (s *search) isBeforeColumn() bool {
	if s.turtle.depth == 0 || s.stack[0].start == 0 {
		return false
	}
	m := s.Mark()
	s.Next()
	begins := s.Tok.Kind.IsVerb() && s.column() > 0 && (s.column() == s.stack[0].start || s.standsBefore(s.column()) || s.hasNoLines())
	s.Reset(m)
	return begins
}

const (
	endedScore = 1 << 10
	fullScore  = 1 << 20
	// enoughPairs is how many predicates with objects make a place in a statement sure.
	enoughPairs = 4
)

// try walks on from the current token, and keeps the plan if it is better than those
// before. It needs a score of at least least.
func (s *search) try(a act, frames int, w walker, least int) {
	w.frames, w.inGraph = frames, s.inGraph
	v := s.walk(w)
	score := 0
	switch {
	case v.full, v.ended && a != goOnDot && (v.tokens > 2 || v.pairs > 1):
		score = fullScore
	case v.pairs >= enoughPairs && frames > 0 && w.state == expectEnd && !v.closes:
		score = fullScore // though another fault follows in the statement
	case v.ended && v.pairs > 0:
		score = endedScore + v.tokens
	case v.pairs > 0 && v.tokens > 2:
		score = v.tokens
	}
	if score >= max(least, 1) && score > s.best.score {
		s.take(a, frames)
		s.best.score = score
	}
}

// take makes the current token the place to go on.
func (s *search) take(a act, frames int) {
	s.best = plan{act: a, frames: frames, score: fullScore, at: s.Mark(), string: s.inText, tilde: s.tilde, verb: s.semicolon || s.verb, odd: s.odd || a == goOnVerb && s.passed == 0 && s.state == expectObject, other: s.terms > 0 || s.dotted, begun: s.begun, closed: s.closed, closing: s.closing,
		unsure: a == goOnTag || s.uncounted || s.apart && (s.textual || s.quoted), midLine: s.midLine || s.lostText && s.cut && !s.hasLines()}
	s.stops = 0
}

// look tries the current token as a place to go on.
func (s *search) look() {
	k := s.Tok.Kind
	if (k == lex.Semicolon || k == lex.Comma || k.Opens()) && s.depth == 0 && s.terms > 2 && !s.textual {
		s.near = false // three terms are a statement, whose subject is another
	}
	if s.near && s.depth == 0 {
		for frames := s.turtle.depth; frames > 0 && frames > s.turtle.depth-8; frames-- {
			if frames < s.turtle.depth && s.stack[frames].role != asObject {
				break
			}
			s.inFrame(k, frames)
		}
	}
	if s.inText.To > 0 && k != lex.Dot && k != lex.CloseGraph {
		return
	}
	switch {
	case k == lex.Dot, k == lex.CloseGraph:
		lined := s.endsByLayout()
		if !lined && !s.isBeforeStatement() {
			if s.best.score < fullScore && s.inText.To == 0 && s.isBeforeLost() {
				s.take(goOnDot, 0)
			}
			return
		}
		w := walker{state: expectEnd, own: []walkFrame{{kind: statementFrame}}}
		if s.try(goOnDot, 0, w, 0); s.best.score < fullScore && lined {
			s.take(goOnDot, 0)
		}
		if s.best.act == nowhere && s.inText.To == 0 && s.exhausted() {
			s.best = plan{act: goOnDot, score: 1, at: s.Mark()} // enough was tried
		}
	case k == lex.OpenGraph:
		s.best = plan{act: goOnStatement, score: fullScore, at: s.Mark()}
	case s.turtle.depth == 0 && s.passed == 1 && s.terms == 0:
		s.try(goOnStatement, 0, walker{state: expectStatement}, endedScore)
	case !s.startsLine() && (s.passed > 0 || s.state != expectEnd || s.inText.To > 0 || s.looksLikeVerb() == likely):
	case k.IsDirective() && s.isDirective(), s.isGraph():
		if s.try(goOnStatement, 0, walker{state: expectStatement}, 0); s.best.score < fullScore && s.graphBegins() {
			s.take(goOnStatement, 0)
		}
		if s.best.act == nowhere {
			s.best = plan{act: goOnStatement, score: 1, at: s.Mark()}
		}
	case (k == lex.IRI || k == lex.Name || k == lex.Label) && s.beginsByLayout(s.column()) != unlikely && s.precedesVerb():
		s.try(goOnStatement, 0, walker{state: expectStatement}, endedScore)
		if column := s.column(); s.best.score < fullScore && column > 0 && (s.beginsByLayout(column) == likely || s.hasBegun(column)) && !s.mayBeTag() {
			const triple = 3
			if v := s.walk(walker{state: expectStatement, inGraph: s.inGraph, limit: triple}); v.tokens == triple {
				s.take(goOnStatement, 0)
			}
		}
	}
}

// inFrame tries the current token, of kind k, as a place to go on in an open frame.
func (s *search) inFrame(k lex.Kind, frames int) {
	f, top := &s.stack[frames-1], frames == s.turtle.depth
	switch {
	case f.kind == listFrame:
		within := s.inText.To > 0 && top // nothing shows how many members were in the text
		if k == lex.CloseList && s.terms == 0 || !within && s.passed > 0 && top && s.member && s.standsAlone() && (k.Opens() || k.IsTerm() && k != lex.Broken && k != lex.A) {
			s.uncounted = within
			s.try(goOnMember, frames, walker{state: expectMember}, 0)
			s.uncounted = false
		}
	case !f.hasPairs():
		if f.closedBy(k) && top {
			s.try(goOnClosing, frames, walker{state: expectTripleEnd}, 0)
		}
	case k == lex.Semicolon, f.closedBy(k):
		s.try(goOnBehind, frames, walker{state: expectEnd, may: true}, 0)
		if k == lex.Semicolon && s.best.score < fullScore && (s.goesOnByLayout(f, frames) || top && s.passed == 1 && s.closing && s.goesOnPlainly()) {
			s.take(goOnBehind, frames)
		}
	case k == lex.Comma:
		a := goOnBehind
		if top && (s.state == expectVerb || s.dotted) || s.semicolon || s.verb || s.inText.To > 0 && s.mayBeVerb || !s.textual && (s.terms > 1 || !top && s.terms > 0) {
			a = goOnUnknown
		}
		s.try(a, frames, walker{state: expectEnd, may: true}, 0)
	case !top:
		if column := s.column(); k.IsVerb() && s.inText.To == 0 && column > 0 && column == s.usualColumn(frames) {
			s.try(goOnVerb, frames, walker{state: expectVerb, may: true}, endedScore)
		}
	case k == lex.Dot && f.kind != statementFrame && (s.state == expectVerb || s.state == expectEnd):
		m := s.Mark()
		s.Next()
		verb := s.Tok.Kind.IsVerb()
		w := walker{state: expectVerb}
		w.frames, w.inGraph = frames, s.inGraph
		v := verdict{}
		if verb {
			v = s.walk(w)
		}
		s.Reset(m)
		if v.full {
			s.best = plan{act: goOnBehindDot, frames: frames, score: fullScore, at: s.Mark()}
		}
	case k == lex.OpenProperties || k == lex.OpenList || k == lex.OpenReified || k == lex.OpenTriple:
		if s.state != expectVerb || s.passed > 0 {
			s.try(goOnObject, frames, walker{state: expectObject}, endedScore)
		}
	case k == lex.A && s.state == expectObject && s.passed == 0:
		s.try(goOnVerb, frames, walker{state: expectVerb, may: true}, endedScore)
	case k.IsVerb() && s.passed > 0 && s.inText.To == 0 && (s.state == expectVerb || s.startsLine() && s.beginsByLayout(s.column()) != likely && s.looksLikeVerb() != unlikely):
		s.try(goOnVerb, frames, walker{state: expectVerb, may: true}, endedScore)
	}
}

// standsAlone says that the current token is not glued to the word before it.
func (r *turtle) standsAlone() bool {
	if r.Tok.From > r.Ended.Offset || r.Tok.From == 0 {
		return true
	}
	switch r.Buf[r.Tok.From-r.Base-1] {
	case '>', '"', '\'', ')', ']', '(', '[', ',', ';':
		return true
	}
	return false
}
