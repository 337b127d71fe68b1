package reconcile

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
)

// candidatesPerRecord is how many of the likest records are candidates, and candidatesOfMany where there are many
// records, and fewer of them by chance among the likest.
const (
	candidatesPerRecord = 10
	candidatesOfMany    = 8
)

// candidates is how many candidates each record has.
func (e *Engine) candidates() int {
	if e.isLarge() {
		return candidatesOfMany
	}
	return candidatesPerRecord
}

// mostExamples is how many pairs a regression learns from.
const mostExamples = 60_000

// judged is how much a person's answer counts beside a pair that was only found.
const judged = 20

// oneToOne finds the pairs of two tables that are the same, each record at most once.
func (e *Engine) oneToOne(ctx context.Context, result *Result) error {
	list, err := e.index.retrieve(ctx, e.candidates())
	if err != nil {
		return err
	}
	pairs, err := list.get(0, list.n, nil)
	if list.close(); err != nil {
		return err
	}
	if e.rows, err = newMatrix(len(pairs), e.width(), e.opt.Temp, e.opt.Memory/3); err != nil {
		return err
	}
	want := load{words: true, grams: true, weights: true, fields: true, prepared: true}
	if err := e.compare(ctx, pairs, want, func(n int, a, b *view, s *scratch) error {
		e.features(s.x, s.q, a, b)
		pairs[n].z = (s.x[cosWords] + s.x[cosGrams]) / 2
		return e.rows.set(n, s.x)
	}); err != nil {
		return err
	}
	m := &matching{pairs: pairs, firsts: e.table.firsts, n: e.table.compared, fixed: map[int]bool{}}
	for i, p := range pairs {
		if same, known := e.answer(pairKey{p.a, p.b}); known {
			m.fixed[i] = same
		}
	}
	e.fix(m)
	if e.opt.Model != nil {
		return e.apply(ctx, m, result)
	}
	return e.learn(ctx, m, result)
}

// apply accepts the pairs that a model says are the same.
func (e *Engine) apply(ctx context.Context, m *matching, result *Result) error {
	kept := e.opt.Model.Learned
	e.model = kept.Whole.regression()
	e.parts = nil
	for _, w := range kept.Parts {
		e.parts = append(e.parts, w.regression())
	}
	if !kept.Plain {
		if err := e.scoreAll(ctx, m); err != nil {
			return err
		}
	}
	m.mutual(nil, func(at int) { m.selected = append(m.selected, at) })
	if !kept.Plain {
		m.selected = slices.DeleteFunc(m.selected, func(at int) bool { return m.pairs[at].z < unlikely })
	}
	if result.Few = kept.Few; result.Few {
		if err := e.dropUnlike(m); err != nil {
			return err
		}
	}
	known := make([]float64, len(m.pairs))
	for i, p := range m.byCurve(kept.Curve) {
		if known[m.selected[i]] = p; m.fixed[m.selected[i]] {
			known[m.selected[i]] = 1
		}
	}
	return e.accept(m, estimate{cut: kept.Cut, precision: kept.Precision, matches: kept.Expected}, known, result)
}

// foldOf is the part in which a pair is scored, by what was learned from the others. It depends on its first record
// alone, so that a model scores a pair as the run did that learned it.
func (t *table) foldOf(p pair) int { return int(mix(t.hashes[p.a]) % folds) }

// scoreAll scores all pairs, each by the regression of its part.
func (e *Engine) scoreAll(ctx context.Context, m *matching) error {
	err := e.parallel(ctx, len(m.pairs), func(int) func(i int) error {
		x := make([]float64, e.width()+1)
		return func(i int) error {
			if err := e.rows.get(i, x); err != nil {
				return err
			}
			model := e.parts[e.table.foldOf(m.pairs[i])]
			model.standardise(x)
			m.pairs[i].z = model.linear(x)
			return nil
		}
	})
	e.fix(m)
	return err
}

// fix gives pairs that a person answered the highest score, or none.
func (e *Engine) fix(m *matching) {
	for i, same := range m.fixed {
		if m.pairs[i].z = math.Inf(-1); same {
			m.pairs[i].z = math.MaxFloat64
		}
	}
}

// trainingRounds is how often the regression is trained, each time on what the one before selects.
const trainingRounds = 3

// folds is in how many parts pairs are scored, each by what was learned from the others.
const folds = 4

// unlikely is the score of a pair that the regression itself gives a chance of one in twenty. Where there are few
// records, so few decoys reach below it that they would let all pass.
const unlikely = -3

// fewDecoys is how many decoys are too few to say anything of the pairs: of 30 that are all worse, one in ten may still
// be wrong.
const fewDecoys = 30

// leastAlike is the least likeness of two records by their words and sequences of characters that is believed where
// there are too few decoys to learn from.
const leastAlike = .2

// dropUnlike drops selected pairs whose records have little in common, and those whose codes are different where others
// have one in common, but for those that a person answered.
func (e *Engine) dropUnlike(m *matching) error {
	x := make([]float64, e.width()+1)
	var failed error
	get := func(at int) []float64 {
		if err := e.rows.get(at, x); err != nil {
			failed = err
		}
		return x
	}
	// Each table may have codes of its own, such as the numbers of its articles, and then no two are equal.
	share := slices.ContainsFunc(m.selected, func(at int) bool { return get(at)[sharedCode] >= .5 })
	m.selected = slices.DeleteFunc(m.selected, func(at int) bool {
		x := get(at)
		return !m.fixed[at] && ((x[cosWords]+x[cosGrams])/2 < leastAlike || share && x[codeConflict] > 0)
	})
	return failed
}

// fewPartners is the share of the records of the smaller table of which nothing shows that they have a partner, if no
// more are expected to after the first rounds of learning: the last makes itself sure. Of tables without any the same,
// up to .09 are expected to have one, and of those with a quarter the same at least .16.
// Where rarePartners are, that the best candidates stand out no more than by chance shows nothing: they do not among
// variants of products either.
const (
	fewPartners  = .1
	rarePartners = .16
)

// outcome is what a round found.
type outcome struct {
	estimate
	curve    [][2]float64
	known    []float64 // how likely each pair is right
	plain    bool      // pairs are scored by the likeness of words, and nothing was learned
	scores   []float64
	selected []int
}

// What was learned is dropped where the F1 that is expected of the likeness of words alone is better by leastBetter,
// and the expected precision is at least leastPlain: among products that differ in a word, words alone promise too
// much.
const (
	leastBetter = .005
	leastPlain  = .97
)

// keep keeps the scores of the first round, which the next changes. Where few records have a partner, and words alone
// tell them from the others, what is learned may be what wrong pairs have in common.
func (o *outcome) keep(m *matching) {
	o.plain, o.known, o.selected = true, slices.Clone(o.known), slices.Clone(m.selected)
	o.scores = make([]float64, len(m.pairs))
	for i := range m.pairs {
		o.scores[i] = m.pairs[i].z
	}
}

// restore goes back to a round that was kept.
func (m *matching) restore(o outcome) {
	m.selected = o.selected
	for i, z := range o.scores {
		m.pairs[i].z = z
	}
}

// expected is the F1 that is expected.
func (o *outcome) expected() float64 {
	return 2 * o.precision * float64(o.accepted) / max(float64(o.accepted)+o.matches, 1)
}

// learn learns what pairs that are the same have in common, and accepts those that are.
func (e *Engine) learn(ctx context.Context, m *matching, result *Result) error {
	smaller := 0
	if m.n-m.firsts < m.firsts {
		smaller = 1
	}
	var alone [2]float64
	alone[smaller] = 1
	size := float64(min(m.firsts, m.n-m.firsts))
	var first standing
	var plain outcome
	most := 0.0 // matches that are expected after a round of learning, but the last
	rounds := trainingRounds
	switch {
	case e.opt.lacks(learning):
		rounds = 0
	case e.opt.lacks(laterRounds):
		rounds = 1
	}
	known := make([]float64, len(m.pairs)) // how likely each pair is right, by the round before
	for round := 0; ; round++ {
		m.selected = m.selected[:0]
		m.mutual(nil, func(at int) { m.selected = append(m.selected, at) })
		if round == 0 {
			m.sure(known)
			first = m.standingOut(smaller)
		}
		weights := make([]float64, len(m.selected))
		for i, at := range m.selected {
			weights[i] = known[at]
		}
		sides, anyHidden := m.decoys(weights)
		guess := m.estimate(sides, alone)
		curve := m.certainty(sides[smaller], size, guess.matches)
		p := m.byCurve(curve)
		clear(known)
		for i, at := range m.selected {
			if known[at] = p[i]; m.fixed[at] {
				known[at] = 1
			}
		}
		if round == rounds {
			return e.conclude(ctx, m, &lesson{
				smaller: smaller, rounds: rounds, size: size, most: most, first: first, plain: plain,
				sides: sides, curve: curve, known: known,
			}, result)
		}
		if round > 0 && anyHidden {
			most = max(most, m.estimate(sides, [2]float64{.5, .5}).matches)
		}
		if round == 0 {
			plain = outcome{estimate: m.estimate(sides, [2]float64{.5, .5}), curve: curve, known: known}
			plain.keep(m)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := e.train(ctx, m, known); err != nil {
			return err
		}
	}
}

// lesson is what the rounds of learning came to.
type lesson struct {
	smaller int // the side with fewer records
	rounds  int
	size    float64  // records of the smaller side
	most    float64  // matches that were expected after a round of learning, but the last
	first   standing // before anything was learned
	plain   outcome  // the first round
	sides   [2][]decoy
	curve   [][2]float64
	known   []float64 // how likely each pair is right
}

// conclude decides whether any are the same, and accepts the pairs of the last round, or of the first if that is
// better.
func (e *Engine) conclude(ctx context.Context, m *matching, l *lesson, result *Result) error {
	last, err := e.standingByAll(ctx, m, l.smaller)
	if err != nil {
		return err
	}
	isRare := l.rounds < trainingRounds || l.most < rarePartners*l.size || e.opt.lacks(wholeStanding)
	if result.NoMatches = isRare && byChance(l.first, last); result.NoMatches {
		m.selected = nil
	}
	if l.rounds > 0 {
		m.selected = slices.DeleteFunc(m.selected, func(at int) bool { return m.pairs[at].z < unlikely })
	}
	if result.Few = len(l.sides[0])+len(l.sides[1]) < fewDecoys; result.Few {
		if err := e.dropUnlike(m); err != nil {
			return err
		}
	}
	weights := [2]float64{.5, .5}
	if e.opt.lacks(bothSides) {
		weights = [2]float64{}
		weights[l.smaller] = 1
	}
	learned := outcome{estimate: m.estimate(l.sides, weights), curve: l.curve, known: l.known}
	if e.opt.lacks(decoyThreshold) {
		learned.cut = unlikely
	}
	better := l.plain.expected() > learned.expected()+leastBetter && l.plain.precision >= leastPlain && !e.opt.lacks(plainLikeness)
	if l.rounds > 0 && !result.NoMatches && !result.Few && better {
		learned = l.plain
		m.restore(l.plain)
	}
	if !result.Few && l.most < fewPartners*l.size && l.rounds == trainingRounds && len(m.fixed) == 0 {
		result.NoMatches, m.selected = true, nil
	}
	e.keepLearned(learned, result.Few)
	return e.accept(m, learned.estimate, learned.known, result)
}

// standingByAll is how many records have a candidate that stands out by what was learned from all pairs. What was
// learned from a part of few pairs hides those that do.
func (e *Engine) standingByAll(ctx context.Context, m *matching, side int) (standing, error) {
	if e.model == nil || e.opt.lacks(wholeStanding) {
		return m.standingOut(side), nil
	}
	parts := e.parts
	e.parts = slices.Repeat([]*regression{e.model}, folds)
	err := e.scoreAll(ctx, m)
	is := m.standingOut(side)
	e.parts = parts
	if err == nil {
		err = e.scoreAll(ctx, m)
	}
	return is, err
}

// train trains the regression on the selected pairs, and scores all. Of a pair that is likely right, the other
// candidates of its records are wrong.
func (e *Engine) train(ctx context.Context, m *matching, known []float64) error {
	sure := make([]float64, m.n) // of each record, how likely its pair is right
	isSelected := make(map[int]bool, len(m.selected))
	for _, at := range m.selected {
		isSelected[at] = true
		sure[m.pairs[at].a] = max(sure[m.pairs[at].a], known[at])
		sure[m.pairs[at].b] = max(sure[m.pairs[at].b], known[at])
	}
	every := uint64(1 + len(m.pairs)/mostExamples)
	var examples []example
	for i, p := range m.pairs {
		if same, is := m.fixed[i]; is {
			y := 0.0
			if same {
				y = 1
			}
			examples = append(examples, example{i, y, judged})
			continue
		}
		if every > 1 && mix(uint64(p.b)<<32|uint64(p.a))%every != 0 {
			continue
		}
		if isSelected[i] {
			examples = append(examples, example{i, 1, known[i]}, example{i, 0, 1 - known[i]})
			continue
		}
		weight := .2
		if !e.opt.lacks(hardNegatives) {
			weight += .8 * max(sure[p.a], sure[p.b])
		}
		examples = append(examples, example{i, 0, weight})
	}
	var failed [folds]error
	get := func(i int, x []float64) {
		if err := e.rows.get(i, x); err != nil {
			failed[0] = err
		}
	}
	e.model = train(e.width(), examples, nil, get)
	if failed[0] != nil {
		return failed[0]
	}
	// A pair is scored by what was learned from others: else a wrong one that got in would vouch for itself.
	e.parts = make([]*regression, folds)
	learn := func(part int) {
		get := func(i int, x []float64) {
			if err := e.rows.get(i, x); err != nil {
				failed[part] = err
			}
		}
		if e.opt.lacks(otherParts) {
			e.parts[part] = e.model
			return
		}
		others := slices.DeleteFunc(slices.Clone(examples), func(one example) bool { return e.table.foldOf(m.pairs[one.row]) == part })
		e.parts[part] = train(e.width(), others, e.model, get)
	}
	var group sync.WaitGroup
	for worker := range min(folds, e.opt.Workers) {
		group.Go(func() {
			for part := worker; part < folds; part += e.opt.Workers {
				learn(part)
			}
		})
	}
	group.Wait()
	return errors.Join(append(failed[:], e.scoreAll(ctx, m))...)
}

// sure sets known to 1 for the selected pairs that are in the upper half both by their score and by how far the next
// best of their records are.
func (m *matching) sure(known []float64) {
	next := make([]float64, m.n)
	for i := range m.pairs {
		p := &m.pairs[i]
		for _, r := range [...]uint32{p.a, p.b} {
			if m.best[r] != i {
				next[r] = max(next[r], p.z)
			}
		}
	}
	margin := func(at int) float64 {
		p := m.pairs[at]
		return p.z - max(next[p.a], next[p.b])
	}
	var scores, margins []float64
	for _, at := range m.selected {
		scores = append(scores, m.pairs[at].z)
		margins = append(margins, margin(at))
	}
	slices.Sort(scores)
	slices.Sort(margins)
	for _, at := range m.selected {
		if m.pairs[at].z >= scores[len(scores)/2] && margin(at) >= margins[len(margins)/2] {
			known[at] = 1
		}
	}
}

// accept takes the selected pairs from the cut on.
func (e *Engine) accept(m *matching, found estimate, known []float64, result *Result) error {
	result.Precision, result.Expected, result.Doubled = found.precision, found.matches, found.doubled
	typical, err := e.runnersUp(m)
	if err != nil {
		return err
	}
	e.reason = func(at uint64) ([]reason, error) {
		x := make([]float64, e.width()+1)
		err := e.rows.get(int(at), x)
		return e.reasons(x, typical), err
	}
	scores := map[uint32]scoredPair{} // by the first record
	for _, at := range m.selected {
		p := m.pairs[at]
		one := scoredPair{p.a, p.b, known[at], uint64(at)}
		if _, answered := m.fixed[at]; !answered {
			e.ask(one, 2)
		}
		if p.z < found.cut && !m.fixed[at] {
			continue
		}
		scores[p.a] = one
		e.groups.add(p.a, p.b)
	}
	result.Pairs = e.groups.len()
	e.within = func(group []uint32, each func(scoredPair) error) error { return each(scores[group[0]]) }
	return nil
}

// runnersUp are the mean likenesses of the pairs that were not selected.
func (e *Engine) runnersUp(m *matching) ([]float64, error) {
	mean := make([]float64, e.width())
	x := make([]float64, e.width()+1)
	isSelected := make(map[int]bool, len(m.selected))
	for _, at := range m.selected {
		isSelected[at] = true
	}
	n := 0.0
	for i := range m.pairs {
		if isSelected[i] {
			continue
		}
		if err := e.rows.get(i, x); err != nil {
			return nil, err
		}
		for j := range mean {
			mean[j] += x[j]
		}
		n++
	}
	for j := range mean {
		mean[j] /= max(n, 1)
	}
	return mean, nil
}
