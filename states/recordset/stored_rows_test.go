package recordset_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/states/recordset"
)

const rowsSchema = `{"fields":[{"name":"a","type":"integer"},{"name":"b","type":"string"},{"name":"c","type":"boolean"},
	{"name":"d","type":"number"},{"name":"e","type":"date"},{"name":"f","type":"object"}],"missingValues":[""]}`

// TestRowsAreReadByTheirNumbers reads rows of stored lines, with the types of the schema and their places.
func TestRowsAreReadByTheirNumbers(t *testing.T) {
	long := strings.Repeat("x", 300<<10) // longer than what is read at once
	three := `{"a":"1","_line":2}` + "\n" + `{"a":"2","_line":3}` + "\n" + `{"a":"3","_line":4}` + "\n"
	tables := `{"a":"1","_table":"one"}` + "\n" + `{"a":"2","_table":"two"}` + "\n" + `{"a":"3","_table":"one"}` + "\n" +
		`{"a":"4"}` + "\n"
	for _, c := range []struct {
		name, lines, schema, table string
		from                       int64
		limit                      int
		wants                      string
	}{
		{"all", three, "", "", 1, 9, `1 {"a":"1"} at 2; 2 {"a":"2"} at 3; 3 {"a":"3"} at 4; `},
		{"from a number on", three, "", "", 2, 9, `2 {"a":"2"} at 3; 3 {"a":"3"} at 4; `},
		{"as many as are wanted", three, "", "", 2, 1, `2 {"a":"2"} at 3; `},
		{"past the end", three, "", "", 4, 9, ""},
		{"of a table", tables, "", "one", 1, 9, `1 {"a":"1"} at 0 in one; 3 {"a":"3"} at 0 in one; `},
		{"of a table, by its own numbers", tables, "", "one", 2, 9, `3 {"a":"3"} at 0 in one; `},
		{"of no table", tables, "", "three", 1, 9, ""},
		{"a last line without its end", strings.TrimSuffix(three, "\n"), "", "", 3, 9, `3 {"a":"3"} at 4; `},
		{"an empty file", "", "", "", 1, 9, ""},
		{"with types", `{"a":"1","b":"1","c":"true","d":"1.50","e":"2026-01-02"}` + "\n", rowsSchema, "", 1, 9,
			`1 {"a":1,"b":"1","c":true,"d":1.50,"e":"2026-01-02"} at 0; `},
		{"the empty text is null", `{"a":"","b":"x"}` + "\n", rowsSchema, "", 1, 9, `1 {"a":null,"b":"x"} at 0; `},
		{"what doesn't fit stays", `{"a":"one","b":"x"}` + "\n", rowsSchema, "", 1, 9, `1 {"a":"one","b":"x"} at 0; `},
		{"an absent field stays absent", `{"b":"x"}` + "\n", rowsSchema, "", 1, 9, `1 {"b":"x"} at 0; `},
		{"fields like those of places", `{"_lines":"1","_tablet":"2","_line":7}` + "\n", "", "", 1, 9,
			`1 {"_lines":"1","_tablet":"2"} at 7; `},
		{"originals", `{"a":"1","_line":2,"was":{"a":{"value":"one","rule":"r"}}}` + "\n", "", "", 1, 9,
			`1 {"a":"1","was":{"a":{"value":"one","rule":"r"}}} at 2; `},
		{"objects and lists", `{"f":{"x":[1,null]},"_line":3}` + "\n", "", "", 1, 9, `1 {"f":{"x":[1,null]}} at 3; `},
		{"after a long line", `{"a":"` + long + `"}` + "\n" + `{"a":"2"}` + "\n", "", "", 2, 9, `2 {"a":"2"} at 0; `},
	} {
		t.Run(c.name, func(t *testing.T) {
			stored := recordset.Stored{Lines: strings.NewReader(c.lines), Schema: []byte(c.schema), Temp: t.TempDir()}
			got, n := "", 0
			err := stored.Rows(t.Context(), c.table, c.from, func(r *recordset.Row) (bool, error) {
				if n++; n > c.limit {
					return false, nil
				}
				got += fmt.Sprintf("%d %s at %d", r.Number, r.Record.AppendJSON(nil), r.Record.Pos.Line)
				if r.Record.Table != "" {
					got += " in " + r.Record.Table
				}
				got += "; "
				return true, nil
			})
			if err != nil || got != c.wants {
				t.Errorf("%s, %v\nwant %s", got, err, c.wants)
			}
		})
	}
}

func TestALongLineIsReadWhole(t *testing.T) {
	long := strings.Repeat("y", 700<<10)
	stored := recordset.Stored{Lines: strings.NewReader(`{"a":"` + long + `"}`)}
	if err := stored.Rows(t.Context(), "", 1, func(r *recordset.Row) (bool, error) {
		if r.Record.Fields[0].Value.Text != long {
			t.Errorf("%d bytes", len(r.Record.Fields[0].Value.Text))
		}
		return true, nil
	}); err != nil {
		t.Error(err)
	}
}

// TestASummaryCountsEachValueOnce holds the columns of stored lines to what is in them.
func TestASummaryCountsEachValueOnce(t *testing.T) {
	for _, c := range []struct{ name, lines, table, wants string }{
		{"values and what is missing", `{"a":"x","b":1}` + "\n" + `{"a":"","b":2}` + "\n" + `{"b":null}` + "\n" + `{"a":"x"}` + "\n", "",
			"4 whole; a string 2+2 1 [x 2]; b integer 2+2 2 [1 1 2 1]; "},
		{"a text and a number are two values", `{"a":"1"}` + "\n" + `{"a":1}` + "\n", "", "2 whole; a integer 2+0 2 [1 1 1 1]; "},
		{"objects by their text", `{"a":{"x":1}}` + "\n" + `{"a":{"x":1}}` + "\n" + `{"a":{"x":2}}` + "\n", "",
			`3 whole; a object 3+0 2 [{"x":1} 2 {"x":2} 1]; `},
		{"of a table alone", `{"a":"x","_table":"one"}` + "\n" + `{"b":"y","_table":"two"}` + "\n" + `{"a":"z","_table":"one"}` + "\n",
			"one", "3 whole; one 2 1; two 1 2; a string 2+0 2 [x 1 z 1]; "},
		{"a field that came late is missing before", `{"a":"x"}` + "\n" + `{"b":"y"}` + "\n", "",
			"2 whole; a string 1+1 1 [x 1]; b string 1+1 1 [y 1]; "},
		{"nothing", "", "", "0 whole; "},
		{"no values", `{"a":""}` + "\n", "", "1 whole; a any 0+1 0 []; "},
		{"the place is no column", `{"a":"x","_line":2,"_element":"tr"}` + "\n", "", "1 whole; a string 1+0 1 [x 1]; "},
		{"dates", `{"a":"2026-01-01"}` + "\n" + `{"a":"2026-01-01"}` + "\n", "", "2 whole; a date 2+0 1 [2026-01-01 2]; "},
		{"order by times, then by value", `{"a":"z"}` + "\n" + `{"a":"y"}` + "\n" + `{"a":"z"}` + "\n" + `{"a":"x"}` + "\n", "",
			"4 whole; a string 4+0 3 [z 2 x 1 y 1]; "},
	} {
		t.Run(c.name, func(t *testing.T) {
			stored := recordset.Stored{Lines: strings.NewReader(c.lines)}
			sum, err := stored.Summarise(t.Context(), c.table, 1<<20)
			if got := summaryText(&sum); err != nil || got != c.wants {
				t.Errorf("%s, %v\nwant %s", got, err, c.wants)
			}
		})
	}
}

// TestASummaryOfTheFirstTableIsThatOfItsName: rows of further tables are counted, and no more.
func TestASummaryOfTheFirstTableIsThatOfItsName(t *testing.T) {
	for _, lines := range []string{
		`{"a":"x","_table":"one"}` + "\n" + `{"b":"y","_table":"two"}` + "\n" + `{"a":"z","_table":"one"}` + "\n",
		`{"a":"x","_table":"one"}` + "\n", `{"a":"x"}` + "\n" + `{"b":1}` + "\n", "",
	} {
		first, err := (&recordset.Stored{Lines: strings.NewReader(lines)}).SummariseFirst(t.Context(), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		name := ""
		if len(first.Tables) > 1 {
			name = first.Tables[0].Name
		}
		want, err := (&recordset.Stored{Lines: strings.NewReader(lines)}).Summarise(t.Context(), name, 1<<20)
		if got, want := summaryText(&first), summaryText(&want); err != nil || got != want {
			t.Errorf("%s, want %s (%v)", got, want, err)
		}
	}
}

func summaryText(s *recordset.Summary) (text string) {
	text = fmt.Sprint(s.Rows)
	if s.IsWhole {
		text += " whole"
	}
	text += "; "
	if len(s.Tables) > 1 {
		for _, table := range s.Tables {
			text += fmt.Sprintf("%s %d %d; ", table.Name, table.Rows, table.First)
		}
	}
	for _, c := range s.Columns {
		text += fmt.Sprintf("%s %s %d+%d %d [", c.Name, c.Type, c.Values, c.Missing, c.Distinct)
		for i, f := range c.Frequent {
			if i > 0 {
				text += " "
			}
			text += fmt.Sprint(f.Value, " ", f.Times)
		}
		text += "]; "
	}
	return text
}

// TestASummaryIsBounded says of each bound that it is kept, and said.
func TestASummaryIsBounded(t *testing.T) {
	t.Run("bytes", func(t *testing.T) {
		stored := recordset.Stored{Lines: strings.NewReader(strings.Repeat(`{"a":"x"}`+"\n", 1000))}
		sum, err := stored.Summarise(t.Context(), "", 95)
		if err != nil || sum.IsWhole || sum.Rows != 10 || sum.Columns[0].Values != 10 {
			t.Errorf("%+v, %v", sum, err)
		}
	})
	t.Run("just all bytes", func(t *testing.T) {
		stored := recordset.Stored{Lines: strings.NewReader(strings.Repeat(`{"a":"x"}`+"\n", 10))}
		if sum, err := stored.Summarise(t.Context(), "", 100); err != nil || !sum.IsWhole || sum.Rows != 10 {
			t.Errorf("%+v, %v", sum, err)
		}
	})
	t.Run("distinct values", func(t *testing.T) {
		var lines strings.Builder
		for i := range 3000 {
			fmt.Fprintf(&lines, "{\"a\":\"%d\",\"b\":\"same\"}\n", i)
		}
		stored := recordset.Stored{Lines: strings.NewReader(lines.String())}
		sum, err := stored.Summarise(t.Context(), "", 1<<20)
		a, b := sum.Columns[0], sum.Columns[1]
		if err != nil || a.Distinct != 1000 || a.Others != 2000 || b.Distinct != 1 || b.Others != 0 || b.Frequent[0].Times != 3000 {
			t.Errorf("%+v, %v", sum, err)
		}
	})
	t.Run("columns", func(t *testing.T) {
		var lines strings.Builder
		for i := range 1500 {
			fmt.Fprintf(&lines, "{\"c%d\":\"x\"}\n", i)
		}
		stored := recordset.Stored{Lines: strings.NewReader(lines.String())}
		if sum, err := stored.Summarise(t.Context(), "", 1<<20); err != nil || len(sum.Columns) != 1000 || sum.MoreColumns != 500 {
			t.Errorf("%d columns, %d more, %v", len(sum.Columns), sum.MoreColumns, err)
		}
	})
	t.Run("tables", func(t *testing.T) {
		var lines strings.Builder
		for i := range 1500 {
			fmt.Fprintf(&lines, "{\"a\":\"x\",\"_table\":\"t%d\"}\n", i)
		}
		stored := recordset.Stored{Lines: strings.NewReader(lines.String())}
		if sum, err := stored.Summarise(t.Context(), "", 1<<20); err != nil || len(sum.Tables) != 1000 || sum.MoreTables != 500 {
			t.Errorf("%d tables, %d more, %v", len(sum.Tables), sum.MoreTables, err)
		}
	})
	t.Run("long values are cut, and told apart", func(t *testing.T) {
		long := strings.Repeat("é", 500)
		stored := recordset.Stored{Lines: strings.NewReader(`{"a":"` + long + `1"}` + "\n" + `{"a":"` + long + `2"}` + "\n")}
		sum, err := stored.Summarise(t.Context(), "", 1<<20)
		if err != nil || sum.Columns[0].Distinct != 2 || !sum.Columns[0].Frequent[0].IsCut ||
			sum.Columns[0].Frequent[0].Value != strings.Repeat("é", 100) {
			t.Errorf("%+v, %v", sum, err)
		}
	})
}
