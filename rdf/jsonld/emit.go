package jsonld

import (
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/markup/jsonread"
	"laundromat/rdf"
)

// emitter makes statements of expanded nodes (JSON-LD 1.1 API §8.1), in document
// order: that of a node's link before those of the node.
type emitter struct {
	*expander
	numbered uint64 // the number of the last node without a name
	quad     rdf.Quad
	buffer   []byte // what the terms of quad point into
	void     *thing // the node in whose graph everything is that is written, and whose name is lost
	unlisted bool   // it belongs to a list that nothing leads to
}

// ref is a term whose text is not yet bytes.
type ref struct {
	kind      rdf.Kind
	value     string
	number    uint64
	datatype  string
	language  string
	direction rdf.Direction
	pos       fault.Pos
	repaired  bool
	lost      *thing // what this was to be the term of; the kind is rdf.NoTerm
}

func (e *emitter) write(s, p, o ref, graph rdf.Term) {
	if s.kind == rdf.NoTerm || o.kind == rdf.NoTerm || e.void != nil {
		e.loseStatement(&s, &p, &o)
		return
	}
	if e.failed != nil || e.unresolved(&s, &p, &o, &graph) {
		return
	}
	if need := len(s.value) + len(p.value) + len(o.value) + len(o.datatype) + len(o.language); need > cap(e.buffer) {
		e.buffer = make([]byte, 0, 2*need)
	}
	e.buffer = e.buffer[:0]
	e.quad = rdf.Quad{Subject: e.term(&s), Predicate: e.term(&p), Object: e.term(&o), Graph: graph,
		Repaired: s.repaired || p.repaired || o.repaired}
	if err := e.sink.Quad(&e.quad); err != nil {
		e.failed = &rdf.SinkError{Err: err}
	}
}

// unresolved loses a statement with an IRI that stayed relative although the document has a base, and tells why.
func (e *emitter) unresolved(s, p, o *ref, graph *rdf.Term) bool {
	why, at := "", p
	switch {
	case isRelative(p):
		why = "the predicate isn't an absolute IRI; the name of a property is completed by its vocabulary, and not by the base"
	case isRelative(s):
		why, at = e.noBase("subject", s.value), s
	case isRelative(o):
		why, at = e.noBase("object", o.value), o
	case graph.Kind == rdf.IRI && !rfc3986.IsAbsolute(graph.Value):
		why, at = e.noBase("graph", string(graph.Value)), &ref{value: string(graph.Value), pos: graph.Pos}
	}
	if why == "" { // which package clean may tell, where there is no base indeed
		return false
	}
	e.say(fault.Notice{Code: fault.IRINoBase, Severity: fault.Drop, Pos: at.pos, Lost: 1, Message: why,
		Excerpt: fault.Excerpt([]byte(at.value))})
	return true
}

func isRelative(r *ref) bool { return r.kind == rdf.IRI && !isIRI(r.value) }

// noBase says why an IRI is relative still. It is "" where the document has no base, or the text is no
// reference, both of which package clean reports.
func (e *emitter) noBase(place, value string) string {
	code, _ := rdf.JudgeReference([]byte(value))
	switch {
	case isBlank(value):
		return "the " + place + " is _: alone, a blank node without a label"
	case e.in.Base != "" && code != fault.IRINoReference:
		return "the " + place + " is a relative IRI, and the context says that there is no base: its @base is null"
	}
	return ""
}

func (e *emitter) term(r *ref) rdf.Term {
	return rdf.Term{Kind: r.kind, Value: e.bytes(r.value), Datatype: e.bytes(r.datatype),
		Language: e.bytes(r.language), Direction: r.direction, Anonymous: r.number, Pos: r.pos}
}

func (e *emitter) bytes(s string) []byte {
	from := len(e.buffer)
	e.buffer = append(e.buffer, s...)
	return e.buffer[from:len(e.buffer):len(e.buffer)]
}

// resource is the term that an identifier stands for.
func resource(id string, pos fault.Pos, repaired bool) ref {
	if isBlank(id) && len(id) > 2 {
		return ref{kind: rdf.BlankNode, value: id[2:], pos: pos, repaired: repaired}
	}
	return ref{kind: rdf.IRI, value: id, pos: pos, repaired: repaired}
}

// subject is the term of a node, which gets a number the first time if it has no name.
// A node whose @id was lost has none.
func (e *emitter) subject(t *thing) ref {
	if t.from != nil && t.from.Nameless {
		return ref{lost: t}
	}
	if t.named {
		return resource(t.iri, t.from.Pos, t.repaired)
	}
	if t.number == 0 {
		e.numbered++
		t.number = e.numbered
	}
	return ref{kind: rdf.BlankNode, number: t.number, pos: t.from.Pos, repaired: t.repaired}
}

// node writes what a node says, in a graph.
func (e *emitter) node(t *thing, graph rdf.Term) {
	if t.kind != aNode || e.failed != nil {
		return
	}
	s := e.subject(t)
	for i := range t.types {
		n := &t.types[i]
		e.write(s, ref{kind: rdf.IRI, value: rdf.Type, pos: n.from.Pos}, resource(n.iri, n.from.Pos, n.repaired), graph)
	}
	for i := range t.props {
		p := &t.props[i]
		for _, o := range p.things {
			e.object(s, resource(p.iri, p.pos, false), o, graph)
		}
	}
	for i := range t.reverse {
		p := &t.reverse[i]
		for _, o := range p.things {
			e.subjectOf(o, resource(p.iri, p.pos, false), s, graph)
		}
	}
	for _, o := range t.included {
		e.node(o, graph)
	}
	switch {
	case !t.hasGraph:
	case s.kind == rdf.NoTerm:
		for _, o := range t.graph {
			e.nodeInNoGraph(o, t)
		}
	default:
		// The bytes of s live in the space of the last quad, those of its name do not.
		name := rdf.Term{Kind: s.kind, Value: []byte(s.value), Anonymous: s.number, Pos: s.pos}
		for _, o := range t.graph {
			e.inGraph(o, name)
		}
	}
}

// nodeInNoGraph tells of what stands in the graph of a node whose name is lost.
func (e *emitter) nodeInNoGraph(o, of *thing) {
	outer := e.void
	e.void = of
	e.node(o, rdf.Term{})
	e.void = outer
}

// subjectOf writes a statement whose subject is a thing, and what that in turn says.
func (e *emitter) subjectOf(t *thing, p, o ref, graph rdf.Term) {
	if t.kind == aLong {
		e.eachOf(t, func(one *thing) { e.subjectOf(one, p, o, graph) })
		return
	}
	e.write(e.subject(t), p, o, graph)
	e.node(t, graph)
}

// inGraph writes what stands in a graph with a name.
func (e *emitter) inGraph(o *thing, name rdf.Term) {
	switch {
	case o.kind == aLiteral || o.kind == aList:
		e.warn(fault.JSONFreeValue, o.from, "a value that belongs to no node means nothing, in a graph too")
	case o.named && o.saysNothing():
		e.warn(fault.JSONFreeValue, o.from, "a node of which nothing is said means nothing, in a graph too")
	}
	e.node(o, name)
}

// object writes a statement, and what its object in turn says.
func (e *emitter) object(s, p ref, t *thing, graph rdf.Term) {
	switch t.kind {
	case aHole:
	case aLiteral:
		if t.direction != "" && t.literal.Kind == jsonread.Text && e.opt.Direction == CompoundLiteral {
			e.compound(s, p, t, graph)
		} else {
			e.write(s, p, e.literal(t), graph)
		}
	case aList:
		e.list(s, p, t, graph)
	case aLong:
		e.eachOf(t, func(one *thing) { e.object(s, p, one, graph) })
	default:
		e.write(s, p, e.subject(t), graph)
		e.node(t, graph)
	}
}

// list writes a collection. A member that was lost has no rdf:first, and a list whose
// end was lost has none. A list that no statement can lead to is lost, but not what its members say.
func (e *emitter) list(s, p ref, t *thing, graph rdf.Term) {
	if t.cut && len(t.items) == 1 && t.items[0].kind == aHole {
		return // since nothing would be said of it
	}
	isLost := s.kind == rdf.NoTerm || p.kind != rdf.IRI || isRelative(&p) || isRelative(&s)
	say := func(s, p, o ref) {
		e.unlisted = isLost && p.value == rdf.Rest
		e.write(s, p, o, graph)
		e.unlisted = false
	}
	cell := func(item *thing) {
		e.numbered++
		cell := ref{kind: rdf.BlankNode, number: e.numbered, pos: item.from.Pos, repaired: t.repaired}
		say(s, p, cell)
		if isLost {
			cell = ref{lost: t}
		}
		e.unlisted = isLost
		e.object(cell, ref{kind: rdf.IRI, value: rdf.First, pos: item.from.Pos}, item, graph)
		e.unlisted = false
		s, p = cell, ref{kind: rdf.IRI, value: rdf.Rest, pos: item.from.Pos}
	}
	for _, item := range t.items {
		if item.kind == aLong {
			e.eachOf(item, cell)
		} else {
			cell(item)
		}
	}
	if t.cut {
		return
	}
	say(s, p, ref{kind: rdf.IRI, value: rdf.Nil, pos: t.from.Pos, repaired: t.repaired})
}

// literal makes the term of a value object (§8.2).
func (e *emitter) literal(t *thing) ref {
	v := t.literal
	o := ref{kind: rdf.Literal, value: v.Text, datatype: t.iri, pos: v.Pos, repaired: t.repaired || v.Repaired}
	switch {
	case t.iri == "@json":
		o.value, o.datatype = canonicalJSON(v), rdf.RDF+"JSON"
	case v.Kind == jsonread.Boolean:
		if o.datatype == "" {
			o.datatype = rdf.XSD + "boolean"
		}
	case v.Kind == jsonread.Number:
		e.number(&o, v)
	case t.hasLanguage:
		o.language = t.language
	}
	if t.direction != "" {
		e.direct(&o, t)
	}
	return o
}

// direct puts the base direction of a text into its literal, as far as it has a place there.
func (e *emitter) direct(o *ref, t *thing) {
	switch {
	case t.literal.Kind != jsonread.Text:
		e.warn(fault.JSONDirection, t.literal, "only a text has a base direction: %s is left out", t.direction)
	case e.opt.Direction == I18nDatatype:
		o.datatype, o.language = i18n+strings.ToLower(o.language)+"_"+t.direction, ""
	case e.opt.Direction == DirLangString && o.language != "":
		o.direction, _ = rdf.DirectionOf([]byte(t.direction))
	case e.opt.Direction == DirLangString:
		e.warn(fault.JSONDirection, t.literal, "the base direction %s is left out, since the text has no language: RDF 1.2 knows "+
			"directions of texts with a language only", t.direction)
	default:
		e.warn(fault.JSONDirection, t.literal, "the base direction %s is left out, since RDF 1.1 has no place for it", t.direction)
	}
}

// i18n is what the datatypes begin with that hold a language and a direction.
const i18n = "https://www.w3.org/ns/i18n#"

// compound writes a text with a base direction as a node that holds both.
func (e *emitter) compound(s, p ref, t *thing, graph rdf.Term) {
	e.numbered++
	v := t.literal
	node := ref{kind: rdf.BlankNode, number: e.numbered, pos: t.from.Pos, repaired: t.repaired || v.Repaired}
	e.write(s, p, node, graph)
	if s.kind == rdf.NoTerm {
		node = ref{lost: t}
	}
	say := func(property, value string) {
		e.write(node, ref{kind: rdf.IRI, value: rdf.RDF + property, pos: v.Pos}, ref{kind: rdf.Literal, value: value, pos: v.Pos}, graph)
	}
	say("value", v.Text)
	if t.hasLanguage {
		say("language", strings.ToLower(t.language))
	}
	say("direction", t.direction)
}
