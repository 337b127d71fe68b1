package repair

import (
	"laundromat/internal/fault"
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
)

// note notes an edit of a way: the tokens from one to another are left out, and signs are put in before.
func (s *search) note(w *way, row Row, from, to int, insert []lex.Kind) {
	w.barred = w.barred || !s.Rules.Edits(row)
	e := changed{before: w.edit, row: row, from: from, to: to, spoils: s.spoils}
	s.spoils = false
	e.n = int8(copy(e.insert[:], insert))
	e.outside = to > from && len(insert) == 0 && w.state.Expect == grammar.Block
	e.braces = s.braces(from, to) && !s.braceFits(w, from, to)
	s.edits = append(s.edits, e)
	w.edit, w.last, w.ended = int32(len(s.edits)-1), int16(max(from, to-1)), -1
	if s.brackets(from, to) {
		w.top = s.loseSubjects(w.top)
	}
	if e.braces {
		w.graph = lost
	}
}

// loseSubjects is what is open from top on, without its subjects.
func (s *search) loseSubjects(top int32) int32 {
	if top < 0 {
		return top
	}
	n := s.nodes[top]
	n.subject = lost
	return s.push(s.loseSubjects(n.below), n)
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
	s.spoils = false
	doubt, sound := s.asItIs(w, i)
	if sound && i > s.Fault && doubt == 0 {
		return
	}
	if t.Kind == lex.EndOfText {
		s.cutOff(w, i)
		return
	}
	s.leaveOut(w, i)
	s.readAs(w, i)
	s.putIn(w, i)
	s.breakOff(w, i)
}

// asItIs takes the token i as it is.
func (s *search) asItIs(w way, i int) (doubt Damage, sound bool) {
	t := &s.Tokens[i]
	if t.Kind == lex.EndOfText {
		if w.top < 0 && w.state.Expect == grammar.Block || w.state.Expect == grammar.DirectiveEnd && !w.state.Dotted {
			if w.state.InGraph {
				doubt = Table[UnclosedGraph].Cost / 2
			}
			w.cost += doubt
			s.keep(w, i+1)
			return 0, true
		}
		return 0, false
	}
	doubt = s.against(&w, i)
	id := int32(i + 1)
	if t.Torn {
		id = lost
	}
	next, ok := s.take(w, kindIn(w.state, t), id)
	if !ok {
		return 0, false
	}
	next.cost += doubt
	s.keep(next, i+1)
	return doubt, true
}

// kindIn is the kind of a token in a state: a language may have the name of a directive.
func kindIn(state grammar.State, t *Token) lex.Kind {
	if state.Expect == grammar.Tag && t.Glued && (t.Kind == lex.Prefix || t.Kind == lex.Base || t.Kind == lex.Version) {
		return lex.Language
	}
	return t.Kind
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
		if !s.Graphs {
			d = s.weigh(FirstGraph, 2*Strange)
		} else if act == grammar.OpenGraph && w.state.Expect == grammar.Block && !s.Plain {
			d = s.weigh(PlainGraph, 2*Strange)
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
	if t.Column > 0 && depth > 0 && s.nodes[w.top].supposed && w.state.In == grammar.List {
		d += s.weigh(DisplacedLine, Displaced+again)
	}
	if depth == 1 && act == grammar.TakePredicate && w.state.Expect == grammar.FirstVerb && s.baseOf(w).subject == lost {
		return d // it begins the line where its subject is missing
	}
	if by := s.weigh(DisplacedLine, s.Layout.Against(act, t.Column, depth)); by > 0 || t.Column == 0 || depth == 0 {
		return d + by
	}
	if s.baseOf(w).column == t.Column && !s.Layout.Usual(t.Column, depth) {
		d += s.weigh(OwnColumn, ownColumn)
	}
	return d
}

// baseOf is the outermost frame of a way.
func (s *search) baseOf(w *way) *node {
	top := w.top
	for s.nodes[top].below >= 0 {
		top = s.nodes[top].below
	}
	return &s.nodes[top]
}

// leaveOut leaves out the token i, or all up to the end of its line.
func (s *search) leaveOut(w way, i int) {
	t := &s.Tokens[i]
	before := s.behindEdit(&w, i)
	row, cost := s.rowOf(&w, i, before)
	next := w
	next.cost += cost
	if w.state.Expect == grammar.Block {
		next.spoilt = false
	}
	if s.loses(&w, row, i) {
		s.spoil(&next)
	}
	if row == StrayBracket && t.Kind == lex.CloseProperties && w.top >= 0 && s.nodes[w.top].frame.HasPairs() {
		s.own(&next).predicate = lost
	}
	if w.state.Expect == grammar.FirstVerb && w.state.In == grammar.Statement && row == NoTerm && (t.Glued || t.Kind == lex.Broken) {
		s.own(&next).subject = lost // it may go on with what is behind it
	}
	s.note(&next, row, i, i+1, nil)
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
	case t.Is && (w.state.Expect == grammar.FirstVerb || w.state.Expect == grammar.NextVerb):
		return WordIs, Table[WordIs].Cost
	case k == lex.Comma, k == lex.Semicolon, k == lex.Dot:
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
	return Table[ExtraTerm].Cost - s.weigh(UnknownPrefix, unknown*min(t.AsTerm, 1))
}

// leaveOutLine leaves out the token i and all behind it on its line. What is sound among it speaks against that.
func (s *search) leaveOutLine(w way, i int, before Row) {
	end, junk, begins := i, false, false
	for ; end < len(s.Tokens) && s.Tokens[end].Line == s.Tokens[i].Line && s.Tokens[end].Kind != lex.EndOfText; end++ {
		switch t := &s.Tokens[end]; {
		case t.Kind == lex.Broken, t.Kind == lex.Symbol, t.Kind == lex.Unclosed, t.AsTerm != 0:
			junk = true
		default:
			begins = begins || t.Kind.BeginsSubject()
			w.cost++
		}
	}
	if end <= i+1 || end >= len(s.Tokens) {
		return
	}
	if w.cost += Table[RestOfLine].Cost; before == RestOfLine {
		if w.cost += anotherLine - Table[RestOfLine].Cost; w.state.Expect != grammar.Block {
			w.cost += lineWithin
		}
	}
	if !junk {
		w.cost += Table[RestOfLine].Cost
	}
	if s.spoils = false; w.state.Expect != grammar.Block || begins && s.Tokens[i].Column == 0 && s.Tokens[end-1].Kind != lex.Dot {
		s.spoil(&w)
	} else {
		w.spoilt = false
	}
	s.note(&w, RestOfLine, i, end, nil)
	s.keep(w, end)
}

// harmless says that a sign too many touches nothing.
func (s *search) harmless(w *way, i int) bool {
	k := s.Tokens[i].Kind
	switch w.state.Expect {
	case grammar.Object: // a comma before an object, or behind another
		return k == lex.Comma || i > 0 && s.Tokens[i-1].Kind == lex.Comma
	case grammar.FirstVerb:
		return k == lex.Semicolon || k == lex.Dot && w.state.Label && i+1 < len(s.Tokens) && s.Tokens[i+1].Kind == lex.OpenGraph
	case grammar.GraphOpen:
		return true
	case grammar.End: // a comma with no object behind it, or a dot before what closes a bracket
		if i+1 >= len(s.Tokens) {
			return false
		}
		next := s.Tokens[i+1].Kind
		return k == lex.Comma && (next == lex.Dot || next == lex.Semicolon || next.Closes()) || k == lex.Dot && grammar.Step(&w.state, next) == grammar.Close
	}
	return false
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
		if s.Tokens[i].Comment && s.Tokens[i].Column > 0 && next.Column == 0 {
			return true // the statement behind it is meant for none
		}
		return row == ExtraTerm && (next.Column == 0 || s.Tokens[i].Kind.BeginsSubject()) || next.Glued
	case s.isAlone(i), w.state.Expect == grammar.Member && !s.Tokens[i].Glued:
		return false
	}
	return Table[row].Spoils
}

// isAlone says that the token i is a sign without a meaning, alone on its line.
func (s *search) isAlone(i int) bool {
	t := &s.Tokens[i]
	return t.Kind == lex.Symbol && t.Column > 0 && i+1 < len(s.Tokens) && (s.Tokens[i+1].Column > 0 || s.Tokens[i+1].Kind == lex.EndOfText)
}
