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

// write writes the text of the table.
func (m *meant) write(r *rand.Rand) {
	delimiter := []string{",", ",", ";", "\t", "|"}[r.IntN(5)]
	all := r.IntN(4) == 0
	end := []string{"\n", "\n", "\r\n", "\r"}[r.IntN(4)]
	line := func(row []string) string {
		cells := make([]string, len(row))
		for i, text := range row {
			if cells[i] = text; all || strings.ContainsAny(text, delimiter+"\"\r\n") {
				cells[i] = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
			}
		}
		return strings.Join(cells, delimiter)
	}
	var lines []string
	if r.IntN(8) == 0 && len(m.labels) > 1 {
		m.dirt = append(m.dirt, "a title")
		lines = append(lines, "Report of the "+word(r)+" office")
		if r.IntN(2) == 0 {
			lines = append(lines, "")
		}
	}
	if r.IntN(10) == 0 {
		m.dirt = append(m.dirt, "a comment")
		lines = append(lines, "# made by hand")
	}
	head := line(m.labels)
	lines = append(lines, head)
	for k, row := range m.rows {
		if k > 0 && k%20 == 0 && r.IntN(8) == 0 && len(m.labels) > 1 {
			m.dirt = append(m.dirt, "the header again")
			lines = append(lines, "", head)
		}
		lines = append(lines, line(row))
	}
	if r.IntN(10) == 0 && len(m.labels) > 1 {
		m.dirt = append(m.dirt, "a source")
		lines = append(lines, "", "Source: the "+word(r)+" office")
	}
	m.text = strings.Join(lines, end) + end
	if r.IntN(10) == 0 {
		m.text = "\uFEFF" + m.text
	}
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

// No value differs from what was meant unless a warning, a repair or a loss is reported, and nearly all tables
// are read whole.
func TestNoTableIsReadOtherwiseInSilence(t *testing.T) {
	count := 5000
	if testing.Short() {
		count = 500
	}
	r := rand.New(rand.NewPCG(7, 11))
	silent, told := 0, 0
	for n := range count {
		m := makeTable(r)
		k := read(t, m.name, m.text, extract.Options{})
		if m.isRead(k) {
			continue
		}
		if slices.ContainsFunc(k.notices, func(s string) bool { return !strings.HasPrefix(s, "note ") }) {
			if told++; told < 8 {
				t.Logf("table %d (%v): %q\n%.300s", n, m.dirt, k.notices[:min(len(k.notices), 4)], m.text)
			}
			continue
		}
		rows, labels := valuesOf(k.records)
		if silent++; silent < 10 {
			t.Errorf("table %d (%v) is read otherwise, and nothing is reported:\n%.600s\nread   %.200q %.400q\nmeant  %.200q %.400q", n, m.dirt, m.text, labels, rows, m.labels, m.rows)
		}
	}
	t.Logf("of %d tables %d are read otherwise and told, %d in silence", count, told, silent)
	if told > count/100 || silent > 0 {
		t.Errorf("of %d tables %d are read otherwise and told, %d in silence", count, told, silent)
	}
}
