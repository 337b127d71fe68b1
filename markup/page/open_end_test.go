package page_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/rdf/rdftest"
)

// wordsOf are the texts of a page, apart by spaces, but for those of scripts and styles.
func wordsOf(p *page.Texts, e *page.Element) (words string) {
	if e == nil || e.Name == "style" || e.Name == "script" {
		return ""
	}
	for i := range e.Children {
		c := &e.Children[i]
		if s, ok := p.Stretch(c); ok {
			words += " " + p.Source[s.Start:s.End]
		} else if c.Element != nil {
			words += " " + wordsOf(p, c.Element)
		}
	}
	return strings.Join(strings.Fields(words), " ")
}

// readWords are the words of a page, and the places of what is told as open.
func readWords(t *testing.T, source string) (words string, told []string) {
	t.Helper()
	var found rdftest.Collector
	p, err := page.ReadTexts(context.Background(), []byte(source), page.Options{}, &found)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range found.Notices {
		if n.Code == fault.TextCut {
			told = append(told, fmt.Sprint(n.Offset))
		}
	}
	return wordsOf(p, p.Root), told
}

// TestWhatDoesNotEndIsTold: an element whose text has no tags never takes what follows without a word, and goes no
// further than to where a block begins.
func TestWhatDoesNotEndIsTold(t *testing.T) {
	for _, row := range []struct{ source, words, told string }{
		{"<p>a</p><style>p{color:red}<p>b</p><p>c</p>", "a b c", "8"},
		{"<p>a</p><style>p{color:red}<p>b</p><style>q{}</style>c", "a b c", "8"},
		{"<p>a</p><style>p{color:red}", "a", "8"},
		{"<p>a</p><iframe src=x /><p>b</p><p>c</p>", "a b c", "8"},
		{"<p>a</p><iframe src=x /><p>b</p><iframe>x</iframe><p>c", "a b c", "8"},
		{"<p>a</p><iframe src=x />b", "a", "8"},
		{"<p>a</p><noembed>x<div>b</div>", "a b", "8"},
		{"<p>a</p><noframes><p>b</p><p>c</p>", "a b c", "8"},
		{"<p>a</p><script src=x.js><p>b</p>", "a b", "8"},
		{"<p>a</p><script>f('<p>no</p>')\n<p>b</p>", "a b", "8"},
		{"<p>a</p><script>document.write('<p>x</p>'", "a", "8"},
		{"<title>T<meta charset=utf-8><p>b</p>", "T b", "0"},
		{"<title>T</title><title>U<body><p>b</p>", "T U b", "16"},
		{"<p>a</p><textarea>x &amp; y<p>b</p>", "a x &amp; y b", "8"},
		{"<p>a</p><textarea>x", "a x", "8"},
		{"<p>a</p><xmp>x <b> y<div>b</div>", "a x <b> y b", "8"},
		{"<p>a</p><template><p>b</p>", "a", "8"},
		{"<p>a</p><template><p>b</p><template>c</template><p>d", "a", "8"},
		{"<STYLE>x<P>a<STYLE>y<P>b", "a b", "0 12"},
		{"<!doctype html><html><body><p>a</p><style>x<p>b", "a b", "35"},
		// These end.
		{"<p>a</p><style>p::after{content:'<p>'}</style><p>b", "a b", ""},
		{"<p>a</p><iframe><p>no frames</p></iframe><p>b", "a b", ""},
		{"<p>a</p><template><p>b</p></template><p>c", "a c", ""},
		{"<p>a</p><noframes><p>b</p></noframes><p>c", "a b c", ""},
		{"<plaintext>a<p>b", "a<p>b", ""},
	} {
		words, told := readWords(t, row.source)
		if words != row.words || strings.Join(told, " ") != row.told {
			t.Errorf("%s: %q, told at %v; want %q, %s", row.source, words, told, row.words, row.told)
		}
	}
}

// TestNothingPassesTheEndOfNoscript: what is in it is read apart.
func TestNothingPassesTheEndOfNoscript(t *testing.T) {
	for _, row := range []struct{ inner, words, told string }{
		{"<style>.x{display:none}", "a b", "18"},
		{"<iframe src=x />", "a b", "18"},
		{"<iframe src=x height=0", "a b", "18"},
		{`<img src="x>`, "a b", "18"},
		{"<!-- x", "a b", "18"},
		{"<script>x", "a b", "18"},
		{"<textarea>x", "a x b", "18"},
		{"<xmp>x", "a x b", "18"},
		{"<title>x", "a x b", "18"},
		{"x <a href='y", "a x b", "20"},
		{"<p>x", "a x b", ""},
		{"<p>x</p>", "a x b", ""},
		{"x</b", "a x b", "19"},
		{"<style>.x{}</style>x", "a x b", ""},
		{"x", "a x b", ""},
	} {
		words, told := readWords(t, "<p>a</p><noscript>"+row.inner+"</noscript><p>b</p>")
		if words != row.words || strings.Join(told, " ") != row.told {
			t.Errorf("%s: %q, told at %v; want %q, %s", row.inner, words, told, row.words, row.told)
		}
	}
	// In the head, too, and without an end of its own.
	for source, want := range map[string]string{
		"<head><noscript><style>x</noscript><title>T</title></head><body>a": "T a",
		"<p>a</p><noscript><p>b":                           "a b",
		"<noscript>a<style>x</noscript>b<style>y</style>c": "a b c",
	} {
		if words, _ := readWords(t, source); words != want {
			t.Errorf("%s: %q", source, words)
		}
	}
}

// TestForeignElementsAreNeverRaw: in SVG and MathML elements are like others, a slash ends them, and a paragraph ends
// what is foreign.
func TestForeignElementsAreNeverRaw(t *testing.T) {
	for source, want := range map[string]string{
		"<p>a</p><svg><style>path{fill:red}<p>b</p>c":                           "a b c",
		"<p>a</p><svg><textarea/></svg><p>b</p>":                                "a b",
		"<p>a</p><svg><script/></svg><p>b</p>":                                  "a b",
		"<p>a</p><svg><style/></svg><p>b</p>":                                   "a b",
		"<p>a</p><svg><xmp/></svg><p>b</p>":                                     "a b",
		"<p>a</p><svg><plaintext/></svg><p>b</p>":                               "a b",
		"<p>a</p><svg><iframe/></svg><p>b</p>":                                  "a b",
		"<p>a</p><svg><noembed/><noframes/></svg><p>b</p>":                      "a b",
		"<p>a</p><svg><title/></svg><p>b</p>":                                   "a b",
		"<p>a</p><svg><title>t</title></svg><p>b</p>":                           "a t b",
		"<p>a</p><math><style>x</math><p>b</p>":                                 "a b",
		"<p>a</p><math><mi><style>x</style>y</mi></math><p>b</p>":               "a y b",
		"<p>a</p><svg><foreignObject><style>x</style>y</foreignObject></svg>b":  "a y b",
		"<p>a</p><svg><foreignObject><textarea><b></textarea></foreignObject>b": "a <b> b",
		"<svg><text>a<![CDATA[<b>]]></text></svg>":                              "a <b>",
		"<svg><g><div>a</div></svg><style>x</style>b":                           "a b",
		"<svg/><style>x</style>a":                                               "a",
		"<svg><script>if (a<b) c()</script></svg>d":                             "d",
	} {
		if words, _ := readWords(t, source); words != want {
			t.Errorf("%s: %q, want %q", source, words, want)
		}
	}
}

// Time does not rise with the square of what is open.
func TestManyOpenElementsTakeNoLonger(t *testing.T) {
	for _, piece := range []string{"<style><p>", "<iframe><p>", "<style><p><iframe><p><title><p><textarea><p><xmp><p>",
		"<noscript><style></noscript><style><p>", "<noscript><!--</noscript>",
		"<script>\n<p>", "<template>", "<svg><p>", "<style>", "<noframes>", "<noscript>"} {
		source := strings.Repeat(piece, 1<<20/len(piece))
		begin := time.Now()
		if _, err := page.ReadTexts(context.Background(), []byte(source), page.Options{MaxBytes: 4 << 20},
			&rdftest.Collector{}); err != nil && fault.KindOf(err) != fault.Limit {
			t.Errorf("%s: %v", piece, err)
		}
		if took := time.Since(begin); took > 30*time.Second { // of what rises with the square it is minutes
			t.Errorf("%s: %v", piece, took)
		}
	}
}
