package postgres

import (
	"hash/fnv"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist/engine"
)

// Orphans are hashes whose files are rubbish. Until they are swept, no work is written down that ends with a file
// of such a hash, in whatever process.
func (t *tx) Orphans(q engine.OrphanQuery) ([]string, error) {
	switch {
	case q.Taken != nil:
		// Until this is written down, nobody takes files for removal.
		var taken []string
		var b pgx.Batch
		b.Queue("SELECT pg_advisory_xact_lock_shared($1)", t.store.sweepLock())
		b.Queue("SELECT hash FROM orphans WHERE hash = ANY($1) AND taken", q.Taken).Query(func(rows pgx.Rows) (err error) {
			taken, err = pgx.CollectRows(rows, pgx.RowTo[string])
			return err
		})
		err := t.send(&b)
		return taken, err
	case !q.Take:
		return query(t, pgx.RowTo[string], `SELECT hash FROM orphans WHERE hash > $1 COLLATE "C" ORDER BY hash COLLATE "C" LIMIT $2`,
			q.After, q.Most)
	}
	if may, err := t.maySweep(); err != nil || !may {
		return nil, err
	}
	return query(t, pgx.RowTo[string], "UPDATE orphans SET taken = true WHERE hash IN "+
		"(SELECT hash FROM orphans ORDER BY hash LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING hash", q.Most)
}

// sweepLock is the name of a lock of this list. Who writes down that there is a file holds it together with others of
// the kind. Who takes files for removal holds it alone.
func (s *Store) sweepLock() int64 {
	sum := fnv.New64a()
	sum.Write([]byte("sweep " + s.id))
	return int64(sum.Sum64())
}

// maySweep says that nobody is about to write down that there is a file. What has a record again is no orphan
// any more.
func (t *tx) maySweep() (bool, error) {
	some, err := t.is("SELECT EXISTS (SELECT FROM orphans)")
	if err != nil || !some {
		return false, err
	}
	alone, err := t.is("SELECT pg_try_advisory_xact_lock($1)", t.store.sweepLock())
	if err != nil || !alone {
		return false, err // the next time
	}
	return true, t.exec("DELETE FROM orphans WHERE NOT taken AND EXISTS (SELECT FROM hot WHERE hot.hash = orphans.hash)")
}
