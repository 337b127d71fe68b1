package dump

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/records"
)

// cellRule is the name of the rule by which a text became one that a sheet holds.
const cellRule = "xlsx-cell"

// A sheetTable writes XLSX: a sheet, and further ones where the rows are too many.
type sheetTable struct {
	was     *originals
	columns []*column
	name    string
	notices func(fault.Notice)
	book    *workbook
	told    map[int]bool // columns of which a changed cell was reported
}

func openXLSX(o *output, t *table) (rowWriter, error) {
	book, err := newWorkbook(o.target)
	if err != nil {
		return nil, err
	}
	w := &sheetTable{was: o.was, columns: t.columns, name: sheetName(t.name), notices: t.notices, book: book, told: map[int]bool{}}
	return w, w.begin()
}

// sheetName is a name as sheets may have it: 31 characters, some of them forbidden.
func sheetName(s string) string {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`:\/?*[]`, r) || r < ' ' {
			return '_'
		}
		return r
	}, strings.Trim(s, "'"))
	units := utf16.Encode([]rune(s))
	if len(units) > 25 { // room for the number of a further sheet
		s = strings.TrimRight(string(utf16.Decode(units[:25])), "\uFFFD'")
	}
	if s == "" {
		return "records"
	}
	return s
}

// begin starts a sheet with the header.
func (w *sheetTable) begin() error {
	name := w.name
	if n := len(w.book.names); n > 0 {
		name += " " + strconv.Itoa(n+1)
	}
	if err := w.book.begin(name); err != nil {
		return err
	}
	header := row{cells: make([]cell, len(w.columns))}
	for i, c := range w.columns {
		header.cells[i] = cell{text, c.name}
	}
	return w.write(&header)
}

func (w *sheetTable) row(r *row) error {
	if err := w.was.keep(r); err != nil {
		return err
	}
	if w.book.rows == sheetRows {
		if len(w.book.names) == 1 {
			w.notices(fault.Notice{Code: fault.DumpSheet, Severity: fault.Note,
				Message: fmt.Sprintf("the sheet has %d rows, and is continued on a further one from record %d", sheetRows, r.number)})
		}
		if err := w.begin(); err != nil {
			return err
		}
	}
	return w.write(r)
}

func (w *sheetTable) write(r *row) error {
	w.book.beginRow()
	for i, c := range w.columns {
		if i >= len(r.cells) || r.cells[i].kind <= null {
			continue
		}
		if err := w.value(r, i, c); err != nil {
			return err
		}
	}
	return w.book.endRow()
}

// value adds a cell as its kind and the shape of its column have it.
func (w *sheetTable) value(r *row, at int, c *column) error {
	v := &r.cells[at]
	if r.number > 0 {
		switch {
		case v.kind == boolean, c.shape == shapeBoolean:
			w.book.boolean(at, v.text == "true")
			return nil
		case (v.kind == number || c.shape == shapeInteger || c.shape == shapeNumber) && fitsSheet(v.text):
			value, err := strconv.ParseFloat(v.text, 64)
			w.book.number(at, value, styleNone)
			return err
		case c.shape == shapeDate:
			if day, ok := dayOf(v.text); ok && day >= firstSheetDay {
				w.book.number(at, float64(day-sheetEpoch), styleDay)
				return nil
			}
		case c.shape == shapeTime:
			if micros, ok := microsOf(v.text); ok && micros%1000 == 0 && micros >= firstSheetDay*secondsPerDay*1e6 {
				w.book.number(at, float64(micros)/(secondsPerDay*1e6)-sheetEpoch, styleMoment)
				return nil
			}
		}
	}
	fitting := fitSheet(v.text)
	w.book.text(at, fitting)
	if fitting == v.text {
		return nil
	}
	if !w.told[at] {
		w.told[at] = true
		w.notices(fault.Notice{Code: fault.DumpCell, Severity: fault.Warning, Field: c.name,
			Message: fmt.Sprintf("a sheet can't hold the text of record %d; the whole text is among the originals", r.number)})
	}
	value := v.text
	if v.kind == text {
		value = string(records.AppendJSONText(nil, v.text))
	}
	return w.was.add(r.number, original{field: c.name, rule: cellRule, value: value})
}

// Days since 1970 of two days: the one that a sheet counts from, and the first from which
// all programs count the same. In 1900 there was no 29 February, but sheets have it.
const (
	sheetEpoch    = -25569
	firstSheetDay = sheetEpoch + 61
)

// fitSheet is the text as a cell holds it.
func fitSheet(s string) string {
	clean := true
	for i := 0; i < len(s); i++ {
		if b := s[i]; b < ' ' && b != '\t' && b != '\n' && b != '\r' || b >= utf8.RuneSelf {
			clean = false
			break
		}
	}
	if clean && len(s) <= sheetCell {
		return s
	}
	units := 0
	var out strings.Builder
	for _, r := range s {
		n := utf16.RuneLen(r)
		if n < 0 || r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			r, n = utf8.RuneError, 1
		}
		if units += n; units > sheetCell {
			break
		}
		out.WriteRune(r)
	}
	return out.String()
}

func (w *sheetTable) close() error { return w.book.close() }
