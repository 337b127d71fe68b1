package extract

import (
	"fmt"
	"slices"

	"laundromat/internal/fault"
)

// tableAbove is what of a table in a sheet shows that another begins below it.
type tableAbove struct {
	width int        // how many columns it has
	kinds []cellKind // of the columns
	full  bool       // each of its rows, and there are several, has a value in the last column
}

// aboveOf is that of a table with a header.
func aboveOf(rows []*row) tableAbove {
	rows = filled(rows)
	w := newWeighing(rows, &Source{}, true)
	a := tableAbove{width: w.columns(), full: len(rows) > 2}
	for i := range a.width {
		a.kinds = append(a.kinds, w.columnKind(1, i))
	}
	for _, r := range rows[1:] {
		a.full = a.full && filledWidth(r) == a.width
	}
	return a
}

// beginsBelow says that another table begins with the first of these rows, which stands behind a blank one. It has a
// header, which the values below it show. Where all are words, the cells themselves must be elsewhere than those of the
// table above, or unlike them.
func (a *tableAbove) beginsBelow(rows []*row) bool {
	from, to := leadingBlanks(rows[0]), filledWidth(rows[0])
	if to-from < 2 || slices.Contains(rows[0].texts[from:to], "") {
		return false
	}
	inside, unlike := true, true
	var block []*row
	for _, r := range rows {
		if r.blank {
			break
		}
		inside = inside && leadingBlanks(r) >= from && filledWidth(r) <= to
		unlike = unlike && a.isUnlike(r)
		moved := *r
		moved.texts = r.texts[min(from, len(r.texts)):]
		if len(moved.texts) > 0 {
			block = append(block, &moved)
		}
	}
	if len(block) < 2 {
		return false
	}
	count, sure, _ := findHeader(block)
	return count > 0 && (sure || inside && (to > a.width || to < a.width && a.full || unlike))
}

// partsTables says that another table, or the title of one, begins with the i-th row, which stands behind a blank one.
// In text a row has as many fields as the others, whatever it holds.
func partsTables(rows []*row, i int, grid bool) bool {
	if slices.Equal(rows[i].texts, rows[0].texts) {
		return false
	}
	above := aboveOf(rows[:i])
	above.full = above.full && grid
	return above.beginsBelow(rows[i:]) || isWord(rows[i]) && i+1 < len(rows) && above.beginsBelow(rows[i+1:])
}

// isUnlike says that a cell of a row is of another kind than its column.
func (a *tableAbove) isUnlike(r *row) bool {
	for i, text := range r.texts[:min(len(r.texts), len(a.kinds))] {
		if kind := kindOf(text); a.kinds[i] > plainText && kind != empty && kind != a.kinds[i] {
			return true
		}
	}
	return false
}

// leadingBlanks is how many cells without a value stand before the first that has one.
func leadingBlanks(r *row) int {
	n := 0
	for n < len(r.texts) && r.texts[n] == "" {
		n++
	}
	return n
}

// surplusCells keeps the cells of a sheet or page beyond the labels: each has its place, so none can be one too many.
func (t *table) surplusCells(r *row) (keep int) {
	width, n := len(t.labels), filledWidth(r)
	if n > max(width, t.grown) {
		t.grown = n
		t.notice(fault.Notice{Code: fault.TableRowWide, Severity: fault.Warning, Pos: r.place(width), Excerpt: fault.Excerpt([]byte(r.raw)),
			Message: fmt.Sprintf("the row has %s where the table has %d; those beyond are kept as %s", plural(n, "cell"), width,
				t.madeUp(width, n))})
	}
	return max(n, min(width, len(r.texts)))
}
