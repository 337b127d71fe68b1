package reconcile

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sort"
)

// matching finds which records of two tables are the same, from scores of pairs.
type matching struct {
	pairs    []pair
	firsts   int // records of the first table
	n        int
	fixed    map[int]bool // pairs, by their numbers, of which a person said whether they are the same
	selected []int        // pairs that are mutual best

	best []int // of each record its best pair, -1 for none
}

// decoy is a pair that is certainly wrong: the best that a record found when its own was hidden.
type decoy struct {
	z, weight float64
}

// parts is in how many parts pairs are hidden.
const parts = 8

// fewPairs is how many selected pairs are few. Then hardly an orphan is the best of what it finds, since the
// others have partners, and so whatever an orphan finds counts as a decoy: too many rather than too few.
const fewPairs = 100

// partOf is the part in which a pair is hidden. Records are numbered by hashes, so that their numbers spread.
func partOf(p pair) int { return int(mix(uint64(p.a)<<32|uint64(p.b)) % parts) }

// mutual calls found with each pair that is the best of both its records, of those that hidden does not hide.
func (m *matching) mutual(hidden func(record uint32) bool, found func(at int)) {
	if m.best == nil {
		m.best = make([]int, m.n)
	}
	for i := range m.best {
		m.best[i] = -1
	}
	for i := range m.pairs {
		p := &m.pairs[i]
		if p.z == math.Inf(-1) || hidden != nil && (hidden(p.a) || hidden(p.b)) {
			continue
		}
		if at := m.best[p.a]; at < 0 || m.pairs[at].z < p.z {
			m.best[p.a] = i
		}
		if at := m.best[p.b]; at < 0 || m.pairs[at].z < p.z {
			m.best[p.b] = i
		}
	}
	for a := range m.firsts {
		if at := m.best[a]; at >= 0 && m.best[m.pairs[at].b] == at {
			found(at)
		}
	}
}

// decoys hides the partners of the selected pairs, each with a weight, and says what their records find then:
// those of the first table, and those of the second. The weight of a decoy is the chance that a record without a
// partner finds it. anyHidden says that partners were hidden.
func (m *matching) decoys(weights []float64) (sides [2][]decoy, anyHidden bool) {
	for side := range 2 {
		var own []decoy // the pairs that were hidden
		for part := range parts {
			orphans := map[uint32]float64{}
			hidden := map[uint32]bool{}
			for i, at := range m.selected {
				p := m.pairs[at]
				if weights[i] <= .5 || partOf(p) != part || m.fixed[at] {
					continue
				}
				if side == 0 {
					orphans[p.a], hidden[p.b] = weights[i], true
				} else {
					orphans[p.b], hidden[p.a] = weights[i], true
				}
				own = append(own, decoy{p.z, weights[i]})
			}
			if len(orphans) == 0 {
				continue
			}
			isHidden := func(r uint32) bool { return hidden[r] }
			if len(m.selected) < fewPairs {
				m.mutual(isHidden, func(int) {})
				for _, r := range slices.Sorted(maps.Keys(orphans)) {
					if at := m.best[r]; at >= 0 {
						sides[side] = append(sides[side], decoy{m.pairs[at].z, orphans[r]})
					}
				}
				continue
			}
			m.mutual(isHidden, func(at int) {
				r := m.pairs[at].a
				if side == 1 {
					r = m.pairs[at].b
				}
				if w, is := orphans[r]; is {
					sides[side] = append(sides[side], decoy{m.pairs[at].z, w})
				}
			})
		}
		anyHidden = anyHidden || len(own) > 0
		untruncate(sides[side], own)
	}
	return sides, anyHidden
}

// untruncate makes the weights of decoys the chances that a record without a partner finds them. What a record finds
// when its own partner is hidden is never better than that: it would have been taken in its place. So a decoy tells
// only of those records whose own pair is as good as it at least. This is the product-limit estimate for truncated
// values (Lynden-Bell). The number of records that a decoy tells of counts as no less than half of all, since few of
// them would decide for all.
func untruncate(decoys, own []decoy) {
	for _, all := range [...][]decoy{decoys, own} {
		slices.SortFunc(all, func(x, y decoy) int { return cmp.Or(cmp.Compare(y.z, x.z), cmp.Compare(y.weight, x.weight)) })
	}
	all := 0.0
	for _, o := range own {
		all += o.weight
	}
	at, told, left := 0, 0.0, 1.0
	for i := range decoys {
		for at < len(own) && own[at].z >= decoys[i].z {
			told += own[at].weight
			at++
		}
		w := decoys[i].weight
		decoys[i].weight = left * min(1, w/max(told, all/2))
		left -= decoys[i].weight
		told -= w
	}
}

// tail is how the chance to find a decoy falls from a score on: exponentially, as the largest of many values do. So
// where hundreds of decoys end, it does not end at once for thousands of records.
type tail struct{ from, chance, mean float64 }

// tailOf is the tail of decoys, the best first: it begins at the last of twice the square root of their number.
func tailOf(decoys []decoy) tail {
	if len(decoys) == 0 {
		return tail{from: math.Inf(1)}
	}
	n := min(len(decoys), int(2*math.Sqrt(float64(len(decoys)))))
	t := tail{from: decoys[n-1].z}
	for _, d := range decoys[:n] {
		t.chance += d.weight
		t.mean += d.weight * (d.z - t.from)
	}
	if t.mean /= t.chance; !(t.mean > 0) {
		t.from = math.Inf(1)
	}
	return t
}

// above is the chance to find a decoy of a score or a better one.
func (t tail) above(z float64) float64 { return t.chance * math.Exp((t.from-z)/t.mean) }

// estimate is what the decoys say of the selected pairs.
type estimate struct {
	matches   float64 // how many there are
	cut       float64 // the score from which pairs are accepted
	accepted  int
	precision float64 // expected, of the accepted
	doubled   bool    // most orphans find another partner that is as good: tables have doubles in themselves
}

// estimate finds the cut. sideWeights says how much the decoys of each side count.
func (m *matching) estimate(sides [2][]decoy, sideWeights [2]float64) estimate {
	scores := make([]float64, 0, len(m.selected))
	for _, at := range m.selected {
		scores = append(scores, m.pairs[at].z)
	}
	slices.SortFunc(scores, func(a, b float64) int { return cmp.Compare(b, a) })
	size := [2]float64{float64(m.firsts), float64(m.n - m.firsts)}
	tails := [2]tail{tailOf(sides[0]), tailOf(sides[1])}
	var at [2]int
	var sum [2]float64
	share := func(side int, z float64) float64 {
		d := sides[side]
		for at[side] < len(d) && d[at[side]].z >= z {
			sum[side] += d[at[side]].weight
			at[side]++
		}
		if z > tails[side].from {
			return tails[side].above(z)
		}
		return min(1, sum[side])
	}
	type point struct{ z, s, h0, h1 float64 }
	var points []point
	for i, z := range scores {
		if i+1 < len(scores) && scores[i+1] == z {
			continue
		}
		points = append(points, point{z, float64(i + 1), share(0, z), share(1, z)})
	}
	var e estimate
	e.cut, e.precision = math.Inf(1), 1
	w0, w1 := sideWeights[0], sideWeights[1]
	most := min(size[0], size[1])
	for _, p := range points {
		if h := w0*p.h0 + w1*p.h1; h < .9 {
			e.matches = max(e.matches, (p.s-w0*size[0]*p.h0-w1*size[1]*p.h1)/(1-h))
		}
	}
	e.matches = min(e.matches, most)
	best := 0.0
	for _, p := range points {
		false_ := min(p.s, max(0, w0*(size[0]-e.matches)*p.h0+w1*(size[1]-e.matches)*p.h1))
		if f := 2 * (p.s - false_) / (p.s + e.matches); f > best {
			best = f
			e.cut, e.accepted, e.precision = p.z, int(p.s), 1-false_/p.s
		}
	}
	if len(scores) > 0 && len(sides[0])+len(sides[1]) > 0 {
		median := scores[len(scores)/2]
		for _, p := range points {
			if p.z <= median {
				e.doubled = w0*p.h0+w1*p.h1 > .5
				break
			}
		}
	}
	return e
}

// certainty is how likely pairs of a score are right, by the decoys at it: in bins, made to rise with the score.
func (m *matching) certainty(decoys []decoy, size, matches float64) (curve [][2]float64) {
	type one struct {
		z     float64
		decoy float64 // expected wrong pairs; -1 for a selected one
	}
	all := make([]one, 0, len(m.selected)+len(decoys))
	for _, at := range m.selected {
		all = append(all, one{m.pairs[at].z, -1})
	}
	orphans := max(0, size-matches)
	for _, d := range decoys {
		all = append(all, one{d.z, d.weight * orphans})
	}
	slices.SortFunc(all, func(a, b one) int { return cmp.Or(cmp.Compare(a.z, b.z), cmp.Compare(a.decoy, b.decoy)) })
	least := max(min(15, 1+len(all)/8), len(all)/40)
	type bin struct{ z, p, n float64 }
	var bins []bin
	for i := 0; i < len(all); {
		j := min(len(all), i+least)
		if len(all)-j < least {
			j = len(all)
		}
		var right, wrong, z float64
		for _, o := range all[i:j] {
			z += o.z
			if o.decoy < 0 {
				right++
			} else {
				wrong += o.decoy
			}
		}
		p := 0.0
		if right > 0 {
			p = max(0, 1-wrong/right)
		}
		b := bin{z / float64(j-i), p, max(right, .1)}
		bins = append(bins, b)
		// Pool neighbours that fall (isotonic regression).
		for len(bins) > 1 && bins[len(bins)-2].p > bins[len(bins)-1].p {
			x, y := bins[len(bins)-2], bins[len(bins)-1]
			bins = append(bins[:len(bins)-2], bin{(x.z*x.n + y.z*y.n) / (x.n + y.n), (x.p*x.n + y.p*y.n) / (x.n + y.n), x.n + y.n})
		}
		i = j
	}
	for _, b := range bins {
		curve = append(curve, [2]float64{b.z, b.p})
	}
	return curve
}

// byCurve is how likely each selected pair is right, by a curve.
func (m *matching) byCurve(curve [][2]float64) []float64 {
	out := make([]float64, len(m.selected))
	for i, at := range m.selected {
		z := m.pairs[at].z
		k := sort.Search(len(curve), func(k int) bool { return curve[k][0] >= z })
		switch {
		case len(curve) == 0:
		case k == len(curve):
			out[i] = curve[k-1][1]
		case k == 0:
			out[i] = curve[0][1]
		default:
			x, y := curve[k-1], curve[k]
			out[i] = x[1] + (y[1]-x[1])*(z-x[0])/max(y[0]-x[0], 1e-12)
		}
	}
	return out
}
