package rdfxml_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/rdfxml"
)

// What is skipped in a property that holds mark-up ends where a node of rdf:RDF begins, to
// judge by its place on its line.
func TestAPassageWithoutItsEndIsNoMoreThanItsNode(t *testing.T) {
	const nodes = 8
	var b strings.Builder
	b.WriteString(head + "\n")
	write := func(from int) {
		for i := range nodes {
			fmt.Fprintf(&b, "<e:T rdf:about=\"http://e/%d\"><e:p>v</e:p><e:q>w</e:q>\n</e:T>\n", from+i)
		}
	}
	write(0)
	b.WriteString("<e:T rdf:about=\"http://e/bad\"><e:p>v</e:p><e:q>w<e:q>\n</e:T>\n") // <e:q> stands for </e:q>
	b.WriteString("<rdf:Description rdf:nodeID=\"n\" rdf:resource=\"http://e/x\" rdf:parseType=\"Literal\"><e:p>v</e:p>\n</rdf:Description>\n")
	write(nodes)
	b.WriteString(foot)
	got := read(t, b.String(), rdf.Input{}, rdfxml.Options{})
	kept := map[string]int{}
	for i := range got.Quads {
		kept[string(got.Quads[i].Subject.Value)]++
	}
	for i := range 2 * nodes {
		if iri := fmt.Sprintf("http://e/%d", i); kept[iri] != 3 {
			t.Errorf("%s has %d statements, %d notices", iri, kept[iri], len(got.Notices))
		}
	}
}

// TestASectionWithoutItsEndIsLeftWhereAnElementAroundItGoesOn begins a CDATA section, of which the end
// is lost, in an element within another without its end. What is read on is the mark-up of the node
// around both.
func TestASectionWithoutItsEndIsLeftWhereAnElementAroundItGoesOn(t *testing.T) {
	const nodes, at = 200, 20
	var b strings.Builder
	b.WriteString(head)
	for i := range nodes {
		fmt.Fprintf(&b, "\n  <rdf:Description rdf:about=\"http://e/%d\">\n    <e:p>text</e:p>", i)
		if i == at {
			b.WriteString("\n    <e:p>lost<e:p>\n    <e:p><![CDATA[lost\ntext</e:p>")
		}
		b.WriteString("\n    <e:p rdf:resource=\"http://e/o\"/>\n    <e:q>v\nw</e:q>\n  </rdf:Description>")
	}
	b.WriteString(foot)
	c := read(t, b.String(), rdf.Input{}, rdfxml.Options{})
	others := 0
	for i, line := range c.Lines() {
		if strings.Contains(line, "lost") && !c.Quads[i].Repaired {
			t.Errorf("statement %s", line)
		}
		if !strings.Contains(line, fmt.Sprintf("<http://e/%d>", at)) {
			others++
		}
	}
	if want := 3 * (nodes - 1); others != want {
		t.Errorf("%d statements of %d of other nodes", others, want)
	}
}
