package postgres

import (
	"context"

	"laundromat/seedlist"
)

// Set changes settings of seeds, and answers for each.
func (s *Store) Set(ctx context.Context, settings seedlist.SeedSettings, hashes ...string) ([]error, error) {
	return s.each(ctx, hashes, func(t *tx, r *record) (answer, err error) { return t.set(r, &settings) })
}

// set changes settings of one seed.
func (t *tx) set(r *record, settings *seedlist.SeedSettings) (answer, err error) {
	if answer, err = t.holds(r, settings.If); answer != nil || err != nil {
		return answer, err
	}
	stored, err := r.stored()
	if err != nil {
		return nil, err
	}
	if r.fragment {
		if r, err = t.byHash(stored.Document); r == nil || err != nil {
			return seedlist.ErrNotFound, err
		}
		if stored, err = r.stored(); err != nil {
			return nil, err
		}
	}
	switch {
	case r.clean:
		return seedlist.ErrClean, nil
	case settings.Interval != nil && !r.fetchable:
		return seedlist.ErrNoURI, nil
	}
	if settings.Priority != nil {
		r.priority = clampPriority(*settings.Priority)
	}
	if !settings.ChangesRecord() {
		return nil, nil
	}
	cleans := stored.Cleans()
	settings.Apply(&stored.Record, &t.store.options)
	data, err := stored.Encode()
	if err != nil {
		return nil, err
	}
	r.put(data)
	if err := t.unlinkOld(r, cleans, &stored); err != nil {
		return nil, err
	}
	if settings.Interval != nil && r.state.IsEnd() {
		r.due = nanoseconds(seedlist.DueSet(&stored.Record, timeOf(r.due), int(r.failures)))
	}
	return nil, nil
}

// holds is the answer of a condition for a seed as it is in this transaction.
func (t *tx) holds(r *record, condition seedlist.Condition) (answer, err error) {
	if condition == nil {
		return nil, nil
	}
	if err := t.save(); err != nil {
		return nil, err
	}
	seeds, err := t.attended([]uint64{r.number})
	if err != nil {
		return nil, err
	}
	if err := t.fillOutcomes(&seeds[0]); err != nil {
		return nil, err
	}
	return condition(seeds[0]), nil
}
