package jsonld_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/rdf/jsonld"
)

// A sound item that ends its line as all others do loses nothing by what follows on the next.
func TestAnItemThatEndsItsLineIsWhole(t *testing.T) {
	var b strings.Builder
	b.WriteString("{\"@graph\": [\n")
	for i := range 12 {
		text := fmt.Sprintf(
			`{"@id": "http://e/%d", "@type": "http://t/a", "http://p/x": {"@value": "v %d", "@language": "en"}, "http://p/y": {"@value": "w"}},`,
			i, i)
		if i == 9 {
			text = text[strings.Index(text, `", "http://p/x`):]
		}
		b.WriteString(text + "\n")
	}
	b.WriteString("{\"@id\": \"http://e/last\", \"http://p/x\": \"z\"}\n]}\n")
	got := read(t, b.String(), jsonld.Options{})
	lines := strings.Join(got.Lines(), "\n")
	for i := range 12 {
		if want := fmt.Sprintf("<http://e/%d> <http://p/x> \"v %d\"@en", i, i); i != 9 && !strings.Contains(lines, want) {
			t.Errorf("lost: %s\n%v", want, shown(got.Notices))
		}
	}
}

// Each row: a text, what is kept of it and what is not read, since nobody may have written it.
func TestWhatMayBeOtherwiseIsNotRead(t *testing.T) {
	const nodes = `{"@id":"http://e/1","http://p/x":"1"},{"@id":"http://e/2","http://p/x":"2"},{"@id":"http://e/3","http://p/x":"3"}]}`
	for _, row := range []struct{ name, text, kept, not string }{
		{"a colon within the quotation marks of a name", `{"@id:" "http://e/a","http://p/x:" "v"}`, `<http://e/a> <http://p/x> "v"`, `_:`},
		{"braces for a brace", `{"@id":"http://e/a","http://p/x":[{"@id":"http://e/b"{}, {"@id":"http://e/c"}],"http://p/y":"v"}`,
			`<http://e/b>`, `_:`},
		{"a stretch of a context is gone",
			`{"@context":{"b":"http://b/","s":"http://s/".net/c/","d":"http://d/"},"@id":"c:x","d:p":{"@id":"c:y"},"d:q":{"@id":"b:z","d:r":"v"}}`,
			`<http://b/z> <http://d/r> "v"`, `<c:`},
		{"a literal among nodes behind a broken one",
			`{"@id":"http://e/c","http://p/has":[{"@id":"http://e/0","http://p/x":"0"},one","@language":"en"},{"@value":"other","@language":"pl"}],"http://p/y":"v"},` +
				nodes, `<http://e/2> <http://p/x> "2"`, `other`},
		{"values of a member whose name is broken",
			`{"@id":"http://e/a","http://p/x":{"@id":"http://e/b"},"http:"One A","One B",{"@id":"http://e/o"}]},"http://p/y":"v"}`,
			`<http://p/x> <http://e/b>`, `One B`},
		{"an object that breaks off before anything stands in it",
			"[\n  {\n    \"@id\": \"http://e/a\",\n    \"http://p/x\": \"v\",\n    \"http://p/y\": {\n  },\n  {\n    \"@id\": \"http://e/b\",\n    \"http://p/x\": \"w\"\n  }\n]\n",
			`<http://e/a> <http://p/x> "v"`, `_:`},
		{"a literal whose @value has lost its name", `{"@id":"http://e/a","http://p/x":{:"13.5","@type":"http://t/d"},"http://p/y":"v"}`,
			`<http://p/y> "v"`, `http://t/d`},
		{"an @id in an object that others would have in front", `{"@graph":[` + strings.Repeat(`{"@id":"http://e/n","http://p/x":"y"},`,
			6) + `{"@id":"http://e/a","http://p/x":{"http://p/y":"v","http://p/z{"@id":"http://e/b"}}},` + nodes,
			`<http://e/2> <http://p/x> "2"`, `<http://e/b> <http://p/y>`},
		{"a comment that is the rest of a name",
			`{"@graph":[{"@id":"http://e/a","http://p/x":[{"@value":"v"}],//p/y":[{"@id":"http://e/b"}]},` + nodes + "\n",
			`<http://e/2> <http://p/x> "2"`, `<http://e/b>`},
		{"an item of many without the @id that all others have", `{"@graph":[` + strings.Repeat(`{"@id":"http://e/n","http://p/x":"y"},`,
			20) + `{ttp://p/y":"v","http://p/z":{"@id":"http://e/b","http://p/x":"w"}},` + nodes, `<http://e/b> <http://p/x> "w"`, `_:`},
		{"a line that begins in the middle", strings.Repeat(`{"@id":"http://e/n","http://p/x":"y"}`+"\n", 6) +
			`{"@id":"http://e/b"}],"http://p/z":"v"}` + "\n" + `{"@id":"http://e/2","http://p/x":"2"}` + "\n",
			`<http://e/2> <http://p/x> "2"`, `<http://e/b>`},
		{"a line without the context of all others", strings.Repeat(`{"@context":{"p":"http://p/"},"@id":"http://e/n","p:x":"y"}`+"\n", 6) +
			`{"@id":"http://e/b","p:x":"v","p:y":[}` + "\n" + `{"@context":{"p":"http://p/"},"@id":"http://e/2","p:x":"2"}` + "\n",
			`<http://e/2> <http://p/x> "2"`, `<http://e/b>`},
	} {
		got := read(t, row.text, jsonld.Options{})
		lines := strings.Join(got.Lines(), "\n")
		if !strings.Contains(lines, row.kept) || strings.Contains(lines, row.not) || len(got.Notices) == 0 {
			t.Errorf("%s:\n%s\n%v", row.name, lines, shown(got.Notices))
		}
	}
}
