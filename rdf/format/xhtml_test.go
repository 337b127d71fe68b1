package format_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/format"
	"laundromat/rdf/rdftest"
)

// readPage reads a page as what it is guessed to be by its content, its media type and its name.
func readPage(t *testing.T, text, mediaType, name string) []string {
	t.Helper()
	g := format.Guess([]byte(text), true, mediaType, name)
	if g.Format != format.HTML && g.Format != format.RDFa {
		t.Fatalf("%q is told as %q %q", text, g.Format, g.NotRDF)
	}
	var got rdftest.Collector
	opt := format.Options{Input: rdf.Input{Base: "http://e/page"}, Guessed: true, ContentType: mediaType, Name: name}
	if _, err := format.Parse(context.Background(), g.Format, strings.NewReader(text), opt, &got); err != nil {
		t.Fatal(err)
	}
	lines := got.Lines()
	slices.Sort(lines)
	return lines
}

// TestWhatIsCalledXHTMLIsXML: an empty-element tag is an element without content where the media type
// says XML, or else the name says XHTML. Where they say HTML, it is a start tag. What the page begins
// with does not matter.
func TestWhatIsCalledXHTMLIsXML(t *testing.T) {
	const body = `<body><section resource="#part"/><p property="e:p">v</p></body></html>`
	const bare = `<html xmlns="http://www.w3.org/1999/xhtml" prefix="e: http://e/">` + body
	const asXML, asHTML = `<http://e/page> <http://e/p> "v" .`, `<http://e/page#part> <http://e/p> "v" .`
	for _, row := range []struct{ name, mediaType, file, text, want string }{
		{"name", "", "a.xhtml", bare, asXML},
		{"short name, in capitals", "", "A.XHT", bare, asXML},
		{"name of XML", "", "a.xml", bare, asXML},
		{"name of XML, without a namespace", "", "A.XML", strings.Replace(bare, ` xmlns="http://www.w3.org/1999/xhtml"`, "", 1), asXML},
		{"name of XML, with the document type of HTML", "", "http://e/a.xml?q", "<!DOCTYPE html>\n" + bare, asXML},
		{"name of XML, in plain text", "text/plain", "a.xml", bare, asXML},
		{"name of XML, and HTML by its media type", "text/html", "a.xml", bare, asHTML},
		{"name of an IRI", "", "http://e/a.xhtml?q#f", bare, asXML},
		{"media type", "application/xhtml+xml", "", bare, asXML},
		{"media type with a parameter", "Application/XHTML+XML; charset=utf-8", "a.html", bare, asXML},
		{"any XML", "application/xml", "a.html", bare, asXML},
		{"text of XML", "text/xml", "", bare, asXML},
		{"a general type, and the name", "application/octet-stream", "a.xhtml", bare, asXML},
		{"without a namespace", "", "a.xhtml", strings.Replace(bare, ` xmlns="http://www.w3.org/1999/xhtml"`, "", 1), asXML},
		{"a comment before it", "", "a.xhtml", "<!-- c -->\n" + bare, asXML},
		{"the document type of HTML", "application/xhtml+xml", "", "<!DOCTYPE html>\n" + bare, asXML},
		{"a declaration", "", "a", `<?xml version="1.0"?>` + bare, asXML},
		{"HTML by its media type", "text/html", "a.xhtml", bare, asHTML},
		{"HTML by its name", "", "a.html", bare, asHTML},
		{"HTML by its first line", "", "a", bare, asHTML},
		{"HTML by its first line, in plain text", "text/plain", "a", "<!DOCTYPE html>\n" + bare, asHTML},
	} {
		if got := readPage(t, row.text, row.mediaType, row.file); !slices.Equal(got, []string{row.want}) {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// TestXHTMLNeedsNoDeclaration makes pages of elements in elements, some of which are empty: called XHTML they say
// without an XML declaration what they say with one.
func TestXHTMLNeedsNoDeclaration(t *testing.T) {
	rnd := rand.New(rand.NewPCG(10, 23))
	var write func(depth int) string
	write = func(depth int) string {
		var b strings.Builder
		for range 1 + rnd.IntN(3) {
			name := []string{"div", "p", "span", "li", "b", "script", "title", "table", "a"}[rnd.IntN(9)]
			attrs := ""
			switch rnd.IntN(5) {
			case 0:
				attrs = fmt.Sprintf(` about="#%d"`, rnd.IntN(100))
			case 1:
				attrs = fmt.Sprintf(` property="e:p%d"`, rnd.IntN(9))
			case 2:
				attrs = fmt.Sprintf(` rel="e:r" resource="#%d"`, rnd.IntN(100))
			case 3:
				attrs = ` typeof="e:T"`
			}
			switch {
			case rnd.IntN(3) == 0:
				fmt.Fprintf(&b, "<%s%s/>", name, attrs)
			case depth == 0 || rnd.IntN(3) == 0:
				fmt.Fprintf(&b, "<%s%s>word %d</%[1]s>", name, attrs, rnd.IntN(100))
			default:
				fmt.Fprintf(&b, "<%s%s>%s</%[1]s>\n", name, attrs, write(depth-1))
			}
		}
		return b.String()
	}
	differ := 0
	for range 250 {
		text := `<html xmlns="http://www.w3.org/1999/xhtml" prefix="e: http://e/"><body property="e:all" content="x">` + write(4) +
			"</body></html>\n"
		want := readPage(t, `<?xml version="1.0"?>`+text, "", "page")
		for _, called := range [][2]string{{"", "page.xhtml"}, {"application/xhtml+xml", "page"}} {
			if got := readPage(t, text, called[0], called[1]); !slices.Equal(got, want) {
				t.Errorf("%q %s\ngot\n%s\nwant\n%s", called, text, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
		if !slices.Equal(readPage(t, text, "text/html", "page"), want) {
			differ++
		}
	}
	if differ < 50 {
		t.Errorf("%d of 250 pages would say something else as HTML, which is too few to tell", differ)
	}
}
