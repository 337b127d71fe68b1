package clean

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
)

// triples is the last filter that judges where the output is N-Triples, which has no graphs. A
// statement in a named graph can't be written there, and would say something else in the default
// graph. It is dropped.
type triples struct{ rdf.Sink }

func (t *triples) Quad(q *rdf.Quad) error {
	if q.Graph.Kind == rdf.NoTerm {
		return t.Sink.Quad(q)
	}
	excerpt := q.Graph.Value
	if q.Graph.Kind == rdf.BlankNode {
		excerpt = append([]byte("_:"), excerpt...)
	}
	t.Notice(fault.Notice{
		Code: fault.FormatNamedGraph, Severity: fault.Drop, Lost: 1, Pos: q.Graph.Pos,
		Message: "the output is N-Triples, which has no graphs", Excerpt: fault.Excerpt(excerpt),
	})
	return nil
}
