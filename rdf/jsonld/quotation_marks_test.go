package jsonld_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/jsonld"
	"laundromat/rdf/rdftest"
)

// Quotation marks that are all of another kind are those of JSON, with one repair in the place of the first.
func TestMarksOfOneKindAreReadAsThoseOfJSON(t *testing.T) {
	const sound = "{\n  \"@id\": \"http://e/s\",\n  \"http://e/p\": [\"x\", \"\", \"a, b\", 5],\n  \"http://e/q\": {\"@value\": \"y\\nz\", \"@language\": \"en\"}\n}"
	curly := func(open, end string) string {
		var b strings.Builder
		in := false
		for _, c := range sound {
			if c == '"' {
				b.WriteString(map[bool]string{false: open, true: end}[in])
				in = !in
				continue
			}
			b.WriteRune(c)
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"English": curly("“", "”"), "German": curly("„", "“"), "Polish": curly("„", "”"), "Swedish": curly("”", "”"),
		"the other way": curly("”", "“"), "doubled": curly(`""`, `""`), "lines": strings.ReplaceAll(curly("“", "”"), "\n", " "),
		"doubled, on one line": strings.ReplaceAll(curly(`""`, `""`), "\n", " "), "white space before": "  \n" + curly("“", "”"),
		"CRLF": strings.ReplaceAll(curly("„", "“"), "\n", "\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			want := read(t, sound, jsonld.Options{})
			got := read(t, text, jsonld.Options{})
			if !slices.Equal(got.Lines(), want.Lines()) {
				t.Errorf("%s\n%v", text, got.Lines())
			}
			for _, q := range got.Quads {
				if !q.Repaired {
					t.Errorf("%s counts as kept", rdf.AppendQuad(nil, &q))
				}
			}
			at := strings.IndexAny(text, `"“”„`)
			if len(got.Notices) != 1 || got.Notices[0].Code != fault.JSONQuotes || got.Notices[0].Severity != fault.Repair ||
				got.Notices[0].Offset != int64(at) {
				t.Errorf("%+v", got.Notices)
			}
			var split rdftest.Collector
			if err := jsonld.Read(context.Background(), iotest.OneByteReader(strings.NewReader(text)), rdf.Input{Base: "http://b/"},
				jsonld.Options{}, &split); err != nil ||
				!slices.Equal(split.Lines(), got.Lines()) || !slices.Equal(shown(split.Notices), shown(got.Notices)) {
				t.Errorf("byte by byte: %v %v", split.Lines(), split.Notices)
			}
		})
	}
}

// Marks that are text stay, and marks of several kinds are told where they are.
func TestMarksInTextsStay(t *testing.T) {
	for _, c := range []struct{ text, value string }{
		{`{"@id":"http://e/s","http://e/p":"“x”"}`, "“x”"},
		{`{"@id":"http://e/s","http://e/p":"“@x”, “y”: z"}`, "“@x”, “y”: z"},
		{`{“@id”:“http://e/s”,“http://e/p”:“say “hi” to”}`, "say “hi” to"},
		{`{“@id”:“http://e/s”,“http://e/p”:“say "hi" to”}`, `say \"hi\" to`},
		{`{“@id”:“http://e/s”,“http://e/p”:“say \"hi\" to”}`, `say \"hi\" to`},
		{`{“@id”:“http://e/s”,“http://e/p”:“a ‘b’ c”}`, "a ‘b’ c"},
		{`{""@id"":""http://e/s"",""http://e/p"":""say \""hi\"" to""}`, `say \"hi\" to`},
		{`{""@id"":""http://e/s"",""http://e/p"":""“x”""}`, "“x”"},
		{`{"":"a","@id":"http://e/s","http://e/p":""}`, ""},
		{`{"@id":"http://e/s","http://e/p":""}`, ""},
	} {
		got := read(t, c.text, jsonld.Options{})
		if want := `<http://e/s> <http://e/p> "` + c.value + `" .`; !slices.Equal(got.Lines(), []string{want}) {
			t.Errorf("%s\n%v %v", c.text, got.Lines(), got.Notices)
		}
	}
	for _, text := range []string{`{“@id”:"http://e/s",“http://e/p”:“x”}`, `{“@id”:“http://e/s”,"http://e/p":“x”}`,
		`{""@id"":"http://e/s",""http://e/p"":""x""}`,
		`{‘@id’:‘http://e/s’,‘http://e/p’:‘x’}`} {
		got := read(t, text, jsonld.Options{})
		if len(got.Quads) > 0 || got.Worst() != fault.Drop || got.Notices[0].Line != 1 {
			t.Errorf("%s\n%v %v", text, got.Lines(), got.Notices)
		}
	}
}

// Bytes that are no UTF-8, and a text that ends in the middle, go through the edit as they are.
func TestTheEditOfMarksKeepsBytes(t *testing.T) {
	got := read(t, "{“@id”:“http://e/s”,“http://e/p”:“caf\xe9”}", jsonld.Options{})
	if want := []string{"<http://e/s> <http://e/p> \"caf\xe9\" ."}; !slices.Equal(got.Lines(), want) {
		t.Errorf("%q", got.Lines())
	}
	long := strings.Repeat("é“x” ", 100_000)
	got = read(t, fmt.Sprintf("{“@id”:“http://e/s”,“http://e/p”:“%s”,“http://e/q”:“", long), jsonld.Options{})
	if len(got.Quads) != 1 || string(got.Quads[0].Object.Value) != long || got.Worst() != fault.Drop {
		t.Errorf("%d statements, %v", len(got.Quads), shown(got.Notices))
	}
}

// Faults are reported where they stand in the text as it came. A curly mark is one character, as a straight one is, so
// that lines and columns are those of the same text in straight marks.
func TestPlacesAreThoseOfTheTextAsItCame(t *testing.T) {
	const faulty = "{\n  ~@id~: ~http://e/s~, ~http://e/p~: {~@value~: [1]}, ~http://e/r~: {~@value~: 2, ~@type~: [3]},\n" +
		"  ~http://e/q~: [~é \\\"x\\\" y~, {~@value~: {}}], ~http://e/t~: {~@language~: 4, ~@value~: ~a~}\r\n, ~http://e/u~: {~@list~: 1, ~@set~: [2]} x}"
	straight := strings.ReplaceAll(faulty, "~", `"`)
	want := read(t, straight, jsonld.Options{})
	if len(want.Notices) < 4 {
		t.Fatalf("too few faults: %v", want.Notices)
	}
	for _, mark := range []string{"“”", "„“", "””", "„‟"} {
		marks, in := []rune(mark), false
		text := strings.Map(func(c rune) rune {
			if c != '~' {
				return c
			}
			in = !in
			return map[bool]rune{true: marks[0], false: marks[1]}[in]
		}, faulty)
		got := read(t, text, jsonld.Options{})
		if len(got.Notices) != len(want.Notices)+1 {
			t.Fatalf("%s: %v", mark, got.Notices)
		}
		for i, n := range got.Notices[1:] {
			w := want.Notices[i]
			same := strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‟", `"`)
			if n.Line != w.Line || n.Column != w.Column || same.Replace(text[:n.Offset]) != straight[:w.Offset] {
				t.Errorf("%s: %s at %d:%d and %d, in straight marks at %d:%d and %d", mark, n.Code, n.Line, n.Column, n.Offset, w.Line,
					w.Column, w.Offset)
			}
		}
	}
}
