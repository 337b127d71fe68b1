package extract_test

import (
	"bytes"
	"context"
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
	"testing"
	"testing/iotest"

	"laundromat/internal/fault"
	"laundromat/rdf/rdftest"
	"laundromat/records"
	"laundromat/records/extract"
)

// kept collects what flows into it: records as JSON, notices except for notes about how it is read as
// "severity code line:column field".
type kept struct {
	records, notices []string
	tables           []string
	places           []fault.Pos
	repaired, lost   int
	all              bool
	beside, excerpts []string // of what stands beside the records
}

func (k *kept) Record(r *records.Record) error {
	k.records = append(k.records, string(r.AppendJSON(nil)))
	k.tables = append(k.tables, r.Table)
	for i := range r.Fields {
		k.places = append(k.places, r.Fields[i].Pos)
	}
	if r.Repaired {
		k.repaired++
	}
	return nil
}

func (k *kept) Notice(n fault.Notice) {
	k.lost += n.Lost
	if n.Code == fault.RecordBeside {
		k.beside, k.excerpts = append(k.beside, n.Field), append(k.excerpts, n.Excerpt)
	}
	switch n.Code {
	case fault.TableDialect, fault.TableHeader, fault.RecordFormat:
		if !k.all {
			return
		}
	}
	text := fmt.Sprintf("%s %s %d:%d", n.Severity, strings.TrimPrefix(string(n.Code), "table/"), n.Line, n.Column)
	if n.Field != "" {
		text += " " + n.Field
	}
	k.notices = append(k.notices, text)
	if _, ok := fault.Explain(n.Code); !ok {
		panic(n.Code)
	}
}

func read(t testing.TB, name, text string, opt extract.Options) *kept {
	t.Helper()
	k := &kept{}
	if err := extract.Read(context.Background(), extract.Document{Name: name, Text: strings.NewReader(text)}, opt, k); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return k
}

func TestCSVSpectrum(t *testing.T) {
	folder := rdftest.Shared(t, "records", "csv-spectrum")
	files, err := filepath.Glob(filepath.Join(folder, "csvs", "*.csv"))
	if err != nil || len(files) != 12 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		k := read(t, file, string(text), extract.Options{})
		wanted, err := os.ReadFile(filepath.Join(folder, "json", strings.TrimSuffix(filepath.Base(file), ".csv")+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var want, got []map[string]any
		if wanted = bytes.TrimSpace(wanted); wanted[0] == '{' {
			wanted = []byte("[" + string(wanted) + "]")
		}
		if err := json.Unmarshal(wanted, &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte("["+strings.Join(k.records, ",")+"]"), &got); err != nil {
			t.Fatal(err)
		}
		// The number in one of the JSON files is not the one of its CSV.
		if strings.Contains(file, "location_coordinates") && len(want) == 1 {
			want[0]["Contact Phone Number"] = "2095257564"
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, not %v", filepath.Base(file), got, want)
		}
	}
}

// faulty is what is wrong in tables, and what comes of it.
var faulty = []struct {
	name, in string
	records  []string
	notices  []string
}{
	{"a bare quotation mark", "id,name\n1,Bob \"the man\n2,5\" pipe\n", []string{`{"id":"1","name":"Bob \"the man"}`,
		`{"id":"2","name":"5\" pipe"}`},
		[]string{"warning bare-quote 2:7 name", "warning bare-quote 3:4 name"}},
	{"text behind a closing mark", "id,name,c\n1,\"Cid\"x,Rome\n2,b,c\n", []string{`{"id":"1","name":"\"Cid\"x","c":"Rome"}`,
		`{"id":"2","name":"b","c":"c"}`},
		[]string{"warning text-behind-quote 2:8 name"}},
	{"a mark that is not doubled", "id,name,c\n1,\"a \"big\" one\",x\n2,b,c\n", []string{`{"id":"1","name":"a \"big\" one","c":"x"}`,
		`{"id":"2","name":"b","c":"c"}`},
		[]string{"repair quote-not-doubled 2:6 name"}},
	{"two marks at the end that close two quotations", "id,name\n1,\"Bonn, \"old\"\"\n2,b\n", []string{`{"id":"1","name":"Bonn, \"old\""}`,
		`{"id":"2","name":"b"}`},
		[]string{"repair quote-not-doubled 2:10 name"}},
	{"marks that leave several readings", "a,b\n\"1\",\"2\"\n\"3,\"4\"\n\"5\",\"6\"\n\"7\",\"8\"\n",
		[]string{`{"a":"1","b":"2"}`, `{"a":"\"3","b":"4"}`, `{"a":"5","b":"6"}`, `{"a":"7","b":"8"}`},
		[]string{"warning bare-quote 3:1 a"}},
	{"a stray closing mark", "a,b\n1,x\n2,y\"\n3,z\n", []string{`{"a":"1","b":"x"}`, `{"a":"2","b":"y\""}`, `{"a":"3","b":"z"}`},
		[]string{"warning bare-quote 3:4 b"}},
	{"two tables with a label in common", "Year,Sales\n2019,10\n2020,20\n\nRegion,Sales\nNorth,5\nSouth,6\n",
		[]string{`{"Year":"2019","Sales":"10"}`, `{"Year":"2020","Sales":"20"}`, `{"Region":"North","Sales":"5"}`,
			`{"Region":"South","Sales":"6"}`}, []string{"note blank-row 4:1"}},
	{"spaces around marks", "id,name,c\n1, \"x, y\" ,z\n2,b,c\n", []string{`{"id":"1","name":"x, y","c":"z"}`,
		`{"id":"2","name":"b","c":"c"}`},
		[]string{"repair space-around-quotes 2:3 name", "repair space-around-quotes 2:10 name"}},
	{"a field too many", "a,b\n1,2\n3,4,5\n6,7\n", []string{`{"a":"1","b":"2"}`, `{"a":"6","b":"7"}`}, []string{"drop row-long 3:5"}},
	{"a field too many behind those that fit", "a,b\n1,2\n3,4,x\n6,7\n", []string{`{"a":"1","b":"2"}`, `{"a":"3","b":"4","column_3":"x"}`,
		`{"a":"6","b":"7"}`}, []string{"warning row-wide 3:5"}},
	{"a field too many within words", "a,b,c\n1,x,2\n3,y,z,5\n6,w,7\n", []string{`{"a":"1","b":"x","c":"2"}`, `{"a":"6","b":"w","c":"7"}`},
		[]string{"drop row-long 3:7"}},
	{"an empty field too many", "a,b\n1,2\n3,4,\n6,7\n", []string{`{"a":"1","b":"2"}`, `{"a":"3","b":"4"}`, `{"a":"6","b":"7"}`},
		[]string{"repair surplus-delimiter 3:5"}},
	{"a field too few", "a,b,c\n1,2,3\n4,5\n6,7,8\n", []string{`{"a":"1","b":"2","c":"3"}`, `{"a":"4","b":"5"}`,
		`{"a":"6","b":"7","c":"8"}`},
		[]string{"warning row-short 3:1 c"}},
	{"only the first field", "a,b\n1,2\n3\n", []string{`{"a":"1","b":"2"}`, `{"a":"3"}`}, []string{"warning row-short 3:1 b"}},
	{"a quotation mark that never closes, sound rows behind", "id,name,c\n1,\"Anna,x\n2,Bob,y\n3,\"Cid\",z\n4,Dan,w\n",
		[]string{`{"id":"1","name":"\"Anna","c":"x"}`, `{"id":"2","name":"Bob","c":"y"}`, `{"id":"3","name":"Cid","c":"z"}`,
			`{"id":"4","name":"Dan","c":"w"}`},
		[]string{"warning bare-quote 2:3 name"}},
	{"one that never closes, no mark behind", "id,name\n1,\"Anna\n2,Bob\n3,Cid\n",
		[]string{`{"id":"1","name":"\"Anna"}`, `{"id":"2","name":"Bob"}`, `{"id":"3","name":"Cid"}`},
		[]string{"warning bare-quote 2:3 name"}},
	{"one in the last row", "id,name\n1,Anna\n2,\"Bob\n", []string{`{"id":"1","name":"Anna"}`}, []string{"drop quote-unclosed 3:3"}},
	{"two in rows one behind the other", "id,n,c\n0,b,c\n1,\"A,x\n2,\"B,y\n3,C,z\n4,D,w\n",
		[]string{`{"id":"0","n":"b","c":"c"}`, `{"id":"1","n":"\"A","c":"x"}`, `{"id":"2","n":"\"B","c":"y"}`, `{"id":"3","n":"C","c":"z"}`,
			`{"id":"4","n":"D","c":"w"}`},
		[]string{"warning bare-quote 3:3 n", "warning bare-quote 4:3 n"}},
	{"line ends of three kinds", "a,b\r\n1,2\n3,4\r5,6\r\n", []string{`{"a":"1","b":"2"}`, `{"a":"3","b":"4"}`, `{"a":"5","b":"6"}`},
		[]string{"note line-ends 2:4"}},
	{"only CR", "a,b\r1,2\r3,4", []string{`{"a":"1","b":"2"}`, `{"a":"3","b":"4"}`}, nil},
	{"a title", "Report of the year\n\na,b\n1,2\n3,4\n", []string{`{"a":"1","b":"2"}`, `{"a":"3","b":"4"}`}, []string{"note preamble 1:1"}},
	{"a title with delimiters", "Report,,\na,b,c\n1,2,3\n3,4,5\n", []string{`{"a":"1","b":"2","c":"3"}`, `{"a":"3","b":"4","c":"5"}`},
		[]string{"note preamble 1:1"}},
	{"a header of two rows", ",2019,,2020,\nname,min,max,min,max\nAnna,1,2,3,4\nBob,1,2,3,4\n",
		[]string{`{"name":"Anna","2019 min":"1","2019 max":"2","2020 min":"3","2020 max":"4"}`,
			`{"name":"Bob","2019 min":"1","2019 max":"2","2020 min":"3","2020 max":"4"}`}, nil},
	{"two tables", "a,b\n1,2\n3,4\n\nx,y,z\nk,2,3\nl,5,6\n", []string{`{"a":"1","b":"2"}`, `{"a":"3","b":"4"}`, `{"x":"k","y":"2","z":"3"}`,
		`{"x":"l","y":"5","z":"6"}`},
		[]string{"note blank-row 4:1"}},
	{"two tables of one width", "a,b\nx,2\ny,4\n\nname,age\nk,2\nl,5\n", []string{`{"a":"x","b":"2"}`, `{"a":"y","b":"4"}`,
		`{"name":"k","age":"2"}`, `{"name":"l","age":"5"}`},
		[]string{"note blank-row 4:1"}},
	{"another width without a blank row", "a,b\n1,2\n3,4\nx,y,z\n1,2,3\n4,5,6\n", []string{`{"a":"1","b":"2"}`, `{"a":"3","b":"4"}`,
		`{"x":"1","y":"2","z":"3"}`, `{"x":"4","y":"5","z":"6"}`}, nil},
	{"the header again", "a,b\n1,2\na,b\n3,4\n", []string{`{"a":"1","b":"2"}`, `{"a":"3","b":"4"}`}, []string{"note header-repeated 3:1"}},
	{"blank rows", "a,b\n1,2\n\n\n3,4\n,\n\n", []string{`{"a":"1","b":"2"}`, `{"a":"3","b":"4"}`},
		[]string{"note blank-row 3:1", "note blank-row 6:1"}},
	{"a delimiter behind every row", "a,b,\n1,2,\n3,4,\n", []string{`{"a":"1","b":"2"}`, `{"a":"3","b":"4"}`},
		[]string{"note trailing-delimiter 1:1"}},
	{"a delimiter behind every row but the header", "a,b\n1,2,\n3,4,\n", []string{`{"a":"1","b":"2"}`, `{"a":"3","b":"4"}`},
		[]string{"note trailing-delimiter 1:1"}},
	{"a total and a source", "name,n\nx,1\ny,2\nTotal,3\n\nSource: the office\n", []string{`{"name":"x","n":"1"}`, `{"name":"y","n":"2"}`,
		`{"name":"Total","n":"3"}`},
		[]string{"warning total 4:1", "note blank-row 5:1", "note footer 6:1"}},
	{"a byte order mark", "\uFEFFa,b\n1,2\n", []string{`{"a":"1","b":"2"}`}, nil},
	{"U+0000", "a,b\n1,x\x00y\n2,z\n", []string{`{"a":"1","b":"xy"}`, `{"a":"2","b":"z"}`}, []string{"repair nul 2:3 b"}},
	{"sep=", "sep=;\na;b\n1;2\n", []string{`{"a":"1","b":"2"}`}, nil},
	{"comments", "# made today\na,b\n1,2\n# in the middle\n3,4\n", []string{`{"a":"1","b":"2"}`, `{"a":"3","b":"4"}`},
		[]string{"note comment 1:1", "note comment 4:1"}},
	{"labels blank and repeated", "a,,a,a\n1,2,3,4\n", []string{`{"a":"1","column_2":"2","a_2":"3","a_3":"4"}`},
		[]string{"warning label-blank 1:3 column_2", "warning label-repeated 1:4 a_2", "warning label-repeated 1:6 a_3"}},
	{"a label like a made one", "a,a_2,a\n1,2,3\n", []string{`{"a":"1","a_2":"2","a_3":"3"}`}, []string{"warning label-repeated 1:7 a_3"}},
	{"no header", "1,2,3\n4,5,6\n", []string{`{"column_1":"1","column_2":"2","column_3":"3"}`,
		`{"column_1":"4","column_2":"5","column_3":"6"}`}, nil},
	{"years as labels", "c,2019,2020\nFR,12,13\nDE,14,15\n", []string{`{"c":"FR","2019":"12","2020":"13"}`,
		`{"c":"DE","2019":"14","2020":"15"}`}, nil},
	{"semicolons and decimal commas", "a;b\n1,5;2,5\n3,5;4,5\n", []string{`{"a":"1,5","b":"2,5"}`, `{"a":"3,5","b":"4,5"}`}, nil},
	{"pipes", "a|b\n1|x, y\n2|z, w\n", []string{`{"a":"1","b":"x, y"}`, `{"a":"2","b":"z, w"}`}, nil},
	{"tabs with commas", "a\tb\nx, y\t1\nz, w\t2\n", []string{`{"a":"x, y","b":"1"}`, `{"a":"z, w","b":"2"}`}, nil},
	{"colons", "a:b:c\nx:y:1\nz:w:2\n", []string{`{"a":"x","b":"y","c":"1"}`, `{"a":"z","b":"w","c":"2"}`}, nil},
	{"apostrophes", "'a','b'\n'x, y','1'\n'it''s','2'\n", []string{`{"a":"x, y","b":"1"}`, `{"a":"it's","b":"2"}`}, nil},
	{"backslashes", "a,b\n\"x \\\"y\\\" z\",1\nw,2\n", []string{`{"a":"x \"y\" z","b":"1"}`, `{"a":"w","b":"2"}`}, nil},
	{"01 stays text", "a,b\n01,1e3\n", []string{`{"a":"01","b":"1e3"}`}, nil},
	{"a multi-line field", "a,b\n\"x\ny, z\",1\n", []string{`{"a":"x\ny, z","b":"1"}`}, nil},
	{"only a header", "a,b\n", nil, nil},
	{"nothing", "", nil, nil},
	{"one column", "name\nAnna\nBob\n", []string{`{"name":"Anna"}`, `{"name":"Bob"}`}, nil},
	{"rows counted without a label", "a,b\n1,x,2\n2,y,3\n3,z,4\n", []string{`{"column_1":"1","a":"x","b":"2"}`,
		`{"column_1":"2","a":"y","b":"3"}`, `{"column_1":"3","a":"z","b":"4"}`},
		[]string{"warning header-short 1:1", "warning label-blank 0:0 column_1"}},
}

func TestFaultyTables(t *testing.T) {
	for _, c := range faulty {
		k := read(t, "a.csv", c.in, extract.Options{})
		if !slices.Equal(k.records, c.records) || !slices.Equal(k.notices, c.notices) {
			t.Errorf("%s: %q\ngot  %s\nwant %s\ngot  %q\nwant %q", c.name, c.in, strings.Join(k.records, " "), strings.Join(c.records, " "),
				k.notices, c.notices)
		}
	}
}

// rows is a table of random rows as its writer meant them.
func randomTable(r *rand.Rand) (rows [][]string) {
	texts := []string{"x", "", "a b", "é", "1,5", "it's", "say \"hi\"", "two\nlines", "12", "x;y", " s ", "#1", "\"", "a\r\nb",
		"2020-01-01", "\n", "λ,\"μ\"\n", "\t"}
	width := 2 + r.IntN(4)
	rows = append(rows, []string{"id"})
	for i := 1; i < width; i++ {
		rows[0] = append(rows[0], fmt.Sprintf("label %c", 'a'+i))
	}
	for i := range 1 + r.IntN(12) {
		row := []string{fmt.Sprint(i)}
		for range width - 1 {
			row = append(row, texts[r.IntN(len(texts))])
		}
		rows = append(rows, row)
	}
	return rows
}

// A table that is written by the standard is read as it was.
func TestWrittenTablesAreReadAsTheyWere(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 400 {
		rows := randomTable(r)
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		w.UseCRLF = n%3 == 0
		if err := w.WriteAll(rows); err != nil {
			t.Fatal(err)
		}
		if n%3 == 0 { // the writer changes line ends in fields, too
			b.Reset()
			for _, row := range rows {
				for i, text := range row {
					if i > 0 {
						b.WriteByte(',')
					}
					b.WriteString(`"` + strings.ReplaceAll(text, `"`, `""`) + `"`)
				}
				b.WriteString("\r\n")
			}
		}
		text := b.String()
		comma := byte(',')
		k := read(t, "a.csv", text, extract.Options{Source: &extract.Source{Delimiter: comma}})
		var want []string
		for _, row := range rows[1:] {
			record := records.Record{}
			for i, text := range row {
				record.Fields = append(record.Fields, records.Field{Name: rows[0][i], Value: records.TextOf(text)})
			}
			want = append(want, string(record.AppendJSON(nil)))
		}
		notices := slices.DeleteFunc(k.notices, func(s string) bool { return strings.HasPrefix(s, "note line-ends") })
		if !slices.Equal(k.records, want) || len(notices) > 0 {
			t.Fatalf("%q\ngot  %q\nwant %q\n%q", text, k.records, want, k.notices)
		}
	}
}

// One fault costs its row at most: all other rows are read as they were.
func TestFaultsCostTheirRowAtMost(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	breaks := []func([]string) string{
		func(f []string) string { return f[0] + `,"` + f[1] + "," + f[2] },
		func(f []string) string { return f[0] + "," + f[1] + `,"` + f[2] },
		func(f []string) string { return f[0] + "," + f[1] + `",` + f[2] },
		func(f []string) string { return f[0] + `,"` + f[1] + `"x,` + f[2] },
		func(f []string) string { return f[0] + "," + f[1] + "," + f[2] + ",more" },
		func(f []string) string { return f[0] + "," + f[1] },
		func(f []string) string { return f[0] + "," + f[1] + "," + f[2] + ",," },
		func(f []string) string { return f[0] + `,"a "b" c",` + f[2] },
		func(f []string) string { return `"` + f[0] + "," + f[1] + "," + f[2] },
	}
	for range 400 {
		var lines, want []string
		n := 6 + r.IntN(20)
		bad := 1 + r.IntN(n-3)
		for i := range n {
			f := []string{fmt.Sprint(100 + i), fmt.Sprintf("word %d", r.IntN(50)), fmt.Sprint(r.IntN(1000))}
			if r.IntN(3) == 0 {
				f[1] += ", more"
			}
			quoted := f
			if strings.Contains(f[1], ",") {
				quoted = []string{f[0], `"` + f[1] + `"`, f[2]}
			}
			if i == bad {
				f[1] = "plain"
				lines = append(lines, breaks[r.IntN(len(breaks))](f))
				continue
			}
			lines = append(lines, strings.Join(quoted, ","))
			want = append(want, fmt.Sprintf(`{"id":"%s","text":"%s","n":"%s"}`, f[0], f[1], f[2]))
		}
		text := "id,text,n\n" + strings.Join(lines, "\n") + "\n"
		k := read(t, "a.csv", text, extract.Options{})
		got := slices.DeleteFunc(slices.Clone(k.records), func(s string) bool {
			return strings.Contains(s, fmt.Sprintf(`"id":"%d"`, 100+bad)) || strings.Contains(s, fmt.Sprintf(`"id":"\"%d"`, 100+bad))
		})
		if !slices.Equal(got, want) || len(k.notices) == 0 || len(k.records)+k.lost != n {
			t.Fatalf("%s\ngot  %q\nwant %q\n%q", text, k.records, want, k.notices)
		}
		for _, notice := range k.notices {
			if !strings.Contains(notice, fmt.Sprintf(" %d:", bad+2)) {
				t.Errorf("%s\n%q: the fault is in line %d", text, notice, bad+2)
			}
		}
	}
}

func TestLongRowsEndByALimit(t *testing.T) {
	for _, text := range []string{
		"a,b\n1,2\n3," + strings.Repeat("x", 1<<20) + "\n5,6\n",
		"a,b\n1,2\n3,\"" + strings.Repeat("x ", 1<<20) + "\n5,6\n7,8\n",
	} {
		k := read(t, "a.csv", text, extract.Options{MaxRow: 300 << 10})
		if len(k.records) < 2 || k.records[0] != `{"a":"1","b":"2"}` || k.records[1] != `{"a":"5","b":"6"}` || k.lost != 1 {
			t.Errorf("%.200q %q", k.records, k.notices)
		}
	}
}

// However a document arrives, the same is read of it.
func FuzzSplitTableIsTheWhole(f *testing.F) {
	for _, c := range faulty {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, text string) {
		whole, split := &kept{all: true}, &kept{all: true}
		for k, from := range map[*kept]io.Reader{whole: strings.NewReader(text), split: iotest.OneByteReader(strings.NewReader(text))} {
			if err := extract.Read(context.Background(), extract.Document{Name: "a.csv", Text: from}, extract.Options{}, k); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(whole, split) {
			t.Errorf("whole %+v\nsplit %+v", whole, split)
		}
		line := int64(strings.Count(text, "\n") + strings.Count(text, "\r") + 1)
		for _, at := range whole.places {
			if at.Offset < 0 || at.Offset > int64(len(text)) || at.Line < 1 || at.Line > line || at.Column < 1 {
				t.Errorf("%v isn't a place in the text", at)
			}
		}
	})
}
