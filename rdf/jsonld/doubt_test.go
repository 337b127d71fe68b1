package jsonld_test

import (
	"strings"
	"testing"

	"laundromat/rdf/jsonld"
)

// Each row: a text, what is kept of it and what is not read, since nobody may have written it.
func TestWhatMayBeOtherwiseIsNotRead(t *testing.T) {
	const nodes = `{"@id":"http://e/1","http://p/x":"1"},{"@id":"http://e/2","http://p/x":"2"},{"@id":"http://e/3","http://p/x":"3"}]}`
	for _, row := range []struct{ name, text, kept, not string }{
		{"a colon within the quotation marks of a name", `{"@id:" "http://e/a","http://p/x:" "v"}`, `<http://e/a> <http://p/x> "v"`, `_:`},
		{"braces for a brace", `{"@id":"http://e/a","http://p/x":[{"@id":"http://e/b"{}, {"@id":"http://e/c"}],"http://p/y":"v"}`, `<http://e/b>`, `_:`},
		{"a stretch of a context is gone", `{"@context":{"b":"http://b/","s":"http://s/".net/c/","d":"http://d/"},"@id":"c:x","d:p":{"@id":"c:y"},"d:q":{"@id":"b:z","d:r":"v"}}`, `<http://b/z> <http://d/r> "v"`, `<c:`},
		{"a literal among nodes behind a broken one", `{"@id":"http://e/c","http://p/has":[{"@id":"http://e/0","http://p/x":"0"},one","@language":"en"},{"@value":"other","@language":"pl"}],"http://p/y":"v"},` + nodes, `<http://e/2> <http://p/x> "2"`, `other`},
		{"values of a member whose name is broken", `{"@id":"http://e/a","http://p/x":{"@id":"http://e/b"},"http:"One A","One B",{"@id":"http://e/o"}]},"http://p/y":"v"}`, `<http://p/x> <http://e/b>`, `One B`},
	} {
		got := read(t, row.text, jsonld.Options{})
		lines := strings.Join(got.Lines(), "\n")
		if !strings.Contains(lines, row.kept) || strings.Contains(lines, row.not) || len(got.Notices) == 0 {
			t.Errorf("%s:\n%s\n%v", row.name, lines, shown(got.Notices))
		}
	}
}
