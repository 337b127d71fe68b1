package extract

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
	"laundromat/records"
)

// sheetMLReader reads the sheets of SpreadsheetML, the XML that Excel 2003 saved.
type sheetMLReader struct {
	sheetRows
	style   string
	formats map[string]dateFormat // by the names of styles
	sheets  []sheet
	data    []byte
}

// readSheetML reads the sheets of SpreadsheetML. The document is held, as a sheet says behind its rows that it is
// hidden.
func readSheetML(ctx context.Context, doc *Document, opt *Options, to records.Sink) error {
	held, err := doc.hold(opt.memory())
	if err != nil {
		return err
	}
	w := newWorkbook(ctx, doc, opt, to)
	w.several = severalOf(bytes.NewReader(held), "Worksheet")
	r := &sheetMLReader{sheetRows: sheetRows{workbook: w, name: doc.Name}, formats: map[string]dateFormat{}}
	if bytes.Contains(held, []byte("Hidden")) {
		r.findHidden(held)
	}
	r.d = xmltext.NewReader(bytes.NewReader(held), xmltext.Options{}, &r.sheetRows)
	defer r.d.Free()
	r.read = r.row
	for {
		switch r.token() {
		case xmltext.End:
			if r.number == 0 && ctx.Err() == nil {
				return fault.New("extract.Read", fault.Data, fault.RecordFormat, "the workbook has no sheets")
			}
			w.tellMissing()
			return ctx.Err()
		case xmltext.StartTag:
			switch string(r.d.Local()) {
			case "Date1904":
				w.date1904 = true
			case "Style":
				r.style = attribute(r.d, "ID")
			case "NumberFormat":
				r.formats[r.style] = namedFormat(attribute(r.d, "Format"))
			case "Worksheet":
				if err := r.sheet(); err != nil {
					return err
				}
			}
		}
	}
}

// findHidden finds the sheets that are hidden.
func (r *sheetMLReader) findHidden(held []byte) {
	d := xmltext.NewReader(bytes.NewReader(held), xmltext.Options{}, unheard{})
	defer d.Free()
	visible := false
	for {
		kind, err := d.Next(r.ctx)
		switch {
		case err != nil || kind == xmltext.End:
			return
		case kind == xmltext.StartTag && string(d.Local()) == "Worksheet":
			r.sheets = append(r.sheets, sheet{})
		case kind == xmltext.StartTag:
			visible = string(d.Local()) == "Visible"
		case kind == xmltext.Text && visible && len(r.sheets) > 0:
			text := string(bytes.TrimSpace(d.Text()))
			r.sheets[len(r.sheets)-1].hidden = text == "SheetHidden" || text == "SheetVeryHidden"
			visible = false
		}
	}
}

// namedFormat is what of a date or time a format of numbers shows, which may have a name.
func namedFormat(format string) dateFormat {
	switch format {
	case "General Date":
		return dateAndTime
	case "Long Date", "Medium Date", "Short Date":
		return dateOnly
	case "Long Time", "Medium Time", "Short Time":
		return timeOnly
	case "General Number", "Currency", "Euro Currency", "Fixed", "Standard", "Percent", "Scientific", "Yes/No", "True/False", "On/Off":
		return noDate
	}
	return formatOf(format)
}

// sheet reads the sheet whose start tag was read.
func (r *sheetMLReader) sheet() error {
	s := sheet{name: attribute(r.d, "Name")}
	if r.number < len(r.sheets) {
		s.hidden = r.sheets[r.number].hidden
	}
	return r.sheetOf(s)
}

// row is the next row that holds something; nil at the end of the sheet.
func (r *sheetMLReader) row() (*row, error) {
	return r.rowIn("Row", func(local string) bool { return local == "Table" }, r.cells)
}

// index is the number of a row or cell, behind the one before.
func (r *sheetMLReader) index(before int) int {
	if n, err := strconv.Atoi(string(attributeBytes(r.d, "Index"))); err == nil && n > before {
		return n
	}
	return before + 1
}

// further is a count in an attribute; 0 if it is none.
func (r *sheetMLReader) further(local string) int {
	if n, err := strconv.Atoi(string(attributeBytes(r.d, local))); err == nil && n > 0 {
		return min(n, 1<<20)
	}
	return 0
}

// cells reads the cells of a row; nil if none has a value.
func (r *sheetMLReader) cells() *row {
	r.line = r.index(r.line)
	span := r.further("Span") // so many further rows have its looks, and no cells
	made, covered := r.begin(), 0
	for {
		switch r.token() {
		case xmltext.StartTag:
			if string(r.d.Local()) != "Cell" {
				r.skip()
				continue
			}
			r.column = r.index(r.column + covered)
			covered = r.further("MergeAcross")
			r.merges(r.further("MergeDown")+1, covered+1)
			r.readCell(made)
			continue
		case xmltext.Text:
			continue
		}
		whole := r.finish(made)
		r.line += span
		return whole
	}
}

// readCell reads the cell whose start tag was read.
func (r *sheetMLReader) readCell(made *row) {
	format, formula := r.formats[attribute(r.d, "StyleID")], attributeBytes(r.d, "Formula") != nil
	kind, has := "", false
	r.data = r.data[:0]
	for {
		switch r.token() {
		case xmltext.StartTag:
			if string(r.d.Local()) != "Data" {
				r.skip() // a remark, or a name of the cell
				continue
			}
			kind, has = attribute(r.d, "Type"), true
			r.readData()
		case xmltext.EndTag, xmltext.End:
			r.value(made, kind, format, has, formula)
			return
		}
	}
}

// readData reads the text of the element Data, which may have mark-up in it.
func (r *sheetMLReader) readData() {
	for depth := 1; depth > 0; {
		switch r.token() {
		case xmltext.StartTag:
			depth++
		case xmltext.EndTag:
			depth--
		case xmltext.Text:
			if len(r.data) <= r.maxRow {
				r.data = append(r.data, r.d.Text()...)
			}
		case xmltext.End:
			return
		}
	}
}

// value puts the value of the cell at hand into a row.
func (r *sheetMLReader) value(made *row, kind string, format dateFormat, has, formula bool) {
	text := string(r.data)
	switch {
	case !has && formula:
		r.withoutValue(made)
	case !has:
		r.put(made, records.Null, "")
	case kind == "Number":
		r.putNumber(made, text, format)
	case kind == "Boolean":
		r.put(made, records.Bool, strconv.FormatBool(isTrue(strings.TrimSpace(text))))
	case kind == "Error":
		r.putError(made, text)
	case kind == "DateTime":
		moment, ok := momentAs(strings.TrimSpace(text), format)
		if !ok {
			r.tell(made, fault.TableCell, fmt.Sprintf("%q isn't a moment as SpreadsheetML writes it; it is kept as written", text))
		}
		r.put(made, records.Text, moment)
	default:
		r.put(made, records.Text, text)
	}
}

// momentAs is a moment as a format shows it: a date alone, a time of day alone, or both.
func momentAs(text string, format dateFormat) (string, bool) {
	whole := roundedMoment(text)
	day, clock, ok := strings.Cut(whole, "T")
	if !ok || len(day) != len("2006-01-02") {
		return text, len(text) == len("2006-01-02") && strings.Count(text, "-") == 2
	}
	switch midnight := strings.HasPrefix(clock, "00:00:00") && strings.Trim(clock, "0:.") == ""; {
	case midnight && (format == dateOnly || format == noDate):
		return day, true
	case format == timeOnly && (day == "1899-12-30" || day == "1899-12-31" || day == "1904-01-01"):
		return clock, true
	}
	return whole, true
}
