package reconcile

import (
	"cmp"
	"math"
	"slices"
)

// judgedPattern is the pattern of a pair that a person answered.
type judgedPattern struct {
	pattern uint64
	same    bool
}

// judgedPatterns are the patterns of the pairs that a person answered.
func judgedPatterns(e *Engine, patterns map[pairKey]uint64) (all []judgedPattern) {
	for _, key := range (answering{e}).pairs() {
		if pattern, is := patterns[key]; is {
			all = append(all, judgedPattern{pattern, e.fixed[key]})
		}
	}
	slices.SortStableFunc(all, func(x, y judgedPattern) int { return cmp.Compare(x.pattern, y.pattern) })
	return all
}

// judge weighs the levels of fields anew where a person answered some pairs: by a regression that learns from the
// answers, and from the classes what each pattern is. Of a pattern that many pairs have, the classes count as much
// as the root of their number, so that a few answers are enough to change it.
func (c *classes) judge(patterns []counted, answers []judgedPattern) {
	logs, p := c.logs(), make([]float64, len(c.all))
	var examples []example
	var of []uint64
	add := func(pattern uint64, same, other float64) {
		for y, weight := range [...]float64{other, same} {
			if weight > 0 {
				examples = append(examples, example{len(of), float64(y), weight})
			}
		}
		of = append(of, pattern)
	}
	for _, one := range patterns {
		weight, right := math.Sqrt(one.n), probability(c.score(one.pattern, logs, p))
		add(one.pattern, weight*right, weight*(1-right))
	}
	for _, a := range answers {
		if a.same {
			add(a.pattern, judged, 0)
		} else {
			add(a.pattern, 0, judged)
		}
	}
	c.judged = train(levels*c.fields, examples, nil, func(i int, x []float64) { c.levelsOf(of[i], x) })
}

// levelsOf fills x with 1 for each level that a pattern has; a field that is missing has none.
func (c *classes) levelsOf(pattern uint64, x []float64) {
	clear(x)
	for f := range c.fields {
		if l := pattern >> (3 * f) & 7; l > 0 {
			x[levels*f+int(l)-1] = 1
		}
	}
}

// judgedScore is the score of a pattern by what was learned from answers.
func (c *classes) judgedScore(pattern uint64) float64 {
	x := make([]float64, levels*c.fields+1)
	c.levelsOf(pattern, x)
	c.judged.standardise(x)
	return c.judged.linear(x)
}
