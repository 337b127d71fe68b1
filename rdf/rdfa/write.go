package rdfa

import (
	"fmt"

	"laundromat/rdf"
)

// write hands a statement to the sink.
func (p *processor) write(t *triple) {
	if p.failed != nil {
		return
	}
	if p.written++; p.written%1000 == 0 {
		if err := p.ctx.Err(); err != nil {
			p.failed = fmt.Errorf("read RDFa: %w", err)
			return
		}
	}
	need := 0
	for _, one := range []*term{&t.s, &t.p, &t.o} {
		need += len(one.value) + len(one.datatype) + len(one.language)
	}
	if need > cap(p.buffer) {
		p.buffer = make([]byte, 0, 2*need)
	}
	p.buffer = p.buffer[:0]
	p.quad = rdf.Quad{Subject: p.term(&t.s), Predicate: p.term(&t.p), Object: p.term(&t.o),
		Repaired: t.s.repaired || t.p.repaired || t.o.repaired}
	if err := p.to.Quad(&p.quad); err != nil {
		p.failed = &rdf.SinkError{Err: err}
	}
}

// term numbers a blank node without a label when it is first written.
func (p *processor) term(t *term) rdf.Term {
	out := rdf.Term{Kind: t.kind, Value: p.bytes(t.value), Datatype: p.bytes(t.datatype), Language: p.bytes(t.language), Pos: t.pos}
	if t.node != nil {
		if t.node.number == 0 {
			p.numbered++
			t.node.number = p.numbered
		}
		out.Anonymous = t.node.number
	}
	return out
}

func (p *processor) bytes(s string) []byte {
	from := len(p.buffer)
	p.buffer = append(p.buffer, s...)
	return p.buffer[from:len(p.buffer):len(p.buffer)]
}
