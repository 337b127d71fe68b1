package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"laundromat/internal/rule"
	"laundromat/markup/jsonread"
	"laundromat/rdf/jsonld"
	"laundromat/rdf/rdfxml"
)

// rules are the tables of the readers, by format.
var rules = map[string][]*rule.Table{
	"RDF/XML": {rdfxml.Rules},
	"JSON-LD": {jsonread.Rules, jsonld.Rules},
}

// worth is what documents with faults are without a rule, compared with all rules. Positive figures
// speak for it.
type worth struct {
	asked    int // documents in which it would act
	differs  int // of these, those that are read otherwise without it
	lost     int // untouched statements more that are lost
	invented int // statements more that the clean document does not hold, whether a notice tells of them or not
	silent   int // of these, those without a notice
	untold   int // faults more without a notice on their line
	mended   int // touched statements fewer that are read as they were meant
}

func (w *worth) add(o worth) {
	w.asked += o.asked
	w.differs += o.differs
	w.lost += o.lost
	w.invented += o.invented
	w.silent += o.silent
	w.untold += o.untold
	w.mended += o.mended
}

// ablate reads every document of every set of a format once for each rule that it asks for, without that. Only the
// longest rows are left out, which differ from others by their length alone.
func (m *measurer) ablate(ctx context.Context, format string, seed uint64, n int) error {
	if len(rules[format]) == 0 {
		return nil
	}
	for _, table := range rules[format] {
		for _, r := range table.All() {
			if m.worth[r] == nil {
				m.worth[r] = &worth{}
			}
		}
	}
	return m.setsOf(ctx, format, seed, n, func(one set, all []sample) error {
		if one.long {
			return nil
		}
		for _, s := range all {
			if err := m.ablateSample(ctx, s); err != nil {
				return err
			}
		}
		return nil
	})
}

// ablateSample reads a document without each rule that it asks for.
func (m *measurer) ablateSample(ctx context.Context, s sample) error {
	all := &rule.Trial{}
	with, err := washedWithout(ctx, all, s.document, s.broken.text)
	if err != nil {
		return err
	}
	base, _, _ := s.judge(s.broken, with)
	for _, table := range rules[s.format] {
		for _, r := range table.All() {
			if !all.Asked(r) {
				continue
			}
			without, err := washedWithout(ctx, &rule.Trial{Without: r}, s.document, s.broken.text)
			if err != nil {
				return fmt.Errorf("without %s: %w", r.Rule().Name, err)
			}
			w := worth{asked: 1}
			if !without.same(with) {
				score, _, _ := s.judge(s.broken, without)
				w.differs = 1
				w.lost = base.saved - score.saved
				w.silent = score.invented - base.invented
				w.invented = w.silent + score.changed - base.changed
				w.untold = base.placed - score.placed
				w.mended = base.mended - score.mended
			}
			m.worth[r].add(w)
		}
	}
	return nil
}

// same says that two readings are alike in all that is measured.
func (r *reading) same(o reading) bool {
	return slices.Equal(r.statements, o.statements) && slices.Equal(r.repaired, o.repaired) && maps.Equal(r.lines, o.lines)
}
