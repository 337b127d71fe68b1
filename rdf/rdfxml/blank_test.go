package rdfxml_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/rdfxml"
)

// blankProperties are rows about white space in a property element whose attributes say what its object is (§7.2.21).
var blankProperties = []row{
	{"a space beside rdf:resource", sp + `<e:p rdf:resource="http://e/o"> </e:p><e:q>v</e:q>` + ps,
		[]string{"!<e:s> <e:p> <e:o> .", `<e:s> <e:q> "v" .`}, []string{"2:41 repair syntax/rdfxml-white-space 0"}},
	{"a line end beside rdf:resource", sp + "<e:p rdf:resource=\"http://e/o\">\n</e:p>" + ps,
		[]string{"!<e:s> <e:p> <e:o> ."}, []string{"2:41 repair syntax/rdfxml-white-space 0"}},
	{"beside rdf:nodeID", sp + "<e:p rdf:nodeID=\"n\">\t</e:p>" + ps,
		[]string{"!<e:s> <e:p> _:n ."}, []string{"2:41 repair syntax/rdfxml-white-space 0"}},
	{"beside attributes for properties", sp + `<e:p e:q="v"> </e:p>` + ps,
		[]string{"!<e:s> <e:p> _:0-1 .", `!_:0-1 <e:q> "v" .`}, []string{"2:41 repair syntax/rdfxml-white-space 0"}},
	{"beside resource without rdf:", sp + `<e:p resource="http://e/o"> </e:p>` + ps,
		[]string{"!<e:s> <e:p> <e:o> ."}, []string{"2:46 warning syntax/rdfxml-unqualified-attribute 0",
			"2:41 repair syntax/rdfxml-white-space 0"}},
	{"with rdf:ID, which makes four more", sp + `<e:p rdf:ID="i" rdf:resource="http://e/o"> </e:p>` + ps,
		[]string{"!<e:s> <e:p> <e:o> .", "!<http://base/d#i> <rdf:type> <rdf:Statement> .", "!<http://base/d#i> <rdf:subject> <e:s> .",
			"!<http://base/d#i> <rdf:predicate> <e:p> .", "!<http://base/d#i> <rdf:object> <e:o> ."},
		[]string{"2:41 repair syntax/rdfxml-white-space 0"}},
	{"around comments and an instruction", sp + `<e:p rdf:resource="http://e/o"><!-- c --> <?i?><!-- ` + strings.Repeat("long ", 2000) +
		`--></e:p>` + ps,
		[]string{"!<e:s> <e:p> <e:o> ."}, []string{"2:41 repair syntax/rdfxml-white-space 0"}},
	{"as a reference, and as a section",
		sp + `<e:p rdf:resource="http://e/o">&#x20;</e:p><e:p rdf:resource="http://e/o2"><![CDATA[ ]]></e:p>` + ps,
		[]string{"!<e:s> <e:p> <e:o> .", "!<e:s> <e:p> <e:o2> ."}, []string{"2:41 repair syntax/rdfxml-white-space 0",
			"2:84 repair syntax/rdfxml-white-space 0"}},
	{"comments, instructions and an empty section alone",
		sp + `<e:p rdf:resource="http://e/o"><!-- a comment --><?i?><![CDATA[]]></e:p><e:p rdf:nodeID="n"></e:p>` + ps,
		[]string{"<e:s> <e:p> <e:o> .", "<e:s> <e:p> _:n ."}, nil},
	{"where white space may stand", "<rdf:Description rdf:about=\"http://e/s\" e:q=\"v\"> </rdf:Description>" + sp +
		`<e:p> </e:p><e:p xml:lang="en"> </e:p><e:p rdf:datatype="http://e/d"> </e:p><e:p rdf:parseType="Resource"> </e:p><e:p rdf:parseType="Collection"> </e:p>` +
		ps,
		[]string{`<e:s> <e:q> "v" .`, `<e:s> <e:p> " " .`, `<e:s> <e:p> " "@en .`, `<e:s> <e:p> " "^^<e:d> .`, "<e:s> <e:p> _:0-1 .",
			"<e:s> <e:p> <rdf:nil> ."}, nil},
	{"text and elements are told as such", sp + `<e:p rdf:resource="http://e/o"> x </e:p><e:p rdf:resource="http://e/o2"> <e:T/> </e:p>` +
		ps,
		[]string{"<e:s> <e:p> <e:o> .", "<e:s> <e:p> <e:o2> ."}, []string{"2:73 drop syntax/rdfxml-stray-text 1",
			"2:114 drop syntax/rdfxml-not-empty 1"}},
	{"in a list", `<e:T rdf:about="http://e/t"><e:l rdf:parseType="Collection"><rdf:Description rdf:about="http://e/m"><e:p rdf:resource="http://e/o"> </e:p></rdf:Description></e:l></e:T>`,
		[]string{"<e:t> <rdf:type> <e:T> .", "<e:t> <e:l> _:0-1 .", "_:0-1 <rdf:first> <e:m> .", "!<e:m> <e:p> <e:o> .",
			"_:0-1 <rdf:rest> <rdf:nil> ."}, []string{"2:101 repair syntax/rdfxml-white-space 0"}},
}

// TestAnEmptyPropertyHoldsNothing fills property elements with pieces of what may and may not be in
// them. A repair is reported if, and only if, there are characters, all of them white space.
func TestAnEmptyPropertyHoldsNothing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(12, 23))
	space := []string{" ", "\n", "\t", "\r\n", "&#32;", "&#x9;", "&#10;", "<![CDATA[ ]]>", "<![CDATA[\n\n]]>"}
	other := []string{"<!---->", "<!-- > -->", "<!-- </e:p> -->", "<?i?>", "<?i d > ?>", "<![CDATA[]]>", "<!--" + strings.Repeat("c", 300) +
		"-->"}
	for range 300 {
		attr := []string{`rdf:resource="http://e/o"`, `rdf:nodeID="n"`, `e:q="v"`, `rdf:ID="i" rdf:resource=''`,
			`rdf:type="http://e/T"`}[rnd.IntN(5)]
		content, want := "", false
		for range rnd.IntN(5) {
			if rnd.IntN(2) == 0 {
				content, want = content+space[rnd.IntN(len(space))], true
			} else {
				content += other[rnd.IntN(len(other))]
			}
		}
		body := sp + fmt.Sprintf("<e:p %s>%s</e:p>", attr, content)
		c := read(t, head+body+"<e:k>w</e:k>"+ps+foot, rdf.Input{Base: "http://base/d"}, rdfxml.Options{})
		sound := read(t, head+sp+fmt.Sprintf("<e:p %s/>", attr)+"<e:k>w</e:k>"+ps+foot, rdf.Input{Base: "http://base/d"}, rdfxml.Options{})
		if !slices.Equal(c.Lines(), sound.Lines()) {
			t.Errorf("%q: %v", body, c.Lines())
		}
		told := slices.ContainsFunc(c.Notices, func(n fault.Notice) bool { return n.Code == fault.RDFXMLWhiteSpace })
		if told != want || len(c.Notices) > 1 || !want && len(c.Notices) > 0 {
			t.Errorf("%q: want told %v; %v", body, want, c.Notices)
		}
		for i := range c.Quads {
			if last := i == len(c.Quads)-1; c.Quads[i].Repaired != (want && !last) {
				t.Errorf("%q: repaired %v: %s", body, c.Quads[i].Repaired, c.Lines()[i])
			}
		}
	}
}
