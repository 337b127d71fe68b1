package rdfxml_test

import (
	"context"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/rdfxml"
)

// An empty-element tag is its own end: no end is looked for after it (RDF/XML §7.2.17).
func TestEmptyElementIsAnEmptyXMLLiteral(t *testing.T) {
	const text = `<rdf:RDF xmlns:rdf="` + rdf.RDF + `" xmlns:e="http://e/"><rdf:Description rdf:about="http://e/s">` +
		`<e:p rdf:parseType="Literal"/><e:q rdf:parseType="Literal"/></rdf:Description></rdf:RDF>`
	var c rdftest.Collector
	if err := rdfxml.Read(context.Background(), strings.NewReader(text), rdf.Input{}, rdfxml.Options{}, &c); err != nil {
		t.Fatal(err)
	}
	if len(c.Quads) != 2 || c.Worst() > fault.Note || string(c.Quads[1].Object.Datatype) != rdf.RDF+"XMLLiteral" ||
		len(c.Quads[1].Object.Value) > 0 {
		t.Errorf("%q, %+v", c.Lines(), c.Notices)
	}
}
