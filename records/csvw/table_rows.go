package csvw

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"laundromat/internal/fault"
)

// Rows takes the rows of a table that was read by other means than a dialect of its metadata.
type Rows interface {
	// Header takes the titles of the columns, and the names that they have among one another.
	Header(titles, names []string)
	// Row takes a row, whose number in the document is number. An error is that of the sink.
	Row(cells []string, places []fault.Pos, number int64, pos fault.Pos) error
	// Notice takes a finding.
	Notice(fault.Notice)
}

// tableRows are the rows of a table.
type tableRows struct {
	*Converter
	w      *rowWriter
	given  *Resource
	header bool
	order  []int    // of a Data Package: the column of each cell
	labels []string // of its first text
}

// read reads rows by the dialect of the table (Model for Tabular Data, §8).
func (t *tableRows) read(ctx context.Context, text io.Reader) error {
	d := t.w.table.Dialect
	r := newRowReader(ctx, text, d, t.notice)
	var titles [][]string
	skipped, headers := 0, 0
	begun := false
	for {
		row, err := r.next()
		if err != nil {
			return err
		}
		if row == nil {
			break
		}
		if skipped < d.SkipRows {
			skipped++
			t.comment(r)
			continue
		}
		if r.isComment() {
			t.comment(r)
			continue
		}
		if row.faulty {
			t.notice(fault.Notice{Code: fault.CSVWQuotes, Severity: fault.Warning, Pos: row.pos, Excerpt: fault.Excerpt(r.line),
				Message: "the quotation marks of a cell are not in pairs around it; its text is taken as it is"})
		}
		if n := min(d.SkipColumns, len(row.cells)); n > 0 {
			row.cells, row.places = row.cells[n:], row.places[n:]
		}
		if headers < d.HeaderRowCount {
			headers++
			for i, cell := range row.cells {
				for len(titles) <= i {
					titles = append(titles, nil)
				}
				if cell = strings.TrimSpace(cell); cell != "" {
					titles[i] = append(titles[i], cell)
				}
			}
			continue
		}
		if d.SkipBlankRows && row.isBlank() {
			continue
		}
		if !begun {
			begun = true
			t.columns(titles, max(len(titles), len(row.cells)))
		}
		t.rows++
		if err := t.w.row(row); err != nil {
			return err
		}
	}
	if !begun {
		t.columns(titles, len(titles))
	}
	return nil
}

// comment makes what a comment says a statement about the table.
func (t *tableRows) comment(r *rowReader) {
	t.notice(fault.Notice{Code: fault.TableComment, Severity: fault.Note, Pos: r.row.pos, Excerpt: fault.Excerpt(r.line),
		Message: "the row is before the table, or a comment; it is passed over"})
}

// columns settles the columns of the table: those of its schema, or those of its header.
func (t *tableRows) columns(titles [][]string, n int) {
	w, schema := t.w, t.w.table.Schema
	w.sources = w.table.Dialect.SkipColumns
	described := physical(schema.Columns)
	var embedded []*Column
	for i := range n {
		c := &Column{inherited: schema.inherited}
		if i < len(titles) {
			for _, text := range titles[i] {
				c.titles = append(c.titles, title{text, "und"})
			}
		}
		c.Name = nameOf(c.titles, "", i+1)
		for j := range c.titles {
			c.titles[j].language = schema.inherited.language
		}
		embedded = append(embedded, c)
	}
	unique(embedded)
	switch {
	case described == 0 && !schema.settled:
		w.columns = append(embedded, schema.Columns...)
	case described != n && w.table.Dialect.HeaderRowCount > 0:
		t.misfit(fmt.Sprintf("the table has %d columns, and its metadata describes %d", n, described))
		w.columns = schema.Columns
		if n > described {
			var more []*Column
			for i := described; i < n; i++ {
				more = append(more, &Column{Name: "_col." + strconv.Itoa(i+1), inherited: schema.inherited})
			}
			w.columns = append(append(append([]*Column{}, schema.Columns[:described]...), more...), schema.Columns[described:]...)
		}
	default:
		w.columns = schema.Columns
		for i, c := range schema.Columns[:described] {
			switch {
			case i >= len(embedded) || len(embedded[i].titles) == 0 || len(c.titles) == 0 && !c.named:
			case len(c.titles) == 0 && c.Name == embedded[i].Name:
				t.notice(fault.Notice{Code: fault.CSVWColumns, Severity: fault.Note, Field: c.Name,
					Message: "the metadata gives the column a name and no title; its name is the title in the header"})
			case !compatible(c, embedded[i]):
				t.misfit(fmt.Sprintf("column %d has the title %q, and its metadata describes %q", i+1, titlesOf(embedded[i]), titlesOf(c)))
			}
		}
	}
	w.width = physical(w.columns)
	w.prepare()
}

func (t *tableRows) misfit(message string) {
	t.notice(fault.Notice{Code: fault.CSVWColumns, Severity: fault.Warning, Pos: fault.Pos{Line: 1, Column: 1}, Message: message})
}

func titlesOf(c *Column) string {
	if len(c.titles) == 0 {
		return c.Name
	}
	return c.titles[0].text
}

// compatible says that a described column may be that of the header (Metadata Vocabulary, §5.5.1).
func compatible(c, embedded *Column) bool {
	if len(embedded.titles) == 0 || len(c.titles) == 0 && !c.named {
		return true
	}
	if len(c.titles) == 0 {
		return c.Name == embedded.Name
	}
	for _, a := range c.titles {
		for _, b := range embedded.titles {
			if a.text == b.text && matches(a.language, b.language) {
				return true
			}
		}
	}
	return false
}

func matches(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	return a == "und" || b == "und" || a == b || strings.HasPrefix(a, b+"-") || strings.HasPrefix(b, a+"-")
}

// unique gives columns of one title names of their own.
func unique(columns []*Column) {
	seen := map[string]bool{}
	for _, c := range columns {
		name := c.Name
		for i := 2; seen[c.Name]; i++ {
			c.Name = name + "_" + strconv.Itoa(i)
		}
		seen[c.Name] = true
	}
}

// Header takes the header of a table that was read by other means.
func (t *tableRows) Header(titles, names []string) {
	if t.w.table.packaged != nil && t.packagedHeader(titles, names) {
		return
	}
	t.header = true
	t.w.columns = nil
	for i, name := range names {
		c := &Column{inherited: t.w.table.Schema.inherited, Name: encodeName(name)}
		if i < len(titles) && strings.TrimSpace(titles[i]) != "" {
			c.titles = []title{{strings.TrimSpace(titles[i]), "und"}}
		}
		t.w.columns = append(t.w.columns, c)
	}
	unique(t.w.columns)
	t.w.width = len(t.w.columns)
	t.w.prepare()
}

// Row takes a row of such a table.
func (t *tableRows) Row(cells []string, places []fault.Pos, number int64, pos fault.Pos) error {
	if !t.header {
		t.columns(nil, len(cells))
		t.header = true
	}
	t.rows++
	r := &row{cells: cells, places: places, number: number, pos: pos}
	if t.order != nil {
		r = t.inOrder(r)
	}
	return t.w.row(r)
}

// Notice takes a finding.
func (t *tableRows) Notice(n fault.Notice) { t.notice(n) }
