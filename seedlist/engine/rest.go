package engine

import (
	"cmp"
	"slices"
)

// isEndAtRest says that a seed is at an end, and that neither it nor anything below it will move by itself. An archive
// is fetched again only when it is at rest: the entries of the new one must not meet work on those of the old.
func (s *Session) isEndAtRest(r *Seed) bool {
	if !r.State.IsEnd() || !r.IsArchive || r.IsNew {
		return r.State.IsEnd()
	}
	s.loadUnrest([]*Seed{r})
	return !s.unrest[r.Number]
}

// isAllAtRest says that besides all archives above it rest.
func (s *Session) isAllAtRest(r *Seed) bool { return s.isEndAtRest(r) && s.archivesRest(r) }

// loadUnrest finds which archives have something below them that moves, those of which it is not known.
func (s *Session) loadUnrest(seeds []*Seed) {
	var of []uint64
	for _, r := range seeds {
		if _, known := s.unrest[r.Number]; !known && r.IsArchive && !r.IsNew {
			of = append(of, r.Number)
		}
	}
	if len(of) == 0 {
		return
	}
	s.flush()
	for _, n := range of {
		put(&s.unrest, n, false)
	}
	for _, n := range answer(&s.asking, func(tx Tx) ([]uint64, error) { return tx.Unrest(of) }) {
		s.unrest[n] = true
	}
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
func (s *Session) archivesRest(r *Seed) bool {
	for r.Parent != 0 {
		above := s.at(r.Parent)
		if above == nil {
			return true
		}
		if !above.State.IsFinal() {
			return false
		}
		r = above
	}
	return true
}

// loadAbove reads the archives above seeds, a round trip for each depth, and returns them with the seeds.
func (s *Session) loadAbove(seeds []*Seed) (with []*Seed) {
	for len(seeds) > 0 {
		with = append(with, seeds...)
		var numbers []uint64
		for _, r := range seeds {
			if r.Parent != 0 {
				numbers = append(numbers, r.Parent)
			}
		}
		seeds = s.among(distinct(numbers))
	}
	slices.SortFunc(with, func(a, b *Seed) int { return cmp.Compare(a.Number, b.Number) })
	return slices.Compact(with)
}
