package extract_test

import (
	"fmt"
	"strings"
	"testing"
)

// A row that is cut pays for the signs in each of its cells. A table of many columns must not be cheaper as rows of one
// field.
func TestWideTablesAreCutAsNarrowOnesAre(t *testing.T) {
	for _, kind := range []struct{ name, label, values, delimiters string }{
		{"numbers with a decimal comma", "v%d", "12,5 3,25 140,75", ";\t|"},
		{"numbers of which some have a decimal comma", "v%d", "12,5 7 0,25 40", ";\t|"},
		{"numbers with both separators", "v%d", "1.234,50 17.000,00 2.120,75", ";\t|"},
		{"thousands with commas", "v%d", "1,234 17,000 2,120,750", ";\t|"},
		{"coordinates", "v%d", "52.1,4.33 -3.25,10.5 0.5,-7.125", ";\t|"},
		{"names, the last one first", "v%d", "Smith,_Ann Doe,_John Lee,_Bo", ";\t|"},
		{"lists", "v%d", "red;blue one;two;three mill", "\t|"},
		{"lists with bars", "v%d", "red|blue one|two|three mill", ";\t"},
		{"times", "v%d", "05:40 21:30 07:15", ",;\t|"},
		{"labels in marks", "\"v%d\"", "12,5 3,25 140,75", ";\t|"},
	} {
		for _, delimiter := range strings.Split(kind.delimiters, "") {
			for _, width := range []int{2, 9, 10, 11, 20, 40, 90} {
				for _, named := range []bool{false, true} { // R puts a column of names without a label first
					text, meant := wideTable(kind.label, strings.Fields(kind.values), delimiter, width, named)
					if got := readTable(t, text); got != meant {
						t.Errorf("%s, %q, %d columns: read\n%.200s\nmeant\n%.200s", kind.name, delimiter, width, got, meant)
					}
				}
			}
		}
	}
}

// wideTable is a table of so many columns, and what it is meant to say. A value's low line is a space.
func wideTable(label string, values []string, delimiter string, width int, named bool) (text, meant string) {
	var lines, reading []string
	for row := range 6 {
		var cells, plain []string
		if named && row == 0 {
			cells, plain = append(cells, `""`), append(plain, "")
		} else if named {
			cells, plain = append(cells, fmt.Sprintf("\"r%d x\"", row)), append(plain, fmt.Sprintf("r%d x", row))
		}
		for i := range width {
			cell := strings.ReplaceAll(values[(row*7+i)%len(values)], "_", " ")
			if row == 0 {
				cell = fmt.Sprintf(label, i)
			}
			cells, plain = append(cells, cell), append(plain, strings.ReplaceAll(strings.Trim(cell, `"`), "|", "/"))
		}
		if named && row == 0 {
			plain[0] = "column_1"
		}
		lines, reading = append(lines, strings.Join(cells, delimiter)), append(reading, strings.Join(plain, "|"))
	}
	return strings.Join(lines, "\n") + "\n", strings.Join(reading, "\n")
}
