package memory

import (
	"context"
	"maps"
	"slices"
	"time"

	"laundromat/seedlist"
)

// seen is what a change of a seed can be seen by. The document of a record is replaced
// whole, so that its first byte is enough.
type seen struct {
	data       *byte
	state      seedlist.State
	stage      seedlist.State
	last       seedlist.State
	fence      uint64
	tries      int
	failures   int
	priority   int32
	due        time.Time
	gone       bool
	children   int
	dirty      int
	catalogs   int // that name it
	catalogsOf int // that named it once
}

func (s *Store) seen(r *record) seen {
	now := seen{
		data: &r.data[0], state: r.state, stage: r.stage, last: r.last, fence: r.fence, tries: r.tries,
		failures: r.failures, priority: r.priority, due: r.due, gone: r.gone, children: len(r.children), dirty: len(r.dirty),
	}
	for _, number := range r.catalogs {
		if c := s.catalogs[number]; c != nil && c.listings[r.number].gone {
			now.catalogsOf++
		} else if c != nil {
			now.catalogs++
		}
	}
	return now
}

// noteChanges finds what a call changed, by looking at every seed. The lock is held.
func (s *Store) noteChanges(now time.Time) {
	for r := range s.since(0) {
		if is := s.seen(r); is != r.told {
			s.note(seedlist.Change{Time: now, Number: r.number, From: r.told.state, To: is.state})
			r.told = is
		}
	}
	for _, r := range s.erased {
		if r.told.state != "" {
			s.note(seedlist.Change{Time: now, Number: r.number, From: r.told.state, Hash: r.hash})
		}
	}
	s.erased = nil
}

func (s *Store) note(c seedlist.Change) {
	s.revision++
	c.Revision, c.Time = s.revision, wall(c.Time)
	s.changes = append(s.changes, c)
	s.changes = s.changes[max(0, len(s.changes)-s.options.KeepChanges):]
}

// Revision is that of the last change; 0 before the first.
func (s *Store) Revision(ctx context.Context) (last uint64, err error) {
	err = s.read(ctx, func() error {
		last = s.revision
		return nil
	})
	return last, err
}

// WaitChange returns nil when there is a change after a revision.
func (s *Store) WaitChange(ctx context.Context, after uint64) error {
	return s.wait(ctx, func(time.Time) (bool, time.Time) { return s.revision > after, time.Time{} })
}

// Changes are the changes after a revision, in order, up to limit.
func (s *Store) Changes(ctx context.Context, after uint64, limit int) (all []seedlist.Change, err error) {
	err = s.read(ctx, func() error {
		first := s.revision + 1 - uint64(len(s.changes))
		switch {
		case after == s.revision:
			return nil
		case after > s.revision || after+1 < first:
			return &seedlist.LateError{After: after, First: first, Last: s.revision}
		}
		rest := s.changes[after+1-first:]
		all = slices.Clone(rest[:min(len(rest), max(limit, 0))])
		return nil
	})
	return all, err
}

// Numbered returns the seeds of these numbers that are there.
func (s *Store) Numbered(ctx context.Context, numbers ...uint64) (all []seedlist.Numbered, err error) {
	err = s.read(ctx, func() error {
		for r := range s.among(numbers) {
			all = append(all, s.numbered(r))
		}
		return nil
	})
	return all, err
}

// Whole returns the seeds of these numbers that are there, with their links.
func (s *Store) Whole(ctx context.Context, numbers ...uint64) (all []seedlist.Seed, err error) {
	err = s.read(ctx, func() error {
		for r := range s.among(numbers) {
			all = append(all, s.attended(r))
		}
		return nil
	})
	return all, err
}

func (s *Store) numbered(r *record) seedlist.Numbered {
	seed := s.attended(r)
	seed.Links = seedlist.Links{Catalogs: seed.Catalogs}
	return seedlist.Numbered{Number: r.number, Seed: seed}
}

// NumberedAfter returns the seeds that follow a number, oldest first.
func (s *Store) NumberedAfter(ctx context.Context, after uint64, limit int) (all []seedlist.Numbered, err error) {
	err = s.read(ctx, func() error {
		for r := range s.since(after) {
			if len(all) >= min(limit, maxNumbered) {
				break
			}
			all = append(all, s.numbered(r))
		}
		return nil
	})
	return all, err
}

const maxNumbered = 1000

// count adds a document that was washed to the sums, and forgets the oldest.
func (s *Store) countWashed(r *seedlist.Record, now time.Time) {
	for _, span := range seedlist.Spans() {
		sums := s.washed[span]
		begin := now.UTC().Truncate(span.Length())
		w := sums[begin.Unix()]
		w.Begin = wall(begin)
		w.Count(r)
		sums[begin.Unix()] = w
		if kept := span.Kept(); kept > 0 {
			limit := now.Add(-kept).Unix()
			maps.DeleteFunc(sums, func(begin int64, _ seedlist.Washed) bool { return begin < limit })
		}
	}
}

// Washed are the sums of what was washed by spans of time, oldest first.
func (s *Store) Washed(ctx context.Context, span seedlist.Span, from, to time.Time) (all []seedlist.Washed, err error) {
	err = s.read(ctx, func() error {
		for _, begin := range slices.Sorted(maps.Keys(s.washed[span])) {
			w := s.washed[span][begin]
			if !w.Begin.Before(from) && w.Begin.Before(to) {
				all = append(all, w)
			}
		}
		return nil
	})
	return all, err
}
