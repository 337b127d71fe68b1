package html

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
)

// sink stands between the readers of the sources and the sink of the page: it counts,
// keeps the blank nodes of the sources apart, and knows the places of scripts.
type sink struct {
	to     rdf.Sink
	in     *rdf.Input // of the readers to come, which tell only once that its base is a file
	script *script    // that is being read; nil otherwise
	read   int64      // statements, handed on or lost

	before  uint64            // the highest number of a node in the sources and scripts before
	highest uint64            // and in the present one
	labels  map[string]bool   // of the sources before the scripts
	renamed map[string]uint64 // those that a script has too, and the number of its node
	numbers map[uint64]uint64 // of the present script; nil where before is all it takes
}

// next ends a source or a script.
func (s *sink) next() {
	s.before, s.script = s.highest, nil
	clear(s.numbers)
}

// startScripts says that what comes now are labels of JSON-LD.
func (s *sink) startScripts() {
	if len(s.labels) > 0 {
		s.renamed, s.numbers = map[string]uint64{}, map[uint64]uint64{}
	}
}

func (s *sink) Quad(q *rdf.Quad) error {
	s.read++
	for _, t := range [...]*rdf.Term{&q.Subject, &q.Predicate, &q.Object, &q.Graph} {
		if t.Kind == rdf.BlankNode {
			s.node(t)
		}
		if s.script != nil && t.Kind != rdf.NoTerm {
			t.Pos = s.script.place(t.Pos)
		}
	}
	if s.script != nil && s.script.repaired {
		q.Repaired = true
	}
	return s.to.Quad(q)
}

// node gives a blank node the number or label that it has in the page.
func (s *sink) node(t *rdf.Term) {
	switch {
	case t.Anonymous != 0 && s.numbers != nil:
		number, known := s.numbers[t.Anonymous]
		if !known {
			s.highest++
			number = s.highest
			s.numbers[t.Anonymous] = number
		}
		t.Anonymous = number
	case t.Anonymous != 0:
		t.Anonymous += s.before
		s.highest = max(s.highest, t.Anonymous)
	case s.script == nil:
		if s.labels == nil {
			s.labels = map[string]bool{}
		}
		s.labels[string(t.Value)] = true
	case s.labels[string(t.Value)]:
		number, known := s.renamed[string(t.Value)]
		if !known {
			s.highest++
			number = s.highest
			s.renamed[string(t.Value)] = number
		}
		t.Value, t.Anonymous = nil, number
	}
}

func (s *sink) Notice(n fault.Notice) {
	if n.Severity == fault.Drop {
		s.read += int64(n.Lost)
	}
	if n.Code == fault.IRIRelative {
		s.in.BaseIsFile = false
	}
	if s.script != nil {
		n.Pos = s.script.place(n.Pos)
	}
	s.to.Notice(n)
}
