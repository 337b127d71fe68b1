package peers_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/piprate/json-gold/ld"

	"laundromat/internal/fault"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
	"laundromat/records"
	"laundromat/records/spec"
	"laundromat/records/statements"
)

const recordContext = `{"e":"http://e/v#","id":null,"name":"e:name","n":"e:n","at":"e:at","friend":{"@id":"e:friend","@type":"@id"},
"day":{"@id":"e:day","@type":"http://www.w3.org/2001/XMLSchema#date"},"seq":{"@id":"e:seq","@container":"@list"},
"label":{"@id":"e:label","@language":"de"},"titles":{"@id":"e:title","@container":"@language"},"of":{"@reverse":"e:has"}}`

// Statements of records are those that a second processor makes of the same JSON-LD.
func TestStatementsOfRecordsAreThoseOfTheirJSONLD(t *testing.T) {
	for _, record := range []string{
		`{"name":"a","n":[1,2.5,true]}`,
		`{"name":["a","b",null],"n":null}`,
		`{"at":{"@id":"http://e/p","name":"P","at":{"@id":"http://e/q","n":3}}}`,
		`{"friend":["http://e/a","http://e/b"]}`,
		`{"day":"2020-01-02","label":"ä"}`,
		`{"titles":{"en":["T","U"],"fr":"V"}}`,
		`{"at":{"@value":"v","@language":"en"}}`,
		`{"at":{"@value":"1","@type":"http://www.w3.org/2001/XMLSchema#integer"}}`,
		`{"of":{"@id":"http://e/whole"}}`,
		`{"@type":["e:A","e:B"],"name":"\"\\\n\u00e9"}`,
		`{"name":"","n":-0.5}`,
		`{"unknown":1,"name":"x","at":[{"@id":"http://e/1","name":"y"}]}`,
	} {
		var node map[string]any
		if err := json.Unmarshal([]byte(record), &node); err != nil {
			t.Fatal(err)
		}
		var local any
		if err := json.Unmarshal([]byte(recordContext), &local); err != nil {
			t.Fatal(err)
		}
		node["@context"], node["@id"] = local, "http://e/1"
		options := ld.NewJsonLdOptions("")
		options.Format = "application/n-quads"
		theirs, err := ld.NewJsonLdProcessor().ToRDF(node, options)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		first, _ := clean.Chain(clean.Options{}, linesInto(&want), nil)
		if _, err := format.Parse(t.Context(), format.NQuads, strings.NewReader(fmt.Sprint(theirs)), format.Options{}, first); err != nil {
			t.Fatal(err)
		}
		if got := recordLines(t, `{"id":"1",`+record[1:]); !slices.Equal(got, sorted(want)) || len(got) == 0 {
			t.Errorf("%s\n%s\njson-gold\n%s", record, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func linesInto(to *[]string) clean.Lines {
	return clean.EachLine(func(line []byte) error {
		*to = append(*to, string(line))
		return nil
	})
}

func sorted(lines []string) []string {
	slices.Sort(lines)
	return slices.Compact(lines)
}

// recordLines are the clean lines of a record in JSON.
func recordLines(t *testing.T, text string) (lines []string) {
	t.Helper()
	node, err := spec.Parse("rdf", []byte(`{"context":`+recordContext+`,"id":"http://e/{id}"}`))
	if err != nil {
		t.Fatal(err)
	}
	mapping, err := statements.Compile(node, statements.Options{})
	if err != nil {
		t.Fatal(err)
	}
	document, err := mapping.Document(clean.Options{}, linesInto(&lines), func(fault.Notice) {})
	if err != nil {
		t.Fatal(err)
	}
	record, err := spec.Parse("record", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := document.Record(&records.Record{Fields: record.Value().Fields}); err != nil {
		t.Fatal(err)
	}
	return sorted(lines)
}
