// Package rdfxml reads RDF/XML (RDF 1.1 XML Syntax, with what RDF 1.2 adds) as a stream, and goes on after faults.
//
// [Read] takes UTF-8 text and calls a sink for each statement, in document order and as early as the
// syntax lets it. The statement that leads to a node element is given when that begins, a literal when
// its property element ends. The links of a parseType="Collection" come member by member. Memory does
// not grow with the document. It is bounded by the longest tag or literal (Options.MaxToken), the
// depth of nesting, the entities the document declares, and the identifiers that rdf:ID made. The
// first 1,048,576 of those are remembered, as hashes. Duplicates among those beyond are not noticed.
//
// What XML itself forbids is mended or skipped by package xmltext. Where tags do not fit, what is
// ahead is read in all the ways that could be meant. An end tag may be missing, be too much or have
// another name, or a start tag may be missing. The way that takes least to be wrong is chosen. Node
// elements and property elements alternate. So what names have been used for, and attributes such as
// rdf:about, distinguish most of them. The indentation of a document that is regular in it helps. At
// most 64 tags and 16 KiB are looked at, so that reading takes no longer than a document is long. What
// has no certain subject then is lost. What RDF/XML forbids costs as little as can be reported:
//
//   - a property element whose name, object or literal is faulty costs its statement;
//     sound node elements inside it are read all the same;
//   - a node element whose subject is faulty costs the statements about that subject,
//     each reported by itself (syntax/rdfxml-lost-part);
//   - rdf:ID on a property element counts as the four statements of its reification,
//     which are lost with it;
//   - what rdf:parseType="Triple" holds is no statement but a term of one: a fault in it
//     costs that;
//   - mark-up in text (a forgotten parseType="Literal") costs the property element as a whole.
//
// Attributes about, ID, resource, parseType and type without rdf: are read as if they
// had it, with a warning, as the specification permits (§6.1.4).
//
// A minimal reading:
//
//	err := rdfxml.Read(ctx, text, rdf.Input{Base: "http://example.org/doc"}, rdfxml.Options{}, sink)
package rdfxml

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"laundromat/internal/fault"
	"laundromat/internal/rule"
	"laundromat/markup/xmltext"
	"laundromat/rdf"
)

// Options bound what a reading holds. Zero fields mean the defaults.
type Options struct {
	MaxToken  int // longest tag and longest literal, in bytes; 16 MiB if 0
	MaxDepth  int // elements open at once; 1,000 if 0
	MaxEntity int // all entity expansion, in bytes, beyond 32 times the text; 16 MiB if 0
}

const defaultMaxToken = 16 << 20

// Read reads one document. It returns nil at its end, whatever it found in it; an
// error only if the sink failed (*rdf.SinkError), text failed, or ctx ended.
func Read(ctx context.Context, text io.Reader, in rdf.Input, opt Options, to rdf.Sink) error {
	if opt.MaxToken <= 0 {
		opt.MaxToken = defaultMaxToken
	}
	p := &parser{to: to, maxToken: opt.MaxToken, in: in, rules: ruleSwitch{rule.Of(ctx, Rules)}}
	of := xmltext.Options{MaxToken: opt.MaxToken, MaxDepth: opt.MaxDepth, MaxEntity: opt.MaxEntity, Entity: rdf.WellKnown, Guide: p,
		Edits: in.Edits}
	p.frames = append(p.frames, frame{kind: inDocument, base: []byte(in.Base), baseIsFile: in.BaseIsFile, baseIsGiven: true})
	if in.Around != nil {
		of.Prolog = in.Around.Prolog
		p.stand(in.Around)
	}
	p.x = xmltext.NewReader(text, of, to)
	for {
		kind, err := p.x.Next(ctx)
		if err != nil {
			return fmt.Errorf("read RDF/XML: %w", err)
		}
		switch kind {
		case xmltext.StartTag:
			p.startTag(ctx)
		case xmltext.EndTag:
			p.endTag()
		case xmltext.Text:
			p.characters()
		case xmltext.Comment:
			p.comment()
		case xmltext.Instruction:
			p.instruction()
		case xmltext.TooDeep, xmltext.TooLong:
			p.passedOver()
		case xmltext.End:
			p.end()
		}
		if p.err != nil {
			return p.err
		}
		if p.broken != nil {
			return fmt.Errorf("read RDF/XML: %w", p.broken)
		}
		if kind == xmltext.End {
			p.x.Free()
			return nil
		}
	}
}

// parser reads one document. Its frames are the open elements, except for those in a
// stretch that is skipped and those inside an XML literal.
type parser struct {
	in       rdf.Input
	to       rdf.Sink
	x        *xmltext.Reader
	maxToken int
	rootName int64 // where the name of the first element ends
	rules    ruleSwitch
	err      error // of the sink
	broken   error // of the source, met while looking ahead

	frames  []frame
	arena   []byte // what frames hold of names and IRIs; cut back when they are left
	scope   xmltext.Scope
	guessed xmltext.Scope // well-known prefixes that the document uses without declaring them
	found   found         // the attributes of the element being begun
	quad    rdf.Quad
	triple  rdf.Triple // what rdf:annotation is about
	open    []*triple  // the parseType="Triple" that are open; the others are spare
	depth   int        // how many are
	nodes   uint64     // anonymous blank nodes so far
	ids     idSet
	warned  bool // iri/relative was reported
	hosts   rdf.HostNames

	lone      bool // the start tag is that of a node, alone in a parseType="Resource"
	roles     roles
	mending   *mender     // nil until something is doubtful
	supposing place       // what is supposed around the next start tag
	unlearned []unlearned // of elements that are open
	brokenAt  int64       // where the token begins before which a member of a list was lost
	coming
	tag              uint64 // a hash of the start tag that came last, unless it was an empty-element tag
	tagLen, tagDepth int    // its length, and how many elements were open with it
	indent           int32  // of the start tag that comes or came last; -1 if it is not first on its line
	// elements that begin farther on after the beginning of their line than the one around them, and
	// others
	deeper, level int64
	step          int32 // by how much the last of these did, if
	steps         int64 // that so many more did by this than by another
	home          int32 // where on their lines the nodes of rdf:RDF begin
	atHome        int64 // so many do
	strayed       int64 // and so many other elements

	literal  literal // the text or the XML that a property element holds
	stray    xmltext.Stray
	skipping int // elements open in a stretch that is skipped
	skipped  fault.Notice
	inPage   bool // what is skipped is a page of HTML
	cut      cut
	rooted   bool // a root element was seen
	seenRDF  bool // rdf:RDF was
	embeds   bool // the root that comes is no node, since rdf:RDF is in it
}

// frameKind says what an open element may hold.
type frameKind uint8

const (
	inDocument   frameKind = iota // the root element
	inForeign                     // anything, until rdf:RDF comes
	inRDF                         // node elements
	inNode                        // property elements
	inProperty                    // text or one node element
	inCollection                  // node elements, the members of a list
	inEmpty                       // nothing
	inXML                         // XML, which is the value
	inTriple                      // a node element with one statement, which is the object
)

// frame is an open element.
type frame struct {
	kind frameKind
	mark int // length of the arena before it

	base     []byte // absolute; empty if there is none
	language []byte
	// What became of xml:base and xml:lang. Without the language, plain literals are lost.
	baseIsFile, baseRepaired bool
	baseIsGiven              bool // by Input.Base, or made with it
	// is12 says that rdf:version is in force, and with it direction.
	is12                           bool
	direction                      rdf.Direction
	languageLost, languageRepaired bool

	// subject is the node that a node element describes. In a property element it is
	// the subject of its statement.
	subject term
	items   uint64 // rdf:li so far
	// repaired says that statements of this element are repaired; suspect that those of
	// all elements in it are.
	repaired, suspect bool
	supposed          bool // its start tag is lost
	resource          bool // it is a property element with parseType="Resource"
	unended           bool // which has no end tag
	properties        int  // that it had then
	// How far its start tag and that of its first element are after the beginnings of their lines; -1 if not known.
	indent, inner int32

	// Of a property element:
	predicate term
	object    term   // the last node of a list so far; of a parseType="Resource", the attribute
	reifier   term   // the IRI that rdf:ID made; NoTerm without
	notes     *term  // what rdf:annotation or rdf:annotationNodeID names; nil without
	typed     bool   // rdf:datatype was given
	datatype  []byte // it, unless it is xsd:string
	counted   bool   // the statement was given or counted as lost
	hasNode   bool   // a node element was read; of a parseType="Resource", what leads to its node was stated
	broken    bool   // it holds XML that does not end; else: its start tag is damaged
	pos       fault.Pos
}

// term is a term with what became of it. With Kind NoTerm it is lost, or was never there.
type term struct {
	rdf.Term
	repaired bool
}

func (p *parser) top() *frame { return &p.frames[len(p.frames)-1] }

// push opens a frame that inherits from the one it is in.
func (p *parser) push(kind frameKind) *frame {
	n := len(p.frames)
	if n == cap(p.frames) {
		p.frames = append(p.frames, frame{})
	} else {
		p.frames = p.frames[:n+1]
	}
	outer, f := &p.frames[n-1], &p.frames[n]
	*f = frame{kind: kind, mark: len(p.arena), suspect: outer.suspect,
		base: outer.base, baseIsFile: outer.baseIsFile, baseIsGiven: outer.baseIsGiven, baseRepaired: outer.baseRepaired,
		is12: outer.is12, direction: outer.direction,
		language: outer.language, languageLost: outer.languageLost, languageRepaired: outer.languageRepaired}
	f.repaired = f.suspect || p.x.Repaired()
	f.indent, f.inner = p.indent, -1
	if p.x.Supposed() {
		f.indent = -1
	}
	f.broken = p.x.Repaired()
	if p.indent >= 0 && !p.x.Supposed() {
		if outer.inner < 0 {
			outer.inner = p.indent
		}
		switch {
		case outer.kind == inRDF && !outer.supposed && p.indent == outer.inner:
			p.home = p.indent
			p.atHome++
		case outer.kind != inRDF && p.indent <= p.home && p.atHome > 0:
			p.strayed++
		}
		if n > 2 && outer.indent >= 0 {
			if p.indent > outer.indent {
				p.deeper++
				p.learnStep(p.indent - outer.indent)
			} else {
				p.level++
			}
		}
	}
	return f
}

// learnStep takes note of how much farther an element begins than the one it is in.
func (p *parser) learnStep(by int32) {
	switch {
	case by == p.step:
		p.steps++
	case p.steps > 0:
		p.steps--
	default:
		p.step, p.steps = by, 1
	}
}

func (p *parser) pop() {
	p.arena = p.arena[:p.top().mark]
	p.frames = p.frames[:len(p.frames)-1]
}

// keep copies b to where it lives as long as the innermost frame.
func (p *parser) keep(b []byte) []byte {
	n := len(p.arena)
	p.arena = append(p.arena, b...)
	return p.arena[n:len(p.arena):len(p.arena)]
}

func (p *parser) startTag(ctx context.Context) {
	if p.skipping > 0 {
		p.skipping++
		return
	}
	if p.rootName == 0 {
		p.rootName = p.x.Offset() + int64(len("<")+len(qname(p.x.Prefix(), p.x.Local())))
	}
	p.declare()
	if p.top().kind == inXML {
		p.xmlStart()
		return
	}
	p.endStray()
	if f := p.top(); !p.lone {
		p.leadTo(f)
	}
	if p.x.Supposed() {
		p.suppose()
		return
	}
	if p.tag = 0; !p.x.EmptyTag() {
		p.tag, p.tagLen, p.tagDepth = p.hashTag(), p.x.Len(), p.x.Depth()
	}
	name := p.elementName()
	if p.opening.as != 0 && p.rules.on(learnAtEnd) {
		p.opening.depth = p.x.Depth()
		p.unlearned = append(p.unlearned, p.opening)
	}
	if p.isPage(&name) {
		p.inPage = true
		p.skip(p.notice(fault.RDFXMLPage, fault.Drop, "a page of HTML is in the document; it was passed over"), 1)
		return
	}
	switch outer := p.top(); outer.kind {
	case inDocument:
		p.root(&name)
	case inForeign:
		if name.isRDF("RDF") {
			if !p.seenRDF {
				p.tell(fault.RDFXMLNoRDF, fault.Note, 0, "rdf:RDF is inside another document; the rest of that was skipped")
			}
			p.rdfElement()
		} else {
			p.foreign()
		}
	case inRDF, inCollection:
		p.nodeElement(&name)
	case inNode:
		p.inNode(ctx, &name)
	case inProperty:
		p.nodeInProperty(&name)
	case inTriple:
		p.nodeInTriple(outer, &name)
	case inEmpty:
		p.skip(p.notice(fault.RDFXMLNotEmpty, fault.Drop, "a property element whose object is given by attributes holds an element; it "+
			"was passed over"), 1)
	}
}

// inNode begins an element in a node element.
func (p *parser) inNode(ctx context.Context, name *name) {
	if p.lone {
		p.lone = false
		p.loneNode(name)
		return
	}
	p.propertyElement(name)
	switch f := p.top(); {
	case f.kind == inXML && !p.x.EmptyTag():
		p.checkEnd(ctx, f)
	case f.resource && !p.x.EmptyTag():
		p.checkResource(ctx, f)
	case f.kind == inProperty && f.supposed:
		p.whatItHolds(ctx, f)
	}
}

// suppose begins an element whose start tag is lost. What it says of its node, and what
// leads to that, is lost with it.
func (p *parser) suppose() {
	outer := p.top()
	if outer.kind == inNode && p.supposing == placeNode {
		p.tell(fault.RDFXMLMissingNode, fault.Drop, 1, "the start tag of a property element is missing; its object is not known, "+
			"nor what the properties in it are about")
		p.push(inNode).supposed = true
		return
	}
	if outer.kind == inNode && p.supposing == placeXML {
		p.tell(fault.RDFXMLMissingProperty, fault.Drop, 1, "mark-up is in text where a property is due; the start tag of the "+
			"property element is missing")
		f := p.push(inXML)
		f.supposed, f.counted, f.pos = true, true, p.x.Pos()
		p.literal.reset()
		p.beginXML(f)
		f.broken = true // nobody knows where it ends
		return
	}
	if outer.kind == inNode {
		p.tell(fault.RDFXMLMissingProperty, fault.Drop, 1, "a node element is directly in a node element, where a property is due; "+
			"how the two belong together is not said")
		p.push(inRDF).supposed = true // so that several may be in it
		return
	}
	if outer.kind == inProperty && p.literal.text && !outer.hasNode && !outer.counted {
		p.straighten()
	}
	p.tell(fault.RDFXMLMissingNode, fault.Drop, 0, "a property element is where a node element is due; its subject is not known")
	f := p.push(inNode)
	f.supposed = true
	outer = &p.frames[len(p.frames)-2]
	switch outer.kind {
	case inProperty:
		outer.hasNode = true
		p.state(outer, &f.subject, false)
	case inCollection:
		if p.guest {
			return
		}
		p.nextMember(outer, p.x.Pos())
		p.member(outer, &f.subject, false)
	}
}

// isPage says that an element begins a page of HTML, such as a server gives instead of
// what it was asked for.
func (p *parser) isPage(n *name) bool {
	if len(n.local) != len(htmlName) || !bytes.EqualFold(n.local, htmlName) || len(p.x.Prefix()) > 0 {
		return false
	}
	if n.kind != noName && string(n.ns) != xhtml && p.roles.of(hashName(p.x.TagName())) != 0 {
		return false
	}
	switch f := p.top(); f.kind {
	case inRDF, inNode, inCollection, inEmpty, inTriple:
		return true
	case inProperty:
		return f.hasNode || !p.literal.text
	case inDocument:
		return p.rooted
	}
	return false
}

// root begins a root element.
func (p *parser) root(name *name) {
	again := p.rooted
	p.rooted = true
	if again {
		p.tell(fault.XMLSeveralRoots, fault.Repair, 0, "another root element begins after the end of the first; it was read too")
	}
	p.frames[0].suspect = p.frames[0].suspect || again
	switch {
	case name.isRDF("RDF"):
		p.rdfElement()
	case name.kind == noName || string(name.ns) == xhtml || string(name.ns) == svg || p.embeds:
		p.foreign().pos = p.x.Pos()
	default:
		p.nodeElement(name)
	}
}

// foreign begins an element of another language. Its xml:base and xml:lang hold for what
// stands in it.
func (p *parser) foreign() *frame {
	f := p.push(inForeign)
	for i := range p.x.Attrs() {
		if a := &p.x.Attrs()[i]; string(a.Prefix) == "xml" && (string(a.Local) == "base" || string(a.Local) == "lang") {
			p.xmlAttr(f, a)
		}
	}
	return f
}

const (
	xhtml = "http://www.w3.org/1999/xhtml"
	svg   = "http://www.w3.org/2000/svg"
)

// rdfElement begins rdf:RDF (§7.2.9), at the root or wherever it is.
func (p *parser) rdfElement() {
	f := p.push(inRDF)
	p.seenRDF = true
	p.collect(f)
	for _, a := range p.found.others() {
		attr := &p.x.Attrs()[a]
		p.repairAttr(attr, fault.RDFXMLForbiddenName, fmt.Sprintf("rdf:RDF can't have the attribute %s; it was left out",
			qname(attr.Prefix, attr.Local)), xmltext.EditAway(p.x, attr))
	}
}

func (p *parser) endTag() {
	p.cut.is = p.cut.is || p.x.AtEnd()
	if len(p.unlearned) > 0 {
		p.learnLate()
	}
	if p.skipping > 0 {
		if p.skipping--; p.skipping == 0 {
			p.endSkip()
		}
		return
	}
	if p.top().kind == inXML && p.literal.canonical.Depth() > 0 {
		p.xmlEnd()
		p.scope.Leave(p.x.Depth() + 1)
		return
	}
	p.endStray()
	switch f := p.top(); f.kind {
	case inProperty:
		p.endText(f)
	case inNode:
		p.leadTo(f)
	case inCollection:
		p.endCollection(f)
	case inXML:
		p.endXML(f)
	case inTriple:
		p.endTriple(f)
	case inForeign:
		if len(p.frames) == 2 && !p.seenRDF {
			n := p.notice(fault.RDFXMLNoRDF, fault.Drop, "the document is XML, but neither its root nor any element in it is rdf:RDF")
			n.Pos, n.Lost = f.pos, 1
			n.Bytes = p.x.EndOffset() - f.pos.Offset
			p.to.Notice(n)
		}
	}
	p.pop()
	p.scope.Leave(p.x.Depth() + 1)
}
