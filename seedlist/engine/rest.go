package engine

import (
	"cmp"
	"slices"
)

// atRest says that neither a seed nor anything below it will move by itself. An archive is fetched again only when
// it is at rest: the entries of the new one must not meet work on those of the old.
func (s *Session) atRest(r *Seed) (bool, error) {
	if !r.State.IsFinal() || !r.IsArchive || r.IsNew {
		return r.State.IsFinal(), nil
	}
	if err := s.loadUnrest([]*Seed{r}); err != nil {
		return false, err
	}
	return !s.unrest[r.Number], nil
}

// isEndAtRest says that a seed is at an end and at rest.
func (s *Session) isEndAtRest(r *Seed) (bool, error) {
	if !r.State.IsEnd() {
		return false, nil
	}
	return s.atRest(r)
}

// loadUnrest finds which archives have something below them that moves, those of which it is not known.
func (s *Session) loadUnrest(seeds []*Seed) error {
	var of []uint64
	for _, r := range seeds {
		if _, known := s.unrest[r.Number]; !known && r.IsArchive && !r.IsNew {
			of = append(of, r.Number)
		}
	}
	if len(of) == 0 {
		return nil
	}
	if err := s.flush(); err != nil {
		return err
	}
	moving, err := s.tx.Unrest(of)
	if err != nil {
		return err
	}
	for _, n := range of {
		put(&s.unrest, n, false)
	}
	for _, n := range moving {
		put(&s.unrest, n, true)
	}
	return nil
}

// stirs notes that a seed moves again, or came to rest: what was known of the archives above it may not hold.
func (s *Session) stirs(r *Seed) {
	if r.Parent == 0 || len(s.unrest) == 0 {
		return
	}
	for n := r.Parent; n != 0; {
		above := s.seeds[n]
		if r.Erased || r.State.IsFinal() || above == nil {
			clear(s.unrest)
			return
		}
		s.unrest[n], n = true, above.Parent
	}
}

// archivesRest says that all archives above a seed rest. Were one at work, it might replace the seed's bytes.
func (s *Session) archivesRest(r *Seed) (bool, error) {
	for r.Parent != 0 {
		above, err := s.at(r.Parent)
		if err != nil || above == nil {
			return true, err
		}
		if !above.State.IsFinal() {
			return false, nil
		}
		r = above
	}
	return true, nil
}

// loadAbove reads the archives above seeds, a round trip for each depth, and returns them with the seeds.
func (s *Session) loadAbove(seeds []*Seed) (with []*Seed, err error) {
	for len(seeds) > 0 {
		with = append(with, seeds...)
		var numbers []uint64
		for _, r := range seeds {
			if r.Parent != 0 {
				numbers = append(numbers, r.Parent)
			}
		}
		if seeds, err = s.among(distinct(numbers)); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(with, func(a, b *Seed) int { return cmp.Compare(a.Number, b.Number) })
	return slices.Compact(with), nil
}
