package rdfxml_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/rdfxml"
)

// bothWays are rows about names that are those of nodes and of properties: where they are says which.
var bothWays = []row{
	{"classes of RDF as properties", `<rdf:Seq rdf:about="http://e/n"/>` + sp +
		`<rdf:Seq rdf:resource="http://e/o"/><rdf:List>v</rdf:List><rdf:Statement rdf:nodeID="b"/><rdf:Property e:p="v"/></rdf:Description>`,
		[]string{"<e:n> <rdf:type> <rdf:Seq> .", "<e:s> <rdf:Seq> <e:o> .", `<e:s> <rdf:List> "v" .`, "<e:s> <rdf:Statement> _:b .",
			"<e:s> <rdf:Property> _:0-1 .", `_:0-1 <e:p> "v" .`}, nil},
	{"properties of RDF as nodes", `<rdf:value rdf:about="http://e/n"/><rdf:_1 rdf:nodeID="b"><rdf:_1>v</rdf:_1></rdf:_1>`,
		[]string{"<e:n> <rdf:type> <rdf:value> .", "_:b <rdf:type> <rdf:_1> .", `_:b <rdf:_1> "v" .`}, nil},
	{"a class of the document's own",
		`<e:T rdf:about="http://e/t"><e:T><e:T rdf:about="http://e/u"><e:T rdf:resource="http://e/v"/></e:T></e:T></e:T>`,
		[]string{"<e:t> <rdf:type> <e:T> .", "<e:t> <e:T> <e:u> .", "<e:u> <rdf:type> <e:T> .", "<e:u> <e:T> <e:v> ."}, nil},
	{"a list of lists", sp + `<rdf:List rdf:parseType="Collection"><rdf:List rdf:about="http://e/m"/></rdf:List></rdf:Description>`,
		[]string{"<e:s> <rdf:List> _:0-1 .", "_:0-1 <rdf:first> <e:m> .", "<e:m> <rdf:type> <rdf:List> .", "_:0-1 <rdf:rest> <rdf:nil> ."},
		nil},
	{"an element with rdf:about among properties", sp + `<e:p>v</e:p><e:Thing rdf:about="http://e/t"><e:q>w</e:q></e:Thing><e:r>x</e:r>` +
		ps,
		[]string{`<e:s> <e:p> "v" .`, `<e:t> <e:q> "w" .`, `<e:s> <e:r> "x" .`},
		[]string{"2:53 drop syntax/rdfxml-missing-property 1", "2:53 drop syntax/rdfxml-lost-part 1"}},
	{"an empty one", sp + `<e:p>v</e:p><e:knows rdf:about="http://e/t"/><e:knows rdf:about="http://e/u" e:q="w"/>` + ps,
		[]string{`<e:s> <e:p> "v" .`},
		[]string{"2:53 drop syntax/rdfxml-missing-property 1", "2:53 drop syntax/rdfxml-lost-part 1", "2:86 drop syntax/rdfxml-lost-part 1",
			"2:86 drop syntax/rdfxml-lost-part 1"}},
	{"one with text", sp + `<e:knows rdf:about="http://e/t">Ann</e:knows><e:p>v</e:p>` + ps,
		[]string{`<e:s> <e:p> "v" .`}, []string{"2:50 drop syntax/rdfxml-forbidden-name 1"}},
	{"one with rdf:ID", sp + `<e:Thing rdf:ID="t"><e:q>w</e:q></e:Thing>` + ps,
		[]string{`<http://base/d#t> <e:q> "w" .`},
		[]string{"2:41 drop syntax/rdfxml-missing-property 1", "2:41 drop syntax/rdfxml-lost-part 1"}},
	{"one with rdf:nodeID", sp + `<e:Thing rdf:nodeID="t"><e:q>w</e:q></e:Thing>` + ps,
		[]string{`_:t <e:q> "w" .`},
		[]string{"2:41 drop syntax/rdfxml-missing-property 1", "2:41 drop syntax/rdfxml-lost-part 1"}},
	{"rdf:Description has no type to be in doubt", sp + `<rdf:Description rdf:about="http://e/t"><e:q>w</e:q></rdf:Description>` + ps,
		[]string{`<e:t> <e:q> "w" .`}, []string{"2:41 drop syntax/rdfxml-missing-property 1"}},
	{"a name that is that of a type elsewhere", `<e:Thing rdf:about="http://e/o"/>` + sp +
		`<e:Thing rdf:about="http://e/t"><e:q>w</e:q></e:Thing>` + ps,
		[]string{"<e:o> <rdf:type> <e:Thing> .", "<e:t> <rdf:type> <e:Thing> .", `<e:t> <e:q> "w" .`},
		[]string{"2:74 drop syntax/rdfxml-missing-property 1"}},
	{"a name that is that of a property elsewhere", sp + `<e:knows rdf:resource="http://e/o"/><e:knows rdf:about="http://e/t"/>` + ps,
		[]string{"<e:s> <e:knows> <e:o> ."},
		[]string{"2:86 drop syntax/rdfxml-forbidden-name 1"}},
}

// TestWhereANameStandsSaysWhatItIs makes sound documents of a few names, each of which is used for
// nodes and for properties. They are read as the writer says, without a word.
func TestWhereANameStandsSaysWhatItIs(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 23))
	names := []string{"rdf:Alt", "rdf:Bag", "rdf:Seq", "rdf:List", "rdf:Statement", "rdf:Property", "rdf:value", "rdf:_1", "rdf:first",
		"e:Thing", "e:knows"}
	for range 250 {
		var want []string
		ids := 0
		name := func() string { return names[rnd.IntN(len(names))] }
		iri := func(name string) string {
			prefix, local, _ := strings.Cut(name, ":")
			return "<" + prefix + ":" + local + ">"
		}
		var node func(depth int) (text, id string)
		node = func(depth int) (string, string) {
			ids++
			id, class := fmt.Sprintf("<e:n%d>", ids), name()
			want = append(want, id+" <rdf:type> "+iri(class)+" .")
			text := fmt.Sprintf(`<%s rdf:about="http://e/n%d">`, class, ids)
			for range rnd.IntN(4) {
				property := name()
				switch kind := rnd.IntN(3); {
				case kind == 0:
					want = append(want, id+" "+iri(property)+" <e:o> .")
					text += fmt.Sprintf(`<%s rdf:resource="http://e/o"/>`, property)
				case kind == 1 || depth == 0:
					want = append(want, id+" "+iri(property)+` "v" .`)
					text += fmt.Sprintf("<%s>v</%[1]s>", property)
				default:
					inner, other := node(depth - 1)
					want = append(want, id+" "+iri(property)+" "+other+" .")
					text += fmt.Sprintf("<%s>%s</%[1]s>\n", property, inner)
				}
			}
			return text + "</" + class + ">", id
		}
		body := ""
		for range 1 + rnd.IntN(4) {
			text, _ := node(3)
			body += text + "\n"
		}
		c := read(t, head+body+foot, rdf.Input{}, rdfxml.Options{})
		got := c.Marked(short)
		slices.Sort(got)
		slices.Sort(want)
		if len(c.Notices) > 0 || !slices.Equal(got, want) {
			t.Errorf("%s\n%v\ngot\n%s\nwant\n%s", body, c.Notices, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestNoTypeIsStatedThatNobodyWrote puts elements that say what they are about among properties. No
// name that the document does not use for a node becomes a type, and what is lost is reported.
func TestNoTypeIsStatedThatNobodyWrote(t *testing.T) {
	rnd := rand.New(rand.NewPCG(10, 23))
	for range 250 {
		inside := []string{"", "<e:q>w</e:q>", `<e:q rdf:resource="http://e/o"/>`, "<e:q>w</e:q><e:r>x</e:r>", "text"}[rnd.IntN(5)]
		attr := []string{`rdf:about="http://e/t"`, `rdf:ID="t"`, `rdf:about="http://e/t" e:a="b"`}[rnd.IntN(3)]
		name := []string{"e:Thing", "e:knows", "e:isPartOf", "e:_1", "rdf:Bag"}[rnd.IntN(5)]
		element := fmt.Sprintf("<%s %s>%s</%[1]s>", name, attr, inside)
		if inside == "" {
			element = fmt.Sprintf("<%s %s/>", name, attr)
		}
		if !strings.Contains(attr, "about") && (inside == "" || inside == "text") {
			continue // which is sound: it names the statement
		}
		properties := []string{"<e:k1>1</e:k1>\n", "<e:k2>2</e:k2>\n", `<e:k3 rdf:resource="http://e/3"/>` + "\n"}
		at := rnd.IntN(4)
		body := sp + strings.Join(properties[:at], "") + element + strings.Join(properties[at:], "") + ps
		c := read(t, head+body+foot, rdf.Input{Base: "http://base/d"}, rdfxml.Options{})
		said := strings.Join(c.Marked(short), "\n")
		if strings.Contains(said, "<rdf:type> <"+name+">") || c.Lost() == 0 {
			t.Errorf("%s\n%s\n%d lost", body, said, c.Lost())
		}
		for i := 1; i <= 3; i++ {
			if !strings.Contains(said, fmt.Sprintf("<e:s> <e:k%d>", i)) {
				t.Errorf("%s\nk%d is lost\n%s", body, i, said)
			}
		}
	}
}
