//go:build !lean

package expr_test

import (
	"errors"
	"strings"
	"testing"

	"laundromat/records"
	"laundromat/records/expr"
	"laundromat/records/spec"
)

func compile(t testing.TB, text string, opt expr.Options) (*expr.Program, error) {
	t.Helper()
	return expr.Compile(&spec.Node{Kind: spec.Text, Text: text, File: "s", Line: 3, Column: 7}, opt)
}

var book = records.Record{Fields: []records.Field{
	{Name: "title", Value: records.TextOf("Dune")},
	{Name: "price", Value: records.NumberOf("12.50")},
	{Name: "pages", Value: records.NumberOf("412")},
	{Name: "in print", Value: records.BoolOf(true)},
	{Name: "tags", Value: records.Value{Kind: records.List, Items: []records.Value{records.TextOf("a"), records.TextOf("b")}}},
	{Name: "author", Value: records.Value{Kind: records.Object, Fields: []records.Field{{Name: "name", Value: records.TextOf("FH")}}}},
	{Name: "long", Value: records.NumberOf("12345678901234567890123")},
	{Name: "fine", Value: records.NumberOf("0.12345678901234567890123")},
	{Name: "exact", Value: records.NumberOf("9007199254740993")},
	{Name: "huge", Value: records.NumberOf("1e999")},
	{Name: "tiny", Value: records.NumberOf("1e-9999")},
	{Name: "zero", Value: records.NumberOf("-0.000e77")},
	{Name: "none", Value: records.Value{}},
	{Name: "string", Value: records.TextOf("a type's name")},
	{Name: "value", Value: records.TextOf("own")},
}}

func TestExpressionsGiveValues(t *testing.T) {
	opt := expr.Options{Fields: []string{"title", "price", "pages", "in print", "tags", "author", "missing", "string", "value", "none"}}
	for in, want := range map[string]string{
		`value`:                                  `"present"`,
		`record.title`:                           `"Dune"`,
		`record["in print"]`:                     `true`,
		`title + "!"`:                            `"Dune!"`,
		`pages * 2`:                              `824`,
		`price * 2.0`:                            `25`,
		`double(pages) / 8.0`:                    `51.5`,
		`tags.map(t, t.upperAscii())`:            `["A","B"]`,
		`tags.size()`:                            `2`,
		`tags.join("; ")`:                        `"a; b"`,
		`author.name`:                            `"FH"`,
		`author`:                                 `{"name":"FH"}`,
		`missing == null`:                        `true`,
		`none`:                                   `null`,
		`has(record.price)`:                      `true`,
		`has(record.nope)`:                       `false`,
		`"nope" in record`:                       `false`,
		`record.?nope.orValue("-")`:              `"-"`,
		`record.exists(k, k == "title")`:         `true`,
		`record.string`:                          `"a type's name"`,
		`record.value`:                           `"own"`,
		`page_url + "#a"`:                        `"https://x.test/#a"`,
		`value.matches("^p.*t$")`:                `true`,
		`value.replace("e", "é")`:                `"présént"`,
		`value.replace("e", "é", 1)`:             `"présent"`,
		`["a", "b"].join()`:                      `"ab"`,
		`value.split("").join("-")`:              `"p-r-e-s-e-n-t"`,
		`[value].join(page_url)`:                 `"present"`,
		`value.substring(0, 3)`:                  `"pre"`,
		`"%s-%d".format([value, 3])`:             `"present-3"`,
		`math.greatest(1, pages)`:                `412`,
		`math.round(price)`:                      `13`,
		`{"b": 1, "a": [2.5]}`:                   `{"a":[2.5],"b":1}`,
		`pages > 400 ? "long" : "short"`:         `"long"`,
		`int("7") + 1`:                           `8`,
		`1e21 * 10.0`:                            `1e+22`,
		`timestamp("2020-02-03T04:05:06+01:00")`: `"2020-02-03T03:05:06Z"`,
		`timestamp("2020-02-03T04:05:06Z").getFullYear()`: `2020`,
		`duration("90s")`:       `"90s"`,
		`b"é"`:                  `"é"`,
		`record.exact`:          `9007199254740993`,
		`record.zero`:           `-0`,
		`record.pages == 412.0`: `true`,
		`optional.none()`:       `null`,
		`record.size() > 10`:    `true`,
	} {
		p, err := compile(t, in, opt)
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		v, err := p.Eval(expr.Input{Record: &book, Value: records.TextOf("present"), PageURL: "https://x.test/"})
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if got := string(v.AppendJSON(nil)); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestWrongExpressionsAreRefusedAtTheirPlace(t *testing.T) {
	opt := expr.Options{Fields: []string{"title", "price"}}
	for in, want := range map[string]string{
		`titel + "a"`:        `unknown name "titel": did you mean "title"?`,
		`1 + "a"`:            `no matching overload`,
		`page_url + 1`:       `no matching overload`,
		`valeu`:              `did you mean "value"?`,
		`title.upperAsci()`:  `did you mean "upperAscii"?`,
		`zzzzzzzzzzzzz`:      `the names are value, record, page_url, title, price; a field is written record.zzzzzzzzzzzzz`,
		`value +`:            `Syntax error`,
		`(value`:             `Syntax error`,
		``:                   `is empty`,
		"  ":                 `is empty`,
		`value.matches("(")`: `regex`,
		`replace("a", 1)`:    ``,
		`"a".replace(1, 2)`:  `'replace'`,
		strings.Repeat("(", 2000) + "1" + strings.Repeat(")", 2000): `limit`,
		strings.Repeat("1+", 20000) + "1":                           `limit`,
	} {
		_, err := compile(t, in, opt)
		if err == nil || !strings.HasPrefix(err.Error(), "s:3:7: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want … %s", in, err, want)
		}
	}
	n, err := spec.Parse("s", []byte("map:\n  out:\n    expr: |\n      value +\n      titel\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = expr.Compile(n.Get("map").Get("out").Get("expr"), opt)
	if err == nil || err.Error() != `s:5:7: expression: unknown name "titel": did you mean "title"?` {
		t.Error(err)
	}
}

func TestWhatCantBeEvaluatedIsAnError(t *testing.T) {
	for in, want := range map[string]string{
		`record.nope`:                        `the record has no field "nope"`,
		`record.title * 2`:                   `no such overload`,
		`1 / (record.pages - 412)`:           `division by zero`,
		`record.long`:                        `more digits`,
		`record.fine + 1.0`:                  `more digits`,
		`record.huge`:                        `more digits`,
		`record.tiny`:                        `more digits`,
		`int(record.title)`:                  `type conversion`,
		`1.0 / 0.0`:                          `a number`,
		`type(1)`:                            `can't be a value`,
		`b"\xff"`:                            `UTF-8`,
		`record["tags"][7]`:                  `index out of bounds`,
		`9223372036854775807 + record.pages`: `overflow`,
		`record.map(k, record[k])`:           `more digits`,
	} {
		p, err := compile(t, in, expr.Options{})
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		v, err := p.Eval(expr.Input{Record: &book})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v %v, want … %s", in, v, err, want)
		}
	}
}

func TestEveryExpressionEnds(t *testing.T) {
	long := records.TextOf(strings.Repeat("x", 1<<20))
	list := `[` + strings.Repeat("1,", 99) + `1]`
	for _, in := range []string{
		list + `.map(a, ` + list + `.map(b, ` + list + `.map(c, ` + list + `.map(d, a + b + c + d))))`,
		list + `.all(a, ` + list + `.all(b, ` + list + `.all(c, ` + list + `.all(d, a > 0))))`,
		`value.replace("", value)`,
		`value.replace("x", value).replace("x", value)`,
		`value.split("").map(c, value).join("")`,
		`value.split("").join(value)`,
		`value.substring(0, 50000).split("").map(c, value).join()`,
		`value.substring(0, 50000).split("").map(c, value.replace("x", "yy")).size() == 1 ? 1 : 2`,
		`value + value`,
		`[value, value]`,
		`{"a": record}`,
		`"%.999999999f".format([1.0]) + value + value`,
	} {
		p, err := compile(t, in, expr.Options{})
		if err != nil {
			continue // refused before anything is read
		}
		r := records.Record{Fields: []records.Field{{Name: "a", Value: long}, {Name: "b", Value: long}}}
		if _, err := p.Eval(expr.Input{Record: &r, Value: long}); !errors.Is(err, expr.ErrLimit) &&
			(err == nil || !strings.Contains(err.Error(), "precision")) {
			t.Errorf("%.60s: %v, want an end by the limit", in, err)
		}
	}
}

// BenchmarkEval measures values a second; the aim is 500,000 on one core.
func BenchmarkEval(b *testing.B) {
	for _, in := range []string{`value`, `value.trim() + "!"`, `record.title + ", " + string(record.pages)`,
		`record.pages > 400 ? "long" : "short"`} {
		b.Run(in, func(b *testing.B) {
			p, err := compile(b, in, expr.Options{})
			if err != nil {
				b.Fatal(err)
			}
			input := expr.Input{Record: &book, Value: records.TextOf(" present ")}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.Eval(input); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "values/s")
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		if _, err := compile(b, `value.trim() + "!"`, expr.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
