package rdfxml

import (
	"fmt"
	"maps"
	"slices"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
	"laundromat/rdf"
)

// declare takes note of the prefixes that a start tag declares.
func (p *parser) declare() {
	for i := range p.x.Attrs() {
		a := &p.x.Attrs()[i]
		prefix, ok := a.Declares()
		if !ok {
			continue
		}
		if a.Lost != nil {
			p.to.Notice(*a.Lost)
			p.scope.Bind(prefix, a.Value, p.x.Depth(), a.Repaired, true)
			continue
		}
		p.declarePrefix(a, prefix)
	}
}

// declarePrefix takes a declaration that can be read. What is wrong with it is told; unless it declares nothing, it
// is taken.
func (p *parser) declarePrefix(a *xmltext.Attr, prefix []byte) {
	iri, repaired := rdf.TrimReference(a.Value), a.Repaired
	if len(iri) < len(a.Value) {
		p.repairAttr(a, fault.IRITrimmed, "white space around a namespace was cut off", xmltext.EditTrimmed(p.x, a))
		repaired = true
	}
	message, isVoid := xmltext.JudgeDeclaration(prefix, iri)
	switch {
	case message != "":
		p.repairAttr(a, fault.XMLNamespace, message, xmltext.EditDeclaration(p.x, a, prefix, iri))
		repaired = true
	case xmltext.IsBadQName(nil, prefix) && prefix != nil:
		p.tellAttr(a, fault.XMLBadName, fault.Repair, 0, fmt.Sprintf("the prefix %s isn't a name that XML allows; it was taken as it is",
			prefix))
		repaired = true
	}
	if isVoid {
		if len(iri) == 0 {
			p.scope.Bind(prefix, nil, p.x.Depth(), true, true) // nor does it mean what it does outside
		}
		return
	}
	if meant := misspelt[string(iri)]; meant != "" {
		p.repairAttr(a, fault.RDFXMLNamespace, taken(iri, meant), xmltext.EditValue(p.x, a, meant))
		iri, repaired = []byte(meant), true
	}
	p.scope.Bind(prefix, iri, p.x.Depth(), repaired, false)
	p.in.DeclarePrefix(prefix, iri)
}

// misspelt namespaces of RDF, each of which has been seen to be meant for it. An old draft's is not among them.
var misspelt = map[string]string{
	"http://www.w3.org/1999/02/22-rdf-syntax-ns":   rdf.RDF,
	"http://www.w3.org/1999/02/22-rdf-syntax-ns/":  rdf.RDF,
	"http://www.w3.org/1999/02/22-rdf-syntax-ns/#": rdf.RDF,
	"https://www.w3.org/1999/02/22-rdf-syntax-ns#": rdf.RDF,
	"https://www.w3.org/1999/02/22-rdf-syntax-ns":  rdf.RDF,
	"http://www.w3c.org/1999/02/22-rdf-syntax-ns#": rdf.RDF,
}

// taken says what a misspelt namespace was taken for.
func taken(iri []byte, meant string) string {
	return fmt.Sprintf("the namespace <%s> was taken for <%s>", iri, meant)
}

// stand takes what the document says that this one is a part of.
func (p *parser) stand(in *rdf.Around) {
	for _, prefix := range slices.Sorted(maps.Keys(in.Namespaces)) {
		iri := []byte(in.Namespaces[prefix])
		meant := misspelt[string(iri)]
		if meant != "" {
			p.to.Notice(fault.Notice{Code: fault.RDFXMLNamespace, Severity: fault.Repair, Pos: fault.Pos{Line: 1, Column: 1},
				Message: taken(iri, meant), Excerpt: fault.Excerpt(iri)})
			iri = []byte(meant)
		}
		p.scope.Bind([]byte(prefix), iri, 0, meant != "", false)
	}
	p.frames[0].language = []byte(in.Language)
}
