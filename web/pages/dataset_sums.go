package pages

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
)

// sums are the statements of a document, as a picture of two bars of one scale. One is of those that were read,
// the other, below it, of what became of those that stay.
type sums struct {
	digest.Statements
	IsKnown bool
	Read    []piece // kept + repaired + dropped
	Stayed  []piece // written + duplicates
}

// piece is a part of a bar, in thousandths of its length.
type piece struct {
	Name     string
	N        int64
	Share    string // in percent
	X, Width string
}

func sumsOf(s *digest.Statements) (all sums) {
	if s == nil {
		return all
	}
	all.Statements, all.IsKnown = *s, true
	all.Read = piecesOf(s.Read, counted{"kept", s.Kept}, counted{"repaired", s.Repaired}, counted{"dropped", s.Dropped})
	all.Stayed = piecesOf(s.Read, counted{"written", s.Written}, counted{"duplicates", s.Duplicates})
	return all
}

// counted is a name with a count.
type counted struct {
	name string
	n    int64
}

// leastPiece is the width of a piece that can still be seen.
const leastPiece = 4

func piecesOf(whole int64, parts ...counted) (all []piece) {
	at := 0.0
	for _, part := range parts {
		p := piece{Name: part.name, N: part.n, Share: shareOf(part.n, whole)}
		if whole > 0 && part.n > 0 {
			width := min(max(leastPiece, 1000*float64(part.n)/float64(whole)), max(1000-at, leastPiece))
			p.X, p.Width = decimal(min(at, 1000-leastPiece)), decimal(width)
			at += width
		}
		all = append(all, p)
	}
	return all
}

func decimal(n float64) string { return strconv.FormatFloat(n, 'f', 1, 64) }

// shareOf is a part in percent, never 0 or 100 of what is some or not all.
func shareOf(part, whole int64) string {
	if whole <= 0 {
		return ""
	}
	percent := 100 * float64(part) / float64(whole)
	switch {
	case part > 0 && percent < 0.1:
		return "< 0.1 %"
	case part < whole && percent > 99.9:
		return "> 99.9 %"
	}
	return strings.TrimSuffix(strconv.FormatFloat(percent, 'f', 1, 64), ".0") + " %"
}

// sourceCount is how many statements were in one kind of a page's markup.
type sourceCount struct {
	Name string
	N    int64
}

func sourcesOf(sources map[string]int64) (all []sourceCount) {
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		all = append(all, sourceCount{name, sources[name]})
	}
	return all
}

// codeCount is how often a code of notices was found.
type codeCount struct {
	Info  fault.Info
	Times int64
	Bar   bar
}

// codesOf are the codes, the most frequent first.
func codesOf(notices map[fault.Code]int64) (all []codeCount) {
	most := int64(0)
	for code, n := range notices {
		info := infoOf(code)
		info.Code = code
		all = append(all, codeCount{Info: info, Times: n})
		most = max(most, n)
	}
	slices.SortFunc(all, func(a, b codeCount) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.Info.Code, b.Info.Code))
	})
	for i := range all {
		all[i].Bar = bar{all[i].Times, most}
	}
	return all
}
