package bolt

import (
	"bytes"
	"context"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// cutDues corrects due times that were set by a clock that ran ahead. A seed that waits for another
// try is due no later than the longest pause from now. One that rests is due no later than after its
// interval, and so are catalogs.
func (s *Store) cutDues(ctx context.Context) error {
	now := time.Now()
	for _, part := range waitingParts() {
		prefix := []byte{part}
		most := now.Add(s.options.RetryMost).UnixNano()
		err := s.cutIndex(ctx, inWaiting, prefix, most, func(*tables, uint64) int64 { return most })
		if err != nil {
			return err
		}
	}
	// The interval is in the larger record. So only those are looked at that are due later than the
	// store's own longest would have them.
	longest := now.Add(max(s.options.Interval, s.options.IntervalMax)).UnixNano()
	err := s.cutIndex(ctx, inRecheck, nil, longest, func(t *tables, id uint64) int64 {
		c, err := t.cold(id)
		if err != nil {
			return longest
		}
		return engine.Nanoseconds(seedlist.DueAfter(now, c.Interval))
	})
	if err != nil {
		return err
	}
	return s.cutCatalogDues(ctx, now)
}

// mostWait is how long who waits goes without a look at the list, where nothing wakes it: see watchClock.
const mostWait = 24 * time.Hour

// watchClock looks at the clock now and then, for all who wait: no timer knows that it was set. One that was set back
// had run ahead, and so may the times be at which seeds are due.
func (s *Store) watchClock() {
	for began := time.Now(); ; {
		timer := time.NewTimer(seedlist.ClockLook)
		select {
		case <-timer.C:
		case <-s.stop:
			timer.Stop()
			return
		}
		now := time.Now()
		_ = s.clockSet(seedlist.ClockSet(began, now)) // it is looked at again
		began = now
	}
}

// clockSet follows when the clock was set by so much.
func (s *Store) clockSet(by time.Duration) (err error) {
	if by < 0 {
		err = s.cutDues(context.Background())
	}
	if by != 0 {
		s.Wake(engine.AllNews)
	}
	return err
}

// maxRows is the number of rows that one transaction looks at.
const maxRows = 1000

// cutIndex looks at the seeds of an index that are due later than a time. It gives that time to those
// that are due later than they may be.
func (s *Store) cutIndex(ctx context.Context, which int, prefix []byte, later int64, most func(*tables, uint64) int64) error {
	for from := appendTime(bytes.Clone(prefix), later+1); from != nil; {
		var next []byte
		err := s.do(ctx, func(b *batch) error {
			cut, rows := map[uint64]int64{}, 0
			b.scan(which, prefix, from, func(key, _ []byte) bool {
				if rows++; rows > maxRows {
					next = bytes.Clone(key)
					return false
				}
				if at := most(&b.tables, lastNumber(key)); readTime(key[len(prefix):]) > at && at > 0 {
					cut[lastNumber(key)] = at
				}
				return true
			})
			for id, due := range cut {
				if was, ok := b.hot(id); ok && was.due > due {
					is := was
					is.due = due
					b.save(id, &was, &is)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		from = next
	}
	return nil
}

func (s *Store) cutCatalogDues(ctx context.Context, now time.Time) error {
	longest := now.Add(s.options.RetryMost)
	return s.do(ctx, func(b *batch) error {
		var late []uint64
		b.scan(inCatalogs, nil, nil, func(key, value []byte) bool {
			if _, due := catalogStanding(value); due.After(longest) {
				late = append(late, lastNumber(key))
			}
			return true
		})
		for _, id := range late {
			c, err := b.catalog(id)
			if err != nil {
				continue
			}
			most := longest
			if c.Status != seedlist.CatalogWaiting && c.Interval > 0 {
				most = seedlist.DueAfter(now, &c.Interval)
			}
			if c.Due.After(most) {
				c.Due = most.UTC()
				b.putCatalog(id, &c)
			}
		}
		return nil
	})
}
