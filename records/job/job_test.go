package job_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/extract"
	"laundromat/records/job"
	"laundromat/records/spec"
)

// tally is what flowed out of a job.
type tally struct {
	lines   []string
	notices []string
	headers []string
	flushed int
	fails   error
}

func (t *tally) Record(r *records.Record) error {
	line := string(r.AppendJSON(nil))
	if r.Repaired {
		line += " repaired"
	}
	t.lines = append(t.lines, line)
	return t.fails
}

func (t *tally) Notice(n fault.Notice) {
	if n.Severity == fault.Note {
		return
	}
	line := fmt.Sprintf("%s %s %d:%d", n.Severity, n.Code, n.Line, n.Column)
	if n.Lost > 0 {
		line += fmt.Sprintf(" lost %d", n.Lost)
	}
	t.notices = append(t.notices, line)
}

func (t *tally) Header(h *records.Header) { t.headers = append(t.headers, strings.Join(h.Labels, "|")) }
func (t *tally) Flush() error             { t.flushed++; return nil }

// pages are further pages, by URL.
type pages map[string]string

func (p pages) fetch(_ context.Context, url string) ([]byte, string, error) {
	if text, ok := p[url]; ok {
		return []byte(text), url, nil
	}
	return nil, "", errors.New("404")
}

func compile(text string, opt job.Options) (*job.Job, error) {
	if text == "" {
		return job.Compile(nil, opt)
	}
	node, err := spec.Parse("s.yaml", []byte(text))
	if err != nil {
		return nil, err
	}
	s, err := spec.FromNode(node, ".")
	if err != nil {
		return nil, err
	}
	return job.Compile(s, opt)
}

func document(name, text string) job.Document {
	doc := job.Document{Document: extract.Document{Name: name, Text: strings.NewReader(text)}}
	if strings.HasPrefix(name, "http") {
		doc.URL = name
	}
	return doc
}

func TestPartsAreJoined(t *testing.T) {
	for _, c := range []struct {
		name, spec, file, in string
		strict               bool
		want, notices        []string
		counts               records.Counts
	}{
		{name: "a table as it is", file: "a.csv", in: "id,name\n1,Ada\n2,Bo\n",
			want: []string{`{"id":"1","name":"Ada"}`, `{"id":"2","name":"Bo"}`}, counts: records.Counts{Read: 2, Kept: 2, Written: 2}},
		{name: "a row too long is lost", file: "a.csv", in: "id,name\n1,Ada\nBo,2,x\n3,Cy\n4,Di\n",
			want:    []string{`{"id":"1","name":"Ada"}`, `{"id":"3","name":"Cy"}`, `{"id":"4","name":"Di"}`},
			notices: []string{"drop table/row-long 3:6 lost 1"},
			counts:  records.Counts{Read: 4, Kept: 3, Dropped: 1, Written: 3}},
		{name: "a repaired row", file: "a.csv", in: "id,name\n1,Ada\n2,Bo,\n3,Cy\n",
			want:    []string{`{"id":"1","name":"Ada"}`, `{"id":"2","name":"Bo"} repaired`, `{"id":"3","name":"Cy"}`},
			notices: []string{"repair table/surplus-delimiter 3:6"},
			counts:  records.Counts{Read: 3, Kept: 2, Repaired: 1, Written: 3}},
		{name: "a repaired row, strict", file: "a.csv", in: "id,name\n1,Ada\n2,Bo,\n3,Cy\n", strict: true,
			want:    []string{`{"id":"1","name":"Ada"}`, `{"id":"3","name":"Cy"}`},
			notices: []string{"drop table/surplus-delimiter 3:6 lost 1"},
			counts:  records.Counts{Read: 3, Kept: 2, Dropped: 1, Written: 2}},
		{name: "rows are selected from", file: "a.csv", in: "id,name\n1,Ada\n2,Bo\n", spec: `select: {who: name}`,
			want: []string{`{"who":"Ada"}`, `{"who":"Bo"}`}, counts: records.Counts{Read: 2, Kept: 2, Written: 2}},
		{name: "rows are mapped", file: "a.csv", in: "id,km\n1,5\n2,6\n",
			spec: `map: {n: {from: id}, length: {from: km, unit: {of: km, to: m}}}`,
			want: []string{`{"n":"1","length":"5000 m","was":{"length":{"value":"5","rule":"length"}}}`,
				`{"n":"2","length":"6000 m","was":{"length":{"value":"6","rule":"length"}}}`},
			counts: records.Counts{Read: 2, Kept: 2, Written: 2}},
		{name: "rows are checked", file: "a.csv", in: "id,name\n1,Ada\nx,Bo\n",
			spec: `schema: {fields: [{name: id, type: integer}, {name: name, type: string}]}`,
			want: []string{`{"id":1,"name":"Ada"}`}, notices: []string{"drop schema/type-error 3:1 lost 1"},
			counts: records.Counts{Read: 2, Kept: 1, Dropped: 1, Written: 1}},
		{name: "a mend of the schema", file: "a.csv", in: "id\n1\nx\n",
			spec:    `schema: {fields: [{name: id, type: integer, onError: "null"}]}`,
			want:    []string{`{"id":1}`, `{"id":null,"was":{"id":{"value":"x","rule":"schema"}}} repaired`},
			notices: []string{"repair schema/type-error 3:1"},
			counts:  records.Counts{Read: 2, Kept: 1, Repaired: 1, Written: 2}},
		{name: "a mend of the schema, strict", file: "a.csv", in: "id\n1\nx\n", strict: true,
			spec: `schema: {fields: [{name: id, type: integer, onError: "null"}]}`,
			want: []string{`{"id":1}`}, notices: []string{"drop schema/type-error 3:1 lost 1"}, counts: records.Counts{Read: 2, Kept: 1,
				Dropped: 1, Written: 1}},
		{name: "all parts", file: "a.csv", in: "id,name\n1,Ada\n2,Bo\n",
			spec: "select: {n: id, who: name}\nmap: {number: {from: n, number: {}}, who: {from: who}}\nschema: {fields: [{name: number, type: integer}, {name: who, type: string, constraints: {maxLength: 2}}]}",
			want: []string{`{"number":2,"who":"Bo"}`}, notices: []string{"drop schema/constraint-error 2:3 lost 1"},
			counts: records.Counts{Read: 2, Kept: 1, Dropped: 1, Written: 1}},
		{name: "JSON as it is", file: "a.json", in: `[{"a":1},{"a":2}]`, want: []string{`{"a":1}`, `{"a":2}`},
			counts: records.Counts{Read: 2, Kept: 2, Written: 2}},
		{name: "a mapping over an object of JSON is the document", file: "a.json", in: `{"t":"x","items":[{"a":1},{"a":2}]}`,
			spec: `select: {title: $.t, all: ["$.items[*].a"]}`,
			want: []string{`{"title":"x","all":[1,2]}`}, counts: records.Counts{Read: 1, Kept: 1, Written: 1}},
		{name: "a mapping over a list of JSON is each item", file: "a.json", in: `[{"a":1},{"a":2}]`, spec: `select: {n: $.a}`,
			want: []string{`{"n":1}`, `{"n":2}`}, counts: records.Counts{Read: 2, Kept: 2, Written: 2}},
		{name: "a list over JSON is each match", file: "a.json", in: `{"t":"x","items":[{"a":1},{"a":2}]}`,
			spec: `select: ["$.items[*]", {n: $.a}]`,
			want: []string{`{"n":1}`, `{"n":2}`}, counts: records.Counts{Read: 2, Kept: 2, Written: 2}},
		{name: "a list over a list of JSON", file: "a.json", in: `[{"a":1},{"a":2}]`, spec: `select: ["$[*]", {n: $.a}]`,
			want: []string{`{"n":1}`, `{"n":2}`}, counts: records.Counts{Read: 2, Kept: 2, Written: 2}},
		{name: "a mapping over JSON lines is each line", file: "a.jsonl", in: "{\"a\":1}\n{\"a\":2}\n", spec: `select: {n: $.a}`,
			want: []string{`{"n":1}`, `{"n":2}`}, counts: records.Counts{Read: 2, Kept: 2, Written: 2}},
		{name: "source names the list", file: "a.json", in: `{"x":[{"a":1}],"y":[{"a":2}]}`, spec: "source: {records: y}\nselect: {n: $.a}",
			want: []string{`{"n":2}`}, notices: []string{"warning record/beside 1:6"}, counts: records.Counts{Read: 1, Kept: 1,
				Written: 1}},
		{name: "a repair of JSON is of the record that it lies in", file: "a.json", in: `{"items":[{"a":1,},{"a":2}]}`,
			spec: `select: ["$.items[*]", {n: $.a}]`,
			want: []string{`{"n":1} repaired`, `{"n":2}`}, notices: []string{"repair record/comma 1:17"},
			counts: records.Counts{Read: 2, Kept: 1, Repaired: 1, Written: 2}},
		{name: "a repair of JSON before all records is of the document", file: "a.json", in: `{'t':1,"items":[{"a":1},{"a":2}]}`,
			spec: `select: ["$.items[*]", {n: $.a}]`,
			want: []string{`{"n":1}`, `{"n":2}`}, notices: []string{"repair record/quotes 1:2"}, counts: records.Counts{Read: 2, Kept: 2,
				Written: 2}},
		{name: "a key without quotation marks is of its own object", file: "a.json", in: `{"items":[{"a":1},{a:2},{"b":{'x':1}}]}`,
			spec: `select: ["$.items[*]", {n: $.a, x: $.b.x}]`,
			want: []string{`{"n":1}`, `{"n":2} repaired`, `{"x":1} repaired`}, notices: []string{"repair record/quotes 1:20",
				"repair record/quotes 1:31"},
			counts: records.Counts{Read: 3, Kept: 1, Repaired: 2, Written: 3}},
		{name: "a value after another", file: "a.json", in: `{"a":1}{'a':2}`, spec: `select: {n: $.a}`,
			want: []string{`{"n":1}`, `{"n":2} repaired`}, notices: []string{"repair record/quotes 1:9"},
			counts: records.Counts{Read: 2, Kept: 1, Repaired: 1, Written: 2}},
		{name: "the same, strict", file: "a.json", in: `{"items":[{"a":1,},{"a":2}]}`, strict: true,
			spec: `select: ["$.items[*]", {n: $.a}]`,
			want: []string{`{"n":2}`}, notices: []string{"drop record/comma 1:17 lost 1"}, counts: records.Counts{Read: 2, Kept: 1,
				Dropped: 1, Written: 1}},
		{name: "a list without its end", file: "a.json", in: `[{"a":1},{"a":2}`, spec: `select: {n: $.a}`,
			want: []string{`{"n":1}`, `{"n":2}`}, notices: []string{"repair record/bracket 1:17"}, counts: records.Counts{Read: 2, Kept: 2,
				Written: 2}},
		{name: "YAML", file: "a.yaml", in: "items:\n- a: 1\n- a: 2\n", spec: `select: ["$.items[*]", {n: $.a}]`,
			want: []string{`{"n":1}`, `{"n":2}`}, counts: records.Counts{Read: 2, Kept: 2, Written: 2}},
		{name: "a list of YAML", file: "a.yaml", in: "- a: 1\n- a: 2\n", spec: `select: {n: $.a}`,
			want: []string{`{"n":1}`, `{"n":2}`}, counts: records.Counts{Read: 2, Kept: 2, Written: 2}},
		{name: "XML as it is", file: "a.xml", in: `<r><i n="1">x</i><i n="2">y</i></r>`,
			want: []string{`{"@n":"1","#text":"x"}`, `{"@n":"2","#text":"y"}`}, counts: records.Counts{Read: 2, Kept: 2, Written: 2}},
		{name: "XML by CSS", file: "a.xml", in: `<r><i n="1">x</i><i n="2">y</i></r>`, spec: `select: [i, {n: {attr: [n]}, t: {text: ""}}]`,
			want: []string{`{"n":"1","t":"x"}`, `{"n":"2","t":"y"}`}, counts: records.Counts{Read: 2, Kept: 2, Written: 2}},
		{name: "XML by the members of its elements", file: "a.xml", in: `<r><i n="1">x</i><i n="2">y</i></r>`,
			spec: `select: {n: "$['@n']"}`,
			want: []string{`{"n":"1"}`, `{"n":"2"}`}, counts: records.Counts{Read: 2, Kept: 2, Written: 2}},
		{name: "the tables of a page", file: "a.html", in: `<table><tr><th>a<th>b<tr><td>1<td>2</table>`,
			want: []string{`{"a":"1","b":"2"}`}, counts: records.Counts{Read: 1, Kept: 1, Written: 1}},
		{name: "a page by a spec", file: "a.html", in: `<ul><li><a href=/x>X</a><li><a href=/y>Y</a></ul>`,
			spec: `select: [li, {t: a, u: {href: a}}]`,
			want: []string{`{"t":"X","u":"/x"}`, `{"t":"Y","u":"/y"}`}, counts: records.Counts{Read: 2, Kept: 2, Written: 2}},
		{name: "a page without what is asked for", file: "a.html", in: `<p>nothing`, spec: `select: [li, {t: a}]`,
			notices: []string{"drop record/nothing-found 0:0 lost 1"},
			counts:  records.Counts{Read: 1, Dropped: 1}},
		{name: "an expression sees the address", file: "http://example.org/p", in: `<html><p>x`,
			spec: `select: {t: p, e: {expr: 't + " of " + page_url'}}`,
			want: []string{`{"t":"x","e":"x of http://example.org/p"}`}, counts: records.Counts{Read: 1, Kept: 1, Written: 1}},
		{name: "an expression sees the element that it is in", file: "a.html", in: `<ul><li>1 a<li>2 b</ul>`,
			spec: `select: [li, {n: {regexp: ['\d']}, all: {expr: 'value + "!" + n'}}]`,
			want: []string{`{"n":"1","all":"1 a!1"}`, `{"n":"2","all":"2 b!2"}`}, counts: records.Counts{Read: 2, Kept: 2, Written: 2}},
		{name: "nothing", file: "a.csv", in: ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			j, err := compile(c.spec, job.Options{Strict: c.strict})
			if err != nil {
				t.Fatal(err)
			}
			var got tally
			counts, err := j.Document(context.Background(), document(c.file, c.in), &got)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.lines, c.want) {
				t.Errorf("records\n%s\nwant\n%s", strings.Join(got.lines, "\n"), strings.Join(c.want, "\n"))
			}
			if !slices.Equal(got.notices, c.notices) {
				t.Errorf("notices %q, want %q", got.notices, c.notices)
			}
			if counts != c.counts {
				t.Errorf("%+v, want %+v", counts, c.counts)
			}
			if got.flushed != 1 {
				t.Errorf("flushed %d times", got.flushed)
			}
		})
	}
}

func TestAWrongSpecIsRefusedWithItsPlace(t *testing.T) {
	for _, c := range []struct{ spec, want string }{
		{"selekt: {a: b}", `s.yaml:1:1: unknown part "selekt": did you mean "select"?`},
		{"reconcile: {id: id, keep: newst}", `s.yaml:1:27: unknown rule "newst": did you mean "newest"?`},
		{"source: {format: cvs}", `s.yaml:1:18: unknown format "cvs": did you mean "csv"?`},
		{"select: {a: {atr: [a, href]}, b: {c: 1}}",
			`s.yaml:1:38: a matcher is a text, a list or a mapping, not a number; a value that is always the same is written {const: …}`},
		{"map: {a: {from: b, numbr: {}}}", `s.yaml:1:20: unknown key of a rule "numbr": did you mean "number"?`},
		{"schema: {fields: [{name: a, type: integr}]}", `s.yaml:1:35: unknown type "integr": did you mean "integer"?`},
		{"pages: {next: a}", `s.yaml:1:8: pages needs the part select, which says what is on each page`},
		{"source: {format: csv}\nselect: {a: b}\npages: {next: a}", `s.yaml:3:8: pages reads HTML, and source says format: csv`},
		{"source: {format: csv}\nselect: {a: 'xpath://b'}",
			`s.yaml:2:13: XPath selects from pages and XML, not from a JSON value or a row: write JSONPath ($.name)`},
	} {
		_, err := compile(c.spec, job.Options{Fetch: pages{}.fetch})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s\n%v, want\n%s", c.spec, err, c.want)
		}
	}
}

func TestKeysHoldForAllDocumentsOfARun(t *testing.T) {
	j, err := compile(
		"schema: {fields: [{name: id}, {name: up}], primaryKey: id, foreignKeys: [{fields: up, reference: {fields: id}}], missingValues: ['']}",
		job.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got tally
	run, err := j.Start(&got)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		in   string
		want records.Counts
	}{
		{"id,up\n1,2\n2,1\n", records.Counts{Read: 2, Kept: 2, Written: 2}},
		{"id,up\n2,1\n3,9\n4,1\n", records.Counts{Read: 3, Kept: 1, Dropped: 2, Written: 1}},
		{"id,up\n5,4\n", records.Counts{Read: 1, Kept: 1, Written: 1}},
	} {
		counts, err := run.Document(context.Background(), document("a.csv", c.in), got.Notice)
		if err != nil || counts != c.want {
			t.Errorf("%q: %+v, %v; want %+v", c.in, counts, err, c.want)
		}
	}
	if err := run.Close(); err != nil || got.flushed != 1 {
		t.Errorf("%v, flushed %d times", err, got.flushed)
	}
}

func TestAHeaderIsHandedOnWhereNoRuleLiesBetween(t *testing.T) {
	for _, c := range []struct {
		spec string
		want []string
	}{
		{"", []string{"id|name|name|"}},
		{"schema: {fields: [{name: id}], fieldsMatch: partial}", []string{"id|name|name|"}},
		{"map: {id: {from: id}}", nil},
		{"select: {id: id}", nil},
	} {
		for _, strict := range []bool{false, true} {
			j, err := compile(c.spec, job.Options{Strict: strict})
			if err != nil {
				t.Fatal(err)
			}
			var got tally
			if _, err := j.Document(context.Background(), document("a.csv", "id,name,name,\n1,a,b,c\n2,d,e,f\n"), &got); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.headers, c.want) {
				t.Errorf("%q: %q, want %q", c.spec, got.headers, c.want)
			}
		}
	}
}

func TestAFullDiskIsNotTheDocumentsFault(t *testing.T) {
	for _, text := range []string{"", "select: {a: a}", "map: {a: {from: a}}", "schema: {fields: [{name: a}]}"} {
		for _, file := range [][2]string{{"a.csv", "a\n1\n"}, {"a.json", `{"a":"1"}`}} {
			j, err := compile(text, job.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := tally{fails: syscall.ENOSPC}
			counts, err := j.Document(context.Background(), document(file[0], file[1]), &got)
			var blamed *records.SinkError
			if !errors.As(err, &blamed) || !errors.Is(err, syscall.ENOSPC) || counts.Written != 0 {
				t.Errorf("%q over %s: %v, %+v", text, file[0], err, counts)
			}
		}
	}
}

func TestPagesAreRead(t *testing.T) {
	web := pages{
		"http://example.org/2": `<li><a href=/d2>Two</a>`,
		"http://example.org/d": `<p class=more>Detail</p>`,
	}
	j, err := compile("select: [li, {t: a, more: .more}]\npages: {next: 'a[rel=next]', detail: a}", job.Options{Fetch: web.fetch})
	if err != nil {
		t.Fatal(err)
	}
	var got tally
	counts, err := j.Document(context.Background(),
		document("http://example.org/1", `<html><li><a href=/d>One</a></li><a rel=next href=/2>next</a>`), &got)
	want := []string{`{"t":"One","more":"Detail"}`, `{"t":"Two"}`}
	if err != nil || !slices.Equal(got.lines, want) || counts != (records.Counts{Read: 2, Kept: 2, Written: 2}) {
		t.Errorf("%q, %+v, %v", got.lines, counts, err)
	}
	if want := []string{"warning record/page-missing 0:0"}; !slices.Equal(got.notices, want) {
		t.Errorf("%q", got.notices)
	}
}

func TestAPartMayBeAFile(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"s.yaml": "schema: table.json\n",
		"table.json": `{"fields":[{"name":"a","type":"integer"}]}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := spec.Load(filepath.Join(dir, "s.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	j, err := job.Compile(s, job.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got tally
	if _, err := j.Document(context.Background(), document("a.csv", "a\n1\n"), &got); err != nil ||
		!slices.Equal(got.lines, []string{`{"a":1}`}) {
		t.Errorf("%q, %v", got.lines, err)
	}
}
