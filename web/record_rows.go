package web

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/danielgtaylor/huma/v2"
	"github.com/klauspost/compress/gzip"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/records"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
	"laundromat/states/kind"
	"laundromat/states/recordset"
)

// RecordRows are some records of a document.
type RecordRows struct {
	SHA256 string      `json:"sha256" doc:"of the file of records, before compression"`
	Table  string      `json:"table,omitempty" doc:"the table whose rows these are, if one was asked for"`
	From   int64       `json:"from" doc:"number of the first row, from 1; of those of the table, if one was asked for"`
	Rows   []RecordRow `json:"rows"`
	Total  *int64      `json:"total,omitempty" doc:"records of the file, of all tables"`
	// Next is the number of the row after these; 0 at the end.
	Next int64 `json:"next,omitempty"`
	// NoPlaces says why cells have no places, where these were asked for.
	NoPlaces string `json:"no_places,omitempty"`
}

// RecordRow is a record, with where it comes from.
type RecordRow struct {
	Row    int64           `json:"row" doc:"its number in the file, from 1"`
	Values json.RawMessage `json:"values" doc:"an object of its fields, with the types of the schema"`
	// Line, Element and Table say where it begins in the document.
	Line    int64  `json:"line,omitempty" doc:"line of the document; of a workbook, row of the sheet"`
	Element string `json:"element,omitempty" doc:"selector of the element of a page"`
	Table   string `json:"table,omitempty" doc:"name of the table or sheet"`
	// Places are those of its cells, by field.
	Places map[string]CellPlace `json:"places,omitempty"`

	// Record is the row as it was read.
	Record records.Record `json:"-"`
}

// CellPlace is where a cell is in the document.
type CellPlace struct {
	Line   int64  `json:"line,omitempty"`
	Column int64  `json:"column,omitempty" doc:"in characters, from 1"`
	Cell   string `json:"cell,omitempty" doc:"of a workbook, such as B7"`
}

type recordRowsRequest struct {
	Hash   string `path:"hash" pattern:"^[0-9a-f]{32}$" doc:"key of the seed"`
	From   int64  `query:"from" minimum:"1" default:"1" doc:"number of the first row"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
	Table  string `query:"table" doc:"only rows of the table of this name"`
	Places bool   `query:"places" doc:"with the place of each cell, for which the document is read again"`
}

type recordRowsReply struct {
	Link string `header:"Link"`
	Body RecordRows
}

// recordOperations are those about stored records and articles, by their numbers.
func recordOperations(a *api) []operation {
	return []operation{
		get("/api/v1/seeds/{hash}/records/rows", func(ctx context.Context, r *recordRowsRequest) (*recordRowsReply, error) {
			rows, err := recordRows(ctx, a, r)
			if err != nil {
				return nil, err
			}
			reply := &recordRowsReply{Body: rows}
			if rows.Next > 0 {
				reply.Link = fmt.Sprintf(`</api/v1/seeds/%s/records/rows?%s>; rel="next"`, r.Hash,
					queryOf("from", rows.Next, "limit", r.Limit, "table", r.Table, "places", r.Places))
			}
			return reply, nil
		}),
		get("/api/v1/seeds/{hash}/records/columns", func(ctx context.Context, r *recordColumnsRequest) (*recordColumnsReply, error) {
			columns, err := recordColumns(ctx, a, r, false, mostSummed)
			if err != nil {
				return nil, err
			}
			return &recordColumnsReply{Body: columns}, nil
		}),
		get("/api/v1/seeds/{hash}/articles/rows", func(ctx context.Context, r *articleRowsRequest) (*articleRowsReply, error) {
			rows, err := articleRows(ctx, a, r)
			if err != nil {
				return nil, err
			}
			reply := &articleRowsReply{Body: rows}
			if rows.Next > 0 {
				reply.Link = fmt.Sprintf(`</api/v1/seeds/%s/articles/rows?from=%d&limit=%d>; rel="next"`, r.Hash, rows.Next, r.Limit)
			}
			return reply, nil
		}),
	}
}

// openedProduct is the file of a product that is served, unpacked.
type openedProduct struct {
	io.Reader
	Name    seedfile.Named
	Product *seedlist.Product
	Seed    seedlist.Seed
	close   func() error
}

func (p *openedProduct) Close() error { return p.close() }

// openProduct opens what is served of a product of a seed.
func openProduct(ctx context.Context, a *api, hash, name string) (*openedProduct, error) {
	seed, err := documentOf(ctx, a, hash)
	if err != nil {
		return nil, err
	}
	return openProductOf(a, seed, name, 0)
}

// openProductOf opens the file of a product: that of a version, or with 0 that which is served.
func openProductOf(a *api, seed seedlist.Seed, name string, version int64) (*openedProduct, error) {
	file, err := seedfile.Find(&seed, name, version)
	if err != nil && version > 0 {
		return nil, huma.Error404NotFound(whyNoVersion(&seed, name, version))
	}
	if err != nil {
		return nil, huma.Error404NotFound(whyNoProduct(&seed, name))
	}
	packed, err := a.Files.Open(file.Key, file.Suffix)
	if err != nil {
		return nil, missing(err)
	}
	lines, err := gzip.NewReader(files.Sequential(packed))
	if err != nil {
		packed.Close()
		return nil, missing(err)
	}
	return &openedProduct{lines, file, seed.Product(name), seed, packed.Close}, nil
}

// stored are the records of a product that was opened.
func (p *openedProduct) stored(a *api) *recordset.Stored {
	return &recordset.Stored{Lines: p, Schema: schemaOf(a, &p.Seed, p.Name.Version)}
}

// recordRows reads records by their numbers.
func recordRows(ctx context.Context, a *api, r *recordRowsRequest) (body RecordRows, err error) {
	file, err := openProduct(ctx, a, r.Hash, kind.Records)
	if err != nil {
		return body, err
	}
	defer file.Close()
	body = RecordRows{SHA256: file.Name.SHA256, Table: r.Table, From: r.From, Rows: []RecordRow{}, Total: file.Product.Written}
	size := 0
	err = file.stored(a).Rows(ctx, r.Table, r.From, func(row *recordset.Row) (bool, error) {
		if len(body.Rows) == r.Limit || size > mostRows {
			body.Next = r.From + int64(len(body.Rows))
			return false, nil
		}
		size += row.Bytes
		body.Rows = append(body.Rows, RecordRow{Row: row.Number, Values: row.Record.AppendJSON(nil), Line: row.Record.Pos.Line,
			Element: row.Record.Element, Table: row.Record.Table, Record: row.Record})
		return true, nil
	})
	if err == nil && r.Table != "" && r.From == 1 && len(body.Rows) == 0 {
		err = huma.Error404NotFound("no table is named " + r.Table)
	}
	if err != nil {
		return body, problem(err)
	}
	if r.Places && len(body.Rows) > 0 {
		return body, fillPlaces(ctx, a, file, &body)
	}
	return body, nil
}

// mostPlaced is how many bytes of a document are read again for the places of cells.
const mostPlaced = mostText

// fillPlaces looks up where the cells are. That this can't be known is no error.
func fillPlaces(ctx context.Context, a *api, file *openedProduct, body *RecordRows) error {
	if body.NoPlaces = whyNoPlaces(a, &file.Seed, file.Product); body.NoPlaces != "" {
		return nil
	}
	first, last := body.Rows[0].Row, body.Rows[len(body.Rows)-1].Row
	if last-first > 10*int64(len(body.Rows))+1000 {
		body.NoPlaces = "the rows are too far from each other"
		return nil
	}
	found, err := a.CellPlaces(ctx, file.Seed.Served(), first, last, mostPlaced)
	if refused := new(fault.Error); errors.As(err, &refused) && refused.Kind != fault.Local {
		body.NoPlaces = refused.Error()
	} else if err != nil {
		return missing(err)
	}
	isWorkbook := kind.Kind(file.Seed.Served().Format).HasSheets()
	for i := range body.Rows {
		row := &body.Rows[i]
		if at := row.Row - first; at < int64(len(found)) {
			row.Places = map[string]CellPlace{}
			for _, p := range found[at] {
				row.Places[p.Field] = placeOf(&p, isWorkbook)
			}
		}
	}
	return nil
}

func placeOf(p *recordset.Placed, isWorkbook bool) CellPlace {
	if isWorkbook && p.Pos.Column > 0 {
		return CellPlace{Cell: columnLetters(p.Pos.Column) + fmt.Sprint(p.Pos.Line)}
	}
	return CellPlace{Line: p.Pos.Line, Column: p.Pos.Column}
}

// columnLetters names a column of a sheet: A, B, … Z, AA, …
func columnLetters(n int64) (name string) {
	for ; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}

// whyNoPlaces says why places of a product in the document can't be known; "" where they can.
func whyNoPlaces(a *api, seed *seedlist.Seed, p *seedlist.Product) string {
	served := seed.Served()
	switch {
	case a.CellPlaces == nil || a.Text == nil || served.Content == nil:
		return "the bytes of the document can't be read here"
	case p.Of != nil && p.Of.Content.SHA256 != served.Content.SHA256:
		return "the " + p.Name + " are of older bytes of the document"
	}
	return ""
}

// placeAt is the line and the column of a byte of a text in UTF-8. LF, CRLF and CR end lines.
func placeAt(in io.Reader, offset int64) (place CellPlace, err error) {
	text := bufio.NewReaderSize(in, 64<<10)
	place = CellPlace{Line: 1, Column: 1}
	wasCR := false
	for read := int64(0); read < offset; read++ {
		b, err := text.ReadByte()
		if errors.Is(err, io.EOF) {
			return place, nil
		}
		if err != nil {
			return place, err
		}
		switch {
		case b == '\n' && wasCR:
		case b == '\n' || b == '\r':
			place.Line, place.Column = place.Line+1, 1
		case b&0xC0 != 0x80: // the first byte of a character
			place.Column++
		}
		wasCR = b == '\r'
	}
	return place, nil
}

// RecordColumns says what the columns of a document's records hold.
type RecordColumns struct {
	SHA256 string `json:"sha256" doc:"of the file of records, before compression"`
	Table  string `json:"table,omitempty" doc:"the table whose columns these are, if one was asked for"`
	Rows   int64  `json:"rows" doc:"records that were looked at, of all tables"`
	Total  *int64 `json:"total,omitempty" doc:"records of the file, of all tables"`
	// Bound says which bound was hit; absent where all rows were looked at.
	Bound   string         `json:"bound,omitempty" doc:"why not all rows have a part in the counts; absent where they have"`
	Tables  []RecordTable  `json:"tables" doc:"those that were seen, at most 1,000"`
	Columns []RecordColumn `json:"columns" doc:"those that were seen, at most 1,000"`
	// MoreTables and MoreColumns are rows of further tables, and values of further columns.
	MoreTables  int64 `json:"more_tables,omitempty" doc:"rows of further tables"`
	MoreColumns int64 `json:"more_columns,omitempty" doc:"values of further columns"`
}

// RecordTable is a table of a document.
type RecordTable struct {
	Name string `json:"name"`
	Rows int64  `json:"rows" doc:"that were looked at"`
	Row  int64  `json:"row" doc:"number of its first row in the file"`
}

// RecordColumn is what is known of a field.
type RecordColumn struct {
	Name   string `json:"name"`
	Type   string `json:"type" doc:"of the inferred schema"`
	Format string `json:"format,omitempty"`
	Values int64  `json:"values" doc:"that are not missing, in the rows that were looked at"`
	// Missing are null, absent or the empty text.
	Missing   int64           `json:"missing"`
	NullShare float64         `json:"null_share" doc:"missing of all, from 0 to 1"`
	Distinct  int64           `json:"distinct" doc:"values that were told apart, at most 1,000"`
	Others    int64           `json:"others,omitempty" doc:"further values that were none of those; then there are more distinct ones"`
	Frequent  []FrequentValue `json:"frequent" doc:"the most frequent of those that were told apart, at most ten"`
}

// FrequentValue is a value with how often it is there.
type FrequentValue struct {
	Value string `json:"value"`
	Cut   bool   `json:"cut,omitempty" doc:"the value is longer"`
	Times int64  `json:"times"`
}

const (
	mostSummed   = 64 << 20 // bytes of records that are looked at for a summary
	littleSummed = 4 << 20  // for a page that shows much else
)

type recordColumnsRequest struct {
	Hash  string `path:"hash" pattern:"^[0-9a-f]{32}$" doc:"key of the seed"`
	Table string `query:"table" doc:"only columns of the table of this name"`
}

type recordColumnsReply struct{ Body RecordColumns }

// recordColumns sums up columns, in one pass over at most so many bytes. With isFirst they are those of the first
// table, where none is asked for.
func recordColumns(ctx context.Context, a *api, r *recordColumnsRequest, isFirst bool, most int64) (body RecordColumns, err error) {
	file, err := openProduct(ctx, a, r.Hash, kind.Records)
	if err != nil {
		return body, err
	}
	defer file.Close()
	var sum recordset.Summary
	if isFirst = isFirst && r.Table == ""; isFirst {
		sum, err = file.stored(a).SummariseFirst(ctx, most)
	} else {
		sum, err = file.stored(a).Summarise(ctx, r.Table, most)
	}
	if err != nil {
		return body, problem(err)
	}
	body = RecordColumns{SHA256: file.Name.SHA256, Table: r.Table, Rows: sum.Rows, Total: file.Product.Written,
		Tables: []RecordTable{}, Columns: []RecordColumn{}, MoreTables: sum.MoreTables, MoreColumns: sum.MoreColumns}
	if isFirst && len(sum.Tables) > 1 {
		body.Table = sum.Tables[0].Name
	}
	if !sum.IsWhole {
		body.Bound = fmt.Sprintf("only rows in the first %d MiB of records were looked at", most>>20)
	}
	for _, t := range sum.Tables {
		body.Tables = append(body.Tables, RecordTable{t.Name, t.Rows, t.First})
	}
	for i := range sum.Columns {
		body.Columns = append(body.Columns, columnOf(&sum.Columns[i]))
	}
	return body, nil
}

func columnOf(c *recordset.Column) RecordColumn {
	column := RecordColumn{Name: c.Name, Type: c.Type, Format: c.Format, Values: c.Values, Missing: c.Missing,
		Distinct: c.Distinct, Others: c.Others, Frequent: []FrequentValue{}}
	if all := c.Values + c.Missing; all > 0 {
		column.NullShare = math.Round(1e6*float64(c.Missing)/float64(all)) / 1e6
	}
	for _, f := range c.Frequent {
		column.Frequent = append(column.Frequent, FrequentValue{f.Value, f.IsCut, f.Times})
	}
	return column
}
