package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"laundromat/text/content"
)

// sample is a set of rows with features, what they are to be, and what each weighs.
type sample struct {
	columns [][]uint8
	target  []int32 // in thousandths
	weight  []int32
	groups  []int // where the rows of each page begin, and the end of all
}

type settings struct {
	trees, depth int
	rate         float64
	l2           float64
	features     int // that are looked at, from the first
	share        float64
	leave        func(f int) bool // features that are left out
}

const maxBins = 64

// sigmoid are the probabilities of logits, as a model holds them.
var sigmoid = func() []uint16 {
	all := make([]uint16, 1024)
	for i := range all {
		x := (float64(i)+0.5)/64 - 8
		all[i] = uint16(min(999, max(1, math.Round(1000/(1+math.Exp(-x))))))
	}
	return all
}()

func probability(sum int32) int32 { return int32(sigmoid[max(0, min(1023, (sum+8*1024)>>4))]) }

// cutsOf chooses the cuts of a feature so that about as many rows are between each two.
func cutsOf(column []uint8) (cuts []uint8) {
	var count [256]int
	for _, v := range column {
		count[v]++
	}
	left := len(column)
	bin := 0
	first := true
	for v := range count {
		if count[v] == 0 {
			continue
		}
		if !first && (bin >= max(1, left/(maxBins-len(cuts)))) && len(cuts) < maxBins-1 {
			cuts = append(cuts, uint8(v))
			left -= bin
			bin = 0
		}
		first = false
		bin += count[v]
	}
	return cuts
}

type sums struct{ g, h int64 }

// boost trains a forest.
func boost(s *sample, o settings) content.Forest {
	rows := len(s.target)
	random := rand.New(rand.NewPCG(1, 2))
	cuts := make([][]uint8, o.features)
	bins := make([][]uint8, o.features)
	for f := range bins {
		if o.leave != nil && o.leave(f) {
			continue
		}
		cuts[f] = cutsOf(s.columns[f])
		if len(cuts[f]) == 0 {
			continue
		}
		var of [256]uint8
		for v := range of {
			n, found := slices.BinarySearch(cuts[f], uint8(v))
			if found {
				n++
			}
			of[v] = uint8(n)
		}
		bins[f] = make([]uint8, rows)
		for i, v := range s.columns[f] {
			bins[f][i] = of[v]
		}
	}
	var all sums
	for i := range s.target {
		all.g += int64(s.weight[i]) * int64(s.target[i])
		all.h += int64(s.weight[i]) * 1000
	}
	mean := min(0.99, max(0.01, float64(all.g)/float64(max(1, all.h))))
	forest := content.Forest{Base: int32(math.Round(1024 * math.Log(mean/(1-mean))))}
	logit := make([]int32, rows)
	for i := range logit {
		logit[i] = forest.Base
	}
	leaf := make([]uint8, rows)
	grad := make([]sums, rows)
	for range o.trees {
		tree := content.Tree{}
		chosen := rowsOf(s, o.share, random)
		for i := range rows {
			p := probability(logit[i])
			grad[i] = sums{int64(s.weight[i]) * int64(s.target[i]-p), int64(s.weight[i]) * int64(p) * int64(1000-p) / 1000}
		}
		clear(leaf)
		var features []int
		for f := range bins {
			if bins[f] != nil && random.Float64() < 0.6 {
				features = append(features, f)
			}
		}
		split := &search{bins, cuts, features, leaf, grad, chosen, o.l2}
		for level := range o.depth {
			f, cut := split.best(1 << level)
			if f < 0 {
				break
			}
			tree.Features, tree.Cuts = append(tree.Features, uint8(f)), append(tree.Cuts, cuts[f][cut])
			for i, b := range bins[f] {
				leaf[i] <<= 1
				if int(b) > cut {
					leaf[i]++
				}
			}
		}
		if len(tree.Features) == 0 {
			break
		}
		totals := make([]sums, 1<<len(tree.Features))
		for _, r := range chosen {
			for i := r[0]; i < r[1]; i++ {
				totals[leaf[i]].g += grad[i].g
				totals[leaf[i]].h += grad[i].h
			}
		}
		for _, t := range totals {
			v := math.Round(1024 * o.rate * float64(t.g) / (float64(t.h) + o.l2))
			tree.Leaves = append(tree.Leaves, int16(max(-8000, min(8000, v))))
		}
		for i := range logit {
			logit[i] += int32(tree.Leaves[leaf[i]])
		}
		forest.Trees = append(forest.Trees, tree)
	}
	return forest
}

// rowsOf chooses pages, and gives their rows.
func rowsOf(s *sample, share float64, random *rand.Rand) (chosen [][2]int) {
	for g := 0; g+1 < len(s.groups); g++ {
		if random.Float64() < share {
			chosen = append(chosen, [2]int{s.groups[g], s.groups[g+1]})
		}
	}
	return chosen
}

// search is what the questions of a level are looked for in.
type search struct {
	bins, cuts [][]uint8
	features   []int
	leaf       []uint8
	grad       []sums
	chosen     [][2]int
	l2         float64
}

// best finds the question that tells most of so many leaves.
func (s *search) best(leaves int) (feature, cut int) {
	bins, cuts, features, leaf, grad, chosen, l2 := s.bins, s.cuts, s.features, s.leaf, s.grad, s.chosen, s.l2
	type found struct {
		gain float64
		cut  int
	}
	results := make([]found, len(features))
	var wait sync.WaitGroup
	for part := range 2 {
		wait.Go(func() {
			histogram := make([]sums, leaves*maxBins)
			for k := part; k < len(features); k += 2 {
				f := features[k]
				clear(histogram)
				column := bins[f]
				for _, r := range chosen {
					for i := r[0]; i < r[1]; i++ {
						h := &histogram[int(leaf[i])*maxBins+int(column[i])]
						h.g += grad[i].g
						h.h += grad[i].h
					}
				}
				best := found{gain: -1}
				totals, left := make([]sums, leaves), make([]sums, leaves)
				for l := range leaves {
					for b := range maxBins {
						totals[l].g += histogram[l*maxBins+b].g
						totals[l].h += histogram[l*maxBins+b].h
					}
				}
				for c := range cuts[f] {
					gain := 0.0
					for l := range leaves {
						h := histogram[l*maxBins+c]
						left[l].g += h.g
						left[l].h += h.h
						lg, lh := float64(left[l].g), float64(left[l].h)
						rg, rh := float64(totals[l].g-left[l].g), float64(totals[l].h-left[l].h)
						gain += float64(lg*lg)/(lh+l2) + float64(rg*rg)/(rh+l2)
					}
					if gain > best.gain {
						best = found{gain, c}
					}
				}
				results[k] = best
			}
		})
	}
	wait.Wait()
	feature = -1
	most := 0.0
	for k, r := range results {
		if r.gain > most {
			most, feature, cut = r.gain, features[k], r.cut
		}
	}
	return feature, cut
}
