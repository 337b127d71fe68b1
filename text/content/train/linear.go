package main

import (
	"math"
	"math/rand/v2"

	"laundromat/text/content"
)

// How the linear model learns: how often it sees each row, how far it goes, how much of a weight is lost again with
// each row, and of how many pages a term must be.
const (
	linearRounds = 5
	linearRate   = 0.005
	linearLoss   = 0.003
	linearPages  = 3
)

// term is one of a row: the number of its weight, and how much it counts.
type term struct {
	at    int32
	value float32
}

// linearRow is what a linear model learns from a block.
type linearRow struct {
	terms          []term
	target, weight float64
}

// termBase is the number of the first weight of each kind of term, and of the end of all.
var termBase = func() (base [content.Terms + 1]int32) {
	for k := range content.Terms {
		base[k+1] = base[k] + int32(content.TermEntries(k))
	}
	return base
}()

// linearRows are the rows of a page that a linear model learns from.
func linearRows(p *page, o plan, random *rand.Rand) (rows []linearRow) {
	for i := range p.words {
		weight := p.weight(i, o, random)
		if weight == 0 {
			continue
		}
		r := linearRow{target: float64(p.targets[i]) / 1000, weight: float64(weight) / 1000}
		p.table.EachTerm(i, func(kind int, h content.Hash, value int32) {
			r.terms = append(r.terms, term{termBase[kind] + int32(h), float32(value) / 256})
		})
		rows = append(rows, r)
	}
	return rows
}

// descent is how a weight goes down: the less, the more it has gone.
type descent struct{ weight, squares float64 }

func (d *descent) step(gradient float64) {
	d.squares += float64(gradient * gradient)
	d.weight -= float64(linearRate*gradient) / math.Sqrt(1e-3+d.squares)
}

// linear learns a logistic regression of pages. What is rounded at each step is the same on each machine: products are
// made float64 before they are added, so that none is fused with an addition.
func linear(pages [][]linearRow) *content.Linear {
	count := termBase[content.Terms]
	weights := make([]descent, count)
	last, seen := make([]int32, count), make([]int32, count) // the last page that had a term, and how many had
	var all []linearRow
	for k, rows := range pages {
		for _, r := range rows {
			for _, t := range r.terms {
				if last[t.at] != int32(k+1) {
					last[t.at] = int32(k + 1)
					seen[t.at]++
				}
			}
		}
		all = append(all, rows...)
	}
	random := rand.New(rand.NewPCG(7, 8))
	var bias descent
	for range linearRounds {
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, r := range all {
			x := bias.weight
			for _, t := range r.terms {
				x += float64(weights[t.at].weight * float64(t.value))
			}
			wrong := (1/(1+math.Exp(-x)) - r.target) * r.weight
			bias.step(wrong)
			for _, t := range r.terms {
				if w := &weights[t.at]; seen[t.at] >= linearPages {
					w.step(float64(wrong*float64(t.value)) + float64(linearLoss*r.weight*w.weight))
				}
			}
		}
	}
	l := &content.Linear{Bias: int16(math.Round(64 * bias.weight))}
	for k := range content.Terms {
		for _, w := range weights[termBase[k]:termBase[k+1]] {
			l.Weights[k] = append(l.Weights[k], int8(max(-127, min(127, math.Round(64*w.weight)))))
		}
	}
	return l
}
