package page

import (
	"bytes"
	"math/rand"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/net/html"

	"laundromat/rdf/rdftest"
)

// compareScans holds the tokens of the scanner against those of the parser's own tokenizer.
func compareScans(t *testing.T, source []byte) {
	t.Helper()
	z := html.NewTokenizer(bytes.NewReader(source))
	s := textScanner{source: source}
	at := 0
	for {
		want := z.Next()
		raw := z.Raw()
		got := s.next()
		if want == html.SelfClosingTagToken {
			want = html.StartTagToken
			if !s.selfEnds {
				t.Fatalf("%q ends by itself", raw)
			}
		} else if want == html.StartTagToken && s.selfEnds {
			t.Fatalf("%q does not end by itself", raw)
		}
		if want == html.StartTagToken {
			switch name := nameOf(raw); name {
			case "noscript", "noframes":
				z.NextIsNotRawText()
			}
		}
		if got != want || s.from != at || s.to != at+len(raw) {
			t.Fatalf("%q: at %d the scanner has %v %q, the tokenizer %v %q", source[max(0, at-60):min(len(source), at+60)], at, got,
				source[s.from:s.to], want, raw)
		}
		at += len(raw)
		if want == html.ErrorToken {
			return
		}
	}
}

func TestScannerCutsAsTheParserDoes(t *testing.T) {
	for _, text := range []string{"", "a", "<", "a<", "<a", "</", "</a", "<a>", "a < b <c d=e/>f</c>", "<a b='>'>x", "<a b=\">\" c>x</a b>",
		"<!-->x-->", "<!--->x", "<!---->x",
		"<!--a--!>b", "<!--a--b-->c", "<!--a->b", "<!doctype html>x", "<!DOCTYP>x", "<!d", "<!", "<?php a ?>b", "</>x", "</1>x",
		"<script>a</script>b",
		"<script><!-- <script>a</script> --></script>b", "<script><!-- a</script>b", "<script><!--></script>b", "<SCRIPT>a</SCRIPT\n>b",
		"<style>a<b></style>c",
		"<title>a &amp; <b></title>c", "<textarea>\n<b></textarea>", "<xmp><b></xmp>", "<plaintext>a</plaintext>", "<a =b=c>d", "<a / b>c",
		"<a/b/c=d/>e", "<a b= >c",
		"<a b=c'd>e", "<script", "<script>", "<title>", "<title></titles></title>", "<iframe><p></iframe>x", "<noscript><p></noscript>",
		"<a b", "<a b=", "<a b=\"", "a</ b>c",
		"<![CDATA[a>b]]>c", "<a\x00b c\x00d>e", "<script><!--<script></script></script>--></script>x", "<style></style>a"} {
		compareScans(t, []byte(text))
	}
}

// The generator strings pieces of markup together at random.
func TestScannerCutsRandomMarkupAsTheParserDoes(t *testing.T) {
	pieces := []string{"<", ">", "/", "!", "--", "-", "a", " ", "\n", "=", "\"", "'", "<a", "</a>", "<p>", "<script>", "</script>", "<!--",
		"-->", "<style>", "</style", "<title>",
		"</title>", "<textarea>", "</textarea>", "<!doctype", "<?", "?>", "&amp;", "<br/>", "b=c", "<![CDATA[", "]]>", "<iframe>",
		"</iframe >", "\x00", "é"}
	random := rand.New(rand.NewSource(1))
	for range 20000 {
		var b []byte
		for range 1 + random.Intn(12) {
			b = append(b, pieces[random.Intn(len(pieces))]...)
		}
		compareScans(t, b)
	}
}

func TestScannerCutsPagesAsTheParserDoes(t *testing.T) {
	names, _ := filepath.Glob(filepath.Join(rdftest.Shared(t, "text"), "readability", "*", "source.html"))
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		compareScans(t, source)
	}
}
