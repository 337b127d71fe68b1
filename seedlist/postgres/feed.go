package postgres

import (
	"context"
	"encoding/hex"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
)

// Revision is that of the last change; 0 before the first.
func (s *Store) Revision(ctx context.Context) (last uint64, err error) {
	err = s.ask(ctx, func(t *tx) error {
		n, err := t.number("SELECT last FROM feed")
		last = uint64(n)
		return err
	})
	return last, err
}

// WaitChange returns nil when there is a change after a revision.
func (s *Store) WaitChange(ctx context.Context, after uint64) error {
	return s.wait(ctx, ofFeed, func(t *tx) (bool, int64, error) {
		last, err := t.number("SELECT last FROM feed")
		return uint64(last) > after, 0, err
	})
}

func scanChange(row pgx.CollectableRow) (c seedlist.Change, err error) {
	var revision, at, id int64
	var was, became int16
	err = row.Scan(&revision, &at, &id, &was, &became, &c.Hash)
	c.Revision, c.Time, c.Number, c.From, c.To = uint64(revision), timeOf(at), uint64(id), stateOf(was), stateOf(became)
	return c, err
}

// Changes are the changes after a revision, in order, up to limit.
func (s *Store) Changes(ctx context.Context, after uint64, limit int) (all []seedlist.Change, err error) {
	err = s.read(ctx, func(t *tx) error {
		var last, first int64
		if err := t.sql.QueryRow(t.ctx, "SELECT last, coalesce((SELECT min(revision) FROM changes), last + 1) FROM feed").Scan(&last,
			&first); err != nil {
			return err
		}
		switch {
		case after == uint64(last):
			return nil
		case after > uint64(last) || after+1 < uint64(first):
			return &seedlist.LateError{After: after, First: uint64(first), Last: uint64(last)}
		}
		all, err = query(t, scanChange, "SELECT revision, at, id, was, became, hash FROM changes WHERE revision > $1 ORDER BY revision "+
			"LIMIT $2", int64(after), max(limit, 0))
		return err
	})
	return all, err
}

// Numbered returns the seeds of these numbers that are there.
func (s *Store) Numbered(ctx context.Context, numbers ...uint64) (all []seedlist.Numbered, err error) {
	err = s.read(ctx, func(t *tx) error {
		all, err = t.numbered(numbers)
		return err
	})
	return all, err
}

func (t *tx) numbered(numbers []uint64) (all []seedlist.Numbered, err error) {
	records, err := t.among(numbers)
	if err != nil {
		return nil, err
	}
	seeds, err := t.attendedOf(records)
	for i, seed := range seeds {
		seed.Links = seedlist.Links{Catalogs: seed.Catalogs}
		all = append(all, seedlist.Numbered{Number: records[i].number, Seed: seed})
	}
	return all, err
}

// Whole returns the seeds of these numbers that are there, with their links.
func (s *Store) Whole(ctx context.Context, numbers ...uint64) (all []seedlist.Seed, err error) {
	err = s.read(ctx, func(t *tx) error {
		all, err = t.attended(numbers)
		return err
	})
	return all, err
}

// maxNumbered is the number of seeds that one call returns at most.
const maxNumbered = 1000

// NumberedAfter returns the seeds that follow a number, oldest first.
func (s *Store) NumberedAfter(ctx context.Context, after uint64, limit int) (all []seedlist.Numbered, err error) {
	err = s.read(ctx, func(t *tx) error {
		ids, err := query(t, pgx.RowTo[int64], "SELECT id FROM hot WHERE id > $1 ORDER BY id LIMIT $2", int64(after),
			max(0, min(limit, maxNumbered)))
		if err == nil {
			all, err = t.numbered(unsigned(ids))
		}
		return err
	})
	return all, err
}

// Washed are the sums of what was washed by spans of time, oldest first.
func (s *Store) Washed(ctx context.Context, span seedlist.Span, from, to time.Time) (all []seedlist.Washed, err error) {
	err = s.read(ctx, func(t *tx) error {
		all, err = query(t, func(row pgx.CollectableRow) (w seedlist.Washed, err error) {
			var begins int64
			err = row.Scan(&begins, &w.Documents, &w.Bytes, &w.Statements)
			w.Begin = timeOf(begins)
			return w, err
		}, "SELECT begins, documents, bytes, statements FROM washed WHERE span = $1 AND begins >= $2 AND begins < $3 ORDER BY begins",
			string(span), from.UnixNano(), to.UnixNano())
		return err
	})
	return all, err
}

// Orphans returns up to limit hashes whose records were removed. Until they are swept, no work is written
// down that ends with a file of such a hash, in whatever process. It is done again, and writes the file anew.
func (s *Store) Orphans(ctx context.Context, limit int) (hashes []string, err error) {
	look := s.write
	sql := "UPDATE orphans SET taken = true WHERE hash IN (SELECT hash FROM orphans ORDER BY hash LIMIT $1 FOR UPDATE SKIP LOCKED) " +
		"RETURNING hash"
	if s.options.ReadOnly {
		look, sql = s.read, "SELECT hash FROM orphans ORDER BY hash LIMIT $1"
	}
	err = look(ctx, func(t *tx) error {
		hashes = nil
		if t.writes {
			if may, err := t.maySweep(); err != nil || !may {
				return err
			}
		}
		hashes, err = query(t, pgx.RowTo[string], sql, max(limit, 0))
		slices.Sort(hashes)
		return err
	})
	return hashes, err
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

// Disown makes orphans of those hashes that have no record.
func (s *Store) Disown(ctx context.Context, hashes ...string) error {
	var all []string
	for _, hash := range hashes {
		if raw, err := hex.DecodeString(hash); err == nil && len(raw) > 0 {
			all = append(all, strings.ToLower(hash))
		}
	}
	return s.write(ctx, func(t *tx) error {
		return t.exec("INSERT INTO orphans (hash) SELECT DISTINCT o FROM unnest($1::text[]) o WHERE NOT EXISTS (SELECT FROM hot WHERE "+
			"hash = o) ON CONFLICT DO NOTHING", all)
	})
}

// Swept takes hashes off the list of orphans.
func (s *Store) Swept(ctx context.Context, hashes ...string) error {
	return s.write(ctx, func(t *tx) error { return t.exec("DELETE FROM orphans WHERE hash = ANY($1)", hashes) })
}
