package reconcile

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"math"
	"slices"
)

// How many pairs by chance, and how many candidates, the classes are found from.
const (
	chancePairs    = 100_000
	patternedPairs = 200_000
)

// The bounds of what a pair adds to the joining of two clusters: a single strong link does not outweigh several
// records that do not fit, and a single misfit does not part what much else joins.
const (
	mostFor     = 6.0
	mostAgainst = -2.0
)

// fewMerged is below how many pairs it is not said how many of them are right.
const fewMerged = 30

// certain is the score of a pair that a person answered. No pair that was only found has as much.
const certain = 1000.0

// largestComponent is how many records may hang together for all their pairs to be compared.
const largestComponent = 2000

// mostLinks is how many pairs that were no candidates are held, some 50 bytes each. They are compared again when they
// are wanted again.
const mostLinks = 500_000

// clusters finds the records of one table that are the same.
func (e *Engine) clusters(ctx context.Context, result *Result) error {
	pairs, err := e.index.retrieve(ctx, e.candidates())
	if err != nil {
		return err
	}
	compared := &comparedPairs{engine: e, pairs: pairs, patterns: arena{temp: e.opt.Temp, limit: int(e.opt.Memory / 8)}}
	defer compared.close()
	if err := compared.compare(ctx); err != nil {
		return err
	}
	c, err := e.classesOf(ctx, compared)
	if err != nil {
		return err
	}
	if c == nil {
		result.NoMatches = true
		return nil
	}
	s := &scorer{engine: e, classes: c, logs: c.logs(), p: make([]float64, len(c.all)), known: map[uint64]float64{}}
	j := &joining{engine: e, scorer: s, links: map[pairKey]link{}}
	if err := errors.Join(j.collect(compared), j.join(ctx)); err != nil {
		return err
	}
	return j.emit(compared, result)
}

// classesOf finds the classes of pairs, or takes those of the model; nil if there are no pairs.
func (e *Engine) classesOf(ctx context.Context, pairs *comparedPairs) (*classes, error) {
	if pairs.pairs.n == 0 || len(e.columns) == 0 {
		return nil, nil
	}
	if e.opt.Model != nil {
		return e.opt.Model.classes(), nil
	}
	random, err := e.patterns(ctx, e.byChance())
	if err != nil || len(random) == 0 {
		return nil, err
	}
	fields := len(e.columns)
	chance := rates(countPatterns(random), fields)
	counts := countPatterns(pairs.sample)
	c := e.opt.findClasses(counts, chance, fields)
	c.decide(&e.opt, func(f int) bool { return e.columns[f].kind == Date })
	if answers := judgedPatterns(e, pairs.answered); len(answers) > 0 {
		c.judge(counts, answers)
	}
	e.keepClasses(c)
	return c, nil
}

// mostFilled are the fields that are compared where there are too many: those that are not text first, by their
// names.
func mostFilled(columns []compared) []compared {
	rank := func(c compared) int {
		if c.kind == Text || c.derived {
			return 1
		}
		return 0
	}
	columns = slices.Clone(columns)
	slices.SortStableFunc(columns, func(a, b compared) int {
		return cmp.Compare(rank(a), rank(b))
	})
	return columns[:mostPatterned]
}

// patterns are the levels of pairs that are sorted.
func (e *Engine) patterns(ctx context.Context, pairs []pair) ([]uint64, error) {
	patterns := make([]uint64, len(pairs))
	err := e.compare(ctx, pairs, load{fields: true}, func(n int, a, b *view, s *scratch) error {
		e.alikeFields(s.q, a, b)
		patterns[n] = patternOf(s.q)
		return nil
	})
	return patterns, err
}

// byChance are pairs of records that have nothing to do with each other. Records are numbered by hashes, so that such
// steps are by chance.
func (e *Engine) byChance() (pairs []pair) {
	n := uint64(e.table.compared)
	if n < 4 {
		return nil
	}
	for i := range uint64(min(chancePairs, n*n/4)) {
		a, b := uint32(mix(2*i+1)%n), uint32(mix(2*i+2)%n)
		if a > b {
			a, b = b, a
		}
		if a != b {
			pairs = append(pairs, pair{a: a, b: b})
		}
	}
	slices.SortFunc(pairs, comparePairs)
	return pairs
}

// scorer scores pairs by their patterns.
type scorer struct {
	engine  *Engine
	classes *classes
	logs    [][][levels + 1]float64
	p       []float64
	known   map[uint64]float64 // of patterns
	a, b    view
	q       []float64
}

// score is how likely a pair is the same, as a logarithm of odds. A person's answer counts as much as can be.
func (s *scorer) score(key pairKey, pattern uint64) float64 {
	if same, answered := s.engine.answer(key); answered {
		if same {
			return certain
		}
		return -certain
	}
	z, known := s.known[pattern]
	if !known {
		z = s.classes.score(pattern, s.logs, s.p)
		if s.engine.table.compared < fewRecords && isDoubtful(s.engine.columns, pattern) {
			z = min(z, mostAgainst)
		}
		s.known[pattern] = z
	}
	return z
}

// fewRecords is below how many records of one table the classes of pairs are believed only where the fields do not
// contradict them: a handful of pairs shows neither what spouses have in common nor what a person's answer means.
const fewRecords = 60

// isDoubtful says that two records contradict each other: in a date, in a name while no date is the same, or in
// three fields and more.
func isDoubtful(columns []compared, pattern uint64) bool {
	differ, names, isSameDate := 0, 0, false
	for f := range min(len(columns), mostPatterned) {
		kind, level := columns[f].kind, pattern>>(3*f)&7
		switch {
		case kind == Date && level == 1:
			isSameDate = true
		case kind == Date && level == levels:
			return true
		case level == levels:
			differ++
			if kind == Name {
				names++
			}
		}
	}
	return differ >= 3 || names > 0 && !isSameDate
}

// of compares two records that were no candidates.
func (s *scorer) of(a, b uint32) (z float64, pattern uint64, err error) {
	want := load{fields: true}
	if err := s.engine.view(&s.a, a, want); err != nil {
		return 0, 0, err
	}
	if err := s.engine.view(&s.b, b, want); err != nil {
		return 0, 0, err
	}
	if s.q == nil {
		s.q = make([]float64, len(s.engine.columns))
	}
	s.engine.alikeFields(s.q, &s.a, &s.b)
	pattern = patternOf(s.q)
	return s.score(pairKey{a, b}, pattern), pattern, nil
}

// link is a pair with its score.
type link struct {
	z       float64
	pattern uint64
}

// joining joins records into clusters.
type joining struct {
	engine *Engine
	scorer *scorer
	linked []linkedPair // the candidates within components, sorted by their records
	surest []uint32     // of these, by their numbers, the likelier the same than not, the surest first

	roots     forest
	oversize  map[uint32]bool  // the roots of components of too many records
	links     map[pairKey]link // of pairs that were no candidates
	clusters  []uint32         // the cluster of each record: the least of its numbers
	following []uint32         // the next record of the cluster; after the last comes the first
}

// linkedPair is a pair with its pattern.
type linkedPair struct {
	a, b    uint32
	pattern uint64
}

// collect finds which records hang together, and holds the pairs within those components.
func (j *joining) collect(pairs *comparedPairs) error {
	n := j.engine.table.compared
	j.roots = newForest(n)
	if err := pairs.each(func(p pair, pattern uint64) {
		if j.scorer.score(pairKey{p.a, p.b}, pattern) > 0 {
			j.roots.union(p.a, p.b)
		}
	}); err != nil {
		return err
	}
	total := 0
	if err := pairs.each(func(p pair, _ uint64) {
		if j.roots.find(p.a) == j.roots.find(p.b) {
			total++
		}
	}); err != nil {
		return err
	}
	j.linked = make([]linkedPair, 0, total)
	byScore := map[float64]int{} // how many pairs have each
	positive := 0
	if err := pairs.each(func(p pair, pattern uint64) {
		if j.roots.find(p.a) != j.roots.find(p.b) {
			return
		}
		j.linked = append(j.linked, linkedPair{p.a, p.b, pattern})
		if z := j.scorer.score(pairKey{p.a, p.b}, pattern); z > 0 {
			byScore[z]++
			positive++
		}
	}); err != nil {
		return err
	}
	// The surest pairs come first, and of those that are as sure the ones with the lesser numbers.
	at := 0
	scores := slices.Sorted(maps.Keys(byScore))
	for _, z := range slices.Backward(scores) {
		count := byScore[z]
		byScore[z] = at
		at += count
	}
	j.surest = make([]uint32, positive)
	for i, p := range j.linked {
		if z := j.scorer.score(pairKey{p.a, p.b}, p.pattern); z > 0 {
			j.surest[byScore[z]] = uint32(i)
			byScore[z]++
		}
	}
	sizes := make([]uint32, n)
	j.oversize = map[uint32]bool{}
	for r := range uint32(n) {
		if root := j.roots.find(r); root != r {
			if sizes[root]++; sizes[root] > largestComponent {
				j.oversize[root] = true
			}
		}
	}
	if len(j.oversize) == 0 {
		j.roots = nil
	}
	j.clusters, j.following = newForest(n), newForest(n)
	return nil
}

// across is the link of two records of a component.
func (j *joining) across(a, b uint32) (link, error) {
	if a > b {
		a, b = b, a
	}
	if at, is := slices.BinarySearchFunc(j.linked, pairKey{a, b}, func(p linkedPair, key pairKey) int {
		return cmp.Or(cmp.Compare(p.a, key.a), cmp.Compare(p.b, key.b))
	}); is {
		return link{j.scorer.score(pairKey{a, b}, j.linked[at].pattern), j.linked[at].pattern}, nil
	}
	if l, known := j.links[pairKey{a, b}]; known {
		return l, nil
	}
	if _, answered := j.engine.answer(pairKey{a, b}); !answered && len(j.oversize) > 0 && j.oversize[j.roots.find(a)] {
		return link{}, nil
	}
	z, pattern, err := j.scorer.of(a, b)
	if len(j.links) >= mostLinks {
		clear(j.links)
	}
	j.links[pairKey{a, b}] = link{z, pattern}
	return j.links[pairKey{a, b}], err
}

// within calls each with all pairs of the records of a cluster. There are as many as the square of its records, so they
// are held nowhere.
func (j *joining) within(cluster []uint32, each func(scoredPair) error) error {
	for i, x := range cluster {
		for _, y := range cluster[i+1:] {
			l, err := j.across(x, y)
			if err == nil {
				err = each(scoredPair{min(x, y), max(x, y), probability(l.z), l.pattern})
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// membersOf are the records of the cluster of a record.
func (j *joining) membersOf(r uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for at := r; yield(at); {
			if at = j.following[at]; at == r {
				return
			}
		}
	}
}

// sizeOf is how many records are in the cluster of a record.
func (j *joining) sizeOf(r uint32) (n int) {
	for range j.membersOf(r) {
		n++
	}
	return n
}

// speaksFor is what all the pairs across two clusters say together; never is that a person parted two of them.
func (j *joining) speaksFor(x, y uint32) (sum float64, never bool, err error) {
	for a := range j.membersOf(x) {
		for b := range j.membersOf(y) {
			l, err := j.across(a, b)
			if err != nil {
				return 0, false, err
			}
			sum += min(mostFor, max(mostAgainst, l.z))
			never = never || l.z <= -certain
		}
	}
	return sum, never, nil
}

// join joins records, the surest pairs first. Two clusters become one if all the pairs across speak for it
// together, so that no chain forms through one weak link.
func (j *joining) join(ctx context.Context) error {
	for k, i := range j.surest {
		if k%chunk == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		p := j.linked[i]
		x, y := min(j.clusters[p.a], j.clusters[p.b]), max(j.clusters[p.a], j.clusters[p.b])
		if x == y {
			continue
		}
		sum, never, err := j.speaksFor(x, y)
		if err != nil {
			return err
		}
		isCertain := j.scorer.score(pairKey{p.a, p.b}, p.pattern) >= certain
		if never || sum <= 0 && !isCertain && !j.engine.opt.lacks(correlation) {
			continue
		}
		for r := range j.membersOf(y) {
			j.clusters[r] = x
		}
		j.following[x], j.following[y] = j.following[y], j.following[x]
	}
	return nil
}

// emit makes groups of the clusters, and counts the pairs within them.
func (j *joining) emit(pairs *comparedPairs, result *Result) error {
	e := j.engine
	sum := 0.0
	var group []uint32
	for r, cluster := range j.clusters {
		if uint32(r) != cluster || j.following[r] == cluster {
			continue
		}
		group = slices.AppendSeq(group[:0], j.membersOf(cluster))
		slices.Sort(group)
		e.groups.add(group...)
		if err := j.within(group, func(p scoredPair) error {
			sum += p.score
			result.Pairs++
			e.ask(p, len(group))
			return nil
		}); err != nil {
			return err
		}
	}
	if err := pairs.each(func(p pair, pattern uint64) {
		switch z := j.scorer.score(pairKey{p.a, p.b}, pattern); {
		case z <= 0 && z > -mostFor:
			e.ask(scoredPair{p.a, p.b, probability(z), pattern}, 2)
		case z > 0 && j.clusters[p.a] != j.clusters[p.b]: // it would join two clusters
			e.ask(scoredPair{p.a, p.b, probability(z), pattern}, j.sizeOf(p.a)+j.sizeOf(p.b))
		}
	}); err != nil {
		return err
	}
	e.reason = func(at uint64) ([]reason, error) { return j.scorer.reasons(at), nil }
	e.within = j.within
	result.Precision = 1
	if result.Pairs > 0 {
		result.Precision = sum / float64(result.Pairs)
	}
	result.Few = result.Pairs < fewMerged
	result.NoMatches = e.groups.len() == 0
	result.Oversize = len(j.oversize)
	j.clusters, j.following, j.surest = nil, nil, nil
	return nil
}

func probability(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

var levelWords = [levels + 1]string{"", "equal", "nearly equal", "alike", "a little alike", "different"}

// reasons are the fields that speak most for or against two records being the same.
func (s *scorer) reasons(pattern uint64) []reason {
	var all []reason
	for f, c := range s.engine.columns {
		level := pattern >> (3 * f) & 7
		if level == 0 {
			continue
		}
		var same, other, sameShare, otherShare float64
		for k := range s.classes.all {
			one := &s.classes.all[k]
			if one.match {
				same += one.share * one.levels[f][level]
				sameShare += one.share
			} else {
				other += one.share * one.levels[f][level]
				otherShare += one.share
			}
		}
		worth := math.Log(max(same, 1e-9)/max(sameShare, 1e-9)) - math.Log(max(other, 1e-9)/max(otherShare, 1e-9))
		all = append(all, reason{c.name, levelWords[level], worth, worth < 0})
	}
	return largest(all)
}

// forest joins records that hang together.
type forest []uint32

func newForest(n int) forest {
	f := make(forest, n)
	for i := range f {
		f[i] = uint32(i)
	}
	return f
}

func (f forest) find(r uint32) uint32 {
	for f[r] != r {
		f[r] = f[f[r]]
		r = f[r]
	}
	return r
}

// union joins two; the lesser number is the root.
func (f forest) union(a, b uint32) {
	a, b = f.find(a), f.find(b)
	if a > b {
		a, b = b, a
	}
	f[b] = a
}
