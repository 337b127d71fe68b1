package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"laundromat/text/content"
)

// entries is how many words and names of elements a table has.
const entries = 1 << 16

// counted are how often words stand in what is wanted and in what is not, for each fold.
type counted struct {
	yes, no   [folds][entries]float32
	pages     [folds][entries]int32
	all, none [folds]float64
}

// page counts what stands in one page; most is how much of it counts.
func (c *counted) page(fold int, yes, no map[content.Hash]int, most int) {
	for h, n := range yes {
		v := min(n, most)
		c.yes[fold][h] += float32(v)
		c.all[fold] += float64(v)
		c.pages[fold][h]++
	}
	for h, n := range no {
		v := min(n, most)
		c.no[fold][h] += float32(v)
		c.none[fold] += float64(v)
		if yes[h] == 0 {
			c.pages[fold][h]++
		}
	}
}

// weights are the logarithms of the odds, of the folds that count.
func (c *counted) weights(counts func(fold int) bool) []int8 {
	var yes, no [entries]float64
	var pages [entries]int32
	all, none := 1.0, 1.0
	for fold := range folds {
		if !counts(fold) {
			continue
		}
		for h := range entries {
			yes[h] += float64(c.yes[fold][h])
			no[h] += float64(c.no[fold][h])
			pages[h] += c.pages[fold][h]
		}
		all, none = all+c.all[fold], none+c.none[fold]
	}
	out := make([]int8, entries)
	for h := range out {
		if pages[h] < 3 {
			continue
		}
		n := yes[h] + no[h]
		odds := math.Log((yes[h]+1)/(no[h]+1)) - math.Log(all/none)
		out[h] = int8(max(-127, min(127, math.Round(24*odds*n/(n+8)))))
	}
	return out
}

// count counts words of blocks, names of elements, and names of pages for each kind.
func count(pages []*page) (words, classes *counted, kinds []*counted) {
	words, classes = &counted{}, &counted{}
	for range content.Kinds {
		kinds = append(kinds, &counted{})
	}
	for _, p := range pages {
		yes, no := map[content.Hash]int{}, map[content.Hash]int{}
		classYes, classNo := map[content.Hash]int{}, map[content.Hash]int{}
		for i := range p.labels {
			to, classTo := no, classNo
			if p.labels[i] >= 500 {
				to, classTo = yes, classYes
			}
			for h := range p.table.WordsOf(i) {
				to[h]++
			}
			for h := range p.table.NamesAround(i) {
				classTo[h]++
			}
		}
		words.page(p.fold, yes, no, 3)
		classes.page(p.fold, classYes, classNo, 10)
		for k, kind := range content.Kinds {
			hashes := map[content.Hash]int{}
			for _, h := range p.table.PageHashes {
				hashes[h] = 1
			}
			if kind == p.gold.Type {
				kinds[k].page(p.fold, hashes, nil, 1)
			} else {
				kinds[k].page(p.fold, nil, hashes, 1)
			}
		}
	}
	return words, classes, kinds
}

var (
	firstStage  = settings{trees: 200, depth: 6, rate: 0.09, l2: 60, features: content.First, share: 0.6}
	secondStage = settings{trees: 250, depth: 5, rate: 0.06, l2: 300, features: content.Second, share: 0.6}
	kindStage   = settings{trees: 60, depth: 4, rate: 0.15, l2: 20, features: content.PageFeatures, share: 0.7}
)

// inner is how many parts the pages are cut into, so that what is learnt of one is learnt from the others.
func innerOf(fold, outer int) int {
	if outer >= 0 && fold > outer {
		fold--
	}
	return fold % 3
}

// fit learns from all pages but those of a fold; -1 leaves none out.
func fit(all []*page, outer int, o plan) *content.Model {
	var pages []*page
	for _, p := range all {
		if p.fold != outer && p.table.Rows > 0 {
			pages = append(pages, p)
		}
	}
	for _, p := range pages {
		p.unit, p.targets = p.unitOf(nil), p.even(o)
	}
	m := &content.Model{Sigmoid: sigmoid}
	words, classes, kinds := count(pages)
	within := func(part int) func(int) bool {
		return func(fold int) bool { return fold != outer && innerOf(fold, outer) != part }
	}
	for part := -1; part < 3; part++ {
		var pageWords [][]int8
		for _, k := range kinds {
			pageWords = append(pageWords, k.weights(within(part))[:content.PageEntries])
		}
		w, c := words.weights(within(part)), classes.weights(within(part))
		if part < 0 {
			m.Words, m.Classes, m.PageWords = w, c, pageWords
			continue
		}
		none := make([]int8, entries)
		for i, p := range pages {
			if innerOf(p.fold, outer) != part {
				continue
			}
			// A page with words or classes that nobody has seen must be read by all else: so some are learnt as such.
			switch i % 4 {
			case 0:
				p.table.Learn(w, none, pageWords)
			case 1:
				p.table.Learn(none, c, pageWords)
			default:
				p.table.Learn(w, c, pageWords)
			}
		}
	}
	m.Linear = linearOf(pages, outer, o)
	for part := -1; part < 3; part++ {
		trees := kindTrees(pages, func(p *page) bool { return innerOf(p.fold, outer) != part })
		if part < 0 {
			m.KindTrees = trees
			continue
		}
		inner := &content.Model{Sigmoid: sigmoid, KindTrees: trees}
		for _, p := range pages {
			if innerOf(p.fold, outer) == part {
				p.table.FillKinds(inner.KindScores(p.table.Page))
			}
		}
	}
	units, targets := make([]int32, len(pages)), make([][]int32, len(pages))
	for part := 2; part >= -1; part-- {
		forest := boost(gather(pages, content.First, func(p *page) bool { return innerOf(p.fold, outer) != part }, o), o.first)
		if part < 0 {
			m.Stages[0] = forest
			continue
		}
		for i, p := range pages {
			if innerOf(p.fold, outer) == part {
				scores := forest.Score(p.table.Columns, p.table.Rows)
				for i := range scores {
					scores[i] = m.Probability(scores[i])
				}
				p.table.FillScores(scores)
				units[i], targets[i] = p.unitOf(scores), p.best(scores, o)
			}
		}
	}
	for i, p := range pages {
		p.unit, p.targets = units[i], targets[i]
	}
	m.Stages[1] = boost(gather(pages, content.Second, func(*page) bool { return true }, o), o.second)
	return m
}

// linearOf learns a linear model, and fills what those of the other parts say of each page.
func linearOf(pages []*page, outer int, o plan) *content.Linear {
	random := rand.New(rand.NewPCG(3, 5))
	rows := make([][]linearRow, len(pages))
	for i, p := range pages {
		rows[i] = linearRows(p, o, random)
	}
	for part := range 3 {
		var others [][]linearRow
		for i, p := range pages {
			if innerOf(p.fold, outer) != part {
				others = append(others, rows[i])
			}
		}
		l := linear(others)
		for _, p := range pages {
			if innerOf(p.fold, outer) == part {
				p.table.FillLinear(l)
			}
		}
	}
	return linear(rows)
}

// unitOf says how many words of a page weigh as much as one page: as many as F is divided by. Before anything is
// chosen, those of the main content count, and a page weighs four times as much at most. With scores, it is the mean of
// what is chosen and what is to be.
func (p *page) unitOf(scores []int32) int32 {
	gold, all, chosen := int32(1), int32(1), int32(0)
	for _, n := range p.want {
		gold += int32(n)
	}
	for _, w := range p.words {
		all += w
	}
	if scores == nil {
		return max(gold, all/4)
	}
	from, _ := p.table.Choose(scores)
	for i, s := range scores {
		if s >= from {
			chosen += p.words[i]
		}
	}
	return max(100, (gold+chosen)/2)
}

// twins calls each with the blocks of each text of three words or more that stands on the page several times.
func (p *page) twins(each func(blocks []int)) {
	blocks := map[string][]int{}
	for i, b := range p.blocks {
		if p.words[i] >= 3 {
			blocks[p.text[b.Start:b.End]] = append(blocks[p.text[b.Start:b.End]], i)
		}
	}
	for _, same := range blocks {
		if len(same) > 1 {
			each(same)
		}
	}
}

// even are the labels, but blocks with the same text have the mean of theirs: which of them is the one that the main
// content has, it does not say.
func (p *page) even(o plan) []int32 {
	targets := slices.Clone(p.labels)
	if o.hasTwins {
		return targets
	}
	p.twins(func(blocks []int) {
		sum := int32(0)
		for _, i := range blocks {
			sum += p.labels[i]
		}
		for _, i := range blocks {
			targets[i] = sum / int32(len(blocks))
		}
	})
	return targets
}

// best are the labels, but of blocks with the same text those with the best scores have the best labels.
func (p *page) best(scores []int32, o plan) []int32 {
	targets := slices.Clone(p.labels)
	if o.hasTwins {
		return targets
	}
	p.twins(func(blocks []int) {
		var labels []int32
		for _, i := range blocks {
			labels = append(labels, p.labels[i])
		}
		slices.SortFunc(labels, func(a, b int32) int { return int(b - a) })
		slices.SortStableFunc(blocks, func(a, b int) int { return int(scores[b] - scores[a]) })
		for k, i := range blocks {
			targets[i] = labels[k]
		}
	})
	return targets
}

// light is the weight that a row has at least. Of rows that weigh less, which are most, only so many are learnt from
// that all of them weigh together what they did.
const light = 50

// weight is what a row of a page weighs; 0 if it is left out.
func (p *page) weight(i int, o plan, random *rand.Rand) int32 {
	unit := p.unit
	if o.isEven {
		unit = 1000
	}
	weight := min(1000, 1000*p.words[i]/unit) + 1
	switch {
	case weight >= light:
		return weight
	case random.Int32N(light) >= weight:
		return 0
	}
	return light
}

// gather puts the rows of many pages together.
func gather(pages []*page, features int, want func(*page) bool, o plan) *sample {
	s := &sample{columns: make([][]uint8, features)}
	random := rand.New(rand.NewPCG(3, 4))
	for _, p := range pages {
		if !want(p) {
			continue
		}
		s.groups = append(s.groups, len(s.target))
		var rows []int
		for i := range p.words {
			weight := p.weight(i, o, random)
			if weight == 0 {
				continue
			}
			rows = append(rows, i)
			s.weight, s.target = append(s.weight, weight), append(s.target, p.targets[i])
		}
		for f := range s.columns {
			for _, i := range rows {
				s.columns[f] = append(s.columns[f], p.table.Columns[f][i])
			}
		}
	}
	s.groups = append(s.groups, len(s.target))
	return s
}

// kindTrees learns a forest for each kind of page.
func kindTrees(pages []*page, want func(*page) bool) (forests []content.Forest) {
	for _, kind := range content.Kinds {
		s := &sample{columns: make([][]uint8, content.PageFeatures)}
		for _, p := range pages {
			if !want(p) {
				continue
			}
			s.groups = append(s.groups, len(s.target))
			for f := range s.columns {
				s.columns[f] = append(s.columns[f], p.table.Page[f])
			}
			y := int32(0)
			if p.gold.Type == kind {
				y = 1000
			}
			s.target, s.weight = append(s.target, y), append(s.weight, 1000)
		}
		s.groups = append(s.groups, len(s.target))
		forests = append(forests, boost(s, kindStage))
	}
	return forests
}
