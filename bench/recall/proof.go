package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// proof finds which statements a broken text says by the rules of its format, though the clean
// document does not hold them. One fault, or two near each other, can make legal text with another
// meaning. That is not claimed but shown. With these faults alone the document is read without a
// notice, and another program reads it whole and finds nothing wrong. Both read the statement from it.
// What is not shown so counts as invented.
type proof struct {
	witnesses []program
	known     map[string]*legality // by the faults, in the text of which the proof is
	of        *document
}

// legality is what a document with some faults alone says, in other words than without them.
type legality struct {
	legal map[statement]bool
}

// faultsAround is how many faults on each side of a statement may have made it.
const faultsAround = 3

// take removes from findings in a broken text those that are legal, and says how many these are.
func (p *proof) take(ctx context.Context, d *document, b broken, findings []finding) (rest []finding, legal int, err error) {
	if p == nil || len(p.witnesses) == 0 || len(b.edits) == 0 {
		return findings, 0, nil
	}
	p.known, p.of = map[string]*legality{}, d
	for _, f := range findings {
		is, err := p.isLegal(ctx, b, f)
		if err != nil {
			return nil, 0, err
		}
		if is {
			legal++
		} else {
			rest = append(rest, f)
		}
	}
	return rest, legal, nil
}

// isLegal tries each fault near a finding, and each two of them.
func (p *proof) isLegal(ctx context.Context, b broken, f finding) (bool, error) {
	around := b.around(p.of, f)
	for i, one := range around {
		for j := i; j < len(around); j++ {
			edits := []edit{b.edits[one]}
			if j > i {
				edits = append(edits, b.edits[around[j]])
			}
			said, err := p.read(ctx, fmt.Sprint(one, around[j]), edits)
			if err != nil || said.legal[f.meant] {
				return err == nil, err
			}
		}
	}
	return false, nil
}

// around are the faults nearest to a finding, by their numbers. Where a program does not say where it read a
// statement, the clean document shows, in which every predicate and object occurs once.
func (b broken) around(d *document, f finding) []int {
	at := f.at
	if at == 0 {
		if at = d.placeOf(f.meant); at < 0 {
			return nil
		}
		at = b.place(at)
	}
	behind, _ := slices.BinarySearchFunc(b.faults, at, func(i injected, at int) int { return i.at - at })
	var all []int
	for i := max(behind-faultsAround, 0); i < min(behind+faultsAround, len(b.faults)); i++ {
		all = append(all, i)
	}
	return all
}

// placeOf is where the object or the predicate of a statement is in the clean text, -1 if nothing shows.
func (d *document) placeOf(s statement) int {
	if d.placed == nil {
		d.placed = map[string]int{}
		for i, at := range d.places() {
			for _, term := range []string{d.statements[i].predicate, d.statements[i].object} {
				if _, known := d.placed[term]; known && !strings.HasPrefix(term, "_:") {
					d.placed[term] = -1
				} else {
					d.placed[term] = at
				}
			}
		}
	}
	for _, term := range []string{s.object, s.predicate} {
		if at, known := d.placed[term]; known && at >= 0 {
			return at
		}
	}
	return -1
}

// isReadBy says whether a program reads the clean document whole, and finds nothing wrong with it.
func (d *document) isReadBy(ctx context.Context, p program) (bool, error) {
	if whole, known := d.soundTo[p.name]; known {
		return whole, nil
	}
	r, ok, err := p.read(ctx, d.format, d.text)
	if err != nil {
		return false, fmt.Errorf("%s: %w", p.name, err)
	}
	whole := false
	if ok && r.content {
		s, _, _ := d.judge(d.apply(nil), r)
		whole = s.saved == s.untouched && s.invented == 0
	}
	if d.soundTo == nil {
		d.soundTo = map[string]bool{}
	}
	d.soundTo[p.name] = whole
	return whole, nil
}

// read has the document read with some of its faults, if that was not done yet.
func (p *proof) read(ctx context.Context, key string, edits []edit) (*legality, error) {
	if known := p.known[key]; known != nil {
		return known, nil
	}
	said := &legality{legal: map[statement]bool{}}
	p.known[key] = said
	alone := p.of.apply(edits)
	text := alone.text
	ours, err := washed(ctx, p.of.format, text)
	if err != nil || len(p.of.told(ours)) > 0 {
		return said, err
	}
	other := map[statement]bool{} // than the clean document says, and that no witness said yet
	for _, s := range p.of.inItsWords(alone, ours) {
		other[s] = true
	}
	for _, s := range p.of.statements {
		delete(other, s)
	}
	for _, w := range p.witnesses {
		if len(other) == 0 {
			break
		}
		if reads, err := p.of.isReadBy(ctx, w); err != nil || !reads {
			if err != nil {
				return nil, err
			}
			continue
		}
		theirs, ok, err := w.read(ctx, p.of.format, text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", w.name, err)
		}
		if !ok || !theirs.content {
			continue
		}
		for _, s := range p.of.inItsWords(alone, theirs) {
			if other[s] {
				said.legal[s] = true
				delete(other, s)
			}
		}
	}
	return said, nil
}
