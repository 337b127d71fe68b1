package repair

import (
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
)

// start begins an edit of a row. With spoils, that loses what is being read.
func (s *search) start(row Row, spoils bool) Row {
	s.spoils, s.inserted = spoils, s.inserted[:0]
	return row
}

// insert puts a sign or term in as part of the edit that is being made. False means that it may not be there.
func (s *search) insert(w *way, k lex.Kind) bool {
	next, ok := s.take(*w, k, lost)
	if !ok || len(s.inserted) == maxInsert {
		return false
	}
	s.inserted, *w = append(s.inserted, k), next
	return true
}

// fits says that the token i may be where a way leads.
func (s *search) fits(w *way, i int) bool {
	return grammar.Step(&w.state, s.Tokens[i].Kind) != grammar.Refused
}

// putIn puts a sign or a term in before the token i, which must be in its place then.
func (s *search) putIn(w way, i int) {
	t := &s.Tokens[i]
	line, hidden := Damage(0), i > 0 && s.Tokens[i-1].Noted
	if t.Column > 0 {
		line = -s.weigh(EndOfLine, atLine)
	}
	if hidden {
		line -= s.weigh(InComment, inComment-atLine)
	}
	isDirective := w.state.Expect == grammar.DirectiveEnd // of which nothing can be missing but its dot
	s.before(w, i, s.start(MissingDot, !isDirective && (t.Column == 0 || hidden)), line, lex.Dot)
	// At the end of a line, behind a term whose end is sure. With none before it, that is a bracket.
	isEnd := t.Column > 0 && (i == 0 && w.state.Expect == grammar.End || i > 0 && s.Tokens[i-1].isEnded())
	s.before(w, i, s.start(MissingSemicolon, !isEnd), line, lex.Semicolon)
	if t.Kind.Opens() {
		s.before(w, i, s.start(MissingComma, true), 0, lex.Comma)
	}
	if w.state.Expect != grammar.Member {
		s.before(w, i, s.start(MissingTerm, false), s.lacksValue(&w, i), grammar.Missing) // it is what is lost
	}
	if s.Graphs || t.Kind == lex.CloseGraph {
		s.before(w, i, s.start(UnopenedGraph, false), min(line, 0), lex.OpenGraph)
	}
	if w.state.InGraph {
		s.before(w, i, s.start(UnclosedGraph, false), 0, lex.CloseGraph)
	}
	s.before(w, i, s.start(UnopenedBracket, true), 0, lex.OpenProperties)
	s.before(w, i, s.start(UnopenedBracket, true), 0, lex.OpenList)
	s.closeBefore(w, i)
	s.breakOff(w, i)
}

// before makes an edit that was started: it puts a sign in before the token i, or one or two terms.
func (s *search) before(w way, i int, row Row, cost Damage, k lex.Kind) {
	if !s.insert(&w, k) {
		return
	}
	w.cost += Table[row].Cost + cost
	if !s.fits(&w, i) {
		if row != MissingTerm || s.Tokens[i].Kind == lex.Broken || !s.insert(&w, k) || !s.fits(&w, i) {
			return
		}
		w.cost += Table[row].Cost
	}
	s.note(&w, row, i, i)
	s.asItIs(w, i)
}

// isEnded says that nothing of a term can be missing at its end.
func (t *Token) isEnded() bool {
	isTerm := t.Kind.IsTerm() && t.Kind != lex.Broken
	return (isTerm || t.Kind == lex.Language || t.Kind.Closes()) && !t.Torn && !t.Noted
}

// lacksValue is what speaks against a missing term before the token i. That may be a predicate without a value, or the
// subject of one. Most often the value is left out then, and not what stands before it.
func (s *search) lacksValue(w *way, i int) Damage {
	switch e := w.state.Expect; {
	case e == grammar.Block && s.Tokens[i].Kind != lex.A:
		i++
	case e != grammar.FirstVerb && e != grammar.NextVerb:
		return 0
	}
	if i+1 < len(s.Tokens) && s.Tokens[i].Kind.IsVerb() && (s.Tokens[i+1].Kind == lex.Dot || s.Tokens[i+1].Kind == lex.Semicolon) {
		return again
	}
	return 0
}

// closeBefore closes what is open before the token i.
func (s *search) closeBefore(w way, i int) {
	s.start(MissingEnd, true)
	for w.cost += Table[MissingEnd].Cost; w.inBracket() && s.insert(&w, w.state.In.Closer()); w.cost += closed {
		if s.fits(&w, i) {
			noted := w
			s.note(&noted, MissingEnd, i, i)
			s.asItIs(noted, i)
		}
	}
}

// inBracket says that a bracket is open.
func (w *way) inBracket() bool {
	return w.state.In != grammar.Statement && w.state.In != grammar.Outside
}

// breakOff ends what is open before the token i, which begins a line: a predicate of what is open, or a statement.
func (s *search) breakOff(w way, i int) {
	isBehind := s.behindEdit(&w, i) != rows
	if s.Tokens[i].Column == 0 && !isBehind {
		return
	}
	w.cost += Table[BrokenOff].Cost
	if isBehind {
		w.cost -= again + filled
	}
	if i > 0 && s.Tokens[i-1].Noted {
		w.cost -= s.weigh(InComment, inComment)
	}
	if s.closing = closed; isBehind && s.brackets(s.edits[w.edit].from, i) {
		s.closing = closedLost
	}
	for _, k := range [...]lex.Kind{lex.Semicolon, lex.Dot} {
		next := w
		if s.start(BrokenOff, w.state.In != grammar.List); s.reach(&next, k) && len(s.inserted) > 1 && s.fits(&next, i) {
			s.note(&next, BrokenOff, i, i)
			s.asItIs(next, i)
		}
	}
}

// reach puts in what is missing before a sign k, and that.
func (s *search) reach(w *way, k lex.Kind) bool {
	for !s.insert(w, k) {
		switch e := w.state.Expect; {
		case e != grammar.Block && e != grammar.Member && e != grammar.Reifier && e != grammar.NextVerb && s.insert(w, grammar.Missing):
			w.cost += filled
		case w.inBracket() && s.insert(w, w.state.In.Closer()):
			w.cost += s.closing
			s.spoils = true
		default:
			return false
		}
	}
	return true
}
