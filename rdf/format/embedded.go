package format

import (
	"bytes"
	"context"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/rdf"
	"laundromat/rdf/rdfxml"
)

// embedsRDF says that an element of XML is rdf:RDF, whose prefix may be declared around it.
func embedsRDF(in []byte) bool {
	m, declared := markup{in: in}, map[string]string{}
	for t, ok := m.next(); ok; t, ok = m.next() {
		for _, a := range t.attributes {
			if a.name == "xmlns" || prefixOf(a.name) == "xmlns" {
				declared[a.name] = a.value
			}
		}
		if page.IsRDF(prefixOf(t.name), local(t.name), func(name string) (string, bool) { value, ok := declared[name]; return value, ok }) {
			return true
		}
	}
	return false
}

// isSoundRDFXML says that a document, or the beginning of one, is RDF/XML without a fault. Nothing in
// it need be a word of RDF: a node element may be alone.
func isSoundRDFXML(in []byte) bool {
	var found soundness
	err := rdfxml.Read(context.Background(), bytes.NewReader(in), rdf.Input{Base: "http://trial.invalid/"}, rdfxml.Options{}, &found)
	return err == nil && found.statements && !found.faults
}

// soundness is a sink that asks whether there are statements and faults.
type soundness struct{ statements, faults bool }

func (s *soundness) Quad(*rdf.Quad) error { s.statements = true; return nil }
func (s *soundness) Notice(n fault.Notice) {
	s.faults = s.faults || n.Severity >= fault.Repair && n.Code != fault.XMLCutShort
}
