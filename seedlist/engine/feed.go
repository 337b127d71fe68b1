package engine

import (
	"context"
	"time"

	"laundromat/seedlist"
)

// Revision is that of the last change; 0 before the first.
func (l *Moves) Revision(ctx context.Context) (uint64, error) {
	return found(ctx, l.ask, func(s *Session) (uint64, error) { return s.revision(), nil })
}

func (a *asking) revision() uint64 {
	return answer(a, func(tx Tx) (last uint64, err error) {
		_, _, last, err = tx.Changes(0, 0)
		return last, err
	})
}

// WaitChange returns nil when there is a change after a revision.
func (l *Moves) WaitChange(ctx context.Context, after uint64) error {
	return l.wait(ctx, OfFeed, func(s *Session) (bool, int64) { return s.revision() > after, 0 })
}

// Changes are the changes after a revision, in order, up to limit.
func (l *Moves) Changes(ctx context.Context, after uint64, limit int) ([]seedlist.Change, error) {
	return found(ctx, l.read, func(s *Session) ([]seedlist.Change, error) {
		all, first, last, err := s.tx.Changes(after, max(limit, 0))
		switch {
		case err != nil, after == last:
			return nil, err
		case after > last || after+1 < first:
			return nil, &seedlist.LateError{After: after, First: first, Last: last}
		}
		return all, nil
	})
}

// Numbered returns the seeds of these numbers that are there.
func (l *Moves) Numbered(ctx context.Context, numbers ...uint64) ([]seedlist.Numbered, error) {
	return found(ctx, l.read, func(s *Session) ([]seedlist.Numbered, error) { return s.numbered(s.among(numbers)), nil })
}

func (s *Session) numbered(seeds []*Seed) (all []seedlist.Numbered) {
	s.documents(seeds)
	links := s.listings(seeds)
	roots := rootsOf(s, seeds)
	for _, r := range seeds {
		var stored seedlist.Stored // where its record is damaged, it is its standing alone
		if r.Damage == nil && s.err == nil {
			var err error
			stored, err = brief(r.Data)
			s.fail(err)
		}
		seed := bareOf(r, &stored)
		s.list.Attend(r, &seed)
		seed.Catalogs, seed.Root = links[r.Number], roots[r.Number]
		all = append(all, seedlist.Numbered{Number: r.Number, Seed: seed})
	}
	return all
}

// Whole returns the seeds of these numbers that are there, with their links.
func (l *Moves) Whole(ctx context.Context, numbers ...uint64) ([]seedlist.Seed, error) {
	return found(ctx, l.read, func(s *Session) ([]seedlist.Seed, error) { return s.attended(numbers), nil })
}

// maxNumbered is the number of seeds that one call returns at most.
const maxNumbered = 1000

// NumberedAfter returns the seeds that follow a number, oldest first.
func (l *Moves) NumberedAfter(ctx context.Context, after uint64, limit int) ([]seedlist.Numbered, error) {
	return found(ctx, l.read, func(s *Session) ([]seedlist.Numbered, error) {
		return s.numbered(s.keep(s.scan(Scan{}, after, max(0, min(limit, maxNumbered))))), nil
	})
}

// Washed are the sums of what was washed by spans of time, oldest first.
func (l *Moves) Washed(ctx context.Context, span seedlist.Span, from, to time.Time) ([]seedlist.Washed, error) {
	return found(ctx, l.read, func(s *Session) ([]seedlist.Washed, error) { return s.washedIn(span, from, to), nil })
}
