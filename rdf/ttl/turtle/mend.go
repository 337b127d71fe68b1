package turtle

import (
	"bytes"
	"cmp"
	"slices"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/repair"
)

// plan is the repair that is being carried out.
type plan struct {
	repair.Plan
	next        int64          // the offset of its next step; after the end of any text if there is none
	code        fault.Code     // of what was wrong
	spoilt      fault.Code     // why the next subject or predicate is lost; "" if it is not
	reached     int64          // up to where faults were mended
	steps       int64          // of all searches
	forced, cut bool           // signs are put in that are missing; the line breaks off before them
	untold      *fault.Notice  // of the edit that is being made
	problem     repair.Problem // the last one; its memory serves again
	mended      bool           // the sign before the next subject or predicate was put in
}

const never = int64(1) << 62

func (p *plan) clear() { p.Plan, p.next, p.reached = repair.Plan{}, never, -1 }

// doubts says that the term at an offset is not sure.
func (p *plan) doubts(offset int64) bool {
	if len(p.Unsure) == 0 {
		return false
	}
	_, is := slices.BinarySearch(p.Unsure, offset)
	return is
}

// doubtTerm loses the subject, predicate or bracket that the current token is, or begins, if that is not sure.
func (r *Reader) doubtTerm(dead *fault.Code) {
	if p := &r.plan; p.spoilt != "" {
		*dead, p.spoilt = p.spoilt, ""
	} else if *dead == "" && p.doubts(r.Tok.From) {
		*dead = p.code
	}
}

// allowance is how many steps a search may take where nothing was read yet; each byte allows some more.
const allowance, perByte = 1 << 18, 8

// mend deals with the current token, which the grammar refuses.
func (r *Reader) mend() {
	if !r.look() {
		r.skip()
	}
}

// look looks for a repair near the current token. False means that there is none.
func (r *Reader) look() bool {
	at := r.Tok.From
	if at <= r.plan.reached || r.plan.steps > allowance+perByte*at {
		return false
	}
	p := &r.plan.problem
	*p = repair.Problem{Tokens: p.Tokens, Open: p.Open, Layout: r.habits, Rules: r.Rules, Graphs: r.TriG || r.graph.count > 0}
	back := r.gather(p, nearAhead)
	found := repair.Find(p)
	if steps := found.Steps; !found.Settled && len(p.Tokens)-p.Fault > nearAhead {
		back = r.gather(p, maxAhead)
		found = repair.Find(p)
		found.Steps += steps
	}
	r.plan.steps += int64(found.Steps)
	r.plan.reached = at
	if len(found.Changes) == 0 && !slices.ContainsFunc(found.Losses, func(l repair.Loss) bool { return l.Graph }) {
		return false
	}
	r.plan.Plan = found
	r.plan.findNext()
	if len(found.Changes) == 0 {
		r.plan.code = fault.SyntaxUnclosedGraph
		return false
	}
	r.plan.code = cmp.Or(found.Changes[0].Code, repair.Table[found.Changes[0].Row].Code)
	if back && (found.Changes[0].From < at || len(found.Unsure) > 0 && found.Unsure[0] < at) {
		r.goBack()
	}
	return true
}

// skip gives up what is open, and leaves out all up to the end of a statement.
func (r *Reader) skip() {
	at := r.Tok.From
	r.plan.reached = max(r.plan.reached, at)
	n := r.Unexpected(wanted[r.at.Expect])
	r.plan.code = n.Code
	for ended := false; !ended && r.Tok.Kind != lex.EndOfText && r.Tok.Kind != lex.Stopped; {
		ended = r.Tok.Kind == lex.Dot
		r.Next()
		ended = ended && r.startsLine()
	}
	n.Bytes = r.Ended.Offset - at
	r.giveUp(n)
	r.settleBefore()
}

// goBack goes back to the last place where nothing was held back.
func (r *Reader) goBack() {
	for r.depth > r.from.depth {
		if r.top().withholds() {
			r.closed()
		}
		r.depth--
	}
	r.at = r.from.at
	if !r.from.held {
		r.object.Clear()
	}
	if r.depth > 0 {
		f := r.top()
		f.lost = f.lost && r.from.held
		if f.kind == grammar.List && f.list.member && !r.from.held {
			f.list.member, f.list.made = false, true
		}
	}
	r.Withdraw(r.Told)
	r.losses = r.losses[:0]
	r.Seek(r.from.before, r.from.before.Offset)
	r.Next()
}

// follow takes the next step of the plan, at the current token. False means that no edit is here.
func (r *Reader) follow() bool {
	p := &r.plan
	for ; len(p.Losses) > 0 && p.Losses[0].At <= r.Tok.From; p.Losses = p.Losses[1:] {
		r.loseOpen(p.Losses[0])
	}
	due := p.Changes
	isHere := len(due) > 0 && due[0].From <= r.Tok.From
	if isHere {
		p.Changes = due[1:]
	}
	if p.findNext(); isHere {
		r.carryOut(&due[0])
	}
	return isHere
}

// findNext finds where the next step of the plan is.
func (p *plan) findNext() {
	p.next = never
	if len(p.Changes) > 0 {
		p.next = p.Changes[0].From
	}
	if len(p.Losses) > 0 {
		p.next = min(p.next, p.Losses[0].At)
	}
}

// carryOut makes an edit.
func (r *Reader) carryOut(c *repair.Change) {
	n := r.noticeOf(c)
	if n.Severity = fault.Repair; !isRepair(c) {
		n.Severity, r.plan.code = fault.Drop, n.Code
	}
	if c.Row == repair.Reopened {
		r.reopen(n)
		return
	}
	if n.Severity == fault.Repair {
		r.editAs(&n, c)
	}
	inList, many := r.at.In == grammar.List, c.Code == fault.SyntaxUnclosedIRI && mayBeMany(r.Buf[c.From-r.Base:c.To-r.Base])
	if r.at.Expect == grammar.Block {
		r.plan.spoilt = "" // what it was of is left out too
	}
	r.tellEdit(c, n)
	if c.Row == repair.NoTerm && r.at.Expect == grammar.FirstVerb && r.at.In == grammar.Statement &&
		(c.Code != "" || c.From == r.Ended.Offset) {
		r.top().subject.Dead = n.Code // it may go on with what is behind it
	}
	if c.Row == repair.StrayBracket && r.Tok.Kind == lex.CloseProperties && r.depth > 0 && r.top().kind.HasPairs() {
		r.top().predicate.Dead = n.Code // it may be that of what is lost
	}
	if inList && c.Uncounted && r.depth > 0 && r.top().kind == grammar.List {
		r.top().list.uncounted = n.Code
	}
	r.putIn(c, n)
	if inList && many && r.at.In == grammar.List {
		r.top().list.uncounted = n.Code
	}
	r.loseWith(c, n.Code)
	if c.To > c.From {
		// Of a token over the limit, the window has what comes last, or nothing.
		held := r.Base + int64(len(r.Buf))
		from, to := min(max(c.From, r.Base), held), min(max(c.To, r.Base), held)
		r.loseBase(r.Buf[from-r.Base : to-r.Base])
		r.Seek(r.Tok.Pos, c.To)
	} else {
		r.Seek(r.Ended, r.Ended.Offset)
	}
	r.settle(r.object.Kind != rdf.NoTerm)
	r.Next()
}

// signTexts are the signs that a repair puts in.
var signTexts = map[lex.Kind]string{lex.Dot: ".", lex.Semicolon: ";", lex.Comma: ",", lex.OpenGraph: "{", lex.CloseGraph: "}"}

// editAs gives a notice the edit that is carried out. A sign that is put in has a blank beside it. One that
// is left out leaves a blank where nothing else parts the tokens around it.
func (r *Reader) editAs(n *fault.Notice, c *repair.Change) {
	from, to, with := c.From, c.To, ""
	for _, k := range c.Insert {
		if with += signTexts[k]; signTexts[k] == "" {
			return
		}
	}
	switch {
	case to > from && with == "" && from == r.Ended.Offset:
		with = " "
	case to > from:
	case c.Row == repair.UnopenedGraph:
		from, to, with = r.Tok.From, r.Tok.From, with+" "
	default:
		from, to, with = r.Ended.Offset, r.Ended.Offset, " "+with
	}
	r.Edit(n, from, to, with)
}

// mayBeMany says that other terms may be in the text of an IRI without an end.
func mayBeMany(text []byte) bool {
	return bytes.IndexByte(text, ' ') > 0 || bytes.Count(text, []byte(":")) > 1
}

// tellEdit tells of an edit, or lets that wait until what it loses is being read.
func (r *Reader) tellEdit(c *repair.Change, n fault.Notice) {
	switch {
	case isRepair(c):
		r.tellRepair(c, n)
	case r.expectsDirective() && len(c.Insert) == 0:
		r.loseDirective(n)
	case c.Row == repair.RestOfLine && r.depth > 0 && r.startsLine():
		r.spoilLine(n)
	case !c.Spoils && len(c.Insert) == 0:
		n.Lost = 1
		r.tell(n)
	case c.Spoils && c.Row != repair.MissingEnd && r.depth > 0 || len(c.Insert) == 0:
		r.spoil(n)
	default:
		r.plan.untold = &n
	}
}

// putIn puts the signs of an edit in.
func (r *Reader) putIn(c *repair.Change, n fault.Notice) {
	r.plan.forced, r.plan.cut = true, c.Row == repair.TornString
	for _, k := range c.Insert {
		depth := r.depth
		if !r.put(k) {
			break
		}
		if r.depth < depth && r.depth > 0 && k != lex.Dot && k != lex.CloseGraph { // a bracket that is not closed
			r.lose(fault.Notice{Code: fault.SyntaxUnclosedBracket, Severity: fault.Drop, Pos: r.top().pos,
				Message: "this statement is lost with the brackets in it", Excerpt: n.Excerpt})
		}
		if c.Row == repair.UnopenedBracket && r.depth > depth {
			f := r.top()
			f.doomed, f.subject.Dead = n.Code, n.Code
		}
	}
	r.plan.forced = false
	r.tellUntold()
}

// loseWith loses what an edit makes unsure behind it.
func (r *Reader) loseWith(c *repair.Change, code fault.Code) {
	if c.Row == repair.MissingSemicolon {
		r.plan.spoilt = code
	}
	if c.Braces {
		r.loseGraph(code)
	}
	if c.Brackets {
		for i := range r.stack[:r.depth] {
			r.stack[i].subject.Dead = code
		}
	}
}

// tellUntold tells of an edit where what it loses is being read now.
func (r *Reader) tellUntold() {
	if n := r.plan.untold; n != nil {
		r.plan.untold = nil
		r.spoil(*n)
	}
}

// isRepair says that an edit touches no statement.
func isRepair(c *repair.Change) bool {
	switch c.Row {
	case repair.StraySign, repair.StrayBrace, repair.CommaForSemicolon, repair.MissingDot, repair.OtherSign, repair.UnopenedGraph,
		repair.UnclosedGraph:
		return !c.Spoils
	}
	return false
}

// tellRepair tells of an edit that touches no statement, or only repairs it.
func (r *Reader) tellRepair(c *repair.Change, n fault.Notice) {
	switch {
	case c.Row == repair.CommaForSemicolon:
		r.plan.mended = true
	case c.Row != repair.MissingDot && c.Row != repair.OtherSign:
	case r.at.Expect == grammar.DirectiveEnd:
		r.mendDirective()
	case r.gives():
		r.object.Repaired = true
		r.Pending = append(r.Pending, n)
		return
	default:
		r.plan.mended = true
	}
	r.tell(n)
}

// spoil reports n, which costs what is being read.
func (r *Reader) spoil(n fault.Notice) {
	if r.depth == 0 {
		n.Lost = 1
		r.tell(n)
	} else {
		r.lose(n)
	}
	switch r.at.Expect {
	case grammar.Block, grammar.FirstVerb, grammar.NextVerb:
		r.plan.spoilt = n.Code
	}
}

// spoilLine reports n, which leaves out a line within a statement. It counts as one, besides what is being read.
func (r *Reader) spoilLine(n fault.Notice) {
	if !r.top().lost {
		r.spoil(n)
		if r.object.Kind == rdf.NoTerm || !r.Tok.Kind.BeginsSubject() {
			return // the line is all there is of it
		}
	}
	n.Lost = 1
	r.losses = append(r.losses, n)
}

// loseOpen loses what is open and not sure.
func (r *Reader) loseOpen(l repair.Loss) {
	code := r.plan.code
	if l.Graph {
		r.loseGraph(code)
	} else if l.Level < r.depth {
		f := &r.stack[l.Level]
		if l.Subject && f.subject.Dead == "" {
			f.subject.Dead = code
		}
		if l.Predicate && f.predicate.Dead == "" {
			f.predicate.Dead = code
		}
		if l.Self {
			f.doomed = code
		}
	}
}

// loseGraph says that it is not known which graph what follows is in.
func (r *Reader) loseGraph(code fault.Code) {
	switch g := &r.graph; {
	case g.dead != "" || !r.TriG && g.count == 0:
	case g.open:
		g.dead = code
	case r.nextBrace(true) == lex.CloseGraph:
		r.enterUnknown(r.Notice(fault.SyntaxUnclosedGraph, fault.Drop, r.Tok.Pos, "which graph the statements after this are in is "+
			"not known"))
	}
}
