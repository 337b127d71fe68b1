//go:build !lean

package dump

import (
	"archive/zip"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"laundromat/internal/fault"
	"laundromat/records"
)

// Limits of a sheet and of a cell.
const (
	sheetRows    = excelize.TotalRows
	sheetColumns = excelize.MaxColumns
	sheetCell    = excelize.TotalCellChars // in units of UTF-16
)

// cellRule is the name of the rule by which a text became one that a sheet holds.
const cellRule = "xlsx-cell"

// A sheetTable writes XLSX: a sheet, and further ones where the rows are too many.
type sheetTable struct {
	to      *target
	was     *originals
	columns []*column
	name    string
	notices func(fault.Notice)
	file    *excelize.File
	sheet   *excelize.StreamWriter
	sheets  int
	rows    int // of the sheet, with the header
	values  []any
	day     int // the styles of dates, and of dates with times
	moment  int
	told    map[int]bool // columns of which a changed cell was reported
}

func openXLSX(o *output, t *table) (rowWriter, error) {
	if len(t.columns) > sheetColumns {
		return nil, fault.New("dump.Close", fault.Limit, fault.LimitColumns, "a sheet of XLSX has at most %d columns, and this one %d",
			sheetColumns, len(t.columns))
	}
	w := &sheetTable{to: o.target, was: o.was, columns: t.columns, name: sheetName(t.name), notices: t.notices,
		file: excelize.NewFile(excelize.Options{TmpDir: o.target.dir}), values: make([]any, len(t.columns)), told: map[int]bool{}}
	day, moment := "yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss"
	var err error
	if w.day, err = w.file.NewStyle(&excelize.Style{CustomNumFmt: &day}); err != nil {
		return nil, err
	}
	if w.moment, err = w.file.NewStyle(&excelize.Style{CustomNumFmt: &moment}); err != nil {
		return nil, err
	}
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
	w.sheets++
	if w.sheets == 1 {
		if err := w.file.SetSheetName("Sheet1", name); err != nil {
			return err
		}
	} else {
		name += " " + strconv.Itoa(w.sheets)
		if _, err := w.file.NewSheet(name); err != nil {
			return err
		}
	}
	var err error
	if w.sheet, err = w.file.NewStreamWriter(name); err != nil {
		return err
	}
	w.rows = 0
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
	if w.rows == sheetRows {
		if w.sheets == 1 {
			w.notices(fault.Notice{Code: fault.DumpSheet, Severity: fault.Note,
				Message: fmt.Sprintf("the sheet has %d rows, and is continued on a further one from record %d", sheetRows, r.number)})
		}
		if err := w.sheet.Flush(); err != nil {
			return err
		}
		if err := w.begin(); err != nil {
			return err
		}
	}
	return w.write(r)
}

func (w *sheetTable) write(r *row) error {
	for i, c := range w.columns {
		w.values[i] = nil
		if i >= len(r.cells) || r.cells[i].kind <= null {
			continue
		}
		var err error
		if w.values[i], err = w.value(r, i, c); err != nil {
			return err
		}
	}
	w.rows++
	return w.sheet.SetRow("A"+strconv.Itoa(w.rows), w.values)
}

// value is a cell as its kind and the shape of its column have it.
func (w *sheetTable) value(r *row, at int, c *column) (any, error) {
	v := &r.cells[at]
	if r.number > 0 {
		switch {
		case v.kind == boolean, c.shape == shapeBoolean:
			return v.text == "true", nil
		case (v.kind == number || c.shape == shapeInteger || c.shape == shapeNumber) && fitsSheet(v.text):
			return strconv.ParseFloat(v.text, 64)
		case c.shape == shapeDate:
			if day, ok := dayOf(v.text); ok && day >= firstSheetDay {
				return excelize.Cell{StyleID: w.day, Value: float64(day - sheetEpoch)}, nil
			}
		case c.shape == shapeTime:
			if micros, ok := microsOf(v.text); ok && micros%1000 == 0 && micros >= firstSheetDay*secondsPerDay*1e6 {
				return excelize.Cell{StyleID: w.moment, Value: float64(micros)/(secondsPerDay*1e6) - sheetEpoch}, nil
			}
		}
	}
	fitting := fitSheet(v.text)
	if fitting == v.text {
		return v.text, nil
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
	return fitting, w.was.add(r.number, original{field: c.name, rule: cellRule, value: value})
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

func (w *sheetTable) close() error {
	if err := w.sheet.Flush(); err != nil {
		return err
	}
	// The library puts the whole archive into memory first, unless it is led past that.
	w.file.SetZipWriter(func(io.Writer) excelize.ZipWriter { return zip.NewWriter(w.to) })
	if _, err := w.file.WriteToBuffer(); err != nil {
		return err
	}
	err := w.file.Close()
	w.file = nil
	return err
}

// Close removes temporary files, of a table that failed too.
func (w *sheetTable) Close() error {
	if w.file == nil {
		return nil
	}
	return w.file.Close()
}
