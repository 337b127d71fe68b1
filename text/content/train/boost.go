package main

import (
	"math"
	"math/rand/v2"
	"slices"

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
	features     int              // that may be looked at, from the first
	share        float64          // of the pages for each tree
	leave        func(f int) bool // features that are left out
}

const maxBins = 64

// someFeatures is the share of the features that are looked at for each tree.
const someFeatures = 0.4

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

// sum is a gradient in the upper half, and a curvature in the lower, so that one addition adds both. Both are in
// 1/scale of a weight of a row that is wrong altogether.
type sum int64

// scale leaves room for weights of sixteen million in all: a page has some thousands.
const scale = 128

func sumOf(weight, target, p int32) sum {
	g := int64(weight) * int64(target-p) * scale / 1000
	h := int64(weight) * int64(p) * int64(1000-p) * scale / 1000000
	return sum(g<<32 + h)
}

func (s sum) gradient() float64  { return float64((int64(s) - int64(uint32(s))) >> 32) }
func (s sum) curvature() float64 { return float64(uint32(s)) }

// worth is how much a leaf explains.
func (s sum) worth(l2 float64) float64 {
	g := s.gradient()
	return g * g / (s.curvature() + l2)
}

// boost trains a forest.
func boost(s *sample, o settings) content.Forest {
	rows := len(s.target)
	random := rand.New(rand.NewPCG(1, 2))
	cuts, bins := binned(s, o)
	var target, weight int64
	for i := range s.target {
		target += int64(s.weight[i]) * int64(s.target[i])
		weight += int64(s.weight[i]) * 1000
	}
	mean := min(0.99, max(0.01, float64(target)/float64(max(1, weight))))
	forest := content.Forest{Base: int32(math.Round(1024 * math.Log(mean/(1-mean))))}
	logit := make([]int32, rows)
	for i := range logit {
		logit[i] = forest.Base
	}
	leaf := make([]uint8, rows)
	for range o.trees {
		tree := content.Tree{}
		g := &growth{bins: bins, cuts: cuts, l2: o.l2 * scale}
		for _, r := range rowsOf(s, o.share, random) {
			for i := r[0]; i < r[1]; i++ {
				g.rows = append(g.rows, int32(i))
				g.grad = append(g.grad, sumOf(s.weight[i], s.target[i], probability(logit[i])))
			}
		}
		g.leaf = make([]uint8, len(g.rows))
		for f := range bins {
			if bins[f] != nil && random.Float64() < someFeatures {
				g.features = append(g.features, f)
			}
		}
		g.begin()
		for range o.depth {
			f, cut := g.best()
			if f < 0 {
				break
			}
			tree.Features, tree.Cuts = append(tree.Features, uint8(f)), append(tree.Cuts, cuts[f][cut])
			g.split(bins[f], cut, len(tree.Features) < o.depth)
		}
		if len(tree.Features) == 0 {
			break
		}
		totals := make([]sum, 1<<len(tree.Features))
		for k, l := range g.leaf {
			totals[l] += g.grad[k]
		}
		for _, t := range totals {
			v := math.Round(1024 * o.rate * t.gradient() / (t.curvature() + o.l2*scale))
			tree.Leaves = append(tree.Leaves, int16(max(-8000, min(8000, v))))
		}
		clear(leaf)
		for k, f := range tree.Features {
			for i, v := range s.columns[f] {
				leaf[i] <<= 1
				if v >= tree.Cuts[k] {
					leaf[i]++
				}
			}
		}
		for i := range logit {
			logit[i] += int32(tree.Leaves[leaf[i]])
		}
		forest.Trees = append(forest.Trees, tree)
	}
	return forest
}

// binned cuts each feature that counts.
func binned(s *sample, o settings) (cuts, bins [][]uint8) {
	cuts, bins = make([][]uint8, o.features), make([][]uint8, o.features)
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
		bins[f] = make([]uint8, len(s.target))
		for i, v := range s.columns[f] {
			bins[f][i] = of[v]
		}
	}
	return cuts, bins
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

// growth is a tree that grows, level by level.
type growth struct {
	bins, cuts [][]uint8
	features   []int
	rows       []int32 // those that are looked at, and of each the leaf and the gradient
	leaf       []uint8
	grad       []sum
	l2         float64
	leaves     int
	histograms [][]sum // for each feature the sums of each bin, of each leaf
}

// begin counts all rows in one leaf.
func (g *growth) begin() {
	g.leaves = 1
	g.histograms = make([][]sum, len(g.features))
	for k, f := range g.features {
		h, column := make([]sum, maxBins), g.bins[f]
		for j, r := range g.rows {
			h[column[r]] += g.grad[j]
		}
		g.histograms[k] = h
	}
}

// split cuts each leaf in two. Only the rows of the smaller half are counted: the other half is what they leave.
func (g *growth) split(column []uint8, cut int, goesOn bool) {
	count := make([]int, 2*g.leaves)
	for j, r := range g.rows {
		l := 2 * g.leaf[j]
		if int(column[r]) > cut {
			l++
		}
		g.leaf[j] = l
		count[l]++
	}
	if !goesOn {
		return
	}
	isSmall := make([]bool, len(count))
	for l := 0; l < len(count); l += 2 {
		if count[l] < count[l+1] {
			isSmall[l] = true
		} else {
			isSmall[l+1] = true
		}
	}
	var rows []int32
	var at []int32
	var grad []sum
	for j, l := range g.leaf {
		if isSmall[l] {
			rows, at, grad = append(rows, g.rows[j]), append(at, int32(l)*maxBins), append(grad, g.grad[j])
		}
	}
	for k, f := range g.features {
		h, column := make([]sum, len(count)*maxBins), g.bins[f]
		for j, r := range rows {
			h[at[j]+int32(column[r])] += grad[j]
		}
		for l, small := range isSmall {
			if small {
				continue
			}
			whole := g.histograms[k][l/2*maxBins:][:maxBins]
			to, other := h[l*maxBins:][:maxBins], h[(l^1)*maxBins:][:maxBins]
			for b, v := range whole {
				to[b] = v - other[b]
			}
		}
		g.histograms[k] = h
	}
	g.leaves = len(count)
}

// best finds the question that tells most of all leaves.
func (g *growth) best() (feature, cut int) {
	feature = -1
	most := 0.0
	var gains [maxBins]float64
	for k, f := range g.features {
		cuts := len(g.cuts[f])
		clear(gains[:])
		for l := range g.leaves {
			h := g.histograms[k][l*maxBins:][:maxBins]
			total := sum(0)
			for _, v := range h {
				total += v
			}
			if total == 0 {
				continue
			}
			left := sum(0)
			for c := range cuts {
				left += h[c]
				gains[c] += left.worth(g.l2) + (total - left).worth(g.l2)
			}
		}
		for c, gain := range gains[:cuts] {
			if gain > most {
				most, feature, cut = gain, f, c
			}
		}
	}
	return feature, cut
}
