package dump

import "laundromat/records"

// htmlTable writes a page with one table that a browser shows. Attributes say what the text of a cell can't, so that
// the records are read back as they were:
//
//	data-kind   what is no text: number, boolean, null, or absent
//	data-json   a list, an object, or a text with white space that a page does not keep, as JSON
type htmlTable struct {
	to      *target
	was     *originals
	columns []*column
	line    []byte
}

// htmlHead begins a page. The mark of the table says that its cells have our attributes.
const htmlHead = `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>`

const htmlStyle = `</title>
<style>
body { font: 15px/1.4 system-ui, sans-serif; margin: 1rem; }
table { border-collapse: collapse; }
th, td { border: 1px solid #8886; padding: .25em .6em; text-align: left; vertical-align: top; white-space: pre-wrap; }
th { position: sticky; top: 0; background: Canvas; }
td[data-kind="number"] { text-align: right; font-variant-numeric: tabular-nums; }
td[data-kind="absent"], td[data-kind="null"] { background: #8881; }
</style>
</head>
<body>
<table data-laundromat="records">
`

func openHTML(o *output, t *table) (rowWriter, error) {
	w := &htmlTable{to: o.target, was: o.was, columns: t.columns}
	b := appendMarkupText([]byte(htmlHead), t.name)
	b = append(b, htmlStyle...)
	if len(w.columns) > 0 {
		b = append(b, "<thead><tr>"...)
		for _, c := range w.columns {
			b = append(appendCell(append(b, "<th"...), &cell{text, c.name}), "</th>"...)
		}
		b = append(b, "</tr></thead>\n<tbody>\n"...)
	}
	_, err := w.to.Write(b)
	return w, err
}

func (w *htmlTable) row(r *row) error {
	if err := w.was.keep(r); err != nil {
		return err
	}
	b := append(w.line[:0], "<tr>"...)
	for i := range w.columns {
		var c cell
		if i < len(r.cells) {
			c = r.cells[i]
		}
		b = append(appendCell(append(b, "<td"...), &c), "</td>"...)
	}
	w.line = append(b, "</tr>\n"...)
	_, err := w.to.Write(w.line)
	return err
}

// cellMarks are the kinds of cells that are told by data-kind.
var cellMarks = [...]string{absent: "absent", null: "null", number: "number", boolean: "boolean", object: ""}

// appendCell appends the rest of the start tag of a cell, and its text.
func appendCell(b []byte, c *cell) []byte {
	if mark := cellMarks[c.kind]; mark != "" {
		b = append(append(append(b, ` data-kind="`...), mark...), '"')
	}
	switch {
	case c.kind >= list:
		b = appendAttribute(b, "data-json", string(records.AppendPrintable(nil, c.text)))
	case c.kind == text && !isKeptInMarkup(c.text):
		b = appendJSONAttribute(b, "data-json", c.text)
	}
	return appendMarkupText(append(b, '>'), c.text)
}

func (w *htmlTable) close() error {
	end := "</table>\n</body>\n</html>\n"
	if len(w.columns) > 0 {
		end = "</tbody>\n" + end
	}
	_, err := w.to.WriteString(end)
	return err
}
