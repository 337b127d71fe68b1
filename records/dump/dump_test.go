package dump_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/dump"
)

// rec makes a record of names and values: nil, string, int, bool, float as text by json.Number,
// []any and map of one.
func rec(pairs ...any) *records.Record {
	r := &records.Record{Pos: fault.Pos{Line: 1, Column: 1}}
	for i := 0; i < len(pairs); i += 2 {
		r.Fields = append(r.Fields, records.Field{Name: pairs[i].(string), Value: value(pairs[i+1])})
	}
	return r
}

func value(v any) records.Value {
	switch v := v.(type) {
	case string:
		return records.TextOf(v)
	case int:
		return records.IntOf(int64(v))
	case json.Number:
		return records.NumberOf(string(v))
	case bool:
		return records.BoolOf(v)
	case []any:
		l := records.Value{Kind: records.List}
		for _, item := range v {
			l.Items = append(l.Items, value(item))
		}
		return l
	case map[string]any:
		o := records.Value{Kind: records.Object}
		for name, item := range v {
			o.Fields = append(o.Fields, records.Field{Name: name, Value: value(item)})
		}
		return o
	}
	return records.Value{}
}

// write dumps records, and gives the codes of the notices.
func write(t testing.TB, opt dump.Options, all ...*records.Record) (codes []string) {
	t.Helper()
	opt.Notices = func(n fault.Notice) {
		if _, known := fault.Explain(n.Code); !known {
			t.Errorf("the code %s is in no table", n.Code)
		}
		codes = append(codes, strings.TrimPrefix(string(n.Code), "record/"))
	}
	sink, err := dump.Open(opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if err := sink.Record(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := sink.Close(); err != nil {
		t.Fatal(err)
	}
	return codes
}

func TestTextFormatsWriteCellsAsTheirTablesSay(t *testing.T) {
	digits := json.Number("12345678901234567890.5")
	for name, c := range map[string]struct {
		opt      dump.Options
		all      []*records.Record
		csv, tsv string
		codes    string // of CSV alone
	}{
		"plain":           {all: []*records.Record{rec("a", "x", "b", 5)}, csv: "a,b\r\nx,5\r\n", tsv: "a\tb\nx\t5\n"},
		"comma":           {all: []*records.Record{rec("a", "x,y")}, csv: "a\r\n\"x,y\"\r\n", tsv: "a\nx,y\n"},
		"quote":           {all: []*records.Record{rec("a", `say "x"`)}, csv: "a\r\n\"say \"\"x\"\"\"\r\n", tsv: "a\nsay \"x\"\n"},
		"line feed":       {all: []*records.Record{rec("a", "x\ny")}, csv: "a\r\n\"x\ny\"\r\n", tsv: "a\nx\\ny\n"},
		"carriage return": {all: []*records.Record{rec("a", "x\ry")}, csv: "a\r\n\"x\ry\"\r\n", tsv: "a\nx\\ry\n"},
		"tab":             {all: []*records.Record{rec("a", "x\ty")}, csv: "a\r\nx\ty\r\n", tsv: "a\nx\\ty\n"},
		"backslash":       {all: []*records.Record{rec("a", `x\ty`)}, csv: "a\r\nx\\ty\r\n", tsv: "a\nx\\\\ty\n"},
		"empty text":      {all: []*records.Record{rec("a", "", "b", "x")}, csv: "a,b\r\n\"\",x\r\n", tsv: "a\tb\n\tx\n"},
		"null":            {all: []*records.Record{rec("a", nil, "b", "x")}, csv: "a,b\r\n,x\r\n", tsv: "a\tb\n\tx\n"},
		"one empty cell":  {all: []*records.Record{rec("a", nil)}, csv: "a\r\n\"\"\r\n", tsv: "a\n\n"},
		"null and absent": {all: []*records.Record{rec("a", nil, "b", "x"), rec("b", "y")}, csv: "a,b\r\n,x\r\n,y\r\n",
			tsv: "a\tb\n\tx\n\ty\n", codes: "same-cell"},
		"late field": {all: []*records.Record{rec("a", "x"), rec("b", "y")}, csv: "a,b\r\nx,\r\n,y\r\n", tsv: "a\tb\nx\t\n\ty\n"},
		"list":       {all: []*records.Record{rec("a", []any{1, "x"})}, csv: "a\r\n\"[1,\"\"x\"\"]\"\r\n", tsv: "a\n[1,\"x\"]\n"},
		"object": {all: []*records.Record{rec("a", map[string]any{"b": true})}, csv: "a\r\n\"{\"\"b\"\":true}\"\r\n",
			tsv: "a\n{\"b\":true}\n"},
		"digits": {all: []*records.Record{rec("a", digits)}, csv: "a\r\n12345678901234567890.5\r\n",
			tsv: "a\n12345678901234567890.5\n"},
		"same name twice": {all: []*records.Record{rec("a", "x", "a", "y", "a_2", "z")}, csv: "a,a_2,a_2_2\r\nx,y,z\r\n",
			tsv: "a\ta_2\ta_2_2\nx\ty\tz\n"},
		"no fields":    {all: []*records.Record{rec()}, csv: "column_1\r\n\"\"\r\n", tsv: "column_1\n\n"},
		"no records":   {csv: "", tsv: ""},
		"schema alone": {opt: dump.Options{Fields: []dump.Column{{Name: "b"}, {Name: "a"}}}, csv: "b,a\r\n", tsv: "b\ta\n"},
		"schema and more": {opt: dump.Options{Fields: []dump.Column{{Name: "b"}}}, all: []*records.Record{rec("a", 1, "b", 2)},
			csv: "b,a\r\n2,1\r\n", tsv: "b\ta\n2\t1\n"},
		"fixed": {opt: dump.Options{Fixed: true, Fields: []dump.Column{{Name: "b"}, {Name: "a"}}},
			all: []*records.Record{rec("a", 1, "b", 2)}, csv: "b,a\r\n2,1\r\n", tsv: "b\ta\n2\t1\n"},
		"formula": {all: []*records.Record{rec("a", "=cmd"), rec("a", "@x")}, csv: "a\r\n=cmd\r\n@x\r\n", tsv: "a\n=cmd\n@x\n",
			codes: "formula"},
		"formula, safe": {opt: dump.Options{Safe: true}, all: []*records.Record{rec("=a", "=cmd,1", "b", "x=1")},
			csv: "'=a,b\r\n\"'=cmd,1\",x=1\r\n", tsv: "'=a\tb\n'=cmd,1\tx=1\n"},
		"number, safe": {opt: dump.Options{Safe: true}, all: []*records.Record{rec("a", -5, "b", "-5.25e3", "c", "+007", "d", "-x", "e",
			"+1-2", "f", "-")}, csv: "a,b,c,d,e,f\r\n-5,-5.25e3,+007,'-x,'+1-2,'-\r\n",
			tsv: "a\tb\tc\td\te\tf\n-5\t-5.25e3\t+007\t'-x\t'+1-2\t'-\n"},
		"places": {opt: dump.Options{Places: true}, all: []*records.Record{rec("a", "x")}, csv: "a,_line\r\nx,1\r\n",
			tsv: "a\t_line\nx\t1\n"},
		"places, and a field of that name": {opt: dump.Options{Places: true}, all: []*records.Record{rec("_line", "x"), rec("_line", "y")},
			csv: "_line_2,_line\r\nx,1\r\ny,1\r\n", tsv: "_line_2\t_line\nx\t1\ny\t1\n", codes: "reserved-name"},
		"a field of that name without places": {all: []*records.Record{rec("_line", "x")}, csv: "_line\r\nx\r\n", tsv: "_line\nx\n"},
		"other characters":                    {all: []*records.Record{rec("é", "日本\u2028")}, csv: "é\r\n日本\u2028\r\n", tsv: "é\n日本\u2028\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c.opt.Files = []dump.File{{Format: "csv", Path: filepath.Join(dir, "t.csv")}}
			codes := write(t, c.opt, c.all...)
			if got := strings.Join(codes, " "); got != c.codes {
				t.Errorf("notices %q, want %q", got, c.codes)
			}
			c.opt.Files = []dump.File{{Format: "tsv", Path: filepath.Join(dir, "t.tsv")}}
			write(t, c.opt, c.all...)
			if got := content(t, dir, "t.csv"); got != c.csv {
				t.Errorf("CSV %q, want %q", got, c.csv)
			}
			if got := content(t, dir, "t.tsv"); got != c.tsv {
				t.Errorf("TSV %q, want %q", got, c.tsv)
			}
			hidden, _ := filepath.Glob(filepath.Join(dir, ".*"))
			if len(hidden) > 0 {
				t.Errorf("left behind: %v", hidden)
			}
		})
	}
}

func content(t testing.TB, path ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// parts of texts that a format may trip over.
var parts = []string{"", "a", "\"", ",", "\n", "\r", "\t", "\\", "\r\n", "=", "'", " ", "é", "日", "\\n", "\x00", "\x1b", "_x000D_", "<&>",
	"5", "-", "null"}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(6) {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return b.String()
}

func randomValue(r *rand.Rand, depth int) records.Value {
	switch n := r.IntN(10); {
	case n < 5 || depth > 2:
		return records.TextOf(randomText(r))
	case n < 6:
		return records.Value{}
	case n < 7:
		return records.NumberOf([]string{"0", "-5", "1.50", "9007199254740993", "1e400", "-0", "123456789012345678901234567890"}[r.IntN(7)])
	case n < 8:
		return records.BoolOf(r.IntN(2) == 0)
	case n < 9:
		l := records.Value{Kind: records.List}
		for range r.IntN(3) {
			l.Items = append(l.Items, randomValue(r, depth+1))
		}
		return l
	}
	o := records.Value{Kind: records.Object}
	for i := range r.IntN(3) {
		o.Fields = append(o.Fields, records.Field{Name: fmt.Sprint(randomText(r), i), Value: randomValue(r, depth+1)})
	}
	return o
}

// randomRecord has fields, some of which a rule has changed; before is what it was.
func randomRecord(r *rand.Rand) (now, before *records.Record) {
	before = &records.Record{}
	for i := range 1 + r.IntN(5) {
		if r.IntN(4) > 0 {
			before.Set(fmt.Sprintf("f%d", i), randomValue(r, 0))
		}
	}
	now = before.Clone()
	for i := range now.Fields {
		if r.IntN(3) == 0 {
			f := &now.Fields[i]
			now.Keep(f.Name, f.Value, []string{"number", "date"}[r.IntN(2)])
			f.Value = records.TextOf(randomText(r))
		}
	}
	return now, before
}

// tally keeps the records.
type tally struct{ all []*records.Record }

func (s *tally) Record(r *records.Record) error { s.all = append(s.all, r.Clone()); return nil }
func (s *tally) Notice(fault.Notice)            {}

// A byte of the source that is not UTF-8 is the same character in every format, in values and in the names of fields.
func TestStrayBytesAreCharactersInEveryFormat(t *testing.T) {
	for _, format := range []string{"csv", "tsv", "json", "jsonl", "yaml", "xml", "html", "sqlite"} {
		for _, known := range [][]dump.Column{nil, {{Name: "\xFFa"}}} {
			name := filepath.Join(t.TempDir(), "x."+format)
			write(t, dump.Options{Files: []dump.File{{Format: format, Path: name}}, Fields: known},
				rec("\xFFa", "Stra\xDFe \xE4\xE4", "b", "W\u00F6rter"))
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			text := strings.ReplaceAll(string(data), `\ufffd`, "\uFFFD")
			if !strings.Contains(text, "\uFFFDa") || !strings.Contains(text, "Stra\uFFFDe \uFFFD\uFFFD") ||
				!strings.Contains(text, "W\u00F6rter") || strings.Contains(text, "\xFF") {
				t.Errorf("%s: %q", format, data)
			}
		}
	}
}

func TestUndoOfJSONLinesGivesTheRecordsBeforeTheRules(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		path := filepath.Join(t.TempDir(), "r.jsonl")
		var now, before []*records.Record
		for range r.IntN(8) {
			n, b := randomRecord(r)
			now, before = append(now, n), append(before, b)
		}
		write(t, dump.Options{Files: []dump.File{{Format: "jsonl", Path: path}}}, now...)
		var got tally
		if _, err := dump.Undo(path, dump.UndoOptions{}, &got); err != nil {
			t.Fatal(seed, err)
		}
		if g, w := asJSON(got.all), asJSON(before); g != w {
			t.Fatalf("seed %d:\n%s\nwant\n%s", seed, g, w)
		}
	}
}

func asJSON(all []*records.Record) string {
	var b []byte
	for _, r := range all {
		b = append(r.AppendJSON(b), '\n')
	}
	return string(b)
}

// cellText is what a cell of a text format holds, by the table in docs/records.md.
func cellText(v records.Value) string {
	if v.Kind >= records.List {
		return string(v.AppendJSON(nil))
	}
	return v.Text
}

// A second reader is Go's encoding/csv, which can't distinguish "" from an empty cell, and has LF for CR LF.
func TestCSVIsReadByAnotherReader(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		path := filepath.Join(t.TempDir(), "r.csv")
		var now []*records.Record
		for range 1 + r.IntN(8) {
			n, _ := randomRecord(r)
			now = append(now, n)
		}
		write(t, dump.Options{Files: []dump.File{{Format: "csv", Path: path}}}, now...)
		rows, err := csv.NewReader(strings.NewReader(content(t, path))).ReadAll()
		if err != nil {
			t.Fatal(seed, err)
		}
		if len(rows) != len(now)+1 {
			t.Fatalf("seed %d: %d rows, want %d", seed, len(rows)-1, len(now))
		}
		for i, n := range now {
			for c, name := range rows[0] {
				want := ""
				if f := n.Field(name); f != nil {
					want = strings.ReplaceAll(cellText(f.Value), "\r\n", "\n")
				}
				if rows[i+1][c] != want {
					t.Fatalf("seed %d: row %d, %s: %q, want %q", seed, i, name, rows[i+1][c], want)
				}
			}
		}
	}
}

func TestUndoOfTablesGivesOriginalsAndCellsAsText(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		format := []string{"csv", "tsv"}[seed%2]
		path := filepath.Join(t.TempDir(), "r."+format)
		var now, before []*records.Record
		for range 1 + r.IntN(8) {
			n, b := randomRecord(r)
			now, before = append(now, n), append(before, b)
		}
		write(t, dump.Options{Safe: seed%3 == 0, Files: []dump.File{{Format: format, Path: path}}}, now...)
		var got tally
		if _, err := dump.Undo(path, dump.UndoOptions{}, &got); err != nil {
			t.Fatal(seed, err)
		}
		if len(got.all) != len(before) {
			t.Fatalf("seed %d: %d records, want %d", seed, len(got.all), len(before))
		}
		for i, b := range before {
			checkUndone(t, fmt.Sprintf("seed %d, %s, record %d", seed, format, i), got.all[i], now[i], b, format == "tsv" ||
				len(fieldNames(now)) == 1)
		}
	}
}

func fieldNames(all []*records.Record) map[string]bool {
	names := map[string]bool{}
	for _, r := range all {
		for _, f := range r.Fields {
			names[f.Name] = true
		}
	}
	return names
}

// checkUndone compares a record that was undone with the one before the rules. What a rule
// changed has the same value, what none changed has the same text.
func checkUndone(t *testing.T, where string, got, now, before *records.Record, emptyIsAbsent bool) {
	t.Helper()
	for _, f := range before.Fields {
		g := got.Field(f.Name)
		changed := slices.ContainsFunc(now.Was, func(w records.Original) bool { return w.Field == f.Name })
		switch {
		case changed:
			if g == nil || !g.Value.Equal(f.Value) {
				t.Fatalf("%s: %s is %v, want %v", where, f.Name, g, f.Value)
			}
		case f.Value.Kind == records.Null || emptyIsAbsent && cellText(f.Value) == "":
			if g != nil && cellText(g.Value) != "" {
				t.Fatalf("%s: %s is %v, want none", where, f.Name, g)
			}
		case g == nil || cellText(g.Value) != cellText(f.Value):
			t.Fatalf("%s: %s is %v, want %v", where, f.Name, g, f.Value)
		}
	}
	if len(got.Was) > 0 {
		t.Fatalf("%s: originals are left: %v", where, got.Was)
	}
}

func TestUndoOfOneRuleLeavesTheOthers(t *testing.T) {
	r := rec("a", 1, "b", "2013-01-01", "=c", "=x")
	r.Keep("a", value("eins"), "number")
	r.Keep("b", value("1.1.13"), "date")
	for format, want := range map[string]string{
		"jsonl": `{"a":1,"b":"1.1.13","=c":"=x","was":{"a":{"value":"eins","rule":"number"}}}`,
		"csv":   `{"a":"1","b":"1.1.13","=c":"'=x","was":{"a":{"value":"eins","rule":"number"},"=c":{"value":"=x","rule":"csv-safe"}}}`,
	} {
		path := filepath.Join(t.TempDir(), "r."+format)
		write(t, dump.Options{Safe: true, Files: []dump.File{{Format: format, Path: path}}}, r)
		var got tally
		n, err := dump.Undo(path, dump.UndoOptions{Rule: "date"}, &got)
		if err != nil || n != 1 {
			t.Fatal(n, err)
		}
		if g := strings.TrimSpace(asJSON(got.all)); g != want {
			t.Errorf("%s: %s, want %s", format, g, want)
		}
	}
}

func TestOriginalsOfAnotherTableAreRefused(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "r.csv")
	r := rec("a", 1)
	r.Keep("a", value("eins"), "number")
	write(t, dump.Options{Files: []dump.File{{Format: "csv", Path: path}}}, r)
	if got := content(t, path+".was.jsonl"); !strings.HasPrefix(got, `{"row":1,"field":"a","value":"eins","rule":"number"}`+"\n"+
		`{"table":"r.csv","bytes":6,"hash":"sha256:`) {
		t.Errorf("originals %q", got)
	}
	if err := os.WriteFile(path, []byte("a\r\n2\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := dump.Undo(path, dump.UndoOptions{}, &tally{}); err == nil || !strings.Contains(err.Error(), "another table") {
		t.Errorf("a table that was edited: %v", err)
	}
	write(t, dump.Options{Files: []dump.File{{Format: "csv", Path: path}}}, rec("a", 1))
	if _, err := os.Stat(path + ".was.jsonl"); !os.IsNotExist(err) {
		t.Error("the originals of an earlier run are left beside a table without changes")
	}
}

func TestBrokenFilesAreNotUndoneInSilence(t *testing.T) {
	for _, c := range []struct{ name, text, place string }{
		{"r.jsonl", "{\"a\":1}\n{\"a\":", ":2:"},
		{"r.jsonl", "[1]\n", ":1:"},
		{"r.jsonl", "{\"a\":1} x\n", ":1:"},
		{"r.csv", "a,b\r\n1,2\r\n1,2,3\r\n", ":3:"},
		{"r.csv", "a,b\r\n1,\"2\r\n", ":2:"},
		{"r.csv", "a\r\n\"x\"y\r\n", ":2:"},
		{"r.csv", "a\r\nx\"y\"\r\n", ":2:"},
		{"r.csv", "a\r\nx\ry\r\n", ":2:"},
		{"r.tsv", "a\n1\t2\n", ":2:"},
		{"r.xlsx", "", "jsonl, json, csv and tsv"},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := dump.Undo(path, dump.UndoOptions{}, &tally{}); err == nil || !strings.Contains(err.Error(), c.place) {
			t.Errorf("%s %q: %v, want %s", c.name, c.text, err, c.place)
		}
	}
}

func TestFullDiskIsAnErrorOfEachFormat(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full here")
	}
	for _, format := range dump.Formats() {
		sink, err := dump.Open(dump.Options{Files: []dump.File{{Format: format, Path: "/dev/full"}}})
		if err != nil {
			t.Fatal(format, err)
		}
		if err = sink.Record(rec("a", 1)); err == nil {
			err = sink.Close()
		}
		if !strings.Contains(fmt.Sprint(err), syscall.ENOSPC.Error()) {
			t.Errorf("%s: %v", format, err)
		}
	}
}

func TestAFileThatFailsLeavesTheOthers(t *testing.T) {
	dir := t.TempDir()
	sink, err := dump.Open(dump.Options{Files: []dump.File{
		{Format: "csv", Writer: failing{}}, {Format: "tsv", Path: filepath.Join(dir, "r.tsv")}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := sink.Record(rec("a", 1)); err != nil {
		t.Fatal(err)
	}
	if err := sink.Close(); err == nil || !strings.Contains(err.Error(), "csv") {
		t.Errorf("the writer that fails: %v", err)
	}
	if got := content(t, dir, "r.tsv"); got != "a\n1\n" {
		t.Errorf("the other file: %q", got)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestAbortLeavesNothingAndTheOldFile(t *testing.T) {
	dir := t.TempDir()
	var files []dump.File
	for _, format := range dump.Formats() {
		path := filepath.Join(dir, "r."+format)
		os.WriteFile(path, []byte("old"), 0o600)
		files = append(files, dump.File{Format: format, Path: path})
	}
	sink, err := dump.Open(dump.Options{Files: files})
	if err != nil {
		t.Fatal(err)
	}
	sink.Record(rec("a", 1))
	sink.Abort()
	entries, _ := os.ReadDir(dir)
	if len(entries) != len(files) {
		t.Errorf("%v", entries)
	}
	for _, f := range files {
		if content(t, f.Path) != "old" {
			t.Errorf("%s was replaced", f.Path)
		}
	}
}

func TestLimitsEndWithAWord(t *testing.T) {
	many := &records.Record{}
	for i := range 11 {
		many.Fields = append(many.Fields, records.Field{Name: fmt.Sprint("f", i)})
	}
	sink, err := dump.Open(dump.Options{MaxColumns: 10, Files: []dump.File{{Format: "csv", Writer: io.Discard}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := sink.Record(many); err == nil || !strings.Contains(err.Error(), "more than 10 fields") {
		t.Errorf("columns: %v", err)
	}
	sink.Abort()
	sink, err = dump.Open(dump.Options{MaxTemp: 5 << 20, Files: []dump.File{{Format: "csv", Writer: io.Discard}}})
	if err != nil {
		t.Fatal(err)
	}
	big := rec("a", strings.Repeat("x", 1<<20))
	for range 12 {
		if err = sink.Record(big); err != nil {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), "bytes on the disk") {
		t.Errorf("held: %v", err)
	}
	sink.Abort()
	sink, err = dump.Open(dump.Options{Fixed: true, Fields: []dump.Column{{Name: "a"}},
		Files: []dump.File{{Format: "csv", Writer: io.Discard}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := sink.Record(rec("b", 1)); err == nil {
		t.Error("a field that isn't a fixed column was lost")
	}
	sink.Abort()
}

// What is held in a file reads as what is held in memory.
func TestHeldRowsAreTheSameFromMemoryAndDisk(t *testing.T) {
	long := strings.Repeat("x", 1000)
	var want, got bytes.Buffer
	sink, err := dump.Open(dump.Options{Files: []dump.File{{Format: "csv", Writer: &got}}})
	if err != nil {
		t.Fatal(err)
	}
	want.WriteString("n,t\r\n")
	for i := range 20000 {
		sink.Record(rec("n", i, "t", long))
		fmt.Fprintf(&want, "%d,%s\r\n", i, long)
	}
	if err := sink.Close(); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Error("the rows differ")
	}
}

func TestUnknownFormatsAreRefused(t *testing.T) {
	for _, name := range []string{"", "ods", "CSV"} {
		if _, err := dump.Open(dump.Options{Files: []dump.File{{Format: name, Writer: io.Discard}}}); err == nil ||
			!strings.Contains(err.Error(), "jsonl, json, yaml, xml, html, csv, tsv") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestDescriptorNamesFilesWithTypesAndHashes(t *testing.T) {
	dir := t.TempDir()
	write(t, dump.Options{Package: filepath.Join(dir, "datapackage.json"),
		Fields: []dump.Column{{Name: "day", Type: "date"}},
		Files: []dump.File{{Format: "csv", Path: filepath.Join(dir, "My Data.csv")},
			{Format: "jsonl", Path: filepath.Join(dir, "My Data.jsonl")},
			{Format: "tsv", Path: filepath.Join(dir, "My Data.tsv")}}},
		rec("day", "2020-02-29", "n", 5, "x", json.Number("1.5"), "b", true, "l", []any{1}, "o", map[string]any{"a": 1}, "t", "01", "m", 1),
		rec("m", "x"))
	var d map[string]any
	if err := json.Unmarshal([]byte(content(t, dir, "datapackage.json")), &d); err != nil {
		t.Fatal(err)
	}
	resources := d["resources"].([]any)
	var names []string
	for _, r := range resources {
		names = append(names, r.(map[string]any)["name"].(string))
	}
	if want := []string{"my-data", "my-data-jsonl", "my-data-tsv"}; !slices.Equal(names, want) {
		t.Errorf("names %v, want %v", names, want)
	}
	first := resources[0].(map[string]any)
	types := map[string]any{}
	for _, f := range first["schema"].(map[string]any)["fields"].([]any) {
		types[f.(map[string]any)["name"].(string)] = f.(map[string]any)["type"]
	}
	if want := map[string]any{"day": "date", "n": "integer", "x": "number", "b": "boolean", "l": "array", "o": "object", "t": "string",
		"m": "any"}; !reflect.DeepEqual(types, want) {
		t.Errorf("types %v, want %v", types, want)
	}
	if first["bytes"] != float64(len(content(t, dir, "My Data.csv"))) || len(first["hash"].(string)) != 71 ||
		first["path"] != "My Data.csv" {
		t.Errorf("%v", first)
	}
}

func FuzzCSVWrittenIsCSVRead(f *testing.F) {
	for _, p := range parts {
		f.Add(p, p+"x", p)
	}
	f.Add("0", "\xd5", "0")
	f.Add("a", "b\xf0\x9f", "n\xff\xfe")
	f.Fuzz(func(t *testing.T, a, b, name string) {
		path := filepath.Join(t.TempDir(), "r.csv")
		for _, format := range []string{"csv", "tsv"} {
			write(t, dump.Options{Files: []dump.File{{Format: format, Path: path}}}, rec(name, a, name+"2", b))
			var got tally
			if _, err := dump.Undo(path, dump.UndoOptions{Format: format}, &got); err != nil || len(got.all) != 1 {
				t.Fatal(err, len(got.all))
			}
			for _, want := range []struct{ name, text string }{{name, a}, {name + "2", b}} {
				want.name, want.text = string([]rune(want.name)), string([]rune(want.text)) // a stray byte is U+FFFD
				g := got.all[0].Field(want.name)
				if g == nil && (want.text != "" || format == "csv") || g != nil && g.Value.Text != want.text {
					t.Fatalf("%s: %q is %v, want %q", format, want.name, g, want.text)
				}
			}
		}
	})
}

// TestKnownColumnsStandWhereTheyAreSaidTo: before and behind those of other names, whichever record has them first.
func TestKnownColumnsStandWhereTheyAreSaidTo(t *testing.T) {
	columns := func(names ...string) (all []dump.Column) {
		for _, name := range names {
			all = append(all, dump.Column{Name: name})
		}
		return all
	}
	for name, c := range map[string]struct {
		opt    dump.Options
		all    []*records.Record
		header string
	}{
		"none behind":       {dump.Options{Fields: columns("a", "b")}, []*records.Record{rec("x", 1, "a", 2)}, "a,b,x"},
		"all behind":        {dump.Options{Fields: columns("a", "b"), Behind: 2}, []*records.Record{rec("x", 1, "a", 2)}, "x,a,b"},
		"one of two behind": {dump.Options{Fields: columns("a", "b"), Behind: 1}, []*records.Record{rec("x", 1, "a", 2)}, "a,x,b"},
		"later fields": {dump.Options{Fields: columns("a", "b"), Behind: 1}, []*records.Record{rec("b", 1), rec("y", 2),
			rec("x", 3)}, "a,y,x,b"},
		"only known ones":     {dump.Options{Fields: columns("a", "b"), Behind: 1}, []*records.Record{rec("b", 1, "a", 2)}, "a,b"},
		"nothing":             {dump.Options{Fields: columns("a", "b"), Behind: 1}, nil, "a,b"},
		"more than there are": {dump.Options{Fields: columns("a"), Behind: 9}, []*records.Record{rec("b", 1, "a", 2)}, "b,a"},
		"twice in a record":   {dump.Options{Fields: columns("a"), Behind: 1}, []*records.Record{rec("a", 1, "a", 2)}, "a_2,a"},
		"places": {dump.Options{Fields: columns("a"), Behind: 1, Places: true}, []*records.Record{rec("a", 1, "b", 2)},
			"b,a,_line"},
		"late behind places": {dump.Options{Places: true}, []*records.Record{rec("a", 1), rec("b", 2)}, "a,b,_line"},
	} {
		dir := t.TempDir()
		c.opt.Files = []dump.File{{Format: "csv", Path: filepath.Join(dir, "t.csv")}}
		write(t, c.opt, c.all...)
		if got, _, _ := strings.Cut(content(t, dir, "t.csv"), "\r\n"); got != c.header {
			t.Errorf("%s: %q, want %q", name, got, c.header)
		}
		for i, r := range c.all { // each value stands under its name
			rows, err := csv.NewReader(strings.NewReader(content(t, dir, "t.csv"))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range r.Fields {
				if at := slices.Index(rows[0], f.Name); name != "twice in a record" && rows[i+1][at] != f.Value.Text {
					t.Errorf("%s: %s of row %d is %q", name, f.Name, i+1, rows[i+1][at])
				}
			}
		}
	}
}

// TestAWideTableBecomesWhatCanHoldIt: what a format can't hold is an error of its own file.
func TestAWideTableBecomesWhatCanHoldIt(t *testing.T) {
	wide := &records.Record{}
	for i := range 20_000 {
		wide.Fields = append(wide.Fields, records.Field{Name: fmt.Sprint("f", i), Value: records.IntOf(int64(i))})
	}
	dir := t.TempDir()
	sink, err := dump.Open(dump.Options{Files: []dump.File{{Format: "csv", Path: filepath.Join(dir, "r.csv")},
		{Format: "tsv", Path: filepath.Join(dir, "r.tsv")},
		{Format: "sqlite", Path: filepath.Join(dir, "r.sqlite")}, {Format: "xlsx", Path: filepath.Join(dir, "r.xlsx")}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := sink.Record(wide); err != nil {
		t.Fatal(err)
	}
	err = sink.Close()
	if err == nil || !strings.Contains(err.Error(), "sqlite has at most 2000 columns") ||
		!strings.Contains(err.Error(), "xlsx has at most 16384 columns") {
		t.Errorf("%v", err)
	}
	for _, name := range []string{"r.csv", "r.tsv"} {
		head, rest, _ := strings.Cut(content(t, dir, name), "\n")
		if strings.Count(head, "f19999") != 1 || !strings.HasSuffix(strings.TrimSpace(rest), "19999") {
			t.Errorf("%s is not whole", name)
		}
	}
	for _, name := range []string{"r.sqlite", "r.xlsx"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is there", name)
		}
	}
	sink, err = dump.Open(dump.Options{Files: []dump.File{{Format: "xlsx", Path: filepath.Join(dir, "x.xlsx")}}})
	if err != nil {
		t.Fatal(err)
	}
	defer sink.Abort()
	if err := sink.Record(wide); err == nil || !strings.Contains(err.Error(), "a table of xlsx has no more columns") {
		t.Errorf("%v", err)
	}
}
