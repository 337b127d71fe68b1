package rdfxml_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/rdfxml"
)

// What is passed over in a property that holds mark-up ends where a node of rdf:RDF begins, to judge by its place on its line.
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
