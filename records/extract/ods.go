package extract

import (
	"bytes"
	"context"
	"io"
	"math"
	"strconv"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
	"laundromat/records"
)

// odsReader reads the sheets of an OpenDocument spreadsheet, one after another.
type odsReader struct {
	sheetRows
	style  string          // of a table, which was begun
	hidden map[string]bool // styles of tables that are not shown
	again  int             // so many times the row that was given comes again
	given  *row
	copies int // cells that repeated rows and columns made
	cell   odsCell
	text   []byte // of the cell at hand
	// wrapped says that the white space which came last in it had a line end.
	wrapped bool
}

// maxCopies is how many cells with values the repeats of a sheet may make.
const maxCopies = 20_000_000

// readODS reads a package of OpenDocument.
func readODS(ctx context.Context, doc *Document, opt *Options, to records.Sink) error {
	p, err := openPack(newWorkbook(ctx, doc, opt, to), doc, opt.memory())
	if err != nil {
		return err
	}
	encrypted := p.part("encrypted-package") != nil
	err = p.elements("META-INF/manifest.xml", func(d *xmltext.Reader, _ func() xmltext.Kind) error {
		encrypted = encrypted || string(d.Local()) == "encryption-data"
		return nil
	})
	if err != nil {
		return err
	}
	if encrypted {
		return refused("an encrypted workbook of OpenDocument", "Save it without a password")
	}
	content := p.part("content.xml")
	if content == nil {
		return fault.New("extract.Read", fault.Data, fault.RecordFormat,
			"the archive isn't a workbook of OpenDocument: it has no content.xml")
	}
	open := func(read func(io.Reader) error) error {
		part, err := content.Open()
		if err != nil {
			return fault.New("extract.Read", fault.Data, fault.RecordFormat, "the workbook is damaged: content.xml: %w", err)
		}
		defer part.Close()
		return read(part)
	}
	err = open(func(part io.Reader) error {
		p.several = severalOf(part, "table")
		return nil
	})
	if err != nil {
		return err
	}
	return open(p.readODS)
}

// readFlatODS reads OpenDocument in one file of XML, which is held.
func readFlatODS(ctx context.Context, doc *Document, opt *Options, to records.Sink) error {
	held, err := doc.hold(opt.memory())
	if err != nil {
		return err
	}
	w := newWorkbook(ctx, doc, opt, to)
	w.several = severalOf(bytes.NewReader(held), "table")
	return w.readODS(bytes.NewReader(held))
}

func (w *workbook) readODS(content io.Reader) error {
	r := &odsReader{sheetRows: sheetRows{workbook: w, name: "content.xml"}, hidden: map[string]bool{}}
	r.d = xmltext.NewReader(content, xmltext.Options{}, &r.sheetRows)
	defer r.d.Free()
	r.read = r.row
	if err := r.sheets(); err != nil {
		return err
	}
	if r.number == 0 && w.ctx.Err() == nil {
		return fault.New("extract.Read", fault.Data, fault.RecordFormat, "the workbook has no sheets")
	}
	w.tellMissing()
	return w.ctx.Err()
}

// sheets reads all that stands in the document.
func (r *odsReader) sheets() error {
	for {
		switch r.token() {
		case xmltext.End:
			return nil
		case xmltext.StartTag:
			switch local := string(r.d.Local()); local {
			case "text", "drawing", "presentation", "chart", "image", "formula", "database":
				if string(r.d.Prefix()) == "office" {
					return refused("an OpenDocument "+local, "Save its tables as ODS, XLSX or CSV")
				}
			case "style":
				if r.style = ""; attribute(r.d, "family") == "table" {
					r.style = attribute(r.d, "name")
				}
			case "table-properties":
				if attribute(r.d, "display") == "false" {
					r.hidden[r.style] = true
				}
			case "tracked-changes", "dde-links", "forms", "scripts", "meta", "settings":
				r.skip() // what was before a change, or comes from elsewhere, is in no sheet
			case "table":
				if err := r.sheet(); err != nil {
					return err
				}
			}
		}
	}
}

// sheet reads the sheet whose start tag was read.
func (r *odsReader) sheet() error {
	r.again, r.given, r.copies = 0, nil, 0
	return r.sheetOf(sheet{name: attribute(r.d, "name"), hidden: r.hidden[attribute(r.d, "style-name")]})
}

// row is the next row that holds something; nil at the end of the sheet.
func (r *odsReader) row() (*row, error) {
	if r.again > 0 {
		return r.repeat(), nil
	}
	return r.rowIn("table-row", isAroundRows, r.cells)
}

func isAroundRows(local string) bool {
	return local == "table-rows" || local == "table-header-rows" || local == "table-row-group"
}

// repeat is the row that was given once more, a line below.
func (r *odsReader) repeat() *row {
	old := r.given
	if r.copies += len(old.texts); r.copies > maxCopies {
		r.again = 0
		r.tooMany()
		return nil
	}
	r.again--
	made := *old
	made.pos.Line++
	made.places, made.faults = make([]fault.Pos, len(old.places)), make([]rowFault, len(old.faults))
	for i, at := range old.places {
		at.Line++
		made.places[i] = at
	}
	for i, f := range old.faults {
		f.Pos.Line++
		made.faults[i] = f
	}
	r.given = &made
	again := made
	return &again
}

// tooMany ends a sheet whose repeats make too many cells.
func (r *odsReader) tooMany() {
	r.ended = true
	r.to.Notice(fault.Notice{Code: fault.LimitCells, Severity: fault.Drop, Lost: 1, Pos: cellPlace(r.line, 1),
		Message: "the repeated cells of the sheet " + strconv.Quote(r.name) + " are more than " + strconv.Itoa(maxCopies) +
			"; it is not read further"})
}

// repeats is how often a row or cell stands there.
func repeats(value []byte) int {
	if n, err := strconv.Atoi(string(value)); err == nil && n > 0 {
		return min(n, math.MaxInt32)
	}
	return 1
}

// cells reads the cells of a row; nil if none has a value.
func (r *odsReader) cells() *row {
	r.line++
	n := repeats(attributeBytes(r.d, "number-rows-repeated"))
	made := r.begin()
	for {
		switch r.token() {
		case xmltext.StartTag:
			if local := r.d.Local(); string(local) != "table-cell" && string(local) != "covered-table-cell" {
				r.skip()
				continue
			}
			r.readCell(made)
			continue
		case xmltext.Text:
			continue
		}
		whole := r.finish(made)
		if whole != nil && n > 1 {
			kept := *whole
			r.given, r.again = &kept, n-1
		}
		r.line += n - 1
		return whole
	}
}

// odsCell is what the attributes of a cell say.
type odsCell struct {
	kind, value, text string
	formula, isError  bool
	hasText           bool // there is an attribute with the text
	times             int
	rows, columns     int // that it spans
}

// readCell reads a cell, and its repeats, into a row.
func (r *odsReader) readCell(made *row) {
	c := &r.cell
	*c = odsCell{times: 1}
	for i := range r.d.Attrs() {
		a := &r.d.Attrs()[i]
		if isExtension(a.Prefix) {
			c.isError = c.isError || string(a.Local) == "value-type" && string(a.Value) == "error"
			continue
		}
		switch string(a.Local) {
		case "value-type":
			c.kind = string(a.Value)
		case "value", "date-value", "time-value", "boolean-value":
			c.value = string(a.Value)
		case "string-value":
			c.text, c.hasText = string(a.Value), true
		case "formula":
			c.formula = true
		case "number-columns-repeated":
			c.times = repeats(a.Value)
		case "number-columns-spanned":
			c.columns = repeats(a.Value)
		case "number-rows-spanned":
			c.rows = repeats(a.Value)
		}
	}
	r.column++
	r.merges(c.rows, c.columns)
	r.readText()
	if !c.hasText || c.isError || c.formula && isErrorText(string(r.text)) {
		c.text = string(r.text)
	}
	from := len(made.faults)
	r.value(made)
	if c.times == 1 {
		return
	}
	if last := len(made.texts); last < r.column || r.column > maxColumns { // it holds nothing
		r.column += c.times - 1
		return
	}
	kind, text, faults := made.kinds[r.column-1], made.texts[r.column-1], made.faults[from:]
	for n := 1; n < c.times; n++ {
		r.column++
		for _, f := range faults {
			f.Pos.Column, f.cell = int64(r.column), r.column-1
			made.faults = append(made.faults, f)
		}
		if r.put(made, kind, text); r.column > maxColumns {
			r.column += c.times - n - 1
			break
		}
	}
	r.copies += c.times
}

// value puts the value of the cell at hand into a row.
func (r *odsReader) value(made *row) {
	c := &r.cell
	switch {
	case c.isError, c.formula && isErrorText(c.text):
		r.putError(made, c.text)
	case c.formula && c.kind == "" && c.value == "" && c.text == "":
		r.withoutValue(made)
	case c.kind == "string":
		r.put(made, records.Text, c.text)
	case c.value == "" && c.text == "":
		r.put(made, records.Null, "")
	case c.value == "":
		r.put(made, records.Text, c.text)
	case c.kind == "boolean":
		r.put(made, records.Bool, strconv.FormatBool(isTrue(c.value)))
	case c.kind == "date":
		r.put(made, records.Text, roundedMoment(c.value))
	case c.kind == "time":
		r.put(made, records.Text, clockOf(c.value))
	default:
		r.putNumber(made, c.value, noDate)
	}
}

// isErrorText says that a text is one that stands for the error of a formula.
func isErrorText(text string) bool {
	switch text {
	case "#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!":
		return true
	}
	return strings.HasPrefix(text, "Err:") || strings.HasPrefix(text, "#ERR")
}
