package extract_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/records/extract"
)

// shape is how a table is written.
type shape struct {
	delimiter, mark, escape, end string
}

var plainShape = shape{",", `"`, `"`, "\r\n"}

// polluted is a table that one thing is wrong with, and the labels and rows as they were meant.
type polluted struct {
	kind, text string
	labels     []string // nil: there is no header
	rows       [][]string
	weight     float64 // how often that is met among the files of strangers
}

// cell writes a cell: marks stand around it where they must.
func (s *shape) cell(text string) string {
	if !strings.ContainsAny(text, s.delimiter+s.mark+"\r\n") {
		return text
	}
	return s.mark + strings.ReplaceAll(text, s.mark, s.escape+s.mark) + s.mark
}

func (s *shape) line(row []string) string {
	cells := make([]string, len(row))
	for i, text := range row {
		cells[i] = s.cell(text)
	}
	return strings.Join(cells, s.delimiter) + s.end
}

func (s *shape) table(labels []string, rows [][]string) string {
	var b strings.Builder
	if labels != nil {
		b.WriteString(s.line(labels))
	}
	for _, row := range rows {
		b.WriteString(s.line(row))
	}
	return b.String()
}

// orders is a table of many kinds of columns, as shops export it.
func orders(r *rand.Rand, count int) (labels []string, rows [][]string) {
	labels = []string{"DAY", "HOUR", "Pieces", "ORDERNO", "Price", "Sort", "Article", "Page", "Remarks"}
	sorts := []string{"Lamp", "Chair", "Shelf", "Table"}
	for n := range count {
		sort := sorts[r.IntN(len(sorts))]
		article := fmt.Sprintf("%s %d\" wide, %s", sort, 20+r.IntN(80), word(r))
		if n%3 == 0 {
			article = sort + " of " + word(r) + ", " + word(r) + " and " + word(r)
		}
		remark := ""
		switch n % 4 {
		case 0:
			remark = "said \"" + word(r) + "\" twice"
		case 1:
			remark = word(r) + " " + word(r) + ", late"
		case 2:
			remark = "two\nlines of " + word(r)
		}
		rows = append(rows, []string{
			fmt.Sprintf("%d/%d/2019", 1+r.IntN(12), 1+r.IntN(28)), fmt.Sprintf("%d:%02d", r.IntN(24), r.IntN(60)),
			fmt.Sprint(1 + r.IntN(90)),
			fmt.Sprintf("ord%05d", r.IntN(100000)), fmt.Sprintf("%d.%02d", 3+r.IntN(900), r.IntN(100)), sort, article,
			fmt.Sprintf("https://shop.example/%s?n=%d", strings.ToLower(sort), n), remark})
	}
	return labels, rows
}

// pollute makes a file for each thing that is wrong with files, and for each place where it may be.
func pollute(labels []string, rows [][]string) (all []polluted) {
	s := plainShape
	add := func(kind, text string, labels []string, rows [][]string, weight float64) {
		all = append(all, polluted{kind, text, labels, rows, weight})
	}
	whole := s.table(labels, rows)
	add("as it is", whole, labels, rows, 1)
	add("no payload", "", nil, nil, 15)
	add("no line end at the end", strings.TrimSuffix(whole, s.end), labels, rows, 184)
	add("two line ends at the end", whole+s.end, labels, rows, 5)
	add("no header", s.table(nil, rows), nil, rows, 470)
	add("header of two rows", s.line(labels)+whole, labels, rows, 47)
	add("header of three rows", s.line(labels)+s.line(labels)+whole, labels, rows, 47)
	blank := make([]string, len(labels))
	preamble := slices.Clone(blank)
	preamble[0] = "PREAMBLE"
	add("preamble", s.line(preamble)+s.line(blank)+whole, labels, rows, 282)
	second := func(width int) (labels2 []string, rows2 [][]string) {
		widen := func(row []string, label string) []string {
			row = slices.Clone(row)
			for len(row) < width {
				row = append(row, label)
			}
			return row[:width]
		}
		for _, row := range rows[:len(rows)-1] {
			rows2 = append(rows2, widen(row, row[len(row)-1]))
		}
		return widen(labels, "more"), rows2
	}
	for d, kind := range map[int]string{-1: "second table, narrower", 0: "second table, as wide", 1: "second table, wider"} {
		labels2, rows2 := second(len(labels) + d)
		add(kind, whole+s.table(labels2, rows2), labels, slices.Concat(rows, rows2), 62.7)
	}
	add("header alone", s.line(labels), labels, nil, 3)
	add("one row", s.table(labels, rows[:1]), labels, rows[:1], 4)
	for kind, end := range map[string]string{"line ends LF": "\n", "line ends CR": "\r"} {
		s := s
		s.end = end
		add(kind, s.table(labels, rows), labels, rows, map[string]float64{"\n": 1691, "\r": 7}[end])
	}
	for delimiter, weight := range map[string]float64{";": 834, "\t": 4, ", ": 101, " ": 4} {
		s := s
		s.delimiter = delimiter
		add(fmt.Sprintf("delimiter %q", delimiter), s.table(labels, rows), labels, rows, weight)
	}
	for _, c := range []struct {
		kind   string
		shape  shape
		weight float64
	}{
		{"marks '", shape{",", "'", "'", s.end}, 11},
		{"escape \\", shape{",", `"`, `\`, s.end}, 1},
		{"no escape", shape{",", `"`, "", s.end}, 7},
	} {
		add(c.kind, c.shape.table(labels, rows), labels, rows, c.weight)
	}
	grid := append([][]string{labels}, rows...)
	for k := range grid {
		with := func(kind, line string, row []string, weight float64) {
			var b strings.Builder
			meant := slices.Clone(grid)
			meant[k] = row
			for i := range grid {
				if i == k {
					b.WriteString(line)
				} else {
					b.WriteString(s.line(grid[i]))
				}
			}
			if k == 0 {
				kind += ", in the header"
			}
			add(kind, b.String(), meant[0], meant[1:], weight)
		}
		cells := make([]string, len(labels))
		for i, text := range grid[k] {
			cells[i] = s.cell(text)
		}
		spaced := s
		spaced.delimiter = " "
		with("a row apart by spaces", spaced.line(grid[k]), grid[k], 0.37)
		for i := range labels {
			more := slices.Insert(slices.Clone(cells), i, "")
			with("a delimiter too many", strings.Join(more, ",")+s.end, slices.Insert(slices.Clone(grid[k]), i, ""), 0.37)
			stray := slices.Clone(cells)
			meant := slices.Clone(grid[k])
			meant[i] = `"` + meant[i]
			if strings.HasPrefix(cells[i], `"`) {
				stray[i] = `""` + cells[i][1:]
			} else {
				stray[i] = `"` + cells[i]
			}
			with("a stray mark", strings.Join(stray, ",")+s.end, meant, 0.37)
			if i > 0 {
				less := slices.Clone(cells)
				less[i-1] += less[i]
				meant := slices.Clone(grid[k])
				meant[i-1] += meant[i]
				with("a delimiter too few", strings.Join(slices.Delete(less, i, i+1), ",")+s.end, slices.Delete(meant, i, i+1), 0.37)
			}
		}
	}
	return all
}

// score says how much of what was meant is read. The labels, the records and their cells have three points each, and a
// reading at all has one.
func (p *polluted) score(k *kept) float64 {
	got, labels := valuesOf(k.records)
	if len(labels) > 0 && !slices.ContainsFunc(labels, func(s string) bool { return !strings.HasPrefix(s, "column_") }) {
		labels = nil
	}
	if len(got) == 0 {
		labels = p.labels
	}
	records := func(rows [][]string) (all []string) {
		for _, row := range rows {
			all = append(all, strings.Join(row, ""))
		}
		return all
	}
	return 1 + share(p.labels, labels) + share(records(p.rows), records(got)) + share(slices.Concat(p.rows...), slices.Concat(got...))
}

// share compares two lists, whatever their order. One point is the share of what was meant that is read. Another is the
// share of what is read that was meant, and a third the mean of both.
func share(meant, read []string) float64 {
	if len(meant) == 0 {
		return 3
	}
	counts := map[string]int{}
	for _, text := range meant {
		if text != "" {
			counts[text]++
		}
	}
	all, same, got := 0, 0, 0
	for _, n := range counts {
		all += n
	}
	for _, text := range read {
		if text == "" {
			continue
		}
		if got++; counts[text] > 0 {
			counts[text]--
			same++
		}
	}
	if same == 0 {
		return 0
	}
	p, r := float64(same)/float64(all), float64(same)/float64(got)
	return p + r + 2*p*r/(p+r)
}

func TestPollutedTablesAreReadAsTheyWereMeant(t *testing.T) {
	labels, rows := orders(rand.New(rand.NewPCG(3, 4)), 83)
	sums, counts, example := map[string]float64{}, map[string]int{}, map[string]string{}
	simple, weighted, weights := 0.0, 0.0, 0.0
	all := pollute(labels, rows)
	for _, p := range all {
		k := read(t, "a.csv", p.text, extract.Options{})
		score := p.score(k)
		sums[p.kind] += score
		counts[p.kind]++
		if score < 9.9999 && (example[p.kind] == "" || score < 9.9) {
			example[p.kind] = fmt.Sprintf("%.3f %.300q", score, k.notices)
		}
		simple += score
		weighted += score * p.weight
		weights += p.weight
	}
	for _, kind := range slices.Sorted(maps.Keys(sums)) {
		t.Logf("%-40s %4d %.4f %s", kind, counts[kind], sums[kind]/float64(counts[kind]), example[kind])
	}
	simple, weighted = simple/float64(len(all)), weighted/weights
	t.Logf("%d files: simple %.4f, weighted %.4f", len(all), simple, weighted)
	if simple < 9.975 || weighted < 9.99 {
		t.Errorf("of ten points there are %.4f for each file, and %.4f where each counts as often as it is met", simple, weighted)
	}
}
