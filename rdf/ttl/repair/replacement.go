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
	case k == lex.Symbol && t.Caret && w.state.Expect == grammar.Tag:
		s.replace(w, i, BadTerm, lex.Carets)
	case k == lex.Symbol && w.state.In == grammar.List:
	case (k == lex.Broken || k == lex.Symbol) && !(t.Glued && w.state.Expect == grammar.Tag && t.Code != fault.SyntaxWord):
		s.replace(w, i, BadTerm, grammar.Missing)
	case k.IsTerm():
		s.replace(w, i, WrongTerm, grammar.Missing)
	case k == lex.Semicolon:
		s.replace(w, i, SemicolonForDot, lex.Dot)
	case k == lex.Comma:
		s.replace(w, i, CommaForSemicolon, lex.Semicolon)
		s.replace(w, i, SemicolonForDot, lex.Dot)
	case k == lex.OpenGraph:
		s.replace(w, i, OtherBracket, lex.OpenProperties)
	case k == lex.OpenList:
		s.replace(w, i, OtherBracket, lex.OpenProperties)
	case k == lex.CloseGraph, k == lex.CloseList:
		s.replace(w, i, OtherBracket, lex.CloseProperties)
	case k == lex.CloseProperties:
		s.replace(w, i, OtherBracket, lex.CloseList)
	case k == lex.Tilde:
		if i+1 < len(s.Tokens) && s.Tokens[i+1].Column > 0 {
			s.replace(w, i, TildeForDot, lex.Dot)
		}
	}
}

func (s *search) replace(w way, i int, row Row, k lex.Kind) {
	if grammar.Step(&w.state, s.Tokens[i].Kind) != grammar.Refused && (row == BadTerm || row == WrongTerm || row == OtherBracket) {
		return
	}
	id := int32(i + 1)
	if k == grammar.Missing {
		id = lost
	}
	s.spoils = false
	given := row == CommaForSemicolon && !w.held // the object before it is not in doubt
	if k != grammar.Missing && Table[row].Spoils && !given || w.held && s.Tokens[i].Torn {
		s.spoil(&w)
	}
	next, ok := s.take(w, k, id)
	if !ok {
		return
	}
	next.cost += Table[row].Cost
	s.note(&next, row, i, i+1, []lex.Kind{k})
	s.keep(next, i+1)
}

// endString ends the string without an end at the token i with its line. The signs at its end may be of it or not.
func (s *search) endString(w way, i int) {
	base := w
	s.spoils = false
	base.cost += Table[TornString].Cost
	var insert [maxInsert]lex.Kind
	n := 0
	if next, ok := s.take(base, grammar.Missing, lost); ok {
		base = next
		insert[0], n = grammar.Missing, 1
	} else {
		s.spoil(&base)
	}
	spoils := s.spoils
	if end := s.Tokens[i].TextEnd; end > i+1 {
		s.note(&base, TornString, i, end, insert[:n])
		s.keep(base, end)
		return
	}
	plain := base
	plain.cost += anotherly
	s.note(&plain, TornString, i, i+1, insert[:n])
	s.keep(plain, i+1)
	s.closing = closed
	if s.Tokens[i].Brackets {
		s.closing = closedLost
	}
	for _, k := range s.Tokens[i].Signs {
		var ok bool
		if base, insert, n, ok = s.reach(base, k, insert, n); !ok {
			return
		}
	}
	if s.spoils = spoils; len(s.Tokens[i].Signs) > 0 {
		s.note(&base, TornString, i, i+1, insert[:n])
		s.keep(base, i+1)
	}
}

// reach puts in what is missing before a sign k, and that.
func (s *search) reach(w way, k lex.Kind, insert [maxInsert]lex.Kind, n int) (way, [maxInsert]lex.Kind, int, bool) {
	for n < maxInsert {
		if next, ok := s.take(w, k, lost); ok {
			insert[n] = k
			return next, insert, n + 1, true
		}
		if next, ok := s.take(w, grammar.Missing, lost); ok && w.state.Expect != grammar.Block && w.state.Expect != grammar.Member &&
			w.state.Expect != grammar.Reifier && w.state.Expect != grammar.NextVerb {
			w = next
			w.cost += filled
			insert[n] = grammar.Missing
			n++
			continue
		}
		if w.state.In == grammar.Statement || w.state.In == grammar.Outside {
			break
		}
		next, ok := s.take(w, w.state.In.Closer(), lost)
		if !ok {
			break
		}
		next.cost += s.closing
		s.spoil(&next)
		insert[n] = w.state.In.Closer()
		n++
		w = next
	}
	return w, insert, n, false
}
