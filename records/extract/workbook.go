package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
	"laundromat/records"
	"laundromat/records/spec"
)

const defaultMemory = 256 << 20

// workbook is what reading one has in common, whatever its format.
type workbook struct {
	ctx      context.Context
	to       records.Sink
	source   *Source
	document string
	several  bool // it has more than one sheet, so that they are named
	date1904 bool
	maxRow   int
	names    []string // and numbers of the sheets, where some were asked for
}

// sheet is one of a workbook.
type sheet struct {
	name, file string
	hidden     bool
}

func newWorkbook(ctx context.Context, doc *Document, opt *Options, to records.Sink) *workbook {
	w := &workbook{ctx: ctx, to: to, source: opt.source(), document: doc.Name, maxRow: opt.MaxRow}
	if w.maxRow <= 0 {
		w.maxRow = 16 << 20
	}
	return w
}

// memory is how many bytes may be held.
func (o *Options) memory() int64 {
	if o.MaxMemory > 0 {
		return o.MaxMemory
	}
	return defaultMemory
}

// hold reads the text of a document into memory.
func (d *Document) hold(memory int64) ([]byte, error) {
	if d.Text == nil {
		d.Text = io.NewSectionReader(d.Raw, 0, d.Size)
	}
	held, err := io.ReadAll(io.LimitReader(d.Text, memory+1))
	if err == nil && int64(len(held)) > memory {
		err = fault.New("extract.Read", fault.Limit, fault.LimitMemory, "the workbook needs more than %d bytes of memory", memory)
	}
	return held, err
}

// wants says whether the i-th sheet, from 0, is read. A hidden one that nobody asked for is told.
func (w *workbook) wants(i int, s sheet) bool {
	if tables := w.source.Tables; len(tables) > 0 {
		w.names = append(w.names, s.name, strconv.Itoa(i+1))
		return slices.Contains(tables, s.name) || slices.Contains(tables, strconv.Itoa(i+1))
	}
	if s.hidden && !w.source.Hidden {
		w.to.Notice(fault.Notice{Code: fault.TableSheetHidden, Severity: fault.Warning,
			Message: fmt.Sprintf("the sheet %q is hidden and is not read", s.name)})
		return false
	}
	return true
}

// tellMissing tells of sheets that were asked for and are not there.
func (w *workbook) tellMissing() {
	for _, name := range w.source.Tables {
		if !slices.Contains(w.names, name) {
			w.to.Notice(fault.Notice{Code: fault.TableSheet, Severity: fault.Drop, Lost: 1,
				Message: fmt.Sprintf("the workbook has no sheet %q, which is asked for%s", name, spec.Meant(name, w.names...))})
		}
	}
}

// sheetRows gives the rows of a sheet that hold something, and one for all blank rows between two of them. A format
// of workbooks fills them, cell by cell.
type sheetRows struct {
	*workbook
	d      *xmltext.Reader
	read   func() (*row, error) // the next row that holds something; nil at the end
	name   string
	line   int // of the row at hand
	column int // of the cell at hand
	last   int // the last row that was given
	held   *row
	empty  int // so many cells and rows without a value stand one behind the other
	merged int
	first  string // the first range of merged cells
	ended  bool   // the sheet
	gone   bool   // what it is read from
	size   int    // of the row at hand, in bytes

	// Of a document that has all sheets:
	number int // how many there were so far
	depth  int // how many elements are open in the one at hand, it included
}

const (
	// maxEmpty is how many cells and rows without a value may stand one behind the other.
	maxEmpty = 2_000_000
	// maxColumns is how many columns a sheet has in Excel.
	maxColumns = 16_384
)

// run reads a sheet as a table, or as several.
func (s *sheetRows) run() error {
	t := &table{ctx: s.ctx, to: s.to, source: s.source, document: s.document}
	if s.several {
		t.sheet = s.name
	}
	if err := runGrid(t, s.next); err != nil {
		return err
	}
	if s.merged > 0 {
		s.to.Notice(fault.Notice{Code: fault.TableMerged, Severity: fault.Warning, Message: fmt.Sprintf(
			"the sheet %q has %s of merged cells, as %s; the value is in the first cell of each", s.name, plural(s.merged, "range"),
			s.first)})
	}
	return nil
}

// sheetOf reads the sheet whose start tag was read, in a document that has all sheets.
func (s *sheetRows) sheetOf(of sheet) error {
	s.number++
	s.depth = s.d.Depth()
	if !s.wants(s.number-1, of) {
		s.skip()
		return nil
	}
	s.reset(of.name)
	if err := s.run(); err != nil {
		return err
	}
	s.resume()
	for s.d.Depth() >= s.depth && s.token() != xmltext.End {
	}
	return nil
}

// rowIn is the next row of such a sheet that holds something, or nil at the end. It stands in an element called name;
// elements of which isAround is true may stand around rows.
func (s *sheetRows) rowIn(name string, isAround func(local string) bool, cells func() *row) (*row, error) {
	for {
		switch s.token() {
		case xmltext.End:
			return nil, nil
		case xmltext.EndTag:
			if s.d.Depth() < s.depth {
				return nil, nil
			}
		case xmltext.StartTag:
			switch local := string(s.d.Local()); {
			case local == name:
				if made := cells(); made != nil {
					return made, nil
				}
			case !isAround(local):
				s.skip()
			}
		}
	}
}

// next is the next row; nil at the end.
func (s *sheetRows) next() (*row, error) {
	if r := s.held; r != nil {
		s.held = nil
		return r, nil
	}
	if s.ended {
		return nil, nil
	}
	r, err := s.read()
	if err != nil || r == nil {
		s.ended = true
		return nil, errors.Join(err, s.ctx.Err())
	}
	from, line := s.last+1, int(r.pos.Line)
	s.last = line
	if from == 1 || line == from {
		return r, nil
	}
	s.held = r
	at := cellPlace(from, 1)
	return &row{texts: []string{""}, kinds: []records.Kind{records.Null}, offs: []int32{0}, pos: at, places: []fault.Pos{at},
		more: line - from - 1}, nil
}

// Notice hears what the reader of XML finds. Its place is that of the cell at hand; the row tells what is lost.
func (s *sheetRows) Notice(n fault.Notice) {
	n.Pos, n.Lost = cellPlace(max(s.line, 1), max(s.column, 1)), 0
	if n.Severity == fault.Drop {
		n.Severity = fault.Warning
	}
	s.to.Notice(n)
}

// token is the next token of the sheet. Where it is damaged it ends, which is told: what stood before is kept.
func (s *sheetRows) token() xmltext.Kind {
	if s.ended || s.gone {
		return xmltext.End
	}
	kind, err := s.d.Next(s.ctx)
	switch {
	case s.ctx.Err() != nil:
		s.gone = true
		return xmltext.End
	case isChecksum(err):
		s.to.Notice(checksumNotice(s.name))
		s.gone = true
		return xmltext.End
	case err != nil:
		s.breaks(err.Error())
		return xmltext.End
	case kind == xmltext.EndTag && s.d.AtEnd(), kind == xmltext.End && s.d.Cut().Inside != "":
		s.breaks("it breaks off")
		return xmltext.End
	}
	s.gone = kind == xmltext.End
	return kind
}

// reset begins another sheet of the same document.
func (s *sheetRows) reset(name string) {
	*s = sheetRows{workbook: s.workbook, d: s.d, read: s.read, name: name, gone: s.gone, number: s.number, depth: s.depth}
}

// resume goes on behind a sheet.
func (s *sheetRows) resume() { s.ended = false }

// breaks tells that a sheet is damaged from here on.
func (s *sheetRows) breaks(why string) {
	s.gone = true
	s.to.Notice(fault.Notice{Code: fault.TableSheet, Severity: fault.Drop, Lost: 1, Pos: cellPlace(s.line+1, 1),
		Message: fmt.Sprintf("the sheet %q is damaged after this row: %s", s.name, why)})
}

// skip passes over the element whose start tag was read.
func (s *sheetRows) skip() { skipElement(s.token) }

// skipElement passes over the element whose start tag was read, with all in it.
func skipElement(token func() xmltext.Kind) {
	for depth := 1; depth > 0; {
		switch token() {
		case xmltext.StartTag:
			depth++
		case xmltext.EndTag:
			depth--
		case xmltext.End:
			return
		}
	}
}

// begin begins a row.
func (s *sheetRows) begin() *row {
	s.column, s.size = 0, 0
	return &row{pos: cellPlace(s.line, 1)}
}

// tell adds a finding about the cell at hand.
func (s *sheetRows) tell(r *row, code fault.Code, message string) {
	r.faults = append(r.faults, rowFault{fault.Notice{Code: code, Severity: fault.Warning, Pos: cellPlace(s.line, s.column),
		Message: message}, s.column - 1})
}

// put puts the value of the cell at hand into a row.
func (s *sheetRows) put(r *row, kind records.Kind, text string) {
	if kind == records.Null {
		s.count()
		return
	}
	if s.column > maxColumns {
		r.faults = append(r.faults,
			rowFault{fault.Notice{Code: fault.TableCell, Severity: fault.Drop, Lost: 1, Pos: cellPlace(s.line, s.column),
				Excerpt: fault.Excerpt([]byte(text)), Message: fmt.Sprintf("the cell is beyond column %d; it is left out", maxColumns)},
				-1})
		return
	}
	if s.size += len(text); s.size > s.maxRow {
		r.lost = true
		return
	}
	for len(r.texts) < s.column {
		r.texts, r.kinds = append(r.texts, ""), append(r.kinds, records.Null)
		r.places = append(r.places, cellPlace(s.line, len(r.places)+1))
		r.offs = append(r.offs, 0)
	}
	r.texts[s.column-1], r.kinds[s.column-1] = text, kind
}

// finish is the row if it holds something, else nil: what was found is told then.
func (s *sheetRows) finish(r *row) *row {
	if r.lost {
		r.texts, r.kinds, r.places, r.offs = []string{""}, []records.Kind{records.Null}, []fault.Pos{r.pos}, []int32{0}
		r.faults = []rowFault{{fault.Notice{Code: fault.LimitRow, Severity: fault.Drop, Lost: 1, Bytes: int64(s.size), Pos: r.pos,
			Message: fmt.Sprintf("the row is longer than %d bytes", s.maxRow)}, -1}}
	}
	if len(r.texts) > 0 {
		s.empty = 0
		return r
	}
	for i := range r.faults {
		s.to.Notice(r.faults[i].Notice)
	}
	s.count()
	return nil
}

// count counts what has no value, and ends the sheet where there is too much of it.
func (s *sheetRows) count() {
	if s.empty++; s.empty < maxEmpty || s.ended {
		return
	}
	s.ended = true
	s.to.Notice(fault.Notice{Code: fault.LimitCells, Severity: fault.Warning, Pos: cellPlace(s.line, 1),
		Message: fmt.Sprintf("the sheet %q has %d cells and rows without a value one after the other; it is not read further", s.name,
			maxEmpty)})
}

// putNumber puts the number of the cell at hand into a row, or a date where its format is one of dates.
func (s *sheetRows) putNumber(r *row, value string, f dateFormat) {
	value = strings.TrimSpace(value)
	if value == "" {
		s.put(r, records.Null, "")
		return
	}
	if f != noDate {
		if text, ok := isoDate(value, f, s.date1904); ok {
			s.put(r, records.Text, text)
			return
		}
		s.tell(r, fault.TableCell, "the number has the format of a date and is none; it is kept as written")
	}
	kind := records.Text
	if value = shortest(value); records.IsNumber(value) {
		kind = records.Number
	}
	s.put(r, kind, value)
}

// putError puts the error of a formula into a row.
func (s *sheetRows) putError(r *row, text string) {
	s.tell(r, fault.TableCell, "the cell holds an error of a formula: "+text)
	s.put(r, records.Text, text)
}

// withoutValue tells of a formula whose value is not there.
func (s *sheetRows) withoutValue(r *row) {
	s.tell(r, fault.TableFormula, "the cell has a formula whose value was not kept; formulas are not run, so it is left out")
	s.put(r, records.Null, "")
}

// exactDigits is how many digits any double gives back as they were written.
const exactDigits = 15

// shortest is a number in the fewest digits that give the same double, which is what a sheet holds. A program may write
// seventeen digits of it: 2.2999999999999998 for 2.3. A whole number stays as it is written, and so does what is none.
func shortest(text string) string {
	digits, point, odd := 0, false, false
	for i := range len(text) {
		switch c := text[i]; {
		case '0' <= c && c <= '9':
			digits++
		case c == '.':
			point = true
		case c == '+', c == 'e', c == 'E':
			odd = true
		case c != '-':
			return text
		}
	}
	if isNumber := records.IsNumber(text); isNumber && !odd && (!point || digits <= exactDigits && text[len(text)-1] != '0') {
		return text
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	form := byte('f')
	if n != 0 && (n < 1e-6 && n > -1e-6 || n >= 1e21 || n <= -1e21) {
		form = 'e'
	}
	return strconv.FormatFloat(n, form, -1, 64)
}

// attribute is an attribute of the start tag that was read, whatever its prefix.
func attribute(d *xmltext.Reader, local string) string { return string(attributeBytes(d, local)) }

// attributeBytes is as attribute, and valid until the next token.
func attributeBytes(d *xmltext.Reader, local string) []byte {
	for i := range d.Attrs() {
		if a := &d.Attrs()[i]; string(a.Local) == local && !isExtension(a.Prefix) {
			return a.Value
		}
	}
	return nil
}

// isExtension says that a prefix is one that LibreOffice writes attributes of its own with, beside the standard's.
func isExtension(prefix []byte) bool {
	return string(prefix) == "calcext" || string(prefix) == "loext"
}

// isTrue says that a value is one for true, as XML Schema has it.
func isTrue(value string) bool { return value == "1" || strings.EqualFold(value, "true") }

// rangeName names a range of cells, as A1:C2.
func rangeName(line, column, rows, columns int) string {
	return cellName(line, column) + ":" + cellName(line+rows-1, column+columns-1)
}

func cellName(line, column int) string {
	var letters []byte
	for ; column > 0; column = (column - 1) / 26 {
		letters = append(letters, byte('A'+(column-1)%26))
	}
	slices.Reverse(letters)
	return string(letters) + strconv.Itoa(line)
}

// merges counts a range of merged cells that begins with the cell at hand.
func (s *sheetRows) merges(rows, columns int) {
	if rows <= 1 && columns <= 1 {
		return
	}
	if s.merged++; s.merged == 1 {
		s.first = rangeName(s.line, s.column, max(rows, 1), max(columns, 1))
	}
}

// severalOf says that a document in XML has more than one element of a name. It looks no further than it must.
func severalOf(text io.Reader, local string) bool {
	found := 0
	buf := make([]byte, 0, 64<<10)
	for {
		n, err := text.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		at := 0
		for {
			i := bytes.Index(buf[at:], []byte(local))
			if i < 0 || at+i+len(local) >= len(buf) {
				break
			}
			from, to := at+i, at+i+len(local)
			if at = to; isStartTag(buf, from, to) {
				if found++; found > 1 {
					return true
				}
			}
		}
		if err != nil {
			return false
		}
		keep := min(len(buf), max(len(local)+tagLead, 1))
		if at > len(buf)-keep {
			keep = len(buf) - at
		}
		copy(buf, buf[len(buf)-keep:])
		buf = buf[:keep]
	}
}

// tagLead is how much of a tag may stand before its local name.
const tagLead = 32

// isStartTag says that b[from:to] is the local name of a start tag.
func isStartTag(b []byte, from, to int) bool {
	if bytes.IndexByte([]byte(" \t\r\n>/"), b[to]) < 0 {
		return false
	}
	lead := b[max(from-tagLead, 0):from]
	open := bytes.LastIndexByte(lead, '<')
	if open < 0 {
		return false
	}
	lead = lead[open+1:]
	return len(lead) == 0 || lead[0] != '/' && bytes.IndexByte(lead, ':') == len(lead)-1
}
