package engine

import (
	"context"

	"laundromat/seedlist"
)

// Set changes settings of seeds, and answers for each.
func (l *Moves) Set(ctx context.Context, settings seedlist.SeedSettings, hashes ...string) ([]error, error) {
	first := func(s *Session, seeds []*Seed) {
		if s.loadConditions(seeds, settings.If); settings.ChangesRecord() {
			s.loadDirty(seeds, nil)
		}
	}
	return l.each(ctx, hashes, first, func(s *Session, r *Seed) error { return s.set(r, &settings) })
}

// set changes settings of one seed.
func (s *Session) set(r *Seed, settings *seedlist.SeedSettings) (refused error) {
	if refused = s.holds(r, settings.If); refused != nil {
		return refused
	}
	stored := s.document(r)
	if r.Fragment {
		if r = s.byHash(stored.Document); r == nil {
			return seedlist.ErrNotFound
		}
		stored = s.document(r)
	}
	switch {
	case r.Clean:
		return seedlist.ErrClean
	case settings.Interval != nil && !r.Fetchable:
		return seedlist.ErrNoURI
	}
	if settings.Priority != nil {
		s.touch(r)
		r.Priority = clampPriority(*settings.Priority)
	}
	if !settings.ChangesRecord() {
		return nil
	}
	cleans := stored.Cleans()
	settings.Apply(&stored.Record, &s.list.options)
	s.encode(r, &stored)
	s.unlinkOld(r, cleans, &stored)
	if settings.Interval != nil && r.State.IsEnd() {
		s.touch(r)
		r.Due = Nanoseconds(seedlist.DueSet(&stored.Record, TimeOf(r.Due), r.Failures))
	}
	return nil
}

// loadConditions reads at once the links of seeds that a condition is to be held against.
func (s *Session) loadConditions(seeds []*Seed, condition seedlist.Condition) {
	if condition == nil {
		return
	}
	linked := s.links(seeds)
	for i, r := range seeds {
		r.links = &linked[i]
	}
}

// holds is the answer of a condition for a seed as it is in this transaction.
func (s *Session) holds(r *Seed, condition seedlist.Condition) (refused error) {
	if condition == nil {
		return nil
	}
	if r.links == nil || s.isLinked {
		s.loadConditions([]*Seed{r}, condition)
	}
	seed := s.bare(r)
	seed.Links = *r.links
	s.list.Attend(r, &seed)
	if s.fillOutcomes(&seed); s.err != nil {
		return nil
	}
	return condition(seed)
}
