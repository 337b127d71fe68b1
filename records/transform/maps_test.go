package transform_test

import (
	"strings"
	"testing"

	"laundromat/records/spec"
	"laundromat/records/transform"
)

// TestMapsWorkOneAfterAnother: each map of a list reads the fields that the one before made,
// and the first value that a field had is its original.
func TestMapsWorkOneAfterAnother(t *testing.T) {
	for _, c := range []struct{ spec, in, want, was string }{
		{`[{"*": true}]`, `{"a":"1"}`, `{"a":"1"}`, ``},
		{`[{"*": true, n: {number: true}}, {"*": true, id: {from: [n, a], concat: "-"}}]`, `{"a":"x","n":"1,5"}`,
			`{"a":"x","n":1.5,"id":"1.5-x"}`, `n=1,5 by n; id=[1.5,"x"] by id`},
		{`[{when: {from: [d, t], concat: " "}}, {when: {date: "%d.%m.%Y %H:%M"}}]`, `{"d":"2.1.2020","t":"10:30"}`,
			`{"when":"2020-01-02T10:30:00Z"}`, `when=["2.1.2020","10:30"] by when`},
		{`[{b: {from: a}}, {c: {from: b}}, {d: {from: c}}]`, `{"a":"1"}`, `{"d":"1"}`, ``},
		{`[{b: {from: a, number: true, name: first}}, {c: {from: b}}]`, `{"a":"1 000"}`, `{"c":1000}`, `c=1 000 by first`},
		{`[{a: {default: x}}, {b: {from: [a, a], concat: ""}}]`, `{}`, `{"b":"xx"}`, `b=["x","x"] by b`},
		{`[{"*": {except: [b]}}, {"*": true}]`, `{"a":"1","b":"2"}`, `{"a":"1"}`, ``},
		{`[{p: {from: n, split: {pattern: "(.+), (.+)", into: [f, g]}}}, {name: {from: [g, f], concat: " "}}]`, `{"n":"Bee, Ann"}`,
			`{"name":"Ann Bee"}`, `name=["Ann","Bee"] by name`},
		{`[{"*": true, d: {date: "%Y"}}, {"*": true, d2: {from: d}}]`, `{"d":"2020"}`,
			`{"d":"2020-01-01T00:00:00Z","d2":"2020-01-01T00:00:00Z"}`,
			`d=2020 by d; d2=2020 by d`},
		{`[{e: {from: [d, t], concat: {separator: "T", all: true}}}, {e: {default: null}}]`, `{"d":"a","t":"b"}`, `{"e":"aTb"}`,
			`e=["a","b"] by e`},
		{`[{e: {from: [d, t], concat: {separator: "T", all: true}}}, {e: {default: null}}]`, `{"d":"a"}`, `{"e":null}`, ``},
		{`[{e: {from: [d, t], concat: {all: true}}}, {e: {}}]`, `{"d":"a","t":""}`, `{}`, ``},
		{`{e: {from: [d, t], concat: {all: true}}}`, `{"d":"a","t":null}`, `{}`, ``},
		{`{e: {from: [d, t], concat: {all: true}}}`, `{"d":"a","t":["b","c"]}`, `{"e":"a b c"}`, `e=["a",["b","c"]] by e`},
		{`{e: {from: [d, t], concat: {all: false}}}`, `{"d":"a"}`, `{"e":"a"}`, `e=["a"] by e`},
		{`[{a: {}}, {a: {}}, {a: {number: true}}]`, `{"a":"5"}`, `{"a":5}`, ``}, // it is written as before
	} {
		m, err := compile(t, c.spec)
		if err != nil {
			t.Errorf("%s: %v", c.spec, err)
			continue
		}
		var got tally
		stage := m.Sink(&got)
		if err := stage.Record(recordOf(t, c.in)); err != nil {
			t.Fatal(err)
		}
		if err := stage.Flush(); err != nil {
			t.Fatal(err)
		}
		var was []string
		for _, w := range got.records[0].Was {
			text := w.Value.Text
			if text == "" {
				text = string(w.Value.AppendJSON(nil))
			}
			was = append(was, w.Field+"="+text+" by "+w.Rule)
		}
		r := *got.records[0]
		r.Was = nil
		if json := strings.TrimSpace(string(r.AppendJSON(nil))); json != c.want || strings.Join(was, "; ") != c.was {
			t.Errorf("%s of %s: %s, %s", c.spec, c.in, json, was)
		}
	}
}

func TestEachMapOfAListIsCompiled(t *testing.T) {
	n, err := spec.Parse("s", []byte("- {a: {from: b}}\n- {c: {form: a}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := transform.Compile(n, transform.Options{}); err == nil ||
		!strings.Contains(err.Error(), `s:2:8: unknown key of a rule "form"`) {
		t.Error(err)
	}
	m, err := compile(t, `[{a: {from: x}}, {b: {from: a}, "*": true}]`)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(m.FieldNames(), " "); got != "*" && got != "b" {
		t.Error(got)
	}
}

// TestRulesOfALaterMapThatFindNothingAreTold looks for the warning of each map.
func TestRulesOfALaterMapThatFindNothingAreTold(t *testing.T) {
	m, err := compile(t, `[{a: {}}, {b: {from: gone}}]`)
	if err != nil {
		t.Fatal(err)
	}
	var got tally
	stage := m.Sink(&got)
	if err := stage.Record(recordOf(t, `{"a":"1"}`)); err != nil {
		t.Fatal(err)
	}
	if err := stage.Flush(); err != nil {
		t.Fatal(err)
	}
	if len(got.notices) != 1 || got.notices[0].Code != "map/never-found" || got.notices[0].Field != "b" {
		t.Errorf("%+v", got.notices)
	}
}
