package extract

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// layout says which of the first rows of a table are what.
type layout struct {
	preamble int  // how many rows stand before the header
	header   int  // how many rows the header has
	width    int  // how many fields a record has
	trailing bool // every row ends in a delimiter
	sure     bool // the cells below show that the header is one
	names    bool // the header has a label too few, and the first column counts the rows
	hash     bool // the header begins with the # of the comments before it
	why      string
}

// layoutOf finds the layout of a table by its first rows.
func layoutOf(rows []*row, s *Source, grid bool) layout {
	l := layout{}
	rows = l.passPreamble(rows, s)
	if len(rows) == 0 {
		return l
	}
	body := filled(firstBlock(rows))
	if len(body) == 0 {
		return l
	}
	first := body[0]
	l.hash = l.hash && len(first.texts[0]) > 1 && first.texts[0][0] == '#'
	switch {
	case s.HeaderRows > 0:
		l.header, l.sure, l.why = s.HeaderRows, true, s.headerWhy()
	case s.Header != nil && *s.Header:
		l.header, l.sure, l.why = 1, true, "as the spec says"
	case s.Header != nil, len(s.Labels) > 0:
		l.why = "as the spec says"
	default:
		l.header, l.sure, l.why = findHeader(body)
	}
	l.width = max(len(first.texts), 1)
	if grid && l.header > 1 && len(body) > 1 {
		l.width = max(l.width, len(body[1].texts))
	}
	if len(body) <= l.header {
		return l
	}
	below := body[l.header:]
	if grid {
		for _, r := range body {
			l.width = max(l.width, len(r.texts))
		}
		return l
	}
	l.fit(body, below)
	return l
}

// fit settles the width by the rows below the header.
func (l *layout) fit(body, below []*row) {
	modal := modalWidth(below)
	l.trailing = endsEmpty(body) && (l.header == 0 || modal == l.width || modal == l.width+1)
	switch {
	case l.trailing && l.header == 0 && modal > 1:
		l.width = modal - 1
	case l.trailing && modal == l.width && l.width > 1:
		l.width--
	case l.trailing:
	case modal > l.width && mostHave(below, modal):
		l.names = l.header > 0 && modal == l.width+1 && countsRows(below)
		l.width = modal
	}
}

// passPreamble counts the rows before the header: by the spec, or those that have hardly a
// cell where rows of more cells follow.
func (l *layout) passPreamble(rows []*row, s *Source) []*row {
	if s.Skip > 0 {
		l.preamble = min(s.Skip, len(rows))
	}
	rows = rows[l.preamble:]
	width := tableWidth(rows)
	for len(rows) > 0 {
		r := rows[0]
		switch {
		case r.comment:
			l.hash = true
		case r.blank, r.lost:
		case s.Skip >= 0 && width > 1 && isTitle(r, width):
		default:
			return rows
		}
		l.preamble++
		rows = rows[1:]
	}
	return rows
}

// firstBlock are the rows up to where another table seems to begin: behind blank rows, or for
// three rows that have another number of cells.
func firstBlock(rows []*row) []*row {
	if len(rows) < 3 {
		return rows
	}
	width, seen := len(rows[1].texts), 0
	for i, r := range rows {
		if r.comment || r.lost || r.blank {
			continue
		}
		seen++
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
	if r := rows[i]; slices.Equal(r.texts, rows[0].texts) || slices.Contains(r.texts, "") {
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
				if counts[n] > counts[best] || counts[n] == counts[best] && n > best {
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

func filled(rows []*row) (full []*row) {
	for _, r := range rows {
		if !r.blank && !r.lost && !r.comment {
			full = append(full, r)
		}
	}
	return full
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

// endsEmpty says that the rows below the first end in a delimiter, all of them.
func endsEmpty(rows []*row) bool {
	for i, r := range rows {
		if n := len(r.texts); (i > 0 || len(rows) == 1) && (n < 2 || r.texts[n-1] != "" || strings.HasSuffix(r.raw, `"`)) {
			return false
		}
	}
	n := len(rows[0].texts)
	return len(rows) > 1 && (rows[0].texts[n-1] == "" || len(rows[1].texts) > n)
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

// findHeader decides by the cells whether the first rows are a header, and of how many rows.
func findHeader(rows []*row) (count int, sure bool, why string) {
	first, below := rows[0], unlike(rows[1:], rows[0])
	if n := groupedHeader(rows); n > 1 {
		return n, true, "the first row has labels of groups, and the second no value like those below"
	}
	if continuesHeader(rows) {
		return 2, true, "the second row has no first cell, and units, years or words above values"
	}
	typed := 0 // cells of the first row that are numbers and the like
	for _, text := range first.texts {
		if kindOf(text) > plainText {
			typed++
		}
	}
	if len(below) == 0 {
		if typed > 0 {
			return 0, false, "it is the only row, and holds more than words"
		}
		return 1, false, "it is the only row, and holds but words"
	}
	against, columns := 0, 0
	pro := 0
	for i, text := range first.texts {
		kind := columnKind(below, i)
		if kind <= plainText {
			continue
		}
		columns++
		switch k := kindOf(text); {
		case k == kind:
			against++
		case k == plainText:
			pro++
		}
	}
	if against > 0 && isSeries(first.texts) {
		return 1, true, "its numbers are years or the like, one behind the other"
	}
	if pro > against {
		return 1, true, fmt.Sprintf("in %d columns it has words where numbers, dates and the like follow", pro)
	}
	if against > 0 || typed > 0 && columns == 0 {
		return 0, true, "the first row has the same kinds of values as those that follow"
	}
	if repeats(first, below) {
		return 0, false, "values of the first row occur again below, in the same columns"
	}
	return 1, false, "nothing speaks against it: all columns are words"
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

// groupedHeader counts the rows of a header whose first row has labels of groups, with blank
// cells behind them.
func groupedHeader(rows []*row) int {
	if len(rows) < 3 {
		return 1
	}
	blank := 0
	for i, text := range rows[0].texts[1:] {
		if strings.TrimSpace(text) == "" || text == rows[0].texts[i] {
			blank++
		}
	}
	if blank == 0 || len(rows[0].texts) < 3 || len(rows[1].texts) != len(rows[0].texts) {
		return 1
	}
	seen := 0
	for i, text := range rows[1].texts {
		if columnKind(rows[2:], i) <= plainText {
			continue
		}
		if k := kindOf(rows[0].texts[i]); k > plainText && !isSeries(rows[0].texts) {
			return 1
		}
		if strings.TrimSpace(text) == "" || kindOf(text) != plainText && !isSeries(rows[1].texts[i:]) || isMissing(text) {
			return 1
		}
		seen++
	}
	if seen == 0 {
		return 1
	}
	return 2
}

// continuesHeader says that the second row belongs to the header. Its first cell is blank, as none
// below is, and above each column of values it has a unit, a year or a word. Words that are
// no units count only above two columns or more, as one may stand for a missing value.
func continuesHeader(rows []*row) bool {
	if len(rows) < 3 || len(rows[0].texts) != len(rows[1].texts) || !isBlankText(rows[1].texts[0]) {
		return false
	}
	for _, r := range rows[2:] {
		if len(r.texts) > 0 && isBlankText(r.texts[0]) {
			return false
		}
	}
	clear, words := 0, 0
	for i, text := range rows[1].texts {
		kind := columnKind(rows[2:], i)
		if kindOf(rows[0].texts[i]) > plainText {
			return false
		}
		switch {
		case kind <= plainText && isBlankText(text):
		case kind <= plainText:
			return false
		case isUnitLabel(text), kind == number && isYear(text) && !isYear(rows[2].texts[min(i, len(rows[2].texts)-1)]):
			clear++
		case kindOf(text) == plainText && !isMissing(text):
			words++
		default:
			return false
		}
	}
	return clear > 0 || words > 1
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
	n, err := strconv.Atoi(strings.TrimSpace(text))
	return err == nil && n >= 1000 && n <= 2200
}

// repeats says that at least half of a row's cells occur again below, in their columns, and
// none of the columns is one word throughout.
func repeats(first *row, below []*row) bool {
	n := 0
	for i, text := range first.texts {
		for _, r := range below {
			if i < len(r.texts) && text != "" && r.texts[i] == text {
				n++
				break
			}
		}
	}
	return n > 0 && 2*n >= len(first.texts)
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
