package format_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	pages "laundromat/markup/page"
	"laundromat/rdf"
	"laundromat/rdf/format"
	"laundromat/rdf/rdftest"
)

// A page whose tree was made before gives the statements and the findings that its text gives.
func TestTreeOfAPageGivesWhatItsTextGives(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":      "<p>x",
		"RDFa":         `<!DOCTYPE html><div vocab="http://schema.org/" typeof="Thing"><b property="name">x &amp; y</b><br/></div>`,
		"Microdata":    `<div itemscope itemtype="http://schema.org/Thing"><a itemprop="url" href=/x>x</a>`,
		"microformats": `<div class="h-card"><span class=p-name>x</span></div>`,
		"JSON-LD":      `<script type="application/ld+json">{"@id":"http://a/","http://a/p":1,}</script>`,
		"Turtle":       "\n<script type=text/turtle>\n<a> <b> <c> , .\n</script>",
		"RDF/XML":      `<body><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""/></rdf:RDF>`,
		"cut":          `<!DOCTYPE html><div vocab="http://schema.org/" typeof="Thing"><b property="name">x</b><b prop`,
		"doubled":      `<div itemscope itemscope itemid=a itemid=b><b itemprop="http://a/p">x`,
		"XHTML":        `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body about="#a" property="dc:title">x<br/></body></html>`,
		"SVG":          `<svg xmlns="http://www.w3.org/2000/svg"><g property="dc:title">x</g></svg>`,
	} {
		for _, f := range []format.Format{format.HTML, format.RDFa} {
			for _, contentType := range []string{"", "text/html", "application/xhtml+xml"} {
				opt := format.Options{Input: rdf.Input{Base: "http://example.org/"}, ContentType: contentType}
				var want, got rdftest.Collector
				wanted, err := format.Parse(t.Context(), f, strings.NewReader(text), opt, &want)
				if err != nil {
					t.Fatal(err)
				}
				tree, err := pages.NewTree(bytes.Clone([]byte(text)), format.PageOptions(opt))
				if err != nil {
					t.Fatal(err)
				}
				for range 2 { // other readers of the page change nothing
					if _, err := tree.Page(t.Context(), nil, &rdftest.Collector{}); err != nil {
						t.Fatal(err)
					}
					if _, err := format.ParseTree(t.Context(), f, tree, opt, &rdftest.Collector{}); err != nil {
						t.Fatal(err)
					}
				}
				reading, err := format.ParseTree(t.Context(), f, tree, opt, &got)
				if err != nil || !reflect.DeepEqual(reading, wanted) || !reflect.DeepEqual(got.Quads, want.Quads) ||
					!reflect.DeepEqual(got.Notices, want.Notices) {
					t.Errorf("%s, %s, %q: %+v %v\n%v\n%v\nwant %+v\n%v\n%v", name, f, contentType, reading, err, got.Quads, got.Notices,
						wanted, want.Quads, want.Notices)
				}
			}
		}
	}
	if _, err := format.ParseTree(t.Context(), format.Turtle, &pages.Tree{}, format.Options{}, &rdftest.Collector{}); err == nil {
		t.Error("a tree is read as Turtle")
	}
}
