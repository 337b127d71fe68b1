package clean

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"laundromat/rdf"
	"laundromat/rdf/bcp47"
	"laundromat/rdf/prose"
	"laundromat/rdf/xsd"
)

// gate looks at a statement once, and lets one that is plainly sound pass by the
// filters that judge terms. Most are: then each byte was looked at once, and not by
// each filter. It knows nothing of its own: what it lets pass, the filters would
// have passed without a word.
type gate struct {
	rdf.Sink // the filters
	behind   rdf.Sink

	iris       *iris
	languages  *languages
	literals   *literals
	predicates goodIRIs
	objects    goodIRIs
}

// goodIRIs are IRIs without a fault that came last, by their last letters.
type goodIRIs [256][]byte

func (g *gate) Quad(q *rdf.Quad) error {
	asString(&q.Object)
	if g.isPlain(q) {
		return g.behind.Quad(q)
	}
	return g.Sink.Quad(q)
}

func (g *gate) isPlain(q *rdf.Quad) bool {
	return g.isPlainNode(subject, &q.Subject) &&
		q.Predicate.Kind == rdf.IRI && g.isKnown(&g.predicates, q.Predicate.Value) &&
		g.isPlainObject(&q.Object) &&
		(q.Graph.Kind == rdf.NoTerm || g.isPlainNode(graph, &q.Graph))
}

// isPlainNode judges a subject or graph name, which tends to come again at once.
func (g *gate) isPlainNode(at place, t *rdf.Term) bool {
	switch t.Kind {
	case rdf.IRI:
		good := &g.iris.good[at]
		if len(*good) == len(t.Value) && len(t.Value) > 0 && bytes.Equal(*good, t.Value) {
			return true
		}
		if g.iris.isPlainIRI(t.Value) {
			*good = append((*good)[:0], t.Value...)
			return true
		}
	case rdf.BlankNode:
		return isPlainASCII(t.Value)
	}
	return false
}

// isKnown judges an IRI of those that come again and again.
func (g *gate) isKnown(good *goodIRIs, iri []byte) bool {
	if len(iri) < 8 {
		return false
	}
	slot := &good[hashOf(iri)]
	if bytes.Equal(*slot, iri) {
		return true
	}
	if !g.iris.isPlainIRI(iri) {
		return false
	}
	*slot = append((*slot)[:0], iri...)
	return true
}

// hashOf is a number up to 255 that the last eight letters of an IRI make.
func hashOf(iri []byte) uint8 {
	return uint8(binary.LittleEndian.Uint64(iri[len(iri)-8:]) * 0x9E3779B97F4A7C15 >> 56)
}

func (g *gate) isPlainObject(t *rdf.Term) bool {
	switch t.Kind {
	case rdf.IRI:
		return g.isKnown(&g.objects, t.Value)
	case rdf.BlankNode:
		return isPlainASCII(t.Value)
	case rdf.Literal:
	default:
		return false
	}
	if len(t.Datatype) > 0 {
		return len(t.Language) == 0 && g.isPlainValue(t)
	}
	if len(t.Language) > 0 && !bcp47.IsCommon(t.Language) && !g.languages.isGood(t.Language) {
		return false
	}
	return prose.IsSound(t.Value) || prose.Judge(t.Value, t.Language) == nil
}

// isPlainValue judges a literal by its datatype.
func (g *gate) isPlainValue(t *rdf.Term) bool {
	known := g.literals.judge(t.Datatype)
	if known.standing > xsd.Known || known.isLink || known.isLanguage {
		return false
	}
	if !known.isPlain {
		if known.isPlain = g.iris.isPlainIRI(t.Datatype); !known.isPlain {
			return false
		}
	}
	if known.datatype == nil {
		return isPlainASCII(t.Value) || isWhole(t.Value)
	}
	if known.datatype.IsCanonical(t.Value) {
		return true
	}
	if !isPlainASCII(t.Value) && !isWhole(t.Value) {
		return false
	}
	canonical, verdict := known.datatype.AppendCanonical(g.literals.buffer[:0], t.Value)
	g.literals.buffer = canonical
	return verdict == xsd.Valid && (g.literals.keep || bytes.Equal(canonical, t.Value))
}

// isWhole says that text is UTF-8, and no character of it is told as lost.
func isWhole(text []byte) bool {
	return utf8.Valid(text) && !bytes.Contains(text, []byte(replacement))
}

// isPlainASCII says that text is ASCII, which is quicker than asking for UTF-8.
func isPlainASCII(text []byte) bool {
	const high = 0x8080808080808080
	n := len(text)
	if n < 8 {
		var joined byte
		for _, b := range text {
			joined |= b
		}
		return joined < utf8.RuneSelf
	}
	joined := binary.LittleEndian.Uint64(text[n-8:])
	for i := 0; i+8 <= n; i += 8 {
		joined |= binary.LittleEndian.Uint64(text[i:])
	}
	return joined&high == 0
}
