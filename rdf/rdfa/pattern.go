package rdfa

import (
	"context"
	"fmt"

	"laundromat/rdf"
)

// copyPatterns copies the properties of patterns to what copies them (HTML+RDFa 1.1
// §3.5), and takes the patterns that were copied out.
func (p *processor) copyPatterns() {
	if !p.pattern {
		return
	}
	patterns := map[string]bool{}
	known := make(map[string]bool, len(p.triples))
	for i := range p.triples {
		t := &p.triples[i]
		known[t.key()] = true
		if t.p.value == rdf.Type && t.o.kind == rdf.IRI && t.o.value == rdfaNS+"Pattern" {
			patterns[t.s.key()] = true
		}
	}
	bySubject := map[string][]int{}
	for i := range p.triples {
		if key := p.triples[i].s.key(); patterns[key] {
			bySubject[key] = append(bySubject[key], i)
		}
	}
	referenced := map[string]bool{}
	// Triples are added behind while the loop runs, so that copies of copies are met.
	for i := 0; i < len(p.triples) && len(p.triples) < maxCopies; i++ {
		t := p.triples[i]
		from := t.o.key()
		if t.p.value != rdfaNS+"copy" || !patterns[from] {
			continue
		}
		referenced[from] = true
		to := t.s.key()
		for _, j := range bySubject[from] {
			one := p.triples[j]
			if one.p.value == rdf.Type && one.o.value == rdfaNS+"Pattern" {
				continue
			}
			one.s = t.s
			if key := one.key(); !known[key] {
				known[key] = true
				if patterns[to] {
					bySubject[to] = append(bySubject[to], len(p.triples))
				}
				p.triples = append(p.triples, one)
			}
		}
	}
	kept := p.triples[:0]
	for _, t := range p.triples {
		if referenced[t.s.key()] || t.p.value == rdfaNS+"copy" && patterns[t.o.key()] {
			continue
		}
		kept = append(kept, t)
	}
	p.triples = kept
}

// maxCopies bounds what patterns that copy one another can make of a small page.
const maxCopies = 1 << 20

func (t *term) key() string {
	return fmt.Sprintf("%d %p %q %q %q", t.kind, t.node, t.value, t.datatype, t.language)
}

func (t *triple) key() string { return t.s.key() + t.p.key() + t.o.key() }

// emit hands the statements to the sink.
func (p *processor) emit(ctx context.Context) error {
	var q rdf.Quad
	var space []byte
	for i := range p.triples {
		if i%1000 == 0 {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("read RDFa: %w", err)
			}
		}
		t := &p.triples[i]
		need := 0
		for _, one := range []*term{&t.s, &t.p, &t.o} {
			need += len(one.value) + len(one.datatype) + len(one.language)
		}
		if need > cap(space) {
			space = make([]byte, 0, 2*need)
		}
		space = space[:0]
		take := func(s string) []byte {
			from := len(space)
			space = append(space, s...)
			return space[from:len(space):len(space)]
		}
		term := func(t *term) rdf.Term {
			out := rdf.Term{Kind: t.kind, Value: take(t.value), Datatype: take(t.datatype), Language: take(t.language), Pos: t.pos}
			if t.node != nil {
				if t.node.number == 0 {
					p.numbered++
					t.node.number = p.numbered
				}
				out.Anonymous = t.node.number
			}
			return out
		}
		q = rdf.Quad{Subject: term(&t.s), Predicate: term(&t.p), Object: term(&t.o),
			Repaired: t.s.repaired || t.p.repaired || t.o.repaired}
		if err := p.to.Quad(&q); err != nil {
			return &rdf.SinkError{Err: err}
		}
	}
	return nil
}
