package main

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"laundromat/internal/rule"
)

func TestTheTablesOfRulesAreWhole(t *testing.T) {
	for format, tables := range rules {
		seen := map[string]bool{}
		for _, table := range tables {
			for _, r := range table.Rules {
				if r.Name == "" || seen[r.Name] || !strings.HasSuffix(r.Does, ".") {
					t.Errorf("%s, %s: %q occurs twice or has a gap", format, table.Package, r.Name)
				}
				seen[r.Name] = true
			}
		}
	}
}

// TestARuleIsLeftOutOfOneReadingAlone holds the switch to what the ablation needs. A trial with all rules changes
// nothing, and a rule that was not asked for changes nothing when it is left out.
func TestARuleIsLeftOutOfOneReadingAlone(t *testing.T) {
	ctx := context.Background()
	for format, tables := range rules {
		s := &source{ctx: ctx, format: format, places: 1, draw: &draw{format: format, random: rand.New(rand.NewPCG(3, 0)),
			layouts: everyLayout()[:1]}}
		samples, err := s.single(faults, 24)
		if err != nil {
			t.Fatal(err)
		}
		acts, differs := 0, 0
		for _, sample := range samples {
			want, err := washed(ctx, format, sample.broken.text)
			if err != nil {
				t.Fatal(err)
			}
			all := &rule.Trial{}
			with, err := washedWithout(ctx, all, sample.document, sample.broken.text)
			if err != nil || !with.same(want) {
				t.Fatalf("%s: a trial with all rules reads otherwise, %v", sample.edits[0].fault.name, err)
			}
			for _, table := range tables {
				for _, r := range table.All() {
					without, err := washedWithout(ctx, &rule.Trial{Without: r}, sample.document, sample.broken.text)
					if err != nil {
						t.Fatal(err)
					}
					if all.Asked(r) {
						acts++
					}
					if !without.same(want) {
						differs++
						if !all.Asked(r) {
							t.Errorf("%s: %q was not asked for, and yet it changes what is read", sample.edits[0].fault.name, r.Rule().Name)
						}
					}
				}
			}
			if again, err := washed(ctx, format, sample.broken.text); err != nil || !again.same(want) {
				t.Errorf("%s: a rule that was left out stays out", sample.edits[0].fault.name)
			}
		}
		if acts == 0 || differs == 0 {
			t.Errorf("%s: no rule acts (%d), or none changes anything (%d)", format, acts, differs)
		}
		t.Logf("%s: rules act %d times, %d of them change what is read", format, acts, differs)
	}
}

// TestRowsOfBrokenStatementsCostLittle holds the readers to what they keep where the same fault stands in many
// blocks one after another.
func TestRowsOfBrokenStatementsCostLittle(t *testing.T) {
	for format, floor := range map[string]float64{"N-Triples": 1, "N-Quads": 1, "RDF/XML": 0.999, "JSON-LD": 0.998} {
		var layouts []*layout
		for _, l := range everyLayout() {
			if l.in(format) {
				layouts = append(layouts, l)
			}
		}
		s := &source{ctx: context.Background(), format: format, places: 1, draw: &draw{format: format, random: rand.New(rand.NewPCG(5, 0)),
			layouts: layouts}}
		samples, err := s.rows(20, 4)
		if err != nil {
			t.Fatal(err)
		}
		all := score{}
		for _, sample := range samples {
			r, err := washed(s.ctx, format, sample.broken.text)
			if err != nil {
				t.Fatal(err)
			}
			one, _, _ := sample.judge(sample.broken, r)
			all.add(one)
		}
		kept := float64(all.saved) / float64(all.untouched)
		t.Logf("%s: kept %.4f of %d, invented %d, %d of %d faults not told", format, kept, all.untouched, all.invented,
			all.faults-all.placed, all.faults)
		if kept < floor || all.invented > all.faults/100 {
			t.Errorf("%s: below its floor", format)
		}
	}
}
