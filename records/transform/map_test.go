package transform_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/recordtest"
	"laundromat/records/spec"
	"laundromat/records/transform"
)

// tally keeps what flows into it.
type tally struct {
	records []*records.Record
	notices []fault.Notice
}

func (t *tally) Record(r *records.Record) error { t.records = append(t.records, r.Clone()); return nil }
func (t *tally) Notice(n fault.Notice)          { t.notices = append(t.notices, n) }

func compile(t testing.TB, text string) (*transform.Map, error) {
	t.Helper()
	n, err := spec.Parse("s", []byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return transform.Compile(n, transform.Options{})
}

func recordOf(t testing.TB, text string) *records.Record {
	r := &records.Record{Fields: recordtest.ValueOf(t, text).Fields, Document: "https://x.test/a", Pos: fault.Pos{Line: 2, Column: 1}}
	for i := range r.Fields {
		r.Fields[i].Pos = fault.Pos{Line: 2, Column: int64(i + 1)}
	}
	return r
}

// run maps one record, and gives it as JSON with the codes of the findings.
func run(t testing.TB, rules, record string) (string, string, *tally) {
	t.Helper()
	m, err := compile(t, rules)
	if err != nil {
		t.Fatalf("%s: %v", rules, err)
	}
	out := &tally{}
	stage := m.Sink(out)
	if err := stage.Record(recordOf(t, record)); err != nil {
		t.Fatal(err)
	}
	if err := stage.Flush(); err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, n := range out.notices {
		codes = append(codes, fmt.Sprintf("%s %d:%d %s", n.Code, n.Line, n.Column, n.Field))
	}
	return string(out.records[0].AppendJSON(nil)), strings.Join(codes, "; "), out
}

func TestRules(t *testing.T) {
	for _, c := range []struct{ name, rules, in, want, codes string }{
		{"copy", "b: {from: a}", `{"a":1,"c":2}`, `{"b":1}`, ""},
		{"copy of the same name", "a: {}", `{"a":1,"c":2}`, `{"a":1}`, ""},
		{"star", `{"*": {}, b: {from: a}}`, `{"a":1,"b":0,"c":2}`, `{"a":1,"c":2,"b":1}`, ""},
		{"star last", `{b: {from: a}, "*": true}`, `{"a":1,"c":2}`, `{"b":1,"a":1,"c":2}`, ""},
		{"star but", `{b: {from: a}, "*": {except: [a]}}`, `{"a":1,"c":2}`, `{"b":1,"c":2}`, ""},
		{"missing", "b: {from: a}", `{"c":2}`, `{}`, "map/never-found 0:0 b"},
		{"default for absent", "a: {default: x}", `{"c":2}`, `{"a":"x"}`, ""},
		{"default for null", "a: {default: [1, true]}", `{"a":null}`, `{"a":[1,true],"was":{"a":{"value":null,"rule":"a"}}}`, ""},
		{"default for empty", "b: {from: a, default: x}", `{"a":""}`, `{"b":"x","was":{"b":{"value":"","rule":"b"}}}`, ""},
		{"default not needed", "b: {from: a, default: x}", `{"a":0}`, `{"b":0}`, ""},
		{"concat", `n: {from: [a, b], concat: ", "}`, `{"a":"x","b":"y"}`, `{"n":"x, y","was":{"n":{"value":["x","y"],"rule":"n"}}}`, ""},
		{"concat of a list", `n: {concat: [a, b]}`, `{"a":["x","z"],"b":1}`, `{"n":"x z 1","was":{"n":{"value":[["x","z"],1],"rule":"n"}}}`,
			""},
		{"concat with a gap", `n: {concat: {fields: [a, b, c], separator: "-"}}`, `{"a":"x","b":null,"c":""}`,
			`{"n":"x","was":{"n":{"value":["x",null,""],"rule":"n"}}}`, ""},
		{"concat of an object", `n: {concat: [a, b]}`, `{"a":{"x":1},"b":1}`, `{"n":{"x":1},"was":{"n":{"value":[{"x":1},1],"rule":"n"}}}`,
			"map/kind 2:1 n"},
		{"split by groups", `n: {split: {pattern: "^(\\w+), (\\w+)$", into: [last, first]}}`, `{"n":"Herbert, Frank"}`,
			`{"last":"Herbert","first":"Frank","was":{"n":{"value":"Herbert, Frank","rule":"n"}}}`, ""},
		{"split by named groups", `n: {split: {pattern: "^(?P<last>\\w+)(, (?P<first>\\w+))?$"}}`, `{"n":"Herbert"}`,
			`{"last":"Herbert","was":{"n":{"value":"Herbert","rule":"n"}}}`, ""},
		{"split by a separator", `n: {from: a, split: {pattern: "\\s*;\\s*", into: [x, y]}}`, `{"a":"1 ; 2"}`,
			`{"x":"1","y":"2","was":{"n":{"value":"1 ; 2","rule":"n"}}}`, ""},
		{"split that fails", `n: {from: a, split: {pattern: ";", into: [x, y]}}`, `{"a":"1,2"}`, `{"n":"1,2"}`, "map/split 2:1 n"},
		{"split into too many", `n: {from: a, split: {pattern: ";", into: [x, y]}}`, `{"a":"1;2;3"}`, `{"n":"1;2;3"}`, "map/split 2:1 n"},
		{"split of its own field", `x: {from: a, split: {pattern: ";", into: [x, y]}}`, `{"a":"1;2"}`,
			`{"x":"1","y":"2","was":{"x":{"value":"1;2","rule":"x"}}}`, ""},
		{"expr", `t: {from: a, expr: "value.upperAscii() + page_url"}`, `{"a":"x"}`,
			`{"t":"Xhttps://x.test/a","was":{"t":{"value":"x","rule":"t"}}}`, ""},
		{"expr without a field", `t: {expr: "record.a + 1"}`, `{"a":1}`, `{"t":2}`, ""},
		{"expr that fails", `t: {from: b, expr: "record.nope"}`, `{"b":1}`, `{"t":1}`, "map/expr 2:1 t"},
		{"expr that fails without a field", `t: {expr: "record.nope"}`, `{"b":1}`, `{}`, "map/expr 2:1 t"},
		{"named rule", `n: {name: trim, expr: "value.trim()"}`, `{"n":" x "}`, `{"n":"x","was":{"n":{"value":" x ","rule":"trim"}}}`, ""},
		{"number", `n: {number: ","}`, `{"n":"1.234,56"}`, `{"n":1234.56,"was":{"n":{"value":"1.234,56","rule":"n"}}}`, ""},
		{"numbers of a list", `n: {number: {}}`, `{"n":["1","x",2,null]}`,
			`{"n":[1,"x",2,null],"was":{"n":{"value":["1","x",2,null],"rule":"n"}}}`, "map/number 2:1 n"},
		{"number of an object", `n: {number: {}}`, `{"n":{"a":1}}`, `{"n":{"a":1}}`, "map/kind 2:1 n"},
		{"unit", `out: {from: q, unit: km}`, `{"q":"5 [mi_i]"}`, `{"out":"8.04672 km","was":{"out":{"value":"5 [mi_i]","rule":"out"}}}`,
			""},
		{"date", `day: {from: d, date: {pattern: "%d %B %Y", language: fr, timezone: Europe/Paris}}`, `{"d":"1er août 2020"}`,
			`{"day":"2020-08-01T00:00:00Z","was":{"day":{"value":"1er août 2020","rule":"day"}}}`, ""},
		{"zone of a field", `d: {date: {pattern: "%Y-%m-%d %H:%M", timezone: {from: z}}}`,
			`{"d":"2020-07-01 12:00","z":"America/New_York"}`,
			`{"d":"2020-07-01T16:00:00Z","was":{"d":{"value":"2020-07-01 12:00","rule":"d"}}}`, ""},
		{"zone of no field", `d: {date: {pattern: "%Y-%m-%d %H:%M", timezone: {from: z}}}`, `{"d":"2020-07-01 12:00","z":"Nowhere"}`,
			`{"d":"2020-07-01 12:00"}`, "map/time-zone 2:1 d"},
	} {
		if strings.Contains(c.rules, "expr:") && !withExpressions {
			continue
		}
		got, codes, out := run(t, c.rules, c.in)
		if got != c.want || codes != c.codes {
			t.Errorf("%s: %s [%s], want %s [%s] %v", c.name, got, codes, c.want, c.codes, out.notices)
		}
	}
}

func TestWrongRulesAreRefusedAtTheirPlace(t *testing.T) {
	for in, want := range map[string]string{
		`[]`:                                 "s:1:1: a list of maps has 1 to 20 of them, not 0",
		`{}`:                                 "no rule",
		`a: b`:                               "s:1:4: a rule is a mapping: to copy a field, write {from: b}",
		`a: {form: b}`:                       `s:1:5: unknown key of a rule "form": did you mean "from"?`,
		`a: {from: b, unit: km, date: "%Y"}`: "s:1:24: a rule has one verb",
		`a: {from: [b, c]}`:                  "s:1:11: a text is wanted",
		`a: {from: 1}`:                       "quotation marks",
		`was: {from: a}`:                     "is kept",
		`_x: {from: a}`:                      "is kept",
		"a: {from: b}\nc: {split: {pattern: x, into: [a, b]}}": `s:2:1: two rules make the field "a"`,
		`a: {split: {into: [b]}}`:                              "needs a pattern",
		`a: {split: {pattern: "("}}`:                           "s:1:22: not a regular expression",
		`a: {split: {pattern: "(x)(y)", into: [b]}}`:           "2 groups for 1 fields",
		`a: {split: {pattern: "x"}}`:                           "needs into",
		`a: {unit: miles}`:                                     `s:1:11: "miles" isn't a code of UCUM; it may mean [mi_i]`,
		`a: {unit: {of: km}}`:                                  "needs to",
		`a: {unit: {to: km, of: kg}}`:                          "kg can't be converted into km",
		`a: {unit: {to: km, digits: 0}}`:                       "digits is a number",
		`a: {unit: Cel/s}`:                                     "combined with others",
		`a: {number: ";"}`:                                     "decimal sign",
		`a: {number: {decimal: ".", group: ","}}`:              `unknown key of number "group"`,
		`a: {date: "%d %m"}`:                                   "has no year",
		`a: {date: "%Y %d"}`:                                   "a day without a month",
		`a: {date: "%Y %q"}`:                                   "%q, which is none of",
		`a: {date: "%Y-%m-%d %I:%M"}`:                          "without %p",
		`a: {date: "%c"}`:                                      "write it out",
		`a: {date: "%Y %Y"}`:                                   "twice",
		`a: {date: {pattern: "%Y", language: xx}}`:             "language \"xx\" are not known",
		`a: {date: {pattern: "%Y", timezone: Europe/Pariss}}`:  `did you mean "Europe/Paris"?`,
		`a: {date: {patern: "%Y"}}`:                            `did you mean "pattern"?`,
		`a: {date: []}`:                                        "empty",
		`a: {expr: "valeu"}`:                                   `s:1:12: expression: unknown name "valeu"`,
		`"*": {from: a}`:                                       `only be "*"`,
		`a: {default: 0x1F}`:                                   "a number as JSON writes it",
	} {
		if strings.Contains(in, "expr:") && !withExpressions {
			want = "built without expressions"
		}
		if _, err := compile(t, in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want … %s", in, err, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ options, in, want string }{
		{"{}", "1,234.56", "1234.56"}, {"{}", "1.234,56", "1234.56"}, {"{}", "1 234.5", "1234.5"}, {"{}", "1\u202f234,5", "1234.5"},
		{"{}", "1'234.50", "1234.50"}, {"{}", "1’234’567", "1234567"}, {"{}", "12,34,567.8", "1234567.8"}, {"{}", "1.234.567", "1234567"},
		{"{}", "-5", "-5"}, {"{}", "−5,5", "-5.5"}, {"{}", "5-", "-5"}, {"{}", "+5", "5"}, {"{}", "007", "7"}, {"{}", ".5", "0.5"},
		{"{}", ",5", "0.5"},
		{"{}", "12,-", "no"}, {"{}", "5.-", "no"}, {"{}", "12 -", "-12"},
		{`{beside: "%"}`, "12 %", "12"}, {`{beside: "%"}`, "12%", "12"}, {`{beside: "%"}`, "-3,5%", "-3.5"}, {`{beside: "%"}`, "1%2", "no"},
		{`{beside: "%"}`, "%", "no"},
		{`{beside: ["€", EUR]}`, "€ 5", "5"}, {`{beside: ["€", EUR]}`, "1.234,50 EUR", "1234.50"}, {`{beside: ["€"]}`, "-€5", "-5"},
		{`{beside: ["€"]}`, "€ -5", "-5"},
		{`{beside: ["€"]}`, "5 €-", "-5"}, {`{beside: ["€"], parentheses: negative}`, "(€ 5)", "-5"}, {`{beside: ["€"]}`, "$ 5", "no"},
		{`{beside: [kr, "kr."]}`, "5 kr.", "5"},
		{`{beside: ["€"], decimal: ","}`, "€ 1.234", "1234"}, {`{beside: [x]}`, "5 x 5", "no"},
		{"{}", "5.", "5"}, {"{}", "0,123", "0.123"}, {"{}", "1234,567", "1234.567"}, {"{}", "1,2345", "1.2345"}, {"{}", "1,23", "1.23"},
		{"{}", "1e3", "1e3"}, {"{}", "1.5E-3", "1.5E-3"}, {"{}", "١٢٣٫٥", "123.5"}, {"{}", "１２", "12"}, {"{}", "  12 ", "12"},
		{"{}", "123456789012345678901234567890.5", "123456789012345678901234567890.5"}, {"{}", "1_000", "1000"},
		{"{}", "1,234", "ambiguous"}, {"{}", "1.234", "ambiguous"}, {"{}", "-12,345", "ambiguous"},
		{"{}", "(5)", "no"}, {"{parentheses: negative}", "(5)", "-5"}, {"{parentheses: negative}", "(1,234.5)", "-1234.5"},
		{"{}", "x", "no"}, {"{}", "5 km", "no"}, {"{}", "1,23,4", "no"}, {"{}", "1.2.3", "no"}, {"{}", "12,34.56,78", "no"},
		{"{}", "--5", "no"},
		{"{}", "1 2", "no"}, {"{}", ".", "no"}, {"{}", "1e", "no"}, {"{}", "NaN", "no"}, {"{}", "½", "no"}, {"{}", "1234,567.8", "no"},
		{`{decimal: ","}`, "1.234", "1234"}, {`{decimal: ","}`, "1,234", "1.234"}, {`{decimal: ","}`, "1.23", "no"},
		{`{decimal: ","}`, "1,234.5", "no"},
		{`{decimal: "."}`, "1,234", "1234"}, {`{decimal: "."}`, "1.234", "1.234"}, {`{decimal: "."}`, "1,23", "no"},
		{`"."`, "1 234", "1234"},
	} {
		q, _ := json.Marshal(c.in)
		got, codes, _ := run(t, "n: {number: "+c.options+"}", `{"n":`+string(q)+`}`)
		v := recordtest.ValueOf(t, got)
		n, _ := v.Get("n")
		result := n.Text
		switch {
		case strings.HasPrefix(codes, "map/number"):
			result = "no"
		case strings.HasPrefix(codes, "map/ambiguous"):
			result = "ambiguous"
		}
		if (result == "no" || result == "ambiguous") && n.Text != c.in {
			t.Errorf("%s: does not stay: %s", c.in, got)
		}
		if result != c.want {
			t.Errorf("%s %q: %s, want %s", c.options, c.in, result, c.want)
		}
	}
}

func TestUnits(t *testing.T) {
	for _, c := range []struct{ rule, in, want, code string }{
		{"km", "5 [mi_i]", "8.04672 km", ""}, {"m/s", "1 km/h", "5/18 m/s", ""}, {"km", "8.04672 km", "8.04672 km", ""},
		{"km", "5.0 km", "5.0 km", ""},
		{"km", "5,5 km", "5.5 km", ""}, {"km", "1 234,5 m", "1.2345 km", ""}, {"km", "5[mi_i]", "8.04672 km", ""},
		{"km", "5\u00a0[mi_i]", "8.04672 km", ""},
		{"km/h", "5/18 m/s", "1 km/h", ""}, {"Cel", "212 [degF]", "100 Cel", ""}, {"rad", "180 deg", "3.14159265358979323846264 rad",
			"map/unit-rounded"},
		{"10*9/L", "5 10*3/uL", "5 10*9/L", ""}, {`"%"`, "0.5 1", "50 %", ""}, {`"1"`, "5 %", "0.05 1", ""}, {"1", "5 %", "0.05 1", ""},
		{"km", "5 miles", "8.04672 km", ""}, {"km", "5 km²", "", "map/unit"}, {"Cel", "5 °C", "5 Cel", ""}, {"km", "5", "", "map/unit"},
		{"m", "10 ft", "3.048 m", ""}, {"Cel", "212°F", "100 Cel", ""}, {"kg", "100 lbs", "45.359237 kg", ""},
		{"m2", "100 sq ft", "9.290304 m2", ""},
		{"m2", "100 ft²", "9.290304 m2", ""}, {"m2", "2 square miles", "5179976.220672 m2", ""}, {"m3", "10 cubic feet", "0.28316846592 m3",
			""}, {"L", "3 cu. cm", "0.003 L", ""},
		{"km/h", "60 mph", "96.56064 km/h", ""}, {"m/s", "10 ft/s", "3.048 m/s", ""}, {"kg/m2", "1 kg/m²", "1 kg/m2", ""},
		{"cm", "6 Inches", "15.24 cm", ""},
		{"m", "3 Yards", "2.7432 m", ""}, {"g", "2 oz", "56.69904625 g", ""}, {"L", "5 gallons", "", "map/unit"},
		{"kg", "2 tons", "", "map/unit"}, {"g", "5 ft", "0.000000005 g", ""},
		{"km", "far", "", "map/unit"}, {"km", "5 kg", "", "map/unit-mismatch"}, {"km", "1,234 m", "", "map/ambiguous-number"},
		{"km", "5 KM", "5 km", ""},
		{"km", "five km", "", "map/unit"}, {"km", "5 km 3 m", "", "map/unit"}, {"km", "1e999999999 m", "", "map/unit"}, {"km", "", "", ""},
		{`"[iU]"`, "5 k[IU]", "5000 [iU]", ""}, {`"[iU]"`, "5 [arb'U]", "", "map/unit-mismatch"}, {"km", "-5e3 m", "-5 km", ""},
		{"km", "−5 m", "-0.005 km", ""},
		{`{to: km, of: "[mi_i]"}`, "5", "8.04672 km", ""}, {`{to: km, of: "[mi_i]"}`, "2,5", "4.02336 km", ""},
		{`{to: km, of: "[mi_i]"}`, "5 m", "0.005 km", ""},
		{`{to: km, of: "[mi_i]"}`, "1,000", "", "map/ambiguous-number"}, {`{to: km, of: "[mi_i]", decimal: "."}`, "1,000", "1609.344 km",
			""},
		{`{to: km, aliases: {miles: "[mi_i]", "km²": km2}}`, "5 miles", "8.04672 km", ""}, {`{to: m/s, digits: 5}`, "1 km/h", "0.27778 m/s",
			"map/unit-rounded"},
		{`{to: rad, digits: 3}`, "180 deg", "3.14 rad", "map/unit-rounded"}, {`{to: K}`, "20 Cel", "293.15 K", ""},
		{`"1"`, "1/0 1", "", "map/unit"},
	} {
		q, _ := json.Marshal(c.in)
		got, codes, _ := run(t, "q: {unit: "+c.rule+"}", `{"q":`+string(q)+`}`)
		v := recordtest.ValueOf(t, got)
		n, _ := v.Get("q")
		want := c.want
		if want == "" {
			want = c.in
		}
		if code, _, _ := strings.Cut(codes, " "); n.Text != want || code != c.code {
			t.Errorf("%s %q: %s [%s], want %s [%s]", c.rule, c.in, n.Text, codes, want, c.code)
		}
	}
	for in, want := range map[string]string{"5 μL": "may mean uL", "5 gal": "may mean [gal_us]"} {
		if _, _, out := run(t, "q: {unit: cm}", `{"q":"`+in+`"}`); !strings.Contains(out.notices[0].Message, want) {
			t.Errorf("%s: %s, want %s", in, out.notices[0].Message, want)
		}
	}
	if got, codes, _ := run(t, `q: {unit: {to: km, of: "[mi_i]"}}`, `{"q":[5,"1 m"]}`); !strings.HasPrefix(got,
		`{"q":["8.04672 km","0.001 km"]`) {
		t.Error(got, codes)
	}
}

func TestGeneratedQuantitiesAreExact(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	factors := map[string]*big.Rat{"m": big.NewRat(1, 1), "[mi_i]": big.NewRat(1609344, 1000), "[ft_i]": big.NewRat(3048, 10000),
		"[ft_us]": big.NewRat(1200, 3937), "km": big.NewRat(1000, 1), "um": big.NewRat(1, 1000000), "[nmi_i]": big.NewRat(1852, 1)}
	var codes []string
	for c := range factors {
		codes = append(codes, c)
	}
	for range 200 {
		from, to := codes[random.IntN(len(codes))], codes[random.IntN(len(codes))]
		number := fmt.Sprintf("%d.%03d", random.IntN(100000), random.IntN(1000))
		got, notices, _ := run(t, fmt.Sprintf("q: {unit: {to: %q, decimal: '.'}}", to), fmt.Sprintf(`{"q":"%s %s"}`, number, from))
		v := recordtest.ValueOf(t, got)
		n, _ := v.Get("q")
		text, code, _ := strings.Cut(n.Text, " ")
		value, _ := new(big.Rat).SetString(number)
		value.Mul(value, factors[from]).Quo(value, factors[to])
		if r, ok := new(big.Rat).SetString(text); !ok || r.Cmp(value) != 0 || code != to || notices != "" {
			t.Errorf("%s %s is %s, want %s %s", number, from, n.Text, value, to)
		}
	}
}

func TestUndoIsTheInverseOfTheMap(t *testing.T) {
	if !withExpressions {
		t.Skip("this program has no expressions")
	}
	m, err := compile(t,
		`{a: {number: {}}, b: {unit: km}, c: {date: "%d.%m.%Y"}, d: {name: r, from: a, expr: "string(value) + 'x'"}, "*": {}}`)
	if err != nil {
		t.Fatal(err)
	}
	out := &tally{}
	in := recordOf(t, `{"a":"1,5","b":"5 m","c":"1.2.2020","e":"1"}`)
	if err := m.Sink(out).Record(in); err != nil {
		t.Fatal(err)
	}
	r := out.records[0]
	if n := transform.Undo(r, "r"); n != 1 || r.Field("d").Value.Text != "1,5" || len(r.Was) != 3 {
		t.Error(n, string(r.AppendJSON(nil)))
	}
	if n := transform.Undo(r, ""); n != 3 || string(r.AppendJSON(nil)) != `{"a":"1,5","b":"5 m","c":"1.2.2020","d":"1,5","e":"1"}` {
		t.Error(n, string(r.AppendJSON(nil)))
	}
}

func FuzzUndo(f *testing.F) {
	f.Add("1,5", "5 [mi_i]", "1 März 2020")
	f.Add("x;y", "", "31.2.2020")
	m, err := compile(f, `{a: {number: {}}, b: {unit: {to: km, of: m}}, c: {date: {pattern: ["%d %B %Y", "%d.%m.%y"], language: de}},
		s: {from: a, split: {pattern: ";", into: [x, y]}}, j: {concat: [a, b]}, e: {from: c, default: "-"}, "*": {}}`)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, a, b, c string) {
		in := &records.Record{}
		in.Set("a", records.TextOf(a))
		in.Set("b", records.TextOf(b))
		in.Set("c", records.TextOf(c))
		out := &tally{}
		if err := m.Sink(out).Record(in); err != nil || len(out.records) != 1 {
			t.Fatal(err)
		}
		r := out.records[0]
		was := r.Clone().Was
		if n := transform.Undo(r, ""); n != len(was) || len(r.Was) != 0 {
			t.Fatal(n)
		}
		for _, w := range was {
			if !r.Field(w.Field).Value.Equal(w.Value) {
				t.Errorf("%s is %v, was %v", w.Field, r.Field(w.Field).Value, w.Value)
			}
		}
		for _, name := range []string{"a", "b", "c"} {
			is, was := r.Field(name).Value, in.Field(name).Value
			// A text that became a number of the same writing has no original.
			if !is.Equal(was) && !(is.Kind == records.Number && was.Kind == records.Text && is.Text == was.Text) {
				t.Errorf("%s is %v, was %v", name, is, was)
			}
		}
	})
}

func BenchmarkMap(b *testing.B) {
	for name, rules := range map[string]string{
		"copy": `{"*": {}}`, "number": `{a: {number: ","}}`, "unit": `{b: {unit: km}}`,
		"date": `{c: {date: {pattern: "%d %B %Y %H:%M", language: de, timezone: Europe/Berlin}}}`,
	} {
		b.Run(name, func(b *testing.B) {
			m, err := compile(b, rules)
			if err != nil {
				b.Fatal(err)
			}
			r := recordOf(b, `{"a":"1.234,5","b":"5 [mi_i]","c":"1. März 2020 12:30"}`)
			stage := m.Sink(discard{})
			for b.Loop() {
				_ = stage.Record(r)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "values/s")
		})
	}
}

type discard struct{}

func (discard) Record(*records.Record) error { return nil }
func (discard) Notice(fault.Notice)          {}

var _ records.Flusher = (*transform.Stage)(nil)
