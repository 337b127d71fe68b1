package microdata

import (
	"fmt"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// term is a term whose text is not yet bytes.
type term struct {
	kind     rdf.Kind
	value    string
	datatype string
	language string
	node     *uint64 // the number of a blank node, given when it is first written
	pos      fault.Pos
	repaired bool
}

// write hands a statement to the sink.
func (r *reader) write(s *scope, k *known, subject term, predicate string, object term) {
	if r.failed != nil {
		return
	}
	if need := len(subject.value) + len(predicate) + len(object.value) + len(object.datatype) + len(object.language); need > cap(r.buffer) {
		r.buffer = make([]byte, 0, 2*need)
	}
	r.buffer = r.buffer[:0]
	p := term{kind: rdf.IRI, value: predicate, pos: k.e.Pos}
	r.quad = rdf.Quad{Subject: r.term(&subject), Predicate: r.term(&p), Object: r.term(&object), Repaired: s.repaired || subject.repaired ||
		object.repaired}
	if err := r.to.Quad(&r.quad); err != nil {
		r.failed = &rdf.SinkError{Err: err}
	}
}

func (r *reader) term(t *term) rdf.Term {
	out := rdf.Term{Kind: t.kind, Value: r.bytes(t.value), Datatype: r.bytes(t.datatype), Language: r.bytes(t.language), Pos: t.pos}
	if t.node != nil {
		if *t.node == 0 {
			r.numbered++
			*t.node = r.numbered
		}
		out.Anonymous = *t.node
	}
	return out
}

func (r *reader) bytes(s string) []byte {
	from := len(r.buffer)
	r.buffer = append(r.buffer, s...)
	return r.buffer[from:len(r.buffer):len(r.buffer)]
}

func stopped(err error) error { return fmt.Errorf("read Microdata: %w", err) }
