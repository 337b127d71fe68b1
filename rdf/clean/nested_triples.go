package clean

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
)

// nest takes statements with a triple term through the filters that judge terms, so that these need
// not know of triple terms. Each triple in it goes through them as a statement of its own. Then the
// statement does, with a blank node in the place of the triple term. What comes out is put together
// again; a fault of any part is one of the statement.
type nest struct {
	first   rdf.Sink
	last    *texts // the filter after which statements are caught
	tellers []*teller

	levels  []*nested // the triples from the outermost on
	outer   *nested
	part    *rdf.Quad
	catch   catch
	into    *nested // what comes out next
	notices []fault.Notice
}

// nested is a triple, or the statement as a whole, as it came out.
type nested struct {
	quad   rdf.Quad
	triple rdf.Triple
	kept   bool
	buffer []byte
}

// Quad judges q, whose object is a triple term.
func (n *nest) Quad(q *rdf.Quad) error {
	if n.outer == nil {
		n.outer, n.part = new(nested), new(rdf.Quad) // most documents have no triple term
	}
	to := n.last.Sink
	n.catch.nest = n
	n.last.Sink = &n.catch
	depth := 0
	for t := q.Object.Triple; t != nil; t = t.Object.Triple {
		if depth == len(n.levels) {
			n.levels = append(n.levels, new(nested))
		}
		n.levels[depth].triple = *t
		depth++
	}
	kept, repaired := true, q.Repaired
	for i := depth; i >= 0; i-- {
		l, part := n.outer, n.part
		if *part = *q; i > 0 {
			l = n.levels[i-1]
			*part = rdf.Quad{Subject: l.triple.Subject, Predicate: l.triple.Predicate, Object: l.triple.Object}
		}
		if part.Object.Kind == rdf.TripleTerm {
			part.Object = rdf.Term{Kind: rdf.BlankNode, Anonymous: 1, Pos: part.Object.Pos}
		}
		n.into, l.kept = l, false
		if err := n.first.Quad(part); err != nil {
			return err
		}
		kept = kept && l.kept
		repaired = repaired || l.quad.Repaired
	}
	n.last.Sink = to
	if !kept {
		n.lose(to)
		return nil
	}
	for i := range n.notices {
		to.Notice(n.notices[i])
	}
	n.notices = n.notices[:0]
	above := &n.outer.quad.Object
	pos := q.Object.Pos
	for _, l := range n.levels[:depth] {
		next := l.triple.Object.Pos
		l.triple = rdf.Triple{Subject: l.quad.Subject, Predicate: l.quad.Predicate, Object: l.quad.Object}
		*above = rdf.Term{Kind: rdf.TripleTerm, Triple: &l.triple, Pos: pos}
		above, pos = &l.triple.Object, next
	}
	n.outer.quad.Repaired = repaired
	return to.Quad(&n.outer.quad)
}

// lose says what was found in a statement that is lost: one loss, and no repairs.
func (n *nest) lose(to rdf.Sink) {
	owed := 1
	for _, notice := range n.notices {
		switch notice.Severity {
		case fault.Drop:
			if notice.Lost > 0 {
				notice.Lost, owed = owed, 0
			}
		case fault.Repair:
			notice.Severity = fault.Drop
			notice.Message = "lost with its statement; else " + notice.Message
		}
		to.Notice(notice)
	}
	n.notices = n.notices[:0]
	for _, t := range n.tellers {
		t.last = nil // what was reported as lost is reported again where it is kept
	}
}

// catch is the sink that keeps what comes out.
type catch struct{ *nest }

func (c *catch) Quad(q *rdf.Quad) error {
	l := c.into
	l.kept, l.quad, l.buffer = true, *q, l.buffer[:0]
	for _, t := range terms(&l.quad) {
		t.Value, t.Datatype, t.Language = l.keep(t.Value), l.keep(t.Datatype), l.keep(t.Language)
	}
	return nil
}

func (l *nested) keep(b []byte) []byte {
	n := len(l.buffer)
	l.buffer = append(l.buffer, b...)
	return l.buffer[n:len(l.buffer):len(l.buffer)]
}

func (c *catch) Notice(n fault.Notice) { c.notices = append(c.notices, n) }
