package extract_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/records/extract"
)

// meant is a table as its writer meant it, and the text in which it comes, dirt included.
type meant struct {
	name   string
	rows   [][]string // of values
	labels []string   // nil: there is no header
	text   string
	dirt   []string
	hurt   bool // a row has a field or a mark too many or too few
}

// columnMakers make the values of a column.
var columnMakers = []func(r *rand.Rand) string{
	func(r *rand.Rand) string { return fmt.Sprint(r.IntN(100000)) },
	func(r *rand.Rand) string { return fmt.Sprintf("%d.%02d", r.IntN(1000), r.IntN(100)) },
	func(r *rand.Rand) string {
		return fmt.Sprintf("%d-%02d-%02d", 1990+r.IntN(30), 1+r.IntN(12), 1+r.IntN(28))
	},
	func(r *rand.Rand) string { return fmt.Sprintf("%02d:%02d", r.IntN(24), r.IntN(60)) },
	func(r *rand.Rand) string { return word(r) },
	func(r *rand.Rand) string { return word(r) + " " + word(r) },
	func(r *rand.Rand) string { return word(r) + ", " + word(r) + " " + word(r) },
	func(r *rand.Rand) string { return "https://" + word(r) + ".example/" + word(r) },
	func(r *rand.Rand) string { return strings.ToUpper(word(r))[:2] + fmt.Sprint(r.IntN(999)) },
	func(r *rand.Rand) string { return fmt.Sprintf("%d,%d", r.IntN(90), r.IntN(90)) },
	func(r *rand.Rand) string { return fmt.Sprintf("%d.%03d,%02d", 1+r.IntN(90), r.IntN(1000), r.IntN(100)) },
	func(r *rand.Rand) string { return fmt.Sprintf("%d %%", r.IntN(100)) },
	func(r *rand.Rand) string { return fmt.Sprintf("€ %d", r.IntN(1000)) },
	func(r *rand.Rand) string {
		return fmt.Sprintf("%02d.%02d.%d", 1+r.IntN(28), 1+r.IntN(12), 1990+r.IntN(30))
	},
	func(r *rand.Rand) string {
		return fmt.Sprintf("2024-%02d-%02dT%02d:00:00Z", 1+r.IntN(12), 1+r.IntN(28), r.IntN(24))
	},
	func(r *rand.Rand) string { return fmt.Sprintf("-%d.%de%d", 1+r.IntN(9), r.IntN(100), r.IntN(20)) },
}

func word(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(3) {
		b.WriteString([]string{"ka", "lo", "mi", "ner", "tas", "vu", "ro", "shel", "ün", "é"}[r.IntN(10)])
	}
	return b.String() + []string{"k", "n", "m", "st"}[r.IntN(4)]
}

// makeTable makes a table, and its text with dirt.
func makeTable(r *rand.Rand) meant {
	m := meant{name: "a.csv"}
	width := 1 + r.IntN(7)
	if r.IntN(12) == 0 {
		width = 8 + r.IntN(33)
	}
	count := 3 + r.IntN(40)
	makers := make([]func(*rand.Rand) string, width)
	seen := map[string]bool{}
	var labels []string
	for i := range makers {
		makers[i] = columnMakers[r.IntN(len(columnMakers))]
		label := word(r)
		for seen[label] {
			label += word(r)
		}
		seen[label] = true
		labels = append(labels, label)
	}
	m.labels = labels
	for range count {
		row := make([]string, width)
		for i := range row {
			if row[i] = makers[i](r); width > 1 && r.IntN(15) == 0 {
				row[i] = ""
			}
		}
		if row[0] == "" {
			row[0] = makers[0](r)
		}
		m.rows = append(m.rows, row)
	}
	if r.IntN(6) == 0 && width > 1 { // a cell with a table or with marks in it
		k, i := r.IntN(count), 1+r.IntN(width-1)
		m.rows[k][i] = []string{"1;2;3\n4;5;6\n7;8;9", "a\tb\nc\td", `say "hi"`, "one\ntwo", "x|y|z", `"`}[r.IntN(6)]
		m.dirt = append(m.dirt, "a cell with more in it")
	}
	m.write(r)
	return m
}

// hand is how a writer writes a table.
type hand struct {
	shape
	all bool // marks stand around every cell
}

func (h *hand) cells(row []string) []string {
	cells := make([]string, len(row))
	for i, text := range row {
		if cells[i] = h.cell(text); h.all && cells[i] == text {
			cells[i] = h.mark + text + h.mark
		}
	}
	return cells
}

func (h *hand) line(row []string) string { return strings.Join(h.cells(row), h.delimiter) }

// write writes the text of the table.
func (m *meant) write(r *rand.Rand) {
	h := hand{shape{[]string{",", ",", ";", "\t", "|", ", "}[r.IntN(6)], `"`, `"`, []string{"\n", "\n", "\r\n", "\r"}[r.IntN(4)]},
		r.IntN(4) == 0}
	whole := strings.Join(slices.Concat(m.rows...), "")
	switch r.IntN(12) {
	case 0:
		if h.all = true; !strings.ContainsAny(whole, `"\`) {
			h.mark, h.escape = "'", "'"
		}
	case 1:
		h.escape = `\`
	}
	var lines []string
	add := func(dirt string, more ...string) {
		m.dirt, lines = append(m.dirt, dirt), append(lines, more...)
	}
	if r.IntN(8) == 0 && len(m.labels) > 1 {
		add("a title", "Report of the "+word(r)+" office")
		if r.IntN(2) == 0 {
			lines = append(lines, "")
		}
	}
	if r.IntN(10) == 0 {
		add("a comment", "# made by hand")
	}
	head := h.line(m.labels)
	lines = append(lines, head)
	if r.IntN(12) == 0 && m.typed() {
		add("a second header", head)
	}
	hurt := -1
	if r.IntN(8) == 0 && len(m.labels) > 1 {
		hurt = r.IntN(len(m.rows))
	}
	for k, row := range m.rows {
		if k > 0 && k%20 == 0 && r.IntN(8) == 0 && len(m.labels) > 1 {
			add("the header again", "", head)
		}
		if k == hurt {
			lines = append(lines, m.wound(r, row, &h))
		} else {
			lines = append(lines, h.line(row))
		}
	}
	if r.IntN(10) == 0 && len(m.labels) > 1 {
		add("a source", "", "Source: the "+word(r)+" office")
	}
	m.text = strings.Join(lines, h.end) + h.end
	if r.IntN(15) == 0 {
		m.dirt, m.text = append(m.dirt, "mixed line ends"), strings.Join(lines[:2], "\n")+"\n"+strings.Join(lines[2:], "\r\n")
	}
	if r.IntN(10) == 0 {
		m.text = "\uFEFF" + m.text
	}
}

// typed says that the values of a column are numbers and its label is a word.
func (m *meant) typed() bool {
	for i := range m.labels {
		if !slices.ContainsFunc(m.rows, func(row []string) bool { return row[i] == "" || strings.Trim(row[i], "0123456789") != "" }) {
			return true
		}
	}
	return false
}

// wound takes a delimiter away from a row, or adds one, a mark or U+0000.
func (m *meant) wound(r *rand.Rand, row []string, h *hand) string {
	m.hurt = true
	cells := h.cells(row)
	i := r.IntN(len(cells))
	switch n := r.IntN(4); {
	case n == 0 && i > 0:
		m.dirt = append(m.dirt, "a delimiter too few")
		cells[i-1] += cells[i]
		cells = slices.Delete(cells, i, i+1)
	case n == 1:
		m.dirt = append(m.dirt, "a stray mark")
		cells[i] = `"` + cells[i]
	case n == 2:
		m.dirt = append(m.dirt, "U+0000")
		cells[i] += "\x00"
	default:
		m.dirt = append(m.dirt, "a delimiter too many")
		cells = slices.Insert(cells, i, "")
	}
	return strings.Join(cells, h.delimiter)
}

// valuesOf gives the values of records, in their order.
func valuesOf(lines []string) (rows [][]string, labels []string) {
	for _, line := range lines {
		d := json.NewDecoder(strings.NewReader(line))
		var row []string
		for n := 0; ; n++ {
			token, err := d.Token()
			if err != nil {
				break
			}
			if text, ok := token.(string); ok {
				if n%2 == 0 {
					row = append(row, text)
				} else if !slices.Contains(labels, text) {
					labels = append(labels, text)
				}
			}
		}
		rows = append(rows, row)
	}
	return rows, labels
}

// isRead says that what was read is what was meant. Empty cells at the end of a row may be absent.
func (m *meant) isRead(k *kept) bool {
	rows, labels := valuesOf(k.records)
	same := func(a, b []string) bool {
		if m.hurt { // a stray mark is text in a table that has no marks
			a, b = without(a, `"`), without(b, `"`)
		}
		for len(b) > len(a) && b[len(b)-1] == "" {
			b = b[:len(b)-1]
		}
		for len(a) > len(b) && a[len(a)-1] == "" {
			a = a[:len(a)-1]
		}
		return slices.Equal(a, b)
	}
	return slices.EqualFunc(rows, m.rows, same) && slices.Equal(labels, m.labels)
}

func without(row []string, sign string) (left []string) {
	for _, text := range row {
		left = append(left, strings.ReplaceAll(text, sign, ""))
	}
	return left
}

// No value differs from what was meant unless a warning, a repair or a loss is reported, and nearly all tables
// are read whole.
func TestNoTableIsReadOtherwiseInSilence(t *testing.T) {
	count := 5000
	if testing.Short() {
		count = 500
	}
	r := rand.New(rand.NewPCG(7, 11))
	silent, told, hurt := 0, 0, 0
	for n := range count {
		m := makeTable(r)
		k := read(t, m.name, m.text, extract.Options{})
		if m.isRead(k) {
			continue
		}
		if slices.ContainsFunc(k.notices, func(s string) bool { return !strings.HasPrefix(s, "note ") }) {
			if m.hurt {
				hurt++
			} else if told++; told < 8 {
				t.Logf("table %d (%v): %q\n%.300s", n, m.dirt, k.notices[:min(len(k.notices), 4)], m.text)
			}
			continue
		}
		rows, labels := valuesOf(k.records)
		if silent++; silent < 10 {
			t.Errorf("table %d (%v) is read otherwise, and nothing is reported:\n%.600s\nread   %.200q %.400q\nmeant  %.200q %.400q", n,
				m.dirt, m.text, labels, rows, m.labels, m.rows)
		}
	}
	t.Logf("of %d tables %d are read otherwise and told, %d more that have a fault in a row, %d in silence", count, told, hurt, silent)
	if told > count/100 || silent > 0 {
		t.Errorf("of %d tables %d are read otherwise and told, %d in silence", count, told, silent)
	}
}
