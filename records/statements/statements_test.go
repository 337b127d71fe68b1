package statements_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/jsonld"
	"laundromat/records"
	"laundromat/records/extract"
	"laundromat/records/job"
	"laundromat/records/spec"
	"laundromat/records/statements"
)

// made is what became of a document.
type made struct {
	lines   []string
	notices []string
	counts  records.Counts
	tally   clean.Tally
}

// sink makes the statements of records.
type sink struct{ *statements.Document }

func (sink) Notice(fault.Notice) {}

func compile(text string) (*job.Job, *statements.Mapping, error) {
	node, err := spec.Parse("s.yaml", []byte(text))
	if err != nil {
		return nil, nil, err
	}
	whole, err := spec.FromNode(node, "")
	if err != nil {
		return nil, nil, err
	}
	j, err := job.Compile(whole, job.Options{})
	if err != nil {
		return nil, nil, err
	}
	m, err := statements.Compile(whole.RDF, statements.Options{Type: func(field string) (kind string) {
		if s := j.Schema(); s != nil {
			kind, _ = s.FieldType(field)
		}
		return kind
	}})
	return j, m, err
}

// run makes the statements of a document by a spec.
func run(t testing.TB, specText, name, text string, opt clean.Options) (m made) {
	t.Helper()
	j, mapping, err := compile(specText)
	if err != nil {
		t.Fatal(err)
	}
	notice := func(n fault.Notice) {
		if n.Severity > fault.Note {
			m.notices = append(m.notices, fmt.Sprintf("%d:%d %s %s %s", n.Line, n.Column, n.Severity, n.Code, n.Field))
		}
	}
	document, err := mapping.Document(opt, clean.EachLine(func(line []byte) error {
		m.lines = append(m.lines, strings.ReplaceAll(string(line), "\x01", "KEY"))
		return nil
	}), notice)
	if err != nil {
		t.Fatal(err)
	}
	m.counts, err = j.Document(context.Background(), job.Document{Document: extract.Document{Name: name, FileName: name,
		Text: strings.NewReader(text)}}, sink{document})
	if err != nil {
		t.Fatal(err)
	}
	m.tally = document.Close()
	slices.Sort(m.lines)
	m.lines = slices.Compact(m.lines)
	return m
}

const head = `rdf:
  id: "http://e/{id}"
  context:
    id: null
    e: http://e/v#
    xsd: http://www.w3.org/2001/XMLSchema#
    name: e:name
    n: e:n
    friend: {"@id": e:friend, "@type": "@id"}
    day: {"@id": e:day, "@type": xsd:date}
    at: e:at
    seq: {"@id": e:seq, "@container": "@list"}
    label_de: {"@id": e:label, "@language": de}
    label_x: {"@id": e:label, "@language": x_y!}
    titles: {"@id": e:title, "@container": "@language"}
    b: {"@id": e:b}
`

func TestRecordsBecomeTheStatementsOfTheirNodes(t *testing.T) {
	for _, c := range []struct {
		name, spec, text string
		lines            []string // without <http://e/1>, the subject, and the dot
		notices          []string
		lost             int64 // records
	}{
		{name: "texts, numbers, booleans and null", text: `[{"id":1,"name":"a","n":2,"b":true,"at":null}]`, lines: []string{
			`<http://e/v#b> "true"^^<http://www.w3.org/2001/XMLSchema#boolean>`,
			`<http://e/v#n> "2"^^<http://www.w3.org/2001/XMLSchema#integer>`, `<http://e/v#name> "a"`}},
		{name: "a number without a schema is a double", text: `[{"id":1,"n":1.5}]`, lines: []string{
			`<http://e/v#n> "1.5E0"^^<http://www.w3.org/2001/XMLSchema#double>`}},
		{name: "a list without order",
			text:  `[{"id":1,"name":["a","b",null]}]`,
			lines: []string{`<http://e/v#name> "a"`, `<http://e/v#name> "b"`}},
		{name: "a nested record with an @id", text: `[{"id":1,"at":{"@id":"http://e/p","name":"P"}}]`,
			lines: []string{`<http://e/v#at> <http://e/p>`, `!<http://e/p> <http://e/v#name> "P"`}},
		{name: "nested records without one are nodes of their document",
			text: `[{"id":1,"at":{"name":"P"}},{"id":2,"at":{"name":"P"}}]`,
			lines: []string{`!<http://e/2> <http://e/v#at> <https://lodlaundromat.org/.well-known/genid/KEY/-2>`,
				`!<https://lodlaundromat.org/.well-known/genid/KEY/-1> <http://e/v#name> "P"`,
				`!<https://lodlaundromat.org/.well-known/genid/KEY/-2> <http://e/v#name> "P"`,
				`<http://e/v#at> <https://lodlaundromat.org/.well-known/genid/KEY/-1>`}},
		{name: "languages by field", text: `[{"id":1,"label_de":"ä","titles":{"en":"T","fr":["U","V"]}}]`, lines: []string{
			`<http://e/v#label> "ä"@de`, `<http://e/v#title> "T"@en`, `<http://e/v#title> "U"@fr`, `<http://e/v#title> "V"@fr`}},
		{name: "types by the schema", spec: "schema: {fields: [{name: id}, {name: at, type: datetime}, {name: n, type: number}, " +
			"{name: name, type: year}, {name: day, type: date}]}\n",
			text: `[{"id":"1","at":"2020-01-02T03:04:05Z","n":1.50,"name":2020,"day":"2020-01-02"}]`, lines: []string{
				`<http://e/v#at> "2020-01-02T03:04:05Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>`,
				`<http://e/v#day> "2020-01-02"^^<http://www.w3.org/2001/XMLSchema#date>`,
				`<http://e/v#n> "1.5"^^<http://www.w3.org/2001/XMLSchema#decimal>`,
				`<http://e/v#name> "2020"^^<http://www.w3.org/2001/XMLSchema#gYear>`}},
		{name: "no id", text: "[{\"name\":\"a\"},\n{\"id\":null,\"name\":\"b\"},\n{\"id\":\"\",\"name\":\"c\"},\n{\"id\":{\"x\":1}},\n{\"id\":[1]}]",
			lost: 5,
			notices: []string{"1:2 drop record/no-node ",
				"2:7 drop record/no-node id",
				"3:7 drop record/no-node id",
				"4:7 drop record/no-node id",
				"5:7 drop record/no-node id"}},
		{name: "an id is encoded",
			text:  `[{"id":"a b/ü?#%{","name":"a"}]`,
			lines: []string{`!<http://e/a%20b%2Fü%3F%23%25%7B> <http://e/v#name> "a"`}},
		{name: "a bad IRI costs its statement", text: "[{\"id\":1,\n\"friend\":\"no iri\",\"name\":\"a\"}]",
			lines:   []string{`<http://e/v#name> "a"`},
			notices: []string{"2:10 warning iri/unlikely-reference friend", "2:10 drop iri/no-base friend"}},
		{name: "one of a list too",
			text:    `[{"id":1,"friend":["http://e/a","relative"]}]`,
			lines:   []string{`<http://e/v#friend> <http://e/a>`},
			notices: []string{"1:19 drop iri/no-base friend"}},
		{name: "a bad lexical form is told", text: `[{"id":1,"day":"2020-02-30"}]`, lines: []string{
			`<http://e/v#day> "2020-02-30"^^<http://www.w3.org/2001/XMLSchema#date>`},
			notices: []string{"1:16 warning literal/ill-typed day"}},
		{name: "a field without a meaning is told once", text: `[{"id":1,"b":"x","what":1},{"id":2,"b":"x","what":2}]`,
			lines:   []string{`<http://e/v#b> "x"`, `!<http://e/2> <http://e/v#b> "x"`},
			notices: []string{"1:25 warning syntax/json-undefined-term what"}},
		{name: "links", spec: "",
			text: `[{"id":1,"name":"a","to":[2,"x y",null]},{"id":2,"b":"x","to":""},{"id":3,"b":"x","to":{"a":1}}]`,
			lines: []string{
				`!<http://e/2> <http://e/v#b> "x"`,
				`!<http://e/3> <http://e/v#b> "x"`,
				`<http://e/v#name> "a"`,
				`<http://e/v#to> <http://e/2>`,
				`<http://e/v#to> <http://e/x%20y>`},
			notices: []string{"1:67 warning record/no-link to"}},
		{name: "classes and graphs", text: `[{"id":1,"g":"q","@type":"e:B"}]`, lines: []string{
			`<http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/v#A> <http://e/g/q>`,
			`<http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/v#B> <http://e/g/q>`}},
		{name: "a graph that can't be named",
			text:    `[{"id":1,"name":"a","g":null}]`,
			lost:    1,
			notices: []string{"1:25 drop record/no-node g"}},
		{name: "an @id of its own", text: `[{"id":1,"@id":"http://e/x","name":"a"}]`, lines: []string{`<http://e/v#name> "a"`},
			notices: []string{"1:16 warning record/own-keyword @id"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := c.spec + head
			switch {
			case strings.Contains(c.name, "links"):
				text += "    to: e:to\n  links: {to: {\"@id\": \"http://e/{to}\"}}\n"
			case strings.Contains(c.name, "graph"):
				text += "    g: null\n  type: e:A\n  graph: http://e/g/{g}\n"
			}
			m := run(t, text, "a.json", c.text, clean.Options{})
			var want []string
			for _, line := range c.lines {
				if whole, ok := strings.CutPrefix(line, "!"); ok {
					line = whole
				} else {
					line = "<http://e/1> " + line
				}
				want = append(want, line+" .")
			}
			slices.Sort(want)
			if !slices.Equal(m.lines, want) {
				t.Errorf("lines\n%s\nwant\n%s", strings.Join(m.lines, "\n"), strings.Join(want, "\n"))
			}
			if !slices.Equal(m.notices, c.notices) {
				t.Errorf("notices %q, want %q", m.notices, c.notices)
			}
			if m.counts.Dropped != c.lost || m.counts.Read != m.counts.Kept+m.counts.Repaired+m.counts.Dropped {
				t.Errorf("records %+v", m.counts)
			}
			if m.tally.Read != m.tally.Kept+m.tally.Repaired+m.tally.Dropped {
				t.Errorf("statements %+v", m.tally)
			}
		})
	}
}

func TestWrongPartsAreRefusedAtTheirPlace(t *testing.T) {
	for _, c := range []struct{ rdf, want string }{
		{`{}`, `s.yaml:1:6: rdf needs a context`},
		{`[]`, `s.yaml:1:6: a mapping is wanted here`},
		{`{contexts: {}}`, `s.yaml:1:7: unknown key of rdf "contexts": did you mean "context"?`},
		{`{context: 1}`, `s.yaml:1:16: the context: invalid local context`},
		{`{context: {a: 1}}`, `s.yaml:1:20: the context: `},
		{`{context: {a: "http://e/a", b: {"@id": "http://e/b", "@container": "@nothing"}}}`, `s.yaml:1:`},
		{`{context: {a: {"@id": "x:y", "@type": "nope"}}}`, `s.yaml:1:`},
		{`{context: "https://nowhere.example/c.jsonld"}`, `s.yaml:1:16: the context: loading remote context failed`},
		{`{context: {}, id: "http://e/"}`, `s.yaml:1:24: the id names no field`},
		{`{context: {}, id: "http://e/{a"}`, `s.yaml:1:34: this brace has no counterpart`},
		{`{context: {}, id: "http://e/{+a}"}`, `s.yaml:1:34: {+a}: the operator +`},
		{`{context: {}, id: "http://e/{a,b}"}`, `s.yaml:1:34: {a,b}: one name is wanted`},
		{`{context: {}, id: "http://e/a b{a}"}`, `s.yaml:1:35: an IRI has no ' '`},
		{`{context: {}, id: "{a}"}`, `s.yaml:1:24: id makes no sound statement`},
		{`{context: {}, id: "p/{a}"}`, `s.yaml:1:24: id makes no sound statement`},
		{`{context: {}, id: 3}`, `s.yaml:1:24: a text is wanted here`},
		{`{context: {}, type: Nothing}`, `s.yaml:1:26: type makes no sound statement`},
		{`{context: {}, graph: "g{a}"}`, `s.yaml:1:27: graph makes no sound statement`},
		{`{context: {}, merged: same}`, `s.yaml:1:28: merged says which IRIs a merged record has: same-as or one-iri`},
		{`{context: {}, merged: [same-as]}`, `s.yaml:1:28: merged says`},
		{`{context: {}, links: {a: "http://e/{a}"}}`, `s.yaml:1:28: the context says nothing of "a"`},
		{`{context: {a: "http://e/a"}, links: {a: "http://e/"}}`, `s.yaml:1:46: the link names no field`},
		{`{context: {a: "http://e/a"}, links: {a: "x {a}"}}`, `s.yaml:1:`},
	} {
		_, _, err := compile("rdf: " + c.rdf)
		var wrong *spec.Error
		if !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.rdf, err, c.want)
		}
	}
}

// TestStrictLosesWhatWouldBeMended: a finding that waits for its statement is told at the place of its own record.
func TestStrictLosesWhatWouldBeMended(t *testing.T) {
	m := run(t, head, "a.json", "[{\"id\":1,\"titles\":{\"en_US\":\"a\"}},\n{\"id\":2,\"name\":\"b\"}]", clean.Options{Strict: true})
	if len(m.lines) != 1 || m.tally.Dropped != 1 || m.tally.Kept != 1 || len(m.notices) != 1 || !strings.HasPrefix(m.notices[0], "1:") {
		t.Errorf("%q %q %+v", m.lines, m.notices, m.tally)
	}
}

// FuzzStatementsAreThoseOfTheJSONLD holds the statements of records against those that the reader of JSON-LD finds in
// the same nodes as text.
func FuzzStatementsAreThoseOfTheJSONLD(f *testing.F) {
	for _, seed := range []string{
		`{"name":"a","n":[1,2.5,-0,1e30,true,null]}`, `{"at":{"name":"x","at":{"n":1}},"seq":[1,"b",["c"]]}`,
		`{"friend":["http://e/a","rel","_:b"],"day":"x"}`, `{"titles":{"en":["a"],"x y":"b"},"label_x":"q","@type":"e:T"}`,
		`{"at":{"@value":"v","@language":"EN"},"name":{"@list":[1]},"b":{"@graph":[{"n":1}]}}`,
		`{"@se":{},"A:":""}`,
		`{"@context":{"z":"http://e/z"},"z":1}`, `{"@reverse":{"e:r":{"@id":"http://e/q"}},"e:x":"\u0000"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var object map[string]any
		if json.Unmarshal([]byte(text), &object) != nil || len(object) == 0 {
			return
		}
		if _, has := object["@id"]; has {
			return
		}
		object["id"] = "1"
		node, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		m := run(t, "source: {format: jsonl}\n"+head, "a.jsonl", string(node), clean.Options{})
		if m.counts.Kept != 1 {
			return // not read as this one record
		}
		object["@id"] = "http://e/1"
		context, err := spec.Parse("s.yaml", []byte(head))
		if err != nil {
			t.Fatal(err)
		}
		whole, _ := json.Marshal(object)
		own := context.Get("rdf").Get("context").Value().AppendJSON(nil)
		given, has := object["@context"]
		if has {
			also, _ := json.Marshal(given)
			own = append(append(append([]byte{'['}, own...), ','), also...)
			own = append(own, ']')
			delete(object, "@context")
			whole, _ = json.Marshal(object)
		}
		document := append(append([]byte(`{"@context":`), own...), ',')
		document = append(document, whole[1:]...)
		var want []string
		first, tally := clean.Chain(clean.Options{HasAnonymous: true}, clean.EachLine(func(line []byte) error {
			want = append(want, strings.ReplaceAll(string(line), "\x01", "KEY"))
			return nil
		}), func(fault.Notice) {})
		if err := jsonld.Read(t.Context(), bytes.NewReader(document), rdf.Input{}, jsonld.Options{}, first); err != nil {
			t.Fatal(err)
		}
		slices.Sort(want)
		want = slices.Compact(want)
		if !slices.Equal(m.lines, want) || m.tally.Kept != tally.Kept {
			t.Errorf("%s\n%s\nwant\n%s", document, strings.Join(m.lines, "\n"), strings.Join(want, "\n"))
		}
	})
}
