package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
)

// signOfLife says that this process lives.
func (s *Store) signOfLife(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "INSERT INTO holders VALUES ($1, $2) ON CONFLICT (holder) DO UPDATE SET lease = excluded.lease",
		s.holder, s.now0().Add(leaseTime).UnixNano())
	return err
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
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return // the calls that write say what is wrong
	}
	if s.baseAt != (time.Time{}) {
		err = s.setClock(ctx, conn.Conn())
	}
	if err == nil {
		err = s.signOfLife(ctx, conn.Conn())
	}
	conn.Release()
	if err != nil {
		return
	}
	for _, c := range s.leases.those(func(l *lease) bool { return l.dropped }) {
		if err := s.inBatchOf(c); isTrouble(err) {
			return
		}
		s.leases.end(c.Number)
	}
	for {
		n, err := s.rescue()
		if err != nil || n == 0 {
			return
		}
	}
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
		ids, err := query(t, pgx.RowTo[int64], `SELECT id FROM hot WHERE holder <> '' AND NOT EXISTS (SELECT FROM holders WHERE holders.holder = hot.holder)
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
			r.makeReady(stage.Ready(), timeOf(min(r.due, now)))
			if r.crashes == 0 || stage != seedlist.Downloading {
				r.crashes++ // a download blames nobody, but what is washed on the way at its end is seen by nobody else
			}
			if err := t.leave(r, seedlist.Load{}); err != nil {
				return err
			}
			r.holder, r.worker, r.since = "", "", 0
			n++
		}
		catalogs, err := query(t, pgx.RowTo[int64], "SELECT id FROM catalogs WHERE harvesting AND NOT EXISTS (SELECT FROM holders WHERE holders.holder = catalogs.holder) LIMIT $1", rescued)
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
