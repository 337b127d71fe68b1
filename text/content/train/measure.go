package main

import (
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"slices"

	"laundromat/text/content"
)

// measured is what came of pages of domains that were not learnt from, and of other pages, for which it is the mean
// of all models.
type measured struct {
	pages, others []*page
	results       []result
	elsewhere     []float64
}

// cross measures the pages of each fold with what is learnt of all others.
func cross(pages, others []*page, folds int, o plan) *measured {
	all := &measured{others: others, elsewhere: make([]float64, len(others))}
	for fold := range folds {
		m := fit(pages, fold, o)
		for _, p := range pages {
			if p.fold != fold {
				continue
			}
			all.pages, all.results = append(all.pages, p), append(all.results, p.apply(m, o))
		}
		for i, p := range others {
			all.elsewhere[i] += p.apply(m, o).f / float64(folds)
		}
	}
	return all
}

// apart measures with all groups and choices, then without each of those named.
func apart(pages, others []*page, folds int, names []string) {
	var all *measured
	for _, name := range append([]string{""}, names...) {
		o, err := without(listed(name))
		if err != nil {
			log.Fatal(err)
		}
		m := cross(pages, others, folds, o.quick())
		if all == nil {
			all = m
			all.print()
		} else {
			all.compare(name, m)
		}
	}
}

// tally adds up pages of a kind.
type tally struct {
	n    int
	f    float64
	kept [2]int // words in lists, tables and code: of the gold, and those that came
}

func (t *tally) add(r *result) {
	t.n++
	t.f += r.f
	t.kept[0] += r.special[0]
	t.kept[1] += r.special[1]
}

// print says what F is, and writes that of each page to the standard error.
func (m *measured) print() {
	byKind, all := map[string]*tally{}, &tally{}
	kindsRight, off, ceiling := 0, 0.0, 0.0
	for i, p := range m.pages {
		r := &m.results[i]
		if byKind[p.gold.Type] == nil {
			byKind[p.gold.Type] = &tally{}
		}
		byKind[p.gold.Type].add(r)
		all.add(r)
		if r.kind == p.gold.Type {
			kindsRight++
		}
		off += max(r.f-r.confidence, r.confidence-r.f)
		ceiling += p.ceiling()
		fmt.Fprintf(os.Stderr, "%s %s %.3f %.3f %s ceiling %.3f\n", p.gold.ID, p.gold.Type, r.f, r.confidence, r.kind, p.ceiling())
	}
	for _, k := range content.Kinds {
		if t := byKind[k]; t != nil {
			fmt.Printf("%-14s %4d  F %.4f  kept of lists, tables, code %.3f\n", k, t.n, t.f/float64(t.n),
				float64(t.kept[1])/float64(max(1, t.kept[0])))
		}
	}
	n := float64(all.n)
	fmt.Printf("%-14s %4d  F %.4f  kept %.3f  ceiling %.4f  kind right %.3f  confidence off by %.3f\n", "all", all.n, all.f/n,
		float64(all.kept[1])/float64(max(1, all.kept[0])), ceiling/n, float64(kindsRight)/n, off/n)
	if len(m.others) > 0 {
		fmt.Printf("%-14s %4d  F %.4f\n", "Mozilla's", len(m.others), mean(m.elsewhere))
	}
}

// compare says how far F is from that of all parts, page by page, and where the difference lies in 95 of 100 draws of
// as many pages.
func (m *measured) compare(name string, o *measured) {
	var here, there []float64
	for i := range m.results {
		here = append(here, o.results[i].f-m.results[i].f)
	}
	for i := range m.elsewhere {
		there = append(there, o.elsewhere[i]-m.elsewhere[i])
	}
	fmt.Printf("without %-10s WCXB %s  Mozilla's %s\n", name, interval(here), interval(there))
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}

// interval is the mean of differences, and between what it lies in 95 of 100 draws.
func interval(differences []float64) string {
	if len(differences) == 0 {
		return "-"
	}
	random := rand.New(rand.NewPCG(5, 6))
	means := make([]float64, 2000)
	draw := make([]float64, len(differences))
	for i := range means {
		for j := range draw {
			draw[j] = differences[random.IntN(len(differences))]
		}
		means[i] = mean(draw)
	}
	slices.Sort(means)
	return fmt.Sprintf("%+.4f (%+.4f to %+.4f)", mean(differences), means[len(means)/40], means[len(means)-1-len(means)/40])
}
