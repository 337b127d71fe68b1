package clean

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/markup/prose"
	"laundromat/rdf"
	"laundromat/rdf/bcp47"
	"laundromat/rdf/xsd"
)

// gate looks at a statement once, and lets one that is clearly sound pass by the
// filters that judge terms. Most are: then each byte was looked at once, and not by
// each filter. It knows nothing of its own. What it lets pass, the filters would
// have passed without a word, or with a note that the gate gives in their name.
type gate struct {
	rdf.Sink // the filters
	behind   rdf.Sink

	line    *liner // where sound statements end; nil where a filter after may still say something
	options Options

	iris       *iris
	languages  *languages
	literals   *literals
	subject    node
	graph      node
	predicates recent[column]

	// What is to be noted of the statement that was found plain: its tag in small letters, its
	// literal in canonical form; nil for nothing.
	tag, canonical []byte
	tagBuffer      []byte

	gathers  bool
	gathered []byte // clean lines that wait
	waiting  int    // how many they are
}

// column is what came last with a predicate.
type column struct {
	predicate []byte
	object    namespace // the objects of a predicate tend to be of one
	datatype  *judged
}

// node is the last good IRI of a place where the same tends to come again at once.
type node struct {
	iri   []byte
	space namespace
}

// namespace is what a good web address begins with, up to the last / or # of its path. In
// another that begins so, only the rest needs a look.
type namespace []byte

func (g *gate) Quad(q *rdf.Quad) error {
	asString(&q.Object)
	isPlain := g.isPlain(q)
	if isPlain {
		g.note(q)
		if g.gathers && mayGather(q) {
			return g.gather(q)
		}
	}
	if g.waiting > 0 {
		if err := g.flush(); err != nil {
			return err
		}
	}
	if isPlain {
		return g.behind.Quad(q)
	}
	return g.Sink.Quad(q)
}

// note gives the notes on a plain statement, and does what they say.
func (g *gate) note(q *rdf.Quad) {
	t := &q.Object
	var n fault.Notice
	if g.tag != nil {
		g.languages.noteCase(&n, t)
		g.tell(&g.languages.teller, t, t.Language, &n)
		t.Language = g.tag
	}
	if g.canonical != nil {
		g.literals.noteForm(&n, t, g.canonical)
		g.tell(&g.literals.teller, t, t.Value, &n)
		t.Value = g.canonical
	}
}

// tell is that of a filter, but no other filter is asked that would pass the notice on as it is.
func (g *gate) tell(of *teller, t *rdf.Term, value []byte, n *fault.Notice) {
	if g.line == nil {
		of.tell(object, t, value, *n)
		return
	}
	if n.Pos = t.Pos; !of.toldBefore(object, t.Pos, value, n.Code) {
		g.line.Notice(*n)
	}
}

// mostGathered is how many bytes of lines wait, about.
const mostGathered = 32 << 10

// Gather lets lines wait, except where a filter behind may have something to say of them.
func (g *gate) Gather() { g.gathers = g.line != nil && g.options.Output == Output{} }

// Release passes on the lines that wait.
func (g *gate) Release() error {
	g.gathers = false
	return g.flush()
}

// mayGather says that a plain statement is a line as it is, and no repair.
func mayGather(q *rdf.Quad) bool {
	return !q.Repaired && q.Subject.Kind != rdf.BlankNode && q.Object.Kind != rdf.BlankNode && q.Graph.Kind != rdf.BlankNode
}

func (g *gate) gather(q *rdf.Quad) error {
	g.gathered = append(rdf.AppendQuad(g.gathered, q), '\n')
	if g.waiting++; len(g.gathered) < mostGathered {
		return nil
	}
	return g.flush()
}

// flush passes on the lines that wait.
func (g *gate) flush() error {
	if g.waiting == 0 {
		return nil
	}
	n, text := g.waiting, g.gathered
	g.waiting, g.gathered = 0, g.gathered[:0]
	return g.line.Lines(text, n)
}

// isPlain says that nothing is wrong with a statement. What is only noted of it is in tag and canonical then.
func (g *gate) isPlain(q *rdf.Quad) bool {
	g.tag, g.canonical = nil, nil
	if !g.isPlainNode(subject, &g.subject, &q.Subject) || q.Predicate.Kind != rdf.IRI || len(q.Predicate.Value) < 8 {
		return false
	}
	c := g.predicates.slot(q.Predicate.Value)
	if !bytes.Equal(c.predicate, q.Predicate.Value) {
		if !g.iris.isPlainIRI(q.Predicate.Value) {
			return false
		}
		c = g.predicates.miss(q.Predicate.Value)
		c.predicate = append(c.predicate[:0], q.Predicate.Value...)
	}
	return g.isPlainObject(c, &q.Object) && (q.Graph.Kind == rdf.NoTerm || g.isPlainNode(graph, &g.graph, &q.Graph))
}

// isPlainNode judges a subject or graph name.
func (g *gate) isPlainNode(at place, last *node, t *rdf.Term) bool {
	switch t.Kind {
	case rdf.IRI:
		if len(t.Value) > 0 && bytes.Equal(t.Value, last.iri) {
			return true
		}
		isGood := len(t.Value) > 0 && bytes.Equal(t.Value, g.iris.good[at])
		if !isGood && !last.space.holds(t) && !last.space.learn(g.iris, t.Value) {
			return false
		}
		last.iri = append(last.iri[:0], t.Value...)
		return true
	case rdf.BlankNode:
		return isPlainASCII(t.Value)
	}
	return false
}

// holds says that the IRI t is in the space, with only ordinary letters after it.
func (s *namespace) holds(t *rdf.Term) bool {
	n := len(*s)
	if n == 0 || len(t.Value) <= n || string(t.Value[:n]) != string(*s) {
		return false
	}
	rest := t.Value[n:]
	if t.Bytes&(rdf.BytesSeen|rdf.BytesSign) == rdf.BytesSeen {
		return (bytes.IndexByte(rest, '.') < 0 || rest[0] != '.' && !hasDotSegment(rest)) &&
			(t.Bytes&rdf.BytesHigh == 0 || prose.IsSettled(rest))
	}
	odd, dots := glance(rest)
	return odd == 0 && (dots == 0 || rest[0] != '.' && !hasDotSegment(rest))
}

// learn says that iri is clearly good, and remembers its space then.
func (s *namespace) learn(f *iris, iri []byte) bool {
	if !f.isPlainIRI(iri) {
		return false
	}
	*s = append((*s)[:0], spaceOf(iri)...)
	return true
}

// spaceOf is the space of a web address; empty if it has none, or iri is none.
func spaceOf(iri []byte) []byte {
	if len(iri) <= 8 || string(iri[:4]) != "http" {
		return nil
	}
	path := bytes.IndexByte(iri[8:], '/') + 8 // of https:// the host begins there, of http:// it has a letter before
	if path <= 8 {
		return nil
	}
	return iri[:max(path, bytes.LastIndexAny(iri[:len(iri)-1], "/#"))+1]
}

func (g *gate) isPlainObject(c *column, t *rdf.Term) bool {
	switch t.Kind {
	case rdf.IRI:
		return c.object.holds(t) || c.object.learn(g.iris, t.Value)
	case rdf.BlankNode:
		return isPlainASCII(t.Value)
	case rdf.Literal:
	default:
		return false
	}
	if len(t.Datatype) > 0 {
		return len(t.Language) == 0 && g.isPlainValue(c, t)
	}
	language := t.Language
	if len(language) > 0 && !bcp47.IsCommon(language) && !g.languages.isGood(language) {
		if g.tag = g.lowered(language); g.tag == nil {
			return false
		}
		language = g.tag
		if bytes.Equal(language, t.Language) {
			g.tag = nil
		}
	}
	if n := len(t.Value); t.Bytes&(rdf.BytesSeen|rdf.BytesOdd) == rdf.BytesSeen && n > 0 && t.Value[0] > ' ' && t.Value[n-1] > ' ' {
		// The reader knows what prose.IsSound would find in the ASCII of it.
		return t.Bytes&rdf.BytesHigh == 0 || prose.JudgeBeyondASCII(t.Value, language) == nil
	}
	return prose.IsSound(t.Value) || prose.Judge(t.Value, language) == nil
}

// lowered is a tag in small letters, if nothing else is to be said of it; else nil.
func (g *gate) lowered(tag []byte) []byte {
	lower := g.tagBuffer[:0]
	for _, b := range tag {
		if 'A' <= b && b <= 'Z' {
			b |= 0x20
		}
		lower = append(lower, b)
	}
	g.tagBuffer = lower
	if bcp47.IsCommon(lower) || isWritable(lower) && (g.languages.isGood(lower) || g.languages.learn(lower)) {
		return lower
	}
	return nil
}

// isPlainValue judges a literal by its datatype.
func (g *gate) isPlainValue(c *column, t *rdf.Term) bool {
	known := c.datatype
	if known == nil || !bytes.Equal(known.iri, t.Datatype) {
		known = g.literals.judge(t.Datatype)
		c.datatype = known
	}
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
	if verdict == xsd.Valid && !g.literals.keep && !bytes.Equal(canonical, t.Value) {
		g.canonical = canonical
	}
	return verdict == xsd.Valid
}

// isWhole says that text is UTF-8, and no character of it is reported as lost.
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
