// Package repair finds what a broken piece of Turtle or TriG was meant to say.
//
// It goes many ways over the tokens around a fault with the one grammar. At each token a way takes it as it is, or
// makes one of the edits of [Table]. Each edit costs, and so does what speaks against a reading. The way with the
// least damage is the repair. What another way that is nearly as good does not read is not sure, and is lost.
package repair

import (
	"cmp"
	"slices"
	"sync"

	"laundromat/internal/fault"
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
)

// Token is a token of the lexer, or several that stand together without a space and are one broken term.
type Token struct {
	Kind     lex.Kind
	Code     fault.Code // of one that is broken
	From, To int64
	Line     int64
	Column   int64 // 0 if it is not the first on its line
	// Glued says that nothing stands between it and the token before. With Noted, a comment begins right behind it.
	Glued, Noted bool
	Word         Word // of an IRI or a name
	// AsVerb and AsSubject are what speaks against it as a predicate and as a subject; AsTerm as any term.
	AsVerb, AsSubject, AsTerm Damage
	// Brackets says that brackets are in the text of a string, which may be none; Braces that braces are.
	Brackets, Braces bool
	Looks            Look
	// Torn says that it may be a piece of a string whose end is not known.
	Torn bool
	// Long says that it is a string in three quotes.
	Long bool
	// TextEnd is the index of the token behind the text of a string in three quotes without an end. Words in it show
	// it; it is 0 if none do.
	TextEnd int
	// Signs are those at the end of a string without an end.
	Signs []lex.Kind
}

// Look is what a token looks like that the grammar does not know.
type Look uint8

const (
	LikeTag     Look = iota + 1 // of HTML
	LikeComment                 // the begin of one in other languages
	LikeCarets                  // a single ^ before an IRI
	LikeNaming                  // the = or :- that TriG once had between the name of a graph and its {
)

// Word is what a document is known by: hashes of a name or an IRI, and of what it begins with.
type Word struct{ Hash, Space uint64 }

// Open is what is open where a search begins, from the outermost on.
type Open struct {
	Frame grammar.Frame
	Role  grammar.Role
}

// Layout says what speaks against a line that begins in a column.
type Layout interface {
	// Against is that of a line which begins with a term in the place of act, in so many open frames.
	Against(act grammar.Act, column int64, depth int) Damage
}

// Problem is a place where the grammar refused a token.
type Problem struct {
	Tokens []Token // from the last place where all was given away
	Fault  int     // the index of the token that was refused
	State  grammar.State
	Open   []Open
	// Left says that a } just ended a graph and the statement in it.
	Left bool
	// Graphs says that the document has graphs.
	Graphs bool
	// Brace is the next { or } behind the tokens, EndOfText if there is none, and Stopped if that is not known.
	Brace  lex.Kind
	Layout Layout
	Rules  Switch
}

// The bounds of a search.
const (
	maxWays = 24 // at one token
	// fewEdits is the damage of one edit and some doubt, or two small edits.
	fewEdits Damage = 18
	noLimit  Damage = 1 << 20
)

type search struct {
	*Problem
	at    [][]way
	least []Damage
	nodes []node
	said  []says
	edits []changed
	// doubts are those of ways that other ways have cast.
	doubts  []doubt
	index   int
	steps   int
	certain bool // the search ended before the last token
	// limit is how much damage a way may have, cut says that one was not followed for that.
	limit Damage
	cut   bool
	// closing is what it costs to end a bracket that is not closed.
	closing Damage
	// spoils says that the edit which is being made loses what is being read, inserted is what it puts in.
	spoils   bool
	inserted []lex.Kind
}

// searches serve again.
var searches = sync.Pool{New: func() any { return new(search) }}

// begin is a search for a repair of p.
func begin(p *Problem) *search {
	s := searches.Get().(*search)
	*s = search{Problem: p, at: s.at, least: s.least, nodes: s.nodes, said: s.said, edits: s.edits, doubts: s.doubts, inserted: s.inserted}
	for n := len(p.Tokens) + 1; cap(s.at) < n || cap(s.least) < n; {
		s.at, s.least = append(s.at[:cap(s.at)], nil), append(s.least[:cap(s.least)], 0)
	}
	s.at, s.least = s.at[:len(p.Tokens)+1], s.least[:len(p.Tokens)+1]
	s.reset(noLimit)
	return s
}

// reset forgets all ways. Those to come may have so much damage.
func (s *search) reset(limit Damage) {
	s.nodes, s.said, s.edits, s.doubts = s.nodes[:0], s.said[:0], s.edits[:0], s.doubts[:0]
	for i := range s.at {
		s.at[i], s.least[i] = s.at[i][:0], noLimit
	}
	s.limit, s.cut, s.certain = limit, false, false
}

func (s *search) free() {
	s.Problem = nil
	searches.Put(s)
}

// Find finds a plan. It has at least one change, unless nothing can be made of the tokens.
//
// Most faults are mended by one edit. So ways with little damage are looked at first, and those with more only where
// none of these is good enough.
func Find(p *Problem) Plan {
	s := begin(p)
	defer s.free()
	s.reset(fewEdits)
	end, found := s.run()
	if !found {
		s.reset(noLimit)
		end, _ = s.run()
	}
	return s.plan(end)
}

// run follows the ways within the limit, to the token end. It returns whether no other way can be better, or nearly as
// good.
func (s *search) run() (end int, found bool) {
	first := s.first()
	s.keep(first, 0)
	if s.Left {
		s.reopen(first)
	}
	for i := range s.Tokens {
		s.prune(i)
		if end = i; s.settled(i) {
			s.certain = true
			break
		}
		if i == len(s.Tokens)-1 && i > s.Fault && s.Tokens[i].Column > 0 && !s.isWhole() && len(s.at[i]) > 0 {
			break // what its line is, is not to be seen
		}
		for _, w := range s.at[i] {
			s.index = i
			s.expand(w, i)
		}
		if end = i + 1; len(s.at[i+1]) == 0 && s.cut {
			break
		}
	}
	s.prune(end)
	return end, !s.cut || len(s.at[end]) > 0 && s.at[end][0].cost+s.slack() <= s.limit
}

// isWhole says that no token is behind those of the problem.
func (p *Problem) isWhole() bool {
	last := p.Tokens[len(p.Tokens)-1].Kind
	return last == lex.EndOfText || last == lex.Stopped
}

// slack is how much more damage than the best a way may have that matters.
func (s *search) slack() Damage {
	if s.Brace == lex.Stopped && !s.Graphs {
		return near
	}
	return near + unopened
}

// first is the way to the first token.
func (s *search) first() way {
	p := s.Problem
	first := way{state: p.State, top: -1, edit: -1, said: -1, doubt: -1, last: -1, ended: -1, graph: knownGraph}
	if !p.State.InGraph {
		first.graph = defaultGraph
	}
	for level, o := range p.Open {
		first.top = s.push(first.top, node{frame: o.Frame, role: o.Role, subject: -int32(4*level + 4), predicate: -int32(4*level + 5),
			opener: -int32(4*level + 6)})
	}
	return first
}

// reopen begins a way behind the last object of the graph that was just left.
func (s *search) reopen(w way) {
	w.graph, w.state = knownGraph, grammar.State{Expect: grammar.End, In: grammar.Statement, InGraph: true}
	w.top = s.push(-1, node{frame: grammar.Statement, subject: -4, predicate: -5})
	w.cost += Table[Reopened].Cost
	s.start(Reopened, true)
	s.note(&w, Reopened, 0, 0)
	s.keep(w, 0)
}

// prune leaves the best ways at a token.
func (s *search) prune(i int) {
	slices.SortStableFunc(s.at[i], func(a, b way) int { return cmp.Compare(a.cost, b.cost) })
	if len(s.at[i]) > maxWays {
		s.at[i] = s.at[i][:maxWays]
	}
	for n := range s.at[i] {
		if s.at[i][n].cost > s.least[i]+beyond {
			s.at[i] = s.at[i][:n]
			break
		}
	}
}

// settled says that the best way at the token i needs to be followed no further.
func (s *search) settled(i int) bool {
	const enough, well = 40, 4
	if i <= s.Fault || len(s.at[i]) == 0 {
		return false
	}
	best := &s.at[i][0]
	if best.edit < 0 || i-int(best.last) <= well {
		return false
	}
	for j := range s.at[i+1:] {
		for n := range s.at[i+1+j] {
			if s.at[i+1+j][n].cost < best.cost+near {
				return false
			}
		}
	}
	if i-int(best.last) >= enough {
		return true
	}
	if best.ended < 0 || best.top < 0 || s.nodes[best.top].predicate == lost || best.state.Expect != grammar.End {
		return false
	}
	least := best.cost + s.againstBrace(best, i)
	for n := range s.at[i][1:] {
		if w := &s.at[i][1+n]; w.cost+s.againstBrace(w, i) < least+near && !s.same(w, best) {
			return false
		}
	}
	return i > int(best.ended)+2
}

// weighBraces adds what the next brace says against ways at the token i, and sorts them again.
func (s *search) weighBraces(i int) {
	for n := range s.at[i] {
		w := &s.at[i][n]
		w.cost += s.againstBrace(w, i)
	}
	slices.SortStableFunc(s.at[i], func(a, b way) int { return cmp.Compare(a.cost, b.cost) })
}

// againstBrace is what the next { or } behind the token i says against a way.
func (s *search) againstBrace(w *way, i int) Damage {
	switch brace := s.nextBrace(i); {
	case w.state.InGraph && brace == lex.OpenGraph:
		return s.weigh(UnequalBrace, unclosed)
	case !w.state.InGraph && brace == lex.CloseGraph:
		return s.weigh(UnequalBrace, unopened)
	case w.state.InGraph && !s.Graphs && brace != lex.CloseGraph:
		return s.weigh(UnequalBrace, unopened) // a graph where none was before, and no end of it
	}
	return 0
}

// nextBrace is the next { or } from the token i on. One before a sign that stands within a statement is too many.
func (s *search) nextBrace(i int) lex.Kind {
	for ; i < len(s.Tokens); i++ {
		k, next := s.Tokens[i].Kind, lex.EndOfText
		if i+1 < len(s.Tokens) {
			next = s.Tokens[i+1].Kind
		}
		if (k == lex.OpenGraph || k == lex.CloseGraph) && next != lex.Comma && next != lex.Semicolon && next != lex.Dot {
			return k
		}
	}
	return s.Brace
}

// brackets says that brackets, or the end of a statement, may be among some tokens that are left out together.
func (s *search) brackets(from, to int) bool {
	for i := from; i < to; i++ {
		t := &s.Tokens[i]
		if t.Brackets && (t.Torn || t.Kind == lex.Unclosed) ||
			t.Kind == lex.Dot && i+1 < to && i > from && s.Tokens[i+1].Kind.BeginsSubject() && s.Tokens[i+1].AsTerm == 0 {
			return s.Rules.Holds(BracketsLeftOut)
		}
	}
	return to-from > 1 && !s.balanced(from, to, lex.OpenProperties, lex.CloseProperties) && s.Rules.Holds(BracketsLeftOut)
}

// braces says that a graph may begin or end among some tokens that are left out together. Where the next brace shows
// which graph it is, none does.
func (s *search) braces(w *way, from, to int) bool {
	n := 0
	for _, t := range s.Tokens[from:to] {
		if t.Braces && (t.Torn || t.Code == fault.SyntaxUnclosedString) {
			return s.Rules.Holds(BracesLeftOut)
		}
		if t.Kind == lex.OpenGraph || t.Kind == lex.CloseGraph {
			n++
		}
	}
	fits := n == 1 && w.state.InGraph && s.nextBrace(to) == lex.CloseGraph
	return to-from > 1 && !fits && !s.balanced(from, to, lex.OpenGraph, lex.CloseGraph) && s.Rules.Holds(BracesLeftOut)
}

// balanced says that what is opened among some tokens is closed among them, and nothing else.
func (s *search) balanced(from, to int, opens, closes lex.Kind) bool {
	depth := 0
	for _, t := range s.Tokens[from:to] {
		switch t.Kind {
		case opens:
			depth++
		case closes:
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// codeOf is what is wrong with the token i by itself.
func (s *search) codeOf(i int) fault.Code {
	if i < len(s.Tokens) {
		return s.Tokens[i].Code
	}
	return ""
}

// offset is where the token i begins.
func (s *search) offset(i int) int64 {
	if i < len(s.Tokens) {
		return s.Tokens[i].From
	}
	return s.Tokens[len(s.Tokens)-1].To
}
