package block_test

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/rdf/rdftest"
	"laundromat/text/block"
)

type notices []fault.Notice

func (n *notices) Notice(one fault.Notice) { *n = append(*n, one) }

func read(t testing.TB, source string, opt block.Options) (*block.Result, notices) {
	t.Helper()
	var told notices
	p, err := page.ReadTexts(context.Background(), []byte(source), page.Options{MaxBytes: 64 << 20}, &told)
	if err != nil {
		t.Fatal(err)
	}
	return block.Read(p, opt), told
}

// shown writes blocks as kind and text.
func shown(r *block.Result) string {
	var b strings.Builder
	for _, one := range r.Blocks {
		fmt.Fprintf(&b, "%s %q\n", one.Kind, r.Text[one.Start:one.End])
	}
	return b.String()
}

func TestBlocksOfPages(t *testing.T) {
	for _, row := range []struct{ name, page, want string }{
		{"paragraphs", "<p>One\n two<p>Three", "paragraph \"One two\"\nparagraph \"Three\"\n"},
		{"words across inline elements", "<p>Un<b>believ</b>able <i>it</i>is</p>", "paragraph \"Unbelievable itis\"\n"},
		{"words of elements that stand apart", "<div>a<div>b</div>c</div><h2>d</h2>e",
			"paragraph \"a\"\nparagraph \"b\"\nparagraph \"c\"\nheading \"d\"\nparagraph \"e\"\n"},
		{"an image between words", "<p>left<img src=x>right", "paragraph \"left right\"\n"},
		{"a word that may break", "<p>Donau<wbr>dampf&shy;schiff", "paragraph \"Donaudampfschiff\"\n"},
		{"lines of verse", "<p>Roses are red,<br>\nviolets <br/> are blue<br><br>\n<b>Sugar</b>",
			"paragraph \"Roses are red,\\nviolets\\nare blue\"\nparagraph \"Sugar\"\n"},
		{"a list", "<ul><li>a<li><p>b</p><ul><li>c</ul>d</ul>", "list-item \"a\"\nlist-item \"b\"\nlist-item \"c\"\nlist-item \"d\"\n"},
		{"definitions", "<dl><dt>a<dd>b</dl>", "term \"a\"\ndefinition \"b\"\n"},
		{"a table", "<table><caption>T</caption><tr><th>a<th>b<tr><td>c<td>d</table>",
			"caption \"T\"\ntable-cell \"a\"\ntable-cell \"b\"\ntable-cell \"c\"\ntable-cell \"d\"\n"},
		{"text that the parser moves out of a table", "<table>x<tr>y<td>1</td>z</tr>w</table>",
			"paragraph \"x\"\nparagraph \"y\"\ntable-cell \"1\"\nparagraph \"z\"\nparagraph \"w\"\n"},
		{"code", "<pre>\n a  b\r\n\tc\n</pre>", "code \" a  b\\n\\tc\"\n"},
		{"code with elements", "<pre><b>a</b>\n<i>b</i> &lt;c&gt;</pre>", "code \"a\\nb <c>\"\n"},
		{"a text field", "<textarea>\na\n b</textarea>", "control \"a\\n b\"\n"},
		{"controls", "<form><label>Name</label><input><select><option>x<option>y</select><button>Go</button></form>",
			"paragraph \"Name\"\ncontrol \"x\"\ncontrol \"y\"\ncontrol \"Go\"\n"},
		{"navigation", "<nav><ul><li>a</ul></nav><div role=navigation>b</div><footer><p>c</footer><aside>d</aside>",
			"navigation \"a\"\nnavigation \"b\"\nfooter \"c\"\naside \"d\"\n"},
		{"a heading in a header", "<header>a<h1>b</h1></header>", "header \"a\"\nheading \"b\"\n"},
		{"quotations", "<blockquote><p>a</p>b</blockquote>", "quotation \"a\"\nquotation \"b\"\n"},
		{"no text", "<p> &nbsp; </p><div>\n</div>", ""},
		{"scripts and styles", "a<script>b<!-- </script><style>c</style><!-- d -->e<template>f</template>", "paragraph \"ae\"\n"},
		{"entities", "<p>&lt;b&gt; &amp;amp; &notit; &nosuch; & &#8364;&#x20AC;&euro; AT&T",
			"paragraph \"<b> &amp; ¬it; &nosuch; & €€€ AT&T\"\n"},
		{"references of what isn't a character", "<p>a&#0;b&#xD800;c&#x110000;d&#150;", "paragraph \"a\ufffdb\ufffdc\ufffdd–\"\n"},
		{"white space by reference", "<p>a&#32;&#10; b", "paragraph \"a b\"\n"},
		{"frames", "<frameset><frame src=x><noframes><body><p>Old <b>page</b></noframes></frameset>", "paragraph \"Old page\"\n"},
		{"noscript", "<noscript><p>On</p></noscript>", "paragraph \"On\"\n"},
		{"a drawing", "<p>a<svg><title>b</title><text>c</text></svg>d", "paragraph \"a b c d\"\n"},
		{"XHTML", "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><head><title/><script src='x'/></head><body><div/><p>a<![CDATA[<b>&amp;]]></p></body></html>",
			"paragraph \"a<b>&amp;\"\n"},
		{"XHTML with a prefix",
			"<?xml version='1.0'?><x:html xmlns:x='http://www.w3.org/1999/xhtml'><x:body><x:p>a</x:p><x:ul><x:li>b<x:br/>c</x:li></x:ul></x:body></x:html>",
			"paragraph \"a\"\nlist-item \"b\\nc\"\n"},
		{"XHTML that isn't quite", "<?xml version='1.0'?><html><body><p>a<br>b<p>c<hr></body></html>",
			"paragraph \"a\\nb\"\nparagraph \"c\"\n"},
		{"reading aids", "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> <ruby>字<rt>ji</rt></ruby>", "paragraph \"漢(kan) 字 ji\"\n"},
		{"U+0000", "<p>a\x00b", "paragraph \"ab\"\n"},
	} {
		r, _ := read(t, row.page, block.Options{})
		if got := shown(r); got != row.want {
			t.Errorf("%s:\n%swant\n%s", row.name, got, row.want)
		}
		obeys(t, row.page, r)
	}
}

func TestSeparators(t *testing.T) {
	r, _ := read(t, "<h1>H</h1><p>a</p><ul><li>b</li><li>c<p>d</p></li></ul><table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>e",
		block.Options{})
	if want := "H\n\na\n\nb\nc\n\nd\n\n1\t2\n3\n\ne"; r.Text != want {
		t.Errorf("%q, want %q", r.Text, want)
	}
}

// What is written twice over is decoded once more in feeds, but not in code.
func TestReferencesOfReferences(t *testing.T) {
	const source = "<p>a&amp;nbsp;b &amp;amp;quot; &amp;#39; &amp;nosuch; &amp; x; <code>&amp;lt;</code></p><pre>&amp;gt;</pre>"
	for twice, want := range map[bool]string{
		false: "paragraph \"a&nbsp;b &amp;quot; &#39; &nosuch; & x; &lt;\"\ncode \"&gt;\"\n",
		true:  "paragraph \"a\\u00a0b \\\" ' &nosuch; & x; &lt;\"\ncode \"&gt;\"\n",
	} {
		r, _ := read(t, source, block.Options{Twice: twice})
		if got := shown(r); got != want {
			t.Errorf("%v:\n%swant\n%s", twice, got, want)
		}
		if twice && (r.Again != "&amp;nbsp;" || r.AgainAt != 4 || r.CountAgain != 3) {
			t.Errorf("%q at %d, %d", r.Again, r.AgainAt, r.CountAgain)
		}
		obeys(t, source, r)
	}
}

func TestAnchorsKnowTheirText(t *testing.T) {
	for page, want := range map[string]string{
		"<p>See <a href=x> the <b>page</b> </a>.":                         "x 4 12 \"the page\"",
		"<p>a<a href=x><img></a><p>b":                                     "x 3 3 \"\"",
		"<p>a <a href=x></a>b":                                            "x 2 2 \"\"",
		"<p>a<a href=x>&nbsp;</a></p>":                                    "x 1 3 \"\\u00a0\"",
		"<p>a<p><a href=x>&nbsp;</a><p>c":                                 "x 3 3 \"\"",
		"<a href=x><p>a</p><p>b</p></a>":                                  "x 0 4 \"a\\n\\nb\"",
		"<p><a href=x>a<p>b</a>c":                                         "x 0 4 \"a\\n\\nb\"",
		"<a href=' x '>a<a href=y>b</a>":                                  "x 0 1 \"a\"|y 1 2 \"b\"",
		"<a name=n>a</a><a href='?a=1&copy=2&amp;b'>b</a>":                "?a=1&copy=2&b 1 2 \"b\"",
		"<table><a href=x>a</a><tr><td><a href=y>b</a></td></tr></table>": "x 0 1 \"a\"|y 3 4 \"b\"",
		"<pre>a<a href=x> </a> b</pre>":                                   "x 3 3 \"\"",
		"<p>a<a href=x>":                                                  "x 1 1 \"\"",
	} {
		r, _ := read(t, page, block.Options{})
		var got []string
		for _, a := range r.Anchors {
			got = append(got, fmt.Sprintf("%s %d %d %q", a.Href, a.Span.Start, a.Span.End, r.Text[a.Span.Start:a.Span.End]))
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%s: %s, want %s", page, s, want)
		}
	}
}

func TestTitles(t *testing.T) {
	for page, want := range map[string]string{
		"<title>A &amp; B\n <b></title><p>x":           "A & B <b>",
		"<html><head><title> A</title></head><title>B": "A",
		"<p>x<title>late</title>":                      "late",
		"<svg><title>no</title></svg>":                 "",
	} {
		if r, _ := read(t, page, block.Options{}); r.Title != want {
			t.Errorf("%s: %q", page, r.Title)
		}
	}
}

// What is wrong with a page is told with its place, and costs no text that is there.
func TestBadPages(t *testing.T) {
	deep := strings.Repeat("<div>", 10000) + "deep"
	for _, row := range []struct{ name, page, text, want string }{
		{"cut in a tag", "<p>a</p>\n<p cla", "a", "2:1 text/cut"},
		{"cut in a comment", "<p>a</p>\n<!-- b", "a", "2:1 text/cut"},
		{"cut in an element", "<!doctype html>\n<div>a", "a", "2:7 text/cut"},
		{"U+0000", "<p>a\n\x00b\x00", "a b", "2:1 text/nul"},
		{"many open tags", deep, "deep", "1:1 text/too-deep"},
		{"a sound page", "<!doctype html><p>a", "a", ""},
		{"marks of direction", "<p>a\u202eb", "a\u202eb", ""},
		{"a lone end", "</", "</", ""},
		{"nothing", "", "", ""},
	} {
		r, told := read(t, row.page, block.Options{})
		got := ""
		for _, n := range told {
			got += fmt.Sprintf("%d:%d %s", n.Line, n.Column, n.Code)
		}
		if row.name == "many open tags" {
			got = strings.Replace(got, fmt.Sprintf("1:%d", told[0].Column), "1:1", 1)
		}
		if got != row.want || r.Text != row.text {
			t.Errorf("%s: %q %s, want %q %s", row.name, r.Text, got, row.text, row.want)
		}
	}
	r, _ := read(t, "<p>"+strings.Repeat("x", 1<<20), block.Options{})
	if len(r.Text) != 1<<20 || len(r.Places) != 1 {
		t.Errorf("a word of a megabyte: %d bytes in %d runs", len(r.Text), len(r.Places))
	}
}

// obeys holds a text to its laws. Its places give the source again, blocks cover it once and ascend in both, and all
// outside of runs is white space.
func obeys(t testing.TB, source string, r *block.Result) {
	t.Helper()
	at, behind := 0, 0
	for _, run := range r.Places {
		if run.Text < at || run.Length <= 0 || run.Source < behind || strings.Trim(r.Text[at:run.Text], " \t\n") != "" {
			t.Fatalf("%q: the run %+v behind %d, %d", source, run, at, behind)
		}
		at, behind = run.Text+run.Length, run.Source+run.SourceLength
		written := source[run.Source:behind]
		said := r.Text[run.Text:at]
		if said != written {
			// Line ends come first, as in HTML §13.2.3.5: what a reference stands for stays.
			lines := strings.ReplaceAll(strings.ReplaceAll(written, "\r\n", "\n"), "\r", "\n")
			decoded := html.UnescapeString(lines)
			for again := html.UnescapeString(decoded); decoded != said && again != decoded; again = html.UnescapeString(decoded) {
				decoded = again
			}
			if decoded != said && lines != said {
				t.Fatalf("%q: %q stands for %q", source, written, said)
			}
		}
	}
	if strings.Trim(r.Text[at:], " \t\n") != "" {
		t.Fatalf("%q: %q has no place", source, r.Text[at:])
	}
	at, behind = 0, 0
	for i, b := range r.Blocks {
		if i == 0 && b.Start != 0 || b.Start < at || b.End <= b.Start || strings.Trim(r.Text[at:b.Start], " \t\n") != "" {
			t.Fatalf("%q: the block %+v behind %d", source, b, at)
		}
		if b.Bytes.Start < behind || b.Bytes.End <= b.Bytes.Start || b.Bytes.End > len(source) {
			t.Fatalf("%q: the block %+v behind %d of the source", source, b, behind)
		}
		at, behind = b.End, b.Bytes.End
	}
	if at != len(r.Text) || !utf8.ValidString(source) != !utf8.ValidString(r.Text) {
		t.Fatalf("%q: blocks end at %d of %q", source, at, r.Text)
	}
	for _, a := range r.Anchors {
		if a.Span.Start < 0 || a.Span.End < a.Span.Start || a.Span.End > len(r.Text) {
			t.Fatalf("%q: %+v", source, a)
		}
	}
}

// letters are the characters of a page's text that are no white space, as the parser alone gives them.
func letters(source string) map[rune]int {
	document, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return nil
	}
	found := map[rune]int{}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			for _, r := range n.Data {
				if !strings.ContainsRune(" \t\n\r\f\u00a0\u00ad\u200b\ufeff\u2003\u3000\u2009\u200c\u200d\u2060", r) {
					found[r]++
				}
			}
			return
		case n.Type == html.ElementNode && (n.Data == "style" || n.Data == "script"):
			return
		case n.Type == html.ElementNode && n.Data == "annotation" && n.Parent.Data == "semantics" && n.Parent.FirstChild != n:
			return
		case n.Type == html.ElementNode && n.Namespace == "" &&
			strings.Contains(" script style template title iframe noembed noscript noframes ", " "+n.Data+" "):
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(document)
	return found
}

// Every character of a page is in one block: the parser without places is the judge.
func TestNoCharacterOfAPageIsLost(t *testing.T) {
	names, _ := filepath.Glob(filepath.Join(rdftest.Shared(t, "text"), "readability", "*", "source.html"))
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		source := string(data)
		// The judge can't be told to parse what is in noscript as we do, for it counts that apart.
		for _, tag := range []string{"<noscript", "<NOSCRIPT"} {
			source = strings.ReplaceAll(source, tag, "<x-none  ")
		}
		r, _ := read(t, source, block.Options{})
		obeys(t, source, r)
		want := letters(source)
		for _, c := range r.Text {
			want[c]--
		}
		for c, n := range want {
			if n != 0 && !strings.ContainsRune(" \t\n\u00a0\u00ad\u200b\ufeff\u2003\u3000\u2009\u200c\u200d\u2060", c) {
				t.Errorf("%s: %q is there %d times more than it was taken", filepath.Base(filepath.Dir(name)), c, n)
			}
		}
	}
}

// The generator strings markup together; whatever comes of it obeys the laws.
func TestRandomPagesObeyTheLaws(t *testing.T) {
	pieces := []string{"<p>", "</p>", "<div>", "</div>", "<b>", "</b>", "<table>", "<tr>", "<td>", "</td>", "</table>", "<li>", "<ul>",
		"</ul>", "<br>", "<pre>\n", "</pre>",
		"<a href=x>", "</a>", "<select>", "<option>", "</select>", "<svg>", "</svg>", "<title>", "</title>", "<textarea>", "</textarea>",
		"<script>", "</script>", "<h1>", "</h1>",
		"word", "é", " ", "\r\n", "\n", "&amp;", "&nbsp;", "&#10;", "&lt", "&notit;", "\x00", "<", "&", "<!-- c -->", "<![CDATA[d]]>",
		"<nav>", "</nav>", "<img>", "<caption>", "\u200b", "<hr/>", "<body>", "</body>", "<html>", "</html>", "<frameset>", "<noscript>",
		"</noscript>"}
	random := rand.New(rand.NewSource(7))
	heads := []string{"", "", "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>",
		"<?xml version='1.0'?><x:html xmlns:x='http://www.w3.org/1999/xhtml'>", "<!doctype html>"}
	pieces = append(pieces, "<x:p>", "</x:p>", "<x:br/>", "<script/>", "<title/>", "<div/>", "<textarea/>", "<svg/>", "<style>a</style>",
		"<iframe>b</iframe>", "<plaintext>", "<xmp>")
	for range 8000 {
		var b strings.Builder
		b.WriteString(heads[random.Intn(len(heads))])
		for range 1 + random.Intn(25) {
			b.WriteString(pieces[random.Intn(len(pieces))])
		}
		r, _ := read(t, b.String(), block.Options{Twice: random.Intn(2) == 0})
		obeys(t, b.String(), r)
	}
}

func FuzzBlocks(f *testing.F) {
	f.Add("<p>a<b>c</b>&amp;nbsp;<table>x<tr><td>y", true)
	f.Add("<?xml version='1.0'?><x:html xmlns:x='http://www.w3.org/1999/xhtml'><x:p>a<![CDATA[b]]></x:p><script/>c", false)
	f.Add("<pre>\r\n<a href=x>&#10;\x00</a>", false)
	f.Fuzz(func(t *testing.T, source string, twice bool) {
		if !utf8.ValidString(source) {
			return // what is read was proved to be UTF-8
		}
		var told notices
		p, err := page.ReadTexts(context.Background(), []byte(source), page.Options{}, &told)
		if err != nil {
			return
		}
		obeys(t, source, block.Read(p, block.Options{Twice: twice}))
	})
}

func BenchmarkBlocks(b *testing.B) {
	names, _ := filepath.Glob(filepath.Join(rdftest.Shared(b, "text"), "readability", "*", "source.html"))
	var pages [][]byte
	total := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		pages = append(pages, data)
		total += len(data)
	}
	b.SetBytes(int64(total))
	for b.Loop() {
		for _, data := range pages {
			var told notices
			p, err := page.ReadTexts(context.Background(), data, page.Options{}, &told)
			if err != nil {
				b.Fatal(err)
			}
			if r := block.Read(p, block.Options{}); len(r.Text) == 0 {
				b.Log("no text")
			}
		}
	}
}
