package reconcile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// reason is a field that decided, or what the whole records have in common.
type reason struct {
	field string // empty for the whole records
	words string
	worth float64
	// against says that it speaks against the records being the same, by itself and not beside those of other pairs.
	against bool
}

// mostReasons is how many are given for a pair.
const mostReasons = 4

// reasons are the largest terms of the regression, beside those of pairs that are not the same; terms of one field
// are one.
func (e *Engine) reasons(x, typical []float64) []reason {
	if e.model == nil {
		return nil
	}
	term := func(j int) float64 {
		if e.model.scale[j] < 1e-9 {
			return 0
		}
		return e.model.weights[j] * (x[j] - typical[j]) / e.model.scale[j]
	}
	var all []reason
	for i, c := range e.columns {
		at := wholeFeatures + perField*i
		worth := 0.0
		for j := range perField {
			worth += term(at + j)
		}
		switch q := x[at+fieldLikeness]; {
		case x[at+fieldMissing] == 0:
			all = append(all, reason{c.name, likenessWords(q), worth, false})
		case x[at+fieldAnywhereMore] >= .5:
			all = append(all, reason{c.name, "its words are elsewhere in the other record", worth, false})
		}
	}
	for _, w := range [...]struct {
		features []int
		words    string
	}{
		{
			[]int{cosWords, cosGrams, cosWordsSquare, cosGramsSquare, cosLarger, contained, lackedByA, lackedByB},
			fmt.Sprintf("the records have %.0f %% of their words in common", 100*x[contained]),
		},
		{[]int{sharedCode, codeConflict, codePrefix}, codeWords(x)},
		{[]int{numbersShared, numbersDiffer}, numberWords(x)},
	} {
		worth := 0.0
		for _, j := range w.features {
			worth += term(j)
		}
		if w.words != "" {
			all = append(all, reason{"", w.words, worth, false})
		}
	}
	return largest(all)
}

// largest keeps the reasons that count most.
func largest(all []reason) []reason {
	slices.SortStableFunc(all, func(a, b reason) int {
		return cmp.Or(cmp.Compare(math.Abs(b.worth), math.Abs(a.worth)), strings.Compare(a.field, b.field),
			strings.Compare(a.words, b.words))
	})
	all = all[:min(len(all), mostReasons)]
	return slices.Clone(all)
}

func likenessWords(q float64) string {
	switch {
	case q >= .995:
		return "equal"
	case q >= .85:
		return fmt.Sprintf("nearly equal (%.2f)", q)
	case q >= .5:
		return fmt.Sprintf("alike (%.2f)", q)
	}
	return "different"
}

func codeWords(x []float64) string {
	switch {
	case x[sharedCode] > 0:
		return "they have a code in common"
	case x[codePrefix] > 0:
		return "a code of one begins with that of the other"
	case x[codeConflict] > 0:
		return "their codes are different"
	}
	return ""
}

func numberWords(x []float64) string {
	switch {
	case x[numbersShared] > 0:
		return "they have numbers in common"
	case x[numbersDiffer] > 0:
		return "their numbers are different"
	}
	return ""
}

// words says in a sentence why two records are taken for the same: what speaks for it, and then what does not.
func words(all []reason) string {
	var b strings.Builder
	for _, against := range [...]bool{false, true} {
		isFirst := true
		for _, r := range all {
			if r.against != against {
				continue
			}
			if b.Len() > 0 {
				b.WriteString("; ")
			}
			if against && isFirst {
				b.WriteString("but ")
			}
			isFirst = false
			if r.field != "" {
				b.WriteString(r.field)
				b.WriteByte(' ')
			}
			b.WriteString(r.words)
		}
	}
	return b.String()
}

// fieldsOf are the fields that decided.
func fieldsOf(all []reason) (fields []string) {
	for _, r := range all {
		if r.field != "" {
			fields = append(fields, r.field)
		}
	}
	return fields
}
