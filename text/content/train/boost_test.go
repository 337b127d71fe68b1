package main

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSumsHoldGradientAndCurvature of many rows, and their differences do, too.
func TestSumsHoldGradientAndCurvature(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var whole, part sum
	var g, h [2]float64
	for i := range 100_000 {
		weight, target, p := 1+random.Int32N(150), random.Int32N(1001), 1+random.Int32N(999)
		s := sumOf(weight, target, p)
		whole += s
		k := i % 2
		if k == 0 {
			part += s
		}
		g[k] += math.Trunc(float64(weight) * float64(target-p) * scale / 1000)
		h[k] += math.Trunc(float64(weight) * float64(p) * float64(1000-p) * scale / 1e6)
	}
	for _, c := range []struct {
		name string
		have sum
		g, h float64
	}{{"whole", whole, g[0] + g[1], h[0] + h[1]}, {"part", part, g[0], h[0]}, {"rest", whole - part, g[1], h[1]}} {
		if c.have.gradient() != c.g || c.have.curvature() != c.h {
			t.Errorf("%s: %g and %g, not %g and %g", c.name, c.have.gradient(), c.have.curvature(), c.g, c.h)
		}
	}
}

// TestHalvesThatAreNotCountedAreWhatTheOthersLeave: all histograms are those of counting each row.
func TestHalvesThatAreNotCountedAreWhatTheOthersLeave(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const rows, features = 500, 5
	g := &growth{bins: make([][]uint8, features), cuts: make([][]uint8, features), l2: 1}
	for f := range features {
		g.features = append(g.features, f)
		g.cuts[f] = make([]uint8, maxBins-1)
		g.bins[f] = make([]uint8, rows)
		for i := range g.bins[f] {
			g.bins[f][i] = uint8(random.IntN(maxBins))
		}
	}
	for i := range rows {
		if random.IntN(3) > 0 {
			g.rows = append(g.rows, int32(i))
			g.grad = append(g.grad, sumOf(1+random.Int32N(1000), random.Int32N(1001), 1+random.Int32N(999)))
		}
	}
	g.leaf = make([]uint8, len(g.rows))
	g.begin()
	for level := range 4 {
		g.split(g.bins[level], 5+random.IntN(50), true)
		for f := range features {
			want := make([]sum, g.leaves*maxBins)
			for k, r := range g.rows {
				want[int(g.leaf[k])*maxBins+int(g.bins[f][r])] += g.grad[k]
			}
			for i, w := range want {
				if have := g.histograms[f][i]; have != w {
					t.Fatalf("level %d, feature %d, bin %d: %d, not %d", level, f, i, have, w)
				}
			}
		}
	}
}

// TestTreesLearnWhatRowsSay: rows whose target is in their features are told apart, as are those that need two of them.
func TestTreesLearnWhatRowsSay(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	s := &sample{columns: make([][]uint8, 8)}
	for i := range 4000 {
		if i%40 == 0 {
			s.groups = append(s.groups, i)
		}
		for f := range s.columns {
			s.columns[f] = append(s.columns[f], uint8(random.IntN(256)))
		}
		y := int32(0)
		if (s.columns[2][i] > 100) != (s.columns[5][i] > 180) {
			y = 1000
		}
		s.target, s.weight = append(s.target, y), append(s.weight, 1000)
	}
	s.groups = append(s.groups, len(s.target))
	o := settings{trees: 60, depth: 3, rate: 0.3, l2: 1, features: len(s.columns), share: 0.7}
	forest := boost(s, o)
	sums := forest.Score(padColumns(s.columns), len(s.target))
	wrong := 0
	for i, y := range s.target {
		if (sums[i] > 0) != (y > 500) {
			wrong++
		}
	}
	if wrong > len(sums)/50 {
		t.Errorf("%d of %d rows are wrong", wrong, len(sums))
	}
}

// padColumns gives columns the room that rows asked together need.
func padColumns(columns [][]uint8) [][]uint8 {
	var padded [][]uint8
	for _, c := range columns {
		padded = append(padded, append(make([]uint8, 0, len(c)+8), c...))
	}
	return padded
}
