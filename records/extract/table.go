package extract

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/records"
)

// rowSource gives the rows of a document, and lets a table look at those ahead.
type rowSource interface {
	take() (*row, error)
	peek(n int) (*row, error)
	within(r *row, bytes int) bool
	setWidth(want int)
}

// table makes records of rows: it finds headers, passes over what is no record, and tells what
// is wrong. After a table another may follow.
type table struct {
	ctx    context.Context
	rows   rowSource
	to     records.Sink
	source *Source

	document  string
	sheet     string // the name of the sheet or table, where the source gives one
	several   bool   // the document is known to have several tables
	delimiter byte   // of a text; 0: there is none
	grid      bool   // the rows are those of a sheet or page: cells at their ends may be missing

	layout layout
	labels []string
	beyond []string    // made-up labels of fields beyond those
	wanted int         // how many cells a sound row has
	grown  int         // so many cells rows have since the table grew; 0: it didn't
	raw    []string    // the labels as they are written, joined
	places []fault.Pos // of the labels
	header [][]string  // the rows of the header as they stand
	name   string
	number int       // of the table, from 1
	count  int64     // records of the table
	since  int64     // records since the header, or since it was repeated
	over   int64     // rows that were passed over
	begun  fault.Pos // where a table began that was not the first
	gap    bool      // blank rows stood before the next row
	ragged bool      // of a grid: a row has no value in the last column
	fields []records.Field
	record records.Record
}

// The first rows of a table decide its layout: so many, within so many bytes.
const (
	layoutRows  = 200
	layoutBytes = 256 << 10
)

// run reads all tables of the source.
func (t *table) run() error {
	if err := t.begin(); err != nil {
		return err
	}
	for n := 0; ; n++ {
		if n&1023 == 0 {
			if err := t.ctx.Err(); err != nil {
				return err
			}
		}
		r, err := t.rows.take()
		if err != nil || r == nil {
			return err
		}
		// Most rows have what a row should, and are no header.
		if len(r.texts) == len(t.labels) && !r.blank && !r.lost && !r.comment && len(r.faults) == 0 && !t.gap &&
			r.pos != t.layout.next && (len(t.header) == 0 || r.texts[0] != t.header[0][0]) && !isTotal(r.texts[0]) {
			err = t.emit(r, len(r.texts))
		} else {
			err = t.handle(r)
		}
		if err != nil {
			return err
		}
	}
}

// ahead are the rows that follow, as many as may be looked at.
func (t *table) ahead(most, bytes int) (rows []*row, err error) {
	for n := range most {
		r, err := t.rows.peek(n)
		if err != nil {
			return nil, err
		}
		if r == nil || n > 0 && !t.rows.within(r, bytes) {
			break
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// begin finds the layout of the table that begins here, and takes its preamble and header.
func (t *table) begin() error {
	t.number++
	t.gap, t.ragged, t.count, t.since, t.over, t.grown, t.beyond = false, false, 0, 0, 0, 0, nil
	t.rows.setWidth(0)
	rows, err := t.ahead(layoutRows, layoutBytes)
	if err != nil {
		return err
	}
	width := tableWidth(rows)
	t.rows.setWidth(width)
	if rows, err = t.ahead(layoutRows, layoutBytes); err != nil {
		return err
	}
	t.layout = layoutOf(rows, t.source, t.grid)
	l := &t.layout
	title := ""
	for range l.preamble {
		r, err := t.rows.take()
		if err != nil || r == nil {
			return err
		}
		t.passed(r, fault.TablePreamble, "the row is before the header; it is passed over")
		if text := firstText(r); text != "" && !r.comment && !r.blank {
			title = text
		}
	}
	t.name = t.sheet
	if t.number > 1 || t.several {
		switch {
		case title != "" && len(title) <= 100 && t.sheet == "":
			t.name = title
		case t.sheet == "":
			t.name = fmt.Sprintf("table_%d", t.number)
		case t.number > 1:
			t.name = fmt.Sprintf("%s_%d", t.sheet, t.number)
		}
	}
	if err := t.takeHeader(); err != nil {
		return err
	}
	want := len(t.labels)
	t.want(want + l.trailing)
	return nil
}

// takeHeader takes the rows of the header, and makes the labels.
func (t *table) takeHeader() error {
	l := &t.layout
	t.header = t.header[:0]
	var at fault.Pos
	var places [][]fault.Pos
	for n := 0; ; {
		r, err := t.rows.peek(0)
		if err != nil {
			return err
		}
		if r == nil || n == l.header && (n == 0 || !r.isDivider()) {
			break
		}
		if r, err = t.rows.take(); err != nil {
			return err
		}
		if r.comment || r.isDivider() {
			t.passed(r, fault.TableComment, "")
			continue
		}
		t.faults(r)
		if r.blank || r.lost {
			continue
		}
		if n == 0 {
			at = r.pos
		}
		r.locate()
		row, where := make([]string, len(r.texts)), make([]fault.Pos, len(r.texts))
		for i := range r.texts {
			row[i], where[i] = r.texts[i], r.place(i)
		}
		if l.gaps {
			row, where = t.leaveOutBlanks(row, where)
		}
		t.header, places = append(t.header, row), append(places, where)
		n++
	}
	if len(t.header) == 0 && l.width == 0 {
		t.labels = nil
		return nil
	}
	message := fmt.Sprintf("the table has no header: %s; its fields are column_1 to column_%d", l.why, l.width)
	if len(t.header) > 0 {
		message = fmt.Sprintf("the header has %s: %s", plural(len(t.header), "row"), l.why)
	}
	t.notice(fault.Notice{Code: fault.TableHeader, Severity: fault.Note, Pos: at, Message: message})
	t.makeLabels(places)
	if l.trailing > 0 {
		message := "every row ends in a delimiter; no field follows it"
		if l.trailing > 1 {
			message = fmt.Sprintf("every row ends in %d delimiters; no field follows them", l.trailing)
		}
		t.notice(fault.Notice{Code: fault.TableTrailing, Severity: fault.Note, Pos: at, Message: message})
	}
	t.tellHeader(places)
	if cap(t.fields) < len(t.labels) {
		t.fields = make([]records.Field, len(t.labels))
	}
	return nil
}

// leaveOutBlanks leaves out the blank labels of a header: the rows have no fields for them.
func (t *table) leaveOutBlanks(row []string, places []fault.Pos) (labels []string, where []fault.Pos) {
	for i, text := range row {
		if !isBlankText(text) {
			labels, where = append(labels, text), append(where, places[i])
			continue
		}
		t.notice(fault.Notice{Code: fault.TableSurplus, Severity: fault.Repair, Pos: places[i],
			Message: fmt.Sprintf("label %d is blank, and the rows have a field less than the header; it is left out", i+1)})
	}
	return labels, where
}

// tellHeader gives the header to a sink that wants it.
func (t *table) tellHeader(places [][]fault.Pos) {
	to, ok := t.to.(records.HeaderSink)
	if !ok || len(t.header) == 0 {
		return
	}
	to.Header(&records.Header{Labels: t.raw, Names: t.labels, Places: t.places, Pos: places[0][0], Document: t.document, Table: t.name})
}

func plural(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

func firstText(r *row) string {
	for _, text := range r.texts {
		if text = strings.TrimSpace(text); text != "" {
			return text
		}
	}
	return ""
}

// maxPassed is how many rows of a table may be passed over as what is around it, where it has no more records.
const maxPassed = 3

// passed tells of a row that is no record. Blank rows are reported where a table has them. Rows beyond maxPassed
// and beyond the number of records are lost: a reading that explains away most of a table is doubtful.
func (t *table) passed(r *row, code fault.Code, message string) {
	t.faults(r)
	if r.lost || r.blank {
		return
	}
	n := fault.Notice{Code: code, Severity: fault.Note, Pos: r.pos, Message: message, Excerpt: fault.Excerpt([]byte(r.raw))}
	if r.isDivider() {
		n.Code, n.Message = fault.TableComment, "the line is one of dashes; it is passed over"
	} else if r.comment {
		n.Code, n.Message = fault.TableComment, "the line is a comment; it is passed over"
	} else if t.over++; t.over > maxPassed && t.over > max(t.count, int64(t.layout.records)) {
		n.Severity, n.Lost, n.Bytes = fault.Drop, 1, int64(len(r.raw))
		n.Message = strings.TrimSuffix(message, "; it is passed over") + "; more such rows than records were passed over, so it counts " +
			"as lost"
	}
	t.notice(n)
}

// faults tells the findings about a row, with the labels of their fields.
func (t *table) faults(r *row) {
	for _, f := range r.faults {
		if f.cell >= 0 && f.cell < len(t.labels) {
			f.Field = t.labels[f.cell]
		}
		t.notice(f.Notice)
	}
}

func (t *table) notice(n fault.Notice) { t.to.Notice(n) }

// emit passes a row on as a record of its first n cells.
func (t *table) emit(r *row, n int) error {
	if t.grid {
		return t.emitCells(r, n)
	}
	labels := t.labels
	if n > len(labels) {
		t.label(n - 1)
		labels = slices.Concat(labels, t.beyond)
		t.fields = slices.Grow(t.fields[:0], n)
	}
	if t.to == (nothing{}) { // its tables are but counted
		t.count++
		t.since++
		return nil
	}
	fields := t.fields[:n]
	if r.simple {
		line, column, offset := r.pos.Line, r.pos.Column, r.pos.Offset
		for i := range fields {
			at := int64(r.offs[i])
			fields[i] = records.Field{Name: labels[i], Value: records.Value{Kind: records.Text, Text: r.texts[i]},
				Pos: fault.Pos{Line: line, Column: column + at, Offset: offset + at}}
		}
	} else {
		r.locate()
		for i := range fields {
			fields[i] = records.Field{Name: labels[i], Value: records.Value{Kind: records.Text, Text: r.texts[i]}, Pos: r.places[i]}
		}
	}
	t.count++
	t.since++
	t.record = records.Record{Fields: fields, Document: t.document, Table: t.name, Pos: r.pos, Repaired: r.repaired}
	if err := t.to.Record(&t.record); err != nil {
		return &records.SinkError{Err: err}
	}
	return nil
}
