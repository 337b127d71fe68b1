package repair

import (
	"laundromat/internal/fault"
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
)

// readAs reads the token i as one of another kind.
func (s *search) readAs(w way, i int) {
	t := &s.Tokens[i]
	switch k := t.Kind; {
	case k == lex.Unclosed:
		s.endString(w, i)
	case k == lex.Comma:
		s.replace(w, i, CommaForSemicolon, lex.Semicolon)
		if i+1 < len(s.Tokens) && s.Tokens[i+1].Column > 0 {
			s.replace(w, i, OtherSign, lex.Dot)
		}
	case k == lex.Semicolon && w.state.Expect == grammar.DirectiveEnd:
		s.replace(w, i, OtherSign, lex.Dot)
	case s.fits(&w, i):
	case k == lex.Symbol && t.Looks == LikeCarets && w.state.Expect == grammar.Tag:
		s.replace(w, i, BadTerm, lex.Carets)
	case k == lex.Symbol && w.state.In == grammar.List:
	case (k == lex.Broken || k == lex.Symbol) && !(t.Glued && w.state.Expect == grammar.Tag && t.Code != fault.SyntaxWord):
		s.replace(w, i, BadTerm, grammar.Missing)
	case k.IsTerm():
		s.replace(w, i, WrongTerm, grammar.Missing)
	case k == lex.OpenGraph, k == lex.OpenList:
		s.replace(w, i, OtherBracket, lex.OpenProperties)
	case k == lex.CloseGraph, k == lex.CloseList:
		s.replace(w, i, OtherBracket, lex.CloseProperties)
	case k == lex.CloseProperties:
		s.replace(w, i, OtherBracket, lex.CloseList)
	}
}

// replace reads the token i as one of kind k.
func (s *search) replace(w way, i int, row Row, k lex.Kind) {
	given := row == CommaForSemicolon && w.state.Expect != grammar.Object // the object before it is not in doubt
	s.start(row, k != grammar.Missing && row != OtherSign && !given || w.state.Expect == grammar.Member && s.Tokens[i].Torn)
	if s.insert(&w, k) {
		w.cost += Table[row].Cost
		s.note(&w, row, i, i+1)
		s.keep(w, i+1)
	}
}

// endString ends the string without an end at the token i with its line. The signs at its end may be of it or not.
func (s *search) endString(w way, i int) {
	t := &s.Tokens[i]
	s.start(TornString, false)
	w.cost += Table[TornString].Cost
	s.spoils = !s.insert(&w, grammar.Missing)
	if t.TextEnd > i+1 {
		s.note(&w, TornString, i, t.TextEnd)
		s.keep(w, t.TextEnd)
		return
	}
	plain, spoils := w, s.spoils
	plain.cost += anotherly
	s.note(&plain, TornString, i, i+1)
	s.keep(plain, i+1)
	if s.closing = closed; t.Brackets {
		s.closing = closedLost
	}
	for _, k := range t.Signs {
		if !s.reach(&w, k) {
			return
		}
	}
	if s.spoils = spoils; len(t.Signs) > 0 {
		s.note(&w, TornString, i, i+1)
		s.keep(w, i+1)
	}
}
