//go:build !lean

package columns_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"laundromat/rdf/columns"
	"laundromat/rdf/format"
)

// tableOf writes statements as a table.
func tableOf(t testing.TB, options columns.Options, datasets ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := columns.NewWriter(&out, options)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range datasets {
		w.Dataset(string(rune('a' + i)))
		if _, err := format.Parse(context.Background(), format.NQuads, strings.NewReader(text), format.Options{}, w); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

var names = []string{"dataset", "graph", "subject", "predicate", "object", "kind", "language", "direction", "datatype"}

// rowsOf reads a table with the library that wrote it, "-" for no value.
func rowsOf(t testing.TB, table []byte) (rows [][]string) {
	t.Helper()
	file, err := parquet.OpenFile(bytes.NewReader(table), int64(len(table)))
	if err != nil {
		t.Fatal(err)
	}
	var columns []string
	for _, c := range file.Root().Columns() {
		columns = append(columns, c.Name())
	}
	if !slices.Equal(columns, names) {
		t.Fatalf("columns %v, want %v", columns, names)
	}
	for _, group := range file.RowGroups() {
		reader := group.Rows()
		buffer := make([]parquet.Row, 100)
		for {
			n, err := reader.ReadRows(buffer)
			for _, r := range buffer[:n] {
				var row []string
				for _, v := range r {
					if v.IsNull() {
						row = append(row, "-")
					} else {
						row = append(row, v.String())
					}
				}
				rows = append(rows, row)
			}
			if err != nil {
				break
			}
		}
		reader.Close()
	}
	return rows
}

const (
	xsd = "http://www.w3.org/2001/XMLSchema#"
	ns  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
)

func TestEachTermHasItsColumns(t *testing.T) {
	for _, row := range []struct{ line, want string }{
		{`<http://e/s> <http://e/p> <http://e/o> .`, "a|-|http://e/s|http://e/p|http://e/o|iri|-|-|-"},
		{`_:b <http://e/p> _:c <http://e/g> .`, "a|http://e/g|_:b|http://e/p|_:c|blank|-|-|-"},
		{`<http://e/s> <http://e/p> "" _:g .`, "a|_:g|http://e/s|http://e/p||literal|-|-|" + xsd + "string"},
		{`<http://e/s> <http://e/p> "a\n\"b\"\\ \u00E9" .`, "a|-|http://e/s|http://e/p|a\n\"b\"\\ é|literal|-|-|" + xsd + "string"},
		{`<http://e/s> <http://e/p> "x"@en-gb .`, "a|-|http://e/s|http://e/p|x|literal|en-gb|-|" + ns + "langString"},
		{`<http://e/s> <http://e/p> "x"@ar--rtl .`, "a|-|http://e/s|http://e/p|x|literal|ar|rtl|" + ns + "dirLangString"},
		{`<http://e/s> <http://e/p> "1"^^<` + xsd + `integer> .`, "a|-|http://e/s|http://e/p|1|literal|-|-|" + xsd + "integer"},
		{`<http://e/s> <http://e/p> <<( <http://e/a> <http://e/b> "c"@en )>> .`,
			`a|-|http://e/s|http://e/p|<<( <http://e/a> <http://e/b> "c"@en )>>|triple|-|-|-`},
	} {
		got := rowsOf(t, tableOf(t, columns.Options{}, row.line+"\n"))
		if len(got) != 1 || strings.Join(got[0], "|") != row.want {
			t.Errorf("%s\n%q, want\n%q", row.line, got, row.want)
		}
	}
}

// manyStatements are so many that batches, groups and the limit of a dictionary all end among them.
func manyStatements(n int) (text string, want [][]string) {
	var b strings.Builder
	for i := range n {
		subject, object := strings.Repeat("s", i%50)+string(rune('a'+i%26)), strings.Repeat("long text ", i%30)
		b.WriteString("<http://e/" + subject + "> <http://e/p> \"" + object + "\" .\n")
		want = append(want, []string{"a", "-", "http://e/" + subject, "http://e/p", object, "literal", "-", "-", xsd + "string"})
	}
	return b.String(), want
}

func TestRowsAreTheStatementsInTheirOrder(t *testing.T) {
	for _, n := range []int{0, 1, 511, 512, 513, 40_000} {
		text, want := manyStatements(n)
		for _, group := range []int64{0, 100_000} {
			got := rowsOf(t, tableOf(t, columns.Options{GroupBytes: group}, text))
			if !slices.EqualFunc(got, want, slices.Equal[[]string]) {
				t.Errorf("%d statements, groups of %d: %d other rows", n, group, len(got))
			}
		}
	}
}

func TestALostStatementEndsTheTable(t *testing.T) {
	var out bytes.Buffer
	w, err := columns.NewWriter(&out, columns.Options{})
	if err != nil {
		t.Fatal(err)
	}
	format.Parse(t.Context(), format.NQuads, strings.NewReader("<http://e/s> <http://e/p> \"1\" .\nnonsense\n"), format.Options{}, w)
	if err := w.Lost(); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("lost: %v", err)
	}
}

// TestAnotherReaderReadsTheTable reads it with a library that is not ours, on Node.
func TestAnotherReaderReadsTheTable(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not here")
	}
	text, want := manyStatements(3000)
	file := filepath.Join(t.TempDir(), "x.parquet")
	if err := os.WriteFile(file, tableOf(t, columns.Options{GroupBytes: 50_000}, text), 0o600); err != nil {
		t.Fatal(err)
	}
	modules := ""
	for _, folder := range filepath.SplitList(os.Getenv("NODE_PATH")) {
		if _, err := os.Stat(filepath.Join(folder, "hyparquet-compressors")); err == nil {
			modules = folder
		}
	}
	if modules == "" {
		t.Skip("hyparquet and hyparquet-compressors are not in NODE_PATH")
	}
	out, err := exec.Command(node, "-e", `
(async () => {
  const { asyncBufferFromFile, parquetReadObjects } = await import('file://' + process.argv[2] + '/hyparquet/src/node.js');
  const { compressors } = await import('file://' + process.argv[2] + '/hyparquet-compressors/src/index.js');
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(process.argv[1]), compressors });
  console.log(JSON.stringify(rows.map(r => Object.values(r).map(v => v ?? '-'))));
})()`, file, modules).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var got [][]string
	if err := json.Unmarshal(out, &got); err != nil || !slices.EqualFunc(got, want, slices.Equal[[]string]) {
		t.Errorf("%d other rows: %v", len(got), err)
	}
}

func BenchmarkTable(b *testing.B) {
	text, want := manyStatements(100_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		tableOf(b, columns.Options{}, text)
	}
	b.ReportMetric(float64(len(want)*b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
}
