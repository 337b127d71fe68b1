package repair

import (
	"laundromat/internal/fault"
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
)

// note notes an edit of a way: the tokens from one to another are left out, and what was inserted stands before.
func (s *search) note(w *way, row Row, from, to int) {
	w.barred = w.barred || !s.Rules.Edits(row)
	e := changed{before: w.edit, row: row, from: from, to: to, spoils: s.spoils}
	e.braces = s.braces(w, from, to)
	e.outside = to > from && len(s.inserted) == 0 && w.state.Expect == grammar.Block
	e.n = int8(copy(e.insert[:], s.inserted))
	s.edits = append(s.edits, e)
	w.edit, w.last, w.ended = int32(len(s.edits)-1), int16(max(from, to-1)), -1
}

// behindEdit is the row of the edit that a way made right before the token i; rows if it made none.
func (s *search) behindEdit(w *way, i int) Row {
	if w.edit >= 0 && s.edits[w.edit].to == i && s.edits[w.edit].from < i {
		return s.edits[w.edit].row
	}
	return rows
}

// expand goes a way on over the token i, as it is and with each edit.
func (s *search) expand(w way, i int) {
	t := &s.Tokens[i]
	doubt, sound := s.asItIs(w, i)
	if sound && i > s.Fault && doubt == 0 {
		return
	}
	if t.Kind == lex.EndOfText {
		return
	}
	s.leaveOut(w, i)
	s.readAs(w, i)
	s.putIn(w, i)
}

// asItIs takes the token i as it is.
func (s *search) asItIs(w way, i int) (doubt Damage, sound bool) {
	t := &s.Tokens[i]
	if t.Kind == lex.EndOfText {
		switch {
		case (w.top >= 0 || w.state.Expect != grammar.Block) && (w.state.Expect != grammar.DirectiveEnd || w.state.Dotted):
			w.cost += cutOff
		case w.state.InGraph:
			w.cost += Table[UnclosedGraph].Cost / 2
		}
		s.keep(w, i+1)
		return 0, true
	}
	doubt = s.against(&w, i)
	next, ok := s.take(w, t.Kind, int32(i+1))
	if !ok {
		return 0, false
	}
	next.cost += doubt
	s.keep(next, i+1)
	return doubt, true
}

// against is what speaks against the token i as it is.
func (s *search) against(w *way, i int) Damage {
	act := grammar.Step(&w.state, s.Tokens[i].Kind)
	return s.againstAct(w, i, act) + s.againstPlace(w, i, act)
}

// againstAct is what speaks against what the token i does.
func (s *search) againstAct(w *way, i int, act grammar.Act) (d Damage) {
	t := &s.Tokens[i]
	switch act {
	case grammar.TakeSubject:
		d = s.weigh(StrangeTerm, t.AsSubject)
	case grammar.TakePredicate:
		d = s.weigh(StrangeTerm, t.AsVerb)
	case grammar.OpenGraph, grammar.BeginGraph:
		isNamed := i > 0 && s.isNaming(i-1) || act == grammar.BeginGraph && i+2 < len(s.Tokens) && s.isNaming(i+2)
		if !isNamed && (!s.Graphs || act == grammar.OpenGraph && w.state.Expect == grammar.Block) {
			d = s.weigh(FirstGraph, 2*Strange)
		}
	case grammar.EndAll, grammar.CloseGraph:
		if i+1 < len(s.Tokens) && (s.Tokens[i+1].Kind == lex.Comma || s.Tokens[i+1].Kind == lex.Semicolon) {
			d = Strange // it stands within a statement
		}
	}
	switch act {
	case grammar.TakeObject:
		d += t.AsTerm + s.weigh(StrangeTerm, t.AsSubject/2)
	case grammar.TakeSubject, grammar.TakePredicate, grammar.TakeString:
		d += t.AsTerm
	}
	return d
}

// againstPlace is what speaks against where the token i stands.
func (s *search) againstPlace(w *way, i int, act grammar.Act) (d Damage) {
	t := &s.Tokens[i]
	depth := 0
	if w.top >= 0 {
		depth = int(s.nodes[w.top].level) + 1
	}
	if t.Column > 0 && w.state.In == grammar.List && s.nodes[w.top].opener == lost {
		d += s.weigh(DisplacedLine, Displaced+again)
	}
	if depth == 1 && act == grammar.TakePredicate && w.state.Expect == grammar.FirstVerb && s.nodes[w.top].subject == lost {
		return d // it begins the line where its subject is missing
	}
	return d + s.weigh(DisplacedLine, max(s.Layout.Against(act, t.Column, depth), s.againstColumn(w, i, act)))
}

// againstColumn is what speaks against a line that begins in the column in which its statement began, with a predicate
// or an object. Behind a comma nothing does.
func (s *search) againstColumn(w *way, i int, act grammar.Act) (d Damage) {
	switch act {
	case grammar.TakePredicate:
		d = Displaced / 3 // there are documents without indents
	case grammar.TakeObject, grammar.TakeString:
		if d = Displaced; s.Tokens[max(i-1, 0)].Kind == lex.Comma {
			return 0
		}
	}
	column := s.Tokens[i].Column
	if d == 0 || column == 0 || w.state.In != grammar.Statement {
		return 0
	}
	if subject := s.nodes[w.top].subject; subject > 0 && s.Tokens[subject-1].Column == column {
		return d
	}
	return 0
}

// leaveOut leaves out the token i, or all up to the end of its line.
func (s *search) leaveOut(w way, i int) {
	t := &s.Tokens[i]
	before := s.behindEdit(&w, i)
	row, cost := s.rowOf(&w, i, before)
	next := w
	next.cost += cost
	if row == ExtraTerm && w.state.Expect != grammar.Block && (s.beginsStatement(i) || s.againstColumn(&w, i, grammar.TakePredicate) > 0) {
		next.cost += s.weigh(DisplacedLine, Displaced)
	}
	s.start(row, s.loses(&w, row, i))
	s.note(&next, row, i, i+1)
	s.keep(next, i+1)
	// else the line was begun to be left out
	if i == 0 || s.Tokens[i-1].Line != t.Line || i-1 < s.Fault || before == rows {
		s.leaveOutLine(w, i, before)
	}
}

// rowOf is the edit that leaves out the token i, and what it costs. The edit right before the token is before.
func (s *search) rowOf(w *way, i int, before Row) (Row, Damage) {
	t := &s.Tokens[i]
	switch k := t.Kind; {
	case s.isNaming(i) && s.harmless(w, i): // it has no other meaning
		return StraySign, anotherly
	case k == lex.Comma, k == lex.Semicolon, k == lex.Dot, s.isNaming(i):
		cost := Table[StraySign].Cost
		if w.state.Expect != grammar.Block && w.state.Expect != grammar.NextVerb && !s.harmless(w, i) {
			cost += 2*again + 1
		}
		return StraySign, cost
	case k == lex.OpenGraph, k == lex.CloseGraph:
		return StrayBrace, Table[StrayBrace].Cost
	case k.Opens(), k.Closes(), k == lex.Carets, k == lex.Tilde:
		return StrayBracket, Table[StrayBracket].Cost
	case k == lex.Broken, k == lex.Symbol, k == lex.Unclosed, k == lex.Language, k == lex.Graph, k.IsDirective(), t.AsTerm >= Tagged:
		switch {
		case before == NoTerm, before == BadTerm:
			return NoTerm, anotherly
		// alone on its line
		case w.state.Expect == grammar.Block && t.Column > 0 && i+1 < len(s.Tokens) && s.Tokens[i+1].Column > 0:
			return NoTerm, Table[NoTerm].Cost - anotherly
		case k.IsDirective() && w.state.Expect == grammar.Block: // where it may be
			return NoTerm, Table[NoTerm].Cost + 2*again
		case t.Code == fault.SyntaxUnclosedIRI, t.Code == fault.SyntaxName: // which surely is one
			return NoTerm, Table[NoTerm].Cost + again
		}
		return NoTerm, Table[NoTerm].Cost
	}
	return ExtraTerm, s.costOfTerm(i, before)
}

// costOfTerm is what it costs to leave out the token i, a term or keyword. The edit right before it is before.
func (s *search) costOfTerm(i int, before Row) Damage {
	t := &s.Tokens[i]
	switch {
	case t.Column == 0 && before == NoTerm && t.Kind == lex.A: // it is a word of a language, too
		return anotherly
	case t.Column == 0 && (before == ExtraTerm || before == NoTerm || before == BadTerm || before == StrayBracket):
		return again
	case t.Kind == lex.A, i+1 < len(s.Tokens) && s.Tokens[i+1].Kind == lex.A: // they begin a statement
		return Table[ExtraTerm].Cost + again
	}
	return Table[ExtraTerm].Cost - unknown*min(t.AsTerm, 1)
}

// leaveOutLine leaves out the token i and all behind it on its line. What is sound among it speaks against that.
func (s *search) leaveOutLine(w way, i int, before Row) {
	end, junk, begins, sound := i, false, false, 0
	for ; end < len(s.Tokens) && s.Tokens[end].Line == s.Tokens[i].Line && s.Tokens[end].Kind != lex.EndOfText; end++ {
		switch t := &s.Tokens[end]; {
		case t.Kind == lex.Broken, t.Kind == lex.Symbol, t.Kind == lex.Unclosed, t.AsTerm != 0:
			junk = true
		default:
			begins = begins || t.Kind.BeginsSubject()
			sound++
		}
	}
	if end <= i+1 || end >= len(s.Tokens) {
		return
	}
	if w.cost += Table[RestOfLine].Cost + Damage(sound); before == RestOfLine {
		if w.cost += anotherLine - Table[RestOfLine].Cost + Damage(min(sound, 1)); w.state.Expect != grammar.Block {
			w.cost += lineWithin
		}
	}
	if !junk {
		w.cost += Table[RestOfLine].Cost
	}
	if w.state.Expect == grammar.Block && s.beginsAsStatement(i) {
		w.cost += lineWithin
	}
	s.start(RestOfLine, w.state.Expect != grammar.Block || begins && s.Tokens[i].Column == 0 && s.Tokens[end-1].Kind != lex.Dot)
	s.note(&w, RestOfLine, i, end)
	s.keep(w, end)
}

// harmless says that a sign too many touches nothing.
func (s *search) harmless(w *way, i int) bool {
	k := s.Tokens[i].Kind
	if s.isNaming(i) {
		return w.state.Expect == grammar.FirstVerb && w.state.Label || w.state.Expect == grammar.GraphOpen
	}
	switch w.state.Expect {
	case grammar.Object: // a comma before an object, or behind another
		return k == lex.Comma || i > 0 && s.Tokens[i-1].Kind == lex.Comma
	case grammar.FirstVerb:
		return k == lex.Semicolon || k == lex.Dot && w.state.Label && i+1 < len(s.Tokens) && s.Tokens[i+1].Kind == lex.OpenGraph
	case grammar.GraphOpen:
		return true
	case grammar.DirectiveEnd:
		return i+1 < len(s.Tokens) && s.Tokens[i+1].Kind == lex.Dot
	case grammar.End: // a comma with no object behind it, or a dot before what closes a bracket
		if i+1 >= len(s.Tokens) {
			return false
		}
		next := s.Tokens[i+1].Kind
		return k == lex.Comma && (next == lex.Dot || next == lex.Semicolon || next.Closes()) || k == lex.Dot &&
			grammar.Step(&w.state, next) == grammar.Close
	}
	return false
}

// isNaming says that the token i is the sign that TriG once had before the { of a graph.
func (s *search) isNaming(i int) bool {
	return s.Tokens[i].Looks == LikeNaming && i+1 < len(s.Tokens) && s.Tokens[i+1].Kind == lex.OpenGraph
}

// loses says that leaving out the token i by a row loses what is being read.
func (s *search) loses(w *way, row Row, i int) bool {
	switch {
	case row == StraySign && s.Tokens[i].Kind == lex.Comma && w.state.Expect == grammar.Object:
		return false // what is behind it is the object, if another was there or not
	case row == StraySign:
		return w.state.Expect != grammar.Block && w.state.Expect != grammar.NextVerb && !s.harmless(w, i)
	case row == StrayBrace && i+1 < len(s.Tokens) && s.Tokens[i+1].Kind == s.Tokens[i].Kind:
		return false // it is doubled
	case row == StrayBrace:
		return w.state.Expect != grammar.Block && w.state.Expect != grammar.NextVerb
	case w.state.Expect == grammar.Block:
		if i+1 == len(s.Tokens) {
			return row == ExtraTerm
		}
		next := &s.Tokens[i+1] // on another line it has nothing to do with what can't be a subject
		if s.Tokens[i].Looks == LikeComment && s.Tokens[i].Column > 0 && next.Column == 0 {
			return true // the statement behind it is meant for none
		}
		return row == ExtraTerm && (next.Column == 0 || s.Tokens[i].Kind.BeginsSubject() && !s.beginsStatement(i+1)) || next.Glued
	case s.isAlone(i), w.state.Expect == grammar.Member && !s.Tokens[i].Glued:
		return false
	}
	return Table[row].Spoils
}

// beginsStatement says that the token i begins a line where, by the layout, a statement begins and no other term.
func (s *search) beginsStatement(i int) bool {
	t := &s.Tokens[i]
	return t.Column > 0 && t.Kind.BeginsSubject() && s.Layout.Against(grammar.TakeObject, t.Column, 1) > 0 &&
		s.Layout.Against(grammar.TakeSubject, t.Column, 0) == 0
}

// beginsAsStatement says that a line begins with the token i, what may be a subject, and that a predicate is behind it.
func (s *search) beginsAsStatement(i int) bool {
	t := &s.Tokens[i]
	return t.Column > 0 && t.Kind.BeginsSubject() && t.AsTerm == 0 && i+1 < len(s.Tokens) && s.Tokens[i+1].Kind.IsVerb() &&
		s.Tokens[i+1].AsVerb+s.Tokens[i+1].AsTerm == 0
}

// isAlone says that the token i is a sign without a meaning, alone on its line.
func (s *search) isAlone(i int) bool {
	t := &s.Tokens[i]
	return t.Kind == lex.Symbol && t.Column > 0 && i+1 < len(s.Tokens) && (s.Tokens[i+1].Column > 0 || s.Tokens[i+1].Kind == lex.EndOfText)
}
