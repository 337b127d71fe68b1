package page_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/rdf/rdftest"
)

func read(t testing.TB, text string, opt page.Options) (*page.Page, *rdftest.Collector) {
	t.Helper()
	var got rdftest.Collector
	p, err := page.Read(context.Background(), strings.NewReader(text), opt, &got)
	if err != nil {
		t.Fatalf("%.200q: %v", text, err)
	}
	return p, &got
}

// script finds the first script.
func script(e *page.Element) *page.Script {
	if s := e.Script(); s != nil {
		return s
	}
	for i := range e.Children {
		if c := e.Children[i].Element; c != nil {
			if s := script(c); s != nil {
				return s
			}
		}
	}
	return nil
}

// Each character of a script is found in the page where it is, or where the
// reference does that it comes from.
func TestTextOfScriptsKeepsItsPlaces(t *testing.T) {
	for _, row := range []struct {
		name, text, script string
		host               page.Host
		other              string // characters that are in the page as references
	}{
		{"HTML", "<p>é</p>\n<script type=x>\r\n a\r b\nc &amp; é d</script><p>", "\r\n a\r b\nc &amp; é d", page.HTML, ""},
		{"HTML, with a comment", "<script type=x><!-- <script>x</script> --> y</script>", "<!-- <script>x</script> --> y", page.HTML, ""},
		{"HTML, never closed", "<script type=x>a\nb", "a\nb", page.HTML, ""},
		{"HTML, empty", "<script type=x></script>", "", page.HTML, ""},
		{"XML", "<r>\n<script>\n a &amp; b\nc &#233;&quot;d\n</script></r>", "\n a & b\nc é\"d\n", page.XML, `&é"`},
		{"XML, CDATA", "<r>\n<script>x<![CDATA[\n<a>\n]]>\ny</script></r>", "x\n<a>\n\ny", page.XML, ""},
		{"XML, CRLF", "<r>\r\n<script>\r\na\r\nb</script></r>", "\na\nb", page.XML, "\n"},
		{"XML, a comment in it", "<r><script>a<!-- x -->\nb</script></r>", "a\nb", page.XML, ""},
		{"XML, what is lost", "<r><script>a\r&nobody;b</script></r>", "a\nb", page.XML, "\n"},
		{"XML, an entity", "<!DOCTYPE r [<!ENTITY e 'long enough'>]><r><script>a &e; b</script></r>", "a long enough b", page.XML,
			"long enough"},
	} {
		p, _ := read(t, row.text, page.Options{Host: row.host})
		s := script(p.Roots[0])
		if s == nil || string(s.Text) != row.script {
			t.Errorf("%s: %+v", row.name, s)
			continue
		}
		for i, r := range row.script {
			in := page.Advance(fault.Pos{Line: 1, Column: 1}, []byte(row.script[:i]))
			at := s.Place(in)
			if strings.ContainsRune(row.other, r) {
				continue
			}
			if !strings.HasPrefix(row.text[at.Offset:], string(r)) {
				t.Errorf("%s: %q at %+v is at %+v of the page", row.name, r, in, at)
			}
			if want := page.Advance(fault.Pos{Line: 1, Column: 1}, []byte(row.text[:at.Offset])); at != want && r != '\n' {
				t.Errorf("%s: %q is at %+v, not %+v", row.name, r, at, want)
			}
		}
		if end := s.Place(fault.Pos{Line: 99, Column: 1, Offset: 9999}); end.Offset > int64(len(row.text)) {
			t.Errorf("%s: it ends behind the page, at %+v", row.name, end)
		}
	}
}

// Only scripts have text to be read as such.
func TestOnlyScriptsAreScripts(t *testing.T) {
	for _, text := range []string{"<p>a</p>", "<style type=x>a</style>", "<svg><script type=x>a</script></svg>",
		"<template><script type=x>a</script></template>", "<textarea><script type=x>a</script></textarea>"} {
		p, _ := read(t, text, page.Options{Host: page.HTML})
		if s := script(p.Roots[0]); s != nil {
			t.Errorf("%s: %+v", text, s)
		}
	}
}

func TestPiecesOfTextAreOneChild(t *testing.T) {
	p, got := read(t, "<r>a &amp; b<![CDATA[<c>]]>\r\nd<e/>f</r>", page.Options{Host: page.XML})
	r := p.Roots[0]
	if len(r.Children) != 3 || r.Children[0].Text != "a & b<c>\nd" || r.Children[1].Element.Name != "e" || r.Children[2].Text != "f" ||
		len(got.Notices) > 0 {
		t.Errorf("%+v %v", r.Children, got.Notices)
	}
}

// A page that its tags make too large for its memory is refused before it is parsed. One of the same
// length that is text is read.
func TestMemoryIsWhatTagsAndAttributesTake(t *testing.T) {
	const length = 1 << 20
	opt := page.Options{MaxMemory: 32 * length}
	read(t, strings.Repeat("text and more text, ", length/20), opt)
	for _, tag := range []string{"<br>", "<i a b c>", "<i/>", "<p x=y>"} {
		var got rdftest.Collector
		_, err := page.Read(context.Background(), strings.NewReader(strings.Repeat(tag, length/len(tag))), opt, &got)
		if fault.KindOf(err) != fault.Limit || fault.CodeOf(err) != fault.LimitMemory {
			t.Errorf("%s: %v", tag, err)
		}
	}
	if _, err := page.Read(context.Background(), strings.NewReader(strings.Repeat("x", 1000)), page.Options{MaxMemory: 10000},
		&rdftest.Collector{}); fault.CodeOf(err) != fault.LimitMemory {
		t.Errorf("more than the memory holds even without tags: %v", err)
	}
}

// What the tree takes once it is made is less than what was estimated for all.
func TestNeedCoversTheTree(t *testing.T) {
	const length = 256 << 10
	for _, piece := range []string{"<br>", "<hr a=1>", "<i a b c d e f></i>", "<p>Some text of a paragraph.</p>\n", `<b itemprop="a">x</b>`,
		"<r/>a", "&amp;", "<script>1</script>"} {
		for _, host := range []page.Host{page.HTML, page.XML} {
			text := "<r>" + strings.Repeat(piece, length/len(piece))
			if host == page.XML {
				text = strings.NewReplacer("<br>", "<br/>", "=1>", "='1'/>").Replace(text) + "</r>"
			}
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			p, _ := read(t, text, page.Options{Host: host})
			runtime.GC()
			runtime.ReadMemStats(&after)
			if live := int64(after.HeapAlloc) - int64(before.HeapAlloc); live > p.Need {
				t.Errorf("%q as %d: %d bytes are live, %d were estimated", piece, host, live, p.Need)
			}
			runtime.KeepAlive(p)
		}
	}
}

// An attribute that occurs twice counts once, the first, however many others there are.
func TestFirstOfTwoAttributesCounts(t *testing.T) {
	var many strings.Builder
	for i := range 50000 {
		fmt.Fprintf(&many, " a%d", i)
	}
	for _, text := range []string{"<p id=1 id=2>", "<p id=1" + many.String() + " id=2>"} {
		p, _ := read(t, text, page.Options{Host: page.HTML})
		body := p.Roots[0].Children[len(p.Roots[0].Children)-1].Element
		e := body.Children[0].Element
		if id, _ := e.Get("id"); id != "1" || len(e.Attrs) != 1+strings.Count(text, " a") {
			t.Errorf("%.20s: %q, %d attributes", text, id, len(e.Attrs))
		}
	}
}

// TestWhatHTMLLeavesOutIsTold: of two values of an attribute that says something, and of the character U+0000, which
// the rules of HTML skip.
func TestWhatHTMLLeavesOutIsTold(t *testing.T) {
	_, got := read(t, "<body>\n<p property=a property=b class=c class=d rel=e rel=e>x\x00y</p>\n<p id=1 id=2 content='\x00'><!-- \x00 -->",
		page.Options{Host: page.HTML})
	var told []string
	for _, n := range got.Notices {
		if n.Code != fault.HTMLCutShort {
			told = append(told, fmt.Sprintf("%d:%d %s %s", n.Line, n.Column, n.Severity, n.Code))
		}
	}
	want := "2:1 warning syntax/xml-duplicate-attribute, 2:55 warning syntax/xml-control-character, 3:23 warning syntax/xml-control-character"
	if have := strings.Join(told, ", "); have != want {
		t.Errorf("%s, want %s", have, want)
	}
}

// TestNamesThatXMLForbidsAreToldInPagesOfXML: those of elements and attributes, and no others.
func TestNamesThatXMLForbidsAreToldInPagesOfXML(t *testing.T) {
	_, got := read(t,
		"<?xml version=\"1.0\"?>\n<html xmlns=\"http://www.w3.org/1999/xhtml\"><p° x²=\"1\" é=\"2\" :y=\"3\"/>\n<a:b:c/><straße·/></html>",
		page.Options{})
	var told []string
	for _, n := range got.Notices {
		told = append(told, fmt.Sprintf("%d:%d %s %s", n.Line, n.Column, n.Severity, n.Code))
	}
	want := "2:44 repair syntax/xml-bad-name, 2:48 repair syntax/xml-bad-name, 2:61 repair syntax/xml-bad-name, 3:1 repair syntax/xml-bad-name"
	if have := strings.Join(told, ", "); have != want {
		t.Errorf("%s, want %s", have, want)
	}
}
