package extract_test

import (
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/records/extract"
)

// Of a page the tables of data are read; those that only lay it out are counted.
func TestTablesThatOnlyLayAPageOutAreLeftOut(t *testing.T) {
	const cells = "<tr><td>a<td>b<tr><td>1<td>2"
	for _, c := range []struct {
		name, page string
		layout     string // the tables that are left out
	}{
		{"two rows and columns", "<table>" + cells + "</table>", ""},
		{"one row", "<table><tr><td>1<td>2</table>", "1 of the 1 tables"},
		{"one column", "<table><tr><td>1<tr><td>2</table>", "1 of the 1 tables"},
		{"labels of rows", "<table><tr><th>a<td>b<tr><th>1<td>2</table>", ""},
		{"one column with a label", "<table><tr><th>a<tr><td>b</table>", ""},
		{"a head", "<table><thead><tr><td>a</thead><tr><td>b</table>", ""},
		{"a caption", "<table><caption>c</caption><tr><td>a<tr><td>b</table>", ""},
		{"a scope", "<table><tr><td scope=col>a<tr><td>b</table>", ""},
		{"headers", "<table><tr><td>a<tr><td headers=x>b</table>", ""},
		{"blocks in cells", "<table><tr><td><div>a</div><td>b<tr><td><p>1</p><td>2</table>", "1 of the 1 tables"},
		{"blocks deep in cells", "<table><tr><td><a><ul><li>a</ul></a><td>b<tr><td>1<td>2</table>", "1 of the 1 tables"},
		{"blocks in one of three rows", "<table><tr><td>a<td>b<tr><td>1<td><p>2<tr><td>3<td>4</table>", ""},
		{"blocks in cells under labels", "<table><tr><th>a<th>b<tr><td><p>1</p><td>2</table>", ""},
		{"inline elements", "<table><tr><td><b>a</b><td>b<tr><td><a href=x>1</a><td>2<br>3</table>", ""},
		{"presentation", "<table role=presentation><tr><th>a<th>b" + cells + "</table>", "1 of the 1 tables"},
		{"none, in capitals", "<TABLE ROLE=' None '>" + cells + "</TABLE>", "1 of the 1 tables"},
		{"another role", "<table role=grid>" + cells + "</table>", ""},
		{"a table in a table", "<table><tr><td>x<td>y<tr><td><table>" + cells + "</table><td>z</table>", "1 of the 2 tables"},
		{"a table in a table with labels", "<table><tr><th>x<th>y<tr><td>u<td><table>" + cells + "</table></table>", "1 of the 2 tables"},
		{"bodies", "<table><tbody><tr><td>a<td>b</tbody><tbody><tr><td>1<td>2</table>", ""},
	} {
		kept, all := readTold(t, c.page, extract.Options{}), readTold(t, c.page, extract.Options{AllTables: true})
		if kept.layout != c.layout || c.layout == "1 of the 1 tables" && len(kept.records) > 0 {
			t.Errorf("%s: %d records, of layout are %q; want %q", c.name, len(kept.records), kept.layout, c.layout)
		}
		if all.layout != "" || len(all.records) == 0 || (len(all.records) > len(kept.records)) != (c.layout != "") {
			t.Errorf("%s: of all tables %d records, of data %d; of layout are %q", c.name, len(all.records), len(kept.records), all.layout)
		}
	}
	named := readTold(t, "<table>"+cells+"</table><table><tr><td>1<tr><td>2</table>", extract.Options{Source: &extract.Source{
		Tables: []string{"2"}}})
	if len(named.records) == 0 || named.layout != "" {
		t.Error("a table that the spec names is left out", named.records, named.layout)
	}
	counted := readTold(t, strings.Repeat("<table><tr><td>x</table>", 3)+"<table>"+cells+"</table>", extract.Options{})
	if counted.layout != "3 of the 4 tables" || len(counted.records) == 0 {
		t.Error(counted.layout, counted.records)
	}
}

// told are the records of a page, and how many of its tables were left out.
type told struct {
	kept
	layout string
}

func readTold(t *testing.T, page string, opt extract.Options) *told {
	t.Helper()
	k := &told{}
	if err := extract.Read(t.Context(), extract.Document{Name: "a.html", Text: strings.NewReader(page)}, opt, k); err != nil {
		t.Fatal(err)
	}
	return k
}

func (k *told) Notice(n fault.Notice) {
	if n.Code == fault.TableLayout {
		k.layout += strings.Split(n.Message, " of the page")[0]
	}
	k.kept.Notice(n)
}
