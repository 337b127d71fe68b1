package rdfxml_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/rdfxml"
)

// TestABrokenMemberKeepsItsPlaceInTheList breaks the start tag of the second of three members of a
// list in ways that leave no tag of it. Its rdf:first is lost, and its rdf:rest kept.
func TestABrokenMemberKeepsItsPlaceInTheList(t *testing.T) {
	const broken = "<http://e/s> <http://e/l> _:0-1 .\n_:0-1 <rdf:first> <http://e/a> .\n_:0-1 <rdf:rest> _:0-2 .\n_:0-2 <rdf:rest> _:0-3 .\n" +
		"_:0-3 <rdf:first> <http://e/c> .\n_:0-3 <rdf:rest> <rdf:nil> .\n<http://e/s> <http://e/p> \"v\" ."
	const without = "<http://e/s> <http://e/l> _:0-1 .\n_:0-1 <rdf:first> <http://e/a> .\n_:0-1 <rdf:rest> _:0-2 .\n" +
		"_:0-2 <rdf:first> <http://e/c> .\n_:0-2 <rdf:rest> <rdf:nil> .\n<http://e/s> <http://e/p> \"v\" ."
	for _, row := range []struct{ name, member, want string }{
		{"no < and no quotation mark", `rdf:Description rdf:about="http://e/b/>`, broken},
		{"no < and bytes that are no text", "rdf:Description rdf:about=\"http://e/b\"\xff\xfe />", broken},
		{"no < and more than a tag holds", `rdf:Description rdf:about="http://e/b" $%%"/>`, broken},
		{"a sign behind the <", `<% rdf:Description rdf:about="http://e/b"/>`, broken},
		{"no <, and properties", `rdf:Description rdf:about="http://e/b><e:q>1</e:q></rdf:Description>`, broken},
		{"a sign behind the <, and properties", `<% rdf:Description rdf:about="http://e/b"><e:q>1</e:q></rdf:Description>`, broken},
		{"a sign directly behind the <", `<#rdf:Description rdf:about="http://e/b"/>`, broken},
		{"an arrow", `<- see above`, without},
		{"the marks of a merge", "\n<<<<<<< HEAD\n=======\n>>>>>>> branch\n", without},
		{"numbers compared", `p < 0.05`, without},
		{"a number that is less", `< 3`, without},
		{"words that begin with a name", `rdf:Description is a good name`, without},
		{"words with an equals sign", `rdf:about = what a node is about`, without},
		{"a name of no prefix", `Description about="http://e/b>`, without},
	} {
		t.Run(row.name, func(t *testing.T) {
			doc := head + sp + `<e:l rdf:parseType="Collection"><rdf:Description rdf:about="http://e/a"/>` + row.member +
				"\n<rdf:Description rdf:about=\"http://e/c\"/></e:l><e:p>v</e:p>" + ps + foot
			c := read(t, doc, rdf.Input{}, rdfxml.Options{})
			got := strings.ReplaceAll(strings.Join(c.Lines(), "\n"), rdfNS, "rdf:")
			if got != row.want || c.Lost() == 0 {
				t.Errorf("%v\n%s\nwant\n%s", c.Notices, got, row.want)
			}
		})
	}
}

// TestAListWithoutEndTakesInNoNode cuts off the end tag of a list in the first node, and the beginning
// of one more member. The nodes after it are no members. Only rdf:nodeID distinguishes some of them from
// properties.
func TestAListWithoutEndTakesInNoNode(t *testing.T) {
	for _, end := range []string{"</e:l", "<rdf:Descr"} {
		var b strings.Builder
		b.WriteString(head + sp + `<e:l rdf:parseType="Collection"><rdf:Description rdf:about="http://e/m"/>` + end + "\n")
		for i := range 3 {
			fmt.Fprintf(&b, `<e:Town rdf:nodeID="n%d">%s</e:Town>`+"\n", i, strings.Repeat(`<e:r><e:Film><e:s>value</e:s></e:Film></e:r>`,
				60))
		}
		b.WriteString("</rdf:RDF>\n")
		c := read(t, b.String(), rdf.Input{}, rdfxml.Options{})
		towns := 0
		for i, line := range c.Lines() {
			if strings.Contains(line, "#first> _:n") && !c.Quads[i].Repaired {
				t.Error("read: ", line)
			}
			if strings.HasSuffix(line, "type> <http://e/Town> .") {
				towns++
			}
		}
		if towns != 3 {
			t.Errorf("%s: %d towns", end, towns)
		}
	}
}
