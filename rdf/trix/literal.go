package trix

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/xmltext"
)

// xmlLiteral is the datatype of a term in which XML may stand as it is: TriX wants it as text, but
// Jena writes it so. Its value is then in exclusive canonical form, comments included. The namespace of
// TriX that stands around it is none of its own.
const xmlLiteral = rdf.RDF + "XMLLiteral"

// xmlText is the XML of a term, as far as it was read.
type xmlText struct {
	begun    bool
	depth    int           // elements open in it
	rendered xmltext.Scope // the declarations in force that the canonical form holds
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
	p.value = appendEscaped(nil, p.value, textEscapes)
	p.tell(fault.TriXForeign, fault.Warning, 0, "XML stands in a term, which TriX wants as text; it is read as the value")
}

// add adds to the value of a term; it is cut where it grows too long, and the triple lost.
func (p *parser) add(f *frame, text []byte) {
	p.value = append(p.value, text[:min(len(text), max(0, p.maxToken-len(p.value)))]...)
	if f.length += len(text); f.length > p.maxToken && f.length-len(text) <= p.maxToken {
		p.loseNotice(fault.Notice{Code: fault.LimitToken, Pos: f.pos,
			Message: fmt.Sprintf("a term is longer than %d bytes", p.maxToken), Excerpt: excerpt(p.value)})
	}
}

// markup takes a comment or a processing instruction within a term of XML.
func (p *parser) markup(begin, data, end string) {
	f := p.top()
	if p.skipped > 0 || f.kind != inTerm || string(f.datatype) != xmlLiteral {
		return
	}
	p.beginXML()
	f.repaired = f.repaired || p.x.Repaired()
	p.add(f, []byte(begin+data+end))
}

// namespace is a prefix in use, with what it stands for.
type namespace struct{ prefix, iri []byte }

// xmlAttribute is an attribute of a tag being written.
type xmlAttribute struct{ space, prefix, local, value []byte }

// xmlStart writes a start tag.
func (p *parser) xmlStart() {
	f := p.top()
	p.beginXML()
	p.xml.depth++
	f.repaired = f.repaired || p.x.Repaired()
	used := p.use(nil, p.x.Prefix())
	var attributes []xmlAttribute
	for i := range p.x.Attrs() {
		a := &p.x.Attrs()[i]
		if string(a.Prefix) == "xmlns" || len(a.Prefix) == 0 && string(a.Local) == "xmlns" {
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
			used = p.use(used, a.Prefix)
			space = used[len(used)-1].iri
		}
		attributes = append(attributes, xmlAttribute{space, a.Prefix, a.Local, a.Value})
	}
	slices.SortFunc(used, func(a, b namespace) int { return bytes.Compare(a.prefix, b.prefix) })
	slices.SortFunc(attributes, func(a, b xmlAttribute) int {
		if c := bytes.Compare(a.space, b.space); c != 0 {
			return c
		}
		return bytes.Compare(a.local, b.local)
	})
	tag := appendName([]byte{'<'}, p.x.Prefix(), p.x.Local())
	for i := range used {
		tag = p.declareWithin(tag, used[i])
	}
	for _, a := range attributes {
		tag = append(appendName(append(tag, ' '), a.prefix, a.local), `="`...)
		tag = append(appendEscaped(tag, a.value, valueEscapes), '"')
	}
	p.add(f, append(tag, '>'))
}

// use adds the namespace of a prefix that a tag uses.
func (p *parser) use(used []namespace, prefix []byte) []namespace {
	if string(prefix) == "xml" {
		return used
	}
	b := p.scope.Find(prefix)
	switch {
	case b == nil && len(prefix) > 0 || b != nil && b.Lost:
		p.lose(fault.SyntaxUndeclaredPrefix, fmt.Sprintf("the prefix %s is not declared", prefix))
		return append(used, namespace{prefix, nil})
	case b == nil, len(prefix) == 0 && string(b.IRI) == p.space:
		return append(used, namespace{prefix, nil})
	}
	p.top().repaired = p.top().repaired || b.Repaired
	return append(used, namespace{prefix, b.IRI})
}

// declareWithin writes a namespace declaration unless it is in force.
func (p *parser) declareWithin(tag []byte, n namespace) []byte {
	switch b := p.xml.rendered.Find(n.prefix); {
	case b != nil && bytes.Equal(b.IRI, n.iri), b == nil && len(n.prefix)+len(n.iri) == 0:
		return tag
	}
	p.xml.rendered.Bind(n.prefix, n.iri, p.xml.depth, false, false)
	tag = append(tag, " xmlns"...)
	if len(n.prefix) > 0 {
		tag = append(append(tag, ':'), n.prefix...)
	}
	return append(appendEscaped(append(tag, `="`...), n.iri, valueEscapes), '"')
}

// xmlEnd writes an end tag.
func (p *parser) xmlEnd() {
	f := p.top()
	p.xml.rendered.Leave(p.xml.depth)
	p.xml.depth--
	switch {
	case p.x.AtEnd(): // that the document is cut is told where its term ends
	case p.x.Implied():
		p.lose(fault.TriXTerm, "an element within a literal is not closed; where it ends is not known")
	default:
		f.repaired = f.repaired || p.x.Misnamed()
		p.add(f, append(appendName([]byte("</"), p.x.Prefix(), p.x.Local()), '>'))
	}
}

func appendName(dst, prefix, local []byte) []byte {
	if len(prefix) > 0 {
		dst = append(append(dst, prefix...), ':')
	}
	return append(dst, local...)
}

// What canonical XML writes for characters of texts and of attributes.
var (
	textEscapes  = map[byte]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '\r': "&#xD;"}
	valueEscapes = map[byte]string{'&': "&amp;", '<': "&lt;", '"': "&quot;", '\t': "&#x9;", '\n': "&#xA;", '\r': "&#xD;"}
)

func appendEscaped(dst, text []byte, escapes map[byte]string) []byte {
	for _, b := range text {
		if escape, ok := escapes[b]; ok {
			dst = append(dst, escape...)
		} else {
			dst = append(dst, b)
		}
	}
	return dst
}
