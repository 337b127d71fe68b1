package match_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/rdftest"
	"laundromat/records"
	"laundromat/records/match"
	"laundromat/records/spec"
)

// kept is a sink that keeps what it is given.
type kept struct {
	records []*records.Record
	notices []fault.Notice
	err     error
}

func (k *kept) Record(r *records.Record) error {
	k.records = append(k.records, r.Clone())
	return k.err
}
func (k *kept) Notice(n fault.Notice) { k.notices = append(k.notices, n) }

// json is the records, as a list.
func (k *kept) json() string {
	out := []byte{'['}
	for i, r := range k.records {
		if i > 0 {
			out = append(out, ',')
		}
		out = r.AppendJSON(out)
	}
	return string(append(out, ']'))
}

// codes is the notices in short: code, place, and field.
func (k *kept) codes() string {
	var all []string
	for _, n := range k.notices {
		s := fmt.Sprintf("%s %d:%d", n.Code, n.Line, n.Column)
		if n.Field != "" {
			s += " " + n.Field
		}
		all = append(all, s)
	}
	return strings.Join(all, ", ")
}

func parse(t testing.TB, text string) *spec.Node {
	t.Helper()
	n, err := spec.Parse("spec.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func compile(t testing.TB, text string, opt match.Options) *match.Matcher {
	t.Helper()
	m, err := match.Compile(parse(t, text), opt)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const pageURL = "http://host.example/list/page.html"

// onHTML runs a spec over a page.
func onHTML(t testing.TB, m *match.Matcher, page string) *kept {
	t.Helper()
	k := &kept{}
	counts, err := m.HTML(context.Background(), match.Document{Name: "page.html", URL: pageURL}, []byte(page), k)
	if err != nil {
		t.Fatal(err)
	}
	if counts.Read != counts.Kept+counts.Repaired+counts.Dropped || counts.Written != int64(len(k.records)) {
		t.Errorf("the accounts do not hold: %+v, %d records", counts, len(k.records))
	}
	return k
}

func sameJSON(t *testing.T, got string, want []byte) {
	t.Helper()
	var a, b any
	if err := json.Unmarshal([]byte(got), &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(want, &b); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSamplesGiveTheirResults(t *testing.T) {
	root := rdftest.Shared(t, "records", "pages")
	for _, c := range []struct{ dir, spec, expected string }{
		{"hcard", "spec.yaml", "expected.json"},
		{"hcard", "spec.json", "expected.json"},
		{"hcards", "spec.yaml", "expected.json"},
		{"hcards", "spec.json", "expected.json"},
		{"bookmarks", "spec-as-written.json", "expected-as-written.json"},
		{"bookmarks", "spec-mended.json", "expected-mended.json"},
		{"bookmarks", "spec-mended.yaml", "expected-mended.json"},
	} {
		t.Run(c.dir+"/"+c.spec, func(t *testing.T) {
			s, err := spec.Load(filepath.Join(root, c.dir, c.spec))
			if err != nil {
				t.Fatal(err)
			}
			for _, source := range []match.Source{match.Unknown, match.HTML} {
				m, err := match.Compile(s.Select, match.Options{Source: source})
				if err != nil {
					t.Fatal(err)
				}
				page, _ := os.ReadFile(filepath.Join(root, c.dir, "page.html"))
				want, _ := os.ReadFile(filepath.Join(root, c.dir, c.expected))
				k := onHTML(t, m, string(page))
				sameJSON(t, k.json(), want)
				for _, f := range m.Findings() {
					if f.Code != fault.RecordOldPath || f.Line == 0 || f.File == "" {
						t.Errorf("%+v", f)
					}
				}
				if c.dir != "hcards" && len(m.Findings()) == 0 {
					t.Error("no note on an old path")
				}
			}
		})
	}
}

func TestCalendarGivesItsEvents(t *testing.T) {
	root := rdftest.Shared(t, "records", "events")
	page, _ := os.ReadFile(filepath.Join(root, "calendar.html"))
	text, _ := os.ReadFile(filepath.Join(root, "expected.json"))
	var want []map[string]any
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	m := compile(t, `
- "#calendar .event"
- title: .title
  description: {or: [.desc, null]}
  source_text: {html: ""}
  source_url: {page_url: true}
  event_url: {or: [{link: .title a}, null]}
  event_number: {attr: ["", id]}
  branch: {const: Legislative}
`, match.Options{})
	k := &kept{}
	if _, err := m.HTML(context.Background(), match.Document{URL: "http://calendar.example.gov/house/calendar.html"}, page, k); err != nil {
		t.Fatal(err)
	}
	if len(k.records) != len(want) {
		t.Fatalf("%d records, want %d", len(k.records), len(want))
	}
	for i, r := range k.records {
		for _, f := range r.Fields {
			var got any
			if err := json.Unmarshal(f.Value.AppendJSON(nil), &got); err != nil || got != want[i][f.Name] {
				t.Errorf("event %d: %s is %v, want %v", i, f.Name, got, want[i][f.Name])
			}
		}
		if len(r.Fields) != 7 || r.Pos.Line != int64(7+i) {
			t.Errorf("event %d: %d fields, at %+v", i, len(r.Fields), r.Pos)
		}
	}
}

func TestFullDiskIsTheSinks(t *testing.T) {
	m := compile(t, `[li, {a: ""}]`, match.Options{})
	k := &kept{err: errors.New("no space left")}
	_, err := m.HTML(context.Background(), match.Document{}, []byte("<li>1<li>2"), k)
	var sink *records.SinkError
	if !errors.As(err, &sink) || len(k.records) != 1 {
		t.Error(err, len(k.records))
	}
}
