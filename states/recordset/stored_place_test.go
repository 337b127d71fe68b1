package recordset_test

import (
	"strings"
	"testing"

	"laundromat/states"
	"laundromat/states/kind"
	"laundromat/states/recordset"
)

// TestACellLeadsToItsPlaceInTheDocument looks up a cell by the number of its record and the name of its field. The
// text of the document at that place must begin with what is wanted.
func TestACellLeadsToItsPlaceInTheDocument(t *testing.T) {
	for _, c := range []struct {
		name  string
		is    kind.Kind
		text  string
		row   int64
		field string
		wants string
	}{
		{"CSV", kind.CSV, "a,b\n1,2\n3,four\n", 2, "b", "four"},
		{"semicolons", kind.CSV, "a;b;c\n1;2;x\n3;four;y\n5;6;z\n", 2, "b", "four;y"},
		{"quoted", kind.CSV, "a,b\n\"1,5\",\"two\"\n", 1, "b", `"two"`},
		{"after a cell of two lines", kind.CSV, "a,b\n\"one\nline\",two\n3,four\n", 1, "b", "two"},
		{"a record after that", kind.CSV, "a,b\n\"one\nline\",two\n3,four\n", 2, "b", "four"},
		{"characters, not bytes", kind.CSV, "a,b\nÄÖÜ,two\n", 1, "b", "two"},
		{"CRLF", kind.CSV, "a,b\r\n1,2\r\n3,four\r\n", 2, "b", "four"},
		{"after a dropped row", kind.CSV, "a,b,c\n1,2,x\n3,4,y,too,long\n5,six,z\n7,8,w\n", 2, "b", "six"},
		{"a short row", kind.CSV, "a,b,c\n1,2,x\n3,four\n5,6,z\n", 2, "b", "four"},
		{"TSV", kind.TSV, "a\tb\n1\t2\n3\tfour\n", 2, "b", "four"},
		{"JSON", kind.JSON, "[{\"a\":1},\n {\"a\":2, \"b\":\n\"four\"}]", 2, "b", `"four"`},
		{"lines of JSON", kind.JSONLines, "{\"a\":1}\n{\"a\":2,\"b\":\"four\"}\n", 2, "b", `"four"`},
		{"page", kind.HTML, "<table><tr><th>a<th>b<tr><td>1<td>2\n<tr><td>3<td class=x>four</table>", 2, "b", "<td class=x>"},
		{"page with a cell of two rows", kind.HTML,
			"<table><tr><th>a<th>b<tr><td rowspan=2>1<td>2\n<tr><td>four</table>", 2, "b", "<td>four"},
	} {
		t.Run(c.name, func(t *testing.T) {
			places := &recordset.Places{From: c.row, To: c.row}
			d := &states.Decoded{Kind: c.is, Text: strings.NewReader(c.text), Document: states.Document{Name: "d"}}
			if _, err := places.Make(t.Context(), d, &states.Making{Memory: 1 << 20, Temp: t.TempDir()}); err != nil {
				t.Fatal(err)
			}
			if len(places.Rows) != 1 {
				t.Fatalf("%d rows", len(places.Rows))
			}
			for _, p := range places.Rows[0] {
				if p.Field == c.field {
					if got := textAt(c.text, p.Pos.Line, p.Pos.Column); !strings.HasPrefix(got, c.wants) {
						t.Errorf("line %d, column %d: %q", p.Pos.Line, p.Pos.Column, got)
					}
					return
				}
			}
			t.Errorf("no field %s: %+v", c.field, places.Rows[0])
		})
	}
}

// textAt is the text from a line and a column on.
func textAt(text string, line, column int64) string {
	lines := strings.SplitAfter(text, "\n")
	if line < 1 || line > int64(len(lines)) {
		return ""
	}
	return string([]rune(lines[line-1])[max(column-1, 0):])
}
