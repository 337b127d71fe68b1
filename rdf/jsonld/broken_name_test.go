package jsonld_test

import (
	"slices"
	"strings"
	"testing"

	"laundromat/rdf/jsonld"
)

// Each row: a context, the statements that are lost of a node that is read under it, and the notices.
func TestABrokenNameInAContextCostsTheTermsThatItMayBe(t *testing.T) {
	const (
		node = `"@id":"http://e/s","name":"A","knows":"http://e/t","age":3,"http://v/x":{"@value":"y"}`
		name = `<http://e/s> <http://w/name> "A" .`
		know = `<http://e/s> <http://v/knows> <http://e/t> .`
		age  = `<http://e/s> <http://w/age> "3"^^<http://www.w3.org/2001/XMLSchema#integer> .`
		x    = `<http://e/s> <http://v/x> "y" .`
		rest = `"knows":{"@id":"http://v/knows","@type":"@id"},"@vocab":"http://w/"`
	)
	for _, row := range []struct {
		name, context  string
		quads, notices []string
	}{
		{"without its end", `{"name: "http://v/name",` + rest + `}`, []string{know, age, x},
			[]string{"drop syntax/json 1:14 1", "drop syntax/json-context 1:125 1"}},
		{"with a bad escape", `{"na\qme":"http://v/name",` + rest + `}`, []string{know, age, x},
			[]string{"drop syntax/json 1:14 1", "drop syntax/json-context 1:127 1"}},
		{"with a bad number of a character", `{"na\u12G4me":"http://v/name",` + rest + `}`, []string{know, age, x},
			[]string{"drop syntax/json 1:14 1", "drop syntax/json-context 1:131 1"}},
		{"with a NUL", "{\"na\x00me\":\"http://v/name\"," + rest + `}`, []string{know, age, x},
			[]string{"drop syntax/json 1:14 1", "drop syntax/json-context 1:126 1"}},
		{"that may be several", `{"\qe":"http://v/name",` + rest + `}`, []string{know, x},
			[]string{"drop syntax/json 1:14 1", "drop syntax/json-context 1:124 1", "drop syntax/json-context 1:156 1"}},
		{"of a term of a context before", `[{"name":"http://old/name"},{"na\qme":"http://v/name",` + rest + `}]`, []string{know, age, x},
			[]string{"drop syntax/json 1:42 1", "drop syntax/json-context 1:156 1"}},
		{"of a term that is defined again", `[{"na\qme":"http://v/name"},{` + rest + `},{"name":"http://w/name"}]`,
			[]string{name, know, age, x}, []string{"drop syntax/json 1:15 1"}},
		{"of @vocab", `{"name":"http://w/name","@vo\qcab":"http://w/","knows":{"@id":"http://v/knows","@type":"@id"}}`,
			[]string{name, know, x}, []string{"drop syntax/json 1:37 1", "drop syntax/json-context 1:159 1"}},
		{"of @language", `{"@langu\qage":"en",` + rest + `}`, []string{know, age, x},
			[]string{"drop syntax/json 1:14 1", "drop syntax/json-context 1:128 1"}},
		{"in a definition", `{"knows":{"@ty\qpe":"@id","@id":"http://v/knows"},"@vocab":"http://w/"}`, []string{name, age, x},
			[]string{"drop syntax/json 1:23 1", "drop syntax/json-context 1:115 1"}},
		{"another one for a keyword", `{"na\qme":"@id",` + rest + `}`, nil, []string{"drop syntax/json 1:14 1"}},
		{"another one for a keyword, in a definition", `{"na\qme":{"@id":"@type"},` + rest + `}`, nil,
			[]string{"drop syntax/json 1:14 1", "drop syntax/json 1:23 0"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := read(t, `{"@context":`+row.context+","+node+"}", jsonld.Options{})
			if quads := got.Lines(); !slices.Equal(quads, row.quads) {
				t.Errorf("quads\n%s\nwant\n%s", strings.Join(quads, "\n"), strings.Join(row.quads, "\n"))
			}
			if notices := shown(got.Notices); !slices.Equal(notices, row.notices) {
				t.Errorf("notices\n%s\nwant\n%s", strings.Join(notices, "\n"), strings.Join(row.notices, "\n"))
			}
		})
	}
}
