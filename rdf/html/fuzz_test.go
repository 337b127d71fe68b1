package html_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/rdf"
	"laundromat/rdf/html"
	"laundromat/rdf/rdftest"
)

var seeds = []string{
	`<!DOCTYPE html><html lang="en"><base href="http://x/p"><body vocab="http://v/"><p property="name">A</p><div itemscope itemtype="http://schema.org/Person" itemref="r s"><span itemprop="name">B</span><a itemprop="url" href="u">u</a><a itemprop="b">c</a></div><p id=r><time itemprop="born" datetime="2012-01-01">then</time></p>` +
		ld + `{"@context": {"@vocab": "http://j/"}, "@id": "", "a": {"@id": "_:a", "b": "é", "c": nope}}</script>` + ld +
		`{"@id": "_:a", "http://p": {"http://q": 1}}</script>`,
	`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">` + ld +
		`<![CDATA[{"@id": "http://a/b", "http://a/c": "&"}]]></script><body itemscope="" itemid="&nobody;"><p itemprop="http://a/p">A &amp; B</p>` +
		ld + "{&quot;@id&quot;: &quot;http://a/b&quot;,\r\n \"http://a/c\": nope}</script></body></html>",
	ld + "\n<!-- {\"@id\": \"http://a/b\", \"http://a/c\": [\"d\", {}]} --></script><p about='_:a' property='dc:title'>T</p>" + ld +
		`[{"@id": "_:a", "http://a/c": "x"}, {"@id": "_:b", "@graph": [{"http://a/d": {}}]}]`,
	`<p itemscope itemref="a"><b id="a" itemprop="x" itemscope itemref="b"></b><i id="b" itemprop="z" itemscope itemref="a c"></i></p><p itemprop=q>t`,
	`<svg><script type="application/ld+json"><![CDATA[{"@id": 1}]]></script><title><p property=a></svg>`, ld,
	"<script type=application/ld+json/>{}", "",
}

// Whatever a page holds: reading it ends, in pieces as in one. What the sources count, together with
// what the page as a whole lost, adds up to what was handed on and lost. Each statement is one, and
// all places are in the page.
func FuzzRead(f *testing.F) {
	for i, text := range seeds {
		f.Add(text, uint8(i))
	}
	f.Add(`<?xml version="1.0"?><html xmlns:a="http://a/"><script type="application/rdf+xml"><a:a a:b="c"><a:d>e</a:a></script><rdf:RDF><a:b rdf:nodeID="b"/></html>`,
		uint8(35))
	f.Add(`<script type="text/turtle"><a> <b> "<!-- " .</script><rdf:RDF><a:b xmlns:a="http://a/" rdf:nodeID="b"/></html>`, uint8(35))
	f.Add(`<html><rdf:RDF><a:b xmlns:a="http://a/" a:c="d">é</rdf:RDF><p property="a:b">x`, uint8(33))
	files, _ := filepath.Glob("../../internal/demo/files/*.html")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), uint8(0))
	}
	f.Fuzz(func(t *testing.T, text string, mode uint8) {
		if len(text) > 4<<10 {
			return
		}
		opt := html.Options{Options: page.Options{Host: page.Host(mode % 5)}, Scripts: html.Scripts{Joined: mode&8 != 0,
			First: mode&16 != 0}}
		if mode&32 != 0 {
			opt.Block = blockOf
		}
		in := rdf.Input{Base: "http://b/"}
		var whole, split rdftest.Collector
		counts, err := html.Read(context.Background(), strings.NewReader(text), in, opt, &whole)
		if err != nil {
			t.Fatal(err)
		}
		again, err := html.Read(context.Background(), iotest.OneByteReader(strings.NewReader(text)), in, opt, &split)
		if err != nil || !reflect.DeepEqual(again, counts) || !slices.Equal(marked(&whole), marked(&split)) ||
			!slices.Equal(shown(whole.Notices), shown(split.Notices)) {
			t.Fatalf("a second reading differs: %v, %+v and %+v", err, counts, again)
		}

		var ofPage rdftest.Collector
		opt.IsData = func(mediaType string) bool {
			return mediaType == "application/ld+json" || opt.Block != nil && opt.Block(mediaType) != nil
		}
		if _, err := page.Read(context.Background(), strings.NewReader(text), opt.Options, &ofPage); err != nil {
			t.Fatal(err)
		}
		read := int64(len(whole.Quads) + whole.Lost())
		sum := counts.RDFa + counts.Microdata + counts.JSONLD
		for _, n := range counts.Blocks {
			sum += n
		}
		if sum+int64(ofPage.Lost()) != read {
			t.Fatalf("%+v and %d of the page are not %d", counts, ofPage.Lost(), read)
		}
		labels := map[uint64]bool{}
		for i := range whole.Quads {
			q := &whole.Quads[i]
			if q.Subject.Kind == rdf.Literal || q.Predicate.Kind == rdf.Literal || q.Object.Kind == rdf.NoTerm ||
				q.Graph.Kind == rdf.Literal {
				t.Fatalf("no statement: %s", rdf.AppendQuad(nil, q))
			}
			for _, term := range []rdf.Term{q.Subject, q.Predicate, q.Object} {
				inPage(t, text, term.Pos)
				labels[term.Anonymous] = true
			}
		}
		for number := range labels {
			if number > uint64(3*len(text)+3) {
				t.Fatalf("a node has the number %d", number)
			}
		}
		for _, n := range whole.Notices {
			if n.Line > 0 {
				inPage(t, text, n.Pos)
			}
			if _, ok := fault.Explain(n.Code); !ok || n.Message == "" || n.Severity != fault.Drop && n.Lost != 0 {
				t.Fatalf("notice %+v", n)
			}
		}
	})
}

// inPage says where a place should be: at its line and column, unless stray bytes leave
// open what a column is.
func inPage(t *testing.T, text string, pos fault.Pos) {
	t.Helper()
	if pos.Offset < 0 || pos.Offset > int64(len(text)) {
		t.Fatalf("%+v lies outside of the page", pos)
	}
	if at := page.Advance(fault.Pos{Line: 1, Column: 1}, []byte(text[:pos.Offset])); at.Line != pos.Line &&
		!strings.ContainsAny(text, "\r") {
		t.Fatalf("%+v is at %+v", pos, at)
	}
}
