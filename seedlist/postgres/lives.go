package postgres

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist/engine"
)

// signs are what a process says of itself.
type signs struct {
	// till is until when it is known to live, in nanoseconds of the server's clock.
	till    atomic.Int64
	speaker atomic.Pointer[string] // its name among those that may speak for the list; nil: it may not
}

// signOfLife says that this process lives.
func (s *Store) signOfLife(ctx context.Context, sql statements) error {
	till := s.now0().Add(leaseTime).UnixNano()
	_, err := sql.Exec(ctx, giveSign, s.holder, till)
	if err == nil {
		s.signs.till.Store(till)
		if name := s.signs.speaker.Load(); name != nil {
			_, err = sql.Exec(ctx, giveSign, *name, till)
		}
	}
	return err
}

const giveSign = "INSERT INTO holders VALUES ($1, $2) ON CONFLICT (holder) DO UPDATE SET lease = greatest(holders.lease, excluded.lease)"

// showLife gives a sign of life with claims, where the last is old. A process that was cut off may be taken for
// dead. What it claims before its next sign would be given to another at once. It returns until when it holds; 0
// where none was given.
func (t *tx) showLife(now time.Time) (till int64, err error) {
	s := t.store
	if s.signs.till.Load() > now.Add(leaseTime/2).UnixNano() {
		return 0, nil
	}
	till = now.Add(leaseTime).UnixNano()
	return till, t.exec(giveSign, s.holder, till)
}

// Now is the server's clock.
func (s *Store) Now() time.Time { return s.now() }

// Holder is this process, among all.
func (s *Store) Holder() string { return s.holder }

// claiming are the operations that claim, with when they began.
type claiming struct {
	mu    sync.Mutex
	begun map[*engine.Op]time.Time
}

// begin notes an operation that claims; the function that it returns ends it.
func (c *claiming) begin(o *engine.Op, at time.Time) (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun[o] = at
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.begun, o)
	}
}

// settled is the time before which all claims are known: now, or when the first transaction began that may still
// claim.
func (c *claiming) settled(now time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, at := range c.begun {
		if at.Before(now) {
			now = at
		}
	}
	return now
}

// now0 is now, also before the store is open.
func (s *Store) now0() time.Time {
	if s.now == nil {
		return s.serverTime()
	}
	return s.now()
}

// live gives signs of life, gives back what processes hold that have given none, and what this one could
// not end.
func (s *Store) live() {
	for s.pause(s.ctx, leaseTime/3) == nil {
		s.liveOnce()
	}
}

func (s *Store) liveOnce() {
	ctx, cancel := context.WithTimeout(s.ctx, leaseTime/3)
	defer cancel()
	err := s.db.once(ctx, func(sql statements) error {
		if s.baseAt != (time.Time{}) {
			if err := s.setClock(ctx, sql); err != nil {
				return err
			}
		}
		return s.signOfLife(ctx, sql)
	})
	if err != nil {
		return // the calls that write say what is wrong
	}
	if s.GiveBackDropped(s.ctx) != nil {
		return
	}
	for {
		n, err := s.Rescue(s.ctx)
		if err != nil {
			return
		}
		if n == 0 {
			break
		}
	}
	s.reclaim() // what can't be given back now, can next time
}

// unknown is a claim of this process that it does not know of.
type unknown struct {
	ID    int64
	Fence int64
	At    int64
}

// reclaim gives back what this process has claimed without coming to know of it. The connection broke
// while the claim was committed, and for too long.
func (s *Store) reclaim() error {
	before := s.begun.settled(s.now()).UnixNano()
	var seeds, catalogs []unknown
	err := s.read(s.ctx, func(t *tx) (err error) {
		seeds, err = query(t, pgx.RowToStructByPos[unknown],
			"SELECT id, fence, since FROM hot WHERE holder = $1 AND since < $2", s.holder, before)
		if err != nil {
			return err
		}
		catalogs, err = query(t, pgx.RowToStructByPos[unknown],
			"SELECT id, (data->>'fence')::bigint, 0 FROM catalogs WHERE harvesting AND holder = $1", s.holder)
		return err
	})
	if err != nil {
		return err
	}
	for _, u := range seeds {
		if s.Knows(uint64(u.ID), uint64(u.Fence)) {
			continue
		}
		if err := s.Reclaim(s.ctx, uint64(u.ID), uint64(u.Fence)); err != nil {
			return err
		}
	}
	for _, u := range catalogs {
		err := s.ReclaimCatalog(s.ctx, uint64(u.ID), uint64(u.Fence), func(now time.Time) bool {
			return s.Reads(uint64(u.ID), uint64(u.Fence)) || s.begun.settled(now).Before(now)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
