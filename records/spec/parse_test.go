package spec_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/records/spec"
)

// shown writes a node so that kinds can be distinguished.
func shown(n *spec.Node) string {
	switch n.Kind {
	case spec.Text:
		return `"` + n.Text + `"`
	case spec.List:
		var items []string
		for _, i := range n.Items {
			items = append(items, shown(i))
		}
		return "[" + strings.Join(items, " ") + "]"
	case spec.Map:
		var entries []string
		for _, e := range n.Entries {
			entries = append(entries, e.Key+":"+shown(e.Value))
		}
		return "{" + strings.Join(entries, " ") + "}"
	case spec.Null:
		return "null"
	}
	return n.Text
}

func TestWordsAreOfTheCoreSchema(t *testing.T) {
	for in, want := range map[string]string{
		"a: yes":                    `{a:"yes"}`,
		"a: no\nb: on":              `{a:"no" b:"on"}`,
		"a: true\nb: False":         `{a:true b:false}`,
		"a: 1\nb: 1.5\nc: 0x1F":     `{a:1 b:1.5 c:0x1F}`,
		"a: 2009-08-19":             `{a:"2009-08-19"}`,
		"a: 1_000":                  `{a:"1_000"}`,
		"a: '1'\nb: \"true\"":       `{a:"1" b:"true"}`,
		"a: null\nb: ~\nc:":         `{a:null b:null c:null}`,
		"a: !!str 1":                `{a:"1"}`,
		"a: &x [1, b]\nc: *x":       `{a:[1 "b"] c:[1 "b"]}`,
		"a: |\n  x\n  y\n":          "{a:\"x\ny\n\"}",
		`{"a": ["b", 1, null]}`:     `{a:["b" 1 null]}`,
		"{\n\t\"a\": {\"b\": 1}\n}": `{a:{b:1}}`,
		"{a: 1, b: [c]}":            `{a:1 b:["c"]}`,
		"- a\n- {b: c}":             `["a" {b:"c"}]`,
	} {
		n, err := spec.Parse("s", []byte(in))
		if err != nil {
			t.Errorf("%q: %v", in, err)
			continue
		}
		if got := shown(n); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// The digits are kept, whatever their number; JSON is what other programs can read.
func TestNumbersOfYAMLBecomeNumbersOfJSON(t *testing.T) {
	for in, want := range map[string]string{
		"a: 1": `{"a":1}`, "a: +1": `{"a":1}`, "a: 0x1F": `{"a":31}`, "a: 0o17": `{"a":15}`, "a: .5": `{"a":0.5}`, "a: 1.": `{"a":1}`,
		"a: -0": `{"a":0}`, "a: 007": `{"a":7}`, "a: 1.50": `{"a":1.50}`, "a: 1e3": `{"a":1e3}`,
		"a: 0xFFFFFFFFFFFFFFFFFF":    `{"a":"0xFFFFFFFFFFFFFFFFFF"}`,
		"a: 12345678901234567890123": `{"a":12345678901234567890123}`, "a: ['1', true, ~, {b: x}]": `{"a":["1",true,null,{"b":"x"}]}`,
	} {
		n, err := spec.Parse("s", []byte(in))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(n.Value().AppendJSON(nil)); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestFaultsHaveTheirPlace(t *testing.T) {
	for in, want := range map[string]string{
		"a: 1\nb: 2\na: 3":                  "s:3:1: ",
		"{\"a\": 1,\n  \"é\": 1, \"a\": 2}": "s:2:11: ",
		"a: [1, 2":                          "s:1:",
		"":                                  "s: the file is empty",
		"a: !!binary x":                     "s:1:4: ",
		"? [a]\n: b":                        "s:1:3: ",
		"a: \xff":                           "s: the text is not UTF-8",
	} {
		_, err := spec.Parse("s", []byte(in))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s…", in, err, want)
		}
	}
}

func TestAliasesCantMakeABomb(t *testing.T) {
	text := "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
	for i := 1; i < 9; i++ {
		prev := string(rune('0' + i - 1))
		text += "a" + string(rune('0'+i)) + ": &a" + string(rune('0'+i)) + " [" + strings.Repeat("*a"+prev+",", 9) + "*a" + prev + "]\n"
	}
	if _, err := spec.Parse("s", []byte(text)); err == nil {
		t.Error("a billion nodes were made")
	}
	if _, err := spec.Parse("s", []byte(strings.Repeat("[", 10000)+strings.Repeat("]", 10000))); err == nil {
		t.Error("ten thousand levels were read")
	}
}

func TestPartsMayBeFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("map.yaml", "out: {from: a}")
	s, err := spec.Load(write("spec.yaml", "select: {a: h1}\nmap: map.yaml\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := shown(s.Map); got != `{out:{from:"a"}}` {
		t.Error(got)
	}
	for text, want := range map[string]string{
		"select: {}\nmpa: {}":    `spec.yaml:2:1: unknown part "mpa": did you mean "map"?`,
		"map: missing.yaml":      "spec.yaml:1:6: there is no file ",
		"- a":                    "spec.yaml:1:1: a mapping is wanted here, not a list",
		"zzzzzzzzzzzzzzzz: true": "it is one of source, select, map, schema, pages, reconcile, rdf",
	} {
		_, err := spec.Load(write("spec.yaml", text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want …%s", text, err, want)
		}
	}
}
