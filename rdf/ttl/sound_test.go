package ttl_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/ttl"
)

// Looking ahead for faults costs a sound text nothing, whatever its length, order and layout. Each statement is read,
// in its graph, and nothing is reported.
func TestSoundTextsOfAnySizeAreReadAsTheyStand(t *testing.T) {
	const blocks = 6000
	// A unit is written for each block; # is its number. In TriG, so many of its statements are in a graph.
	for _, unit := range []struct {
		name, text  string
		statements  int
		graph       int
		onlyFromMid string // what occurs once in the middle of the document, a statement in a graph
	}{
		{"nodes", "d:s# a v:C ;\n    v:p d:s#, \"x { # }\", [ v:q # ; v:r ( 1 d:t# \"y\" ) ] ;\n    v:r false .\n\n", 13, 0, ""},
		{"nodes on a line", "d:s# a v:C ; v:p d:s#, \"x { # }\", [ v:q # ; v:r ( 1 d:t# \"y\" ) ] ; v:r false . ", 13, 0, ""},
		{"nodes of one namespace", "d:s# d:p d:s#, d:p ; d:q d:p .\nd:p d:s# d:q .\n", 4, 0, ""},
		{"a token a line", "d:s#\nv:p\nd:o\n,\n1\n;\nv:q\n[\n]\n.\n", 3, 0, ""},
		{"graphs", "d:g# {\n  d:s# v:p d:o ; v:q 1 .\n  d:t# v:p [ v:q 2 ] .\n}\n", 4, 4, ""},
		{"graphs without white space", "d:g#{d:s# v:p d:o;v:q 1 .d:t# v:p[v:q 2].}", 4, 4, ""},
		{"graphs with a keyword, and statements between", "GRAPH <d:g#> { d:s# v:p d:o } d:t# v:p 1 .\n", 2, 1, ""},
		{"graphs and a statement that begins as those in them", "d:g#\n{\nd:s# v:p d:o .\nd:t# v:p d:o\n}\nd:u# v:p d:o .\n", 3, 2, ""},
		{"graphs without a label", "{ d:s# v:p d:o . d:t# v:p d:o }\n{}\n", 2, 0, ""},
		{"a graph behind many statements", "d:s# v:p d:o ; v:q \"x\" .\n", 2, 0, "d:g { d:s v:p d:o }\n"},
		{"a graph with a keyword behind many statements", "d:s# v:p d:o ; v:q \"x\" .\n", 2, 0, "GRAPH d:g {\nd:s v:p d:o .\n}\n"},
		{"a graph with a node as its label behind many statements", "d:s# v:p d:o ; v:q \"x\" .\n", 2, 0, "[] { d:s v:p d:o }\n"},
	} {
		var b strings.Builder
		b.WriteString("@prefix d: <d:> .\n@prefix v: <v:> .\n")
		if unit.graph > 0 {
			b.WriteString("d:first { d:s v:p d:o }\n")
		}
		for i := range blocks {
			if i == blocks/2 {
				b.WriteString(unit.onlyFromMid)
			}
			b.WriteString(strings.ReplaceAll(unit.text, "#", fmt.Sprint(i)))
		}
		in, all := blocks*unit.graph, blocks*unit.statements
		if unit.graph > 0 || unit.onlyFromMid != "" {
			in, all = in+1, all+1
		}
		// the other was guessed
		for _, opt := range []ttl.Options{{Syntax: ttl.TriG}, {Syntax: ttl.Turtle, MayHandOver: true}} {
			c, _ := read(t, strings.NewReader(b.String()), opt)
			graphs := 0
			for i := range c.Quads {
				if c.Quads[i].Graph.Kind != rdf.NoTerm {
					graphs++
				}
			}
			if len(c.Notices) > 0 || len(c.Quads) != all || graphs != in {
				t.Errorf("%s, %s: %d statements of %d, %d in graphs of %d, %d notices", unit.name, opt.Syntax, len(c.Quads), all, graphs,
					in, len(c.Notices))
				if len(c.Notices) > 0 {
					t.Logf("%+v", c.Notices[0])
				}
			}
		}
	}
}
