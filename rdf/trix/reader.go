// Package trix reads TriX (HPL-2004-56: a triple is an element, and its terms are those in it) as a
// stream, and goes on after faults.
//
// [Read] takes UTF-8 text and calls a sink for each statement when its element ends. Memory is bounded
// by the longest tag, term or name (Options.MaxToken) and by the depth of nesting, not by the
// document.
//
// The root is TriX, trix (so the DTD of the W3C) or graphset (the first draft). Elements are known by
// their names in the namespace of the root, whichever that is. Three things are read that the DTD
// lacks. One is qname (Jena writes of it), one XML within a term whose datatype is rdf:XMLLiteral. A
// triple as the object of another becomes a triple term of RDF 1.2. Attributes xml:base are heeded.
//
// What XML itself forbids is mended or skipped by package xmltext; a start tag shows which
// elements before it are not closed. What TriX forbids costs as little as possible:
//
//   - elements in another namespace or in none are read, and told;
//   - a relative IRI is told, unless xml:base names the base;
//   - a graph with an empty name is one without a name;
//   - an empty uri, a faulty term, a term too many or too few, and text between terms cost the triple;
//   - terms in no triple are lost together, and so is a triple in no graph;
//   - a graph whose name is faulty, or which has several, loses each of its triples
//     (syntax/trix-lost-part), since nobody knows where they belong.
//
// A minimal reading:
//
//	err := trix.Read(ctx, text, rdf.Input{Base: "http://example.org/doc"}, trix.Options{}, sink)
package trix

import (
	"context"
	"fmt"
	"io"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
	"laundromat/rdf"
)

// Options bound what a reading holds. Zero fields mean the defaults.
type Options struct {
	MaxToken int // longest tag and longest term, in bytes; 16 MiB if 0
	MaxDepth int // elements open at once; 1,000 if 0
}

const defaultMaxToken = 16 << 20

// Namespace is that of the elements.
const Namespace = "http://www.w3.org/2004/03/trix/trix-1/"

// Read reads one document. It returns nil at its end, whatever it found in it; an
// error only if the sink failed (*rdf.SinkError), text failed, or ctx ended.
func Read(ctx context.Context, text io.Reader, in rdf.Input, opt Options, to rdf.Sink) error {
	if opt.MaxToken <= 0 {
		opt.MaxToken = defaultMaxToken
	}
	p := &parser{to: to, maxToken: opt.MaxToken}
	of := xmltext.Options{MaxToken: opt.MaxToken, MaxDepth: opt.MaxDepth, Guide: p, CheckNames: true, Edits: in.Edits}
	if in.Around != nil {
		of.Prolog = in.Around.Prolog
		for prefix, iri := range in.Around.Namespaces {
			p.scope.Bind([]byte(prefix), []byte(iri), 0, false, false)
		}
	}
	p.x = xmltext.NewReader(text, of, to)
	p.frames = append(p.frames, frame{kind: inDocument, base: &rdf.Resolver{Input: in}})
	for {
		kind, err := p.x.Next(ctx)
		if err != nil {
			return fmt.Errorf("read TriX: %w", err)
		}
		if kind != xmltext.Text {
			p.endStray()
		}
		switch kind {
		case xmltext.StartTag:
			p.startTag()
		case xmltext.EndTag:
			p.endTag()
		case xmltext.Text:
			p.characters()
		case xmltext.Comment:
			p.markup(xmltext.AppendComment(nil, p.x.Text()))
		case xmltext.Instruction:
			p.markup(xmltext.AppendInstruction(nil, p.x.Local(), p.x.Text()))
		case xmltext.TooDeep, xmltext.TooLong:
			p.passedOver()
		case xmltext.End:
			p.end()
		}
		if p.err != nil {
			return p.err
		}
		if kind == xmltext.End {
			p.x.Free()
			return nil
		}
	}
}

// parser reads one document. Its frames are the open elements, except for those in a
// stretch that is skipped.
type parser struct {
	to       rdf.Sink
	x        *xmltext.Reader
	maxToken int
	err      error // of the sink

	frames []frame
	scope  xmltext.Scope
	prefix string // of the root's name
	space  string // its namespace
	rooted bool
	// skipped is the depth of the element that is skipped; 0 if none is.
	skipped int
	strays  bool // it is one of TriX

	arena   []byte // of the terms of the triple that is open
	graph   []byte // of the name of the graph
	value   []byte // the text of the term that is open
	xml     xmlText
	changed bool     // the name of the tag was
	spaces  []string // those that are told of
	stray   xmltext.Stray
	cut     cut
	triples int // open triples
	quad    rdf.Quad
	hosts   rdf.HostNames
}

type place uint8

const (
	inDocument place = iota
	inRoot
	inGraph
	inTriple
	inTerm
)

// frame is an open element.
type frame struct {
	kind     place
	pos      fault.Pos
	base     *rdf.Resolver
	repaired bool

	// Of a graph: its name, once that is known. told says that it is, void that it can't be,
	// and inside that a triple was.
	name               term
	told, void, inside bool
	run                bool // terms that are in no triple were reported, and may go on

	// Of a triple: its terms, as far as they are sound. lost says that its loss is reported.
	terms [3]term
	count int
	lost  bool

	// Of a term:
	term     termKind
	length   int // of its text
	datatype []byte
	language []byte
	limited  bool // that its entities expand to too much is reported
}

type term struct {
	rdf.Term
	repaired bool
}

type termKind uint8

const (
	uri termKind = iota + 1
	id
	qname
	plainLiteral
	typedLiteral
)

var termKinds = map[string]termKind{"uri": uri, "id": id, "qname": qname, "plainLiteral": plainLiteral, "typedLiteral": typedLiteral}

func (p *parser) top() *frame { return &p.frames[len(p.frames)-1] }

func (p *parser) push(kind place) *frame {
	repaired := (kind == inTriple || kind == inTerm) && (p.x.Repaired() || p.changed)
	p.frames = append(p.frames, frame{kind: kind, pos: p.x.Pos(), base: p.top().base, repaired: repaired})
	return p.top()
}

func (p *parser) pop() { p.frames = p.frames[:len(p.frames)-1] }

// startTag begins an element.
func (p *parser) startTag() {
	if p.skipped > 0 {
		return
	}
	p.declare()
	name, ours := p.elementName()
	if p.top().kind == inDocument {
		p.root(name)
		return
	}
	if p.takesXML(name, ours) {
		p.xmlStart()
		return
	}
	if !ours {
		p.foreign()
		return
	}
	switch p.top().kind {
	case inRoot:
		if name == "graph" {
			p.attributes(p.push(inGraph))
			return
		}
	case inGraph:
		if name == "triple" {
			p.beginTriple()
			return
		}
		if termKinds[name] != 0 {
			p.termInGraph(termKinds[name])
			return
		}
	case inTriple:
		if name == "triple" {
			p.beginTriple()
			return
		}
		if termKinds[name] != 0 {
			p.beginTerm(termKinds[name])
			return
		}
	}
	p.misplaced(name)
}

// root begins a root element, of which a document should have one.
func (p *parser) root(name string) {
	if !isRoot(name) {
		p.rooted = true
		p.tell(fault.TriXElement, fault.Drop, 1, fmt.Sprintf("the root element is <%s>, which is none of TriX", p.x.TagName()))
		p.skip()
		return
	}
	f := p.push(inRoot)
	if p.rooted {
		p.tell(fault.XMLSeveralRoots, fault.Repair, 0, "another root element begins after the end of the first; it was read too")
		f.repaired = true
	}
	p.rooted = true
	p.attributes(f)
}

// misplaced skips an element of TriX, or one that its namespace lacks, that can't
// be where it does.
func (p *parser) misplaced(name string) {
	what := fmt.Sprintf("<%s> can't occur here", name)
	f := p.top()
	switch {
	case f.kind == inTriple || f.kind == inTerm && p.triples > 0:
		p.lose(fault.TriXElement, what+"; the triple that contains it is lost")
	case f.kind == inTerm: // the name of a graph
		graph := &p.frames[len(p.frames)-2]
		graph.void = true
		p.tell(fault.TriXElement, fault.Drop, 0, what+"; the name of the graph is not known by it")
	default:
		p.tell(fault.TriXElement, fault.Drop, 1, what+"; it was passed over")
	}
	p.skip()
}

// foreign skips an element of another namespace.
func (p *parser) foreign() {
	f := p.top()
	if f.kind == inTriple || f.kind == inTerm {
		p.misplaced(string(p.x.TagName()))
		return
	}
	p.tell(fault.TriXForeign, fault.Warning, 0, fmt.Sprintf("<%s> isn't an element of TriX; it was passed over", p.x.TagName()))
	p.skip()
	p.strays = false
}

func (p *parser) skip() { p.skipped, p.strays = p.x.Depth(), true }

// endTag ends an element.
func (p *parser) endTag() {
	depth := p.x.Depth()
	p.scope.Leave(depth + 1)
	if p.skipped > 0 {
		if depth < p.skipped {
			p.skipped = 0
		}
		return
	}
	f := p.top()
	switch f.kind {
	case inTerm:
		if p.xml.canonical.Depth() > 0 {
			p.xmlEnd()
			return
		}
		p.endTerm()
		return
	case inTriple:
		p.endTriple()
		return
	}
	if p.x.AtEnd() {
		p.cut.is = true
	}
	p.pop()
}
