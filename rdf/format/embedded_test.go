package format_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/format"
	"laundromat/rdf/rdftest"
)

const (
	declared = ` xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/"`
	inside   = `<rdf:Description rdf:about="s"><e:p>v</e:p></rdf:Description>`
	embedded = `<rdf:RDF` + declared + `>` + inside + `</rdf:RDF>`
)

// readEmbedded reads a document as what it is guessed to be.
func readEmbedded(t *testing.T, text, mediaType, name string) (*rdftest.Collector, format.Guessed) {
	t.Helper()
	var got rdftest.Collector
	g := format.Guess([]byte(text), true, mediaType, name)
	if g.Format != "" {
		opt := format.Options{Input: rdf.Input{Base: "http://e/d/doc"}, Guessed: true, ContentType: mediaType, Name: name}
		if _, err := format.Parse(context.Background(), g.Format, strings.NewReader(text), opt, &got); err != nil {
			t.Fatal(err)
		}
	}
	return &got, g
}

// TestXMLThatHoldsRDFIsRead: whatever its root is, XML with rdf:RDF in it is read for that, and
// what is around it is not reported.
func TestXMLThatHoldsRDFIsRead(t *testing.T) {
	const one = `<http://e/d/s> <http://e/p> "v" .`
	for _, row := range []struct{ name, mediaType, file, text, want string }{
		{"SVG", "", "a.svg", `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><title>A</title><metadata>` + embedded +
			`</metadata><path d="M0 0"/></svg>`, one},
		{"SVG by its media type", "image/svg+xml", "", `<svg xmlns="http://www.w3.org/2000/svg"` + declared + `><metadata><rdf:RDF>` +
			inside + `</rdf:RDF></metadata></svg>`, one},
		{"XMP", "", "", "<?xpacket begin='' id='x'?>\n<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">" + embedded +
			"</x:xmpmeta>\n<?xpacket end='w'?>", one},
		{"SBML", "", "a.xml", `<sbml xmlns="http://www.sbml.org/sbml/level3" level="3"><model id="m"><annotation>` + embedded +
			`</annotation></model></sbml>`, one},
		{"KML", "", "", `<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>n</name><Metadata>` + embedded +
			`</Metadata></Document></kml>`, one},
		{"GPX, with text around", "", "", `<gpx xmlns="http://www.topografix.com/GPX/1/1"><desc>some text</desc>` + embedded + `more</gpx>`,
			one},
		{"Atom", "application/atom+xml", "", `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>t</title>` + embedded +
			`</entry></feed>`, one},
		{"a language that nobody knows", "", "", `<x:a xmlns:x="http://x/"><x:b y="z">` + embedded + `</x:b></x:a>`, one},
		{"no namespace around", "", "", `<a><b>text</b>` + embedded + `</a>`, one},
		{"another prefix", "", "",
			`<a xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://a/"><b><r:RDF xmlns:e="http://e/"><r:Description r:about="s"><e:p>v</e:p></r:Description></r:RDF></b></a>`,
			one},
		{"no prefix", "", "",
			`<a:a xmlns:a="http://a/"><RDF xmlns="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/" xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><Description r:about="s"><e:p>v</e:p></Description></RDF></a:a>`,
			one},
		{"two of them", "", "", `<a xmlns="http://a/">` + embedded + `<b/>` + strings.Replace(embedded, `"s"`, `"t"`, 1) + `</a>`,
			one + ` <http://e/d/t> <http://e/p> "v" .`},
		{"xml:base and xml:lang around", "", "", `<a xmlns="http://a/" xml:base="http://e/other/"><b xml:lang="en">` + embedded +
			`</b></a>`, `<http://e/other/s> <http://e/p> "v"@en .`},
		{"behind much else", "", "", `<a xmlns="http://a/">` + strings.Repeat("<b>text</b>\n", 30000) + embedded + `</a>`, one},
	} {
		got, g := readEmbedded(t, row.text, row.mediaType, row.file)
		if lines := got.Lines(); g.Format != format.RDFXML || strings.Join(lines, " ") != row.want {
			t.Errorf("%s: %s %s: %q", row.name, g.Format, g.NotRDF, lines)
		}
		if g.Contradicts(row.mediaType) {
			t.Errorf("%s: %s contradicts %s", row.name, row.mediaType, g.Format)
		}
		if len(got.Notices) != 1 || got.Notices[0].Code != fault.RDFXMLNoRDF || got.Notices[0].Severity != fault.Note {
			t.Errorf("%s: %v", row.name, got.Notices)
		}
	}
	for _, text := range []string{`<svg xmlns="http://www.w3.org/2000/svg"><metadata/></svg>`,
		`<kml xmlns="http://www.opengis.net/kml/2.2"><!-- ` + embedded + ` --></kml>`,
		`<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/">` + embedded +
			`</xsl:template></xsl:stylesheet>`} {
		if _, g := readEmbedded(t, text, "", ""); g.Format != "" {
			t.Errorf("%.60q is %s", text, g.Format)
		}
	}
}

// TestARootThatIsANodeIsNotRefused: where name or media type says RDF/XML, a node element may
// occur alone, though its namespace is that of another language.
func TestARootThatIsANodeIsNotRefused(t *testing.T) {
	for _, called := range [][2]string{{"application/rdf+xml", ""}, {"", "a.rdf"}, {"", "a.owl"}} {
		for _, space := range []string{"http://e/", "http://purl.org/dc/terms/", "http://www.opengis.net/kml/2.2#",
			"http://www.w3.org/2005/Atom#"} {
			text := `<?xml version="1.0"?><x:feed xmlns:x="` + space + `"><x:p>v</x:p></x:feed>`
			if got, g := readEmbedded(t, text, called[0], called[1]); g.Format != format.RDFXML || len(got.Quads) != 2 ||
				len(got.Notices) > 0 {
				t.Errorf("%q %s: %s %s: %q", called, space, g.Format, g.NotRDF, got.Lines())
			}
		}
	}
}

// TestRDFMayStandAnywhereInXML puts documents of RDF into XML of elements and text: they say what they say alone.
func TestRDFMayStandAnywhereInXML(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 23))
	for range 250 {
		var want []string
		ids := 0
		var write func(depth int, must bool) string
		write = func(depth int, must bool) string {
			var b strings.Builder
			n := 1 + rnd.IntN(3)
			at := rnd.IntN(n)
			for i := range n {
				name := []string{"g", "metadata", "x:desc", "y"}[rnd.IntN(4)]
				switch {
				case must && i == at && depth == 0, !must && depth < 2 && rnd.IntN(6) == 0:
					ids++
					want = append(want, fmt.Sprintf(`<http://e/d/%d> <http://e/p> "v" .`, ids))
					prefix := []string{"rdf", "r"}[rnd.IntN(2)]
					fmt.Fprintf(&b, `<%s:RDF xmlns:%[1]s="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/"><%[1]s:Description %[1]s:about="%d"><e:p>v</e:p></%[1]s:Description></%[1]s:RDF>`,
						prefix, ids)
				case depth == 0:
					fmt.Fprintf(&b, "<%s a='b'/>text &amp; <![CDATA[<rdf:RDF>]]><!-- <rdf:RDF/> -->\n", name)
				default:
					fmt.Fprintf(&b, "<%s>%s</%[1]s>", name, write(depth-1, must && i == at))
				}
			}
			return b.String()
		}
		root := []string{`svg xmlns="http://www.w3.org/2000/svg"`, `feed xmlns="http://www.w3.org/2005/Atom"`, `a`, `x:root`,
			`doc xmlns="http://doc/"`}[rnd.IntN(5)]
		name, _, _ := strings.Cut(root, " ")
		text := "<" + root + ` xmlns:x="http://x/">` + write(rnd.IntN(4), true) + "</" + name + ">"
		got, g := readEmbedded(t, text, "", "")
		lines := got.Lines()
		slices.Sort(lines)
		slices.Sort(want)
		if g.Format != format.RDFXML || !slices.Equal(lines, want) || len(got.Notices) != 1 {
			t.Errorf("%s\n%s %s %v\ngot\n%s\nwant\n%s", text, g.Format, g.NotRDF, got.Notices, strings.Join(lines, "\n"),
				strings.Join(want, "\n"))
		}
	}
}
