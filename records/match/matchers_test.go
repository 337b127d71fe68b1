package match_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/match"
	"laundromat/records/spec"
)

const shop = `<!DOCTYPE html>
<html><head><title>Shop</title><base href="/shop/"></head><body>
<div id="top"><h1> The   <em>Shop</em> </h1><p class="intro">Tea &amp; <b>cake</b>, 26 seats</p></div>
<ul class="items">
 <li class="item" id="i1"><a class="name" href="tea?x=1&amp;y=2">Tea</a> <span class="price">1,234</span> <i class="when">19 August 2009</i></li>
 <li class="item sale" id="i2"><a class="name" href="/cake">Cake</a> <span class="price">n/a</span> <b class="flag">yes</b></li>
 <li class="item" id="i3"><span class="name">Milk</span><span class="price"></span></li>
</ul>
<p class="tel">+49.305-555-1212 and +49.305-555-6969</p>
<img class="logo" src="logo.png">
</body></html>`

// cases run over the page above; the spec is the value of the field f.
var cases = []struct{ spec, want string }{
	// A text is a selector.
	{`h1`, `"The   Shop"`},
	{`.item .name`, `"Tea"`},
	{`.nothing`, ``},
	{`".item:nth-child(2) .name"`, `"Cake"`},
	{`"#i3 > .price"`, `""`},
	{`"h1, .intro"`, `"The   Shop"`},
	{`".item + .sale a"`, `"Cake"`},
	{`"a:contains('cake')"`, `"Cake"`},
	{`"ul.items/li.sale/a"`, `"Cake"`},
	{`"//ul.items//a[@href='/cake']"`, `"Cake"`},
	{`"/html/body/p"`, `"+49.305-555-1212 and +49.305-555-6969"`},
	{`"xpath://li[2]/a"`, `"Cake"`},
	{`"xpath://li[2]/a/@href"`, `"/cake"`},
	{`"xpath:count(//li)"`, `3`},
	{`"xpath:string(//li[3]/span)"`, `"Milk"`},
	{`"xpath://nothing"`, ``},
	{`{one: ["#i1", "+ li .name"]}`, `"Cake"`},
	{`{one: ["#i2", ["~ li .name, .flag"]]}`, `["yes","Milk"]`},
	{`{one: ["#i1 .price", "~ .when"]}`, `"19 August 2009"`},
	{`{one: ["#i3", "+ li"]}`, ``},
	{`{one: ["ul", ":scope > .sale > .name"]}`, `"Cake"`},
	// Lists.
	{`[.name]`, `["Tea","Cake","Milk"]`},
	{`[.nothing]`, ``},
	{`[{href: .name}]`, `["tea?x=1&y=2","/cake"]`},
	{`[{to_i: .price}]`, `[1234,"n/a"]`},
	{`[.item, {n: .name, p: .nothing}]`, `[{"n":"Tea"},{"n":"Cake"},{"n":"Milk"}]`},
	{`[.item, {flag: .flag}]`, `[{},{"flag":"yes"},{}]`},
	{`[.item, .flag]`, `["yes"]`},
	{`[.item, [a]]`, `[["Tea"],["Cake"]]`},
	{`["xpath://li/@id"]`, `["i1","i2","i3"]`},
	{`[{or: [.nothing, .name]}]`, `["Tea","Cake","Milk"]`},
	{`[{regexp: [.price, '\d+']}]`, `["1"]`},
	// Records.
	{`{a: h1, b: .nothing}`, `{"a":"The   Shop"}`},
	{`{a: .nothing}`, ``},
	{`{record: {text: h1}}`, `{"text":"The   Shop"}`},
	{`{record: {record: h1}}`, `{"record":"The   Shop"}`},
	{`{record: {record: {record: {html: h1}}}}`, `{"record":{"html":"The   Shop"}}`},
	{`{one: [.sale, {n: .name, f: {to_bool: .flag}}]}`, `{"n":"Cake","f":true}`},
	{`{one: [.sale, .name]}`, `"Cake"`},
	{`{one: [.sale, [a]]}`, `["Cake"]`},
	{`{one: [.nothing, {const: 1}]}`, ``},
	{`{one: .sale .name}`, `"Cake"`},
	{`{one: ["", {one: [ul, {one: ["li", {attr: [id]}]}]}]}`, `"i1"`},
	// Attributes and links.
	{`{attr: [.name, href]}`, `"tea?x=1&y=2"`},
	{`{attr: [li, class]}`, `"item"`},
	{`{attr: [.name, title]}`, ``},
	{`{href: .name}`, `"tea?x=1&y=2"`},
	{`{href: h1}`, ``},
	{`{link: .name}`, `"http://host.example/shop/tea?x=1&y=2"`},
	{`{link: .sale a}`, `"http://host.example/cake"`},
	{`{link: .logo}`, `"http://host.example/shop/logo.png"`},
	{`{link: {attr: [img, src]}}`, `"http://host.example/shop/logo.png"`},
	{`{link: {const: "../x y"}}`, `"http://host.example/x%20y"`},
	{`[{link: a}]`, `["http://host.example/shop/tea?x=1&y=2","http://host.example/cake"]`},
	{`{page_url: true}`, `"http://host.example/list/page.html"`},
	{`{page_url: }`, `"http://host.example/list/page.html"`},
	// Texts and HTML.
	{`{text: h1}`, `"The   Shop"`},
	{`{text: {to_i: {const: "5 x"}}}`, `"5"`},
	{`{html: h1}`, `" The   <em>Shop</em> "`},
	{`{html: .intro}`, `"Tea &amp; <b>cake</b>, 26 seats"`},
	{`[{html: "#top *"}]`, `[" The   <em>Shop</em> ","Shop","Tea &amp; <b>cake</b>, 26 seats","cake"]`},
	{`{no_html: .intro}`, `"Tea & cake, 26 seats"`},
	{`{no_html: {html: .intro}}`, `"Tea & cake, 26 seats"`},
	{`{no_html: {const: "<p>a &lt; <b>b</b><script>x</script></p>"}}`, `"a < b"`},
	{`{html_encoded: .intro}`, `"Tea &amp;amp; &lt;b&gt;cake&lt;/b&gt;, 26 seats"`},
	{`{html_encoded: {text: .intro}}`, `"Tea &amp; cake, 26 seats"`},
	{`{html_encoded: {html: .intro}}`, `"Tea &amp;amp; &lt;b&gt;cake&lt;/b&gt;, 26 seats"`},
	{`{html_encoded: {const: "<a \"b\">"}}`, `"&lt;a &quot;b&quot;&gt;"`},
	// Regular expressions.
	{`{regexp: [.intro, '(\d+) seats']}`, `"26"`},
	{`{regexp: [.intro, '\d+']}`, `"26"`},
	{`{regexp: [.intro, 'no (\d+)']}`, ``},
	{`{regexp: [.nothing, '.']}`, ``},
	{`{regexp: [{html: .intro}, '<b>(.*)</b>']}`, `"cake"`},
	{`{regexp: [.intro, '<b>']}`, ``},
	{`{to_i: {regexp: [.intro, '(\d+)']}}`, `26`},
	{`{regexp: [.tel, '\+(\d+)\.(?P<area>\d+)', all]}`, `[{"area":"305"},{"area":"305"}]`},
	{`{regexp: [.tel, '\d{4}', all]}`, `["1212","6969"]`},
	{`{regexp: [.tel, '(?P<area>\d{3})-(?P<num>\d{3}-\d{4})', all]}`, `[{"area":"305","num":"555-1212"},{"area":"305","num":"555-6969"}]`},
	{`{regexp: [.tel, '(?P<area>\d{3})-(?P<num>\d{3}-\d{4})']}`, `{"area":"305","num":"555-1212"}`},
	{`{regexp: [.tel, '(?P<f>\d{3})-(?P<num>\d{3}-\d{4})']}`, `"305"`},
	{`{regexp: ['[A-Z]\w+']}`, `"Shop"`},
	{`{regexp: [[.price], '\d+']}`, `["1"]`},
	{`{regexp: [{regexp: [.tel, '\d+-\d+']}, '-(\d)']}`, `"5"`},
	// Conversions.
	{`{to_i: .price}`, `1234`},
	{`{to_i: .sale .price}`, `"n/a"`},
	{`{to_i: "#i3 .price"}`, ``},
	{`{to_f: {const: "1.50"}}`, `1.50`},
	{`{to_date: .when}`, `"2009-08-19T00:00:00Z"`},
	{`{to_bool: .flag}`, `true`},
	{`{to_bool: .price}`, `"1,234"`},
	{`{to_i: [.price]}`, `[1234,"n/a"]`},
	{`{to_i: {or: [.nothing, {const: "7"}]}}`, `7`},
	// Constants and alternatives.
	{`{const: null}`, `null`},
	{`{const: {a: [1, "2", true]}}`, `{"a":[1,"2",true]}`},
	{`{or: [.nothing, h1]}`, `"The   Shop"`},
	{`{or: [.nothing, null]}`, `null`},
	{`{or: [.nothing, ""]}`, `""`},
	{`{or: [.nothing, 0]}`, `0`},
	{`{or: [.nothing, .none]}`, ``},
	{`{or: ["#i3 .price", null]}`, `""`},
	{`{or: [{to_i: .sale .price}, null]}`, `null`},
	{`{or: [{to_i: .sale .price}, .nothing]}`, `"n/a"`},
	{`{or: [[.nothing], {const: []}]}`, `[]`},
	{`{or: [{one: [.nothing, {a: ""}]}, {one: [.sale, {b: .name}]}]}`, `{"b":"Cake"}`},
	{`{or: [{or: [.nothing, .none]}, {regexp: [h1, 'S\w+']}]}`, `"Shop"`},
}

func TestEachMatcher(t *testing.T) {
	for _, c := range cases {
		m, err := match.Compile(parse(t, "{record: {k: {const: 1}, f: "+c.spec+"}}"), match.Options{Source: match.HTML})
		if err != nil {
			t.Errorf("%s: %v", c.spec, err)
			continue
		}
		want := `[{"k":1,"f":` + c.want + `}]`
		if c.want == "" {
			want = `[{"k":1}]`
		}
		if got := onHTML(t, m, shop).json(); got != want {
			t.Errorf("%s: %s, want %s", c.spec, got, want)
		}
	}
}

func TestKeysWithCommas(t *testing.T) {
	for _, c := range []struct{ spec, want string }{
		{`{"cc, area, num": {regexp: [.tel, '\+(\d+)\.(\d+)-([\d-]+)']}}`, `[{"cc":"49","area":"305","num":"555-1212"}]`},
		{`{"num,cc": {regexp: [.tel, '\+(?P<cc>\d+)\.\d+-(?P<num>[\d-]+)']}}`, `[{"cc":"49","num":"555-1212"}]`},
		{`{"cc,,num": {regexp: [.tel, '\+(\d+)\.(\d+)-([\d-]+)']}}`, `[{"cc":"49","num":"555-1212"}]`},
		{`{"a, b": {regexp: [.tel, '(x)?\+(\d+)']}}`, `[{"b":"49"}]`},
		{`{"a, b": {to_i: {regexp: [.tel, '\+(\d+)\.(\d+)']}}}`, `[{"a":49,"b":305}]`},
		{`{"a, b": {regexp: [.tel, '\+(\d+)\.(\d+)', all]}}`, `[{"a":["49","49"],"b":["305","305"]}]`},
		{`{"a, b": {one: [.tel, {regexp: ['\+(\d+)\.(\d+)']}]}}`, `[{"a":"49","b":"305"}]`},
		{`{"a, b": {or: [{regexp: [h1, '(\d)(\d)']}, {regexp: [.tel, '\+(\d+)\.(\d+)']}]}}`, `[{"a":"49","b":"305"}]`},
		{`{"a, b": {or: [{regexp: [h1, '(\d)(\d)']}, null]}}`, `[{"a":null,"b":null}]`},
		{`{"a, b": {or: [{regexp: [h1, '(\d)(\d)']}, ""]}}`, `[{"a":"","b":""}]`},
		{`{"a, b": h1}`, `[{"a, b":"The   Shop"}]`},
		{`[.tel, {"a, b": {regexp: ["", '\+(\d+)\.(\d+)']}, c: ""}]`, `[{"a":"49","b":"305","c":"+49.305-555-1212 and +49.305-555-6969"}]`},
	} {
		if got := onHTML(t, compile(t, c.spec, match.Options{}), shop).json(); got != c.want {
			t.Errorf("%s: %s, want %s", c.spec, got, c.want)
		}
	}
}

func TestWhatSelectIs(t *testing.T) {
	for _, c := range []struct{ spec, want, notices string }{
		{`{a: h1}`, `[{"a":"The   Shop"}]`, ""},
		{`[.item, {a: .name}]`, `[{"a":"Tea"},{"a":"Cake"},{"a":"Milk"}]`, ""},
		{`[.item, {one: [a, {a: ""}]}]`, `[{"a":"Tea"},{"a":"Cake"}]`, ""},
		{`[.item, {flag: .flag}]`, `[{},{"flag":"yes"},{}]`, ""},
		{`{one: [.sale, {a: .name}]}`, `[{"a":"Cake"}]`, ""},
		{`{record: {a: .sale .name}}`, `[{"a":"Cake"}]`, ""},
		{`{or: [{one: [.none, {a: ""}]}, {record: {b: h1}}]}`, `[{"b":"The   Shop"}]`, ""},
		{`{a: .none, b: [.none]}`, `[]`, ""},
		{`[.none, {a: ""}]`, `[]`, ""},
		{`["", {a: h1}]`, `[{"a":"The   Shop"}]`, ""},
	} {
		k := onHTML(t, compile(t, c.spec, match.Options{}), shop)
		if got := k.json(); got != c.want || k.codes() != c.notices {
			t.Errorf("%s: %s %s, want %s %s", c.spec, got, k.codes(), c.want, c.notices)
		}
	}
}

func TestWrongSpecsAreRefused(t *testing.T) {
	long := strings.Repeat("a", 5000)
	for _, c := range []struct{ spec, want string }{
		{"text", "1:1: select is a mapping"},
		{"[li]", "1:1: select is a mapping, or a list of two"},
		{"[li, a]", "1:6: select makes a record for each match"},
		{"{text: h1}", `1:1: select makes records, and "text" alone makes a value`},
		{"a: 'li['", "1:4: a bracket is not closed"},
		{"a: 'li >'", "1:4: the selector \"li >\" ends with a combinator"},
		{"a: 'li > > b'", "1:4: "},
		{"a: 'li:frist'", "1:4: the selector \"li:frist\" is wrong"},
		{"a: 'a, ,b'", "1:4: a selector is empty"},
		{"a: 'li//'", "1:4: the path \"li//\" can't be read"},
		{"a: 'li/..'", "1:4: the path \"li/..\" can't be read: the parent"},
		{"a: 'li/a/@href'", "1:4: the path \"li/a/@href\" can't be read: a value of an attribute is written {attr:"},
		{"a: 'xpath://li['", "1:4: the expression \"//li[\" is wrong"},
		{"a: 'xpath:contains(@a, 1)'", "1:4: the expression"},
		{"a: {regexp: [li, '(']}", "1:18: the regular expression is wrong (RE2): missing closing )"},
		{"a: {regexp: [li, '(?=x)']}", "1:18: the regular expression is wrong (RE2)"},
		{"a: {regexp: [li, x, every]}", "1:21: the third item of regexp"},
		{"a: {regexp: [li, 1]}", "1:18: a regular expression is wanted here"},
		{"a: {regexp: [li, '" + long + "']}", "1:18: a regular expression has at most 4000 bytes"},
		{"a: {regexp: [li, '" + strings.Repeat("(a)", 1000) + "']}", "1:18: a regular expression has at most 100 groups"},
		{"a: {regexp: [li, '((a{100}){100}){9}']}", "1:18: "},
		{"a: {regexp: [li, '(?:ab|cd|ef){990}']}", "1:18: a regular expression has at most 5000 states"},
		{"\"a, b\": {regexp: [li, '(x)']}", "1:23: the expression has no group for the field \"b\""},
		{"\"cc, b\": {regexp: [li, '(?P<c>x)(y)']}", "1:24: the group \"c\" fills none of the fields: did you mean \"cc\"?"},
		{"{\"a, b\": {regexp: [li, '(x)(y)']}, b: p}", "1:36: the field \"b\" is filled twice"},
		{"a: 5", "1:4: a matcher is a text, a list or a mapping, not a number"},
		{"a: [a, b, c]", "1:4: a list is of one"},
		{"a: []", "1:4: a list is of one"},
		{"a: [[b]]", "1:5: a list of one has a selector or a matcher in it"},
		{"a: [{b: c, d: e}]", "1:5: a record for each match needs the selector"},
		{"a: [{b: c, d: e}, {f: g}]", "1:5: a list of two is a selector"},
		{"a: {one: {b: c}}", "1:10: one is a list of two"},
		{"a: {attr: [a, b, c]}", "1:11: attr is a list of two"},
		{"a: {attr: [a, 1]}", "1:15: the name of an attribute is wanted"},
		{"a: {html: {href: a}}", "1:11: html takes a selector"},
		{"a: {to_i: {b: c, d: e}}", "1:11: to_i takes a value, and this makes a record"},
		{"a: {or: x}", "1:9: or is a list of matchers"},
		{"a: {page_url: h1}", "1:15: page_url takes nothing"},
		{"a: {access_time: h1}", "1:18: access_time takes nothing"},
		{"a: {expr: '1 + 1'}", "1:11: expressions are left out"},
		{"a: {record: [a]}", "1:13: a mapping is wanted here"},
		{"a: {}", "1:4: a record has at least one field"},
		{"a: '" + long + "'", "1:4: a selector has at most 2000 bytes"},
		{"a: ':has(a:has(b))'", "1:4: :has can't occur in :has"},
		{"a: '$.a'", "1:4: JSONPath selects from JSON, not from a page"},
		{"\n\nb:\n  c: 'x::'", "4:6: "},
		{strings.Repeat("{one: [a, ", 60) + "b" + strings.Repeat("]}", 60), "matchers are nested more than 50 deep"},
	} {
		_, err := match.Compile(parse(t, c.spec), match.Options{Source: match.HTML})
		var e *spec.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80q: %v, want %s", c.spec, err, c.want)
		}
	}
}

func TestPlacesOfValues(t *testing.T) {
	m := compile(t, `
- .item
- name: .name
  link: {href: .name}
  price: {to_i: .price}
  month: {regexp: [.when, 'A\w+']}
  inner: {html: ""}
`, match.Options{})
	k := onHTML(t, m, shop)
	r := k.records[0]
	for _, c := range []struct {
		field        string
		line, column int64
		element      string
	}{
		{"name", 5, 66, "html > body > ul > li:nth-child(1) > a"},
		{"link", 5, 49, "html > body > ul > li:nth-child(1) > a"},
		{"price", 5, 94, "html > body > ul > li:nth-child(1) > span"},
		{"month", 5, 126, "html > body > ul > li:nth-child(1) > i"},
		{"inner", 5, 27, "html > body > ul > li:nth-child(1)"},
	} {
		f := r.Field(c.field)
		if f.Pos.Line != c.line || f.Pos.Column != c.column || f.Element != c.element {
			t.Errorf("%s: %d:%d %s, want %d:%d %s", c.field, f.Pos.Line, f.Pos.Column, f.Element, c.line, c.column, c.element)
		}
	}
	if r.Pos.Line != 5 || r.Pos.Column != 2 || r.Document != "page.html" {
		t.Errorf("%+v %s", r.Pos, r.Document)
	}
	if want := "record/not-converted 6:90 price"; k.codes() != want {
		t.Errorf("%s, want %s", k.codes(), want)
	}
}

func TestExpressionOfWrongTypeIsNoFaultOfOurs(t *testing.T) {
	k := onHTML(t, compile(t, "{a: 'xpath:contains(//a, //b)', k: h1}", match.Options{}), shop)
	if k.json() != `[{"k":"The   Shop"}]` || k.codes() != "record/selector-failed 0:0 a" {
		t.Error(k.json(), k.codes())
	}
}

// The element of a value is a selector that finds it, and it alone.
func TestElementsAreSelectors(t *testing.T) {
	all := onHTML(t, compile(t, `["*", {text: "", html: {html: ""}}]`, match.Options{}), shop)
	for _, r := range all.records {
		one := onHTML(t, compile(t, "[\""+r.Element+"\", {text: \"\", html: {html: \"\"}}]", match.Options{}), shop)
		if len(one.records) != 1 || one.records[0].Pos != r.Pos || one.records[0].Element != r.Element {
			t.Errorf("%s: %s", r.Element, one.json())
		}
	}
}

func TestExpressionsSeeTheRecord(t *testing.T) {
	expr := func(n *spec.Node) (func(*records.Record, records.Value) (records.Value, error), error) {
		if n.Text == "wrong" {
			return nil, n.Errorf("it is wrong")
		}
		return func(r *records.Record, _ records.Value) (records.Value, error) {
			f := r.Field(n.Text)
			if f == nil {
				return records.Value{}, errors.New("no such field: " + n.Text)
			}
			return f.Value, nil
		}, nil
	}
	opt := match.Options{Expr: expr}
	for _, c := range []struct{ spec, want, notices string }{
		{`{a: {expr: b}, b: h1}`, `[{"a":"The   Shop","b":"The   Shop"}]`, ""},
		{`{b: h1, c: {expr: a}, a: {expr: b}}`, `[{"b":"The   Shop","a":"The   Shop"}]`, "record/expression-failed 3:0 c"},
		{`{a: {expr: b}, b: h1, c: .none, d: {expr: a}, e: .flag}`, `[{"a":"The   Shop","b":"The   Shop","d":"The   Shop","e":"yes"}]`, ""},
		{`[.item, {a: {to_i: {expr: p}}, p: .price}]`, `[{"a":1234,"p":"1,234"},{"a":"n/a","p":"n/a"},{"p":""}]`,
			"record/not-converted 0:0 a"},
		{`{a: {or: [{expr: x}, {const: 1}]}, b: h1}`, `[{"a":1,"b":"The   Shop"}]`, "record/expression-failed 0:0 a"},
		{`{b: h1, r: {x: {expr: y}, y: .flag}}`, `[{"b":"The   Shop","r":{"x":"yes","y":"yes"}}]`, ""},
		{`{"p, q": {regexp: [.tel, '(\d+)\.(\d+)']}, a: {expr: q}}`, `[{"p":"49","q":"305","a":"305"}]`, ""},
	} {
		k := onHTML(t, compile(t, c.spec, opt), shop)
		if k.json() != c.want || len(k.notices) != strings.Count(c.notices, "record/") {
			t.Errorf("%s: %s %s, want %s %s", c.spec, k.json(), k.codes(), c.want, c.notices)
		}
	}
	if _, err := match.Compile(parse(t, "a: {expr: wrong}"), opt); err == nil || !strings.Contains(err.Error(), "1:11: it is wrong") {
		t.Error(err)
	}
}

func TestLimitsEndTheWork(t *testing.T) {
	page := strings.Repeat("<div><p>a</p>", 200)
	for _, c := range []struct {
		spec string
		opt  match.Options
	}{
		{`["*", {a: ["*", {b: ["*", {c: ["*"]}]}]}]`, match.Options{MaxSteps: 100_000}},
		{`{a: "b * * * * * * * *"}`, match.Options{MaxSteps: 1000}},
		{`{a: "xpath://*[count(.//*[count(.//*) > 1]) > 1]"}`, match.Options{MaxSteps: 100_000}},
		{`["*", {a: {html: ""}}]`, match.Options{MaxBytes: 10_000}},
		{`["*", {a: {html: ""}}]`, match.Options{MaxRecords: 10}},
		{`{a: ["*"]}`, match.Options{MaxRecords: 2}},
		{`["*", {a: {regexp: ["", '(a|b|aa)*c']}}]`, match.Options{MaxSteps: 1000}},
		{`["*", {a: ["~ * ~ *"], b: ["+ *"], c: "> * > b"}]`, match.Options{MaxSteps: 1000}},
	} {
		k := onHTML(t, compile(t, c.spec, c.opt), page)
		if last := len(k.notices) - 1; last != 0 || k.notices[last].Code != fault.RecordLimitWork || k.notices[last].Lost != 1 {
			t.Errorf("%s: %d records, %v", c.spec, len(k.records), k.notices)
		}
		if c.opt.MaxRecords == 10 && len(k.records) != 10 {
			t.Errorf("%d records", len(k.records))
		}
	}
}

func TestEndlessSelectorsEnd(t *testing.T) {
	page := strings.Repeat("<div>", 400) + strings.Repeat("<p>x</p>", 2000)
	for _, text := range []string{"b * * * * * * * * * * p", "b ~ * ~ * ~ * ~ p", "p:nth-child(3) p", ":contains(y)", "p:has(b)"} {
		k := onHTML(t, compile(t, "{a: '"+text+"', k: {const: 1}}", match.Options{}), page)
		if k.json() != `[{"k":1}]` {
			t.Errorf("%s: %s %s", text, k.json(), k.codes())
		}
	}
}

func TestOtherBases(t *testing.T) {
	for _, c := range []struct{ url, page, want, notices string }{
		{"http://h/a/b", "<a href=c>", `"http://h/a/c"`, ""},
		{"http://h/a/b", "<base href=//k/x/><a href='c d'>", `"http://k/x/c%20d"`, ""},
		{"", "<base href=http://k/x/><a href=c>", `"http://k/x/c"`, ""},
		{"", "<a href=c>", `"c"`, "record/link-without-base 1:9 f"},
		{"", "<a href=http://e/%41/../b>", `"http://e/b"`, ""},
		{"http://h/a/b", "<a href=' ../c\n'>", `"http://h/c"`, ""},
		{"http://h/a/b", "<a href='mailto:a@b'>", `"mailto:a@b"`, ""},
		{"http://h/a/b", "<a href='#top'>", `"http://h/a/b#top"`, ""},
		{"http://h/a/b?c", "<a href='?d'>", `"http://h/a/b?d"`, ""},
		{"http://h/a/b", "<a href='/é'>", `"http://h/é"`, ""},
	} {
		k := &kept{}
		m := compile(t, "{f: {link: a}}", match.Options{})
		if _, err := m.HTML(context.Background(), match.Document{URL: c.url}, []byte(c.page), k); err != nil {
			t.Fatal(err)
		}
		if k.json() != `[{"f":`+c.want+`}]` || k.codes() != c.notices {
			t.Errorf("%s %s: %s %s, want %s %s", c.url, c.page, k.json(), k.codes(), c.want, c.notices)
		}
	}
}

func TestAccessTimeIsThatOfTheDocument(t *testing.T) {
	m := compile(t, `{a: {access_time: true}, t: h1}`, match.Options{Source: match.HTML})
	for at, want := range map[time.Time]string{
		{}: `[{"t":"The   Shop"}]`,
		time.Date(2020, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600)): `[{"a":"2020-01-02T02:04:05Z","t":"The   Shop"}]`,
	} {
		var k kept
		if _, err := m.HTML(context.Background(), match.Document{Accessed: at}, []byte(shop), &k); err != nil || k.json() != want {
			t.Errorf("%s %v, want %s", k.json(), err, want)
		}
	}
}
