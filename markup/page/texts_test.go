package page_test

import (
	"context"
	"math/rand"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/rdf/rdftest"
)

// What a page takes while its texts are found is less than what was estimated for it.
func TestNeedCoversTexts(t *testing.T) {
	const length = 256 << 10
	for _, piece := range []string{"<br>", "<hr a=1>", "<i a b c d e f></i>", "<p>Some text of a paragraph.</p>\n", `<b itemprop="a">x</b>`,
		"a<i>b</i>", "&amp;", "<a href='&amp;'>x</a>", "<td>x"} {
		source := []byte(strings.Repeat(piece, length/len(piece)))
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		p, err := page.ReadTexts(context.Background(), source, page.Options{}, &rdftest.Collector{})
		if err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if live := int64(after.HeapAlloc) - int64(before.HeapAlloc); live > p.Need {
			t.Errorf("%q: %d bytes are live, %d were estimated", piece, live, p.Need)
		}
		runtime.KeepAlive(p)
	}
}

func TestTextsAreBoundedByMemory(t *testing.T) {
	const length = 1 << 20
	for _, tag := range []string{"<br>", "<i a b c>", "<p x=y>"} {
		source := []byte(strings.Repeat(tag, length/len(tag)))
		_, err := page.ReadTexts(context.Background(), source, page.Options{MaxMemory: 32 * length}, &rdftest.Collector{})
		if fault.KindOf(err) != fault.Limit || fault.CodeOf(err) != fault.LimitMemory {
			t.Errorf("%s: %v", tag, err)
		}
	}
}

// Attributes of the tree of texts are those that HTML reads.
func TestTextsKeepAttributes(t *testing.T) {
	const source = `<p ID=a Class="b c" class=d hidden title='x > y' data-x=/y/ =z a&b="&lt;&copy=1">t</p>`
	p, err := page.ReadTexts(context.Background(), []byte(source), page.Options{}, &rdftest.Collector{})
	if err != nil {
		t.Fatal(err)
	}
	e := p.Root.Children[1].Element.Children[0].Element
	for name, want := range map[string]string{"id": "a", "class": "b c", "hidden": "", "title": "x > y", "data-x": "/y/", "=z": "",
		"a&b": "<&copy=1"} {
		if got, ok := e.Get(name); !ok || got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if s, ok := p.Stretch(&e.Children[0]); !ok || p.Source[s.Start:s.End] != "t" || len(e.Attrs) != 7 {
		t.Errorf("%+v %+v", s, e.Attrs)
	}
}

// The tokenizer of the parser is the judge of attributes.
func TestAttributesAreThoseOfTheParser(t *testing.T) {
	pieces := []string{"a", "b", "=", " ", "\"", "'", "/", "x", "&amp;", "&amp", "&copy", "&copy;", "&notit;", "&#38;", "&#38a", "&#x26;",
		"&nosuch;", "&", "\r\n", "\n", "é", "A", ">", "<", ";", "?c=1&d=2"}
	random := rand.New(rand.NewSource(4))
	for range 20000 {
		tag := "<p "
		for range random.Intn(10) {
			tag += pieces[random.Intn(len(pieces))]
		}
		tag += ">"
		z := html.NewTokenizer(strings.NewReader(tag))
		if z.Next() != html.StartTagToken {
			continue
		}
		p, err := page.ReadTexts(context.Background(), []byte(tag), page.Options{}, &rdftest.Collector{})
		if err != nil {
			t.Fatal(err)
		}
		token := z.Token()
		e := p.Root.Children[1].Element.Children[0].Element
		if len(e.Attrs) != len(token.Attr) {
			t.Fatalf("%q: %q, want %q", tag, e.Attrs, token.Attr)
		}
		for i, a := range token.Attr {
			if e.Attrs[i].Name != a.Key || e.Attrs[i].Value != a.Val {
				t.Fatalf("%q: %q, want %q", tag, e.Attrs[i], a)
			}
		}
	}
}
