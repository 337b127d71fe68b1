package ttl

import (
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
)

// before tries whether the terms before the current one, which can't follow them, began a
// statement. A predicate or object of the statement before was then the subject of another,
// because a line or its end was lost.
func (s *search) before() {
	f := s.top()
	if s.state != expectEnd || !f.hasPairs() {
		return
	}
	switch {
	case f.lost && s.object.Dead == "" && f.column > 0 && f.predicate.Dead == "" && !f.isA && s.object.Kind == rdf.IRI && f.verbs == 1 && endless(f.subject.Dead) && s.hasBegun(f.column):
		// the line before breaks off in its subject
		s.try(goOnBothBefore, 0, walker{state: expectObject, own: []walkFrame{{kind: statementFrame}}}, endedScore)
	case f.subject.Dead != "" && f.kind == statementFrame && s.object.Dead == "" && s.objectColumn > 0 && s.Tok.Kind == lex.A:
		s.try(goOnSubject, 0, walker{state: expectVerb, own: []walkFrame{{kind: statementFrame}}}, endedScore)
	case f.lost && s.object.Dead == "" && (s.objectColumn == 0 || s.beginsByLayout(s.objectColumn) != likely && !s.hasBegun(s.objectColumn)):
	case s.object.Dead != "":
		if s.objectColumn > 0 && s.hasBegun(s.objectColumn) { // a faulty IRI on the next line
			s.try(goOnSubject, 0, walker{state: expectVerb, own: []walkFrame{{kind: statementFrame}}}, endedScore)
		}
	case s.object.Kind == rdf.IRI && f.predicate.Dead == "" && !f.isA && !f.afterComma &&
		s.mayStandUnopened(f, walker{state: expectObject, inGraph: true, own: []walkFrame{{kind: statementFrame}}}):
		s.best = plan{act: goOnUnopened, score: fullScore, at: s.Mark()}
	case s.object.Kind == rdf.Literal:
	case s.objectColumn > 0 && (s.beginsByLayout(s.objectColumn) == likely || s.hasBegun(s.objectColumn)):
		s.try(goOnSubject, 0, walker{state: expectVerb, own: []walkFrame{{kind: statementFrame}}}, endedScore)
	case f.column > 0 && f.predicate.Dead == "" && !f.isA && s.object.Kind == rdf.IRI && !f.afterComma &&
		(s.beginsByLayout(f.column) == likely || f.kind != statementFrame && s.hasBegun(f.column)):
		s.try(goOnBothBefore, 0, walker{state: expectObject, own: []walkFrame{{kind: statementFrame}}}, endedScore)
	}
}

// objectMayBeVerb says that the object before the fault may be a predicate: that and the object of
// the one before it, or a [, are missing.
func (s *search) objectMayBeVerb() bool {
	f, h := s.top(), s.habits
	if s.state != expectEnd || !f.hasPairs() || s.object.Kind != rdf.IRI || s.Tok.Kind == lex.Symbol && s.Tok.From == s.Ended.Offset {
		return false // what is glued to it is a part of the same name
	}
	const enough = 8
	is := h.isVerb(s.object.Value)
	if f.afterComma || !f.fresh { // the line before breaks off after the comma
		column := s.usualColumn(s.turtle.depth)
		return s.objectColumn > 0 && (column == 0 || s.objectColumn == column) && is != unlikely || is == likely || is == unknown && h.isSpaceOfVerbs(s.object.Value)
	}
	return is == likely || is == unknown && (s.objectColumn > 0 || h.new+h.known > enough && h.isSpaceOfVerbs(s.object.Value))
}
