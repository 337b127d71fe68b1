package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
)

// signOfLife says that this process lives.
func (s *Store) signOfLife(ctx context.Context, sql statements) error {
	till := s.now0().Add(leaseTime).UnixNano()
	_, err := sql.Exec(ctx, giveSign, s.holder, till)
	if err == nil {
		s.signedTill.Store(till)
	}
	return err
}

const giveSign = "INSERT INTO holders VALUES ($1, $2) ON CONFLICT (holder) DO UPDATE SET lease = greatest(holders.lease, excluded.lease)"

// showLife gives a sign of life with claims, where the last is old. A process that was cut off may be taken for
// dead. What it claims before its next sign would be given to another at once.
func (t *tx) showLife() error {
	s := t.store
	if s.signedTill.Load() > t.now.Add(leaseTime/2).UnixNano() {
		return nil
	}
	till := t.now.Add(leaseTime).UnixNano()
	t.after = append(t.after, func() { s.signedTill.Store(till) })
	return t.exec(giveSign, s.holder, till)
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
	for {
		select {
		case <-time.After(leaseTime / 3):
		case <-s.ctx.Done():
			return
		}
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
	for _, c := range s.leases.those(func(l *lease) bool { return l.dropped }) {
		if err := s.inBatchOf(c); isTrouble(err) {
			return
		}
		s.leases.end(c.Number)
	}
	for {
		n, err := s.rescue()
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
	before := s.leases.settled(s.now()).UnixNano()
	var seeds, catalogs []unknown
	err := s.read(s.ctx, func(t *tx) (err error) {
		seeds, err = query(t, pgx.RowToStructByPos[unknown], "SELECT id, fence, since FROM hot WHERE holder = $1 AND since < $2", s.holder,
			before)
		if err != nil {
			return err
		}
		catalogs, err = query(t, pgx.RowToStructByPos[unknown], "SELECT id, (data->>'fence')::bigint, 0 FROM catalogs WHERE harvesting "+
			"AND holder = $1", s.holder)
		return err
	})
	if err != nil {
		return err
	}
	for _, u := range seeds {
		if s.leases.knows(uint64(u.ID), uint64(u.Fence)) {
			continue
		}
		err := s.transact(s.ctx, func(t *tx) error {
			r, err := t.at(uint64(u.ID))
			if err != nil || r == nil || r.holder != s.holder || r.fence != uint64(u.Fence) {
				return err
			}
			return t.free(r)
		})
		if err != nil {
			return err
		}
	}
	for _, u := range catalogs {
		err := s.transact(s.ctx, func(t *tx) error {
			c, err := t.catalog("c.id = $1", u.ID)
			if err != nil || c == nil || c.holder != s.holder || c.known.Status != seedlist.CatalogHarvesting ||
				c.known.Fence != uint64(u.Fence) || s.leases.reads(c.number, c.known.Fence) || s.leases.settled(t.now).Before(t.now) {
				return err
			}
			c.known.Status, c.known.Worker, c.known.Due, c.holder = seedlist.CatalogWaiting, "", utc(t.now), ""
			return t.put(c)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// free makes a seed ready again that is held by a process which does not work on it.
func (t *tx) free(r *record) error {
	r.makeReady(r.state.Ready(), timeOf(min(r.due, t.now.UnixNano())))
	if err := t.leave(r, seedlist.Load{}); err != nil { // which asks who held it
		return err
	}
	r.holder, r.worker, r.since = "", "", 0
	return nil
}

// inBatchOf gives a claim back whose end could not be written.
func (s *Store) inBatchOf(c seedlist.Claim) error {
	return s.transact(s.ctx, func(t *tx) error {
		r, err := t.held(&c)
		if err != nil || r == nil {
			return err
		}
		return t.giveBack(r, &c, seedlist.Return{})
	})
}

// rescued is how much of one process is given back in one transaction.
const rescued = 500

// rescue gives back what a process holds that has given no sign of life: no try is counted, and the
// seeds become suspects. It returns how many there were.
func (s *Store) rescue() (n int, err error) {
	err = s.transact(s.ctx, func(t *tx) error {
		n = 0
		now := t.now.UnixNano()
		if err := t.exec("DELETE FROM holders WHERE lease < $1", now); err != nil {
			return err
		}
		ids, err := query(t, pgx.RowTo[int64],
			`SELECT id FROM hot WHERE holder <> '' AND NOT EXISTS (SELECT FROM holders WHERE holders.holder = hot.holder)
			LIMIT $1 FOR UPDATE SKIP LOCKED`, rescued)
		if err != nil {
			return err
		}
		if err := t.load(unsigned(ids)...); err != nil {
			return err
		}
		for _, id := range ids {
			r := t.records[uint64(id)]
			if r == nil || r.holder == "" || r.holder == s.holder {
				continue
			}
			stage := r.state
			if r.crashes == 0 || stage != seedlist.Downloading {
				r.crashes++ // a download blames nobody, but what is washed on the way at its end is seen by nobody else
			}
			if err := t.free(r); err != nil {
				return err
			}
			n++
		}
		catalogs, err := query(t, pgx.RowTo[int64], "SELECT id FROM catalogs WHERE harvesting AND NOT EXISTS (SELECT FROM holders WHERE "+
			"holders.holder = catalogs.holder) LIMIT $1", rescued)
		if err != nil {
			return err
		}
		for _, id := range catalogs {
			c, err := t.catalog("c.id = $1", id)
			if err != nil {
				return err
			}
			if c == nil || c.known.Status != seedlist.CatalogHarvesting || c.holder == s.holder {
				continue
			}
			c.known.Status, c.known.Worker, c.known.Due, c.holder = seedlist.CatalogWaiting, "", utc(t.now), ""
			c.known.Crashes++
			if err := t.put(c); err != nil {
				return err
			}
			n++
		}
		return nil
	})
	return n, err
}
