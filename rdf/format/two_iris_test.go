package format_test

import (
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
)

// betweenIRIs is what people put between two IRIs in the place of one.
var betweenIRIs = []string{" ", "  ", "\t", " | ", "|", ", ", "; ", " and ", " or ", " & ", " , "}

// In every format two IRIs in one place cost that statement, once, and no other. None is ever written with the other
// in it.
func TestTwoIRIsInOnePlaceCostTheirStatement(t *testing.T) {
	const xml = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">`
	for _, c := range []struct {
		of        format.Format
		text      string
		kept      []string
		separator []string // none but these; nil for all
	}{
		{format.NTriples, "<http://e/s> <http://e/p> <@> .\n<http://e/s> <http://e/p> <http://e/o> .\n",
			[]string{"<http://e/s> <http://e/p> <http://e/o> ."}, nil},
		{format.NQuads, "<http://e/s> <http://e/p> <http://e/o> <@> .\n<http://e/s> <http://e/p> <http://e/o> .\n",
			[]string{"<http://e/s> <http://e/p> <http://e/o> ."}, nil},
		{format.Turtle, "<http://e/s> <http://e/p> <@> ; <http://e/q> 1 .\n<http://e/s> <http://e/q> 2 .\n", []string{
			"<http://e/s> <http://e/q> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> .",
			"<http://e/s> <http://e/q> \"2\"^^<http://www.w3.org/2001/XMLSchema#integer> ."},
			append([]string{"\n", "\r\n  "}, betweenIRIs...)},
		{format.TriG, "<http://e/g> { <http://e/s> <http://e/p> <http://e/o> , <@> . }\n",
			[]string{"<http://e/s> <http://e/p> <http://e/o> <http://e/g> ."}, append([]string{"\n"}, betweenIRIs...)},
		{format.RDFXML, xml + `<rdf:Description rdf:about="http://e/s"><e:p rdf:resource="@"/><e:q>x</e:q></rdf:Description></rdf:RDF>`,
			[]string{`<http://e/s> <http://e/q> "x" .`}, append([]string{"\n", "&#10;"}, betweenIRIs...)},
		{format.RDFXML, xml +
			`<rdf:Description rdf:about="@"><e:q>x</e:q></rdf:Description><rdf:Description rdf:about="http://e/s"><e:q>x</e:q></rdf:Description></rdf:RDF>`,
			[]string{`<http://e/s> <http://e/q> "x" .`}, nil},
		{format.TriX, `<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph><triple><uri>http://e/s</uri><uri>http://e/p</uri><uri>@</uri></triple><triple><uri>http://e/s</uri><uri>http://e/p</uri><uri>http://e/o</uri></triple></graph></TriX>`,
			[]string{"<http://e/s> <http://e/p> <http://e/o> ."}, append([]string{"\n"}, betweenIRIs...)},
		{format.RDFJSON, `{"http://e/s":{"http://e/p":[{"type":"uri","value":"@"},{"type":"uri","value":"http://e/o"}]}}`,
			[]string{"<http://e/s> <http://e/p> <http://e/o> ."}, append([]string{`\n`}, betweenIRIs...)},
		{format.JSONLD, `{"@id":"http://e/s","http://e/p":[{"@id":"@"},{"@id":"http://e/o"}]}`,
			[]string{"<http://e/s> <http://e/p> <http://e/o> ."}, append([]string{`\n`}, betweenIRIs...)},
		{format.HTML, `<!DOCTYPE html><p about="http://e/s"><a rel="http://e/p" href="@">x</a><a rel="http://e/p" href="http://e/o">x</a></p>`,
			[]string{"<http://e/s> <http://e/p> <http://e/o> ."}, append([]string{"\n"}, betweenIRIs...)},
		{format.HTML, `<!DOCTYPE html><p itemscope itemid="http://e/s" itemtype="http://e/T"><a itemprop="http://e/p" href="@">x</a></p>`,
			[]string{"<http://e/s> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/T> ."},
			append([]string{"\n"}, betweenIRIs...)},
	} {
		if c.separator == nil {
			c.separator = betweenIRIs
		}
		for _, between := range c.separator {
			if strings.Contains(c.text, "href=") || c.of == format.RDFXML || c.of == format.TriX {
				between = strings.ReplaceAll(between, " & ", " &amp; ")
			}
			if c.of == format.JSONLD || c.of == format.RDFJSON {
				between = strings.ReplaceAll(between, "\t", `\t`)
			}
			text := strings.Replace(c.text, "@", "http://e/a"+between+"https://e/b", 1)
			if c.of == format.JSONLD {
				text = strings.Replace(c.text, `"@"`, `"http://e/a`+between+`https://e/b"`, 1)
			}
			w, err := washLawfully(clean.Options{KeepBlankNodes: true}, c.of, format.Options{Input: rdf.Input{Base: "http://e/doc"}},
				strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(w.lines)
			if !slices.Equal(w.lines, c.kept) || w.tally.Dropped != 1 || len(w.notices) != 1 || w.notices[0].Code != fault.IRITwo {
				t.Errorf("%s %q\ngives %q\n%s", c.of, text, w.lines, w.found())
			}
		}
	}
}
