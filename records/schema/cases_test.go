package schema_test

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/rdftest"
	"laundromat/records"
	"laundromat/records/schema"
	"laundromat/records/spec"
)

// tally keeps what flows into it.
type tally struct {
	records []*records.Record
	notices []fault.Notice
}

func (s *tally) Record(r *records.Record) error { s.records = append(s.records, r.Clone()); return nil }
func (s *tally) Notice(n fault.Notice)          { s.notices = append(s.notices, n) }

func (s *tally) lines() (lines []string) {
	for _, r := range s.records {
		lines = append(lines, string(r.AppendJSON(nil)))
	}
	return lines
}

// lost is how many records the notices count as dropped.
func (s *tally) lost() (n int) {
	for _, notice := range s.notices {
		n += notice.Lost
	}
	return n
}

// feed reads a CSV with encoding/csv, and gives its header and records. Blank lines are
// records without cells.
func feed(t testing.TB, text string, to records.Sink) (rows int) {
	t.Helper()
	reader := csv.NewReader(strings.NewReader(text))
	reader.FieldsPerRecord = -1
	var names []string
	last := 0
	for {
		cells, err := reader.Read()
		if err != nil {
			return rows
		}
		line, _ := reader.FieldPos(0)
		if names == nil {
			h := &records.Header{Labels: cells, Pos: fault.Pos{Line: int64(line), Column: 1}}
			for i, label := range cells {
				at, column := reader.FieldPos(i)
				h.Places = append(h.Places, fault.Pos{Line: int64(at), Column: int64(column)})
				if label == "" || slices.Contains(cells[:i], label) {
					label = "column_" + string(rune('1'+i))
				}
				names = append(names, label)
			}
			h.Names = names
			if sink, ok := to.(records.HeaderSink); ok {
				sink.Header(h)
			}
			last = line
			continue
		}
		for ; last+1 < line; last++ {
			rows++
			give(t, to, &records.Record{Pos: fault.Pos{Line: int64(last + 1), Column: 1}})
		}
		last = line
		r := &records.Record{Pos: fault.Pos{Line: int64(line), Column: 1}}
		for i, cell := range cells {
			name := "extra"
			if i < len(names) {
				name = names[i]
			}
			at, column := reader.FieldPos(i)
			r.Fields = append(r.Fields, records.Field{Name: name, Value: records.TextOf(cell),
				Pos: fault.Pos{Line: int64(at), Column: int64(column)}})
		}
		rows++
		give(t, to, r)
	}
}

func give(t testing.TB, to records.Sink, r *records.Record) {
	t.Helper()
	if err := to.Record(r); err != nil {
		t.Fatal(err)
	}
}

func compile(t testing.TB, text string, opt schema.Options) *schema.Schema {
	t.Helper()
	node, err := spec.Parse("s.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.Compile(node, opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// run checks a CSV and holds the accounts: what is read is handed on or counted as lost.
func run(t testing.TB, s *schema.Schema, text string) *tally {
	t.Helper()
	got := &tally{}
	c, err := s.Check(got)
	if err != nil {
		t.Fatal(err)
	}
	rows := feed(t, text, c)
	if err := c.Flush(); err != nil {
		t.Fatal(err)
	}
	if len(got.records)+got.lost() != rows {
		t.Errorf("%d rows, %d records, %d lost", rows, len(got.records), got.lost())
	}
	return got
}

// TestTableSchemaCases: each case comes out with its kind of error, row and field.
func TestTableSchemaCases(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(rdftest.Shared(t, "records/table-schema"), "cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	type resource struct {
		Schema json.RawMessage
		Data   string
	}
	var manifest struct {
		Cases []struct {
			ID string
			resource
			Errors []struct {
				Type, Field string
				Row         int64
			}
			Also      []string
			Rows      []json.RawMessage
			Resources map[string]resource
		}
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	passed := 0
	for _, c := range manifest.Cases {
		ok := t.Run(c.ID, func(t *testing.T) {
			opt := schema.Options{Resources: map[string]schema.Resource{}}
			for name, r := range c.Resources {
				opt.Resources[name] = schema.Resource{Schema: compile(t, string(r.Schema), schema.Options{}),
					Read: func(to records.Sink) error { feed(t, r.Data, to); return nil }}
			}
			node, err := spec.Parse("s.json", c.Schema)
			if err != nil {
				t.Fatal(err)
			}
			s, err := schema.Compile(node, opt)
			if err != nil {
				if len(c.Errors) == 1 && c.Errors[0].Row == 0 && strings.Contains(err.Error(), "s.json:") {
					return // refused before the data is read
				}
				t.Fatal(err)
			}
			got := run(t, s, c.Data)
			var told []string
			for _, n := range got.notices {
				told = append(told, string(n.Code)+" "+n.Field+" "+n.Message)
			}
			for _, want := range c.Errors {
				at := slices.IndexFunc(got.notices, func(n fault.Notice) bool {
					return string(n.Code) == "schema/"+want.Type && n.Line == want.Row && n.Field == want.Field
				})
				if at < 0 {
					t.Errorf("%s in row %d, field %q is not told: %q", want.Type, want.Row, want.Field, told)
				} else {
					got.notices = slices.Delete(got.notices, at, at+1)
				}
			}
			for _, n := range got.notices {
				if !slices.Contains(c.Also, strings.TrimPrefix(string(n.Code), "schema/")) {
					t.Errorf("told besides: %s %s", n.Code, n.Message)
				}
			}
			for i, want := range c.Rows {
				if i >= len(got.records) || compact(string(want)) != string(got.records[i].AppendJSON(nil)) {
					t.Errorf("row %d: %q, want %s", i, got.lines(), want)
				}
			}
		})
		if ok {
			passed++
		}
	}
	t.Logf("%d of %d", passed, len(manifest.Cases))
}

// compact takes the spaces out of JSON without texts that hold any.
func compact(s string) string { return strings.NewReplacer(" ", "", "\n", "").Replace(s) }
