package web

import (
	"context"
	"errors"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/states/articles"
	"laundromat/states/kind"
)

// RecordRows are some records of a seed, by their numbers; with a table, only those of it.
func (r *Reader) RecordRows(ctx context.Context, hash, table string, from int64, limit int) (RecordRows, error) {
	return recordRows(ctx, r.a, &recordRowsRequest{Hash: hash, Table: table, From: from, Limit: limit})
}

// RecordColumns are the columns of a table of records, with "" of the first. With little, fewer rows are looked at.
func (r *Reader) RecordColumns(ctx context.Context, hash, table string, little bool) (RecordColumns, error) {
	most := int64(mostSummed)
	if little {
		most = littleSummed
	}
	return recordColumns(ctx, r.a, &recordColumnsRequest{Hash: hash, Table: table}, true, most)
}

// Articles are some articles of a seed, by their numbers.
func (r *Reader) Articles(ctx context.Context, hash string, from int64, limit int) (ArticleRows, error) {
	return articleRows(ctx, r.a, &articleRowsRequest{Hash: hash, From: from, Limit: limit})
}

// Article is one article of a seed, by its number from 1.
func (r *Reader) Article(ctx context.Context, hash string, number int64) (found articles.Stored, err error) {
	file, err := openProduct(ctx, r.a, hash, kind.Articles)
	if err != nil {
		return found, err
	}
	defer file.Close()
	isThere := false
	err = articles.EachStored(ctx, file, number, func(_ int64, s *articles.Stored) (bool, error) {
		found, isThere = *s, true
		return false, nil
	})
	if err == nil && !isThere {
		err = huma.Error404NotFound("the document has fewer articles")
	}
	return found, problem(err)
}

// WhyNoProduct says why a document has none of a product that it was asked for; "" where it has, or was not.
func (r *Reader) WhyNoProduct(seed *seedlist.Seed, name string) string {
	if p := seed.Product(name); p == nil || p.SHA256 != "" {
		return ""
	}
	return whyNoProduct(seed, name)
}

// HasPlaces says whether places in the text of a document can be shown for one of its products.
func HasPlaces(r *Reader, seed *seedlist.Seed, name string) bool {
	p := seed.Product(name)
	return p != nil && whyNoPlaces(r.a, seed, p) == ""
}

// Cell is a cell of a record, and where it is in the document.
type Cell struct {
	Record RecordRow
	Field  string
	Place  CellPlace
}

// Cell looks up where a cell is in the document: that of a field of the record of a number. Where only the place of
// the record is known, it is that.
func (r *Reader) Cell(ctx context.Context, hash string, row int64, field string) (c Cell, err error) {
	rows, err := recordRows(ctx, r.a, &recordRowsRequest{Hash: hash, From: row, Limit: 1, Places: true})
	switch {
	case err != nil:
		return c, err
	case len(rows.Rows) == 0:
		return c, huma.Error404NotFound("the document has fewer records")
	}
	c = Cell{Record: rows.Rows[0], Field: field}
	if place, ok := c.Record.Places[field]; ok {
		c.Place = place
		return c, nil
	}
	c.Place = CellPlace{Line: c.Record.Line}
	if rows.NoPlaces != "" && c.Place.Line == 0 {
		return c, huma.Error422UnprocessableEntity(rows.NoPlaces)
	}
	return c, nil
}

// OffsetPlace is the line and the column of a byte of a document's text.
func (r *Reader) OffsetPlace(ctx context.Context, seed *seedlist.Seed, offset int64) (place CellPlace, err error) {
	in, end, err := r.text(ctx, seed, mostText)
	if err != nil {
		return place, err
	}
	defer end.Close()
	place, err = placeAt(in, offset)
	if refused := new(fault.Error); errors.Is(err, errTooFar) || errors.As(err, &refused) {
		return place, huma.Error422UnprocessableEntity("it is too far from the beginning of the document to be looked up: download it")
	}
	return place, missing(err)
}
