package match_test

import (
	"context"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/rdftest"
	"laundromat/records"
	"laundromat/records/match"
	"laundromat/records/recordtest"
	"laundromat/records/spec"
)

func TestJSONPathSuite(t *testing.T) {
	text, err := os.ReadFile(rdftest.Shared(t, "records", "jsonpath", "cts.json"))
	if err != nil {
		t.Fatal(err)
	}
	var suite struct {
		Tests []struct {
			Name, Selector string
			Document       json.RawMessage
			Result         json.RawMessage
			Results        []json.RawMessage
			Invalid        bool `json:"invalid_selector"`
		}
	}
	if err := json.Unmarshal(text, &suite); err != nil {
		t.Fatal(err)
	}
	passed := 0
	for _, c := range suite.Tests {
		n := &spec.Node{Kind: spec.Map,
			Entries: []*spec.Entry{{Key: "f",
				Value: &spec.Node{Kind: spec.List, Items: []*spec.Node{{Kind: spec.Text, Text: c.Selector}}}}}}
		if c.Selector == "" || c.Selector[0] != '$' || c.Selector[len(c.Selector)-1] <= ' ' {
			// Elsewhere blanks around a selector are skipped, and a name stands for itself.
			if _, err := match.CheckJSONPath(c.Selector); (err != nil) == c.Invalid {
				passed++
			} else {
				t.Errorf("%s: %q: %v", c.Name, c.Selector, err)
			}
			continue
		}
		m, err := match.Compile(n, match.Options{Source: match.JSON})
		if (err != nil) != c.Invalid {
			t.Errorf("%s: %q: %v", c.Name, c.Selector, err)
			continue
		}
		if c.Invalid {
			passed++
			continue
		}
		k := &kept{}
		if _, err := m.Value(context.Background(), match.Document{}, recordtest.ValueOf(t, string(c.Document)), fault.Pos{},
			k); err != nil {
			t.Fatal(err)
		}
		got := any([]any{})
		if len(k.records) > 0 {
			_ = json.Unmarshal(k.records[0].Fields[0].Value.AppendJSON(nil), &got)
		}
		ok := false
		for _, want := range append(c.Results, c.Result) {
			var w any
			if len(want) > 0 && json.Unmarshal(want, &w) == nil {
				ok = ok || reflect.DeepEqual(got, w)
			}
		}
		if ok {
			passed++
		} else {
			t.Errorf("%s: %s on %s: %v, want %s%s", c.Name, c.Selector, c.Document, got, c.Result, c.Results)
		}
	}
	t.Logf("%d of %d", passed, len(suite.Tests))
	if len(suite.Tests) != 703 {
		t.Errorf("the suite has %d tests", len(suite.Tests))
	}
}

const feed = `<?xml version="1.0"?>
<Feed xmlns:dc="http://purl.org/dc/elements/1.1/">
  <Title>News</Title>
  <Item id="1"><Title>One</Title><dc:date>2009-08-19</dc:date><link href="a?x=1&amp;y=2"/></Item>
  <Item id="2"><Title>Two &amp; <![CDATA[<b>]]></Title><dc:creator Role="x">É</dc:creator><Item>inner</Item></Item>
</Feed>
`

func TestXML(t *testing.T) {
	for _, c := range []struct{ spec, want string }{
		{`{t: Title}`, `[{"t":"News"}]`},
		{`["Feed > Item", {id: {attr: ["", id]}, t: Title}]`, `[{"id":"1","t":"One"},{"id":"2","t":"Two & <b>"}]`},
		{`["feed > item", {id: {attr: [ID]}}]`, `[{"id":"1"},{"id":"2"}]`},
		{`["xpath:/Feed/Item", {t: "xpath:Title", r: "xpath:*/@Role"}]`, `[{"t":"One"},{"t":"Two & <b>","r":"x"}]`},
		{`["xpath:/feed/item", {t: "xpath:Title"}]`, `[]`},
		{`{d: 'dc\:date', e: "dc|creator"}`, `[{"d":"2009-08-19","e":"É"}]`},
		{`{d: "xpath://dc:date", r: {attr: ["dc|creator", Role]}}`, `[{"d":"2009-08-19","r":"x"}]`},
		{`{a: {html: "Item:nth-child(3)"}}`,
			`[{"a":"<Title>Two &amp; <![CDATA[<b>]]></Title><dc:creator Role=\"x\">É</dc:creator><Item>inner</Item>"}]`},
		{`{a: {html: link}, l: {link: link}}`, `[{"a":"","l":"http://host.example/list/a?x=1&y=2"}]`},
		{`{a: "//Feed/Item/Title"}`, `[{"a":"One"}]`},
		{`{a: ["Item Item"]}`, `[{"a":["inner"]}]`},
		{`{d: {to_date: "dc|date"}, n: {to_i: {attr: [Item, id]}}}`, `[{"d":"2009-08-19T00:00:00Z","n":1}]`},
	} {
		k := &kept{}
		m := compile(t, c.spec, match.Options{Source: match.XML})
		if _, err := m.XML(context.Background(), match.Document{URL: pageURL}, []byte(feed), k); err != nil {
			t.Fatal(err)
		}
		if got := k.json(); got != c.want {
			t.Errorf("%s: %s, want %s", c.spec, got, c.want)
		}
	}
	k := &kept{}
	m := compile(t, `["Feed > Item", {t: Title, c: "dc|creator"}]`, match.Options{})
	if _, err := m.XML(context.Background(), match.Document{}, []byte(feed), k); err != nil {
		t.Fatal(err)
	}
	f := k.records[1].Field("c")
	if k.records[1].Pos.Line != 5 || f.Pos.Line != 5 || f.Pos.Column != 77 || f.Element != `Feed > Item:nth-child(3) > dc\:creator` {
		t.Errorf("%+v %+v", k.records[1].Pos, f)
	}
}

func TestXMLThatWasMendedIsRepaired(t *testing.T) {
	k := &kept{}
	m := compile(t, `["a > b", {t: ""}]`, match.Options{})
	counts, err := m.XML(context.Background(), match.Document{}, []byte("<a><b>one & two</b><b>three</b></a>"), k)
	if err != nil || counts.Read != 2 || counts.Repaired != 1 || counts.Kept != 1 || !k.records[0].Repaired {
		t.Errorf("%+v %s %s %v", counts, k.json(), k.codes(), err)
	}
}

const portal = `{"name": "Portal", "count": 2, "results": [
 {"title": " One ", "size": 12, "tags": ["a", "b"], "owner": {"name": "X"}, "note": null, "html": "<b>x</b> &amp; y"},
 {"title": "Two", "size": "1,200", "tags": [], "Full name": "Y Z", "date": "2009-08-19"}
]}`

func TestJSON(t *testing.T) {
	for _, c := range []struct{ spec, want string }{
		{`{n: $.name}`, `[{"n":"Portal"}]`},
		{`{n: name, c: count}`, `[{"n":"Portal","c":2}]`},
		{`["$.results[*]", {t: $.title, s: $.size}]`, `[{"t":" One ","s":12},{"t":"Two","s":"1,200"}]`},
		{`["results[*]", {t: title, o: owner.name}]`, `[{"t":" One ","o":"X"},{"t":"Two"}]`},
		{`["$..results[?@.size > 10]", {t: {text: title}}]`, `[{"t":"One"}]`},
		{`["results[*]", {s: {to_i: size}, d: {to_date: date}}]`, `[{"s":12},{"s":1200,"d":"2009-08-19T00:00:00Z"}]`},
		{`["results[*]", {f: "Full name", n: note}]`, `[{"n":null},{"f":"Y Z"}]`},
		{`["results[*]", {t: tags, all: ["$.tags[*]"]}]`, `[{"t":["a","b"],"all":["a","b"]},{"t":[]}]`},
		{`["results[*]", {h: {no_html: html}}]`, `[{"h":"x & y"},{}]`},
		{`{x: {one: ["$.results[-1:]", {t: title}]}}`, `[{"x":{"t":"Two"}}]`},
		{`{s: {text: count}, o: {text: "$.results[0].owner"}}`, `[{"s":"2","o":"{\"name\":\"X\"}"}]`},
		{`{x: ["$..name"]}`, `[{"x":["Portal","X"]}]`},
		{`{"a, b": {regexp: ["$.results[1].size", '(\d),(\d+)']}}`, `[{"a":"1","b":"200"}]`},
		{`{x: {or: [$.none, null]}, y: $.none}`, `[{"x":null}]`},
		{`{"": ""}`, ``},
	} {
		for _, source := range []match.Source{match.JSON, match.Unknown} {
			k := &kept{}
			m := compile(t, c.spec, match.Options{Source: source})
			if _, err := m.Value(context.Background(), match.Document{}, recordtest.ValueOf(t, portal), fault.Pos{}, k); err != nil {
				t.Fatal(err)
			}
			if got := k.json(); got != c.want && c.want != "" {
				t.Errorf("%s: %s, want %s", c.spec, got, c.want)
			}
		}
	}
}

func TestRows(t *testing.T) {
	k := &kept{}
	m := compile(t, `{name: Full name, n: {to_i: Size}, k: {const: x}}`, match.Options{Source: match.JSON})
	sink, err := m.Rows(context.Background(), match.Document{}, k)
	if err != nil {
		t.Fatal(err)
	}
	row := &records.Record{Document: "t.csv", Table: "s", Pos: fault.Pos{Line: 3, Column: 1, Offset: 20}, Repaired: true,
		Fields: []records.Field{{Name: "Full name", Value: records.TextOf(" A "), Pos: fault.Pos{Line: 3, Column: 1, Offset: 20}},
			{Name: "Size", Value: records.TextOf("12"), Pos: fault.Pos{Line: 3, Column: 5, Offset: 24}}}}
	for range 2 {
		if err := sink.Record(row.Clone()); err != nil {
			t.Fatal(err)
		}
	}
	if want := `[{"name":" A ","n":12,"k":"x"},{"name":" A ","n":12,"k":"x"}]`; k.json() != want {
		t.Error(k.json())
	}
	r := k.records[1]
	if r.Document != "t.csv" || r.Table != "s" || !r.Repaired || r.Pos.Line != 3 || r.Fields[1].Pos.Column != 5 {
		t.Errorf("%+v", r)
	}
}

func TestSelectorsOfTheWrongKind(t *testing.T) {
	m := compile(t, "{a: $.b}", match.Options{})
	if _, err := m.HTML(context.Background(), match.Document{}, []byte("<b>"), &kept{}); err == nil {
		t.Error("JSONPath on a page")
	}
	m = compile(t, "{a: 'xpath://b'}", match.Options{})
	if _, err := m.Value(context.Background(), match.Document{}, records.TextOf("b"), fault.Pos{}, &kept{}); err == nil {
		t.Error("XPath on JSON")
	}
	if _, err := match.Compile(parse(t, "{a: 'xpath://b'}"), match.Options{Source: match.JSON}); err == nil {
		t.Error("XPath for JSON")
	}
}
