package clean

import "laundromat/rdf"

// nodes renames the blank nodes of statements, those in triple terms included.
type nodes struct {
	// name names t in buffer, which belongs to the place of t, and returns that.
	name    func(t *rdf.Term, buffer []byte) []byte
	buffers [4][]byte
	levels  []*renamed
}

// renamed is a triple term with other names.
type renamed struct {
	triple  rdf.Triple
	buffers [2][]byte
}

func (n *nodes) rename(q *rdf.Quad) {
	if q.Subject.Kind == rdf.BlankNode {
		n.buffers[subject] = n.name(&q.Subject, n.buffers[subject])
	}
	switch q.Object.Kind {
	case rdf.BlankNode:
		n.buffers[object] = n.name(&q.Object, n.buffers[object])
	case rdf.TripleTerm:
		n.triples(&q.Object)
	}
	if q.Graph.Kind == rdf.BlankNode {
		n.buffers[graph] = n.name(&q.Graph, n.buffers[graph])
	}
}

// triples gives t, which is a triple term, other triples: nobody writes into those of
// another.
func (n *nodes) triples(t *rdf.Term) {
	for depth := 0; t.Kind == rdf.TripleTerm; depth++ {
		if depth == len(n.levels) {
			n.levels = append(n.levels, new(renamed))
		}
		l := n.levels[depth]
		l.triple = *t.Triple
		t.Triple = &l.triple
		if l.triple.Subject.Kind == rdf.BlankNode {
			l.buffers[0] = n.name(&l.triple.Subject, l.buffers[0])
		}
		if t = &l.triple.Object; t.Kind == rdf.BlankNode {
			l.buffers[1] = n.name(t, l.buffers[1])
		}
	}
}
