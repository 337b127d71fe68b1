package pages

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"laundromat/internal/digest"
	"laundromat/records"
	"laundromat/seedlist"
	"laundromat/states/kind"
	"laundromat/web"
)

// How much of the records a page shows.
const (
	datasetRecords = 10 // rows on the page of a dataset
	datasetColumns = 8  // columns there
	recordsShown   = 50 // rows on their own page
	columnsShown   = 10
	tablesShown    = 100
	cellShown      = 100 // bytes of a value
	frequentShown  = 3   // values of a column
)

// recordTable is a part of a table of records, as it is shown.
type recordTable struct {
	Hash     string
	Table    string // "" where there is one
	Tables   []web.RecordTable
	Hidden   int // tables that are not listed
	Sums     *digest.Records
	Columns  []shownColumn
	First    int // number of the first column, from 1
	AllWide  int // columns of the table
	Rows     []shownRecord
	From, To int64
	Total    int64 // rows of all tables; 0 if not known
	Beside   besideRecords
	// Bound says why not all rows have a part in what is said of the columns: only Looked of them have.
	Bound       string
	Looked      int64
	MoreColumns int64
	HasPlaces   bool
}

// Last is the number of the last column that is shown.
func (t recordTable) Last() int { return t.First + len(t.Columns) - 1 }

// besideRecords is where the pages beside one begin, by row and by column; 0 if there is none.
type besideRecords struct {
	Next, Before               int64
	NextColumns, ColumnsBefore int
}

// shownColumn is a column, as it is summed up.
type shownColumn struct {
	web.RecordColumn
	IsNumber bool
	IsSeen   bool // it was summed up
	Null     string
}

// shownRecord is a row with a cell for each column.
type shownRecord struct {
	web.RecordRow
	Cells []shownCell
}

// shownCell is a value, or the beginning of a long one.
type shownCell struct {
	Name     string
	Text     string
	Kind     string // "", "empty", "null" or "absent"
	IsCut    bool
	IsNumber bool
}

// recordsOf reads a part of a table. With no table and several, it is the first.
func (s *site) recordsOf(ctx context.Context, document *seedlist.Seed, t recordTable, little bool) (recordTable, error) {
	t.Hash, t.Sums = document.Hash, document.Records
	sum, err := s.read.RecordColumns(ctx, document.Hash, t.Table, little)
	if err != nil {
		return t, err
	}
	t.Table = sum.Table
	limit, wide := recordsShown, columnsShown
	if little {
		limit, wide = datasetRecords, datasetColumns
	}
	rows, err := s.read.RecordRows(ctx, document.Hash, t.Table, t.From, limit)
	if err != nil {
		return t, err
	}
	t.Tables, t.Bound, t.Looked, t.MoreColumns = sum.Tables, sum.Bound, sum.Rows, sum.MoreColumns
	if len(t.Tables) > tablesShown {
		t.Hidden, t.Tables = len(t.Tables)-tablesShown, t.Tables[:tablesShown]
	}
	if rows.Total != nil {
		t.Total = *rows.Total
	}
	t.HasPlaces = web.HasPlaces(s.read, document, seedlist.ProductRecords)
	t.fill(columnsOf(&sum, rows.Rows), rows, wide)
	return t, nil
}

// columnsOf are the columns that were summed up, and after them those of the rows that were not.
func columnsOf(sum *web.RecordColumns, rows []web.RecordRow) (all []shownColumn) {
	known := map[string]bool{}
	for _, c := range sum.Columns {
		known[c.Name] = true
		one := shownColumn{RecordColumn: c, IsNumber: c.Type == "integer" || c.Type == "number", IsSeen: true}
		one.Null = shareOf(c.Missing, c.Missing+c.Values)
		one.Frequent = slices.Clone(c.Frequent[:min(len(c.Frequent), frequentShown)])
		all = append(all, one)
	}
	for i := range rows {
		for _, f := range rows[i].Record.Fields {
			if !known[f.Name] {
				known[f.Name] = true
				all = append(all, shownColumn{RecordColumn: web.RecordColumn{Name: f.Name}})
			}
		}
	}
	return all
}

// fill takes as many columns as are shown, and the cells of all rows in them.
func (t *recordTable) fill(columns []shownColumn, rows web.RecordRows, wide int) {
	t.AllWide = len(columns)
	t.First = min(max(t.First, 1), max(len(columns), 1))
	last := min(t.First-1+wide, len(columns))
	t.Columns = columns[t.First-1 : last]
	if last < len(columns) {
		t.Beside.NextColumns = last + 1
	}
	if t.First > 1 {
		t.Beside.ColumnsBefore = max(1, t.First-wide)
	}
	for _, row := range rows.Rows {
		shown := shownRecord{RecordRow: row}
		for i := range t.Columns {
			c := &t.Columns[i]
			shown.Cells = append(shown.Cells, cellOf(c, row.Record.Field(c.Name)))
		}
		t.Rows = append(t.Rows, shown)
	}
	t.To, t.Beside.Next = t.From+int64(len(t.Rows))-1, rows.Next
	if t.From > 1 {
		t.Beside.Before = max(1, t.From-recordsShown)
	}
}

// cellOf is the value of a field, which may be absent.
func cellOf(c *shownColumn, f *records.Field) shownCell {
	cell := shownCell{Name: c.Name, IsNumber: c.IsNumber}
	switch {
	case f == nil:
		cell.Kind = "absent"
		return cell
	case f.Value.Kind == records.Null:
		cell.Kind = "null"
		return cell
	case f.Value.Kind == records.List, f.Value.Kind == records.Object:
		cell.Text = string(f.Value.AppendJSON(nil))
	default:
		cell.Text = f.Value.Text
	}
	if cell.Text == "" {
		cell.Kind = "empty"
	}
	if len(cell.Text) > cellShown {
		cell.Text, cell.IsCut = string(whole([]byte(cell.Text[:cellShown]))), true
	}
	return cell
}

// recordsPage is a page of the rows of a table.
type recordsPage struct {
	Hash, Name string
	Records    recordTable
}

// recordsPage shows rows of a table, and what its columns hold.
func (s *site) recordsPage(r *http.Request) (page, error) {
	_, document, err := s.find(r)
	if err != nil {
		return page{}, err
	}
	document = document.Served()
	p := recordsPage{Hash: document.Hash, Name: s.read.Name(r.Context(), &document)}
	t := recordTable{Table: r.FormValue("table")}
	if t.From, err = numberIn(r, "from", 1); err != nil {
		return page{}, err
	}
	column, err := numberIn(r, "column", 1)
	if err != nil {
		return page{}, err
	}
	t.First = int(min(column, 1<<20))
	if p.Records, err = s.recordsOf(r.Context(), &document, t, false); err != nil {
		return page{}, err
	}
	return page{title: "Records of " + p.Name, template: "dataset_records.html", data: p}, nil
}

// textAddress is the page of a place in the text of a document.
func textAddress(hash string, at web.CellPlace) string {
	column := ""
	if at.Column > 0 {
		column = strconv.FormatInt(at.Column, 10)
	}
	return fmt.Sprintf("%s#L%d", address("/seeds/"+hash+"/text", "line", at.Line, "column", column), at.Line)
}

// cellPage is a cell of a workbook, whose place is none in a text.
type cellPage struct {
	Hash, Name string
	web.Cell
	Value shownCell
}

// cellAt leads to the place of a cell in the text of the document. That of a workbook has a page.
func (s *site) cellAt(r *http.Request) (page, error) {
	_, document, err := s.find(r)
	if err != nil {
		return page{}, err
	}
	document = document.Served()
	row, err := numberIn(r, "row", 1)
	if err != nil {
		return page{}, err
	}
	cell, err := s.read.Cell(r.Context(), document.Hash, row, r.FormValue("field"))
	if err != nil {
		return page{}, err
	}
	if at := cell.Place; at.Cell == "" && at.Line > 0 && !kind.Kind(document.Format).HasSheets() {
		return page{location: textAddress(document.Hash, at)}, nil
	}
	c := cellPage{Hash: document.Hash, Name: s.read.Name(r.Context(), &document), Cell: cell}
	c.Value = cellOf(&shownColumn{RecordColumn: web.RecordColumn{Name: cell.Field}}, cell.Record.Record.Field(cell.Field))
	return page{title: "Cell of " + c.Name, template: "dataset_cell.html", data: c}, nil
}
