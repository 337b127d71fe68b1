package reconcile

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
)

// levels of the likeness of a field; 0 is missing.
const levels = 5

// mostPatterned is how many fields a pattern holds.
const mostPatterned = 21

// levelOf is the level of a likeness.
func levelOf(q float64) uint64 {
	switch {
	case q < 0:
		return 0
	case q >= .99:
		return 1
	case q >= .85:
		return 2
	case q >= .65:
		return 3
	case q >= .4:
		return 4
	}
	return 5
}

// patternOf packs the levels of a pair, three bits each.
func patternOf(q []float64) (pattern uint64) {
	for i := range min(len(q), mostPatterned) {
		pattern |= levelOf(q[i]) << (3 * i)
	}
	return pattern
}

// class is a kind of pair: how often its fields have each level, where they have one.
type class struct {
	share  float64
	levels [][levels + 1]float64
	match  bool
}

// classes are those of all pairs. The first is that of records which have nothing to do with each other.
type classes struct {
	all    []class
	fields int
	judged *regression // by which pairs are scored where a person answered some; else nil
	lax    bool        // pairs in which little agrees are scored as all others
}

// counted is a pattern of levels, and how many pairs have it.
type counted struct {
	pattern uint64
	n       float64
}

func countPatterns(patterns []uint64) (out []counted) {
	slices.Sort(patterns)
	for i := 0; i < len(patterns); {
		j := i + 1
		for j < len(patterns) && patterns[j] == patterns[i] {
			j++
		}
		out = append(out, counted{patterns[i], float64(j - i)})
		i = j
	}
	return out
}

// rates are how often fields have each level in patterns; they begin a class.
func rates(patterns []counted, fields int) [][levels + 1]float64 {
	out := make([][levels + 1]float64, fields)
	for _, p := range patterns {
		for f := range fields {
			out[f][p.pattern>>(3*f)&7] += p.n
		}
	}
	for f := range out {
		smooth(&out[f], .5)
	}
	return out
}

// smooth makes shares of counts; a level that was not seen gets a little.
func smooth(of *[levels + 1]float64, little float64) {
	total := 0.0
	for l := 1; l <= levels; l++ {
		of[l] += little
		total += of[l]
	}
	for l := 1; l <= levels; l++ {
		of[l] /= total
	}
}

// logLikelihoods fills to with the logarithm of how likely each class has a pattern.
func (c *classes) logLikelihoods(pattern uint64, logs [][][levels + 1]float64, to []float64) {
	for k := range logs {
		sum := 0.0
		for f := range c.fields {
			sum += logs[k][f][pattern>>(3*f)&7]
		}
		to[k] = sum
	}
}

// logs are the logarithms of the shares of all classes; those of missing values are 0.
func (c *classes) logs() [][][levels + 1]float64 {
	out := make([][][levels + 1]float64, len(c.all))
	for k := range c.all {
		out[k] = make([][levels + 1]float64, c.fields)
		for f := range c.fields {
			for l := 1; l <= levels; l++ {
				out[k][f][l] = math.Log(max(c.all[k].levels[f][l], 1e-6))
			}
		}
	}
	return out
}

// improve does rounds of EM, and returns the logarithm of how likely the patterns are.
func (c *classes) improve(patterns []counted, times int) (likelihood float64) {
	k := len(c.all)
	p := make([]float64, k)
	for range times {
		logs := c.logs()
		shares := make([]float64, k)
		sums := make([][][levels + 1]float64, k)
		for i := range sums {
			sums[i] = make([][levels + 1]float64, c.fields)
		}
		likelihood = 0
		total := 0.0
		for _, one := range patterns {
			c.logLikelihoods(one.pattern, logs, p)
			most := math.Inf(-1)
			for i := range p {
				p[i] += math.Log(max(c.all[i].share, 1e-12))
				most = max(most, p[i])
			}
			sum := 0.0
			for i := range p {
				p[i] = math.Exp(p[i] - most)
				sum += p[i]
			}
			likelihood += one.n * (most + math.Log(sum))
			total += one.n
			for i := range p {
				w := one.n * p[i] / sum
				shares[i] += w
				if i == 0 || w < 1e-9 {
					continue // the first class is fixed
				}
				for f := range c.fields {
					sums[i][f][one.pattern>>(3*f)&7] += w
				}
			}
		}
		for i := range c.all {
			c.all[i].share = shares[i] / max(total, 1)
			if i == 0 {
				continue
			}
			for f := range c.fields {
				smooth(&sums[i][f], .1)
				c.all[i].levels[f] = sums[i][f]
			}
		}
	}
	return likelihood
}

// leastClasses and mostClasses bound the number of classes, starts is how often each number is tried.
const (
	leastClasses = 2
	mostClasses  = 10
	starts       = 6
)

// leastKept is the share of what the fields of a pair say that must agree for the pair to have a class.
const leastKept = .25

// worthwhile leaves out the patterns in which little agrees beside what does by chance. There are many such pairs,
// and each field would want a class of its own for them: they are none of the same thing, and leave no class for
// relatives.
func worthwhile(patterns []counted, chance [][levels + 1]float64) []counted {
	return slices.DeleteFunc(slices.Clone(patterns), func(p counted) bool { return isUnlike(p.pattern, chance) })
}

// isUnlike says that little agrees in a pattern beside what does by chance.
func isUnlike(pattern uint64, chance [][levels + 1]float64) bool {
	agree, all := 0.0, 0.0
	for f := range chance {
		l := pattern >> (3 * f) & 7
		if l == 0 {
			continue
		}
		info := -math.Log(max(chance[f][1]+chance[f][2], 1e-4))
		all += info
		if l <= 2 {
			agree += info
		}
	}
	return agree < leastKept*all
}

// findClasses finds the classes of pairs: those of pairs by chance are given, the others are found by EM from several
// starts, as many as pay (BIC).
func (o *Options) findClasses(patterns []counted, chance [][levels + 1]float64, fields int) *classes {
	whole := total(patterns)
	lax := o.lacks(worthyPairs)
	if !lax {
		patterns = worthwhile(patterns, chance)
	}
	most := mostClasses
	if o.lacks(severalClasses) {
		most = leastClasses
	}
	n := total(patterns)
	all := make([]*classes, most+1) // by their number
	worth := make([]float64, most+1)
	var group sync.WaitGroup
	for worker := range o.Workers {
		group.Go(func() {
			for k := most - worker; k >= leastClasses; k -= o.Workers {
				likeliest := math.Inf(-1)
				for start := range starts {
					c := begin(k, start, chance, fields)
					if l := c.improve(patterns, 10); l > likeliest {
						all[k], likeliest = c, l
					}
				}
				worth[k] = all[k].criterion(all[k].improve(patterns, 30), n)
			}
		})
	}
	group.Wait()
	var best *classes
	least := math.Inf(1)
	for k := leastClasses; k <= most; k++ {
		if worth[k] < least {
			best, least = all[k], worth[k]
		}
	}
	if !o.lacks(splitClasses) && !o.lacks(severalClasses) {
		best = best.splitMixed(patterns, least, n)
	}
	// The pairs that were left out are of the first class.
	for k := range best.all {
		best.all[k].share *= n / max(whole, 1)
	}
	best.all[0].share += 1 - n/max(whole, 1)
	best.lax = lax
	return best
}

// criterion is that of Bayes (BIC): the less, the better the classes are worth their number.
func (c *classes) criterion(likelihood, n float64) float64 {
	parameters := float64((len(c.all) - 1) * (1 + c.fields*(levels-1)))
	return -2*likelihood + parameters*math.Log(max(n, 2))
}

// The bounds of what is split: a class that keeps so much of what the fields of the surest class say, by a field that
// agrees there in so large a share of its pairs, and not in most or none of them.
const (
	leastSplit = .3
	leastMixed = .1
	leastDated = .01
	mostMixed  = .97
	splitsSeen = 4 // of the fields and classes that may be split, the most mixed
	mostSplits = 6
)

// splitMixed parts classes in which a field agrees in some pairs and not in others, as between a person whose given
// name was misspelt and relatives at one address: where there are many pairs, chance alone seldom begins with both.
func (c *classes) splitMixed(patterns []counted, least, n float64) *classes {
	type mixed struct {
		class, field int
		weight       float64
	}
	for range mostSplits {
		info, core := c.information(), c.core()
		var all []mixed
		for k := 1; k < len(c.all); k++ {
			if c.kept(k, info) < leastSplit*c.kept(core, info) {
				continue
			}
			for f := range info {
				if r := c.agreement(k, f); c.above(core, f) > .1 && r > leastMixed && r < mostMixed {
					all = append(all, mixed{k, f, c.all[k].share * info[f] * r * (1 - r)})
				}
			}
		}
		slices.SortStableFunc(all, func(x, y mixed) int { return cmp.Compare(y.weight, x.weight) })
		var better *classes
		for _, m := range all[:min(len(all), splitsSeen)] {
			s := c.split(m.class, m.field, c.all[core].levels[m.field])
			if bic := s.criterion(s.improve(patterns, 20), n); bic < least {
				better, least = s, bic
			}
		}
		if better == nil {
			break
		}
		c = better
	}
	return c
}

// split makes two of a class: one in which a field agrees as in another class, and one in which it does by chance.
func (c *classes) split(k, f int, as [levels + 1]float64) *classes {
	s := &classes{fields: c.fields}
	for i := range c.all {
		s.all = append(s.all, class{share: c.all[i].share, levels: slices.Clone(c.all[i].levels)})
	}
	r := c.agreement(k, f)
	held := class{share: s.all[k].share * r, levels: slices.Clone(s.all[k].levels)}
	held.levels[f] = as
	s.all[k].share *= 1 - r
	s.all[k].levels[f] = c.all[0].levels[f]
	s.all = append(s.all, held)
	return s
}

// information is what the agreement of each field says, by how rare it is by chance.
func (c *classes) information() []float64 {
	info := make([]float64, c.fields)
	for f := range info {
		info[f] = -math.Log(max(c.agreement(0, f), 1e-4))
	}
	return info
}

// above is how much more often a field agrees in a class than by chance.
func (c *classes) above(k, f int) float64 { return c.agreement(k, f) - c.agreement(0, f) }

// kept is what the fields say that agree in a class.
func (c *classes) kept(k int, info []float64) (sum float64) {
	for f := range info {
		sum += info[f] * c.above(k, f)
	}
	return sum
}

// core is the class in which most agrees.
func (c *classes) core() int {
	info, best := c.information(), 1
	for k := 2; k < len(c.all); k++ {
		if c.kept(k, info) > c.kept(best, info) {
			best = k
		}
	}
	return best
}

func total(patterns []counted) (n float64) {
	for _, p := range patterns {
		n += p.n
	}
	return n
}

// begin makes classes to begin with. In the second all fields agree; in each other one they agree or not by coin.
func begin(k, start int, chance [][levels + 1]float64, fields int) *classes {
	coin := rand.New(rand.NewPCG(uint64(k), uint64(start)))
	c := &classes{fields: fields}
	agree := [levels + 1]float64{0, .8, .1, .04, .03, .03}
	for i := range k {
		one := class{share: .5 / float64(k-1), levels: make([][levels + 1]float64, fields)}
		if i == 0 {
			one.share = .5
		}
		for f := range fields {
			if one.levels[f] = agree; i == 0 || i > 1 && coin.IntN(2) == 0 {
				one.levels[f] = chance[f]
			}
		}
		c.all = append(c.all, one)
	}
	return c
}

// agreement is how often a field agrees in a class.
func (c *classes) agreement(k, f int) float64 { return c.all[k].levels[f][1] + c.all[k].levels[f][2] }

// leastHeld is the share of what the fields say that must hold, beside a date, for two records to be the same though
// fields are lost.
const leastHeld = .4

// decide says which classes are of records that are the same: in them no field is lost that agrees in the class that
// agrees most. Where a date holds, the fields that hold as it does need to say no more than two fifths of what all
// say: people who moved keep name and date.
func (c *classes) decide(o *Options, isDate func(f int) bool) {
	core := c.core()
	if !o.lacks(datedClasses) {
		c.partByDate(core, isDate)
	}
	info := c.information()
	for k := 1; k < len(c.all); k++ {
		lost, dateHolds, held := false, false, 0.0
		for f := range info {
			of := c.above(core, f)
			if of < .1 {
				continue // it says nothing even there
			}
			lost = lost || c.above(k, f) < of/4
			if c.above(k, f) >= .75*of {
				dateHolds = dateHolds || isDate(f)
				held += info[f] * of
			}
		}
		moved := dateHolds && !o.lacks(dateClause) && (held+c.kept(k, info))/2 >= leastHeld*c.kept(core, info)
		c.all[k].match = k == core || !lost || moved
	}
}

// shares turns the logarithms of how likely the classes have a pattern into how likely the pattern is of each.
func (c *classes) shares(p []float64) {
	most, sum := math.Inf(-1), 0.0
	for k := range p {
		p[k] += math.Log(max(c.all[k].share, 1e-12))
		most = max(most, p[k])
	}
	for k := range p {
		p[k] = math.Exp(p[k] - most)
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
}

// partByDate parts the classes in which a date agrees in some pairs and not in others. Where it is the only field that
// tells two kinds of pairs apart, they are as likely as one class as they are as two, so EM leaves them together. One
// in a hundred is enough: dates agree by chance in far fewer.
func (c *classes) partByDate(core int, isDate func(f int) bool) {
	for f := range c.fields {
		if !isDate(f) || c.above(core, f) < .1 {
			continue
		}
		for k := len(c.all) - 1; k > 0; k-- {
			r := c.above(k, f) / c.above(core, f)
			if k != core && r > leastDated && r < mostMixed && c.agreement(k, f) > 5*c.agreement(0, f) {
				c.all = c.split(k, f, c.all[core].levels[f]).all
			}
		}
	}
}

// score is the logarithm of how much likelier a pattern is of records that are the same than of others. Pairs in which
// little agrees had no part in the classes, so none of these says anything of them: a surname with a typing error alone
// would look like one that is seldom by chance.
func (c *classes) score(pattern uint64, logs [][][levels + 1]float64, p []float64) float64 {
	if c.judged != nil {
		return c.judgedScore(pattern)
	}
	c.logLikelihoods(pattern, logs, p)
	c.shares(p)
	var same, other float64
	for k := range p {
		if c.all[k].match {
			same += p[k]
		} else {
			other += p[k]
		}
	}
	z := math.Log(max(same, 1e-30)) - math.Log(max(other, 1e-30))
	if !c.lax && isUnlike(pattern, c.all[0].levels) {
		z = min(z, mostAgainst)
	}
	return z
}
