package recordset_test

import (
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/records/dump"
	"laundromat/states"
	"laundromat/states/kind"
	"laundromat/states/recordset"
)

// A field that has the name of a place keeps its value under another, is told once, and is so in the schema.
func TestNoPlaceTakesThatOfAValue(t *testing.T) {
	for _, c := range []struct {
		name, kind, text string
		want             string // the lines
		told             int
	}{
		{"none", "CSV", "a,b\n1,2\n", `{"a":"1","b":"2","_line":2}`, 0},
		{"a line", "CSV", "_line,b\n1,2\n3,4\n", `{"_line_2":"1","b":"2","_line":2}` + "\n" + `{"_line_2":"3","b":"4","_line":3}`, 1},
		{"an element", "CSV", "_element,b\n1,2\n", `{"_element_2":"1","b":"2","_line":2}`, 1},
		{"a table", "CSV", "a,_table\n1,2\n", `{"a":"1","_table_2":"2","_line":2}`, 1},
		{"all", "CSV", "_line,_element,_table\n1,2,3\n", `{"_line_2":"1","_element_2":"2","_table_2":"3","_line":2}`, 3},
		{"the new name is taken", "CSV", "_line,_line_2\n1,2\n", `{"_line_3":"1","_line_2":"2","_line":2}`, 1},
		{"twice the same", "CSV", "_line,_line\n1,2\n", `{"_line_3":"1","_line_2":"2","_line":2}`, 1},
		{"other names of ours", "CSV", "_id,_source\n1,2\n", `{"_id":"1","_source":"2","_line":2}`, 0},
		{"JSON", "JSON", `[{"_line": {"a": 1}, "b": [2]}]`, `{"_line_2":{"a":1},"b":[2],"_line":1}`, 1},
		{"null", "JSON lines", `{"_line":null,"b":1}` + "\n", `{"_line_2":null,"b":1,"_line":1}`, 1},
		{"a cell that is empty", "CSV", "_line,b\n,2\n", `{"_line_2":"","b":"2","_line":2}`, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var lines strings.Builder
			told := 0
			d := &states.Decoded{Kind: kind.Kind(c.kind), Text: strings.NewReader(c.text), Head: []byte(c.text), Whole: true}
			made, err := recordset.Product{}.Make(t.Context(), d, &states.Making{
				Line: func(line []byte) error { lines.Write(line); return nil }, Memory: 1 << 20,
				Notice: func(n fault.Notice) {
					if n.Code == fault.DumpReserved {
						told++
					}
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSpace(lines.String()); got != c.want || told != c.told {
				t.Errorf("%s\nwant %s; reported %d times, want %d", got, c.want, told, c.told)
			}
			if strings.Contains(c.want, "_line_2") != strings.Contains(string(made.Schema), "_line_2") {
				t.Errorf("schema %s", made.Schema)
			}
			var out strings.Builder
			stored := &recordset.Stored{Lines: strings.NewReader(lines.String()), Schema: made.Schema, Temp: t.TempDir()}
			if err := stored.Write(dump.Formats()[0], &out); err != nil {
				t.Fatal(err)
			}
			if c.told > 0 && !strings.Contains(out.String(), "_2") {
				t.Errorf("without places: %s", out.String())
			}
		})
	}
}
