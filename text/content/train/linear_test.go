package main

import (
	"reflect"
	"testing"

	"laundromat/text/content"
)

// TestTheLinearModelLearnsWhatTermsSay: a term of main content has a weight above 0, one of the rest below, one of both
// none to speak of, and one of too few pages none at all. The same rows give the same model.
func TestTheLinearModelLearnsWhatTermsSay(t *testing.T) {
	const good, bad, both, rare = 1, 2, 3, 4
	var pages [][]linearRow
	for i := range 40 {
		rows := []linearRow{
			{terms: []term{{good, 1}, {both, 1}}, target: 1, weight: 1},
			{terms: []term{{bad, 1}, {both, 1}}, target: 0, weight: 1},
		}
		if i < linearPages-1 {
			rows[0].terms = append(rows[0].terms, term{rare, 1})
		}
		pages = append(pages, rows)
	}
	l := linear(pages)
	w := l.Weights[content.TermWords]
	if w[good] < 4 || w[bad] > -4 || max(w[both], -w[both]) > w[good]/4 || w[rare] != 0 {
		t.Errorf("weights are %d, %d, %d, %d", w[good], w[bad], w[both], w[rare])
	}
	if !reflect.DeepEqual(l, linear(pages)) {
		t.Errorf("the same rows give another model")
	}
}
