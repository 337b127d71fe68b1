package engine

import (
	"context"

	"laundromat/seedlist"
)

// Set changes settings of seeds, and answers for each.
func (l *Moves) Set(ctx context.Context, settings seedlist.SeedSettings, hashes ...string) ([]error, error) {
	first := func(s *Session, seeds []*Seed) error {
		if err := s.loadConditions(seeds, settings.If); err != nil || !settings.ChangesRecord() {
			return err
		}
		return s.loadDirty(seeds, nil)
	}
	return l.each(ctx, hashes, first, func(s *Session, r *Seed) (answer, err error) { return s.set(r, &settings) })
}

// set changes settings of one seed.
func (s *Session) set(r *Seed, settings *seedlist.SeedSettings) (answer, err error) {
	if answer, err = s.holds(r, settings.If); answer != nil || err != nil {
		return answer, err
	}
	stored, err := s.document(r)
	if err != nil {
		return nil, err
	}
	if r.Fragment {
		if r, err = s.byHash(stored.Document); r == nil || err != nil {
			return seedlist.ErrNotFound, err
		}
		if stored, err = s.document(r); err != nil {
			return nil, err
		}
	}
	switch {
	case r.Clean:
		return seedlist.ErrClean, nil
	case settings.Interval != nil && !r.Fetchable:
		return seedlist.ErrNoURI, nil
	}
	if settings.Priority != nil {
		s.touch(r)
		r.Priority = clampPriority(*settings.Priority)
	}
	if !settings.ChangesRecord() {
		return nil, nil
	}
	cleans := stored.Cleans()
	settings.Apply(&stored.Record, &s.list.options)
	if err := s.encode(r, &stored); err != nil {
		return nil, err
	}
	if err := s.unlinkOld(r, cleans, &stored); err != nil {
		return nil, err
	}
	if settings.Interval != nil && r.State.IsEnd() {
		s.touch(r)
		r.Due = Nanoseconds(seedlist.DueSet(&stored.Record, TimeOf(r.Due), r.Failures))
	}
	return nil, nil
}

// loadConditions reads at once the links of seeds that a condition is to be held against.
func (s *Session) loadConditions(seeds []*Seed, condition seedlist.Condition) error {
	if condition == nil {
		return nil
	}
	linked, err := s.links(seeds)
	for i, r := range seeds {
		if err == nil {
			r.links = &linked[i]
		}
	}
	return err
}

// holds is the answer of a condition for a seed as it is in this transaction.
func (s *Session) holds(r *Seed, condition seedlist.Condition) (answer, err error) {
	if condition == nil {
		return nil, nil
	}
	if r.links == nil || s.isLinked {
		if err := s.loadConditions([]*Seed{r}, condition); err != nil {
			return nil, err
		}
	}
	seed, err := s.bare(r)
	if err != nil {
		return nil, err
	}
	seed.Links = *r.links
	s.list.Attend(r, &seed)
	if err := s.fillOutcomes(&seed); err != nil {
		return nil, err
	}
	return condition(seed), nil
}
