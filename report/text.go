package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// colors of severities on a terminal, where color is asked for.
var colors = map[fault.Severity]string{
	fault.Note: "\x1b[36m", fault.Warning: "\x1b[33m", fault.Repair: "\x1b[35m", fault.Drop: "\x1b[31m",
}

const plainColor = "\x1b[0m"

// writeNotice writes a finding as name:line:column: severity: code: text.
func writeNotice(w io.Writer, name string, n *fault.Notice, color bool) error {
	severity := n.Severity.String()
	if color {
		severity = colors[n.Severity] + severity + plainColor
	}
	_, err := fmt.Fprintf(w, "%s: %s: %s: %s\n", placeOf(name, n.Pos), severity, n.Code, textOf(n))
	return err
}

// textOf is what a finding says: its message, and the excerpt if there is one. A finding about
// a record names its field and its element.
func textOf(n *fault.Notice) string {
	message := n.Message
	if n.Field != "" && !strings.Contains(message, n.Field) {
		message = strings.TrimSuffix("the field "+strconv.Quote(n.Field)+": "+message, ": ")
	}
	if n.Element != "" {
		message += " (in " + n.Element + ")"
	}
	switch {
	case n.Excerpt == "":
		return oneLine(message)
	case message == "":
		return n.Excerpt
	}
	return oneLine(message) + ": " + n.Excerpt
}

// placeOf is name:line:column, or the name alone for a document as a whole.
func placeOf(name string, pos fault.Pos) string {
	name = oneLine(name)
	if pos.Line == 0 {
		return name
	}
	return name + ":" + strconv.FormatInt(pos.Line, 10) + ":" + strconv.FormatInt(pos.Column, 10)
}

// oneLine makes text fit for a terminal: names of files and of entries of archives
// may hold anything.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case !unicode.IsPrint(r):
			return utf8.RuneError
		}
		return r
	}, text)
}

// WriteText writes the first samples of each code, and the verdict.
func WriteText(w io.Writer, r *Report, color bool) error {
	buffered := bufio.NewWriter(w)
	showing := Showing{Most: r.SamplesEach}
	for i := range r.Documents {
		if err := showing.Write(buffered, &r.Documents[i], color); err != nil {
			return err
		}
	}
	if err := WriteVerdict(buffered, r, color); err != nil {
		return err
	}
	return buffered.Flush()
}

// WriteFindings writes the samples of one document, and of how many more nothing is shown. Those
// of several are written by one [Showing].
func WriteFindings(w io.Writer, d *Document, color bool) error {
	all := Showing{Most: max(len(d.Samples), 1)}
	return all.Write(w, d, color)
}

// row is a line of the verdict's table.
type row struct {
	Finding
	place string
}

// WriteErrors writes a line for each document that ended in an error; a document that is no RDF,
// among others that are, is none.
func WriteErrors(w io.Writer, r *Report, color bool) error {
	_, err := io.WriteString(w, r.errorLines(color, false))
	return err
}

// errorLines are a line for each document that ended in an error, those that are
// only noted too if notes is set.
func (r *Report) errorLines(color, notes bool) string {
	var b strings.Builder
	line := func(err *DocumentError, name, message string) {
		word, escape := "error", colors[fault.Drop]
		if err.isNotRDF() && !r.nothingWasRDF() {
			if !notes {
				return
			}
			word, escape = "note", colors[fault.Note]
		}
		if color {
			word = escape + word + plainColor
		}
		fmt.Fprintf(&b, "%s: %s: %s: %s\n", oneLine(name), word, err.Code, oneLine(message))
	}
	shown, others := r.endings()
	for _, e := range shown {
		line(e.err, e.name, e.err.Message)
	}
	for _, e := range others {
		line(e.shown[0].err, fmt.Sprintf("%d more documents", e.others), "the same, not shown one by one")
	}
	return b.String()
}

// WriteVerdict writes what ended in an error, a table of the findings of all documents, the worst first, and, where
// several documents have any, a table of the worst of these. The sources of pages in HTML follow, and one line of sums.
func WriteVerdict(w io.Writer, r *Report, color bool) error {
	var b strings.Builder
	b.WriteString(r.errorLines(color, true))
	rows := r.rows()
	if len(rows) > 0 {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		code, count := len("code"), len("count")
		for _, row := range rows {
			code = max(code, len(row.Code))
			count = max(count, len(strconv.FormatInt(row.Count, 10)))
		}
		fmt.Fprintf(&b, "%-*s  %-8s  %*s  first place\n", code, "code", "severity", count, "count")
		for _, row := range rows {
			severity := fmt.Sprintf("%-8s", row.Severity)
			if color {
				severity = colors[row.Severity] + severity + plainColor
			}
			fmt.Fprintf(&b, "%-*s  %s  %*d  %s\n", code, row.Code, severity, count, row.Count, row.place)
		}
		b.WriteByte('\n')
	}
	worst := r.worstOf()
	if len(rows) == 0 && worst.faulty > 1 && b.Len() > 0 {
		b.WriteByte('\n')
	}
	worst.writeTo(&b)
	if len(r.Sources) > 0 {
		fmt.Fprintf(&b, "read from pages: %s\n", r.Sources)
	}
	n, documents := r.Total(), "documents"
	if n == 1 {
		documents = "document"
	}
	fmt.Fprintf(&b, "%d %s: %s\n", n, documents, r.sums())
	_, err := io.WriteString(w, b.String())
	return err
}

// table joins the findings of documents.
type table struct {
	rows  []row
	index map[finding]int
}

func (t *table) add(d *Document) {
	if t.index == nil {
		t.index = map[finding]int{}
	}
	for _, f := range d.Findings {
		key := finding{f.Code, f.Severity}
		at, known := t.index[key]
		if !known {
			at = len(t.rows)
			t.index[key] = at
			t.rows = append(t.rows, row{Finding{Code: f.Code, Severity: f.Severity}, placeOf(d.Name, f.First)})
		}
		t.rows[at].Count += f.Count
	}
}

// rows are the findings of all documents, the worst first.
func (r *Report) rows() []row {
	t := table{rows: slices.Clone(r.counted.table.rows), index: maps.Clone(r.counted.table.index)}
	for i := range r.Documents {
		t.add(&r.Documents[i])
	}
	slices.SortStableFunc(t.rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Count, a.Count), strings.Compare(string(a.Code), string(b.Code)))
	})
	return t.rows
}
