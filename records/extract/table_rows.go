package extract

import (
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/fault"
)

// handle decides what a row is that differs from what is expected.
func (t *table) handle(r *row) error {
	switch {
	case r.lost:
		t.faults(r)
		return nil
	case r.comment:
		t.passed(r, fault.TableComment, "")
		return nil
	case r.blank:
		return t.handleBlank(r)
	case len(t.labels) == 0: // the document has but blank rows
		return nil
	}
	gap := t.gap
	t.gap = false
	if t.isHeader(r) {
		t.passed(r, fault.TableHeaderAgain, "the header is repeated; it is passed over")
		return nil
	}
	kind, err := t.judge(r, gap)
	if err != nil {
		return err
	}
	switch kind {
	case isFooter:
		t.passed(r, fault.TableFooter, "a remark follows below the table; it is passed over")
		return nil
	case isAnother:
		return t.restart(r)
	}
	return t.fit(r)
}

// handleBlank reports a run of blank rows, once.
func (t *table) handleBlank(r *row) error {
	t.faults(r)
	at, count := r.pos, 1
	for {
		next, err := t.rows.peek(0)
		if err != nil {
			return err
		}
		if next == nil || !next.blank {
			break
		}
		if _, err := t.rows.take(); err != nil {
			return err
		}
		count++
	}
	t.gap = true
	t.notice(fault.Notice{Code: fault.TableBlankRow, Severity: fault.Note, Pos: at,
		Message: fmt.Sprintf("%s without a value; no record is made of that", plural(count, "row"))})
	return nil
}

// isHeader says that a row is one of the header's again.
func (t *table) isHeader(r *row) bool {
	for _, h := range t.header {
		texts := r.texts
		if t.layout.trailing && len(texts) == len(h)+1 {
			texts = texts[:len(h)]
		}
		if slices.Equal(texts, h) {
			return true
		}
	}
	return false
}

// rowKind is what a row turns out to be.
type rowKind uint8

const (
	isRecord rowKind = iota
	isFooter
	isAnother // another table begins with it
)

// judge distinguishes a record from a remark and from the beginning of another table.
func (t *table) judge(r *row, gap bool) (rowKind, error) {
	n, width := len(r.texts), len(t.labels)
	if t.layout.trailing && n == width+1 && r.texts[n-1] == "" {
		n--
	}
	if n == width && !gap && !isTitle(r, width) || t.grid && n < width && n > 1 && !gap {
		return isRecord, nil
	}
	rows, err := t.ahead(layoutRows, layoutBytes/4)
	if err != nil {
		return isRecord, err
	}
	all := append([]*row{r}, rows...)
	switch {
	case isRemark(r) && width > 1:
		// Remarks end a table, or a title begins another.
		k := 0
		for k < len(all) && (all[k].blank || all[k].comment || isRemark(all[k])) {
			k++
		}
		if k == len(all) {
			return isFooter, nil
		}
		if next := all[k:]; t.isHeader(next[0]) || t.beginsTable(next, true) {
			return isAnother, nil
		}
		if n == 1 {
			return isFooter, nil
		}
	case n > 1 && t.beginsTable(all, gap):
		return isAnother, nil
	}
	return isRecord, nil
}

// isRemark says that a row is words in its first cell alone: a title, a source, a footnote.
func isRemark(r *row) bool {
	first := strings.TrimSpace(r.texts[0])
	for _, text := range r.texts[1:] {
		if strings.TrimSpace(text) != "" {
			return false
		}
	}
	if kindOf(first) != plainText && kindOf(first) != address {
		return false
	}
	return strings.ContainsAny(first, " :*©\u00a0") || len(r.texts) == 1 && strings.HasPrefix(first, "Table")
}

// beginsTable says that another table begins with the first of these rows. They have another
// number of cells, or after blank rows a header of their own.
func (t *table) beginsTable(rows []*row, gap bool) bool {
	n, width := len(rows[0].texts), len(t.labels)
	if t.layout.trailing {
		width++
	}
	if n < 2 {
		return false
	}
	alike := 1
	for alike < len(rows) && alike < 4 && len(rows[alike].texts) == n && !rows[alike].blank {
		alike++
	}
	if n == width && !gap || n != width && alike < 2 || n != width && !gap && alike < 3 {
		return false
	}
	if slices.Contains(rows[0].texts, "") || len(rows) < 2 {
		return false
	}
	to := 1
	for to < len(rows) && !rows[to].blank {
		to++
	}
	count, sure, _ := findHeader(filled(rows[:to]))
	if n == width || !gap || t.grid {
		return count > 0 && sure
	}
	return count > 0 || alike > 2
}

// restart begins another table with a row that was taken already.
func (t *table) restart(r *row) error {
	if back, ok := t.rows.(*putBack); ok {
		back.row = copyRow(r)
	} else {
		t.rows = &putBack{rowSource: t.rows, row: copyRow(r)}
	}
	return t.begin()
}

// fit makes a record of a row that has not as many cells as there are labels.
func (t *table) fit(r *row) error {
	n, width := len(r.texts), len(t.labels)
	switch {
	case n > width:
		if !t.cut(r) {
			return nil
		}
		n = width
	case n < width && !t.grid:
		t.faults(r)
		t.notice(fault.Notice{Code: fault.TableRowShort, Severity: fault.Warning, Pos: r.pos, Field: t.labels[n],
			Excerpt: fault.Excerpt([]byte(r.raw)),
			Message: fmt.Sprintf("the row has %s of %d; the others are absent", plural(n, "field"), width)})
		return t.emit(r, n)
	}
	t.faults(r)
	if isTotal(r.texts[0]) {
		next, err := t.rows.peek(0)
		if err != nil {
			return err
		}
		if next == nil || next.blank || len(next.texts) != len(r.texts) {
			t.notice(fault.Notice{Code: fault.TableTotal, Severity: fault.Warning, Pos: r.pos, Excerpt: fault.Excerpt([]byte(r.raw)),
				Message: "the last row looks like a total of the others; it is kept as a record"})
		}
	}
	return t.emit(r, n)
}

// cut takes away fields beyond the labels, if they are empty. If they hold something, it can't be known
// which field has a delimiter too many: the row is lost.
func (t *table) cut(r *row) bool {
	n, width := len(r.texts), len(t.labels)
	for i := width; i < n; i++ {
		if strings.TrimSpace(r.texts[i]) == "" {
			continue
		}
		for _, f := range r.faults {
			if f.Severity != fault.Drop {
				f.Lost = 0
				t.notice(f.Notice)
			}
		}
		t.notice(fault.Notice{Code: fault.TableRowLong, Severity: fault.Drop, Lost: 1, Pos: r.place(width),
			Bytes: int64(len(r.raw)), Excerpt: fault.Excerpt([]byte(r.raw)),
			Message: fmt.Sprintf("the row has %s where the table has %d; which is too many can't be known", plural(n, "field"), width)})
		return false
	}
	if t.layout.trailing && n == width+1 {
		return true
	}
	r.repaired = true
	t.notice(fault.Notice{Code: fault.TableSurplus, Severity: fault.Repair, Pos: r.place(width), Excerpt: fault.Excerpt([]byte(r.raw)),
		Message: fmt.Sprintf("the row has %s where the table has %d; those beyond are empty and left out", plural(n, "field"), width)})
	return true
}

// isTotal says that a cell is a word for the sum of the rows above.
func isTotal(text string) bool {
	if len(text) < 3 || len(text) > 16 {
		return false
	}
	switch text[0] | 0x20 {
	case 't', 's', 'g', 'i', 0xD0 | 0x20, 0xE5 | 0x20:
	default:
		return false
	}
	switch strings.ToLower(strings.Trim(text, " :*")) {
	case "total", "totals", "grand total", "sum", "summe", "gesamt", "insgesamt", "somme", "suma", "totaal", "totale", "subtotal",
		"итого", "всего", "合計", "总计":
		return true
	}
	return false
}

// putBack is a source of rows with one put back before the others.
type putBack struct {
	rowSource
	row *row
}

func (p *putBack) take() (*row, error) {
	if r := p.row; r != nil {
		p.row = nil
		return r, nil
	}
	return p.rowSource.take()
}

func (p *putBack) peek(n int) (*row, error) {
	if p.row == nil {
		return p.rowSource.peek(n)
	}
	if n == 0 {
		return p.row, nil
	}
	return p.rowSource.peek(n - 1)
}

func copyRow(r *row) *row {
	c := *r
	c.texts, c.offs, c.faults, c.places = slices.Clone(r.texts), slices.Clone(r.offs), slices.Clone(r.faults), slices.Clone(r.places)
	return &c
}
