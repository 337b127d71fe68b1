package extract

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
	"laundromat/records"
)

// xlsxSheet reads the rows of a sheet.
type xlsxSheet struct {
	*xlsx
	sheetRows
	kind         string // of the cell at hand
	style        int
	value        []byte
	inline       string
	formula, has bool // the cell has a formula, and a value
}

func (w *xlsx) readSheet(s sheet) error {
	f := w.part(s.file)
	if f == nil {
		w.to.Notice(fault.Notice{Code: fault.TableSheet, Severity: fault.Drop, Lost: 1,
			Message: fmt.Sprintf("the sheet %q has no data in the workbook", s.name)})
		return nil
	}
	part, err := f.Open()
	if err != nil {
		w.damaged(s.file, err.Error())
		return nil
	}
	defer part.Close()
	r := &xlsxSheet{xlsx: w, sheetRows: sheetRows{workbook: w.workbook, name: s.name}}
	r.d = xmltext.NewReader(part, xmltext.Options{}, &r.sheetRows)
	defer r.d.Free()
	r.read = r.row
	return r.run()
}

// row is the next row that holds something; nil at the end.
func (r *xlsxSheet) row() (*row, error) {
	for {
		switch r.token() {
		case xmltext.End:
			return nil, nil
		case xmltext.StartTag:
			switch string(r.d.Local()) {
			case "row":
				r.line++
				if n, err := strconv.Atoi(attribute(r.d, "r")); err == nil && n >= r.line {
					r.line = n
				}
				if made := r.cells(); made != nil {
					return made, nil
				}
			case "mergeCell":
				if r.merged++; r.merged == 1 {
					r.first = attribute(r.d, "ref")
				}
			}
		}
	}
}

// cells reads the cells of a row; nil if none has a value.
func (r *xlsxSheet) cells() *row {
	made := r.begin()
	for {
		switch r.token() {
		case xmltext.End, xmltext.EndTag:
			return r.finish(made)
		case xmltext.StartTag:
			if string(r.d.Local()) != "c" {
				r.skip()
				continue
			}
			r.column++
			if n := columnOf(attributeBytes(r.d, "r")); n >= r.column || n > 0 && made.isFree(n) {
				r.column = n
			}
			for !made.isFree(r.column) {
				r.column++
			}
			r.cell(made)
		}
	}
}

// isFree says that a row has no value yet in a column. Some programs write cells in another order.
func (r *row) isFree(column int) bool {
	return column > len(r.kinds) || r.kinds[column-1] == records.Null
}

// columnOf is the number of the column in the name of a cell; 0 if it is none.
func columnOf(name []byte) (n int) {
	for i := 0; i < len(name) && i < 4 && name[i] >= 'A'; i++ {
		n = 26*n + int(name[i]&^0x20-'A') + 1
	}
	return n
}

// parts reads what the cell whose start tag was read holds.
func (r *xlsxSheet) parts() {
	r.kind, r.style = string(attributeBytes(r.d, "t")), -1
	if n, err := strconv.Atoi(string(attributeBytes(r.d, "s"))); err == nil {
		r.style = n
	}
	r.value, r.inline, r.formula, r.has = r.value[:0], "", false, false
	for inValue := false; ; {
		switch r.token() {
		case xmltext.StartTag:
			inValue = false
			switch string(r.d.Local()) {
			case "f":
				r.formula = true
			case "v":
				inValue, r.has = true, true
				continue
			case "is":
				r.inline = richText(r.d, r.token, r.maxRow+1)
				continue
			}
			r.skip()
		case xmltext.Text:
			if inValue && len(r.value) <= r.maxRow {
				r.value = append(r.value, r.d.Text()...)
			}
		case xmltext.EndTag:
			if !inValue {
				return
			}
			inValue = false
		case xmltext.End:
			return
		}
	}
}

// cell reads the value of a cell into a row. Formulas are not run: the value is the one that was kept.
func (r *xlsxSheet) cell(made *row) {
	r.parts()
	if r.formula && !r.has && r.kind != "inlineStr" {
		r.withoutValue(made)
		return
	}
	format := noDate
	if r.style >= 0 && r.style < len(r.formats) {
		format = r.formats[r.style]
	}
	switch r.kind {
	case "s":
		n, err := strconv.Atoi(string(bytes.TrimSpace(r.value)))
		if err != nil || n < 0 || n >= len(r.strings) {
			r.tell(made, fault.TableCell, "the cell names a string that the workbook does not have; it is left out")
			r.put(made, records.Null, "")
			return
		}
		r.put(made, records.Text, r.strings[n])
	case "inlineStr":
		r.put(made, records.Text, r.inline)
	case "str":
		r.put(made, records.Text, unescapeX(string(r.value)))
	case "b":
		r.put(made, records.Bool, strconv.FormatBool(isTrue(strings.TrimSpace(string(r.value)))))
	case "e":
		r.putError(made, string(r.value))
	case "d":
		if format == noDate {
			format = dateAndTime
		}
		moment, _ := momentAs(string(r.value), format)
		r.put(made, records.Text, moment)
	default:
		r.putNumber(made, string(r.value), format)
	}
}
