package microdata_test

import (
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/rdf"
)

// Whatever a page holds: its Microdata is read to the end, the same every time. Each statement is a
// triple of the default graph, and what is lost is reported with its place. Text without an item gives
// no statement.
func FuzzProcess(f *testing.F) {
	for i, text := range []string{
		typed(`<b itemprop="p q" lang=en>x</b><meta itemprop=p content=y><time itemprop=p>2012</time><meter itemprop=p value=1e3>`),
		`<p itemscope itemref="a b"><b id=a itemprop=x itemscope itemref=b></b><i id=b itemprop=z itemscope itemref="a c" itemid="d e"></i></p><p itemprop=q>t`,
		`<p itemprop=a itemscope itemtype="http://a/b c"><b itemprop=""></b><b itemprop-reverse=r>x</b><link itemprop-reverse=r href=y><a itemprop=og:x>z</a><img itemprop=i>`,
		`<?xml version="1.0"?><html xml:base="http://q/" xml:lang="de"><p itemscope="" itemid="&x;"><b itemprop=p>&y;</b></p><p itemscope=""><b itemprop="p">A & B</b></html>`,
		`<table itemscope><tr itemprop=a><template><p itemscope></template><noscript><p itemscope itemtype=http://a/#b><b itemprop="<">`,
		"<", "",
	} {
		f.Add(text, uint8(i))
	}
	f.Fuzz(func(t *testing.T, text string, host uint8) {
		if len(text) > 4<<10 {
			return
		}
		in, opt := rdf.Input{Base: "http://b/doc"}, page.Options{Host: page.Host(host % 5)}
		if host&8 != 0 {
			in.Base = ""
		}
		got := read(t, text, in, opt)
		if again := read(t, text, in, opt); !slices.Equal(shown(got), shown(again)) {
			t.Fatalf("a second reading differs:\n%v\n%v", shown(got), shown(again))
		}
		for i := range got.Quads {
			q := &got.Quads[i]
			if q.Subject.Kind == rdf.Literal || q.Predicate.Kind != rdf.IRI || q.Graph.Kind != rdf.NoTerm || q.Object.Kind == rdf.NoTerm {
				t.Fatalf("no triple: %s", rdf.AppendQuad(nil, q))
			}
			if at := q.Object.Pos.Offset; at < 0 || at > int64(len(text)) {
				t.Fatalf("a place outside of the text: %+v", q.Object.Pos)
			}
		}
		if len(got.Quads) > 0 && !strings.Contains(strings.ToLower(text), "itemscope") {
			t.Fatalf("statements of no item: %v", got.Lines())
		}
		for _, n := range got.Notices {
			if n.Offset < 0 || n.Offset+n.Bytes > int64(len(text)) || n.Message == "" || n.Severity != fault.Drop && n.Lost != 0 {
				t.Fatalf("notice %+v", n)
			}
		}
	})
}
