package dump

import (
	"strings"

	"laundromat/records"
)

// safeRule is the name of the rule by which a cell got an apostrophe.
const safeRule = "csv-safe"

// A textTable writes CSV or TSV.
type textTable struct {
	to      *target
	was     *originals
	columns []*column
	safe    bool
	cell    func(dst []byte, c *cell) []byte
	between byte
	end     string
	line    []byte
}

// openCSV writes CSV after RFC 4180: lines end in CR LF; a cell is quoted where it must be.
// Text without characters is written as "", so that it differs from what is not there.
func openCSV(o *output, t *table) (rowWriter, error) {
	return (&textTable{to: o.target, was: o.was, columns: t.columns, safe: t.safe, cell: appendCSV, between: ',', end: "\r\n"}).header()
}

// openTSV writes the form of IANA: no tab or line end is in a cell. They are written as \t,
// \n and \r, and a backslash as two.
func openTSV(o *output, t *table) (rowWriter, error) {
	return (&textTable{to: o.target, was: o.was, columns: t.columns, safe: t.safe, cell: appendTSV, between: '\t', end: "\n"}).header()
}

// header writes the names of the columns. It is row 0 for the originals.
func (w *textTable) header() (rowWriter, error) {
	if len(w.columns) == 0 {
		return w, nil
	}
	names := row{cells: make([]cell, len(w.columns))}
	for i, c := range w.columns {
		names.cells[i] = cell{text, c.name}
	}
	return w, w.row(&names)
}

func (w *textTable) row(r *row) error {
	if err := w.was.keep(r); err != nil {
		return err
	}
	b := w.line[:0]
	for i := range w.columns {
		if i > 0 {
			b = append(b, w.between)
		}
		if i >= len(r.cells) {
			continue
		}
		c := r.cells[i]
		if w.safe && c.kind == text && isFormula(c.text) {
			value := string(records.AppendJSONText(nil, c.text))
			c.text = "'" + c.text
			field := w.columns[i].name
			if r.number == 0 {
				field = c.text
			}
			if err := w.was.add(r.number, original{field: field, rule: safeRule, value: value}); err != nil {
				return err
			}
		}
		b = w.cell(b, &c)
	}
	if len(b) == 0 && len(w.columns) == 1 && w.between == ',' {
		b = append(b, '"', '"') // readers skip a line without characters
	}
	w.line = append(b, w.end...)
	_, err := w.to.Write(w.line)
	return err
}

func (w *textTable) close() error { return nil }

func appendCSV(dst []byte, c *cell) []byte {
	if c.kind == text && c.text == "" {
		return append(dst, '"', '"')
	}
	if !strings.ContainsAny(c.text, ",\"\r\n") {
		return append(dst, c.text...)
	}
	dst = append(dst, '"')
	for s := c.text; ; {
		at := strings.IndexByte(s, '"')
		if at < 0 {
			return append(append(dst, s...), '"')
		}
		dst = append(append(dst, s[:at+1]...), '"')
		s = s[at+1:]
	}
}

func appendTSV(dst []byte, c *cell) []byte {
	if !strings.ContainsAny(c.text, "\t\n\r\\") {
		return append(dst, c.text...)
	}
	for i := range len(c.text) {
		switch b := c.text[i]; b {
		case '\t':
			dst = append(dst, '\\', 't')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\\':
			dst = append(dst, '\\', '\\')
		default:
			dst = append(dst, b)
		}
	}
	return dst
}

// isFormula says that a spreadsheet may take a text for a formula. A number is none.
func isFormula(s string) bool {
	if s == "" {
		return false
	}
	switch s[0] {
	case '=', '@', '\t', '\r':
		return true
	case '+', '-':
		return !isSigned(s[1:])
	}
	return false
}

// isSigned says that what follows a sign is the rest of a number.
func isSigned(s string) bool {
	trimmed := strings.TrimLeft(s, "0")
	if trimmed == "" || trimmed[0] < '0' || '9' < trimmed[0] {
		if len(trimmed) == len(s) {
			return false
		}
		trimmed = "0" + trimmed
	}
	return records.IsNumber(trimmed)
}
