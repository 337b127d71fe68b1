package ttl

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/terms"
)

// resume reports n, which is about the stretch from offset from to the current token, and
// goes on as p says.
func (r *turtle) resume(p *plan, n fault.Notice, from int64) {
	switch p.act {
	case goOnDot:
		closes := r.Tok.Kind == lex.CloseGraph
		leaves := closes && r.inGraph && !r.isStrayClose()
		r.giveUp(n, from)
		if leaves {
			r.leaveGraph()
		}
		if r.Next(); p.midLine && !closes {
			r.loseText(n.Code)
		}
		return
	case goOnStatement:
		opens := r.Tok.Kind == lex.OpenGraph
		r.giveUp(n, from)
		if p.closed && !opens {
			r.leaveGraph()
			r.justLeft = false
			r.reenter(false, r.Tok.From)
		}
		if opens {
			r.enterLost(n.Code)
		}
		return
	case goOnUnopened:
		r.openUnopened(goOnBothBefore)
		return
	case goOnSubject, goOnBothBefore:
		r.beginAgain(p.act, n)
		return
	}
	r.oddSure = r.oddSure || r.odd >= 0 && p.closing // there is one ] too many
	if n.Bytes = max(r.Tok.From-from, 0); p.act == goOnBehindDot && r.top().lost {
		n.Severity, n.Code, n.Message = fault.Repair, fault.SyntaxStray, "this dot stands for a semicolon"
		r.To.Notice(n)
	} else {
		r.lose(n)
	}
	r.unwind(p.frames, endless(n.Code))
	f := r.top()
	f.notes = nil
	f.verbs = max(f.verbs, 1) // what comes is not right after its bracket
	if p.odd && f.kind != listFrame {
		r.beginOdd()
		f.odd = true
	}
	if p.begun {
		r.loseSubjects(n.Code)
	}
	r.object.Clear()
	switch p.act {
	case goOnUnknown:
		f.predicate.Clear()
		f.predicate.Dead = n.Code
		r.state = expectEnd
	case goOnBehind:
		r.state = expectEnd
	case goOnTag:
		if r.state == expectVerb || p.verb {
			f.predicate.Clear()
			f.predicate.Dead = n.Code
		}
		r.object.Dead = n.Code
		r.state = expectTag
	case goOnObject:
		if r.state = expectObject; p.other {
			f.predicate.Clear()
			f.predicate.Dead = n.Code
		}
	case goOnVerb, goOnBehindDot:
		f.lost, f.started = false, true
		r.Withdraw(f.atPredicate)
		if r.state = expectVerb; p.act == goOnBehindDot {
			r.Next()
		}
	case goOnMember:
		f.member = true
		r.state = expectMember
	case goOnClosing:
		r.closeLost(p.tilde, n.Code)
	}
	if f.kind == listFrame {
		f.member = true
		f.unsure = f.unsure || p.unsure
	}
	if p.midLine {
		r.loseText(n.Code)
	}
}

// loseText is called where reading went on within a line after the end of a string in three
// quotes whose beginning is lost. Other statements may have begun in what is lost with it.
func (r *turtle) loseText(code fault.Code) {
	r.loseSubjects(code)
	switch {
	case r.inGraph:
		r.graphDead = code
	case r.hasGraphs() && r.nextBrace() == lex.CloseGraph:
		r.graph.Clear()
		r.inGraph, r.graphDead = true, code
	}
}

// loseSubjects says that the subject of no frame that is open is known any more.
func (r *turtle) loseSubjects(code fault.Code) {
	for i := range r.stack[:r.depth] {
		r.stack[i].subject.Dead = code
	}
}

// openUnopened makes the subject the label of a graph whose { is missing, and what was read
// after it the first terms of a statement.
func (r *turtle) openUnopened(a act) {
	var label, subject, predicate terms.Held
	f := r.top()
	label.Copy(&f.subject)
	subject.Copy(&f.predicate)
	predicate.Copy(&r.object)
	column := f.start
	r.object.Clear()
	r.depth = 0
	if r.inGraph {
		if r.stray("the graph before is not closed; it was taken to end here"); !r.standsAsGraph(column) {
			n := r.Notice(fault.SyntaxUnclosedGraph, fault.Drop, label.Pos, "perhaps a graph begins here, and perhaps this stands in the one before: what follows up to the next brace is lost")
			r.To.Notice(n)
			label.Dead = n.Code
		}
		r.leaveGraph()
	}
	r.enterUnopened(&label, column, subject.Pos)
	r.inGraphStatements++
	if !r.push(statementFrame, asObject) {
		return
	}
	f = r.top()
	f.named = true
	f.subject.Copy(&subject)
	if r.state = expectVerb; a == goOnBothBefore {
		f.predicate.Copy(&predicate)
		f.verbs = 1
		r.state = expectObject
	}
}

// beginAgain makes the lost object, or the predicate and it, the first terms of another
// statement. A stretch before it was lost, or the dot.
func (r *turtle) beginAgain(a act, n fault.Notice) {
	var subject, predicate terms.Held
	f := r.top()
	pos := r.object.Pos
	switch a {
	case goOnBothBefore:
		subject.Copy(&f.predicate)
		predicate.Copy(&r.object)
		pos = subject.Pos
	case goOnPredicate:
		subject.Copy(&f.predicate)
		pos = subject.Pos
	default:
		subject.Copy(&r.object)
	}
	n.Pos, n.Message, n.Code = pos, "a statement begins here, but the one before has not ended", fault.SyntaxUnexpected
	n.Excerpt = r.Excerpt(pos.Offset)
	column := f.column
	if a == goOnSubject {
		column = r.objectColumn
	}
	r.giveUp(n, r.Tok.From)
	if !r.push(statementFrame, asObject) {
		return
	}
	f = r.top()
	f.subject.Copy(&subject)
	f.start = column
	if r.state = expectVerb; a == goOnBothBefore {
		f.predicate.Copy(&predicate)
		r.state = expectObject
	}
}

// giveUp reports n and gives up all that is open, except for the graph.
func (r *turtle) giveUp(n fault.Notice, from int64) {
	n.Bytes = r.Tok.From - from
	if r.depth == 0 {
		n.Lost = 1
		r.To.Notice(n)
	} else {
		r.lose(n)
		r.unwind(0, endless(n.Code) || r.Tok.Kind == lex.EndOfText && r.isOneWord(from))
	}
	r.object.Clear()
	r.Withdraw(r.Told)
	r.state = expectStatement
}

// isOneWord says that the text from an offset on is a single word, most likely cut short.
func (r *turtle) isOneWord(from int64) bool {
	return from >= r.Base && !bytes.ContainsAny(r.Buf[from-r.Base:], " \t\r\n.,;[](){}")
}

// endless says that a fault is that of a term without an end, or of a text without one. By
// itself it explains why a bracket around it is not closed.
func endless(code fault.Code) bool {
	return code == fault.SyntaxUnclosedString || code == fault.SyntaxUnclosedIRI || code == fault.SyntaxUnfinished
}

// unwind closes the frames above the first to, and counts what is lost in each. That is the
// statement that waited for the bracket, and the rdf:rest of a list that does not go on. If
// the text breaks off in the frame on top, cut is true, and no bracket is missing before.
func (r *turtle) unwind(to int, cut bool) {
	if to == 0 && r.odd >= 0 {
		defer r.endOdd(r.oddSure)
	}
	waited := asSubject // what the bracket above is to the frame; the top one was reported
	for ; r.depth > 0; r.depth-- {
		f := r.top()
		if waited == asObject && !f.lost {
			r.To.Notice(r.unfinished(f, "this statement is lost with the brackets in it"))
			f.lost = true
		}
		if r.depth == to {
			return
		}
		if f.kind == listFrame && f.cell != 0 {
			r.To.Notice(r.unfinished(f, "the list ends here, and its last node has no rdf:rest"))
		}
		if f.withholds() {
			r.abandon(f, cut && f.kind != listFrame && !f.stepped)
		}
		if waited = f.role; f.kind == tripleFrame {
			waited = asNotes // its loss was that of the statement
		}
	}
}

func (r *turtle) unfinished(f *frame, message string) fault.Notice {
	return fault.Notice{Code: fault.SyntaxUnclosedBracket, Severity: fault.Drop, Pos: f.pos, Lost: 1, Message: message,
		Excerpt: r.shown(&f.subject)}
}

// end deals with what is open where the text ends.
func (r *turtle) end() {
	if r.depth > 0 {
		r.endOpen()
	}
	if r.inGraph && r.sinkErr == nil {
		r.To.Notice(r.Notice(fault.SyntaxStray, fault.Repair, r.Ended, "the } of the last graph is missing"))
	}
}

func (r *turtle) endOpen() {
	f := r.top()
	switch {
	case r.depth == 1 && f.kind == statementFrame && (r.state == expectEnd || r.state == expectTag) && !r.CutShort():
		if r.object.Kind != rdf.NoTerm && !f.lost {
			r.object.Repaired = true
			r.Repair(fault.SyntaxMissingDot, r.Ended, "the dot at the end of this statement is missing")
		} else if f.notes != nil {
			r.stray("the dot at the end of this statement is missing")
		}
		r.commit()
		r.finish()
	case r.depth == 1 && f.kind == statementFrame && r.state == expectVerb && (f.started || f.complete):
		r.stray("the dot at the end of this statement is missing")
		r.finish()
	default:
		r.giveUp(r.Notice(fault.SyntaxUnfinished, fault.Drop, r.Ended, "the text ends in the middle of a statement"), r.Tok.From)
	}
}
