package article_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"testing"

	"laundromat/markup/page"
	"laundromat/rdf/rdftest"
	"laundromat/text/article"
	"laundromat/text/content"
)

// said is an article with the findings on it.
func said(t *testing.T, source []byte, shared *page.Shared) string {
	t.Helper()
	var to rdftest.Collector
	a, err := article.FromPage(context.Background(), source, article.Options{Source: "page", URL: "http://a.example/b",
		Judge:  content.Judge,
		Shared: shared}, &to)
	if err != nil {
		return err.Error()
	}
	all, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	if a != nil {
		all = fmt.Appendf(all, "%v", a.Places)
	}
	return fmt.Sprintf("%s %+v", all, to.Notices)
}

// compareShared compares the article of a page that others read before with that of the page alone.
func compareShared(t *testing.T, source []byte) (isShared bool) {
	t.Helper()
	shared := &page.Shared{}
	if _, err := page.Read(context.Background(), bytes.NewReader(source), page.Options{MaxBytes: 64 << 20, Shared: shared},
		&rdftest.Collector{}); err != nil {
		t.Fatal(err)
	}
	if shared.Source() == nil {
		shared = nil
	} else {
		source = shared.Source()
	}
	got, want := said(t, source, shared), said(t, source, nil)
	if got != want {
		i := 0
		for i < min(len(got), len(want)) && got[i] == want[i] {
			i++
		}
		t.Errorf("%.300q\nhas …%.300s\nwant …%.300s", source, got[max(0, i-60):], want[max(0, i-60):])
	}
	return shared != nil && shared.HasTexts()
}

func TestArticleOfASharedPageIsThatOfThePage(t *testing.T) {
	for _, text := range []string{"", "x", "<p>a &amp b&ampc &#x41; &notit; \r\n c\rd", "<pre>\nx</pre><pre>\n\n x",
		"<pre>\n<b>x</b> <i>y</i>\n</pre> z", "<pre>a  b</x>  </x> c</pre>", "<div><pre>x</div> y </pre> z",
		"<pre>\r\n\r\n x</x>\r\n y</pre>",
		"<textarea>\n\nx &lt;</textarea>", "<textarea> </textarea>x", "<xmp> a <b> </xmp>", "<xmp>  </xmp>x",
		"<title>a &amp; <b></title>c", "<title></title><p>x", "<title> a  b </title>x", "<script>a &amp; <b></script>c",
		"a<script>b</script>c",
		"a<style>b</style> c", "a<iframe src=x>b</iframe>c", "a<noembed>b</noembed>c", "<script>a", "<style>a<p>b",
		"<style>a<style>b</style>c", "<iframe>a<p>b", "<head><iframe></iframe><title>T</title></head><p>x",
		"<head><noscript><iframe src=x></iframe></noscript><title>T</title></head><p>x", "<noscript><p>a<b</noscript>c>d<p>e",
		"<noscript><style>a</noscript>b</style>c", "<noscript>a<!-- </noscript>b -->c", "<noscript>a", "a<noscript>b</noscript>c",
		"<html a=1><html lang=de a=3><body hidden>x<body role=navigation c=3>y", "<body a=1><p>x</p></body></html><!--end--> y",
		"<svg viewbox=1 xlink:href=#a><foreignobject><p viewbox=2>x</svg>y", "<svg><title>a<b c=d>e</b></title></svg>f",
		"<svg><title>a</title><text>b</text><desc>c</desc></svg>d", "<svg><style>a<b>c</style>d</svg>e",
		"<svg><title>a<!-- b --></title></svg>",
		"<svg><script>a<g>b</g></script></svg>c", "<svg><iframe>a</iframe>b</svg>c", "<svg><pre>a  b</pre></svg>c  d",
		"<math><mi>a<mtext>b</math>", "<svg><![CDATA[a > <b c=d> ]]>e</svg>", "<p><![CDATA[a > <b c=d> ]]>e",
		"<select><svg><style>a</style><option b=c>d</select>", "<select><title><b a=c>x</title></select>",
		"<select><style>x</style>y</select>",
		"<frameset a=b> x <frame src=c><noframes><p a=b>x</noframes></frameset> y z", "<noframes><p a=b>x</p></noframes>y",
		"<plaintext a=b>x<p>y", "<table><td>abcdef<p a=b>x</table>", "<table> abcdef <tr><td a=b>x", "<table>a<tr>b<td>c</table>d",
		"<table><tr><td>a</td> <td>b</td></tr> <tr><td>c</table>", "<table><style>a</style><tr><td>b</table>",
		"<a href='a&amp;b&copy=c'>x",
		"<a href=1>a<p>b</p> <p>c</a>d", "<p><a href=1>a</p> <p>b</p> <p>c", "<p><b>a</p> <p>b<p>c</b> d", "<b hidden><p>a</b></p> <p>b",
		"<p><b role=navigation>a</p> <div>b</div> c", "<p><code>a</p> <p>b &amp;amp;</p>", "long\x00 text", "a<b c=\x00>d", "a\x01b\x02c",
		"<template a=b><p>long text</template>y", "<template>a", "<template shadowrootmode=open><p>a</template>b",
		"a<!-- b --> c <!-- d -->e",
		"<!-->x<!--a&amp;b--><!--c\r\nd--><!--e--!>f<!g>h</ i>j<?k?>", "a<!-- b", "<p>a<i", "<div><html><p>a", "<q>a <q>b</q></q> c",
		"<time>2010-03-04</time> a <time datetime=2011-01-02>x</time>", "<ruby>a<rt>b</rt></ruby>",
		"<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby>",
		"<button><pre>a  b</button> c  d", "a, <b>b</b>, c. <i>!</i>", "<p>-<p>.<p>\u00a0", "<label>a<input>b</label>c",
		`<script type="application/ld+json">{"@type":"Article","datePublished":"2012-03-04","headline":"H"}</script><p>x`,
		`<script type="text/turtle"><a> <b> "2012".</script><p>x`, `<script type="application/ld+json"></script><p>x`,
		`<article><style itemscope itemprop=a>x</style><time pubdate>2012-03-04</time></article>`,
		"<meta name=date content=2012-03-04><p>x",
		"<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><p>a</rdf:RDF>b",
		"<?xml version='1.0'?><html><body/><p>a<br/>b</html>",
		"<colgroup><script></script><col>x", "<table><colgroup><script></script><col><tr><td>x</table>", "<li>a<li>b<ul><li>c</ul>d",
		"<image src=a>x", "<form a=b><form c=d>x</form>long text", "<h1>a</h1>b<h1 hidden>c</h1>", "</p>a</br>b",
		"<b><b><b><b><b>a</p><p>b"} {
		compareShared(t, []byte(text))
	}
}

// The generator strings pieces of markup together at random.
func TestArticleOfRandomMarkupIsTheSameShared(t *testing.T) {
	pieces := []string{"<", ">", " ", "\n", "\"", "&", "<a href='x&amp;y'>", "</a>", "<p>", "<p class=x>", "</p>", "<script>",
		"</script>",
		`<script type="application/ld+json">{"datePublished":"2012-03-04"}</script>`, "<!--", "-->", "<!-- a -->", "<style>", "</style>",
		"<style>b</style>", "<title>", "</title>", "<textarea>", "</textarea>", "<svg viewbox=1>", "</svg>", "<table>", "<tr>",
		"<td a=b>", "<td>",
		"</td>", "</table>", "<select>", "<option>", "</select>", "<noscript>", "</noscript>", "<iframe>", "</iframe>", "<foreignObject>",
		"<b>",
		"</b>", "<i a=b>", "</i>", "<body a=b>", "<html c=d>", "</body>", "long text", " text &amp; more ", "&lt;", "é", "x", "<br/>",
		"<template>",
		"</template>", "<pre>", "</pre>", "<pre>\n", "\r\n", "<h1 b='c>d'>", "</h1>", "<div>", "</div>", "<desc>", "</desc>",
		"<font color=x>",
		"</font>", "<input type=hidden>", "<caption>", "<col>", "<head>", "</head>", "<code>", "</code>", "<q>", "</q>", "<nav>",
		"</nav>", "<xmp>",
		"</xmp>", "<button>", "</button>", "<li>", "<ul>", "</ul>", "<time>2010-01-02</time>", "<time>", "</bogus>", "  "}
	random := rand.New(rand.NewSource(1))
	rounds, shared := 30000, 0
	if testing.Short() {
		rounds = 3000
	}
	for range rounds {
		var b []byte
		for range 1 + random.Intn(16) {
			b = append(b, pieces[random.Intn(len(pieces))]...)
		}
		if compareShared(t, b) {
			shared++
		}
		if t.Failed() {
			return
		}
	}
	if shared < rounds/20 {
		t.Errorf("%d of %d pages are shared", shared, rounds)
	}
}

func TestArticlesOfRealPagesAreTheSameShared(t *testing.T) {
	names, _ := filepath.Glob(filepath.Join(rdftest.Shared(t, "text"), "readability", "*", "source.html"))
	packed, _ := filepath.Glob(filepath.Join(rdftest.Shared(t, "text"), "wcxb", "html", "*.html.gz"))
	for i := 0; i < len(packed); i += 5 {
		names = append(names, packed[i])
	}
	shared := 0
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err == nil && filepath.Ext(name) == ".gz" {
			var z *gzip.Reader
			if z, err = gzip.NewReader(bytes.NewReader(source)); err == nil {
				source, err = io.ReadAll(z)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if compareShared(t, source) {
			shared++
		} else {
			t.Logf("%s is read apart", name)
		}
	}
	if shared < len(names)*3/4 {
		t.Errorf("%d of %d pages are shared", shared, len(names))
	}
}
