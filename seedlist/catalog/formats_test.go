package catalog_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"laundromat/seedlist/catalog"
)

// DCAT says the same in each of the formats, and so it gives the same.
func TestDCATIsReadInEveryFormat(t *testing.T) {
	const lines = `<http://portal.example/d> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/ns/dcat#Dataset> GRAPH.
<http://portal.example/d> <http://purl.org/dc/terms/title> "The set" GRAPH.
<http://portal.example/d> <http://www.w3.org/ns/dcat#distribution> <http://portal.example/x> GRAPH.
<http://portal.example/x> <http://www.w3.org/ns/dcat#downloadURL> <http://data.example/x.nt> GRAPH.
<http://portal.example/x> <http://purl.org/dc/terms/license> <http://data.example/license> GRAPH.
<http://portal.example/x> <http://www.w3.org/ns/dcat#byteSize> "17" GRAPH.
`
	const turtle = `@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> . @base <http://portal.example/> .
OPEN <d> a dcat:Dataset ; dct:title "The set" ; dcat:distribution <x> .
<x> dcat:downloadURL <http://data.example/x.nt> ; dct:license <http://data.example/license> ; dcat:byteSize 17 . CLOSE
`
	for name, page := range map[string]string{
		"d.nt":   strings.ReplaceAll(lines, "GRAPH", ""),
		"d.nq":   strings.ReplaceAll(lines, "GRAPH", "<http://portal.example/g> "),
		"d.ttl":  strings.NewReplacer("OPEN", "", "CLOSE", "").Replace(turtle),
		"d.trig": strings.NewReplacer("OPEN", "<g> {", "CLOSE", "}").Replace(turtle),
		"d.rdf": `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dcat="http://www.w3.org/ns/dcat#" xmlns:dct="http://purl.org/dc/terms/">
<dcat:Dataset rdf:about="http://portal.example/d"><dct:title>The set</dct:title><dcat:distribution><rdf:Description rdf:about="http://portal.example/x">
<dcat:downloadURL rdf:resource="http://data.example/x.nt"/><dct:license rdf:resource="http://data.example/license"/><dcat:byteSize>17</dcat:byteSize></rdf:Description></dcat:distribution></dcat:Dataset></rdf:RDF>`,
		"d.jsonld": `{"@context": {"dcat": "http://www.w3.org/ns/dcat#", "dct": "http://purl.org/dc/terms/"}, "@id": "http://portal.example/d", "@type": "dcat:Dataset", "dct:title": "The set",
"dcat:distribution": {"@id": "http://portal.example/x", "dcat:downloadURL": {"@id": "http://data.example/x.nt"}, "dct:license": {"@id": "http://data.example/license"}, "dcat:byteSize": 17}}`,
		"d.html": `<!doctype html><html prefix="dcat: http://www.w3.org/ns/dcat# dct: http://purl.org/dc/terms/"><head><title>D</title></head><body><div about="http://portal.example/d" typeof="dcat:Dataset"><h1 property="dct:title">The set</h1>
<div rel="dcat:distribution"><div about="http://portal.example/x"><a rel="dcat:downloadURL" href="http://data.example/x.nt">get it</a> <a rel="dct:license" href="http://data.example/license">license</a> <b property="dcat:byteSize" content="17">small</b></div></div></div></body></html>`,
	} {
		uri := "http://portal.example/" + name
		for _, kind := range []catalog.Kind{catalog.Any, catalog.DCAT} {
			out, result, err := harvest(t, site{uri: {body: []byte(page)}}, uri, catalog.Options{Kind: kind})
			if err != nil || len(out.entries) != 1 {
				t.Errorf("%s as %q: %v, %+v, %+v", name, kind, err, result, out)
				continue
			}
			got, want := out.entries[0], catalog.Claims{"license": "http://data.example/license", "dataset": "http://portal.example/d",
				"size": "17"}
			if got.URI != "http://data.example/x.nt" || got.Title != "The set" || !maps.Equal(got.Claims, want) {
				t.Errorf("%s as %q: %+v", name, kind, got)
			}
		}
	}
}

// A page that can't be had for now is asked for again; one that leads to itself is not.
func TestPagesAreAskedForOnce(t *testing.T) {
	var index strings.Builder
	index.WriteString("<sitemapindex>")
	for i := range 50 {
		fmt.Fprintf(&index, "<sitemap><loc>http://site.example/%d.xml</loc></sitemap>", i%5)
	}
	index.WriteString("<sitemap><loc>http://site.example/sitemap.xml#top</loc></sitemap></sitemapindex>")
	s := site{"http://site.example/sitemap.xml": {body: []byte(index.String())}}
	for i := range 5 {
		s[fmt.Sprintf("http://site.example/%d.xml", i)] = catalogPage{body: []byte(
			fmt.Sprintf("<urlset><url><loc>http://site.example/a%d</loc></url></urlset>", i))}
	}
	out, result, err := harvest(t, s, "http://site.example/sitemap.xml", catalog.Options{})
	if err != nil || result.Pages != 6 || len(out.entries) != 5 || !result.Complete || len(out.refused) > 0 {
		t.Errorf("%v, %+v, %+v", err, result, out)
	}
}

// What must be held of a page is bounded: past it the reading ends, and says so; what
// came before is kept.
func TestMemoryIsBounded(t *testing.T) {
	var turtle strings.Builder
	turtle.WriteString("@prefix dcat: <http://www.w3.org/ns/dcat#> .\n")
	for i := range 10_000 {
		fmt.Fprintf(&turtle, "<http://portal.example/%d> dcat:downloadURL <http://data.example/%d.nt> .\n", i, i)
	}
	for name, page := range map[string]string{
		"graph":       turtle.String(),
		"json record": `{"success": true, "result": {"results": [{"name": "` + strings.Repeat("x", 1<<20) + `"}]}}`,
		"json object": `{"resources": [], "num_resources": 1, "extras": "` + strings.Repeat("x", 1<<20) + `"}`,
	} {
		uri := "http://portal.example/catalog"
		_, _, err := harvest(t, site{uri: {body: []byte(page)}}, uri, catalog.Options{MaxMemory: 1 << 18})
		if err == nil || !strings.Contains(err.Error(), "more than") {
			t.Errorf("%s: %v", name, err)
		}
	}
	long := "http://data.example/1.nt\n" + strings.Repeat("x", 3<<20) + "\nhttp://data.example/2.nt\n"
	out, result, err := harvest(t, site{"http://portal.example/list": {body: []byte(long)}}, "http://portal.example/list",
		catalog.Options{})
	if err != nil || len(out.entries) != 2 || result.Refused[catalog.Damaged] != 1 {
		t.Errorf("a long line: %v, %+v", err, result)
	}
}
