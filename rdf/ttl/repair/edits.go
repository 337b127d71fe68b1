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
func (s *search) against(w *way, i int) (d Damage) {
	t := &s.Tokens[i]
	act := grammar.Step(&w.state, t.Kind)
	depth := 0
	if w.top >= 0 {
		depth = int(s.nodes[w.top].level) + 1
	}
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
		if i > 0 && s.Tokens[i-1].Kind == k && before == rows {
			cost -= s.weigh(DoubledSign, onDoubled)
		}
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
	case t.Column == 0 && (before == ExtraTerm || before == NoTerm || before == BadTerm || before == StrayBracket):
		return again
	case t.Kind == lex.A, i+1 < len(s.Tokens) && s.Tokens[i+1].Kind == lex.A: // they begin a statement
		return Table[ExtraTerm].Cost + again
	}
	return Table[ExtraTerm].Cost - s.weigh(UnknownPrefix, unknown*min(t.AsTerm, 1))
}

// leaveOutLine leaves out the token i and all behind it on its line. What is sound among it speaks against that.
func (s *search) leaveOutLine(w way, i int, before Row) {
	end, junk := i, false
	for ; end < len(s.Tokens) && s.Tokens[end].Line == s.Tokens[i].Line && s.Tokens[end].Kind != lex.EndOfText; end++ {
		switch t := &s.Tokens[end]; {
		case t.Kind == lex.Broken, t.Kind == lex.Symbol, t.Kind == lex.Unclosed, t.AsTerm != 0:
			junk = true
		default:
			w.cost++
		}
	}
	if end <= i+1 || end >= len(s.Tokens) {
		return
	}
	if w.cost += Table[RestOfLine].Cost; before == RestOfLine {
		w.cost += anotherLine - Table[RestOfLine].Cost
	}
	if !junk {
		w.cost += Table[RestOfLine].Cost
	}
	if s.spoils = false; w.state.Expect != grammar.Block || s.Tokens[i].Column == 0 && s.Tokens[end-1].Kind != lex.Dot {
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
	case grammar.Object: // behind a comma
		return k == lex.Comma && i > 0 && s.Tokens[i-1].Kind == lex.Comma || i > 0 && s.Tokens[i-1].Kind == lex.Comma
	case grammar.FirstVerb:
		return k == lex.Semicolon || k == lex.Dot && w.state.Label && i+1 < len(s.Tokens) && s.Tokens[i+1].Kind == lex.OpenGraph
	case grammar.GraphOpen:
		return true
	case grammar.End: // before what closes a bracket
		return k == lex.Dot && i+1 < len(s.Tokens) && grammar.Step(&w.state, s.Tokens[i+1].Kind) == grammar.Close
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
		return row == ExtraTerm || i+1 < len(s.Tokens) && s.Tokens[i+1].Glued
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

// putIn puts a sign or a term in before the token i, which must be in its place then.
func (s *search) putIn(w way, i int) {
	t := &s.Tokens[i]
	line := Damage(0)
	if t.Column > 0 {
		line = -s.weigh(EndOfLine, atLine)
	}
	if i > 0 && s.Tokens[i-1].Noted {
		line -= s.weigh(InComment, inComment-atLine)
	}
	s.before(w, i, MissingDot, line, lex.Dot)
	s.before(w, i, MissingSemicolon, line, lex.Semicolon)
	if t.Kind.Opens() {
		s.before(w, i, MissingComma, 0, lex.Comma)
	}
	if w.state.Expect != grammar.Member {
		s.before(w, i, MissingTerm, 0, grammar.Missing)
	}
	if w.state.In != grammar.Statement && w.state.In != grammar.Outside {
		s.closeBefore(w, i)
	}
	if s.Graphs || t.Kind == lex.CloseGraph {
		s.before(w, i, UnopenedGraph, min(line, 0), lex.OpenGraph)
	}
	if w.state.InGraph {
		s.before(w, i, UnclosedGraph, 0, lex.CloseGraph)
	}
	s.before(w, i, UnopenedBracket, 0, lex.OpenProperties)
	s.before(w, i, UnopenedBracket, 0, lex.OpenList)
}

// before puts a sign in before the token i.
func (s *search) before(w way, i int, row Row, cost Damage, k lex.Kind) {
	t := &s.Tokens[i]
	if !leads(w.state, k, t.Kind) && (row != MissingTerm || t.Kind == lex.Broken) {
		return
	}
	spoils := Table[row].Spoils
	switch row {
	case MissingTerm:
		spoils = false // it is what is lost
	case MissingDot:
		spoils = t.Column == 0 || i > 0 && s.Tokens[i-1].Noted
	}
	s.spoils = false
	if spoils {
		s.spoil(&w)
	}
	next, ok := s.take(w, k, lost)
	if !ok {
		return
	}
	if row == UnopenedBracket {
		n := s.own(&next)
		n.opener, n.subject = lost, lost
	}
	next.cost += Table[row].Cost + cost
	if row == MissingTerm && s.lacksValue(&w, i) {
		next.cost += again
	}
	if row == MissingSemicolon || row == MissingComma {
		next.spoilt = true // one or the other side of it may be at fault
	}
	if grammar.Step(&next.state, t.Kind) == grammar.Refused {
		if row != MissingTerm || t.Kind == lex.Broken {
			return
		}
		if next, ok = s.take(next, grammar.Missing, lost); !ok || grammar.Step(&next.state, t.Kind) == grammar.Refused {
			return
		}
		next.cost += Table[row].Cost
		s.note(&next, row, i, i, []lex.Kind{k, k})
	} else {
		s.note(&next, row, i, i, []lex.Kind{k})
	}
	s.asItIs(next, i)
}

// lacksValue says that the token i seems to be a predicate without a value, or a subject with such a predicate. Most
// often it is a value that is left out, and not what stands before it.
func (s *search) lacksValue(w *way, i int) bool {
	switch w.state.Expect {
	case grammar.FirstVerb, grammar.NextVerb:
	case grammar.Block:
		if s.Tokens[i].Kind == lex.A {
			return false // it is a predicate
		}
		i++
	default:
		return false
	}
	if i+1 >= len(s.Tokens) || !s.Tokens[i].Kind.IsVerb() {
		return false
	}
	k := s.Tokens[i+1].Kind
	return k == lex.Dot || k == lex.Semicolon
}

// leads says that one of kind next may follow where one of kind k is put in. Behind the end of a bracket that is not
// known.
func leads(state grammar.State, k, next lex.Kind) bool {
	switch act := grammar.Step(&state, k); act {
	case grammar.Refused:
		return false
	case grammar.Close:
		return true
	case grammar.Open:
		state = state.Enter(grammar.FrameOf(state, k))
	default:
		state.Follow(act, k)
	}
	return grammar.Step(&state, next) != grammar.Refused
}

// closeBefore closes what is open before the token i.
func (s *search) closeBefore(w way, i int) {
	var insert [maxInsert]lex.Kind
	w.cost += Table[MissingEnd].Cost
	for n := 0; n < maxInsert && w.state.In != grammar.Statement && w.state.In != grammar.Outside; n++ {
		k := w.state.In.Closer()
		next, ok := s.take(w, k, lost)
		if !ok {
			return
		}
		if n > 0 {
			next.cost += closed
		}
		s.spoil(&next)
		insert[n] = k
		w = next
		if grammar.Step(&w.state, s.Tokens[i].Kind) != grammar.Refused {
			noted := w
			s.note(&noted, MissingEnd, i, i, insert[:n+1])
			s.asItIs(noted, i)
		}
	}
}

// breakOff ends what is open before the token i, which begins a line: a predicate of what is open, or a statement.
func (s *search) breakOff(w way, i int) {
	t := &s.Tokens[i]
	if t.Column == 0 && s.behindEdit(&w, i) == rows {
		return
	}
	w.cost += Table[BrokenOff].Cost
	if s.behindEdit(&w, i) != rows {
		w.cost -= again + filled
	}
	if i > 0 && s.Tokens[i-1].Noted {
		w.cost -= s.weigh(InComment, inComment)
	}
	if s.closing = closed; s.behindEdit(&w, i) != rows && s.brackets(s.edits[w.edit].from, i) {
		s.closing = closedLost
	}
	for _, k := range []lex.Kind{lex.Semicolon, lex.Dot} {
		next, insert, n, ok := w, [maxInsert]lex.Kind{}, 0, false
		if s.spoils = false; w.state.In != grammar.List {
			s.spoil(&next)
		}
		if next, insert, n, ok = s.reach(next, k, insert, n); !ok || n < 2 {
			continue
		}
		if grammar.Step(&next.state, t.Kind) != grammar.Refused {
			s.note(&next, BrokenOff, i, i, insert[:n])
			s.asItIs(next, i)
		}
	}
}

// cutOff ends what is open where the text ends.
func (s *search) cutOff(w way, i int) {
	w.cost += Table[CutOff].Cost
	s.closing = closed
	s.spoil(&w)
	var insert [maxInsert]lex.Kind
	if next, insert, n, ok := s.reach(w, lex.Dot, insert, 0); ok {
		s.note(&next, CutOff, i, i, insert[:n])
		s.keep(next, i+1)
		return
	}
	s.note(&w, CutOff, i, i, nil)
	s.keep(w, i+1)
}
