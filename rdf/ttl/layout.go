package ttl

import (
	"slices"

	"laundromat/rdf/ttl/lex"
)

// endsByLayout looks ahead whether the layout shows that the current dot or } ends a statement, though another
// fault may follow soon. The next line then begins with a statement, in a column where others have begun.
func (s *search) endsByLayout() bool {
	m := s.Mark()
	defer s.Reset(m)
	inGraph := s.inGraph
	defer func() { s.inGraph = inGraph }()
	line, k := s.Tok.Pos.Line, s.Tok.Kind
	s.inGraph = s.inGraph && k != lex.CloseGraph
	s.Next()
	column := s.Tok.Pos.Column
	if s.Tok.Pos.Line > line && (s.Tok.Kind == lex.Graph || s.Tok.Kind == lex.CloseGraph && s.inGraph) {
		return true
	}
	return s.Tok.Pos.Line > line && s.startsLine() && s.Tok.Kind.BeginsSubject() && (s.beginsByLayout(column) == likely || s.hasBegun(column))
}

// goesOnByLayout looks ahead whether the layout shows that the current semicolon ends an object of
// frame f. The next line then begins with a predicate, in the column of the others in f.
func (s *search) goesOnByLayout(f *frame, frames int) bool {
	usual := f.lastColumn
	if pairs := &s.habits.pairs[s.kindOfPlace()]; usual == 0 && frames < len(pairs) {
		usual = pairs[frames]
	}
	m := s.Mark()
	defer s.Reset(m)
	s.Next()
	return usual > 0 && s.Tok.Kind.IsVerb() && s.column() == usual && s.beginsByLayout(usual) != likely
}

// goesOnPlainly looks ahead whether after the current semicolon a predicate is and an object
// that ends as one does, whatever follows.
func (s *search) goesOnPlainly() bool {
	m := s.Mark()
	defer s.Reset(m)
	if s.Next(); !s.Tok.Kind.IsVerb() || s.looksLikeVerb() == unlikely {
		return false
	}
	s.Next()
	return s.plainlyObject()
}

// standsBefore says that what begins a line in a column is where no predicate is. It is nearer to
// the left than all that began lines, but not where statements began.
func (r *turtle) standsBefore(column int64) bool {
	starts, deeper := r.habits.starts[r.kindOfPlace()].all(), r.habits.deeperAt(r.kindOfPlace())
	if len(starts) < 2 || len(deeper) < 2 {
		return false
	}
	least := slices.Min(deeper)
	return slices.Min(starts) > 0 && slices.Max(starts) < least && column > 0 && column < least
}

// hasBegun says that statements have begun in a column, and that no predicate of one began a line.
func (r *turtle) hasBegun(column int64) bool {
	return len(r.habits.deeperAt(r.kindOfPlace())) == 0 && slices.Contains(r.habits.starts[r.kindOfPlace()].all(), column)
}

// hasLines says that predicates begin lines in the document, or in the statement.
func (r *turtle) hasLines() bool {
	for i := range r.stack[:r.depth] {
		if r.stack[i].lastColumn > 0 {
			return true
		}
	}
	return len(r.habits.deeperAt(0))+len(r.habits.deeperAt(1)) > 0
}

// hasNoLines says that statements begin lines in the document, and no predicate does.
func (r *turtle) hasNoLines() bool {
	starts := r.habits.starts[r.kindOfPlace()].all()
	return len(starts) > 1 && slices.Min(starts) > 0 && !r.hasLines()
}

// isBeforeLost looks ahead whether a statement without its subject comes after the current dot.
// Its predicate begins a line in the column where the open statement began, and makes sense up to
// another dot.
func (s *search) isBeforeLost() bool {
	if s.Tok.Kind != lex.Dot || !s.isBeforeColumn() {
		return false
	}
	m := s.Mark()
	s.Next()
	v := s.walk(walker{state: expectVerb, inGraph: s.inGraph, own: []walkFrame{{kind: statementFrame}}})
	s.Reset(m)
	return v.sound()
}
