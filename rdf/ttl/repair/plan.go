package repair

import (
	"slices"

	"laundromat/internal/fault"
	"laundromat/rdf/ttl/lex"
)

// Change is an edit of a plan.
type Change struct {
	Row      Row
	From, To int64 // what is left out; at From something is put in
	Insert   []lex.Kind
	Token    int
	Code     fault.Code // of the token that begins at From, if that is broken
	Noted    bool       // a comment is right behind the token before
	Spoils   bool       // what is being read is lost
	Outside  bool       // it is left out between two statements
	behind   int        // the token behind what is left out
	// Brackets says that brackets may be lost with it: no subject of what is open is sure behind it.
	Brackets, Braces bool
	// Uncounted says that more than one member of a list may be at fault.
	Uncounted bool
}

// Loss is what is open and not sure from an offset on: a frame, by the number of those around it, or the graph.
type Loss struct {
	At                              int64
	Level                           int
	Subject, Predicate, Self, Graph bool
}

// Plan is how to go on.
type Plan struct {
	Changes []Change
	// Unsure are the offsets of the terms and brackets that are not sure.
	Unsure []int64
	Losses []Loss
	// Settled says that tokens behind those of the problem would change nothing.
	Settled bool
	Steps   int
}

// plan is the best way to a token.
func (s *search) plan(end int) Plan {
	p := Plan{Steps: s.steps, Settled: s.certain}
	for end > 0 && len(s.at[end]) == 0 {
		end--
	}
	if len(s.at[end]) == 0 {
		return p
	}
	s.weighBraces(end)
	best := s.at[end][0]
	for n := range s.at[end][1:] {
		s.compare(&best, &s.at[end][1+n], end)
	}
	s.planChanges(&p, &best)
	s.planLosses(&p, &best, end)
	return p
}

// planChanges puts the edits of the best way into a plan.
func (s *search) planChanges(p *Plan, best *way) {
	for at := best.edit; at >= 0; at = s.edits[at].before {
		e := &s.edits[at]
		c := Change{Row: e.row, From: s.offset(e.from), To: s.offset(e.from), Token: e.from, Spoils: e.spoils, Outside: e.outside,
			behind: e.to, Insert: slices.Clone(e.insert[:e.n])}
		c.Code, c.Noted = s.codeOf(e.from), e.from > 0 && s.Tokens[e.from-1].Noted
		if e.to > e.from {
			c.Brackets, c.Braces = s.brackets(e.from, e.to), e.braces
			c.To = s.Tokens[e.to-1].To
		}
		p.Changes = append(p.Changes, c)
	}
	slices.Reverse(p.Changes)
	s.joinWords(p)
	for i := range p.Changes {
		c := &p.Changes[i]
		if c.Row == MissingComma {
			p.Unsure = append(p.Unsure, c.From)
		}
		c.Uncounted = c.Row != BadTerm && c.Row != WrongTerm && !s.isTag(c.Token) || s.Tokens[c.Token].Torn
		if i == 0 {
			continue
		}
		if b := &p.Changes[i-1]; b.Token+1 == c.Token && c.To > c.From && b.To > b.From {
			c.Uncounted, b.Uncounted = true, true
		}
	}
}

// joinWords makes one change of what is left out of one line, between statements: it is one loss.
func (s *search) joinWords(p *Plan) {
	joined := p.Changes[:0]
	end := -1 // the token behind the words before
	for _, c := range p.Changes {
		if n := len(joined) - 1; c.Outside && c.Token == end && s.Tokens[end].Line == s.Tokens[end-1].Line &&
			(c.Row != StraySign || joined[n].Row != StraySign) {
			j := &joined[n]
			if j.Row == StraySign {
				j.Row, j.Code = c.Row, c.Code
			}
			j.To, j.Spoils = c.To, c.Spoils
			j.Brackets, j.Braces = j.Brackets || c.Brackets, j.Braces || c.Braces
		} else {
			joined = append(joined, c)
		}
		if end = -1; c.Outside {
			end = c.behind
		}
	}
	p.Changes = joined
}

// isTag says that the token i is a broken language tag: it is of the member before.
func (s *search) isTag(i int) bool {
	return i > 0 && s.Tokens[i].Code == fault.LanguageTag && s.Tokens[i].Glued && s.Tokens[i-1].Kind == lex.String
}

// planLosses puts what is not sure in the best way into a plan. The way leads to the token end.
func (s *search) planLosses(p *Plan, best *way, end int) {
	for i := range s.Tokens[:end] {
		if s.Tokens[i].Torn {
			p.Unsure = append(p.Unsure, s.offset(i))
		}
	}
	for at := best.doubt; at >= 0; at = s.doubts[at].before {
		d := &s.doubts[at]
		for _, object := range d.unsure {
			if object > 0 {
				p.Unsure = append(p.Unsure, s.offset(int(object-1)))
			}
		}
		for _, l := range d.losses {
			l.At = s.offset(d.at)
			p.Losses = append(p.Losses, l)
		}
	}
	slices.Reverse(p.Losses) // from the first doubt on
	slices.Sort(p.Unsure)
	p.Unsure = slices.Compact(p.Unsure)
}
