package trix

import (
	"fmt"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
	"laundromat/rdf"
)

// xmlLiteral is the datatype of a term in which XML may be as it is: TriX wants it as text, but
// Jena writes it so. Its value is then in exclusive canonical form, comments included. The namespace of
// TriX that is around it is none of its own.
const xmlLiteral = rdf.RDF + "XMLLiteral"

// xmlText is the XML of a term, as far as it was read.
type xmlText struct {
	begun     bool
	canonical xmltext.Canonical
}

// takesXML says that a start tag belongs to the XML of a term.
func (p *parser) takesXML(name string, ours bool) bool {
	f := p.top()
	return f.kind == inTerm && string(f.datatype) == xmlLiteral && (!ours || spelling[strings.ToLower(name)] == "")
}

// beginXML turns the text before the first mark-up into such.
func (p *parser) beginXML() {
	if p.xml.begun {
		return
	}
	p.xml.begun = true
	p.value = xmltext.AppendCharacters(nil, p.value)
	p.tell(fault.TriXForeign, fault.Warning, 0, "XML is in a term, which TriX wants as text; it is read as the value")
}

// add adds to the value of a term; it is cut where it grows too long, and the triple lost.
func (p *parser) add(f *frame, text []byte) {
	p.value = append(p.value, text[:min(len(text), max(0, p.maxToken-len(p.value)))]...)
	if f.length += len(text); f.length > p.maxToken && f.length-len(text) <= p.maxToken {
		p.loseNotice(fault.Notice{Code: fault.LimitToken, Pos: f.pos,
			Message: fault.TooLong("this term", p.maxToken), Excerpt: excerpt(p.value)})
	}
}

// markup takes a comment or a processing instruction within a term of XML.
func (p *parser) markup(text []byte) {
	f := p.top()
	if p.skipped > 0 || f.kind != inTerm || string(f.datatype) != xmlLiteral {
		return
	}
	p.beginXML()
	f.repaired = f.repaired || p.x.Repaired()
	p.add(f, text)
}

// xmlStart writes a start tag.
func (p *parser) xmlStart() {
	f := p.top()
	p.beginXML()
	c := &p.xml.canonical
	c.Open()
	f.repaired = f.repaired || p.x.Repaired()
	p.use(p.x.Prefix())
	for i := range p.x.Attrs() {
		a := &p.x.Attrs()[i]
		if _, ok := a.Declares(); ok {
			continue
		}
		if a.Lost != nil {
			p.loseNotice(*a.Lost)
			continue
		}
		f.repaired = f.repaired || a.Repaired
		var space []byte
		switch {
		case string(a.Prefix) == "xml":
			space = []byte(xmltext.XML)
		case len(a.Prefix) > 0:
			space = p.use(a.Prefix)
		}
		c.Attribute(space, a.Prefix, a.Local, a.Value)
	}
	p.add(f, c.AppendStart(nil, p.x.Prefix(), p.x.Local()))
}

// use notes that a tag uses a prefix, and returns the namespace.
func (p *parser) use(prefix []byte) (iri []byte) {
	switch b := p.scope.Find(prefix); {
	case string(prefix) == "xml":
	case b == nil && len(prefix) > 0 || b != nil && b.Lost:
		p.lose(fault.SyntaxUndeclaredPrefix, fmt.Sprintf("the prefix %s is not declared", prefix))
	case b == nil, len(prefix) == 0 && string(b.IRI) == p.space:
	default:
		p.top().repaired = p.top().repaired || b.Repaired
		iri = b.IRI
	}
	p.xml.canonical.Use(prefix, iri)
	return iri
}

// xmlEnd writes an end tag.
func (p *parser) xmlEnd() {
	f := p.top()
	p.xml.canonical.Close()
	switch {
	case p.x.AtEnd(): // that the document is cut is reported where its term ends
	case p.x.Implied():
		p.lose(fault.TriXTerm, "an element within a literal is not closed; where it ends is not known")
	default:
		f.repaired = f.repaired || p.x.Misnamed()
		p.add(f, xmltext.AppendEnd(nil, p.x.Prefix(), p.x.Local()))
	}
}
