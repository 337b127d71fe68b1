package repair

import (
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
)

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
	case MissingSemicolon: // at the end of a line, behind a term whose end is sure
		spoils = t.Column == 0 || i == 0 || !s.Tokens[i-1].isEnded()
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
		n.opener, n.subject, n.supposed = lost, lost, true
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

// isEnded says that nothing of a term can be missing at its end.
func (t *Token) isEnded() bool {
	return (t.Kind == lex.String || t.Kind == lex.IRI || t.Kind.Closes()) && !t.Torn && !t.Noted
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
