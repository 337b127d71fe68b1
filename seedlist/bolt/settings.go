package bolt

import (
	"context"

	"laundromat/seedlist"
)

// Set changes settings of seeds, a thousand a transaction, and answers for each.
func (s *Store) Set(ctx context.Context, settings seedlist.SeedSettings, hashes ...string) ([]error, error) {
	return s.each(ctx, hashes, func(b *batch, id uint64) error { return b.set(id, &settings) })
}

// set changes settings of one seed.
func (b *batch) set(id uint64, settings *seedlist.SeedSettings) error {
	was, ok := b.hot(id)
	if !ok {
		return seedlist.ErrNotFound
	}
	if err := b.holds(id, settings.If); err != nil {
		return err
	}
	if was.is(isFragment) {
		id = b.documentOf(id, &was)
		if was, ok = b.hot(id); !ok {
			return seedlist.ErrNotFound
		}
	}
	switch {
	case was.is(isClean):
		return seedlist.ErrClean
	case settings.Interval != nil && !was.is(isFetchable):
		return seedlist.ErrNoURI
	}
	is := was
	if settings.Priority != nil {
		is.priority = clampPriority(*settings.Priority)
	}
	if !settings.ChangesRecord() {
		if is != was {
			b.save(id, &was, &is)
		}
		return nil
	}
	changed, err := b.changeRecord(id, func(r *seedlist.Record) { settings.Apply(r, &b.store.options) })
	if err != nil {
		return err
	}
	changed.move = func(h *hot) {
		h.priority = is.priority
		if settings.Interval != nil && h.state.IsEnd() {
			h.due = nanoseconds(seedlist.DueSet(&changed.record.Record, timeOf(h.due), int(h.failures)))
		}
	}
	b.putRecord(&changed)
	return nil
}

// holds is the answer of a condition for the seed of a number, as it is in this transaction.
func (b *batch) holds(id uint64, condition seedlist.Condition) error {
	if condition == nil {
		return nil
	}
	seed, err := b.seed(id)
	if err != nil {
		return err
	}
	b.store.attend(id, &seed)
	b.fillOutcome(&seed)
	return condition(seed)
}
