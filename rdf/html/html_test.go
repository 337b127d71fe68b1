package html_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/rdf"
	"laundromat/rdf/html"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/rdfxml"
	"laundromat/rdf/ttl"
)

func read(t testing.TB, text string, opt html.Options) (*rdftest.Collector, html.Sources) {
	t.Helper()
	var got rdftest.Collector
	counts, err := html.Read(context.Background(), strings.NewReader(text), rdf.Input{Base: "http://b/"}, opt, &got)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return &got, counts
}

// shown renders notices as "severity code line:column@offset lost".
func shown(notices []fault.Notice) (all []string) {
	for _, n := range notices {
		all = append(all, fmt.Sprintf("%s %s %d:%d@%d %d", n.Severity, n.Code, n.Line, n.Column, n.Offset, n.Lost))
	}
	return all
}

// marked are the lines, with "R " before those that were repaired.
func marked(c *rdftest.Collector) []string {
	lines := c.Lines()
	for i := range lines {
		if c.Quads[i].Repaired {
			lines[i] = "R " + lines[i]
		}
	}
	return lines
}

const ld = `<script type="application/ld+json">`

// Each row: what is in a page, what is kept in the order of the sources, and how many each source was
// read for. Last come the notices with their places in the page.
func TestEachSourceIsReadAndCounted(t *testing.T) {
	for _, row := range []struct {
		name, text string
		quads      []string
		counts     html.Sources
		notices    []string
	}{
		{"nothing", `<!DOCTYPE html><title>x</title><script>{"@id": "http://a/b"}</script><p itemprop="">`,
			nil, html.Sources{}, []string{"warning syntax/microdata-no-item 1:70@69 0"}},
		{"no page at all", "", nil, html.Sources{}, nil},
		{"all three, in the order of the sources",
			ld + `{"@id": "http://a/s", "http://a/p": "script"}</script><p itemscope itemid="http://a/s"><b itemprop="http://a/p">item</b></p><p about="http://a/s" property="http://a/p">rdfa</p>`,
			[]string{`<http://a/s> <http://a/p> "rdfa" .`, `<http://a/s> <http://a/p> "item" .`, `<http://a/s> <http://a/p> "script" .`},
			html.Sources{RDFa: 1, Microdata: 1, JSONLD: 1}, nil},
		{"a statement that two sources say counts for each",
			ld + `{"@id": "http://a/s", "http://a/p": "x"}</script><p about="http://a/s" property="http://a/p">x</p>`,
			[]string{`<http://a/s> <http://a/p> "x" .`, `<http://a/s> <http://a/p> "x" .`}, html.Sources{RDFa: 1, JSONLD: 1}, nil},
		{"what is lost counts too",
			ld + `{"@id": "http://a/s", "http://a/q": nope, "http://a/p": "x"}</script><p itemscope itemid="http://a/s"><img itemprop="http://a/p"></p>`,
			[]string{`<http://a/s> <http://a/p> "x" .`}, html.Sources{Microdata: 1, JSONLD: 2},
			[]string{"drop syntax/microdata-value 1:138@137 1", "drop syntax/json 1:72@71 1"}},
		{"the base element is the base of all", `<base href="http://x/y">` + ld +
			`{"@id": "", "http://a/p": "x"}</script><p itemscope itemid=""><b itemprop="http://a/p">x</b></p><p about="" property="http://a/p">x</p>`,
			[]string{`<http://x/y> <http://a/p> "x" .`, `<http://x/y> <http://a/p> "x" .`, `<http://x/y> <http://a/p> "x" .`},
			html.Sources{RDFa: 1, Microdata: 1, JSONLD: 1}, nil},
		{"blank nodes of the sources stay apart", ld + `{"http://a/p": "1"}</script>` + ld +
			`{"http://a/p": "2"}</script><p itemscope><b itemprop="http://a/p">3</b></p><p typeof="http://a/T">`,
			[]string{`_:0-1 <` + rdf.Type + `> <http://a/T> .`, `_:0-2 <http://a/p> "3" .`, `_:0-3 <http://a/p> "1" .`,
				`_:0-4 <http://a/p> "2" .`},
			html.Sources{RDFa: 1, Microdata: 1, JSONLD: 2}, nil},
		{"scripts share their labels, RDFa has its own", `<p about="_:a" property="http://a/p">1</p>` + ld +
			`{"@id": "_:a", "http://a/p": {"@id": "_:b", "http://a/p": {}}}</script>` + ld +
			`{"@id": "_:a", "http://a/p": {"@id": "_:b", "http://a/p": {}}}</script>`,
			[]string{`_:a <http://a/p> "1" .`, `_:0-1 <http://a/p> _:b .`, `_:b <http://a/p> _:0-2 .`, `_:0-1 <http://a/p> _:b .`,
				`_:b <http://a/p> _:0-3 .`},
			html.Sources{RDFa: 1, JSONLD: 4}, nil},
		{"a broken script costs only itself", ld + `{"@id": "http://a/s", "http://a/p": "x"` + "</script>\n" + ld + `{"@id": </script>` +
			ld + `{"@id": "http://a/s", "http://a/p": "y"}</script>`,
			[]string{`<http://a/s> <http://a/p> "x" .`, `<http://a/s> <http://a/p> "y" .`}, html.Sources{JSONLD: 4},
			[]string{"drop syntax/json-cut-short 1:75@74 1", "drop syntax/json-cut-short 2:44@127 1"}},
		{"a type with parameters, in any case",
			`<SCRIPT TYPE=' Application/LD+JSON ; profile="http://www.w3.org/ns/json-ld#compacted" '>{"@id": "http://a/s", "http://a/p": "x"}</SCRIPT>` +
				`<script type="application/ld+jsonp">{"@id": "http://a/s", "http://a/p": "y"}</script>`,
			[]string{`<http://a/s> <http://a/p> "x" .`}, html.Sources{JSONLD: 1}, nil},
		{"references are not expanded in HTML", ld + `{"@id": "http://a/s", "http://a/p": "&lt;"}</script>`,
			[]string{`<http://a/s> <http://a/p> "&lt;" .`}, html.Sources{JSONLD: 1}, nil},
		{"they are in XHTML", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">` + ld +
			`{"@id": "http://a/s", "http://a/p": "&lt;é&amp;"}</script>` + ld +
			`<![CDATA[{"@id": "http://a/s", "http://a/p": "<"}]]></script><p itemscope="" itemid="http://a/s"><b itemprop="http://a/p">&amp;</b></p></html>`,
			[]string{`<http://a/s> <http://a/p> "&" .`, `<http://a/s> <http://a/p> "<é&" .`, `<http://a/s> <http://a/p> "<" .`},
			html.Sources{Microdata: 1, JSONLD: 2}, nil},
		{"places are those of the page", "\n\n<p>é</p>" + ld + "\r\n  {\"@id\": \"http://a/s\",\n \"http://a/p\": nope}</script>",
			nil, html.Sources{JSONLD: 1}, []string{"drop syntax/json 5:16@87 1"}},
		{"on its first line too", "\n é" + ld + `{"@id": "http://a/s", "http://a/p": nope}</script>`,
			nil, html.Sources{JSONLD: 1}, []string{"drop syntax/json 2:74@75 1"}},
		{"behind the marks of a comment", "\n" + ld +
			"\n  <!--\n {\"@id\": \"http://a/s\", \"http://a/q\": nope, \"http://a/p\": \"x\"}\n--></script>",
			[]string{`R <http://a/s> <http://a/p> "x" .`}, html.Sources{JSONLD: 2},
			[]string{"repair syntax/script-comment 3:3@39 0", "drop syntax/json 4:38@81 1"}},
		{"of a CDATA section in HTML", ld + "//<![CDATA[\n{\"@id\": \"http://a/s\", \"http://a/p\": \"x\"}\n//]]></script>",
			[]string{`R <http://a/s> <http://a/p> "x" .`}, html.Sources{JSONLD: 1}, []string{"repair syntax/script-comment 1:36@35 0"}},
		{"and of both", ld + "<!--//--><![CDATA[//><!--\n{\"@id\": \"http://a/s\", \"http://a/p\": \"x\"}\n//--><!]]></script>",
			[]string{`R <http://a/s> <http://a/p> "x" .`}, html.Sources{JSONLD: 1}, []string{"repair syntax/script-comment 1:36@35 0"}},
		{"two values in a script",
			ld + "{\"@id\":\"http://a/s\",\"http://a/p\":\"x\"}{\"@id\":\"http://a/t\",\"http://a/p\":\"y\"}</script>",
			[]string{`<http://a/s> <http://a/p> "x" .`, `<http://a/t> <http://a/p> "y" .`}, html.Sources{JSONLD: 2},
			[]string{"repair syntax/json-several-values 1:73@72 0"}},
		{"two values on lines of a script",
			ld + "{\"@id\":\"http://a/s\",\"http://a/p\":\"x\"}\n{\"@id\":\"http://a/t\",\"http://a/p\":\"y\"}</script>",
			[]string{`<http://a/s> <http://a/p> "x" .`, `<http://a/t> <http://a/p> "y" .`}, html.Sources{JSONLD: 2},
			[]string{"repair syntax/json-several-values 2:1@73 0"}},
		{"a comment and no more", ld + "<!-- x --></script>", nil, html.Sources{}, []string{"repair syntax/json-stray 1:36@35 0"}},
		{"in XHTML behind a reference", "<?xml version='1.0'?><html>" + ld +
			"{&quot;@id&quot;: \"http://a/s\",\n \"http://a/q\": nope, \"http://a/p\": 1}</script></html>",
			[]string{`<http://a/s> <http://a/p> "1"^^<` + rdf.XSD + `integer> .`}, html.Sources{JSONLD: 2},
			[]string{"drop syntax/json 2:16@109 1"}},
		{"in XHTML with an entity that is not known", "<?xml version='1.0'?><html>" + ld +
			"{\"@id\": \"&nobody;\", \"http://a/p\": 1}</script>" + ld + `{"@id": "http://a/s", "http://a/p": "x"}</script></html>`,
			[]string{`<http://a/s> <http://a/p> "x" .`}, html.Sources{JSONLD: 2}, []string{"drop syntax/xml-unknown-entity 1:72@71 1"}},
		{"a template isn't a part of the page", `<template>` + ld + `{"@id": "http://a/s", "http://a/p": "x"}</script></template>`, nil,
			html.Sources{}, nil},
		{"a script that is never closed", ld + `{"@id": "http://a/s", "http://a/p": "x"}`, []string{`<http://a/s> <http://a/p> "x" .`},
			html.Sources{JSONLD: 1}, nil},
		{"a page that is cut off in a text",
			`<html><body><div about="http://a/s"><span property="http://a/p">x</span><div property="http://a/p"><b property="http://a/q">y</b> and`,
			[]string{`<http://a/s> <http://a/p> "x" .`, `<http://a/s> <http://a/q> "y" .`}, html.Sources{RDFa: 3},
			[]string{"drop syntax/html-cut-short 1:134@133 1", "drop syntax/html-cut-short 1:134@133 1"}},
		{"in a title", `<html><head><meta property="http://a/q" content="y"><title about="http://a/s" property="http://a/p">x an`,
			[]string{`<http://b/> <http://a/q> "y" .`}, html.Sources{RDFa: 2}, []string{"drop syntax/html-cut-short 1:105@104 1",
				"drop syntax/html-cut-short 1:105@104 1"}},
		{"in a script, of which nothing came", `<!DOCTYPE html><meta property="http://a/q" content="y">` + ld,
			[]string{`<http://b/> <http://a/q> "y" .`}, html.Sources{RDFa: 1}, []string{"drop syntax/html-cut-short 1:91@90 1"}},
		{"in a tag", `<p about="http://a/s" property="http://a/p">x</p><p about="http://a/s" prop`,
			[]string{`<http://a/s> <http://a/p> "x" .`}, html.Sources{RDFa: 1}, []string{"drop syntax/html-cut-short 1:50@49 1"}},
		{"in a comment that nobody closed",
			"<p about=\"http://a/s\" property=\"http://a/p\">x</p>\n<!-- a note\n<p about=\"http://a/s\" property=\"http://a/p\">y</p></html>",
			[]string{`<http://a/s> <http://a/p> "x" .`}, html.Sources{RDFa: 1}, []string{"drop syntax/html-cut-short 2:1@50 1"}},
		{"a part of a page, which need not end", `<div about="http://a/s"><b property="http://a/p">x`,
			[]string{`<http://a/s> <http://a/p> "x" .`}, html.Sources{RDFa: 1}, nil},
		{"a page with end tags left out", `<!DOCTYPE html><p about="http://a/s"><b property="http://a/p">x</b><p>more`,
			[]string{`<http://a/s> <http://a/p> "x" .`}, html.Sources{RDFa: 1}, nil},
		{"mark-up in the place of a term", `<p vocab="http://v/" about="http://a/s" property="name>x</p><p property=">y</p>`,
			[]string{`<http://b/> <http://www.w3.org/ns/rdfa#usesVocabulary> <http://v/> .`}, html.Sources{RDFa: 1},
			[]string{"warning syntax/rdfa-name 1:1@0 0", "warning syntax/rdfa-name 1:1@0 0"}},
		{"a script in a script", ld + `{"@id": "http://a/s", "http://a/p": "<script>x<\/script>"}</script>`,
			[]string{`<http://a/s> <http://a/p> "<script>x</script>" .`}, html.Sources{JSONLD: 1}, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, counts := read(t, row.text, html.Options{})
			if lines := marked(got); !slices.Equal(lines, row.quads) {
				t.Errorf("quads\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(row.quads, "\n"))
			}
			if !reflect.DeepEqual(counts, row.counts) {
				t.Errorf("counts %+v, want %+v", counts, row.counts)
			}
			if notices := shown(got.Notices); !slices.Equal(notices, row.notices) {
				t.Errorf("notices\n%s\nwant\n%s\n%+v", strings.Join(notices, "\n"), strings.Join(row.notices, "\n"), got.Notices)
			}
		})
	}
}

func TestScriptsAreChosen(t *testing.T) {
	const text = `<pre id="pre"></pre><script id="first" type="application/ld+json">{"@id": "http://a/1", "http://a/p": 1}</script>` +
		`<script id="second" type="application/ld+json">{"@graph": [{"@id": "http://a/2", "http://a/p": nope}, {"@id": "http://a/3", "http://a/p": "x"}]}</script>`
	const one = `<http://a/1> <http://a/p> "1"^^<` + rdf.XSD + `integer> .`
	for _, row := range []struct {
		name    string
		scripts html.Scripts
		quads   []string
		notices []string
	}{
		{"all, each as a document", html.Scripts{}, []string{one, `<http://a/3> <http://a/p> "x" .`},
			[]string{"drop syntax/json 1:209@208 1"}},
		{"the first", html.Scripts{First: true}, []string{one}, nil},
		{"by its name", html.Scripts{ID: "second"}, []string{`<http://a/3> <http://a/p> "x" .`}, []string{"drop syntax/json 1:209@208 1"}},
		{"joined, a graph has a name", html.Scripts{Joined: true}, []string{one, `<http://a/3> <http://a/p> "x" _:0-1 .`},
			[]string{"drop syntax/json 1:209@208 1"}},
		{"a name of nothing", html.Scripts{ID: "third"}, nil, []string{"drop syntax/script-missing 0:0@0 1"}},
		{"a name of something else", html.Scripts{ID: "pre"}, nil, []string{"drop syntax/script-missing 0:0@0 1"}},
	} {
		got, counts := read(t, text, html.Options{Scripts: row.scripts})
		if !slices.Equal(got.Lines(), row.quads) || !slices.Equal(shown(got.Notices), row.notices) ||
			counts.JSONLD != int64(len(row.quads)+len(row.notices)) {
			t.Errorf("%s: %v\n%s\n%s", row.name, counts, strings.Join(got.Lines(), "\n"), strings.Join(shown(got.Notices), "\n"))
		}
	}
}

func TestFileBaseIsToldOnceForAllSources(t *testing.T) {
	var got rdftest.Collector
	text := ld + `{"@id": "x", "http://a/p": "y"}</script>` + ld +
		`{"@id": "x", "http://a/p": "y"}</script><p itemscope itemid="x"><b itemprop="http://a/p">y</b></p><p about="x" property="http://a/p">y</p>`
	if _, err := html.Read(context.Background(), strings.NewReader(text), rdf.Input{Base: "file:///a", BaseIsFile: true}, html.Options{},
		&got); err != nil {
		t.Fatal(err)
	}
	if len(got.Quads) != 4 || len(got.Notices) != 1 || got.Notices[0].Code != fault.IRIRelative {
		t.Errorf("%v %v", got.Lines(), got.Notices)
	}
}

func TestFullDiskIsNotThePagesFault(t *testing.T) {
	for _, text := range []string{`<p property="dc:title">T`, `<p itemscope itemtype="http://a/T">`,
		ld + `{"@id": "http://a/s", "http://a/p": "x"}`} {
		_, err := html.Read(context.Background(), strings.NewReader(text), rdf.Input{}, html.Options{}, full{})
		var sink *rdf.SinkError
		if !errors.As(err, &sink) || rdf.Blame(err) != fault.Local {
			t.Errorf("%s: %v, blamed on %v", text, err, rdf.Blame(err))
		}
	}
}

type full struct{}

func (full) Quad(*rdf.Quad) error { return syscall.ENOSPC }
func (full) Notice(fault.Notice)  {}

func TestErrorsKeepTheirKind(t *testing.T) {
	var got rdftest.Collector
	read := func(ctx context.Context, text string, opt html.Options) error {
		_, err := html.Read(ctx, strings.NewReader(text), rdf.Input{}, opt, &got)
		return err
	}
	if _, err := html.Read(context.Background(), iotest.ErrReader(fault.New("x", fault.Remote, "transport/reset", "reset")), rdf.Input{},
		html.Options{}, &got); rdf.Blame(err) != fault.Remote {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := read(ctx, "<p>", html.Options{}); rdf.Blame(err) != fault.Stopped {
		t.Errorf("cancelled: %v", err)
	}
	err := read(context.Background(), strings.Repeat("x", 1001), html.Options{Options: page.Options{MaxBytes: 1000}})
	if fault.CodeOf(err) != fault.LimitMemory || fault.KindOf(err) != fault.Limit {
		t.Errorf("too long: %v", err)
	}
	// A script is bounded by the page alone.
	if err := read(context.Background(), ld+`{"@id": "http://a/s", "http://a/p": "`+strings.Repeat("x", 10000)+`"}`,
		html.Options{Options: page.Options{MaxBytes: 11000}}); err != nil {
		t.Error(err)
	}
}

// blockOf reads scripts in three formats, which are counted by their types.
func blockOf(mediaType string) *html.Block {
	switch mediaType {
	case "text/turtle", "application/trig":
		return &html.Block{Source: mediaType, Read: func(ctx context.Context, text io.Reader, in rdf.Input, to rdf.Sink) error {
			_, err := ttl.Read(ctx, text, in, ttl.Options{Syntax: ttl.TriG}, to)
			return err
		}}
	case "application/rdf+xml":
		return &html.Block{Source: mediaType, IsXML: true, Read: func(ctx context.Context, text io.Reader, in rdf.Input,
			to rdf.Sink) error {
			return rdfxml.Read(ctx, text, in, rdfxml.Options{}, to)
		}}
	}
	return nil
}

// Each row: a page with scripts in other formats than JSON-LD.
func TestScriptsInOtherFormatsAreReadAndCounted(t *testing.T) {
	const turtle = `<script type="text/turtle">`
	const s, p = "<http://a/s>", "<http://a/p>"
	for _, row := range []struct {
		name, text string
		quads      []string
		counts     map[string]int64
		notices    []string
	}{
		{"behind the other sources, with the base of the page", turtle + `<s> ` + p +
			` "x" .</script><base href="http://x/d/"><p about="s" property="http://a/p">y</p>`,
			[]string{`<http://x/d/s> ` + p + ` "y" .`, `<http://x/d/s> ` + p + ` "x" .`}, map[string]int64{"text/turtle": 1}, nil},
		{"each type by itself", turtle + s + p + ` 1 .</script><script type=" application/trig ; charset=utf-8">` + s + `{` + s + p +
			`"x"}</script>` + turtle + s + p + ` "y" .</script>`,
			[]string{s + ` ` + p + ` "1"^^<` + rdf.XSD + `integer> .`, s + ` ` + p + ` "x" ` + s + ` .`, s + ` ` + p + ` "y" .`},
			map[string]int64{"text/turtle": 2, "application/trig": 1}, nil},
		{"one without a statement is named", turtle + "</script>", nil, map[string]int64{"text/turtle": 0}, nil},
		{"another script says nothing", `<script type="text/plain">` + s + p + s + `.</script>`, nil, nil, nil},
		{"what is broken has its place in the page and costs nothing else", "\n<b>é</b>" + turtle + "\n" + s + p + ` "x" . <bad ` + p +
			" .\n" + s + p + ` "y" .</script>`,
			[]string{s + ` ` + p + ` "x" .`, s + ` ` + p + ` "y" .`}, map[string]int64{"text/turtle": 3},
			[]string{"drop syntax/unclosed-iri 3:32@69 1", "drop syntax/incomplete-statement 3:50@87 0"}},
		{"labels are those of one script", `<p about="_:a" property="http://a/p">1</p>` + ld +
			`{"@id": "_:a", "http://a/p": "2"}</script>` + turtle + `_:a ` + p + ` _:b, [ ` + p + ` _:a ] .</script>` + turtle + `_:b ` +
			p + ` [] , << _:b ` + p + ` _:c ~ _:a >> .</script>`,
			[]string{`_:a ` + p + ` "1" .`, `_:0-1 ` + p + ` "2" .`, `_:0-2 ` + p + ` _:b .`, `_:0-3 ` + p + ` _:0-2 .`, `_:0-2 ` + p +
				` _:0-3 .`,
				`_:0-4 ` + p + ` _:0-5 .`, `_:0-6 <` + rdf.RDF + `reifies> <<( _:0-4 ` + p + ` _:c )>> .`, `_:0-4 ` + p + ` _:0-6 .`},
			map[string]int64{"text/turtle": 6}, nil},
		{"behind the marks of a comment", turtle + "<!--\n" + s + p + " \"x\" .\n--></script>", []string{`R ` + s + ` ` + p + ` "x" .`},
			map[string]int64{"text/turtle": 1},
			[]string{"repair syntax/script-comment 1:28@27 0"}},
		{"a comment of Turtle with such a mark is one", turtle + "# <![CDATA[\n" + s + p + " \"x\" .\n# ]]></script>",
			[]string{s + ` ` + p + ` "x" .`}, map[string]int64{"text/turtle": 1}, nil},
		{"a comment of XML is one", `<!DOCTYPE html><html><script type="application/rdf+xml"><!-- <x> --><r:RDF xmlns:r="` + rdf.RDF +
			`"><r:Description r:about="http://a/s" xmlns:a="http://a/" a:p="x"/></r:RDF><!-- --></script>`,
			[]string{s + ` ` + p + ` "x" .`}, map[string]int64{"application/rdf+xml": 1}, nil},
		{"in XHTML behind a reference", "<?xml version='1.0'?><html>" + turtle + `&lt;http://a/s> ` + "\n" + `&lt;http://a/p> "&amp;"` +
			", nope .</script></html>",
			[]string{s + ` ` + p + ` "&" .`}, map[string]int64{"text/turtle": 2}, []string{"drop syntax/unknown-word 2:26@96 1"}},
		{"in XHTML RDF/XML as elements, with what is declared around them",
			"<?xml version='1.0'?><!DOCTYPE html [<!ENTITY a 'http://a/'>]><html xmlns='http://www.w3.org/1999/xhtml' xml:lang='en' xmlns:r='" +
				rdf.RDF + "'>\n<script type='application/rdf+xml'>\n<r:RDF xmlns:a='http://a/'><!-- é --><r:Description r:about='&a;s' a:p='1'><a:p>x</a:p>\n<a:p r:resource='o o'/><a:p>y</b:p></r:Description></r:RDF></script></html>",
			[]string{s + ` ` + p + ` "1"@en .`, s + ` ` + p + ` "x"@en .`, s + ` ` + p + ` <http://b/o o> .`, `R ` + s + ` ` + p +
				` "y"@en .`}, map[string]int64{"application/rdf+xml": 4},
			[]string{"repair syntax/xml-mismatched-end-tag 4:30@328 0"}},
		{"in XHTML tags in Turtle", "<?xml version='1.0'?><html>\n" + turtle + s + p +
			`<http://a/o>, nope, "a <b>c</b>" . </script><p about="http://a/s" property="http://a/p">z</p></html>`,
			[]string{s + ` ` + p + ` "z" .`, `R ` + s + ` ` + p + ` <http://a/o> .`, `R ` + s + ` ` + p + ` "a <b>c</b>" .`},
			map[string]int64{"text/turtle": 3},
			[]string{"repair syntax/script-markup 2:28@55 0", "drop syntax/unknown-word 2:66@93 1"}},
		{"in XHTML behind the marks of a comment", "<?xml version='1.0'?><html>" + turtle + "<!--\n" + s + p + ` "x" .` +
			"\n--></script></html>", []string{`R ` + s + ` ` + p + ` "x" .`}, map[string]int64{"text/turtle": 1},
			[]string{"repair syntax/script-comment 1:55@54 0"}},
		{"RDF/XML between the marks of a comment", `<!DOCTYPE html><script type="application/rdf+xml"><!-- <r:RDF xmlns:r="` + rdf.RDF +
			`"><r:Description r:about="http://a/s" xmlns:a="http://a/" a:p="x"/></r:RDF> --></script>`,
			[]string{`R ` + s + ` ` + p + ` "x" .`}, map[string]int64{"application/rdf+xml": 1},
			[]string{"repair syntax/script-comment 1:51@50 0"}},
		{"RDF/XML in XHTML in a comment of its own",
			"<?xml version='1.0'?><html><script type='application/rdf+xml'><!-- <x> --><r:RDF xmlns:r='" + rdf.RDF +
				"'><r:Description r:about='http://a/s' xmlns:a='http://a/' a:p='x'/></r:RDF></script></html>",
			[]string{s + ` ` + p + ` "x" .`}, map[string]int64{"application/rdf+xml": 1}, nil},
		{"rdf:RDF in the metadata of SVG, with its base",
			"<svg xmlns='http://www.w3.org/2000/svg' xml:base='http://a/d' xml:lang='de'><metadata>\n<rdf:RDF xmlns:rdf='" + rdf.RDF +
				"' xmlns:a='http://a/'><rdf:Description rdf:about='s'><a:p>x</a:p><a:p>y</rdf:Description></rdf:RDF></metadata><desc property='http://a/p'>z</desc></svg>",
			[]string{`<http://a/d> ` + p + ` "z"@de .`, s + ` ` + p + ` "x"@de .`}, map[string]int64{"application/rdf+xml": 2},
			[]string{"repair syntax/xml-unclosed-element 2:135@221 0", "drop syntax/rdfxml-unfinished-statement 2:129@215 1"}},
		{"rdf:RDF in HTML", "<!DOCTYPE html><html xmlns:a='http://a/'>\n<rdf:RDF xmlns:rdf='" + rdf.RDF +
			"'><rdf:Description rdf:about='s'><a:p>x</a:p><a:P rdf:parseType='Literal'><b about='#n' property='a:p'>y</b></a:P></rdf:Description></rdf:RDF><title>t</title>\n<p about='' property='http://a/p'>z",
			[]string{`<http://b/> ` + p + ` "z" .`, `<http://b/s> ` + p + ` "x" .`,
				`<http://b/s> <http://a/P> "<b about=\"#n\" property=\"a:p\">y</b>"^^<` + rdf.RDF + `XMLLiteral> .`},
			map[string]int64{"application/rdf+xml": 2}, nil},
		{"rdf:RDF without its end tag", "<?xml version='1.0'?><html xmlns:rdf='" + rdf.RDF +
			"' xmlns:a='http://a/'><head><rdf:RDF><rdf:Description rdf:about='s'><a:p>x</a:p></rdf:Description></head><p about='' property='http://a/p'>z</p></html>",
			[]string{`<http://b/> ` + p + ` "z" .`, `R <http://b/s> ` + p + ` "x" .`}, map[string]int64{"application/rdf+xml": 1},
			[]string{"repair syntax/xml-unclosed-element 1:180@179 0"}},
		{"in XHTML with an entity that is not known", "<?xml version='1.0'?><html>" + turtle + `&lt;http://a/s> &nobody; .</script></html>`,
			nil, map[string]int64{"text/turtle": 1}, []string{"drop syntax/xml-unknown-entity 1:71@70 1"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, counts := read(t, row.text, html.Options{Block: blockOf})
			if lines := marked(got); !slices.Equal(lines, row.quads) {
				t.Errorf("quads\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(row.quads, "\n"))
			}
			if !maps.Equal(counts.Blocks, row.counts) {
				t.Errorf("counts %+v, want %+v", counts.Blocks, row.counts)
			}
			if notices := shown(got.Notices); !slices.Equal(notices, row.notices) {
				t.Errorf("notices\n%s\nwant\n%s\n%+v", strings.Join(notices, "\n"), strings.Join(row.notices, "\n"), got.Notices)
			}
		})
	}
}

// However many elements of data lack their end tags: reading a page takes a time that grows with its
// length. What is not looked for is reported.
func TestEndTagsAreNotLookedForWithoutEnd(t *testing.T) {
	for _, text := range []string{
		"<?xml version='1.0'?><html>" + strings.Repeat("<a><rdf:RDF></a>", 20_000) + "</rdf:RDF></html>",
		"<?xml version='1.0'?><html>" + strings.Repeat("<a><script type='text/turtle'></a>", 20_000) + "</html>",
		"<!DOCTYPE html>" + strings.Repeat("<a></body><rdf:RDF>", 20_000) + "</rdf:RDF></html>",
		"<?xml version='1.0'?><html><rdf:RDF>" + strings.Repeat("<!-- <?", 50_000) + "--></rdf:RDF></html>",
	} {
		start := time.Now()
		got, _ := read(t, text, html.Options{Block: blockOf})
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%.60s took %v", text, took)
		}
		if len(got.Notices) == 0 {
			t.Errorf("%.60s: nothing was told", text)
		}
	}
}
