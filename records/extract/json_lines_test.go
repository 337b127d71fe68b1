package extract_test

import (
	"slices"
	"strings"
	"testing"

	"laundromat/records/extract"
)

func TestLinesOfJSON(t *testing.T) {
	for _, c := range []struct {
		name, in string
		records  []string
		notices  []string
	}{
		{"over lines", "{\n \"a\": 1,\n \"b\": {\"c\": \"x\"}\n}\n{\n \"a\": 2\n}\n", []string{`{"a":1,"b":{"c":"x"}}`, `{"a":2}`}, nil},
		{"over lines, the first with a member", "{\"a\": 1,\n \"b\": 2}\n{\"a\": 3}\n", []string{`{"a":1,"b":2}`, `{"a":3}`}, nil},
		{"over lines, with CR LF", "{\"a\": 1,\r\n \"b\": 2}\r\n{\"a\": 3}\r\n", []string{`{"a":1,"b":2}`, `{"a":3}`}, nil},
		{"over lines, without an end", "{\"a\": [1,\n2]}", []string{`{"a":[1,2]}`}, nil},
		{"several on a line", "{\"a\":1}{\"a\":2} {\"a\":3}\n{\"a\":4}\n", []string{`{"a":1}`, `{"a":2}`, `{"a":3}`, `{"a":4}`}, nil},
		{"several apart by commas", "{\"a\":1},{\"a\":2},\n{\"a\":3}\n", []string{`{"a":1}`, `{"a":2}`, `{"a":3}`},
			[]string{"repair record/comma 1:8", "repair record/comma 1:16"}},
		{"the next begins where one ends", "{\n\"a\":1\n}{\n\"a\":2\n}\n", []string{`{"a":1}`, `{"a":2}`}, nil},
		{"a list over lines", "[\n{\"a\":1},\n{\"a\":2}\n]\n", []string{`{"a":1}`, `{"a":2}`}, nil},
		{"a list over lines, without its end", "[\n{\"a\":1},\n{\"a\":2}\n", []string{`{"a":1}`, `{"a":2}`},
			[]string{"repair record/bracket 4:1"}},
		{"lists as lines", "[1,2]\n[3]\n", []string{`{"value":[1,2]}`, `{"value":[3]}`}, nil},
		{"a broken line", "{\"a\":1}\n{\"a\":\"bro\n{\"a\":3}\n", []string{`{"a":1}`, `{"a":3}`}, []string{"drop record/cut-short 2:6"}},
		{"a missing bracket", "{\"a\":{\"b\":1}\n{\"a\":3}\n", []string{`{"a":{"b":1}}`, `{"a":3}`},
			[]string{"repair record/bracket 1:13"}},
		{"a missing bracket of a list", "{\"a\":[1,2\n{\"a\":3}\n", []string{`{"a":3}`}, []string{"drop record/cut-short 1:9"}},
		{"something else behind", "{\"a\":1} x\n{\"a\":3}\n", []string{`{"a":3}`}, []string{"drop record/syntax 1:9"}},
		{"a bracket too many", "{\"a\":1}}\n{\"a\":3}\n", []string{`{"a":3}`}, []string{"drop record/syntax 1:8"}},
		{"the second of a line is broken", "{\"a\":1}{\"a\":}\n{\"a\":3}\n", []string{`{"a":1}`, `{"a":3}`},
			[]string{"drop record/syntax 1:13"}},
	} {
		k := read(t, "a.jsonl", c.in, extract.Options{})
		if !slices.Equal(k.records, c.records) || !slices.Equal(k.notices, c.notices) {
			t.Errorf("%s: %s\ngot  %s\nwant %s\ngot  %q\nwant %q", c.name, c.in, strings.Join(k.records, " "), strings.Join(c.records, " "),
				k.notices, c.notices)
		}
	}
}

func TestHalfOfAPairInJSONIsTold(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":"\ud800"}`: "{\"a\":\"\uFFFD\"}", `{"a":"x\udc00y"}`: "{\"a\":\"x\uFFFDy\"}", `{"\ud83d":1}`: "{\"\uFFFD\":1}",
	} {
		k := read(t, "a.json", in, extract.Options{})
		if len(k.records) != 1 || k.records[0] != want || k.repaired != 1 {
			t.Errorf("%s: %q, %q", in, k.records, k.notices)
		}
	}
	if k := read(t, "a.json", `{"a":"\ud83d\ude00"}`, extract.Options{}); k.repaired != 0 || k.records[0] != `{"a":"😀"}` {
		t.Errorf("%q, %q", k.records, k.notices)
	}
}
