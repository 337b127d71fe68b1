package extract_test

import (
	"slices"
	"strings"
	"testing"

	"laundromat/records/extract"
)

// streams are streams of YAML, and the records and findings of each.
var streams = []struct {
	name, in string
	records  []string
	notices  []string
}{
	{"objects one behind the other", "{a: 1}\n{a: 2}\n", []string{`{"a":1}`}, []string{"drop record/syntax 1:1"}},
	{"lists one behind the other", "[a]\n[b]\n", []string{`{"value":"a"}`}, []string{"drop record/syntax 1:1"}},
	{"a bracket too many", "{a: 1}}\n", []string{`{"a":1}`}, []string{"drop record/syntax 1:1"}},
	{"the end of a document", "a: 1\n...\nb: 2\n", []string{`{"a":1}`, `{"b":2}`}, nil},
	{"the end of a document, and a comment", "a: 1\n... # end\n# c\nb: 2\n", []string{`{"a":1}`, `{"b":2}`}, nil},
	{"several ends", "a: 1\n...\n...\n\nb: 2\n...\n", []string{`{"a":1}`, `{"b":2}`}, nil},
	{"an end and a beginning", "a: 1\n...\n---\nb: 2\n", []string{`{"a":1}`, `{"b":2}`}, nil},
	{"text behind the end of a document", "a: 1\n... x\nb: 2\n", []string{`{"a":1}`, `{"b":2}`}, []string{"drop record/syntax 1:1"}},
	{"dots within a line", "a: 1\n ...\nb: 2\n", []string{`{"a":"1 ...","b":2}`}, nil},
	{"a tab behind the mark", "a: 1\n---\t\nb: 2\n", []string{`{"a":1}`, `{"b":2}`}, nil},
	{"a mark that closes no quotation", "a: \"x\n---\nb: 2\n", []string{`{"b":2}`}, []string{"drop record/syntax 2:1"}},
	{"YAML 1.2", "%YAML 1.2\n---\na: 1\n", []string{`{"a":1}`}, nil},
	{"a directive of another program", "%FOO bar baz\n# c\n--- {a: 1}\n", []string{`{"a":1}`}, nil},
	{"a prefix of tags", "%TAG !e! tag:example.org,2000:\n---\na: !e!x 1\n", []string{`{"a":"1"}`}, nil},
	{"a directive of the second document", "a: 1\n...\n%YAML 1.2\n---\na: 2\n", []string{`{"a":1}`, `{"a":2}`}, nil},
	{"a byte order mark", "\uFEFF%YAML 1.2\n---\na: 1\n", []string{`{"a":1}`}, nil},
	{"a text at the margin", "--- |\nstir well\nserve hot\n", []string{`{"value":"stir well\nserve hot\n"}`}, nil},
	{"a folded text at the margin", "# c\n--- >-\nstir\nwell\n\nserve\n...\na: 1\n", []string{`{"value":"stir well\nserve"}`, `{"a":1}`},
		nil},
	{"a text of which the second line is further in", "--- |\na\n  b\n", []string{`{"value":"a\n  b\n"}`}, nil},
	{"a text with a tag and a comment", "--- !!str |+ # c\na\n\n---\nb\n", []string{`{"value":"a\n\n"}`, `{"value":"b"}`}, nil},
	{"a text that is indented", "--- |\n  a\n   b\n", []string{`{"value":"a\n b\n"}`}, nil},
	{"a name again", "a: 1\na: 2\na: 3\n", []string{`{"a":1,"a_2":2,"a_3":3}`}, []string{"warning record/name-repeated 2:1 a_2",
		"warning record/name-repeated 3:1 a_3"}},
	{"a merge of several", "x: &x {a: 1}\ny: &y {a: 2, b: 2}\nz: {<<: [*x, *y], b: 3}\n",
		[]string{`{"x":{"a":1},"y":{"a":2,"b":2},"z":{"a":1,"b":3}}`}, nil},
	{"no merge", "<<: 5\n", []string{`{"<<":5}`}, nil},
	{"a name that is an alias", "a: &n k\n*n : 1\n", []string{`{"a":"k","k":1}`}, nil},
	{"half of a character", "a: \"\\uD800\"\n---\na: 2\n", []string{`{"a":2}`}, []string{"drop record/syntax 1:1"}},
	{"a tab behind a hyphen", "-\ta\n-\tb\n", []string{`{"value":"a"}`, `{"value":"b"}`}, nil},
	{"a tab behind a hyphen, further in", "x:\n  - - a\n    -\tb\n", []string{`{"x":[["a","b"]]}`}, nil},
	{"a tab behind a hyphen, and types", "- a: x\n-\t5\n-\t~\n-\t\"5\"\n", []string{`{"a":"x"}`, `{"value":5}`, `{"value":null}`,
		`{"value":"5"}`}, nil},
	{"a colon before a word in a list", "{a: [:x, ::y], b: 1}\n", []string{`{"a":[":x","::y"],"b":1}`}, nil},
	{"a colon before a word in a mapping", "{a: :x}\n---\nb: 2\n", []string{`{"a":":x"}`, `{"b":2}`}, nil},
	{"a slash with a backslash", "a: \"x\\/y\"\nb: 1\n", []string{`{"a":"x/y","b":1}`}, nil},
	{"a slash with a backslash, and anchors", "a: &n {k: \"\\/\"}\nb: *n\nc: {<<: *n, d: true}\n",
		[]string{`{"a":{"k":"/"},"b":{"k":"/"},"c":{"k":"/","d":true}}`}, nil},
	{"a slash with a backslash, and a text", "a: \"\\/\"\nt: |\n  -\tx\n", []string{`{"a":"/","t":"-\tx\n"}`}, nil},
	{"an alias of itself", "a: &n [\"\\/\", *n]\n", nil, []string{"drop limit/nesting 1:1"}},
	{"a tab for the indentation", "a:\n\tb: 1\n---\nc: 2\n", []string{`{"c":2}`}, []string{"drop record/syntax 2:1"}},
	{"a key behind a text", "text\nb: 2\n", nil, []string{"drop record/syntax 2:1"}},
}

func TestNothingIsLostBehindTheFirstValueOfYAML(t *testing.T) {
	for _, c := range streams {
		k := read(t, "a.yaml", c.in, extract.Options{})
		if !slices.Equal(k.records, c.records) || !slices.Equal(k.notices, c.notices) {
			t.Errorf("%s: %s\ngot  %s\nwant %s\ngot  %q\nwant %q", c.name, c.in, strings.Join(k.records, " "), strings.Join(c.records, " "),
				k.notices, c.notices)
		}
	}
}

// A line that is longer than what is read at once begins no document in its midst.
func TestALongLineOfYAMLIsOneLine(t *testing.T) {
	text := strings.Repeat("x", 64<<10-len("a: '")) + "--- " + strings.Repeat("y", 100)
	k := read(t, "a.yaml", "a: '"+text+"'\n", extract.Options{})
	if want := `{"a":"` + text + `"}`; len(k.records) != 1 || k.records[0] != want {
		t.Errorf("%d records, %q", len(k.records), k.notices)
	}
}
