package clean

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
)

// Output is a syntax that can't say all that N-Quads can. The zero value is N-Quads.
type Output struct {
	Name          string // as messages call it
	NoGraphs      bool   // it has no named graphs
	NoTripleTerms bool   // it has no triple terms
}

// unsayable is the last filter that judges. It drops what the output can't say: a statement in a named graph
// would say something else in the default graph.
type unsayable struct {
	rdf.Sink
	output Output
}

func (u *unsayable) Quad(q *rdf.Quad) error {
	n := fault.Notice{Severity: fault.Drop, Lost: 1}
	switch {
	case u.output.NoGraphs && q.Graph.Kind != rdf.NoTerm:
		excerpt := q.Graph.Value
		if q.Graph.Kind == rdf.BlankNode {
			excerpt = append([]byte("_:"), excerpt...)
		}
		n.Code, n.Pos, n.Excerpt = fault.FormatNamedGraph, q.Graph.Pos, fault.Excerpt(excerpt)
		n.Message = "the output is " + u.output.Name + ", which has no graphs"
	case u.output.NoTripleTerms && q.Object.Kind == rdf.TripleTerm:
		n.Code, n.Pos = fault.FormatTripleTerm, q.Object.Pos
		n.Message = "the output is " + u.output.Name + ", which has no triple terms"
	default:
		return u.Sink.Quad(q)
	}
	u.Notice(n)
	return nil
}
