package peers_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
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
		holdRecord(t, record)
	}
}

// holdRecord holds the statements of a record in JSON against those that json-gold makes of it as JSON-LD.
func holdRecord(t *testing.T, record string) {
	t.Helper()
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
	for i, line := range want {
		want[i] = theirCell.ReplaceAllStringFunc(line, func(label string) string {
			n, _ := strconv.Atoi(label[len("/b"):])
			return fmt.Sprintf("/-%d", n+1)
		})
	}
	if got := recordLines(t, `{"id":"1",`+record[1:]); !slices.Equal(got, sorted(want)) || len(got) == 0 {
		t.Errorf("%s\n%s\njson-gold\n%s", record, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// theirCell is the label of a cell of a list, which json-gold counts from 0.
var theirCell = regexp.MustCompile(`/b[0-9]+`)

// FuzzStatementsOfRecordsAreThoseOfTheirJSONLD makes records of the fields that the context knows, each with values of
// all kinds that a record has. Nodes have IRIs, so that the lines may be compared.
func FuzzStatementsOfRecordsAreThoseOfTheirJSONLD(f *testing.F) {
	f.Add([]byte{0, 0, 1, 5, 2, 9, 3, 4}, "a", int64(1))
	f.Add([]byte{5, 1, 6, 3, 7, 2, 4, 0}, "ä \"\\\n", int64(-70000))
	f.Add([]byte{2, 6, 2, 7, 8, 8, 1, 2}, "", int64(0))
	f.Fuzz(func(t *testing.T, choices []byte, text string, number int64) {
		if text = strings.ToValidUTF8(text, ""); len(choices) > 64 || strings.ContainsFunc(text, func(r rune) bool {
			return r < ' ' && r != '\n' && r != '\t' || r >= 0x7F && r < 0xA0 || r >= 0xFFFE
		}) || number > 1<<52 || number < -1<<52 {
			return // what is no character is for the cleaning, and each has a rule of its own for long numbers
		}
		record := map[string]any{"name": "x"}
		for i := 0; i+1 < len(choices); i += 2 {
			name := []string{"name", "n", "at", "friend", "day", "seq", "label", "titles", "unknown"}[choices[i]%9]
			value := []any{text, number, float64(number) / 4, number%2 == 0, []any{text, number, nil}, []any{text, []any{}},
				map[string]any{"@id": "http://e/n" + fmt.Sprint(number), "n": text}, text, nil,
			}[choices[i+1]%9]
			_, isObject := value.(map[string]any)
			switch name {
			case "friend":
				value = "http://e/f" + fmt.Sprint(number)
			case "titles":
				value = map[string]any{"en": text, "fr": []any{"T", text}}
			case "day", "label":
				value = text
			case "seq":
				if isObject {
					value = number
				}
			}
			record[name] = value
		}
		written, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		holdRecord(t, string(written))
	})
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
