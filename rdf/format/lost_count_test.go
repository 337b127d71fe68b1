package format_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
)

// faultyDocument writes a document in which one thing is broken, and counts the statements that it would make
// were it sound.
type faultyDocument struct {
	*rand.Rand
	fault      string // what is broken
	at         int    // the statement in which it is
	statements int
	// uncountable says that the fault may concern everything, so that all is lost as one stretch.
	uncountable bool
}

// next counts a statement, and gives what says whether it has a fault.
func (d *faultyDocument) next() (is func(fault string) bool) {
	broken := d.statements == d.at
	d.statements++
	return func(fault string) bool { return broken && d.fault == fault }
}

func (d *faultyDocument) word() string {
	return []string{"tin", "the old house", "Zürich", "a, b", "3 of 4", "x"}[d.IntN(6)]
}

// text is the text of a literal, with an escape that no format has if that is what is broken.
func (d *faultyDocument) text(escape bool) string {
	if escape {
		return d.word() + `\q` + d.word()
	}
	return d.word()
}

// lines writes N-Triples or N-Quads.
func (d *faultyDocument) lines(graph string) string {
	var out strings.Builder
	for i := range 6 + d.IntN(4) {
		is := d.next()
		s, p, closing, quote, dot := fmt.Sprintf("<http://e.example/s%d>", i), "<http://e.example/p>", ">", `"`, " ."
		if is("IRI") {
			s = "<http://[bad/a>"
		}
		if is("bracket") {
			p = "<http://e.example/p"
		}
		if is("string") {
			quote = ""
		}
		if is("end") {
			dot = ""
		}
		object := `"` + d.text(is("escape")) + quote
		if d.IntN(3) == 0 && !is("string") && !is("escape") {
			object = "<http://e.example/o" + closing
		}
		fmt.Fprintf(&out, "%s %s %s%s%s\n", s, p, object, graph, dot)
	}
	return out.String()
}

// turtle writes Turtle.
func (d *faultyDocument) turtle() string {
	var out strings.Builder
	if d.fault != "directive" {
		out.WriteString("@prefix e: <http://e.example/> .\n")
	} else {
		out.WriteString([]string{"@prefix e <http://e.example/> .\n", "@prefix e: http://e.example/ .\n",
			"@prefix e: <http://e.example/ .\n",
			"@prefix e: <http://e.example/>\n", "@prefx e: <http://e.example/> .\n", "@prefix e: .\n"}[d.IntN(6)])
	}
	out.WriteString("@prefix f: <http://f.example/> .\n\n")
	for i := 0; d.statements < 9; i++ {
		fmt.Fprintf(&out, "e:s%d", i)
		for j, n := 0, 1+d.IntN(3); j < n; j++ {
			is := d.next()
			p, quote, end := fmt.Sprintf("f:p%d", j), `"`, " ;"
			if j == n-1 {
				end = " ."
			}
			if is("IRI") {
				p = "<http://[bad/a>"
			}
			if is("bracket") {
				p = "<http://f.example/p"
			}
			if is("string") {
				quote = ""
			}
			if is("end") {
				end = ""
			}
			object := `"` + d.text(is("escape")) + quote
			if d.IntN(3) == 0 && !is("string") && !is("escape") {
				object = []string{"e:o", "4", "true"}[d.IntN(3)]
			}
			fmt.Fprintf(&out, " %s %s%s\n   ", p, object, end)
		}
		out.WriteString("\n")
	}
	return strings.ReplaceAll(out.String(), "   \n", "\n")
}

// rdfxml writes RDF/XML.
func (d *faultyDocument) rdfxml() string {
	var out strings.Builder
	ns := ` xmlns:e="http://e.example/"`
	if d.fault == "directive" {
		ns = []string{` xmlns:e="http://e.example/`, ` xmlns:e=http://e.example/`, ` xmlns:e`, ``}[d.IntN(4)]
	}
	fmt.Fprintf(&out, "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:f=\"http://f.example/\"%s>\n", ns)
	for i := 0; d.statements < 9; i++ {
		fmt.Fprintf(&out, "  <rdf:Description rdf:about=\"http://e.example/s%d\">\n", i)
		for j, n := 0, 1+d.IntN(3); j < n; j++ {
			is := d.next()
			end, object, name := fmt.Sprintf("</f:p%d>", j), d.word(), fmt.Sprintf("f:p%d", j)
			if d.fault == "directive" && d.IntN(3) == 0 {
				name = fmt.Sprintf("e:p%d", j)
				end = "</" + name + ">"
			}
			if is("end") {
				end = ""
			}
			if is("escape") {
				object += "&nosuch; "
			}
			if is("bracket") {
				end = strings.TrimSuffix(end, ">")
			}
			switch {
			case is("string"):
				fmt.Fprintf(&out, "    <%s rdf:resource=\"http://e.example/o/>\n", name)
			case is("IRI"):
				fmt.Fprintf(&out, "    <%s rdf:resource=\"http://[bad/a\"/>\n", name)
			default:
				fmt.Fprintf(&out, "    <%s>%s%s\n", name, object, end)
			}
		}
		out.WriteString("  </rdf:Description>\n")
	}
	return out.String() + "</rdf:RDF>\n"
}

// trix writes TriX.
func (d *faultyDocument) trix() string {
	var out strings.Builder
	ns := ` xmlns="http://www.w3.org/2004/03/trix/trix-1/"`
	if d.fault == "directive" {
		// With a slash at the end of the value the root would be an empty element.
		ns = []string{` xmlns="http://www.w3.org/2004/03/trix/trix-1`, ` xmlns=http://www.w3.org/2004/03/trix/trix-1`, ` xmlns`}[d.IntN(3)]
	}
	out.WriteString("<TriX" + ns + ">\n")
	for d.statements < 9 {
		fmt.Fprintf(&out, " <graph>\n  <uri>http://e.example/g%d</uri>\n", d.statements)
		for range 1 + d.IntN(4) {
			is := d.next()
			p, object, end := "<uri>http://e.example/p</uri>", d.word(), "</triple>"
			switch {
			case is("IRI"):
				p = "<uri>http://[bad/a</uri>"
			case is("bracket"):
				p = []string{"<uri>http://e.example/p", "<urihttp://e.example/p</uri>", "<uri>http://e.example/p</uri"}[d.IntN(3)]
			case is("escape"):
				object += "&nosuch; "
			case is("end"):
				end = ""
			}
			literal := "<plainLiteral>" + object + "</plainLiteral>"
			if is("string") {
				literal = `<plainLiteral xml:lang="en>` + object + "</plainLiteral>"
			}
			fmt.Fprintf(&out, "  <triple><uri>http://e.example/s%d</uri>%s%s%s\n", d.statements, p, literal, end)
		}
		out.WriteString(" </graph>\n")
	}
	return out.String() + "</TriX>\n"
}

// jsonld writes JSON-LD.
func (d *faultyDocument) jsonld() string {
	context := `{"f": "http://f.example/", "g": "http://g.example/"}`
	if d.fault == "directive" {
		n := d.IntN(6)
		d.uncountable = n == 5 // what f means may be anything, as may what it is called
		context = []string{`{"f": 5, "g": "http://g.example/"}`, `{"f": "http://f.example/, "g": "http://g.example/"}`,
			`{"f" "http://f.example/", "g": "http://g.example/"}`,
			`{""f"": "http://f.example/", "g": "http://g.example/"}`, `{"f": ""http://f.example/"", "g": "http://g.example/"}`,
			`{""f"": ""http://f.example/"", "g": "http://g.example/"}`}[n]
	}
	var nodes []string
	for i := 0; d.statements < 9; i++ {
		members := []string{fmt.Sprintf(`"@id": "http://e.example/s%d"`, i)}
		comma := -1
		for j, n := 0, 1+d.IntN(3); j < n; j++ {
			is := d.next()
			name, value := fmt.Sprintf(`"%c:p%d"`, "fg"[d.IntN(2)], j), `"`+d.text(is("escape"))+`"`
			colon := ": "
			switch {
			case is("IRI"):
				value = `{"@id": "http://[bad/a"}`
			case is("bracket"):
				value = []string{`{"@value": "x"`, `["x"`, `{"@id": "http://e.example/o"`}[d.IntN(3)]
			case is("string"):
				value = strings.TrimSuffix(value, `"`)
			case is("marks"):
				switch d.IntN(3) {
				case 0:
					name = `"` + name + `"`
				case 1:
					value = `"` + value + `"`
				default:
					name, value = `"`+name+`"`, `"`+value+`"`
				}
			case is("end"):
				comma = len(members)
			case is("colon"):
				colon = " "
			}
			members = append(members, name+colon+value)
		}
		var node strings.Builder
		for k, m := range members {
			if node.WriteString("      " + m); k < len(members)-1 && k != comma {
				node.WriteByte(',')
			}
			node.WriteByte('\n')
		}
		nodes = append(nodes, "    {\n"+node.String()+"    }")
	}
	return "{\n  \"@context\": " + context + ",\n  \"@graph\": [\n" + strings.Join(nodes, ",\n") + "\n  ]\n}\n"
}

// What is dropped counts as the statements that were broken, however the reader goes on behind the fault. So those
// read are those of the sound document. A directive says none: one that is lost counts as one stretch, beside the
// statements that need it.
func TestWhatIsDroppedCountsAsTheStatementsThatWereBroken(t *testing.T) {
	common := []string{"string", "bracket", "escape", "IRI", "end"}
	withDirective := append(slices.Clone(common), "directive")
	ofJSON := append(slices.Clone(withDirective), "marks", "colon")
	for _, of := range []struct {
		format format.Format
		faults []string
		write  func(d *faultyDocument) string
	}{
		{format.NTriples, common, func(d *faultyDocument) string { return d.lines("") }},
		{format.NQuads, common, func(d *faultyDocument) string { return d.lines(" <http://e.example/g>") }},
		{format.Turtle, withDirective, (*faultyDocument).turtle},
		{format.RDFXML, withDirective, (*faultyDocument).rdfxml},
		{format.TriX, withDirective, (*faultyDocument).trix},
		{format.JSONLD, ofJSON, (*faultyDocument).jsonld},
		{format.HTML, ofJSON, func(d *faultyDocument) string {
			return "<!DOCTYPE html><html><head><title>t</title><script type=\"application/ld+json\">\n" + d.jsonld() +
				"</script></head><body></body></html>\n"
		}},
	} {
		t.Run(string(of.format), func(t *testing.T) {
			dropped := int64(0)
			for seed := range uint64(200) {
				d := &faultyDocument{Rand: rand.New(rand.NewPCG(seed, 28))}
				d.fault, d.at = of.faults[int(seed)%len(of.faults)], d.IntN(6)
				text := of.write(d)
				w, err := washLawfully(clean.Options{}, of.format, format.Options{Input: rdf.Input{Base: "http://base.example/"}},
					strings.NewReader(text))
				if err != nil {
					t.Fatal(err)
				}
				dropped += w.tally.Dropped
				least, most := d.statements, d.statements
				switch {
				case d.uncountable:
					least, most = 1, 1
				case d.fault == "directive":
					most++
				}
				if read := int(w.tally.Read); read < least || read > most {
					t.Errorf("seed %d, %s: %d statements are read, not %d\n%s\n%s\n%s", seed, d.fault, read, d.statements, text, w.found(),
						strings.Join(w.lines, "\n"))
				}
			}
			if dropped < 50 {
				t.Errorf("only %d statements are dropped: the documents are too sound", dropped)
			}
		})
	}
}

// A directive that is lost counts as one, whatever is wrong in it.
func TestALostDirectiveCountsOnce(t *testing.T) {
	for _, directive := range []string{
		"@prefix : foo .", "@prefix : foo bar .", "@prefix e: foo bar baz .", "@prefix e foo bar .",
		`@prefix e: "http://x/ y" z .`, "@prefix e: <http://x.example/> f: <http://y.example/> .", "@prefix e: f:x y .",
		"@prefix <http://x.example/> e: .", "@prefix 1: <http://x.example/> .", "@prefix e: <http://[bad/> x .",
		"@base foo bar .", `@base "x" "y" .`, "@base <http://x.example/> <http://y.example/> .", "@base .",
		"PREFIX e: foo bar", "PREFIX e: f: <http://x.example/>", "BASE foo bar",
	} {
		for _, of := range []format.Format{format.Turtle, format.TriG} {
			text := directive + "\n<http://e.example/s> <http://e.example/p> 1 .\n"
			w, err := washLawfully(clean.Options{}, of, format.Options{Input: rdf.Input{Base: "http://base.example/"}},
				strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			if w.tally.Dropped != 1 || len(w.lines) != 1 {
				t.Errorf("%s, %s: %+v\n%s", of, directive, w.tally, w.found())
			}
		}
	}
}
