package main

import (
	"context"
	"fmt"
	"slices"
)

// besideSets are the programs that read on behind faults, and are measured with all sets.
var besideSets = []string{"laundromat", "serdi", "oxigraph"}

// setKey is a row of the table of sets.
type setKey struct{ set, program, format string }

// measureSets measures all sets of a format with one seed, the n-th of all, and what each rule is worth in them. For
// that only the longest rows are left out, which differ from others by their length alone.
func (m *measurer) measureSets(ctx context.Context, format string, seed uint64, n int) error {
	if m.without {
		m.countRules(format)
	}
	return m.setsOf(ctx, format, seed, n, func(one set, all []sample) error {
		for _, sample := range all {
			if err := m.readsWhole(ctx, sample.document); err != nil {
				return err
			}
			if err := m.judgeSample(ctx, one.name, sample); err != nil {
				return fmt.Errorf("%s: %w", one.name, err)
			}
			if m.without && !one.long {
				if err := m.ablateSample(ctx, sample); err != nil {
					return fmt.Errorf("%s: %w", one.name, err)
				}
			}
		}
		return nil
	})
}

// judgeSample lets the programs read a document of a set.
func (m *measurer) judgeSample(ctx context.Context, set string, s sample) error {
	for _, p := range m.readers {
		if !slices.Contains(besideSets, p.name) || !s.whole[p.name] {
			continue
		}
		r, ok, err := p.read(ctx, s.format, s.broken.text)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if !ok {
			continue
		}
		score, lost, invented := s.judge(s.broken, r)
		if p.name == "laundromat" { // what others invent is no matter of proof here
			if invented, score.legal, err = m.proof.take(ctx, s.document, s.broken, invented); err != nil {
				return err
			}
			score.invented -= score.legal
		}
		addTo(m.inSets, setKey{set, p.name, s.format}, score)
		if p.name != "laundromat" {
			continue
		}
		if m.show > 0 && (len(lost) > 0 || len(invented) > 0 || score.placed < score.faults) {
			fmt.Fprintf(m.to, "==== set %s, %s\n", set, s.document.name)
			if err := m.showOutcome(outcome{s.document, s.broken, r, lost, invented}, s.edits[0].fault.name, score); err != nil {
				return err
			}
		}
	}
	return nil
}

// readsWhole finds which programs read a document without a fault whole.
func (m *measurer) readsWhole(ctx context.Context, d *document) error {
	if d.whole != nil {
		return nil
	}
	d.whole = map[string]bool{}
	for _, p := range m.readers {
		if !slices.Contains(besideSets, p.name) {
			continue
		}
		r, ok, err := p.read(ctx, d.format, d.text)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if ok {
			s, _, _ := d.judge(d.apply(nil), r)
			d.whole[p.name] = s.saved == s.untouched && s.invented == 0
		}
	}
	return nil
}
