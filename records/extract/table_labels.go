package extract

import (
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/fault"
)

// makeLabels makes the names of the fields out of the header: a blank one is column_N, the
// n-th of the same name is name_N.
func (t *table) makeLabels(places [][]fault.Pos) {
	l := &t.layout
	width := l.width
	if len(t.source.Labels) > 0 {
		width = max(width, len(t.source.Labels))
	}
	t.labels, t.raw, t.places = make([]string, width), make([]string, width), make([]fault.Pos, width)
	join := " "
	if t.source.HeaderJoin != nil {
		join = *t.source.HeaderJoin
	}
	shift := 0
	if l.names {
		shift = 1
		t.notice(fault.Notice{Code: fault.TableHeaderShort, Severity: fault.Warning, Pos: places[0][0],
			Message: "the header has a label too few; the first column counts or names the rows, so it is taken for the one without"})
	}
	used, counts := map[string]bool{}, map[string]int{}
	for i := range t.labels {
		name, at := t.labelAt(i-shift, join), fault.Pos{}
		if len(places) > 0 && i-shift >= 0 && i-shift < len(places[0]) {
			at = places[0][i-shift]
		}
		if i < len(t.source.Labels) {
			name = t.source.Labels[i]
		}
		if l.hash && i == 0 {
			name = strings.TrimSpace(strings.TrimPrefix(name, "#"))
		}
		t.raw[i], t.places[i] = name, at
		if t.hasLineEnd(i - shift) {
			t.notice(fault.Notice{Code: fault.TableLabelLines, Severity: fault.Note, Pos: at, Field: name,
				Message: fmt.Sprintf("the label of field %d goes over several lines, which are joined by spaces", i+1)})
		}
		if name == "" {
			name = fmt.Sprintf("column_%d", i+1)
			if len(t.header) > 0 {
				t.notice(fault.Notice{Code: fault.TableLabelBlank, Severity: fault.Warning, Pos: at, Field: name,
					Message: fmt.Sprintf("field %d has no label; it is called %s", i+1, name)})
			}
		}
		counts[name]++
		if used[name] {
			same := name
			for n := max(counts[same], 2); used[name]; n++ {
				name = fmt.Sprintf("%s_%d", same, n)
			}
			t.notice(fault.Notice{Code: fault.TableLabelAgain, Severity: fault.Warning, Pos: at, Field: name,
				Message: fmt.Sprintf("the label %q is there already; field %d is called %s", same, i+1, name)})
		}
		used[name] = true
		t.labels[i] = name
	}
}

// hasLineEnd says whether a label of a column has a line end in it.
func (t *table) hasLineEnd(i int) bool {
	return i >= 0 && slices.ContainsFunc(t.header, func(h []string) bool {
		return i < len(h) && strings.ContainsAny(strings.TrimSpace(h[i]), "\r\n")
	})
}

// labelAt joins the rows of the header in one column. A group's label holds for the blank
// cells behind it, but not in the last row.
func (t *table) labelAt(i int, join string) string {
	if i < 0 {
		return ""
	}
	var parts []string
	for n, h := range t.header {
		k := i
		for n+1 < len(t.header) && k > 0 && (k >= len(h) || strings.TrimSpace(h[k]) == "") {
			k--
		}
		// A group goes as far as the labels of the last row do not say otherwise.
		if k < len(h) && (k == i || strings.TrimSpace(h[0]) == "" || k > 0) {
			if part := strings.Join(strings.Fields(h[k]), " "); part != "" && (len(parts) == 0 || parts[len(parts)-1] != part) {
				parts = append(parts, part)
			}
		}
	}
	return strings.Join(parts, join)
}
