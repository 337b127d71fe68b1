package html

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
)

// sink is between the readers of the sources and the sink of the page. It counts, keeps the blank
// nodes of the sources apart, and knows the places of scripts.
type sink struct {
	to     rdf.Sink
	in     *rdf.Input // of the readers to come, which report only once that its base is a file
	script *script    // that is being read; nil otherwise
	read   int64      // statements, handed on or lost
	isLast bool       // no source comes after this one, for which labels would be kept

	before  uint64            // the highest number of a node in the sources and scripts before
	highest uint64            // and in the current one
	labels  map[string]bool   // of the sources before this one
	own     map[string]bool   // of this one, that no source before has
	renamed map[string]uint64 // labels of this source that one before has too, and the number of the node
	numbers map[uint64]uint64 // of the present script; nil where before is all it takes
}

// nextScript ends a script.
func (s *sink) nextScript() {
	s.before, s.script = s.highest, nil
	clear(s.numbers)
}

// nextSource ends a source, to which labels belong: what comes next has its own.
func (s *sink) nextSource() {
	s.nextScript()
	if s.labels == nil {
		s.labels, s.own = s.own, nil
	}
	for label := range s.own {
		s.labels[label] = true
	}
	clear(s.own)
	clear(s.renamed)
	if len(s.labels) > 0 && s.numbers == nil {
		s.renamed, s.numbers = map[string]uint64{}, map[uint64]uint64{}
	}
}

func (s *sink) Quad(q *rdf.Quad) error {
	s.read++
	for _, t := range [...]*rdf.Term{&q.Subject, &q.Predicate, &q.Object, &q.Graph} {
		s.term(t)
	}
	if s.script != nil && s.script.repaired {
		q.Repaired = true
	}
	return s.to.Quad(q)
}

// term makes a term of a source that of the page.
func (s *sink) term(t *rdf.Term) {
	switch t.Kind {
	case rdf.NoTerm:
		return
	case rdf.BlankNode:
		s.node(t)
	case rdf.TripleTerm:
		said := *t.Triple
		s.term(&said.Subject)
		s.term(&said.Predicate)
		s.term(&said.Object)
		t.Triple = &said
	}
	if s.script != nil {
		t.Pos = s.script.place(t.Pos)
	}
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
	case s.labels[string(t.Value)]:
		number, known := s.renamed[string(t.Value)]
		if !known {
			s.highest++
			number = s.highest
			s.renamed[string(t.Value)] = number
		}
		t.Value, t.Anonymous = nil, number
	case !s.isLast && !s.own[string(t.Value)]:
		if s.own == nil {
			s.own = map[string]bool{}
		}
		s.own[string(t.Value)] = true
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
		n.Edits = s.script.edits(n.Edits)
	}
	s.to.Notice(n)
}
