package extract

import (
	"context"
	"strings"
)

// IsPrinted says that a text begins as a table does that a program printed for people: with its cells at columns of
// characters, between bars, or apart by single spaces, as R writes them. A text that only holds such a table, or whose
// lines are indented, is none: two thirds of its lines must be rows.
func IsPrinted(ctx context.Context, text []byte, whole bool) bool {
	if len(text) > searchBytes {
		text, whole = text[:searchBytes], false
	}
	text, said, _ := separatorLine(text)
	x := newSearch(ctx, text, whole, &Source{}, 0)
	switch d := x.find(said).dialect; {
	case d.form == printed, d.form == aligned:
		return isMostlyRows(x.rows)
	default:
		return d.delimiter == ' ' && isSpaced(text)
	}
}

// isMostlyRows says that two thirds of the lines have two cells that hold something, or more.
func isMostlyRows(rows []*row) bool {
	lines, full := 0, 0
	for _, r := range rows {
		if r.blank || r.comment {
			continue
		}
		cells := 0
		for _, text := range r.texts {
			if strings.TrimSpace(text) != "" {
				cells++
			}
		}
		lines++
		if cells > 1 {
			full++
		}
	}
	return full*3 >= lines*2
}
