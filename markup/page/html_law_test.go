package page

import (
	"bytes"
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
	"laundromat/rdf/rdftest"
)

// outline writes an element for comparison.
func outline(b *strings.Builder, e *Element) {
	fmt.Fprintf(b, "<%s %q>", e.Name, sorted(e.Attrs))
	text := ""
	for i := range e.Children {
		c := &e.Children[i]
		if c.Element == nil && !c.Markup {
			text += c.Text
			continue
		}
		fmt.Fprintf(b, "%q", text)
		if text = ""; c.Markup {
			b.WriteString(c.Text)
		} else {
			outline(b, c.Element)
		}
	}
	fmt.Fprintf(b, "%q</>", text)
}

// sorted are attributes by their names: the parser sorts those of some elements.
func sorted(attrs []Attr) []Attr {
	attrs = slices.Clone(attrs)
	slices.SortFunc(attrs, func(a, b Attr) int { return strings.Compare(a.Name, b.Name) })
	return attrs
}

// outlineNode writes an element of the parser's own tree of the whole page in the same way.
func outlineNode(b *strings.Builder, n *html.Node) {
	attrs := []Attr(nil)
	for _, a := range n.Attr {
		name := a.Key
		if a.Namespace != "" {
			name = a.Namespace + ":" + a.Key
		}
		if !hasAttr(attrs, name) {
			attrs = append(attrs, Attr{name, a.Val})
		}
	}
	fmt.Fprintf(b, "<%s %q>", n.Data, sorted(attrs))
	text := ""
	for c := n.FirstChild; c != nil && (n.Data != "template" || n.Namespace != ""); c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			text += c.Data
		case html.CommentNode:
			fmt.Fprintf(b, "%q<!--%s-->", text, c.Data)
			text = ""
		case html.ElementNode:
			fmt.Fprintf(b, "%q", text)
			text = ""
			outlineNode(b, c)
		}
	}
	fmt.Fprintf(b, "%q</>", text)
}

// compareTrees holds the tree of a page against the one that the parser makes of the whole page.
func compareTrees(t *testing.T, source []byte, places bool) {
	t.Helper()
	document, err := html.ParseWithOptions(bytes.NewReader(source), html.ParseOptionEnableScripting(false))
	if err != nil {
		return // too deep
	}
	var want strings.Builder
	for c := document.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			outlineNode(&want, c)
		}
	}
	for _, shared := range []*Shared{nil, {}} {
		var got strings.Builder
		opt := Options{Host: HTML, MaxBytes: 64 << 20, Places: places, Shared: shared}
		p, err := Read(context.Background(), bytes.NewReader(source), opt, &rdftest.Collector{})
		if err != nil {
			t.Fatal(err)
		}
		for _, root := range p.Roots {
			outline(&got, root)
			checkPlaces(t, source, root)
		}
		if got, want := got.String(), want.String(); got != want {
			i := 0
			for i < min(len(got), len(want)) && got[i] == want[i] {
				i++
			}
			t.Fatalf("%.200q\nhas …%.300s\nwant …%.300s", source, got[max(0, i-60):], want[max(0, i-60):])
		}
	}
}

// checkPlaces finds a tag at the place of each element, and the same line and column as by counting.
func checkPlaces(t *testing.T, source []byte, e *Element) {
	t.Helper()
	if len(source) < 2000 && e.Pos != Advance(fault.Pos{Line: 1, Column: 1}, source[:e.Pos.Offset]) {
		t.Fatalf("%q: <%s> is at %+v", source, e.Name, e.Pos)
	}
	for i := range e.Children {
		if c := e.Children[i].Element; c != nil {
			checkPlaces(t, source, c)
		}
	}
}

func TestPageHasTheTreeThatTheParserMakesOfIt(t *testing.T) {
	for _, text := range []string{"", "x", "<p>a &amp b&ampc &#x41; &notit; \r\n c\rd", "<pre>\nx</pre><pre>\n\n x",
		"<textarea>\n\nx &lt;</textarea>",
		"<title>a &amp; <b></title>c", "<script>a &amp; <b></script>c", "<style>\r\na</style>", "<script>a",
		"<script>a<", "<xmp>&amp;</xmp>",
		"<html a=1><html b=2 a=3><body c=1>x<body d=2 c=3>", "<p><html b=2>x", "<body a=1><p>x</p></body></html><!--end--> y",
		"<svg viewbox=1 xlink:href=#a><foreignobject><p viewbox=2>x</svg>y", "<svg><title>a<b c=d>e</b></title></svg>f",
		"<svg><style>a<b>c</style>d</svg>", "<svg><script>a<g>b</g></script></svg>c",
		"<math definitionurl=x><mi>a<mtext>b</math>",
		"<svg><![CDATA[a > <b c=d> ]]>e</svg>", "<p><![CDATA[a > <b c=d> ]]>e", "<svg><![CDATA[a",
		"<svg><p><style>a<b c=d></style>",
		"<select><svg><style>a</style><option b=c>d</select>", "<select><title><b a=c>x</title></select>",
		"<svg><title><b x=\"</title>long text\">y</svg>",
		"<frameset a=b> x <frame src=c><noframes><p a=b>x</noframes></frameset> y z",
		"<noframes><p a=b>x</p></noframes>y", "<noscript><p a=b>long text</noscript>", "<iframe><p a=b>x</iframe>",
		"<plaintext a=b>x<p>y",
		"<table><td>abcdef<p a=b>x</table>", "<table> abcdef <tr><td a=b>x",
		"<table><input type=hidden a=b><input type=text>", "<col a=b> text x",
		"<a href='a&amp;b&copy=c&copy;d&notit'>x", "<a b=c B=d É=e>x", "<a b=\"c\r\nd\">x",
		"<a b=\x00c d\x00=e>long\x00 text", "<a\x00b c=d>x",
		"a\x01b<c \x01=d>e\x02f", "\x010\x02 long text <b c=d>", "<b c=d><p>long text</b>x<i e=f></p>long text",
		"<br/><br a=b/><div a=/>x",
		"<template a=b><p>long text</template>y", "<!-->x<!--a&amp;b--><!--c\r\nd--><!--e--!>f<!g>h</ i>j<?k?>",
		"<!doctype html><p>x",
		"<font color=a><svg><font color=b>c", "<svg><annotation-xml encoding=text/html><p>x",
		"<math><annotation-xml encoding='text/html'><p>x",
		"<p a=b>x</p a=b>long text </p>long text", "<form a=b><form c=d>x</form>long text", "<li a=b>long text<li c=d>long text",
		"<a href=b>long text<a href=c>long text", "<head>long text</head><title>x</title>long text",
		"<p>\u00a0 long text", "<image src=a>x"} {
		compareTrees(t, []byte(text), false)
		compareTrees(t, []byte(text), true)
	}
}

// The generator strings pieces of markup together at random.
func TestPageOfRandomMarkupHasTheTreeOfTheParser(t *testing.T) {
	pieces := []string{"<", ">", " ", "\n", "\"", "'", "&", "<a href='x&amp;y'>", "</a>", "<p>", "<p class=x>", "</p>",
		"<script>", "</script>",
		"<script type=x>", "<!--", "-->", "<style>", "</style>", "<title>", "</title>", "<textarea>", "</textarea>",
		"<svg viewbox=1>", "</svg>",
		"<math>", "</math>", "<mi>", "<table>", "<tr>", "<td a=b>", "</table>", "<select>", "<option>", "</select>",
		"<![CDATA[", "]]>",
		"<noscript>", "</noscript>", "<iframe>", "</iframe>", "<foreignObject>", "<b>", "</b>", "<i a=b>", "</i>",
		"<body a=b>", "<html c=d>",
		"</body>", "long text", " text &amp; more ", "&lt;", "\x00", "é", "<frameset>", "</frameset>", "<noframes>",
		"</noframes>", "<br/>",
		"<template>", "</template>", "<pre>", "</pre>", "\r\n", "<h1 b='c>d'>", "</h1>", "<div>", "</div>", "<desc>",
		"</desc>", "<font color=x>",
		"</font>", "<input type=hidden>", "<caption>", "<col>", "<head>", "</head>", "<rdf:RDF>", "x=\"<b c=d>\"",
		"<g y=\"", "\">"}
	random := rand.New(rand.NewSource(1))
	rounds := 30000
	if testing.Short() {
		rounds = 3000
	}
	for round := range rounds {
		var b []byte
		for range 1 + random.Intn(14) {
			b = append(b, pieces[random.Intn(len(pieces))]...)
		}
		if bytes.Contains(b, []byte("<frameset>")) && bytes.Contains(b, []byte("<noscript>")) {
			continue // of what is in noscript there, the parser takes the white space of the tags
		}
		compareTrees(t, b, round%2 == 0)
	}
}

func TestPagesHaveTheTreesThatTheParserMakesOfThem(t *testing.T) {
	names, _ := filepath.Glob(filepath.Join(rdftest.Shared(t, "text"), "readability", "*", "source.html"))
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		compareTrees(t, source, false)
	}
}

func BenchmarkViewsOfPages(b *testing.B) {
	names, _ := filepath.Glob(filepath.Join(rdftest.Shared(b, "text"), "readability", "*", "source.html"))
	var pages [][]byte
	size := 0
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		pages, size = append(pages, source), size+len(source)
	}
	opt := Options{Host: HTML, MaxBytes: 64 << 20}
	for _, view := range []struct {
		name string
		make func([]byte) error
	}{
		{"Page", func(source []byte) error {
			_, err := Read(context.Background(), bytes.NewReader(source), opt, &rdftest.Collector{})
			return err
		}},
		{"Shared", func(source []byte) error {
			opt := opt
			opt.Shared = &Shared{}
			_, err := Read(context.Background(), bytes.NewReader(source), opt, &rdftest.Collector{})
			return err
		}},
		{"Texts", func(source []byte) error {
			_, err := ReadTexts(context.Background(), source, opt, &rdftest.Collector{})
			return err
		}},
		{"Nodes", func(source []byte) error {
			_, err := ReadNodes(context.Background(), source, opt, &rdftest.Collector{})
			return err
		}},
		{"parser", func(source []byte) error { _, err := html.Parse(bytes.NewReader(source)); return err }},
	} {
		b.Run(view.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(size / len(pages)))
			for i := range b.N {
				if err := view.make(pages[i%len(pages)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
