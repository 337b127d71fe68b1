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
	case len(t.labels) > 1 && len(r.texts) == 1 && r.isDivider():
		t.passed(r, fault.TableComment, "")
		return nil
	}
	gap := t.gap
	t.gap = false
	if t.isHeader(r) && t.mayRepeat(gap) {
		t.since = 0
		t.passed(r, fault.TableHeaderAgain, "the header is repeated; it is passed over")
		return nil
	}
	kind := isRecord
	if r.pos != t.begun { // a table that begins here has begun already
		var err error
		if kind, err = t.judge(r, gap); err != nil {
			return err
		}
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
	at, count := r.pos, 1+r.more
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
		count += 1 + next.more
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
		if n := t.layout.trailing; n > 0 && len(texts) == len(h)+n {
			texts = texts[:len(h)]
		}
		if slices.Equal(texts, h) {
			return true
		}
	}
	return false
}

// mayRepeat says that a row which equals the header is the header again, and not a record. Values of other kinds than
// words are in its columns, or a blank row is before it as on the next page.
func (t *table) mayRepeat(gap bool) bool {
	for i, kind := range t.layout.kinds {
		if kind > plainText && i < len(t.header[0]) && kindOf(t.header[0][i]) == plainText {
			return true
		}
	}
	return gap && t.since > 0
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
	if r.pos == t.layout.next {
		return isAnother, nil
	}
	n, width := len(r.texts), len(t.labels)
	for k := t.layout.trailing; k > 0 && n > width && r.texts[n-1] == ""; k-- {
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
		k := passRemarks(all)
		if k == len(all) {
			return isFooter, nil
		}
		if next := all[k:]; t.isHeader(next[0]) && t.mayRepeat(true) || t.beginsAnother(next, true) {
			return isAnother, nil
		}
		if n == 1 && (gap || k > 1 || !t.isBetween(r, all[k])) {
			return isFooter, nil
		}
	case t.begins(all, n, gap):
		return isAnother, nil
	}
	return isRecord, nil
}

// passRemarks counts the remarks, comments and blank rows at the beginning of these rows.
func passRemarks(rows []*row) (n int) {
	for n < len(rows) && (rows[n].blank || rows[n].comment || isRemark(rows[n])) {
		n++
	}
	return n
}

// begins says that another table begins with a row of n cells and those behind it, or with a word for its title.
func (t *table) begins(rows []*row, n int, gap bool) bool {
	return n > 1 && t.beginsAnother(rows, gap) || gap && isWord(rows[0]) && len(rows) > 1 && !rows[1].blank &&
		t.beginsAnother(rows[1:], true)
}

// beginsAnother says that another table begins with the first of these rows, in a sheet or in text. Text that is filled
// up with delimiters is as a sheet.
func (t *table) beginsAnother(rows []*row, gap bool) bool {
	width := len(t.labels) + t.layout.trailing
	if gap && (t.grid || len(rows[0].texts) == width && filledWidth(rows[0]) < width) {
		above := tableAbove{width, t.layout.kinds, t.grid && !t.ragged && t.count > 1}
		return above.beginsBelow(rows)
	}
	return t.beginsTable(rows, gap)
}

// isWord says that a row has a single word, which may be the title of a table.
func isWord(r *row) bool {
	return kindOf(r.texts[0]) == plainText && !isTotal(r.texts[0]) && filledWidth(r) == 1
}

// isBetween says that a row of one cell is rather a record that is too short: the next has as many as there are labels.
func (t *table) isBetween(r, next *row) bool {
	return len(next.texts) == len(t.labels) && !strings.HasPrefix(r.texts[0], "#")
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
	n, width := len(rows[0].texts), len(t.labels)+t.layout.trailing
	if n < 2 || filledWidth(rows[0]) < 2 {
		return false
	}
	alike := 1
	for alike < len(rows) && alike < 4 && len(rows[alike].texts) == n && !rows[alike].blank {
		alike++
	}
	if n == width && !gap || n != width && alike < 2 || n != width && !gap && alike < 3 {
		return false
	}
	if slices.Contains(rows[0].texts[:filledWidth(rows[0])], "") || len(rows) < 2 {
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
	t.begun = r.pos
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
		keep, err := t.surplus(r)
		if err != nil || keep == 0 {
			return err
		}
		n = keep
		if t.grown == n && t.wanted != n { // the row itself is done with before others are scanned again
			defer t.want(n)
		}
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

// want says how many cells the rows that follow have.
func (t *table) want(n int) {
	t.wanted = n
	t.rows.setWidth(n)
}

// surplus decides what becomes of cells beyond the labels, and how many cells of the row are kept. Empty ones are left
// out. Others are kept under made-up labels where the cells before them are of the kinds of their columns. Else it
// can't be known which delimiter is too many, and the row is lost: keep is 0.
func (t *table) surplus(r *row) (keep int, err error) {
	if t.grid {
		return t.surplusCells(r), nil
	}
	width := len(t.labels)
	n := len(r.texts)
	for n > width && isBlankText(r.texts[n-1]) {
		n--
	}
	switch {
	case n == width && len(r.texts) <= width+t.layout.trailing:
		return n, nil
	case n != t.grown && t.leaveOutBlank(r):
		return width, nil
	case n == width:
		r.repaired = true
		t.notice(fault.Notice{Code: fault.TableSurplus, Severity: fault.Repair, Pos: r.place(width), Excerpt: fault.Excerpt([]byte(r.raw)),
			Message: fmt.Sprintf("the row has %s where the table has %d; those beyond are empty and left out",
				plural(len(r.texts), "field"), width)})
		return n, nil
	case n == t.grown:
		return n, nil
	}
	grows, err := t.grows(r, n)
	if err != nil {
		return 0, err
	}
	message := fmt.Sprintf("the row has %s where the table has %d; those beyond are kept as %s", plural(n, "field"), width,
		t.madeUp(width, n))
	switch {
	case grows:
		t.grown = n
		message = fmt.Sprintf("from here on rows have %s where the table has %d; those beyond are kept as %s", plural(n, "field"), width,
			t.madeUp(width, n))
	case !t.fitsKinds(r) || t.mayBeDecimal(r):
		t.loseLong(r, n)
		return 0, nil
	}
	t.notice(fault.Notice{Code: fault.TableRowWide, Severity: fault.Warning, Pos: r.place(width), Excerpt: fault.Excerpt([]byte(r.raw)),
		Message: message})
	return n, nil
}

// leaveOutBlank takes a blank cell too many out of a row. The kinds of the columns must show which one it is:
// they hold with no other left out, nor with the one at the end.
func (t *table) leaveOutBlank(r *row) bool {
	width, out := len(t.labels), -1
	if len(r.texts) != width+1 || t.grid || t.typed() == 0 || isBlankText(r.texts[width]) && t.holds(r, width) {
		return false
	}
	for i, text := range r.texts[:width] {
		if text != "" || strings.HasPrefix(r.raw[r.offs[i]:], `"`) || !t.holds(r, i) {
			continue
		}
		if out >= 0 && out != i-1 { // of two side by side it does not matter which
			return false
		}
		out = i
	}
	if out < 0 {
		return false
	}
	r.repaired = true
	t.notice(fault.Notice{Code: fault.TableSurplus, Severity: fault.Repair, Pos: r.place(out), Excerpt: fault.Excerpt([]byte(r.raw)),
		Message: fmt.Sprintf("the row has %s where the table has %d; without the empty one before %s each fits its column, so it is "+
			"left out",
			plural(width+1, "field"), width, t.labels[min(out, width-1)])})
	r.texts, r.offs = slices.Delete(r.texts, out, out+1), slices.Delete(r.offs, out, out+1)
	if len(r.places) > 0 {
		r.places = slices.Delete(r.places, out, out+1)
	}
	return true
}

// holds says that the cells of a row without one of them are of the kinds of their columns. One of those behind it,
// which would be in another column with it, shows that.
func (t *table) holds(r *row, without int) bool {
	shown := without == len(t.labels)
	for i, kind := range t.layout.kinds {
		if kind <= plainText {
			continue
		}
		k := i
		if i >= without {
			k++
		}
		switch kindOf(r.texts[k]) {
		case kind:
			shown = shown || i >= without
		case empty:
		default:
			return false
		}
	}
	return shown
}

// loseLong tells of a row that is lost since it has more cells than labels.
func (t *table) loseLong(r *row, n int) {
	width := len(t.labels)
	for _, f := range r.faults {
		if f.Severity != fault.Drop {
			f.Lost = 0
			t.notice(f.Notice)
		}
	}
	t.notice(fault.Notice{Code: fault.TableRowLong, Severity: fault.Drop, Lost: 1, Pos: r.place(width),
		Bytes: int64(len(r.raw)), Excerpt: fault.Excerpt([]byte(r.raw)),
		Message: fmt.Sprintf("the row has %s where the table has %d; which is too many can't be known", plural(n, "field"), width)})
}

// grows says that the table grows to n cells with a row. The next has as many too, and the kinds of the columns hold.
// Where no column has a kind, three such rows are wanted.
func (t *table) grows(r *row, n int) (bool, error) {
	more := 1
	if t.typed() == 0 {
		more = 2
	} else if !t.fitsKinds(r) {
		return false, nil
	}
	for k := range more {
		next, err := t.rows.peek(k)
		if err != nil || next == nil || filledWidth(next) != n || n <= len(t.labels) ||
			t.typed() > 0 && !t.fitsKinds(next) || strings.HasPrefix(next.texts[len(t.labels)], " ") {
			return false, err
		}
	}
	return true, nil
}

// typed counts the columns that have a kind.
func (t *table) typed() (n int) {
	for _, kind := range t.layout.kinds {
		if kind > plainText {
			n++
		}
	}
	return n
}

// fitsKinds says that the cells of a row are of the kinds that their columns have. The last has one, so that a
// delimiter too many before it shows. Cells beyond that begin with a space are rather the rest of a text.
func (t *table) fitsKinds(r *row) bool {
	kinds := t.layout.kinds
	if n := len(kinds); n == 0 || kinds[n-1] <= plainText || n > len(r.texts) || kindOf(r.texts[n-1]) != kinds[n-1] {
		return false
	}
	for i, kind := range kinds {
		if kind > plainText && kindOf(r.texts[i]) != kind && kindOf(r.texts[i]) != empty {
			return false
		}
	}
	return !strings.HasPrefix(r.texts[len(kinds)], " ")
}

// mayBeDecimal says that the first cell beyond the labels may be the digits behind a decimal comma.
func (t *table) mayBeDecimal(r *row) bool {
	width := len(t.labels)
	return kindOf(r.texts[width-1]) == number && kindOf(r.texts[width]) == number && t.delimiter == ','
}

// madeUp names the fields beyond the labels, from one to another.
func (t *table) madeUp(from, to int) string {
	if to == from+1 {
		return t.label(from)
	}
	return t.label(from) + " to " + t.label(to-1)
}

// label is the name of a field. Those beyond the header's are made up.
func (t *table) label(i int) string {
	for len(t.labels)+len(t.beyond) <= i {
		name := fmt.Sprintf("column_%d", len(t.labels)+len(t.beyond)+1)
		for n := 2; slices.Contains(t.labels, name) || slices.Contains(t.beyond, name); n++ {
			name = fmt.Sprintf("column_%d_%d", len(t.labels)+len(t.beyond)+1, n)
		}
		t.beyond = append(t.beyond, name)
	}
	if i < len(t.labels) {
		return t.labels[i]
	}
	return t.beyond[i-len(t.labels)]
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
	c.looks = nil
	return &c
}
