package microdata_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/rdf"
	"laundromat/rdf/microdata"
	"laundromat/rdf/rdftest"
)

func read(t testing.TB, text string, in rdf.Input, opt page.Options) *rdftest.Collector {
	t.Helper()
	var got rdftest.Collector
	p, err := page.Read(context.Background(), strings.NewReader(text), opt, &got)
	if err == nil {
		err = microdata.Process(context.Background(), p, in, &got)
	}
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return &got
}

// short writes lines with the names that these tests use cut short.
var short = strings.NewReplacer("http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf:", rdf.XSD, "xsd:", "http://schema.org/", "s:",
	"<http://b/doc", "<")

// shown are the quads, "R " before those that were repaired, and the notices as
// "severity code line:column lost".
func shown(c *rdftest.Collector) (all []string) {
	for i, line := range c.Lines() {
		line = strings.TrimSuffix(short.Replace(line), " .")
		if c.Quads[i].Repaired {
			line = "R " + line
		}
		all = append(all, line)
	}
	for _, n := range c.Notices {
		all = append(all, fmt.Sprintf("%s %s %d:%d %d", n.Severity, n.Code, n.Line, n.Column, n.Lost))
	}
	return all
}

func hold(t *testing.T, got *rdftest.Collector, want []string) {
	t.Helper()
	if lines := shown(got); !slices.Equal(lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	for _, n := range got.Notices {
		if _, ok := fault.Explain(n.Code); !ok || n.Message == "" || n.Excerpt == "" {
			t.Errorf("notice %+v", n)
		}
	}
}

// typed is an item with a type, in which a row is.
func typed(inner string) string {
	return `<div itemscope itemid="#i" itemtype="http://schema.org/T">` + inner + `</div>`
}

// Each row: what is in an item, and the predicate and object it gives.
func TestValuesAreWhatTheElementsSay(t *testing.T) {
	for _, row := range []struct{ inner, want string }{
		{`<b itemprop="p">a<i>b</i><!-- c --> d</b>`, `<s:p> "ab d"`},
		{`<b itemprop="p" lang="en">x</b>`, `<s:p> "x"@en`},
		{`<p lang="de"><b itemprop="p">x</b></p>`, `<s:p> "x"@de`},
		{`<p lang="de"><b itemprop="p" lang="">x</b></p>`, `<s:p> "x"`},
		{`<meta itemprop="p" content="x">`, `<s:p> "x"`},
		{`<meta itemprop="p" content="x" lang="en">`, `<s:p> "x"@en`},
		{`<span itemprop="p" content="x">y</span>`, `<s:p> "x"`},
		{`<a itemprop="p" href="u">y</a>`, `<s:p> <http://b/u>`},
		{`<a itemprop="p" href=" u ">y</a>`, `<s:p> <http://b/u>`},
		{`<a itemprop="p" href="">y</a>`, `<s:p> <>`},
		{`<area itemprop="p" href="u">`, `<s:p> <http://b/u>`},
		{`<link itemprop="p" href="http://x/../u">`, `<s:p> <http://x/u>`},
		{`<audio itemprop="p" src="u"></audio>`, `<s:p> <http://b/u>`},
		{`<embed itemprop="p" src="u">`, `<s:p> <http://b/u>`},
		{`<iframe itemprop="p" src="u"></iframe>`, `<s:p> <http://b/u>`},
		{`<img itemprop="p" src="u" alt="y">`, `<s:p> <http://b/u>`},
		{`<video><source itemprop="p" src="u"><track src="v"></video>`, `<s:p> <http://b/u>`},
		{`<video><track itemprop="p" src="u"></video>`, `<s:p> <http://b/u>`},
		{`<video itemprop="p" src="u"></video>`, `<s:p> <http://b/u>`},
		{`<object itemprop="p" data="u"></object>`, `<s:p> <http://b/u>`},
		{`<data itemprop="p" value="5">y</data>`, `<s:p> "5"^^<xsd:integer>`},
		{`<data itemprop="p" value="-5">y</data>`, `<s:p> "-5"^^<xsd:integer>`},
		{`<data itemprop="p" value="5.5">y</data>`, `<s:p> "5.5"^^<xsd:double>`},
		{`<data itemprop="p" value=".5">y</data>`, `<s:p> ".5"^^<xsd:double>`},
		{`<data itemprop="p" value="+5">y</data>`, `<s:p> "+5"`},
		{`<data itemprop="p" value="five" lang="en">y</data>`, `<s:p> "five"`},
		{`<data itemprop="p" lang="en">y</data>`, `<s:p> "y"@en`},
		{`<meter itemprop="p" value="1e3">y</meter>`, `<s:p> "1e3"^^<xsd:double>`},
		{`<time itemprop="p" datetime="2012-03-18">y</time>`, `<s:p> "2012-03-18"^^<xsd:date>`},
		{`<time itemprop="p" datetime="00:00:00">y</time>`, `<s:p> "00:00:00"^^<xsd:time>`},
		{`<time itemprop="p" datetime="2012-03-18T00:00:00Z">y</time>`, `<s:p> "2012-03-18T00:00:00Z"^^<xsd:dateTime>`},
		{`<time itemprop="p" datetime="2012-03">y</time>`, `<s:p> "2012-03"^^<xsd:gYearMonth>`},
		{`<time itemprop="p" datetime="2012">y</time>`, `<s:p> "2012"^^<xsd:gYear>`},
		{`<time itemprop="p" datetime="P2Y6MT1H">y</time>`, `<s:p> "P2Y6MT1H"^^<xsd:duration>`},
		{`<time itemprop="p" datetime="D-Day" lang="en">y</time>`, `<s:p> "D-Day"@en`},
		{`<time itemprop="p">2012-03-18</time>`, `<s:p> "2012-03-18"^^<xsd:date>`},
		{`<time itemprop="p" lang="en">soon</time>`, `<s:p> "soon"@en`},
		{`<b itemprop="p" itemscope itemid="http://x/"></b>`, `<s:p> <http://x/>`},
		{`<b itemprop="http://x/p">y</b>`, `<http://x/p> "y"`},
		{`<b itemprop="a/b">y</b>`, `<s:a/b> "y"`},
	} {
		got := read(t, typed(row.inner), rdf.Input{Base: "http://b/doc"}, page.Options{Host: page.HTML})
		if lines := shown(got); len(lines) != 2 || lines[1] != "<#i> "+row.want {
			t.Errorf("%s\n%s\nwant %s", row.inner, strings.Join(lines, "\n"), row.want)
		}
	}
}

func TestNamesBelongToTheVocabularyOfTheType(t *testing.T) {
	for _, row := range []struct{ typ, want string }{
		{"http://schema.org/Person", "<s:n>"},
		{"http://schema.org/Person/Teacher", "<s:n>"},
		{"https://schema.org/Person", "<https://schema.org/n>"},
		{"http://microformats.org/profile/hcard", "<http://microformats.org/profile/hcard#n>"},
		{"http://example.org/Book", "<http://example.org/n>"},
		{"http://example.org/a/b/Book?x/y", "<http://example.org/a/b/n>"},
		{"http://purl.org/vocab/frbr/core#Work", "<http://purl.org/vocab/frbr/core#n>"},
		{"http://a/B http://c/D", "<http://a/n>"},
		{"B http://c/D", "<http://c/n>"},
		{"", "<#n>"},
		{"B", "<#n>"},
	} {
		got := read(t, `<p itemscope itemid="#i" itemtype="`+row.typ+`"><b itemprop="n">x</b></p>`, rdf.Input{Base: "http://b/doc"},
			page.Options{})
		if n := len(got.Quads); n == 0 || strings.TrimSuffix(short.Replace(got.Lines()[n-1]), " .") != "<#i> "+row.want+` "x"` {
			t.Errorf("%s: %v", row.typ, shown(got))
		}
	}
}

// Each row: a page, and what is kept and found.
func TestItemsAndTheirFaults(t *testing.T) {
	for _, row := range []struct {
		name, text string
		want       []string
	}{
		{"items in items, and types that are inherited", typed(`<p itemprop="p q" itemscope><b itemprop="r">x</b></p>`), []string{
			"<#i> <rdf:type> <s:T>", "<#i> <s:p> _:0-1", "<#i> <s:q> _:0-1", `_:0-1 <s:r> "x"`}},
		{"properties in properties", typed(`<p itemprop="p">a<b itemprop="q">b</b></p>`), []string{
			"<#i> <rdf:type> <s:T>", `<#i> <s:p> "ab"`, `<#i> <s:q> "b"`}},
		{"an item within an element of another that isn't a property",
			typed(`<p><b itemscope itemid="#j"><i itemprop="http://a/p">x</i></b></p>`), []string{
				"<#i> <rdf:type> <s:T>", `<#j> <http://a/p> "x"`}},
		{"several types", `<p itemscope itemtype="http://a/B http://c/D"></p>`, []string{"_:0-1 <rdf:type> <http://a/B>",
			"_:0-1 <rdf:type> <http://c/D>"}},
		{"a property that says what another says too", typed(`<link itemprop="additionalType" href="http://a/B">`), []string{
			"<#i> <rdf:type> <s:T>", "<#i> <s:additionalType> <http://a/B>", "<#i> <rdf:type> <http://a/B>"}},
		{"a name twice", typed(`<b itemprop="p p">x</b>`), []string{"<#i> <rdf:type> <s:T>", `<#i> <s:p> "x"`}},
		{"reversed properties",
			typed(`<link itemprop-reverse="p" href="u"><b itemprop="q" itemprop-reverse="r" itemscope itemid="#j"></b>`), []string{
				"<#i> <rdf:type> <s:T>", "<http://b/u> <s:p> <#i>", "<#i> <s:q> <#j>", "<#j> <s:r> <#i>"}},
		{"a reversed text", typed(`<b itemprop-reverse="p">x</b>`),
			[]string{"<#i> <rdf:type> <s:T>", "warning syntax/microdata-reverse 1:59 0"}},

		{"itemref", typed("") + "\n" + `<p itemscope itemid="#j" itemtype="http://schema.org/U" itemref="b a">` +
			`<b itemprop="p">1</b></p>` + "\n" + `<b id="a" itemprop="q">2</b><p id="b"><i itemprop="r">3</i></p>`, []string{
			"<#i> <rdf:type> <s:T>", "<#j> <rdf:type> <s:U>", `<#j> <s:p> "1"`, `<#j> <s:q> "2"`, `<#j> <s:r> "3"`}},
		{"one part of the page for two items of different types",
			`<b id="a" itemprop="p">x</b><p itemscope itemid="#i" itemtype="http://a/B" itemref="a"></p><p itemscope itemid="#j" itemtype="http://c/D" itemref="a"></p>`,
			[]string{
				"<#i> <rdf:type> <http://a/B>", `<#i> <http://a/p> "x"`, "<#j> <rdf:type> <http://c/D>", `<#j> <http://c/p> "x"`}},
		{"an item for two items is made once",
			`<b id="a" itemprop="p" itemscope itemtype="http://e/F"></b><p itemscope itemid="#i" itemtype="http://a/B" itemref="a"></p><p itemscope itemid="#j" itemtype="http://c/D" itemref="a"></p>`,
			[]string{
				"<#i> <rdf:type> <http://a/B>", `<#i> <http://a/p> _:0-1`, "_:0-1 <rdf:type> <http://e/F>", "<#j> <rdf:type> <http://c/D>",
				`<#j> <http://c/p> _:0-1`}},
		{"the language of where it stands",
			`<p lang="de"><b id="a" itemprop="http://a/p">x</b></p><p lang="en" itemscope itemid="#i" itemref="a"></p>`,
			[]string{`<#i> <http://a/p> "x"@de`}},
		{"itemref to nothing", `<p itemscope itemid="#i" itemref="a b"><b id="b" itemprop="http://a/p">x</b></p>`, []string{
			`<#i> <http://a/p> "x"`, "warning syntax/microdata-itemref 1:1 0", "warning syntax/microdata-itemref 1:1 0"}},
		{"itemref to itself", `<p id="a" itemscope itemid="#i" itemref="a"><b itemprop="http://a/p">x</b></p>`, []string{
			`<#i> <http://a/p> "x"`, "warning syntax/microdata-itemref 1:1 0"}},
		{"itemref to what is around it",
			`<div id="a"><p itemscope itemid="#i" itemref="a"><b itemprop="http://a/p">x</b></p><b itemprop="http://a/q">y</b></div>`,
			[]string{
				`<#i> <http://a/p> "x"`, `<#i> <http://a/q> "y"`}},
		{"itemref to what holds the item as a property",
			`<p itemscope itemid="#i" itemref="a"></p><div id="a"><b itemprop="http://a/p" itemscope itemid="#j" itemref="a"></b></div>`,
			[]string{
				`<#i> <http://a/p> <#j>`, "warning syntax/microdata-itemref 1:54 0"}},
		{"a circle", `<p itemscope itemid="#i" itemref="a"></p><b id="a" itemprop="http://a/p" itemscope itemid="#j" itemref="b"></b><b id="b" itemprop="http://a/q" itemscope itemid="#k" itemref="a"></b>`,
			[]string{
				"<#i> <http://a/p> <#j>", "<#j> <http://a/q> <#k>", "<#k> <http://a/p> <#j>", "warning syntax/microdata-itemref 1:112 0"}},
		{"a circle that nothing leads to", `<b id="a" itemprop="http://a/p" itemscope itemid="#j" itemref="a"></b>`, []string{
			"repair syntax/microdata-no-item 1:1 0", "warning syntax/microdata-itemref 1:1 0"}},

		{"an untyped item", `<p itemscope><b itemprop="p q">x</b><b itemprop="r">y</b></p>`, []string{
			`_:0-1 <#p> "x"`, `_:0-1 <#q> "x"`, `_:0-1 <#r> "y"`, "warning syntax/microdata-no-type 1:14 0"}},
		{"a name that no IRI holds", `<p itemscope itemtype="http://a/B"><b itemprop="<p>` + "`" + `é">x</b></p>`, []string{
			"_:0-1 <rdf:type> <http://a/B>", `_:0-1 <http://a/%3Cp%3E%60é> "x"`}},
		{"a prefix", `<p itemscope itemtype="http://a/B"><b itemprop="og:title mailto:x">x</b></p>`, []string{
			"_:0-1 <rdf:type> <http://a/B>", `_:0-1 <og:title> "x"`, `_:0-1 <mailto:x> "x"`, "warning syntax/microdata-prefix 1:36 0"}},
		{"no name", `<p itemscope itemtype="http://a/B"><b itemprop=" ">x</b><b itemprop itemscope itemtype="http://a/C"></b></p>`,
			[]string{
				"_:0-1 <rdf:type> <http://a/B>", "_:0-2 <rdf:type> <http://a/C>", "warning syntax/microdata-property 1:36 0",
				"warning syntax/microdata-property 1:57 0"}},
		{"a relative type", `<p itemscope itemid="#i" itemtype="B"></p>`, []string{"warning syntax/microdata-type 1:1 0"}},
		{"a type without an item", `<p itemtype="http://a/B"></p>`, []string{"warning syntax/microdata-type 1:1 0"}},
		{"a property of no item", "<p>\n é<b itemprop='p'>x</b>", []string{"warning syntax/microdata-no-item 2:3 0"}},
		{"an item that says to be of one",
			`<p itemprop="p" itemscope itemtype="http://a/B"><b itemprop="q" itemscope itemtype="http://a/C"></b></p>`, []string{
				"R _:0-1 <rdf:type> <http://a/B>", "R _:0-1 <http://a/q> _:0-2", "R _:0-2 <rdf:type> <http://a/C>",
				"repair syntax/microdata-no-item 1:1 0"}},
		{"links without an address", typed(`<a itemprop="p">x</a><img itemprop="p q"><meta itemprop="p">`), []string{
			"<#i> <rdf:type> <s:T>", `R <#i> <s:p> "x"`, "repair syntax/microdata-value 1:59 0",
			"drop syntax/microdata-value 1:80 1", "drop syntax/microdata-value 1:80 1", "drop syntax/microdata-value 1:100 1"}},
		{"in a template", "<template>" + typed("") + "</template>", nil},
		{"bytes that are not UTF-8 are left to package clean", typed("<b itemprop=p>caf\xe9</b>"),
			[]string{"<#i> <rdf:type> <s:T>", "<#i> <s:p> \"caf\xe9\""}},
	} {
		t.Run(row.name, func(t *testing.T) {
			hold(t, read(t, row.text, rdf.Input{Base: "http://b/doc"}, page.Options{Host: page.HTML}), row.want)
		})
	}
}

func TestWithoutABaseOnlyAbsoluteNamesAreIRIs(t *testing.T) {
	text := `<p itemscope itemid="#i"><b itemprop="p http://a/q">x</b></p>`
	hold(t, read(t, text, rdf.Input{}, page.Options{}), []string{`_:0-1 <http://a/q> "x"`,
		"warning syntax/microdata-itemid 1:1 0", "warning syntax/microdata-no-type 1:26 0", "drop syntax/microdata-property 1:26 1"})
	hold(t, read(t, text, rdf.Input{Base: "file:///d/x", BaseIsFile: true}, page.Options{}), []string{
		`<file:///d/x#i> <file:///d/x#p> "x"`, `<file:///d/x#i> <http://a/q> "x"`, "warning iri/relative 1:1 0",
		"warning syntax/microdata-no-type 1:26 0"})
	hold(t, read(t, `<base href="http://c/d#e">`+text, rdf.Input{}, page.Options{}), []string{
		`<http://c/d#i> <http://c/d#p> "x"`, `<http://c/d#i> <http://a/q> "x"`, "warning syntax/microdata-no-type 1:52 0"})
}

// In XML, what package xmltext mends marks the statements that it touched; what it
// can't costs the element or the value, and no more.
func TestFaultsOfXMLAreCountedOnStatements(t *testing.T) {
	for _, row := range []struct {
		name, inner string
		want        []string
	}{
		{"sound", `<b itemprop="p" xml:lang="en">x</b>`, []string{`<#i> <s:p> "x"@en`}},
		{"a bare ampersand", `<b itemprop="p">A & B</b><b itemprop="q">x</b>`, []string{`R <#i> <s:p> "A & B"`, `<#i> <s:q> "x"`,
			"repair syntax/xml-bare-ampersand 1:89 0"}},
		{"an attribute without quotation marks", `<b itemprop=p>x</b>`,
			[]string{`R <#i> <s:p> "x"`, "repair syntax/xml-unquoted-value 1:83 0"}},
		{"an entity that nobody declared", `<b itemprop="p">&nobody;</b>`, []string{"drop syntax/xml-unknown-entity 1:87 1"}},
		{"the same in a name", `<b itemprop="&nobody;">x</b><b itemprop="q">x</b>`,
			[]string{`<#i> <s:q> "x"`, "drop syntax/xml-unknown-entity 1:84 1"}},
		{"the same in what no one reads", `<b itemprop="p" title="&nobody;">x</b>`, []string{`<#i> <s:p> "x"`}},
		{"the same in the name of an item", `<b itemprop="p" itemscope="" itemid="&nobody;"><i itemprop="q">x</i></b><b itemprop="r">x</b>`,
			[]string{`<#i> <s:r> "x"`, "drop syntax/xml-unknown-entity 1:108 1"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := read(t, `<html><p itemscope="" itemid="#i" itemtype="http://schema.org/T">`+"     "+row.inner+`</p></html>`,
				rdf.Input{Base: "http://b/doc"}, page.Options{Host: page.XHTML5})
			hold(t, got, append([]string{"<#i> <rdf:type> <s:T>"}, row.want...))
		})
	}
}

// However items name each other, what comes of a page is bounded, and what is not
// made is reported.
func TestItemRefIsBounded(t *testing.T) {
	var chain, square strings.Builder
	chain.WriteString(`<p itemscope itemref="0"></p>`)
	for i := range 2000 {
		fmt.Fprintf(&chain, `<b id="%d" itemprop="http://a/p" itemscope itemref="%d"></b>`, i, i+1)
	}
	square.WriteString(`<div id="a">` + strings.Repeat(`<b itemprop="http://a/p">x</b>`, 3000) + `</div>`)
	square.WriteString(strings.Repeat(`<p itemscope itemref="a"></p>`, 3000))
	// Two ways from each item to the next would be 2^30 from the first to the last.
	var ways strings.Builder
	ways.WriteString(`<p itemscope itemref="0a 0b"></p>`)
	for i := range 30 {
		for _, way := range []string{"a", "b"} {
			fmt.Fprintf(&ways, `<b id="%d%s" itemprop="http://a/p" itemscope itemref="%da %db"></b>`, i, way, i+1, i+1)
		}
	}
	for _, row := range []struct {
		name, text string
		code       fault.Code
		atMost     int
	}{
		{"a chain", chain.String(), fault.LimitNesting, 2000},
		{"a square", square.String(), fault.LimitExpansion, 2 << 20},
		{"ways", ways.String(), "", 200},
	} {
		got := &count{codes: map[fault.Code]int{}}
		p, err := page.Read(context.Background(), strings.NewReader(row.text), page.Options{}, got)
		if err == nil {
			err = microdata.Process(context.Background(), p, rdf.Input{Base: "http://b/doc"}, got)
		}
		if err != nil || (got.codes[row.code] > 0) != (row.code != "") || got.quads > row.atMost {
			t.Errorf("%s: %v, %d statements, %v", row.name, err, got.quads, got.codes)
		}
	}
}

type count struct {
	quads int
	codes map[fault.Code]int // of drops
}

func (c *count) Quad(*rdf.Quad) error { c.quads++; return nil }
func (c *count) Notice(n fault.Notice) {
	if n.Severity == fault.Drop {
		c.codes[n.Code] += n.Lost
	}
}

func TestLongListsAreBounded(t *testing.T) {
	var names strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&names, "n%d ", i)
	}
	got := read(t, typed(`<b itemprop="`+names.String()+`">x</b>`), rdf.Input{Base: "http://b/"}, page.Options{})
	if len(got.Quads) != page.MaxWords+1 || len(got.Notices) != 1 || got.Notices[0].Code != fault.LimitExpansion || got.Lost() != 1 {
		t.Errorf("%d statements, %v", len(got.Quads), got.Notices)
	}
}

func TestFullDiskIsNotThePagesFault(t *testing.T) {
	p, err := page.Read(context.Background(), strings.NewReader(typed("")), page.Options{}, full{})
	if err != nil {
		t.Fatal(err)
	}
	err = microdata.Process(context.Background(), p, rdf.Input{}, full{})
	var sink *rdf.SinkError
	if !errors.As(err, &sink) || rdf.Blame(err) != fault.Local {
		t.Errorf("%v, blamed on %v", err, rdf.Blame(err))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := microdata.Process(ctx, p, rdf.Input{}, &rdftest.Collector{}); rdf.Blame(err) != fault.Stopped {
		t.Errorf("cancelled: %v", err)
	}
}

type full struct{}

func (full) Quad(*rdf.Quad) error { return syscall.ENOSPC }
func (full) Notice(fault.Notice)  {}
