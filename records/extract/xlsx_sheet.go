package extract

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"laundromat/internal/fault"
	"laundromat/records"
)

const (
	// maxEmpty is how many cells and rows without a value may stand one behind the other.
	maxEmpty = 2_000_000
	// maxColumns is how many columns a sheet has in Excel.
	maxColumns = 16_384
)

// sheetReader gives the rows of a sheet.
type sheetReader struct {
	*workbook
	ctx    context.Context
	d      *xml.Decoder
	to     records.Sink
	name   string
	line   int
	empty  int
	merged int
	first  string // the first range of merged cells
	ended  bool
}

func (w *workbook) readSheet(ctx context.Context, s sheet, t *table) error {
	f := w.files[strings.ToLower(s.file)]
	if f == nil {
		t.to.Notice(fault.Notice{Code: fault.TableSheet, Severity: fault.Drop, Lost: 1, Message: fmt.Sprintf("the sheet %q has no data in the workbook", s.name)})
		return nil
	}
	part, err := f.Open()
	if err != nil {
		return damaged(s.file, err)
	}
	defer part.Close()
	r := &sheetReader{workbook: w, ctx: ctx, d: xml.NewDecoder(part), to: t.to, name: s.name}
	r.d.Strict = false
	if err := runGrid(t, r.next); err != nil {
		return err
	}
	if r.merged > 0 {
		t.to.Notice(fault.Notice{Code: fault.TableMerged, Severity: fault.Warning, Message: fmt.Sprintf(
			"the sheet %q has %s of merged cells, as %s; the value is in the first cell of each", s.name, plural(r.merged, "range"), r.first)})
	}
	return nil
}

// next is the next row that has cells; nil at the end.
func (r *sheetReader) next() (*row, error) {
	for !r.ended {
		token, err := r.d.RawToken()
		if errors.Is(err, io.EOF) {
			r.ended = true
			return nil, nil
		}
		if err != nil {
			r.ended = true
			r.to.Notice(fault.Notice{Code: fault.TableSheet, Severity: fault.Drop, Lost: 1, Pos: cellPlace(r.line+1, 1),
				Message: fmt.Sprintf("the sheet %q is damaged behind this row: %v", r.name, err)})
			return nil, nil
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch e.Name.Local {
		case "row":
			r.line++
			if n, err := strconv.Atoi(attribute(e, "r")); err == nil && n >= r.line {
				r.line = n
			}
			made, err := r.cells()
			if err != nil || made != nil {
				return made, err
			}
		case "mergeCell":
			if r.merged++; r.merged == 1 {
				r.first = attribute(e, "ref")
			}
		}
	}
	return nil, nil
}

// cells reads the cells of a row; nil if none has a value.
func (r *sheetReader) cells() (*row, error) {
	made := &row{pos: cellPlace(r.line, 1)}
	column := 0
	for {
		token, err := r.d.RawToken()
		if err != nil {
			r.ended = errors.Is(err, io.EOF)
			break
		}
		if e, ok := token.(xml.EndElement); ok && e.Name.Local == "row" {
			break
		}
		e, ok := token.(xml.StartElement)
		if !ok || e.Name.Local != "c" {
			continue
		}
		column++
		if n := columnOf(attribute(e, "r")); n >= column && n <= maxColumns {
			column = n
		}
		kind, text, err := r.cell(e, column, made)
		if err != nil {
			return nil, err
		}
		if kind == records.Null || column > maxColumns {
			if r.count(1) {
				return nil, nil
			}
			continue
		}
		for len(made.texts) < column {
			made.texts, made.kinds = append(made.texts, ""), append(made.kinds, records.Null)
			made.places = append(made.places, cellPlace(r.line, len(made.places)+1))
			made.offs = append(made.offs, 0)
		}
		made.texts[column-1], made.kinds[column-1] = text, kind
	}
	if len(made.texts) == 0 {
		r.count(1)
		if len(made.faults) == 0 {
			return r.blankRow(), nil
		}
		return nil, nil
	}
	r.empty = 0
	return made, nil
}

// blankRow is one for the first of several rows without a value.
func (r *sheetReader) blankRow() *row {
	if r.empty > 1 {
		return nil
	}
	return &row{texts: []string{""}, kinds: []records.Kind{records.Null}, offs: []int32{0}, pos: cellPlace(r.line, 1), places: []fault.Pos{cellPlace(r.line, 1)}}
}

// count counts what has no value, and ends the sheet where there is too much of it.
func (r *sheetReader) count(n int) (over bool) {
	r.empty += n
	if r.empty&0xFFFF == 0 && r.ctx.Err() != nil {
		r.ended = true
	}
	if r.empty < maxEmpty {
		return r.ended
	}
	if !r.ended {
		r.to.Notice(fault.Notice{Code: fault.LimitCells, Severity: fault.Warning, Pos: cellPlace(r.line, 1),
			Message: fmt.Sprintf("the sheet %q has %d cells and rows without a value one behind the other; it is not read further", r.name, maxEmpty)})
	}
	r.ended = true
	return true
}

// columnOf is the number of the column in the name of a cell; 0 if it is none.
func columnOf(name string) (n int) {
	for i := 0; i < len(name) && i < 4 && name[i] >= 'A'; i++ {
		n = 26*n + int(name[i]&^0x20-'A') + 1
	}
	return n
}

// cellParts are what a cell holds.
type cellParts struct {
	value, inline string
	formula, kept bool // a formula, and its value
}

// parts reads what the cell whose start tag was read holds; false if the sheet is broken in it.
func (r *sheetReader) parts() (p cellParts, ok bool) {
	for in := ""; ; {
		token, err := r.d.RawToken()
		if err != nil {
			return p, false // the reader of rows tells
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch in = t.Name.Local; in {
			case "f":
				p.formula = true
			case "v":
				p.kept = true
			case "is":
				if p.inline, err = richText(r.d, "is"); err != nil {
					return p, false
				}
			}
		case xml.CharData:
			if in == "v" {
				p.value += string(t)
			}
		case xml.EndElement:
			if in = ""; t.Name.Local == "c" {
				return p, true
			}
		}
	}
}

// cell reads the value of a cell. Formulas are not run: the value is the one that was kept.
func (r *sheetReader) cell(c xml.StartElement, column int, made *row) (records.Kind, string, error) {
	kind, style := attribute(c, "t"), attribute(c, "s")
	parts, ok := r.parts()
	if !ok {
		return records.Null, "", nil
	}
	value := parts.value
	tell := func(code fault.Code, message string) {
		made.faults = append(made.faults, rowFault{fault.Notice{Code: code, Severity: fault.Warning, Pos: cellPlace(r.line, column), Message: message}, column - 1})
	}
	if parts.formula && !parts.kept {
		tell(fault.TableFormula, "the cell has a formula whose value was not kept; formulas are not run, so it is left out")
		return records.Null, "", nil
	}
	switch kind {
	case "s":
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 0 || n >= len(r.strings) {
			tell(fault.TableCell, "the cell names a string that the workbook does not have; it is left out")
			return records.Null, "", nil
		}
		return records.Text, r.strings[n], nil
	case "inlineStr":
		return records.Text, parts.inline, nil
	case "str":
		return records.Text, value, nil
	case "b":
		return records.Bool, strconv.FormatBool(strings.TrimSpace(value) == "1"), nil
	case "e":
		tell(fault.TableCell, "the cell holds an error of a formula: "+value)
		return records.Text, value, nil
	case "d":
		return records.Text, value, nil
	}
	value = strings.TrimSpace(value)
	if value == "" {
		return records.Null, "", nil
	}
	n, err := strconv.Atoi(style)
	if err == nil && n < len(r.formats) && n >= 0 && r.formats[n] != noDate {
		if text, ok := isoDate(value, r.formats[n], r.date1904); ok {
			return records.Text, text, nil
		}
		tell(fault.TableCell, "the number has the format of a date and is none; it is kept as written")
	}
	if records.IsNumber(value) {
		return records.Number, value, nil
	}
	return records.Text, value, nil
}
