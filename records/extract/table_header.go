package extract

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// weighing finds the cheapest header of a table.
type weighing struct {
	rows   []*row
	apart  []int        // of the rows: those with a blank row before them; nil where that isn't known
	kinds  [][]cellKind // of the cells of each row
	source *Source
	grid   bool
	below  []cellKind // of the columns below the first row, where that was asked for
}

func newWeighing(rows []*row, s *Source, grid bool) *weighing {
	w := &weighing{rows: rows, source: s, grid: grid, kinds: make([][]cellKind, len(rows))}
	for i, r := range rows {
		w.kinds[i] = r.cellKinds()
	}
	return w
}

// cheapest fills a layout with the header that costs least, and gives what the table pays for.
func (w *weighing) cheapest(l *layout) bill {
	s, fixed := w.source, -1
	switch {
	case s.HeaderRows > 0:
		fixed = min(s.HeaderRows, len(w.rows))
	case s.Header != nil && *s.Header:
		fixed = 1
	case s.Header != nil, len(s.Labels) > 0:
		fixed = 0
	}
	var bills [4]bill
	best := -1
	for h := range bills {
		if fixed >= 0 && h != min(fixed, 3) || fixed < 0 && !w.mayHaveHeader(h) {
			continue
		}
		bills[h] = w.weigh(min(h, len(w.rows)))
		if best < 0 || bills[h].total() < bills[best].total() {
			best = h
		}
	}
	l.header = best
	if fixed >= 0 {
		l.header, l.sure, l.why = fixed, true, "as the spec says"
		if s.HeaderRows > 0 {
			l.header, l.why = s.HeaderRows, s.headerWhy()
		}
	} else {
		l.sure, l.why = w.evidence(best, &bills)
	}
	header := min(l.header, len(w.rows))
	first := w.rows[0]
	l.hash = l.hash && len(first.texts[0]) > 1 && first.texts[0][0] == '#'
	l.width, l.records = max(len(first.texts), 1), len(w.rows)-header
	for _, r := range w.rows[:header] {
		l.width = max(l.width, len(r.texts))
	}
	if header == 0 {
		l.width = modalWidth(w.rows)
	}
	if w.grid {
		l.width = max(l.width, w.columns())
	} else if len(w.rows) > header {
		l.fit(w.rows, w.rows[header:])
	}
	b := bills[best]
	w.weighWidths(l, &b)
	sound := &weighing{} // a row with a cell too many says nothing of the columns
	for k, r := range w.rows[header:] {
		if (w.grid || filledWidth(r) <= l.width) && !slices.Equal(r.texts, first.texts) {
			sound.rows, sound.kinds = append(sound.rows, r), append(sound.kinds, w.kinds[header+k])
		}
	}
	l.kinds = make([]cellKind, l.width)
	for i := range l.kinds {
		l.kinds[i] = sound.columnKind(0, i)
	}
	return b
}

// evidence says why a header was taken, and whether the cells below show that it is one.
func (w *weighing) evidence(h int, bills *[4]bill) (sure bool, why string) {
	none, cost := &bills[0], bills[h].total()
	switch {
	case h == 0 && len(w.rows) == 1:
		return false, "it is the only row, and holds more than words"
	case h == 0:
		one := &bills[1]
		return one[labelLikeValue] > 0, fmt.Sprintf("with one it would cost %.1f and not %.1f, %s", one.total(), cost, one.explain())
	case len(w.rows) <= h:
		return false, "it is the only row, and holds but words"
	case none[valueOffKind] > 0 || none[labelAsValue] > 0 || h > 1:
		return true, fmt.Sprintf("without one the table would cost %.1f and not %.1f, %s", none.total(), cost, none.explain())
	}
	return false, "nothing speaks against it: all columns are words"
}

// mayHaveHeader says that the first rows have the shape of a header of so many. One of several rows has labels of
// groups above others, or goes on in a row whose first cell alone is blank.
func (w *weighing) mayHaveHeader(h int) bool {
	if h < 2 {
		return true
	}
	if len(w.rows) <= h || w.columns() < 2 {
		return false
	}
	for k := 1; k < h; k++ {
		if slices.Contains(w.apart, k) || !w.hasGroups(k-1) && !w.goesOn(k, h) {
			return false
		}
	}
	return true
}

// hasGroups says that a row has labels of groups: equal ones side by side, or blanks behind them.
func (w *weighing) hasGroups(k int) bool {
	texts := w.rows[k].texts
	if len(texts) < 3 || len(w.rows[k+1].texts) < len(texts) {
		return false
	}
	for i, text := range texts[1:] {
		if isBlankText(text) || text == texts[i] {
			return true
		}
	}
	return false
}

// goesOn says that the k-th row goes on with the labels of the row before it.
func (w *weighing) goesOn(k, h int) bool {
	if len(w.rows[k].texts) != len(w.rows[k-1].texts) || !isBlankText(w.rows[k].texts[0]) || isBlankText(w.rows[k-1].texts[0]) {
		return false
	}
	return !slices.ContainsFunc(w.rows[h:], func(r *row) bool { return isBlankText(r.texts[0]) })
}

// columns is how many cells the widest row has.
func (w *weighing) columns() (n int) {
	for _, r := range w.rows {
		n = max(n, len(r.texts))
	}
	return n
}

// columnKind is the kind that nine of ten filled cells of a column have, from a row on; else plainText.
func (w *weighing) columnKind(from, column int) cellKind {
	var counts [address + 1]int
	filled := 0
	for i, kinds := range w.kinds[from:] {
		if column >= len(kinds) || kinds[column] == empty || from > 0 && slices.Equal(w.rows[from+i].texts, w.rows[0].texts) {
			continue
		}
		counts[kinds[column]]++
		filled++
	}
	for k := number; k <= address; k++ {
		if filled > 0 && 10*counts[k] >= 9*filled {
			return k
		}
	}
	if filled == 0 {
		return empty
	}
	return plainText
}

// belowFirst is the kind of a column without the first row.
func (w *weighing) belowFirst(column int) cellKind {
	if w.below == nil {
		w.below = make([]cellKind, w.columns())
		for i := range w.below {
			w.below[i] = w.columnKind(min(1, len(w.rows)-1), i)
		}
	}
	if column < len(w.below) {
		return w.below[column]
	}
	return empty
}

// weigh counts what a header of h rows and the values below it pay for.
func (w *weighing) weigh(h int) (b bill) {
	if h == 0 {
		b.add(noHeader, 1)
	}
	b.add(headerRow, float64(max(h-1, 0)))
	if len(w.rows) == 1 { // words alone are a header
		for _, k := range w.kinds[0] {
			if k > plainText {
				b.add(labelLikeValue, float64(min(h, 1)))
			}
		}
		return b
	}
	from := max(h, 1)
	if len(w.rows) > 3 {
		from = max(h, 2) // the second row may be one of the header
	}
	typical := make([]cellKind, w.columns())
	for i := range typical {
		typical[i] = w.columnKind(min(from, len(w.rows)-1), i)
	}
	seen := map[string]bool{}
	for k := range h {
		w.weighLabels(k, h, typical, seen, &b)
	}
	if h > 0 && len(w.rows[0].texts) == 1 && strings.HasPrefix(w.rows[0].texts[0], "#") && !strings.HasPrefix(w.rows[1].texts[0], "#") {
		b.add(labelLikeValue, 0.5) // more likely a comment
	}
	if h > 0 && w.recurs(h) {
		b.add(labelAgain, 1)
	}
	for k := h; k < len(w.rows); k++ {
		w.weighValues(k, h, typical, &b)
	}
	return b
}

// weighLabels counts what the cells of a row of the header pay for.
func (w *weighing) weighLabels(k, h int, typical []cellKind, seen map[string]bool, b *bill) {
	texts, kinds := w.rows[k].texts, w.kinds[k]
	years := isSeries(texts) || w.areYears(k, h, len(typical))
	for i, kind := range kinds {
		switch {
		case kind == empty && k > 0 && isMissing(strings.TrimSpace(texts[i])):
			b.add(labelLikeValue, 0.5)
		case kind == empty && h == 1 && i > 0 && typical[i] != empty:
			b.add(labelBlank, 1)
		case kind == empty || years && kind == number:
		case kind > plainText && kind == typical[i]:
			b.add(labelLikeValue, 1)
		case kind == number || kind == date:
			b.add(labelLikeValue, 0.6)
		case h == 1 && seen[texts[i]]:
			b.add(labelSurplus, 1)
		}
		seen[texts[i]] = true
	}
}

// areYears says that the numbers of a row are years, and the columns below them have other values.
func (w *weighing) areYears(k, h, width int) bool {
	n := 0
	for i, text := range w.rows[k].texts {
		switch {
		case isYear(text):
			if n++; w.hasYears(i, max(h, k+1)) {
				return false
			}
		case w.kinds[k][i] > plainText:
			return false
		}
	}
	return n > 1 || n == 1 && width == 2
}

// hasYears says that half of the values of a column are years.
func (w *weighing) hasYears(column, from int) bool {
	years, filled := 0, 0
	for _, r := range w.rows[min(from, len(w.rows)):] {
		if column < len(r.texts) && !isBlankText(r.texts[column]) {
			if filled++; isYear(r.texts[column]) {
				years++
			}
		}
	}
	return 2*years >= filled
}

// weighValues counts what the values of a row below the header pay for.
func (w *weighing) weighValues(k, h int, typical []cellKind, b *bill) {
	texts, kinds := w.rows[k].texts, w.kinds[k]
	if k > 0 && h > 0 && slices.Equal(texts, w.rows[0].texts) {
		return
	}
	price := 0.5
	if k < 2 { // a row that may be one of the header
		price = 1
		if (k == 0 || isBlankText(texts[0])) && w.areYears(k, k+1, len(typical)) {
			b.add(labelAsValue, 1)
		}
	}
	for i, kind := range kinds {
		if kind == empty || typical[i] <= plainText || kind == typical[i] {
			continue
		}
		b.add(valueOffKind, price)
		if k < 2 && isUnitLabel(texts[i]) {
			b.add(labelAsValue, 1)
		}
	}
}

// recurs says that at least half of the labels occur among the values below them.
func (w *weighing) recurs(h int) bool {
	first, n := w.rows[0], 0
	below := unlike(w.rows[min(h, len(w.rows)):], first)
	for i, text := range first.texts {
		if text != "" && slices.ContainsFunc(below, func(r *row) bool { return i < len(r.texts) && r.texts[i] == text }) {
			n++
		}
	}
	if len(w.rows) > 2 && slices.Equal(w.rows[1].texts, first.texts) {
		return true
	}
	return 2*n > len(first.texts)
}

// weighWidths counts what rows pay for that are wider than the table, and columns without a label.
func (w *weighing) weighWidths(l *layout, b *bill) {
	header, run := min(l.header, len(w.rows)), 0
	for k, r := range w.rows[header:] {
		if w.grid { // a cell has its place
			break
		}
		n := len(r.texts)
		for n > l.width && isBlankText(r.texts[n-1]) {
			n--
		}
		if n <= l.width || k > 0 && len(r.texts) != len(w.rows[header+k-1].texts) {
			run = 0
		}
		if n <= l.width {
			continue
		}
		if run++; run < 3 {
			b.add(rowLong, 1)
		} else if run == 3 { // the table grows
			b.add(rowLong, -1)
		}
	}
	if header > 0 && !l.names && l.width > len(w.rows[header-1].texts) {
		b.add(labelMissing, float64(min(l.width-len(w.rows[header-1].texts), 2)))
		b[labelBlank] = min(b[labelBlank], 1)
	}
}

// weighPassed counts what a row pays for that is passed over before the table, which may have no header.
func (w *weighing) weighPassed(r *row, headless bool, b *bill) {
	width, filled, alike, unlike := w.columns(), 0, 0, 0
	for i, text := range r.texts {
		if isBlankText(text) {
			continue
		}
		filled++
		switch kind, typical := r.cellKinds()[i], w.belowFirst(i); {
		case typical <= plainText:
		case kind == typical:
			alike++
		default:
			unlike++
		}
	}
	switch {
	case alike > 0 && unlike == 0 && len(r.texts) > 1 && width > 1:
		b.add(rowPassed, 4)
	case isProperty(r) && len(r.texts) < width:
		b.add(titlePassed, 1)
	case filled <= 1 && !isBlankText(r.texts[0]):
		if b.add(titlePassed, 1); headless && !isRemark(r) { // a word may be a label
			b.add(titlePassed, 2)
		}
	case headless: // it may be the header
		b.add(rowPassed, 20)
	case len(r.texts) < width && filled < width:
		b.add(rowPassed, 1)
	default:
		b.add(rowPassed, 4)
	}
}

// isProperty says that a row says something of the whole table, as "Region:" and "Germany" do in two cells.
func isProperty(r *row) bool {
	return filledWidth(r) == 2 && strings.HasSuffix(strings.TrimSpace(r.texts[0]), ":")
}

// leastRule is how many asterisks are a line, and not a value that is hidden or missing.
const leastRule = 10

// isRule says that a text is one sign over and over.
func isRule(text string) bool {
	return len(text) >= leastRule && strings.Contains("*#~+.", text[:1]) && strings.Trim(text, text[:1]) == ""
}

// findHeader decides by the cells whether the first rows are a header, and of how many rows.
func findHeader(rows []*row) (count int, sure bool, why string) {
	if len(rows) == 0 {
		return 0, false, ""
	}
	var l layout
	newWeighing(rows, &Source{}, false).cheapest(&l)
	return l.header, l.sure, l.why
}

// isDivider says that each cell of a row that is not blank is a line of dashes, or a long one of asterisks and the
// like. One or two dashes, as they stand below a narrow column, count beside a longer line: alone they are a missing
// value.
func (r *row) isDivider() bool {
	long := false
	for _, text := range r.texts {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if strings.Trim(text, "-=_") != "" && !isRule(text) {
			return false
		}
		long = long || len(text) > 2
	}
	return long
}

func isBlankText(text string) bool { return strings.TrimSpace(text) == "" }

// isUnitLabel says that a cell of a header is a unit: in brackets, or a sign.
func isUnitLabel(text string) bool {
	text = strings.TrimSpace(text)
	if len(text) > 2 {
		ends := text[:1] + text[len(text)-1:]
		return ends == "()" || ends == "[]"
	}
	return text == "%" || text == "‰" || text == "€" || text == "$" || text == "£"
}

// isYear says that a cell is a whole number from 1000 to 2200.
func isYear(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || text[0] > '9' {
		return false
	}
	n, err := strconv.Atoi(text)
	return err == nil && n >= 1000 && n <= 2200
}

// isSeries says that at least two cells are whole numbers, and all of them rise by the same
// step: years, months, hours.
func isSeries(texts []string) bool {
	last, step, n := 0, 0, 0
	for _, text := range texts {
		text = strings.TrimSpace(text)
		if kindOf(text) != number || len(text) > 4 {
			if n > 0 && text != "" {
				return false
			}
			continue
		}
		value := 0
		for _, c := range text {
			if c < '0' || c > '9' {
				return false
			}
			value = 10*value + int(c-'0')
		}
		if value < 1000 || value > 2200 {
			return false
		}
		if n > 1 && value-last != step || n == 1 && value <= last {
			return false
		}
		step, last, n = value-last, value, n+1
	}
	return n > 1
}
