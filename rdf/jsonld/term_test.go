package jsonld_test

import (
	"testing"

	"laundromat/rdf/jsonld"
)

// A fault in the definition of a term costs what needs that term, and nothing else of the document.
func TestAFaultInAContextCostsItsTerm(t *testing.T) {
	x := `<http://b/a> <http://p> "x" .`
	const syntax, context = "drop syntax/json ", "drop syntax/json-context "
	for _, r := range []row{
		{"an IRI that is broken", `{"@context":{"p":"http://p","q":"http://q\q"},"@id":"a","p":"x","q":"y"}`,
			[]string{x}, []string{syntax + "1:33 1", context + "1:65 1"}},
		{"a definition that is broken inside",
			`{"@context":{"p":"http://p","q":{"@id":"http://q","@type":"http://t\q"}},"@id":"a","p":"x","q":"y"}`,
			[]string{x}, []string{syntax + "1:59 1", context + "1:92 1"}},
		{"a prefix", `{"@context":{"p":"http://p","q":"http://q/\q"},"@id":"a","p":"x","q:r":"y"}`,
			[]string{x}, []string{syntax + "1:33 1", context + "1:66 1"}},
		{"a term that needs it", `{"@context":{"p":"http://p","q":"http://q/\q","r":"q:r"},"@id":"a","p":"x","r":"y"}`,
			[]string{x}, []string{syntax + "1:33 1", context + "1:51 0", context + "1:76 1"}},
		{"no value", `{"@context":{"p":"http://p","q":},"@id":"a","p":"x","q":"y"}`,
			[]string{x}, []string{syntax + "1:33 1", context + "1:53 1"}},
		{"not what the @vocab makes of it", `{"@context":{"@vocab":"http://","q":"http://q\q"},"@id":"a","p":"x","q":"y"}`,
			[]string{x}, []string{syntax + "1:37 1", context + "1:69 1"}},
		{"one of several contexts", `{"@context":[{"p":"http://p"},{"q":"http://q\q"}],"@id":"a","p":"x","q":"y"}`,
			[]string{x}, []string{syntax + "1:36 1", context + "1:69 1"}},
		{"what all other terms depend on", `{"@context":{"p":"http://p","@vocab":"http://v\q"},"@id":"a","p":"x","q":"y"}`,
			[]string{x}, []string{syntax + "1:38 1", context + "1:70 1"}},
		{"what all depends on", `{"@context":{"p":"http://p","@import":"http://v\q"},"@id":"a","p":"x","q":"y"}`,
			nil, []string{syntax + "1:39 1"}},
		{"not within a JSON literal",
			`{"@context":{"p":"http://p","j":{"@id":"http://j","@type":"@json"}},"@id":"a","p":"x","j":{"@context":{"q":"\q"}}}`,
			[]string{x}, []string{syntax + "1:108 1", syntax + "1:91 0"}},
		{"nor in an array of one",
			`{"@context":{"p":"http://p","j":{"@id":"http://j","@type":"@json"}},"@id":"a","p":"x","j":[{"q":"\q","r":1}]}`,
			[]string{x}, []string{syntax + "1:97 1", syntax + "1:91 0"}},
		{"that of an array of contexts", `{"@context":[{"p":"http://p"},{"@vocab":"http://v\q"}],"@id":"a","p":"x","q":"y"}`,
			[]string{x}, []string{syntax + "1:41 1", context + "1:74 1"}},
		{"all of an array of contexts of which one is lost", `{"@context":[{"p":"http://p"},"http://v\q"],"@id":"a","p":"x","q":"y"}`,
			nil, []string{syntax + "1:31 1"}},
	} {
		t.Run(r.name, func(t *testing.T) { r.run(t, jsonld.Options{}) })
	}
}

// A comma is missing between what is on the line of a brace and a member on a line of its own. Another
// object may have begun there. What follows is reported as repaired.
func TestMembersBehindACutLineAreRepaired(t *testing.T) {
	got := read(t, "[{\"@id\":\"a\",\"http://p\":[{\"@id\":\"b\"\n  \"http://p\":\"x\",\n  \"http://p\":\"y\",\n  \"http://q\":\"z\"}]}]",
		jsonld.Options{})
	for i := range got.Quads {
		if q := &got.Quads[i]; string(q.Subject.Value) == "http://b/b" && !q.Repaired {
			t.Errorf("%s", got.Lines()[i])
		}
	}
	if len(got.Quads) != 3 {
		t.Errorf("%s", got.Lines())
	}
}
