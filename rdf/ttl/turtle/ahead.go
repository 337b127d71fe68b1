package turtle

import (
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/repair"
)

// The bounds of what habits are learned from behind a fault.
const (
	youngDocument = 48 // statements: in one that has shown more, what is behind adds nothing
	skimTokens    = 4096
	skimBytes     = 64 << 10
)

// skim reads on behind a fault, with the grammar and without effects, and learns how the document is written. In a
// document that has shown little so far, what follows is the only evidence.
type skim struct {
	*Reader
	walk  grammar.Walk
	sound bool // all since the last dot fits
	// What a statement shows counts only when it has ended soundly.
	starts  columns
	inside  int
	subject uint64
	deeper  [8]columns
}

// skimAhead learns habits from the text behind the current token, once for a piece of text.
func (r *Reader) skimAhead() {
	h := r.habits
	if h.subjects >= youngDocument || r.Tok.From < h.skimmed || !r.Rules.Holds(repair.TextBehind) {
		return
	}
	m := r.Mark()
	s := skim{Reader: r}
	from, last := r.Tok.From, lex.EndOfText
	var verb, space uint64
	for n := 0; n < skimTokens && r.Tok.From-from < skimBytes && r.Tok.Kind != lex.EndOfText && r.Tok.Kind != lex.Stopped && !r.Beyond(); n++ {
		k := r.Tok.Kind
		switch {
		case verb != 0 && k != lex.A: // else it most likely is a subject
			h.noteVerb(verb, func() uint64 { return space })
			verb = 0
		case last == lex.Semicolon && n > 0 && (k == lex.Name || k == lex.IRI) && !s.mayStart():
			verb, space = r.hashToken(), r.hashSpace()
		default:
			verb = 0
		}
		if last = k; k == lex.OpenGraph || k == lex.CloseGraph {
			s.begin(k == lex.OpenGraph)
		} else if s.sound = s.sound && s.step(k); !s.sound && k == lex.Dot {
			s.begin(s.walk.InGraph)
		}
		r.Next()
	}
	h.skimmed = r.Tok.From
	r.Reset(m)
}

// mayStart says that the current token begins a line where statements begin lines: then it may be a subject.
func (s *skim) mayStart() bool {
	column := s.column()
	return column > 0 && (column == 1 || s.habits.starts[s.habits.place(s.walk.InGraph)].has(column))
}

// begin is where a statement may begin.
func (s *skim) begin(inGraph bool) {
	s.walk.Begin(inGraph)
	s.sound = true
}

// step goes on over the current token, of kind k. False means that it may not be here.
func (s *skim) step(k lex.Kind) bool {
	column, outside := s.column(), s.walk.In == grammar.Outside
	switch act := s.walk.Take(k); act {
	case grammar.Refused:
		return false
	case grammar.TakeSubject, grammar.Open:
		if !outside {
			break
		}
		s.starts, s.inside, s.subject = columns{}, s.habits.place(s.walk.InGraph), 0
		s.deeper = [8]columns{}
		s.starts.add(column)
		if k == lex.Name || k == lex.IRI {
			s.subject = s.hashSpace()
		}
	case grammar.TakePredicate:
		if column > 0 {
			s.deeper[min(s.walk.Depth(), len(s.deeper)-1)].add(column)
		}
	case grammar.EndStatement:
		s.learn()
	}
	return true
}

// learn notes what a statement has shown that has ended soundly.
func (s *skim) learn() {
	h := s.habits
	for _, column := range s.starts.all() {
		h.starts[s.inside].add(column)
	}
	for depth := range s.deeper {
		for _, column := range s.deeper[depth].all() {
			h.deeper[depth].add(column)
		}
	}
	if s.subject != 0 {
		h.noteSubject(s.subject)
	}
}

// endsSoundly says that the grammar allows all tokens from the current one to the end of the statement, or so many as
// are looked at.
func (r *Reader) endsSoundly() bool {
	w := grammar.Walk{State: r.at}
	for i := range r.stack[:r.depth] {
		w.Push(r.stack[i].kind, r.stack[i].role)
	}
	m := r.Mark()
	defer func() { r.Reset(m) }()
	for range maxAhead {
		if r.Tok.Kind == lex.Stopped || r.Beyond() {
			return true
		}
		switch w.Take(r.Tok.Kind) {
		case grammar.EndStatement:
			return true
		case grammar.Refused:
			return false
		}
		r.Next()
	}
	return true
}
