package csvw

import (
	"strconv"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// writer makes quads.
type writer struct {
	to          rdf.Sink
	silent      bool // nothing is written: a table is read for its keys alone
	blanks      uint64
	at          fault.Pos
	metadataPos fault.Pos
}

func iriTerm(iri []byte) rdf.Term { return rdf.Term{Kind: rdf.IRI, Value: iri} }

// blank is a new blank node.
func (w *writer) blank() rdf.Term {
	w.blanks++
	return rdf.Term{Kind: rdf.BlankNode, Anonymous: w.blanks}
}

// quad passes a statement on, at the place of the cell at hand.
func (w *writer) quad(s *rdf.Term, predicate string, o *rdf.Term) error {
	return w.quadOf(s, []byte(predicate), o)
}

func (w *writer) quadOf(s *rdf.Term, predicate []byte, o *rdf.Term) error {
	if w.silent {
		return nil
	}
	q := rdf.Quad{Subject: *s, Predicate: rdf.Term{Kind: rdf.IRI, Value: predicate}, Object: *o}
	q.Subject.Pos, q.Predicate.Pos, q.Object.Pos = w.at, w.at, w.at
	if err := w.to.Quad(&q); err != nil {
		return &rdf.SinkError{Err: err}
	}
	return nil
}

func (w *writer) isA(s *rdf.Term, class string) error {
	o := iriTerm([]byte(Namespace + class))
	return w.quad(s, rdf.Type, &o)
}

func integerTerm(n int64) rdf.Term {
	return rdf.Term{Kind: rdf.Literal, Value: strconv.AppendInt(nil, n, 10), Datatype: []byte(rdf.XSD + "integer")}
}

// list makes a list of terms; rdf:nil if there are none.
func (w *writer) list(n int, item func(int) rdf.Term) (rdf.Term, error) {
	if n == 0 {
		return iriTerm([]byte(rdf.Nil)), nil
	}
	head := w.blank()
	for i, cell := 0, head; i < n; i++ {
		value := item(i)
		if err := w.quad(&cell, rdf.First, &value); err != nil {
			return head, err
		}
		rest := iriTerm([]byte(rdf.Nil))
		if i+1 < n {
			rest = w.blank()
		}
		if err := w.quad(&cell, rdf.Rest, &rest); err != nil {
			return head, err
		}
		cell = rest
	}
	return head, nil
}
