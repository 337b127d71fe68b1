package extract

import (
	"fmt"
	"laundromat/internal/fault"
	"slices"
	"strings"
)

// layout says which of the first rows of a table are what.
type layout struct {
	preamble int        // how many rows are before the header
	header   int        // how many rows the header has
	width    int        // how many fields a record has
	trailing int        // so many empty cells end every row, beyond the width
	sure     bool       // the cells below show that the header is one
	names    bool       // the header has a label too few, and the first column counts or names the rows
	gaps     bool       // the header has blank labels for which the rows have no fields
	hash     bool       // the header begins with the # of the comments before it
	kinds    []cellKind // of the columns, where nine of ten values agree
	records  int        // rows below the header, among those that were looked at
	next     fault.Pos  // of the row that another table begins with, among those that were looked at; zero: none
	why      string
}

// layoutOf finds the layout of the table that begins with the first of these rows.
func layoutOf(rows []*row, s *Source, grid bool) layout {
	l, _ := weighTables(rows, s, grid)
	return l
}

// weighTables finds the cheapest way to read these rows as tables, one after another, and what it pays for. The layout
// is that of the first.
func weighTables(rows []*row, s *Source, grid bool) (first layout, sum bill) {
	w := tableWeighing{rows: rows, source: s, grid: grid, from: map[int]*weighedTables{}}
	is := w.weigh(0)
	return is.first, is.sum
}

// tableWeighing finds the cheapest way to read rows as tables.
type tableWeighing struct {
	rows   []*row
	source *Source
	grid   bool
	from   map[int]*weighedTables // by the first of the rows
}

// weighedTables are the tables of some rows, read in the cheapest way.
type weighedTables struct {
	first layout
	sum   bill // of all
	count int
}

// mostPassed is how many rows before a header may be passed over.
const mostPassed = 20

// weigh reads the rows from one on. It says how many are passed over before the first table, and how many its header
// has. Whatever is passed over, and wherever that table ends, the same rows are paid for.
func (t *tableWeighing) weigh(from int) *weighedTables {
	if known := t.from[from]; known != nil {
		return known
	}
	rows, s := t.rows[from:], t.source
	best := &weighedTables{}
	t.from[from] = best
	passed := 0
	if s.Skip > 0 {
		passed = min(s.Skip, len(rows))
	}
	hash, tried := false, 0
	for ; passed < len(rows) && tried <= mostPassed; passed++ {
		if r := rows[passed]; !r.holdsValues() {
			hash = hash || r.comment && !r.isDivider()
			continue
		}
		before := filled(rows[:passed])
		// A row of marks around nothing costs nothing.
		before = slices.DeleteFunc(before, func(r *row) bool { return filledWidth(r) == 0 })
		if tried > 0 && float64(len(before))*min(prices[titlePassed].points, prices[rowPassed].points) > best.sum.total() {
			break // each row that is passed over costs as much at least
		}
		block := firstBlock(rows[passed:], t.grid)
		l := layout{preamble: passed, hash: hash}
		full, footers := withoutFooters(filled(block))
		w := newWeighing(full, s, t.grid)
		w.apart = behindBlank(block)
		b := w.cheapest(&l)
		b.add(titlePassed, float64(footers))
		for _, r := range before {
			w.weighPassed(r, l.header == 0, &b)
		}
		count := 1
		if next := passed + len(block); next < len(rows) {
			l.next = rows[next].pos
			rest := t.weigh(from + next)
			b.add(anotherTable, 1)
			b.join(&rest.sum)
			count += rest.count
		}
		cost, least := b.total(), best.sum.total()
		if tried++; tried == 1 || cost < least || cost == least && count < best.count {
			best.first, best.sum, best.count = l, b, count
		}
		if s.Skip != 0 || len(w.rows) < 2 {
			break
		}
	}
	if tried == 0 {
		best.first.preamble = len(rows)
	}
	return best
}

// withoutFooters leaves out remarks behind the rows of a table, which have more cells.
func withoutFooters(rows []*row) (left []*row, footers int) {
	for n := len(rows); n > 2; n-- {
		if r := rows[n-1]; len(r.texts) > 1 || !isRemark(r) || modalWidth(rows[:n-1]) < 2 {
			break
		}
		rows, footers = rows[:n-1], footers+1
	}
	return rows, footers
}

// fit settles the width by the rows below the header.
func (l *layout) fit(body, below []*row) {
	modal := modalWidth(below)
	if n := trailing(body, l.header); n > 0 && (l.header == 0 || modal == l.width || modal == l.width+n) {
		switch {
		case l.header == 0 && modal > n:
			l.trailing, l.width = n, modal-n
		case modal == l.width && l.width > n:
			l.trailing, l.width = n, l.width-n
		case modal == l.width+n:
			l.trailing = n
		}
		return
	}
	if modal > l.width && mostHave(below, modal) && (len(below[0].texts) != l.width || len(below[1].texts) != l.width) {
		l.names = l.header > 0 && modal == l.width+1 && (countsRows(below) || namesRows(below))
		l.width = modal
	}
	if modal < l.width && mostHave(below, modal) && l.header == 1 && l.width-modal == blanks(body[0]) {
		l.gaps, l.width = true, modal
	}
}

// blanks counts the cells of a row that hold nothing.
func blanks(r *row) (n int) {
	for _, text := range r.texts {
		if isBlankText(text) {
			n++
		}
	}
	return n
}

// trailing counts the empty cells that every row ends in: those of the header, too, unless it is so much shorter.
func trailing(rows []*row, header int) int {
	least := -1
	for i, r := range rows {
		n := 0
		for n+1 < len(r.texts) && isBlankText(r.texts[len(r.texts)-1-n]) {
			n++
		}
		if strings.HasSuffix(r.raw, `"`) {
			n = 0
		}
		if i < header && len(rows) > header && len(r.texts) < len(rows[header].texts) {
			continue
		}
		if least < 0 || n < least {
			least = n
		}
	}
	return max(least, 0)
}

// firstBlock are the rows up to where another table seems to begin: behind blank rows, or for
// three rows that have another number of cells.
func firstBlock(rows []*row, grid bool) []*row {
	if len(rows) < 3 {
		return rows
	}
	width, seen := len(rows[1].texts), 0
	for i, r := range rows {
		if !r.holdsValues() {
			continue
		}
		seen++
		padded := len(r.texts) == width && filledWidth(r) < width
		if (grid || padded) && seen > 2 && rows[i-1].blank {
			if partsTables(rows, i, grid) {
				return rows[:i]
			}
			if grid {
				continue
			}
		}
		if seen > 2 && len(r.texts) == width && width > 1 && rows[i-1].blank && anotherHeader(rows, i) {
			return rows[:i]
		}
		if seen < 3 || len(r.texts) == width || len(r.texts) < 2 {
			if seen == 2 {
				width = len(r.texts)
			}
			continue
		}
		if anotherWidth(rows, i) {
			return rows[:i]
		}
	}
	return rows
}

// anotherHeader says that the i-th row, which is as wide as those before, is a header and not the first one again.
func anotherHeader(rows []*row, i int) bool {
	r := rows[i]
	if n := filledWidth(r); n < 2 || slices.Equal(r.texts, rows[0].texts) || slices.Contains(r.texts[:n], "") {
		return false
	}
	count, sure, _ := findHeader(filled(rows[i:]))
	return count > 0 && sure
}

// anotherWidth says that a table begins with the i-th row, which is not as wide as those before.
func anotherWidth(rows []*row, i int) bool {
	n, alike := len(rows[i].texts), 1
	for i+alike < len(rows) && alike < 3 && len(rows[i+alike].texts) == n {
		alike++
	}
	blank := rows[i-1].blank
	if alike < 3 && (!blank || alike == 1 && i+alike < len(rows)) {
		return false
	}
	count, sure, _ := findHeader(filled(rows[i:]))
	return count > 0 && (sure || blank)
}

// tableWidth is how many cells the rows of the first table have. It is that of the first stretch without blank
// rows in which at least two rows have the same number, above one.
func tableWidth(rows []*row) int {
	for from := 0; from < len(rows); {
		to := from
		for to < len(rows) && !rows[to].blank {
			to++
		}
		counts, best := map[int]int{}, 1
		for _, r := range rows[from:to] {
			if n := len(r.texts); !r.comment && !r.lost && n > 1 {
				counts[n]++
				// Short rows before a header count less than those that it belongs to.
				if a, b := counts[n]*(n-1), counts[best]*(best-1); counts[n] > 1 && (a > b || a == b && n > best) || counts[best] == 0 {
					best = n
				}
			}
		}
		if counts[best] > 1 {
			return best
		}
		from = to + 1
	}
	return modalWidth(filled(rows))
}

// isTitle says that a row before a header has but a title or a remark.
func isTitle(r *row, width int) bool {
	n := 0
	for _, text := range r.texts {
		if strings.TrimSpace(text) != "" {
			n++
		}
	}
	return n <= 1 && r.texts[0] != "" || len(r.texts) < width && len(r.texts) <= width/2 && n <= 2
}

// holdsValues says that a row is no blank or lost one, no comment and no line of dashes.
func (r *row) holdsValues() bool { return !r.blank && !r.lost && !r.comment && !r.isDivider() }

// filled are the rows that hold values.
func filled(rows []*row) (full []*row) {
	for _, r := range rows {
		if r.holdsValues() {
			full = append(full, r)
		}
	}
	return full
}

// behindBlank are the numbers of the filled rows that have a blank row before them.
func behindBlank(rows []*row) (all []int) {
	n := 0
	for i, r := range rows {
		if !r.holdsValues() {
			continue
		}
		if i > 0 && rows[i-1].blank {
			all = append(all, n)
		}
		n++
	}
	return all
}

// modalWidth is the number of cells that most rows have; the larger of two.
func modalWidth(rows []*row) int {
	counts, best := map[int]int{}, 1
	for _, r := range rows {
		n := len(r.texts)
		counts[n]++
		if counts[n] > counts[best] || counts[n] == counts[best] && n > best {
			best = n
		}
	}
	return best
}

// mostHave says that more than half of the rows, and two at least, have n cells.
func mostHave(rows []*row, n int) bool {
	count := 0
	for _, r := range rows {
		if len(r.texts) == n {
			count++
		}
	}
	return count > 1 && 2*count > len(rows)
}

// countsRows says that the first column is the number of the row.
func countsRows(rows []*row) bool {
	if len(rows) < 2 {
		return false
	}
	for i, r := range rows {
		if n := fmt.Sprint(i); r.texts[0] != n && r.texts[0] != fmt.Sprint(i+1) {
			return false
		}
	}
	return true
}

// namesRows says that the first column names the rows, as R writes them: fields are apart by spaces, the names are
// words, each another, and the other columns are numbers.
func namesRows(rows []*row) bool {
	seen := map[string]bool{}
	for _, r := range rows {
		kinds := r.cellKinds()
		if len(kinds) < 2 || kinds[0] != plainText || seen[r.texts[0]] || !isSpaceBefore(r, 1) {
			return false
		}
		seen[r.texts[0]] = true
		if slices.ContainsFunc(kinds[1:], func(k cellKind) bool { return k == plainText }) {
			return false
		}
	}
	return len(rows) > 1
}

// isSpaceBefore says that a space stands before a cell of a row of text.
func isSpaceBefore(r *row, cell int) bool {
	at := 0
	if cell < len(r.offs) {
		at = int(r.offs[cell])
	}
	return at > 0 && at <= len(r.raw) && r.raw[at-1] == ' '
}

// unlike are the rows that do not repeat another.
func unlike(rows []*row, other *row) (left []*row) {
	for _, r := range rows {
		if !slices.Equal(r.texts, other.texts) {
			left = append(left, r)
		}
	}
	return left
}

// filledWidth is the number of cells of a row up to the last that is not empty.
func filledWidth(r *row) int {
	n := len(r.texts)
	for n > 0 && r.texts[n-1] == "" {
		n--
	}
	return n
}
