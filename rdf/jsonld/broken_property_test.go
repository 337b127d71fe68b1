package jsonld_test

import (
	"testing"

	"laundromat/rdf/jsonld"
)

// A member whose name is broken is lost. What is said of the nodes in its value is not, if the name
// can only have been a property's.
func TestNodesBehindABrokenNameAreKept(t *testing.T) {
	x, y := `<http://b/b> <http://p> "x" .`, `<http://b/a> <http://q> "y" .`
	const syntax = "drop syntax/json "
	for _, r := range []row{
		{"a node", `{"@id":"a","http://n\q":{"@id":"b","http://p":"x"},"http://q":"y"}`,
			[]string{y, x}, []string{syntax + "1:12 1"}},
		{"nodes in an array",
			`[{"@id":"o","http://o":{"@id":"a","http://n\q":[{"@id":"b","http://p":"x"},{"@id":"c"},"z"],"http://q":"y"}}]`,
			[]string{`<http://b/o> <http://o> <http://b/a> .`, y, x}, []string{syntax + "1:35 1"}},
		{"a node without a name", `{"@id":"a","http://n\q":{"http://r":{"@id":"b","http://p":"x"}},"http://q":"y"}`,
			[]string{y, `_:0-1 <http://r> <http://b/b> .`, x}, []string{syntax + "1:12 1"}},
		{"a prefix that is broken",
			`{"@context":{"n":"http://n/","p":"http://p","q":"http://q"},"@id":"a","n\q:m":{"@id":"b","p":"x"},"q":"y"}`,
			[]string{y, x}, []string{syntax + "1:71 1"}},
		{"a compact name", `{"@context":{"n":"http://n/","p":"http://p","q":"http://q"},"@id":"a","n:\q":{"@id":"b","p":"x"},"q":"y"}`,
			[]string{y, x}, []string{syntax + "1:71 1"}},
		{"a value", `{"@id":"a","http://n\q":{"@value":"z"},"http://q":"y"}`,
			[]string{y}, []string{syntax + "1:12 1", syntax + "1:25 0"}},
		{"not under a name that may be any term",
			`{"@context":{"p":"http://p","q":"http://q"},"@id":"a","n\q":{"@id":"b","p":"x"},"q":"y"}`,
			[]string{y}, []string{syntax + "1:55 1", syntax + "1:61 0"}},
		{"not in another graph", `{"@id":"a","@gr\q":{"@id":"b","http://p":"x"},"http://q":"y"}`,
			[]string{y}, []string{syntax + "1:12 1", syntax + "1:20 0"}},
		{"not where a term may hold a JSON literal",
			`{"@context":{"n:j":{"@id":"n:j","@type":"@json"}},"@id":"a","n:\q":{"@id":"b","http://p":"x"},"http://q":"y"}`,
			[]string{y}, []string{syntax + "1:61 1", syntax + "1:68 0"}},
		{"not where a context isn't at hand", `{"@context":"http://nowhere","@id":"a","n:\q":{"@id":"b","http://p":"x"},"http://q":"y"}`,
			[]string{"R " + y}, []string{syntax + "1:40 1", syntax + "1:47 0", "repair syntax/json-context-not-available 1:13 0",
				"warning syntax/json-context-missing 1:13 0"}},
		{"not in a value", `{"@id":"a","http://q":["y",{"@value":"z","http://n\q":{"@id":"b","http://p":"x"}}]}`,
			[]string{y, `<http://b/a> <http://q> "z" .`}, []string{syntax + "1:42 1", syntax + "1:55 1"}},
	} {
		t.Run(r.name, func(t *testing.T) { r.run(t, jsonld.Options{}) })
	}
}
