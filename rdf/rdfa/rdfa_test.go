package rdfa_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/rdf"
	"laundromat/rdf/rdfa"
	"laundromat/rdf/rdftest"
)

func read(t testing.TB, text string, opt page.Options) *rdftest.Collector {
	t.Helper()
	var got rdftest.Collector
	if err := rdfa.Read(context.Background(), strings.NewReader(text), rdf.Input{Base: "http://b/"}, opt, &got); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return &got
}

// shown renders notices as "severity code line:column lost".
func shown(notices []fault.Notice) (all []string) {
	for _, n := range notices {
		all = append(all, fmt.Sprintf("%s %s %d:%d %d", n.Severity, n.Code, n.Line, n.Column, n.Lost))
	}
	return all
}

// Each row: what is wrong, what is kept, and the notices with their places. A quad
// that a repair touched is marked with "R ".
func TestFaultsCostOnlyThemselves(t *testing.T) {
	const titled = `<http://b/> <http://purl.org/dc/terms/title> "T" .`
	rows := []struct {
		name    string
		host    page.Host
		text    string
		quads   []string
		notices []string
	}{
		{"a page without RDFa", page.HTML, `<html><body><a rel="nofollow" href="x">T</a></body></html>`, nil, nil},
		{"no page at all", page.HTML, "", nil, nil},
		{"not even markup", page.HTML, "just text & more", nil, nil},
		{"a prefix that is not declared", page.HTML, "<p>\n é<b property='article:author dc:title'>T</b>",
			[]string{`<http://b/> <article:author> "T" .`, titled},
			[]string{"warning syntax/rdfa-undeclared-prefix 2:3 0"}},
		{"a term without a vocabulary", page.HTML, `<p property="name dc:title">T</p>`,
			[]string{titled}, []string{"warning syntax/rdfa-term 1:1 0"}},
		{"a prefix that can't be read", page.HTML, `<p prefix="dc http://x/ : http://y/ q:" property="dc:title">T</p>`,
			[]string{titled},
			[]string{"warning syntax/rdfa-prefix 1:1 0", "warning syntax/rdfa-prefix 1:1 0", "warning syntax/rdfa-prefix 1:1 0",
				"warning syntax/rdfa-prefix 1:1 0"}},
		{"a safe CURIE that means nothing", page.HTML, `<p about="[nope:x]" property="dc:title">T</p>`,
			[]string{titled}, []string{"warning syntax/rdfa-name 1:1 0"}},
		{"a blank node as a predicate", page.HTML, `<p property="_:x dc:title">T</p>`,
			[]string{titled}, []string{"warning syntax/rdfa-name 1:1 0"}},
		{"bytes that are not UTF-8 are left to package clean", page.HTML, "<p property='dc:title'>caf\xe9</p>",
			[]string{"<http://b/> <http://purl.org/dc/terms/title> \"caf\xe9\" ."}, nil},
		{"elements that are not closed", page.HTML, `<ul><li property="dc:title">T<li property="dc:title">T`,
			[]string{titled, titled}, nil},
		{"XML nested too deeply", page.XML, "<r><p property='dc:title'>T</p>" + strings.Repeat("<a>", 600) +
			"<p property='dc:title'>T</p>" + strings.Repeat("</a>", 600) + "</r>",
			[]string{titled}, []string{"drop limit/nesting 1:1529 1"}},
		{"HTML nested too deeply", page.HTML, strings.Repeat("<div>", 3000) + "<p property='dc:title'>T</p>",
			[]string{titled}, []string{"warning limit/nesting 1:251 0"}},
		{"tags that are never closed", page.HTML, strings.Repeat("<font><b>", 600) + "<p property='dc:title'>T</p>",
			[]string{titled}, []string{"warning limit/nesting 1:226 0"}},
		{"with data in each", page.HTML, "<p property='dc:title'>T</p>" + strings.Repeat("<div about=''>", 600) +
			"<p property='dc:title'>a" + strings.Repeat("</div>", 600) + "<p property='dc:title'>T</p>",
			[]string{titled, titled}, []string{"drop limit/nesting 1:3529 1"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got := read(t, row.text, page.Options{Host: row.host})
			lines := got.Lines()
			for i := range lines {
				if got.Quads[i].Repaired {
					lines[i] = "R " + lines[i]
				}
			}
			if !slices.Equal(lines, row.quads) {
				t.Errorf("quads\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(row.quads, "\n"))
			}
			if notices := shown(got.Notices); !slices.Equal(notices, row.notices) {
				t.Errorf("notices\n%s\nwant\n%s", strings.Join(notices, "\n"), strings.Join(row.notices, "\n"))
			}
			for _, n := range got.Notices {
				if _, ok := fault.Explain(n.Code); !ok || n.Message == "" || n.Excerpt == "" {
					t.Errorf("notice %+v", n)
				}
			}
		})
	}
}

// In XML, what package xmltext mends marks the statements that it touched; what it
// can't costs the element or the literal, and no more.
func TestFaultsOfXMLAreCountedOnStatements(t *testing.T) {
	for _, row := range []struct {
		name, text     string
		kept, repaired int
		lost           int
	}{
		{"sound", `<r><p property="dc:title">T</p></r>`, 1, 0, 0},
		{"a bare ampersand", `<r><p property="dc:title">A & B</p><p property="dc:title">T</p></r>`, 1, 1, 0},
		{"an attribute without quotation marks", `<r><p property=dc:title>T</p><p property="dc:title">T</p></r>`, 1, 1, 0},
		{"an entity that nobody declared", `<r><p property="dc:title">&nobody;</p><p property="dc:title">T</p></r>`, 1, 0, 1},
		{"a second root", `<r/><p property="dc:title">T</p>`, 0, 1, 0},
		{"a literal without its end tag", `<r><b about="x" property="dc:a" content="c"/><p property="dc:title">T`, 1, 0, 1},
		{"a tag without its end", `<r><p property="dc:title">T</p><p property="dc:ti`, 1, 0, 1},
		{"an element that is not closed", `<r><d><p property="dc:title">T</d><p property="dc:title">U</p></r>`, 1, 0, 1},
		{"end tags alone are missing", `<r><d><p property="dc:title">T</p>`, 1, 0, 0},
		{"an entity in a subject", `<r><p about="&nobody;x"><b property="dc:title">L</b></p><p property="dc:title">T</p></r>`, 1, 0, 1},
	} {
		got := read(t, row.text, page.Options{Host: page.XML})
		kept, repaired := 0, 0
		for i := range got.Quads {
			if got.Quads[i].Repaired {
				repaired++
			} else {
				kept++
			}
		}
		if kept != row.kept || repaired != row.repaired || got.Lost() != row.lost {
			t.Errorf("%s: %v %v", row.name, got.Lines(), got.Notices)
		}
	}
}

func TestHostIsDetected(t *testing.T) {
	for _, row := range []struct {
		text, want string
	}{
		{`<!DOCTYPE html><html><p property="dc:title">a<br>b`, `"ab"`},
		{`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><p property="dc:title">a<br/>b</p></html>`, `"ab"`},
		{`<!-- x --><svg xmlns="http://www.w3.org/2000/svg"><title property="dc:title">T</title></svg>`, `"T"`},
		{`<?xml version="1.0"?><r xml:base="http://x/"><p about="y" property="dc:title">T</p></r>`, `"T"`},
		{`<html xmlns="http://www.w3.org/1999/xhtml"><p property="dc:title">a<br>b</html>`, `"ab"`},
	} {
		got := read(t, row.text, page.Options{})
		if len(got.Quads) != 1 || len(got.Notices) != 0 || !strings.Contains(got.Lines()[0], row.want) {
			t.Errorf("%s: %v %v", row.text, got.Lines(), got.Notices)
		}
	}
}

func TestNodesAreNumberedInDocumentOrder(t *testing.T) {
	got := read(t, `<div><p typeof="foaf:A"></p><p rel="foaf:knows"></p><p about="_:x" typeof="foaf:B"></p><p typeof="foaf:C"></p></div>`,
		page.Options{})
	want := []string{`_:0-1 <` + rdf.Type + `> <http://xmlns.com/foaf/0.1/A> .`, `_:x <` + rdf.Type + `> <http://xmlns.com/foaf/0.1/B> .`,
		`_:0-2 <` + rdf.Type + `> <http://xmlns.com/foaf/0.1/C> .`}
	if !slices.Equal(got.Lines(), want) {
		t.Errorf("got %v", got.Lines())
	}
}

// A page can't pretend that its elements are elsewhere.
func TestPlacesCannotBeForged(t *testing.T) {
	got := read(t, "<p>\n<b laundromat-place=0 property='dc:title'>T</b><svg><title><i property='dc:title'>U</i></title></svg>",
		page.Options{})
	if len(got.Quads) != 2 || got.Quads[0].Predicate.Pos != (fault.Pos{Line: 2, Column: 1, Offset: 4}) ||
		got.Quads[1].Predicate.Pos.Line != 2 {
		t.Errorf("%+v", got.Quads)
	}
}

func TestFileBaseIsToldOnce(t *testing.T) {
	var got rdftest.Collector
	err := rdfa.Read(context.Background(),
		strings.NewReader(`<p about="x" property="dc:title">T</p><p about="y" property="dc:title">T</p>`),
		rdf.Input{Base: "file:///a", BaseIsFile: true}, page.Options{}, &got)
	if err != nil || len(got.Quads) != 2 || len(got.Notices) != 1 || got.Notices[0].Code != fault.IRIRelative {
		t.Errorf("%v %v %v", err, got.Lines(), got.Notices)
	}
}

func TestFullDiskIsNotTheDocumentsFault(t *testing.T) {
	err := rdfa.Read(context.Background(), strings.NewReader(`<p property="dc:title">T`), rdf.Input{}, page.Options{}, full{})
	var sink *rdf.SinkError
	if !errors.As(err, &sink) || rdf.Blame(err) != fault.Local {
		t.Errorf("%v, blamed on %v", err, rdf.Blame(err))
	}
}

type full struct{}

func (full) Quad(*rdf.Quad) error { return syscall.ENOSPC }
func (full) Notice(fault.Notice)  {}

func TestErrorsOfTheSourceKeepTheirKind(t *testing.T) {
	var got rdftest.Collector
	err := rdfa.Read(context.Background(), iotest.ErrReader(fault.New("x", fault.Remote, "transport/reset", "reset")), rdf.Input{},
		page.Options{}, &got)
	if rdf.Blame(err) != fault.Remote {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := rdfa.Read(ctx, strings.NewReader("<p>"), rdf.Input{}, page.Options{}, &got); rdf.Blame(err) != fault.Stopped {
		t.Errorf("cancelled: %v", err)
	}
	err = rdfa.Read(context.Background(), strings.NewReader(strings.Repeat("x", 1001)), rdf.Input{}, page.Options{MaxBytes: 1000}, &got)
	if fault.CodeOf(err) != fault.LimitMemory || fault.KindOf(err) != fault.Limit || !strings.Contains(err.Error(), "1000") {
		t.Errorf("too long: %v", err)
	}
}

var seeds = []string{
	`<!DOCTYPE html><html prefix="ex: http://ex/" vocab="http://v/" lang="en"><head><base href="http://base/"><title property="dc:title">T</title></head><body typeof="X"><p property="a b" content="c" datatype="xsd:date">d</p></body></html>`,
	`<div about="#x" rel="foaf:knows" rev="foaf:made"><p typeof="A" inlist property="b"><a property="c" href="d" inlist>e</a></p><time property="v:d">2012-01-01</time></div>`,
	`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:x="http://x/"><p property="x:y" datatype="rdf:XMLLiteral">a<b c="&lt;">d</b><!-- e --></p></html>`,
	`<svg xml:base="http://q/" xml:lang="de"><g resource="r" typeof="dc:Z"><title property="dc:title">t</title></g></svg>`,
	`<div vocab="http://s/"><p resource="#p" typeof="rdfa:Pattern"><b property="n">x</b><link property="rdfa:copy" href="#p"></p><p resource="#q"><link property="rdfa:copy" href="#p"></p></div>`,
	"<table><p property='dc:a'>\xff<tr><td property='dc:b'>&amp;<template><p property='dc:c'></template><noscript><p property='dc:d'>",
	"<r><p property=dc:a about='&x;'>&y;", "<", "<![CDATA[", "<a <b property=x",
	`<html datatype="rdf:HTML" property="dc:x"><p>a<script>1<2</script>`,
}

func FuzzRead(f *testing.F) {
	for i, text := range seeds {
		f.Add(text, uint8(i%5))
	}
	f.Fuzz(func(t *testing.T, text string, host uint8) {
		var first, second rdftest.Collector
		in, opt := rdf.Input{Base: "http://b/"}, page.Options{Host: page.Host(host % 5)}
		if err := rdfa.Read(context.Background(), strings.NewReader(text), in, opt, &first); err != nil {
			t.Fatal(err)
		}
		if err := rdfa.Read(context.Background(), iotest.HalfReader(strings.NewReader(text)), in, opt, &second); err != nil ||
			!slices.Equal(first.Lines(), second.Lines()) || !slices.Equal(shown(first.Notices), shown(second.Notices)) {
			t.Fatalf("a second reading differs: %v", err)
		}
		for i := range first.Quads {
			q := &first.Quads[i]
			if q.Subject.Kind == rdf.Literal || q.Predicate.Kind != rdf.IRI || q.Graph.Kind != rdf.NoTerm || q.Object.Kind == rdf.NoTerm {
				t.Fatalf("no triple: %s", rdf.AppendQuad(nil, q))
			}
			if at := q.Subject.Pos.Offset; at < 0 || at > int64(len(text)) {
				t.Fatalf("a place outside of the text: %+v", q.Subject.Pos)
			}
		}
	})
}

func sample(items int) string {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><html><head><title>T</title></head><body vocab="http://schema.org/">`)
	for i := range items {
		fmt.Fprintf(&b, "<div resource=\"#%d\" typeof=\"Person\"><a href=\"/p/%d\" class=\"plain\">see</a> <span property=\"name\">Person %d</span> and <a property=\"knows\" href=\"#%d\">another</a></div>\n",
			i, i, i, i/2)
	}
	b.WriteString("</body></html>")
	return b.String()
}

type count struct{ quads int }

func (c *count) Quad(*rdf.Quad) error { c.quads++; return nil }
func (c *count) Notice(fault.Notice)  {}

func BenchmarkRead(b *testing.B) {
	text := sample(5000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := rdfa.Read(context.Background(), strings.NewReader(text), rdf.Input{Base: "http://b/"}, page.Options{},
			&count{}); err != nil {
			b.Fatal(err)
		}
	}
}

// The memory that a page takes while it is read, in bytes a byte of text.
func BenchmarkMemory(b *testing.B) {
	for _, kind := range []struct{ name, text string }{{"page", sample(5000)}, {"tags", "<p>" + strings.Repeat("<i></i>", 20000) +
		"<b property='dc:title'>T</b>"}} {
		b.Run(kind.name, func(b *testing.B) {
			for b.Loop() {
				var before, after runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&before)
				if err := rdfa.Read(context.Background(), strings.NewReader(kind.text), rdf.Input{Base: "http://b/"}, page.Options{},
					&count{}); err != nil {
					b.Fatal(err)
				}
				runtime.ReadMemStats(&after)
				b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(len(kind.text)), "allocated-bytes/byte")
			}
		})
	}
}
