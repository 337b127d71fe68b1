//go:build !lean

package dump_test

import (
	"archive/zip"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/dump"
)

// typedColumns are what the records of typed have, as a schema declares them.
var typedColumns = []dump.Column{{Name: "text", Type: "string"}, {Name: "whole"}, {Name: "part"}, {Name: "yes"},
	{Name: "day", Type: "date"}, {Name: "moment", Type: "datetime"}, {Name: "mixed"}, {Name: "list"},
	{Name: "digits"}, {Name: "odd \"name\", 1"}}

// typed makes records with a value of each type, or null, or nothing.
func typed(seed uint64, n int) (all []*records.Record) {
	r := rand.New(rand.NewPCG(seed, 4))
	for range n {
		rec := &records.Record{}
		for i, c := range typedColumns {
			v := []records.Value{
				records.TextOf(randomText(r)),
				records.IntOf(r.Int64() >> r.IntN(64)),
				records.NumberOf(strconv.FormatFloat(float64(r.IntN(1000000))/64, 'f', -1, 64)),
				records.BoolOf(r.IntN(2) == 0),
				records.TextOf(fmt.Sprintf("%04d-%02d-%02d", 1850+r.IntN(300), 1+r.IntN(12), 1+r.IntN(28))),
				records.TextOf(fmt.Sprintf("%04d-%02d-%02dT%02d:00:%02dZ", 1850+r.IntN(300), 1+r.IntN(12), 1+r.IntN(28), r.IntN(24),
					r.IntN(60))),
				[]records.Value{records.TextOf("5"), records.IntOf(5), records.BoolOf(true)}[r.IntN(3)],
				value([]any{r.IntN(10), "x", nil}),
				records.NumberOf("12345678901234567890" + strconv.Itoa(r.IntN(10))),
				records.TextOf("01"),
			}[i]
			switch r.IntN(8) {
			case 0:
				v = records.Value{}
			case 1:
				continue
			}
			rec.Set(c.Name, v)
		}
		all = append(all, rec)
	}
	return all
}

// stored says in one form what a reader should find: a letter for the type, and the value.
func stored(v records.Value, column string) string {
	switch column {
	case "text", "day", "moment", "digits":
		return "t" + v.Text
	case "whole":
		return "i" + v.Text
	case "part":
		return "f" + v.Text
	case "yes":
		return "b" + v.Text
	case "mixed", "list":
		return "j" + string(v.AppendJSON(nil))
	}
	return "t" + v.Text
}

func needs(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s is not installed, and not asked", program)
	}
}

func TestSQLiteIsReadByItsOwnProgram(t *testing.T) {
	needs(t, "sqlite3")
	path := filepath.Join(t.TempDir(), "a?b#%20.sqlite")
	all := typed(1, 500)
	write(t, dump.Options{Fields: typedColumns, Table: `the "table"`, Files: []dump.File{{Format: "sqlite", Path: path}}}, all...)
	var asked []string
	for _, c := range typedColumns {
		name := `"` + strings.ReplaceAll(c.Name, `"`, `""`) + `"`
		asked = append(asked, "typeof("+name+")", "hex("+name+")")
	}
	out, err := exec.Command("sqlite3", path, "pragma integrity_check; select json_array("+strings.Join(asked, ",")+
		`) from "the ""table""" order by rowid`).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if lines[0] != "ok" || len(lines) != len(all)+1 {
		t.Fatalf("%s, %d rows", lines[0], len(lines)-1)
	}
	letters := map[string]map[string]string{"text": {"text": "t", "mixed": "j", "list": "j"}}
	for i, line := range lines[1:] {
		var got []string
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		for c, column := range typedColumns {
			kind := got[2*c]
			b, _ := hex.DecodeString(got[2*c+1])
			g := string(b)
			switch kind {
			case "integer":
				if g = "i" + g; column.Name == "yes" {
					g = "b" + map[string]string{"i0": "false", "i1": "true"}[g]
				}
			case "real":
				f, _ := strconv.ParseFloat(g, 64)
				g = "f" + strconv.FormatFloat(f, 'f', -1, 64)
			case "text":
				letter := letters["text"][column.Name]
				if letter == "" {
					letter = "t"
				}
				g = letter + g
			}
			compare(t, i, column.Name, g, kind == "null", all[i])
		}
	}
}

func compare(t *testing.T, row int, column, got string, none bool, r *records.Record) {
	t.Helper()
	f := r.Field(column)
	if f == nil || f.Value.Kind == records.Null {
		if !none {
			t.Fatalf("row %d, %s: %q, want nothing", row, column, got)
		}
		return
	}
	if want := stored(f.Value, column); got != want || none {
		t.Fatalf("row %d, %s: %q (none: %v), want %q", row, column, got, none, want)
	}
}

// node runs a script with the path of a file. The libraries are found by NODE_PATH.
func node(t *testing.T, library, script, path string) (rows [][]any) {
	t.Helper()
	needs(t, "node")
	folder := ""
	for _, dir := range filepath.SplitList(os.Getenv("NODE_PATH")) {
		if _, err := os.Stat(filepath.Join(dir, library)); err == nil {
			folder = filepath.Join(dir, library)
		}
	}
	if folder == "" {
		t.Skipf("%s is not among the libraries of NODE_PATH, and not asked", library)
	}
	out, err := exec.Command("node", "-e", script, path, folder).Output()
	if err != nil {
		if exit, ok := err.(*exec.ExitError); ok {
			t.Fatalf("%v: %s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestParquetIsReadByAnotherProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.parquet")
	all := typed(2, 3000)
	write(t, dump.Options{Fields: typedColumns, Files: []dump.File{{Format: "parquet", Path: path}}}, all...)
	rows := node(t, "hyparquet", `
import('file://' + process.argv[2] + '/src/node.js').then(async h => {
  const file = await h.asyncBufferFromFile(process.argv[1]);
  const names = h.parquetSchema(await h.parquetMetadataAsync(file)).children.map(c => c.element.name);
  const rows = await h.parquetReadObjects({file});
  const two = s => String(s).padStart(2, '0');
  const say = (v, name) => v == null ? null
    : name == 'mixed' || name == 'list' ? 'j' + JSON.stringify(v)
    : typeof v == 'bigint' ? 'i' + v : typeof v == 'number' ? 'f' + v : typeof v == 'boolean' ? 'b' + v
    : v instanceof Date ? 't' + (name == 'day' ? v.toISOString().slice(0, 10) : v.toISOString().replace('.000', '')) : 't' + v;
  console.log(JSON.stringify([names, ...rows.map(r => names.map(n => say(r[n], n)))]));
})`, path)
	checkRows(t, rows, all, func(v records.Value, c string) string { return stored(v, c) })
}

func checkRows(t *testing.T, rows [][]any, all []*records.Record, want func(records.Value, string) string) {
	t.Helper()
	if len(rows) != len(all)+1 || len(rows[0]) != len(typedColumns) {
		t.Fatalf("%d rows, want %d; header %v", len(rows)-1, len(all), rows[0])
	}
	for c, column := range typedColumns {
		if rows[0][c] != column.Name {
			t.Fatalf("column %d is %q, want %q", c, rows[0][c], column.Name)
		}
	}
	for i, r := range all {
		for c, column := range typedColumns {
			f := r.Field(column.Name)
			got := rows[i+1][c]
			if f == nil || f.Value.Kind == records.Null {
				if got != nil {
					t.Fatalf("row %d, %s: %q, want nothing", i, column.Name, got)
				}
			} else if w := want(f.Value, column.Name); got != w {
				t.Fatalf("row %d, %s: %q, want %q", i, column.Name, got, w)
			}
		}
	}
}

func TestXLSXIsReadByAnotherProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.xlsx")
	all := typed(3, 500)
	write(t, dump.Options{Fields: typedColumns, Files: []dump.File{{Format: "xlsx", Path: path}}}, all...)
	rows := node(t, "xlsx", `
const X = require('xlsx'), book = X.readFile(process.argv[1], {cellNF: true});
const sheet = book.Sheets[book.SheetNames[0]], range = X.utils.decode_range(sheet['!ref']), rows = [];
for (let r = 0; r <= range.e.r; r++) {
  const row = [];
  for (let c = 0; c <= range.e.c; c++) {
    const v = sheet[X.utils.encode_cell({r, c})];
    const date = v && v.t == 'n' && /yy/.test(v.z || '');
    row.push(!v || v.t == 'z' ? null : r == 0 ? v.v : date ? 't' + new Date(Math.round((v.v - 25569) * 86400) * 1000).toISOString().slice(0, /hh/.test(v.z) ? 19 : 10)
      : v.t == 'n' ? 'n' + v.v : v.t == 'b' ? 'b' + v.v : 't' + v.v);
  }
  rows.push(row);
}
console.log(JSON.stringify(rows))`, path)
	checkRows(t, rows, all, sheetStored)
}

// sheetStored is what a cell of a sheet holds.
func sheetStored(v records.Value, column string) string {
	switch v.Kind {
	case records.Number:
		f, _ := strconv.ParseFloat(v.Text, 64)
		if s := strconv.FormatFloat(f, 'f', -1, 64); s == v.Text && len(strings.Trim(s, "-0.")) <= 15 {
			return "n" + s
		}
		return "t" + v.Text
	case records.Bool:
		return "b" + v.Text
	case records.List:
		return "t" + string(v.AppendJSON(nil))
	}
	if column == "moment" && v.Text > "1900-03" {
		return "t" + strings.TrimSuffix(v.Text, "Z")
	}
	return "t" + strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' {
			return utf8.RuneError
		}
		return r
	}, v.Text)
}

func TestTextsThatASheetCantHoldAreAmongTheOriginals(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.xlsx")
	long := strings.Repeat("é", 40000)
	codes := write(t, dump.Options{Files: []dump.File{{Format: "xlsx", Path: path}}}, rec("a", long), rec("a", "x\x01"), rec("a", "=1"))
	if got := strings.Join(codes, " "); got != "cell-changed" {
		t.Errorf("notices %q", got)
	}
	was := strings.Split(content(t, path+".was.jsonl"), "\n")
	if len(was) != 4 || was[0] != `{"row":1,"field":"a","value":"`+long+`","rule":"xlsx-cell"}` ||
		was[1] != `{"row":2,"field":"a","value":"x\u0001","rule":"xlsx-cell"}` {
		t.Errorf("%d lines of originals: %.80q", len(was), was)
	}
}

func TestColumnsGetTheTypeOfWhatIsInThem(t *testing.T) {
	needs(t, "sqlite3")
	for name, c := range map[string]struct {
		declared string
		values   []any
		want     string // declared type, and what typeof and quote say of each value
		codes    string
	}{
		"whole numbers": {"", []any{1, -9223372036854775807}, "INTEGER integer 1 integer -9223372036854775807", ""},
		"one more bit": {"", []any{1, json.Number("9223372036854775808")}, "TEXT text '1' text '9223372036854775808'",
			"number-as-text"},
		"parts":    {"", []any{1, json.Number("0.1")}, "REAL real 1.0 real 0.1", ""},
		"exponent": {"", []any{json.Number("1e3")}, "REAL real 1000.0", ""},
		"more digits": {"", []any{1, json.Number("0.1234567890123456789")}, "TEXT text '1' text '0.1234567890123456789'",
			"number-as-text"},
		"beyond doubles":       {"", []any{json.Number("1e999")}, "TEXT text '1e999'", "number-as-text"},
		"booleans":             {"", []any{true, nil, false}, "BOOLEAN integer 1 null NULL integer 0", ""},
		"text of digits":       {"", []any{"01", "5"}, "TEXT text '01' text '5'", ""},
		"text and number":      {"", []any{"x", 5}, `TEXT text '"x"' text '5'`, ""},
		"only null":            {"", []any{nil}, "TEXT null NULL", ""},
		"declared integer":     {"integer", []any{"5", 6}, "INTEGER integer 5 integer 6", ""},
		"declared, but zeros":  {"integer", []any{"05", "6"}, "TEXT text '05' text '6'", "column-type"},
		"declared number":      {"number", []any{"5", "1.5"}, "REAL real 5.0 real 1.5", ""},
		"declared boolean":     {"boolean", []any{"true", false}, "BOOLEAN integer 1 integer 0", ""},
		"boolean, but yes":     {"boolean", []any{"yes", "no"}, "TEXT text 'yes' text 'no'", "column-type"},
		"declared date":        {"date", []any{"2020-02-29"}, "TEXT text '2020-02-29'", ""},
		"no such date":         {"date", []any{"2021-02-29"}, "TEXT text '2021-02-29'", "column-type"},
		"string with a number": {"string", []any{"x", 5}, "TEXT text 'x' text '5'", "column-type"},
		"any":                  {"any", []any{"x", 5}, `TEXT text '"x"' text '5'`, ""},
		"year":                 {"year", []any{"1999"}, "INTEGER integer 1999", ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "r.sqlite")
			var all []*records.Record
			for _, v := range c.values {
				all = append(all, rec("a", v))
			}
			codes := write(t, dump.Options{Fields: []dump.Column{{Name: "a", Type: c.declared}},
				Files: []dump.File{{Format: "sqlite", Path: path}}}, all...)
			if got := strings.Join(codes, " "); got != c.codes {
				t.Errorf("notices %q, want %q", got, c.codes)
			}
			out, err := exec.Command("sqlite3", "-separator", " ", path,
				"select type from pragma_table_info('records'); select typeof(a), quote(a) from records").CombinedOutput()
			got := strings.Join(strings.Fields(string(out)), " ")
			if err != nil || got != c.want {
				t.Errorf("%v: %s, want %s", err, got, c.want)
			}
		})
	}
}

func TestSQLiteNamesDifferInMoreThanCapitals(t *testing.T) {
	needs(t, "sqlite3")
	path := filepath.Join(t.TempDir(), "r.sqlite")
	codes := write(t, dump.Options{Files: []dump.File{{Format: "sqlite", Path: path}}},
		rec("Name", 1, "name", 2, "name_2", 3, "É", 4, "é", 5, "a\x00b", 6, "", 7, "select", 8))
	out, err := exec.Command("sqlite3", path,
		"select group_concat(name, '|') from pragma_table_info('records'); select * from records").CombinedOutput()
	if want := "Name|name_3|name_2|É|é|a\uFFFDb||select\n1|2|3|4|5|6|7|8\n"; err != nil || string(out) != want {
		t.Errorf("%v: %q, want %q", err, out, want)
	}
	if got := strings.Join(codes, " "); got != "column-renamed column-renamed" {
		t.Errorf("notices %q", got)
	}
}

// A format without a column can't hold a record; names of all kinds are columns.
func TestFormatsTakeFewAndPeculiarRecords(t *testing.T) {
	for name, all := range map[string][]*records.Record{
		"none":      nil,
		"no fields": {rec(), rec()},
		"names":     {rec("", 1, "a,b", 2, "a b", 3, "_", 4, "1", 5, "日本", 6, "A", 7, "a", 8, "a.b", 9, strings.Repeat("n", 3000), 10)},
		"nulls":     {rec("a", nil, "b", nil)},
		"deep":      {rec("a", value([]any{[]any{[]any{map[string]any{"x": []any{}}}}}))},
	} {
		for _, format := range dump.Formats() {
			t.Run(name+"/"+format, func(t *testing.T) {
				write(t, dump.Options{Files: []dump.File{{Format: format, Path: filepath.Join(t.TempDir(), "r."+format)}}}, all...)
			})
		}
	}
}

func TestTooManyColumnsOfADatabaseAreRefused(t *testing.T) {
	r := &records.Record{}
	for i := range 2001 {
		r.Fields = append(r.Fields, records.Field{Name: fmt.Sprint("f", i), Value: records.IntOf(1)})
	}
	dir := t.TempDir()
	sink, err := dump.Open(dump.Options{Files: []dump.File{{Format: "sqlite", Path: filepath.Join(dir, "r.sqlite")},
		{Format: "parquet", Path: filepath.Join(dir, "r.parquet")}, {Format: "xlsx", Path: filepath.Join(dir, "r.xlsx")}}})
	if err != nil {
		t.Fatal(err)
	}
	sink.Record(r)
	if err := sink.Close(); err == nil || !strings.Contains(err.Error(), "at most 2000 columns") {
		t.Errorf("%v", err)
	}
	content(t, dir, "r.parquet")
	content(t, dir, "r.xlsx")
}

// Rows of columns that are fixed are written as they come, and give the same files.
func TestFixedColumnsGiveTheSameTables(t *testing.T) {
	columns := []dump.Column{{Name: "a"}, {Name: "b", Type: "string"}}
	for _, format := range []string{"csv", "tsv", "parquet", "sqlite"} {
		var files [2]string
		for i := range files {
			r := rand.New(rand.NewPCG(1, 6))
			path := filepath.Join(t.TempDir(), "r."+format)
			var all []*records.Record
			for range 700 {
				all = append(all, rec("a", randomText(r), "b", randomText(r)))
			}
			write(t, dump.Options{Fixed: i == 1, Fields: columns, Files: []dump.File{{Format: format, Path: path}}}, all...)
			files[i] = content(t, path)
		}
		if files[0] != files[1] {
			t.Errorf("%s: the files differ", format)
		}
	}
}

func TestASheetIsContinuedOnTheNext(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a million rows")
	}
	path := filepath.Join(t.TempDir(), "r.xlsx")
	var codes []string
	sink, err := dump.Open(dump.Options{Fixed: true, Fields: []dump.Column{{Name: "n"}}, Files: []dump.File{{Format: "xlsx", Path: path}},
		Notices: func(n fault.Notice) { codes = append(codes, string(n.Code)) }})
	if err != nil {
		t.Fatal(err)
	}
	r := rec("n", 0)
	for i := range 1_048_576 { // one more than fit below the header
		r.Fields[0].Value = records.IntOf(int64(i))
		if err := sink.Record(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := sink.Close(); err != nil {
		t.Fatal(err)
	}
	if len(codes) != 1 || codes[0] != "record/sheet-continued" {
		t.Errorf("notices %v", codes)
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	f, err := z.Open("xl/worksheets/sheet2.xml")
	if err != nil {
		t.Fatal(err)
	}
	second, err := io.ReadAll(f)
	if err != nil || strings.Count(string(second), "<row") != 2 || !strings.Contains(string(second), "<v>1048575</v>") {
		t.Errorf("%v: the second sheet: %s", err, second)
	}
}
