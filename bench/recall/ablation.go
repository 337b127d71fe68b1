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
	"laundromat/rdf/ttl/repair"
)

// rules are the tables of the readers, by format.
var rules = map[string][]*rule.Table{
	"RDF/XML": {rdfxml.Rules},
	"JSON-LD": {jsonread.Rules, jsonld.Rules},
	"Turtle":  {repair.Rules},
	"TriG":    {repair.Rules},
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

// countRules makes room for what each rule of a format is worth.
func (m *measurer) countRules(format string) {
	for _, table := range rules[format] {
		for _, r := range table.All() {
			if m.worth[r] == nil {
				m.worth[r] = &worth{}
			}
		}
	}
}

// ablateSample reads a document once without each rule that it asks for.
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
