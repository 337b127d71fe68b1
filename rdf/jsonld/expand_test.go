package jsonld_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laundromat/rdf/jsonld"
)

// A row of a table: a document, the statements made of it, and the notices with their places.
// Statements that a repair touched are marked with "R ".
type row struct {
	name, text string
	quads      []string
	notices    []string
}

func (r *row) run(t *testing.T, opt jsonld.Options) {
	t.Helper()
	got := read(t, r.text, opt)
	lines := got.Lines()
	for i := range lines {
		if got.Quads[i].Repaired {
			lines[i] = "R " + lines[i]
		}
	}
	if !slices.Equal(lines, r.quads) {
		t.Errorf("quads\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(r.quads, "\n"))
	}
	if notices := shown(got.Notices); !slices.Equal(notices, r.notices) {
		t.Errorf("notices\n%s\nwant\n%s", strings.Join(notices, "\n"), strings.Join(r.notices, "\n"))
	}
}

const x = `<http://b/a> <http://p> "x" .`

func TestNothingIsPassedOverInSilence(t *testing.T) {
	for _, r := range []row{
		{"null as a name", `{"@id":null,"http://p":"x"}`,
			[]string{`R _:0-1 <http://p> "x" .`}, []string{"repair syntax/json-empty-keyword 1:8 0"}},
		{"null as a type", `{"@id":"a","@type":["http://t",null],"http://p":"x"}`,
			[]string{`R <http://b/a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://t> .`, "R " + x},
			[]string{"repair syntax/json-empty-keyword 1:32 0"}},
		{"null as a language", `{"@id":"a","http://p":{"@value":"x","@language":null}}`,
			[]string{"R " + x}, []string{"repair syntax/json-empty-keyword 1:49 0"}},
		{"null beside a set", `{"@id":"a","http://p":{"@set":["x"],"@index":null}}`,
			[]string{"R " + x}, []string{"repair syntax/json-empty-keyword 1:46 0"}},
		{"no datatype", `{"@id":"a","http://p":{"@value":"x","@type":[]}}`,
			[]string{"R " + x}, []string{"repair syntax/json-empty-keyword 1:45 0"}},
		{"an empty language", `{"@context":{"p":{"@id":"http://p","@container":"@language"}},"@id":"a","p":{"":"x"}}`,
			[]string{"R " + x}, []string{"repair syntax/json-empty-keyword 1:81 0"}},
		{"a datatype that is taken away", `{"@context":{"t":null},"@id":"a","http://p":[{"@value":"y","@type":"t"},"x"]}`,
			[]string{x}, []string{"drop syntax/json-keyword 1:46 1"}},
		{"a type that is taken away", `{"@context":{"t":null},"@id":"a","@type":"t","http://p":"x"}`,
			[]string{x}, []string{"warning syntax/json-undefined-term 1:42 0"}},
		{"two datatypes that are none cost one value", `{"@id":"a","http://p":[{"@value":"y","@type":[1,2]},"x"]}`,
			[]string{x}, []string{"drop syntax/json-keyword 1:47 1"}},
		{"a language without a value", `{"@id":"a","http://p":["x",{"@language":"en"}]}`,
			[]string{x}, []string{"warning syntax/json-free-value 1:41 0"}},
		{"a direction of a node", `{"@id":"a","@direction":"ltr","http://p":"x"}`,
			[]string{x}, []string{"warning syntax/json-free-value 1:25 0"}},
		{"a direction of a number", `{"@id":"a","http://p":{"@value":1,"@direction":"ltr"}}`,
			[]string{line}, []string{"warning language/json-direction 1:33 0"}},
		{"a node of which nothing is said", `[{"@id":"b"},{"@id":"c","http://p":null},{"@id":"a","http://p":"x"}]`,
			[]string{x}, []string{"warning syntax/json-free-value 1:2 0", "warning syntax/json-free-value 1:14 0"}},
		{"a node of which too little is known is told once", `[{"@id":"b","name":"y"},{"@id":"a","http://p":"x"}]`,
			[]string{x}, []string{"warning syntax/json-undefined-term 1:13 0"}},
		{"a context within @nest", `{"@id":"a","@nest":{"@context":{"p":"http://q"},"http://p":"x"}}`,
			[]string{x}, []string{"warning syntax/json-undefined-term 1:32 0"}},
		{"an identifier beside another",
			`{"@context":{"p":{"@id":"http://p","@container":"@id"}},"@id":"a","p":{"b":{"@id":"c","http://q":"y"}}}`,
			[]string{`<http://b/a> <http://p> <http://b/c> .`, `<http://b/c> <http://q> "y" .`},
			[]string{"warning syntax/json-duplicate-name 1:76 0"}},
		{"a keyword to be as an identifier",
			`{"@context":{"p":{"@id":"http://p","@container":"@id"}},"@id":"a","p":{"@foo":{"http://q":"y"}},"http://p":"x"}`,
			[]string{x}, []string{"drop syntax/json-keyword 1:79 2"}},
		{"a base that is none", `[{"@context":{"@base":":"},"@id":"b","http://p":"y"},{"@id":"a","http://p":"x"}]`,
			[]string{x}, []string{"drop syntax/json-context 1:23 0", "drop syntax/json-context 1:34 0", "drop syntax/json-context 1:49 1"}},
		{"a context whose name is cut", `[{"@context":" //Schema.org/ ","@id":"a","name":"y"},{"@id":"a","http://p":"x"}]`,
			[]string{`R <http://b/a> <http://schema.org/name> "y" .`, x}, []string{"repair syntax/json-context-name 1:14 0"}},
		{"a version that is a string", `{"@context":{"@version":"1.1","p":"http://p"},"@id":"a","p":"x"}`,
			[]string{"R " + x}, []string{"repair syntax/json-version 1:25 0"}},
		{"null with a language", `{"@id":"a","http://p":["x",{"@value":null,"@language":"en"}]}`,
			[]string{x}, []string{"warning syntax/json-free-value 1:28 0"}},
		{"a node of which only others are said", `{"@id":"b","@included":{"@id":"a","http://p":"x"}}`,
			[]string{x}, []string{"warning syntax/json-free-value 1:1 0"}},
		{"what is included and no node is lost once",
			`{"@id":"a","http://p":"x","@included":["y",{"@value":"z"},{"@id":"a","http://p":"x"}]}`,
			[]string{x, x}, []string{"drop syntax/json-keyword 1:40 1", "drop syntax/json-keyword 1:44 1"}},
		{"null as a container", `{"@context":{"p":{"@id":"http://p","@container":null}},"@id":"a","p":"x"}`,
			[]string{"R " + x}, []string{"repair syntax/json-empty-keyword 1:49 0"}},
		{"a keyword to be as a type", `{"@context":{"p":{"@id":"http://p","@container":"@type"}},"@id":"a","p":{"@foo":{"@id":"c"}}}`,
			[]string{`<http://b/a> <http://p> <http://b/c> .`}, []string{"warning syntax/json-undefined-term 1:74 0"}},
	} {
		t.Run(r.name, func(t *testing.T) { r.run(t, jsonld.Options{}) })
	}
}

// An object that holds but a graph is the default graph only if it is all there is.
func TestAGraphInAnArrayHasNoName(t *testing.T) {
	const graph = `{"@graph":[{"@id":"a","http://p":"x"}]}`
	named := strings.TrimSuffix(x, ".") + `_:0-1 .`
	for _, r := range []row{
		{"alone", graph, []string{x}, nil},
		{"lines", graph + "\n" + graph, []string{x, x}, nil},
		{"an array", "[" + graph + "]", []string{named}, nil},
		{"with a context", `[{"@context":{},` + graph[1:] + `]`, []string{named}, nil},
		{"with an index", `{"@index":"i",` + graph[1:], []string{named}, nil},
		{"what stands in it without saying anything",
			`{"@context":{"g":{"@id":"http://g","@container":"@graph"}},"@id":"a","g":["x",{"@id":"b"},{"@id":"a","http://p":"x"}]}`,
			[]string{`<http://b/a> <http://g> _:0-1 .`, `<http://b/a> <http://g> _:0-2 .`, `<http://b/a> <http://g> _:0-3 .`,
				strings.TrimSuffix(x, ".") + `_:0-3 .`},
			[]string{"warning syntax/json-free-value 1:75 0", "warning syntax/json-free-value 1:79 0"}},
	} {
		t.Run(r.name, func(t *testing.T) { r.run(t, jsonld.Options{}) })
	}
}

// A context that is not at hand costs what only it can give a meaning. What is read
// without it counts as repaired.
func TestAMissingContextCostsWhatNeedsIt(t *testing.T) {
	const (
		missing = `"http://nowhere/c"`
		told    = "repair syntax/json-context-not-available "
		lost    = "drop syntax/json-context-not-available "
		summed  = "warning syntax/json-context-missing "
	)
	for _, r := range []row{
		{"terms of the document's own", `{"@context":[` + missing +
			`,{"p":"http://p","e":"http://e/"}],"@id":"a","p":"x","q":"y","http://r":"z","e:s":"w","f:t":"v"}`,
			[]string{"R " + x, `R <http://b/a> <http://r> "z" .`, `R <http://b/a> <http://e/s> "w" .`},
			[]string{told + "1:14 0", lost + "1:85 1", lost + "1:118 1", summed + "1:14 0"}},
		{"@vocab is none of them", `{"@context":[` + missing +
			`,{"@vocab":"http://v/","p":{"@id":"http://p"}}],"@id":"a","p":"x","q":"y","@type":"T"}`,
			[]string{"R " + x}, []string{told + "1:14 0", lost + "1:98 1", lost + "1:114 1", summed + "1:14 0"}},
		{"once for each document", `[{"@context":` + missing + `,"@id":"a","http://p":"x"},{"@context":` + missing +
			`,"@id":"a","http://p":"x"}]`,
			[]string{"R " + x, "R " + x}, []string{told + "1:14 0", summed + "1:14 0"}},
		{"names", `{"@context":[` + missing +
			`,{"p":"http://p"}],"@id":"a","p":["x",{"@id":"c:d","p":"y"},{"@id":"urn:x:y"},{"@id":"_:c"},{"@id":"d","p":{"@id":"http://c"}}]}`,
			[]string{"R " + x, `R <http://b/a> <http://p> <urn:x:y> .`, `R <http://b/a> <http://p> _:c .`,
				`R <http://b/a> <http://p> <http://b/d> .`, `R <http://b/d> <http://p> <http://c> .`},
			[]string{told + "1:14 0", lost + "1:77 0", lost + "1:61 1", lost + "1:87 1", summed + "1:14 0"}},
		{"what may be a name", `{"@context":[` + missing + `,{"p":"http://p"}],"@id":"a","p":["x",{"id":"c","p":{"@id":"a","p":"x"}}]}`,
			[]string{"R " + x, "R " + x}, []string{told + "1:14 0", lost + "1:71 0", lost + "1:61 1", lost + "1:84 1", summed + "1:14 0"}},
		{"what may be a literal", `{"@context":[` + missing + `,{"p":"http://p"}],"@id":"a","p":["x",{"value":"y","type":"z"}]}`,
			[]string{"R " + x}, []string{told + "1:14 0", lost + "1:71 1", lost + "1:83 1", lost + "1:70 1", summed + "1:14 0"}},
		{"null takes it away", `{"@context":[` + missing + `,null,{"@vocab":"http://"}],"@id":"a","p":"x"}`,
			[]string{x}, []string{told + "1:14 0", summed + "1:14 0"}},
		{"one that is imported", `{"@context":{"@import":` + missing + `,"p":"http://p"},"@id":"a","p":"x","q":"y"}`,
			[]string{"R " + x}, []string{told + "1:24 0", lost + "1:77 1", summed + "1:24 0"}},
		{"one of a term", `{"@context":{"p":{"@id":"http://p","@context":` + missing +
			`}},"@id":"a","p":{"@id":"a","http://p":"x","q":"y"}}`,
			[]string{`R <http://b/a> <http://p> <http://b/a> .`, "R " + x}, []string{told + "1:47 0", lost + "1:108 1", summed + "1:47 0"}},
		{"relative, and no base", `{"@context":["c",{"p":"http://p"}],"@id":"http://b/a","p":"x"}`,
			[]string{"R " + x}, []string{told + "1:14 0", summed + "1:14 0"}},
	} {
		t.Run(r.name, func(t *testing.T) { r.run(t, jsonld.Options{}) })
	}
}

// A faulty definition costs what needs it.
func TestAFaultyTermCostsWhatNeedsIt(t *testing.T) {
	const lost = "drop syntax/json-context "
	for _, r := range []row{
		{"a relative IRI", `{"@context":{"q":"y","p":"http://p"},"@id":"a","q":"y","p":"x"}`,
			[]string{x}, []string{lost + "1:18 0", lost + "1:48 1"}},
		{"a prefix", `{"@context":{"e":5,"p":"http://p","f":"e:f"},"@id":"a","e:q":"y","f":"z","p":["x",{"@id":"e:c"}]}`,
			[]string{x}, []string{lost + "1:18 0", lost + "1:39 0", lost + "1:56 1", lost + "1:66 1", lost + "1:90 0", lost + "1:74 1"}},
		{"a term with a slash is none", `{"@context":{"@vocab":"http://","p/q":{"@type":"@id"}},"@id":"a","p/q":"a","p":"x"}`,
			[]string{`<http://b/a> <http://p/q> <http://b/a> .`, x}, nil},
		{"a type", `{"@context":{"t":{"@id":5},"p":"http://p"},"@id":"a","@type":["t"],"p":["x",{"@value":"y","@type":"t"}]}`,
			[]string{x}, []string{lost + "1:18 0", lost + "1:99 1", lost + "1:63 1"}},
		{"a protected term", `{"@context":[{"@protected":true,"p":"http://p","q":"http://q"},{"q":"http://r"}],"@id":"a","q":"y","p":"x"}`,
			[]string{`<http://b/a> <http://q> "y" .`, x}, []string{lost + "1:69 0"}},
		{"a scoped context is told once", `{"@context":{"p":{"@id":"http://p","@context":{"q":5}}},"@id":"a","p":["x",{"q":1},{"q":2}]}`,
			[]string{x, `<http://b/a> <http://p> _:0-1 .`, `<http://b/a> <http://p> _:0-2 .`}, []string{lost + "1:52 0", lost + "1:77 1",
				lost + "1:85 1"}},
	} {
		t.Run(r.name, func(t *testing.T) { r.run(t, jsonld.Options{}) })
	}
}

// However many contexts a document names, memory is bounded, and each is read right.
func TestAnyNumberOfContextsIsRead(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	const n = 1500
	for i := range n {
		context := fmt.Sprintf(`{"@context":{"p":"http://p/%d"},"filler":%q}`, i, strings.Repeat("x", 1000))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("c", i)), []byte(context), 0o600); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, `{"@context":"http://c/c%d","@id":"a","p":"x"}`+"\n"+
			`{"@context":"http://nowhere/c%[1]d","@id":"a","http://p":"x"}`+"\n", i)
	}
	opt := jsonld.Options{Contexts: map[string]string{"http://c/": dir}, MaxContextBytes: 4000}
	got := read(t, text.String(), opt)
	if len(got.Quads) != 2*n || len(got.Notices) != 2*n {
		t.Fatalf("%d statements and %d findings", len(got.Quads), len(got.Notices))
	}
	for i := range n {
		if p := string(got.Quads[2*i].Predicate.Value); p != fmt.Sprint("http://p/", i) {
			t.Errorf("line %d: %s", 2*i+1, p)
		}
	}
}
