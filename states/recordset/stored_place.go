package recordset

import (
	"context"
	"errors"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/job"
	"laundromat/states"
)

// Placed is where a cell of a record is in the document that it was read from.
type Placed struct {
	Field string
	// Pos is its place in the text; of a workbook, Line and Column are the row and the column of the sheet.
	Pos     fault.Pos
	Element string // of a page
	Table   string
}

// Places finds out where the cells of some records are, by reading the document again as [Product] does, up to the last
// of them. It is a product that writes nothing.
type Places struct {
	From, To int64 // numbers of records, from 1
	// Rows are the cells of each record that was found.
	Rows [][]Placed
}

// Name is that of the product.
func (*Places) Name() string { return Product{}.Name() }

// errFound ends a reading that has all it wants.
var errFound = errors.New("all places are found")

// Make reads the document, up to the last record that is wanted.
func (p *Places) Make(ctx context.Context, d *states.Decoded, to *states.Making) (made states.Made, err error) {
	compiled, err := job.Compile(nil, job.Options{MaxMemory: to.Memory})
	if err != nil {
		return made, err
	}
	p.Rows = nil
	_, err = compiled.Document(ctx, documentOf(d), &ownNames{Sink: &placeSink{places: p}})
	if errors.Is(err, errFound) {
		err = nil
	}
	return made, err
}

type placeSink struct {
	places *Places
	number int64
}

func (s *placeSink) Record(r *records.Record) error {
	if s.number++; s.number < s.places.From {
		return nil
	}
	var row []Placed
	for i := range r.Fields {
		f := &r.Fields[i]
		at := Placed{Field: f.Name, Pos: f.Pos, Element: f.Element, Table: r.Table}
		if at.Pos == (fault.Pos{}) {
			at.Pos = r.Pos
		}
		if at.Element == "" {
			at.Element = r.Element
		}
		row = append(row, at)
	}
	if s.places.Rows = append(s.places.Rows, row); s.number < s.places.To {
		return nil
	}
	return &records.SinkError{Err: errFound}
}

func (s *placeSink) Notice(fault.Notice) {}
