package engine

import (
	"context"
	"time"

	"laundromat/seedlist"
)

// Revision is that of the last change; 0 before the first.
func (l *Moves) Revision(ctx context.Context) (last uint64, err error) {
	err = l.ask(ctx, func(s *Session) error {
		_, _, last, err = s.tx.Changes(0, 0)
		return err
	})
	return last, err
}

// WaitChange returns nil when there is a change after a revision.
func (l *Moves) WaitChange(ctx context.Context, after uint64) error {
	return l.wait(ctx, OfFeed, func(s *Session) (bool, int64, error) {
		_, _, last, err := s.tx.Changes(0, 0)
		return last > after, 0, err
	})
}

// Changes are the changes after a revision, in order, up to limit.
func (l *Moves) Changes(ctx context.Context, after uint64, limit int) (all []seedlist.Change, err error) {
	err = l.read(ctx, func(s *Session) error {
		found, first, last, err := s.tx.Changes(after, max(limit, 0))
		switch {
		case err != nil:
			return err
		case after == last:
			return nil
		case after > last || after+1 < first:
			return &seedlist.LateError{After: after, First: first, Last: last}
		}
		all = found
		return nil
	})
	return all, err
}

// Numbered returns the seeds of these numbers that are there.
func (l *Moves) Numbered(ctx context.Context, numbers ...uint64) (all []seedlist.Numbered, err error) {
	err = l.read(ctx, func(s *Session) error {
		seeds, err := s.among(numbers)
		if err == nil {
			all, err = s.numbered(seeds)
		}
		return err
	})
	return all, err
}

func (s *Session) numbered(seeds []*Seed) (all []seedlist.Numbered, err error) {
	if err := s.documents(seeds); err != nil {
		return nil, err
	}
	links, err := s.listings(seeds)
	if err != nil {
		return nil, err
	}
	roots, err := rootsOf(s, seeds)
	if err != nil {
		return nil, err
	}
	for _, r := range seeds {
		seed, err := s.bare(r)
		if r.Damage != nil {
			seed.Record, err = seedlist.Record{}, nil // it is its standing alone
		}
		if err != nil {
			return nil, err
		}
		s.list.Attend(r, &seed)
		seed.Catalogs, seed.Root = links[r.Number], roots[r.Number]
		all = append(all, seedlist.Numbered{Number: r.Number, Seed: seed})
	}
	return all, nil
}

// Whole returns the seeds of these numbers that are there, with their links.
func (l *Moves) Whole(ctx context.Context, numbers ...uint64) (all []seedlist.Seed, err error) {
	err = l.read(ctx, func(s *Session) error {
		all, err = s.attended(numbers)
		return err
	})
	return all, err
}

// maxNumbered is the number of seeds that one call returns at most.
const maxNumbered = 1000

// NumberedAfter returns the seeds that follow a number, oldest first.
func (l *Moves) NumberedAfter(ctx context.Context, after uint64, limit int) (all []seedlist.Numbered, err error) {
	err = l.read(ctx, func(s *Session) error {
		seeds, err := s.tx.Scan(Scan{}, after, max(0, min(limit, maxNumbered)))
		if err == nil {
			all, err = s.numbered(s.keep(seeds))
		}
		return err
	})
	return all, err
}

// Washed are the sums of what was washed by spans of time, oldest first.
func (l *Moves) Washed(ctx context.Context, span seedlist.Span, from, to time.Time) (all []seedlist.Washed, err error) {
	err = l.read(ctx, func(s *Session) error {
		all, err = s.tx.Washed(span, from, to)
		return err
	})
	return all, err
}
