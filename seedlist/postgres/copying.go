package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
)

var (
	_ seedlist.RowSource = (*Store)(nil)
	_ seedlist.RowTarget = (*Store)(nil)
)

// OpenCopy is [Open] for a list into which another is copied, or which is empty. Open itself refuses one that was
// not copied to its end.
func OpenCopy(ctx context.Context, address string, options seedlist.Options) (*Store, error) {
	return open(context.WithValue(ctx, isCopied{}, true), address, options, nil)
}

// isCopied is the key of a context in which a list may be opened that is not whole yet.
type isCopied struct{}

// copyingTable says how far a copy has come. It is there only while one lasts.
const copyingTable = "copying"

// refuseUnfinished refuses a list into which another was not copied to its end.
func refuseUnfinished(ctx context.Context, q querier) error {
	if ctx.Value(isCopied{}) != nil {
		return nil
	}
	var isThere bool
	err := q.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1)",
		copyingTable).Scan(&isThere)
	if err == nil && isThere {
		return seedlist.ErrUnfinished
	}
	return err
}

// Settle gives back what processes hold that are gone, and refuses a list on which one works.
func (s *Store) Settle(ctx context.Context) error {
	for {
		var others int64
		err := s.read(ctx, func(t *tx) (err error) {
			others, err = t.number("SELECT count(*) FROM holders WHERE holder <> $1 AND lease >= $2", s.holder, t.now.UnixNano())
			return err
		})
		switch {
		case err != nil:
			return err
		case others > 0:
			return seedlist.ErrAtWork
		case s.options.ReadOnly:
			return nil
		}
		if n, err := s.rescue(); err != nil || n == 0 {
			return err
		}
	}
}

// Rows returns rows of a part that follow a place.
func (s *Store) Rows(ctx context.Context, part seedlist.Part, after seedlist.Place, limit int) (rows []seedlist.Row, err error) {
	number, other := int64(after.Number), int64(after.Other)
	err = s.read(ctx, func(t *tx) (err error) {
		switch part {
		case seedlist.PartSeeds:
			rows, err = t.seedRows(number, limit)
		case seedlist.PartLinks:
			rows, err = query(t, scanPair, "SELECT clean, dirty, 0::bigint, false FROM links WHERE (clean, dirty) > ($1, $2) ORDER BY "+
				"clean, dirty LIMIT $3", number, other, limit)
		case seedlist.PartCatalogs:
			found, err := query(t, scanCatalog, selectCatalog+"WHERE c.id > $1 ORDER BY c.id LIMIT $2", number, limit)
			for _, c := range found {
				data, err := c.known.Encode()
				if err != nil {
					return err
				}
				rows = append(rows, seedlist.Row{Place: seedlist.Place{Number: c.number}, Hash: c.hash, Data: data,
					More: []byte(c.refusals)})
			}
			return err
		case seedlist.PartListings:
			rows, err = query(t, scanPair, "SELECT catalog, seed, harvest, gone FROM listings WHERE (catalog, seed) > ($1, $2) ORDER BY "+
				"catalog, seed LIMIT $3", number, other, limit)
		case seedlist.PartAttempts:
			rows, err = query(t, func(row pgx.CollectableRow) (r seedlist.Row, err error) {
				var n int64
				err = row.Scan(&n, &r.Hash, &r.Flag, &r.Data)
				r.Number = uint64(n)
				return r, err
			}, "SELECT number, hash, of_catalog, data FROM attempts WHERE number > $1 ORDER BY number LIMIT $2", number, limit)
		case seedlist.PartHosts:
			rows, err = query(t, scanNamed,
				`SELECT host, settings FROM hosts WHERE settings <> '' AND host > $1 COLLATE "C" ORDER BY host COLLATE "C" LIMIT $2`,
				after.Name, limit)
		case seedlist.PartOrphans:
			rows, err = query(t, scanNamed, `SELECT hash, '' FROM orphans WHERE hash > $1 COLLATE "C" ORDER BY hash COLLATE "C" LIMIT $2`,
				after.Name, limit)
		case seedlist.PartContexts:
			rows, err = query(t, func(row pgx.CollectableRow) (r seedlist.Row, err error) {
				var known string
				err = row.Scan(&r.Name, &known, &r.More)
				r.Data = []byte(known)
				return r, err
			}, "SELECT key, data, body FROM contexts WHERE key > $1 ORDER BY key LIMIT $2", after.Name, limit)
		case seedlist.PartWashed:
			rows, err = query(t, func(row pgx.CollectableRow) (r seedlist.Row, err error) {
				var begins int64
				err = row.Scan(&r.Name, &begins, &r.Sums[0], &r.Sums[1], &r.Sums[2])
				r.Number = uint64(timeOf(begins).Unix())
				return r, err
			}, "SELECT span, begins, documents, bytes, statements FROM washed")
			rows = seedlist.Following(rows, after, limit)
		case seedlist.PartSums:
			rows, err = t.sums()
			rows = seedlist.Following(rows, after, limit)
		}
		return err
	})
	return rows, err
}

// scanPair reads a row that two numbers identify.
func scanPair(row pgx.CollectableRow) (r seedlist.Row, err error) {
	var one, other int64
	err = row.Scan(&one, &other, &r.Sums[0], &r.Flag)
	r.Number, r.Other = uint64(one), uint64(other)
	return r, err
}

// scanNamed reads a row that a name identifies.
func scanNamed(row pgx.CollectableRow) (r seedlist.Row, err error) {
	var data string
	err = row.Scan(&r.Name, &data)
	if data != "" {
		r.Data = []byte(data)
	}
	return r, err
}

func (t *tx) seedRows(after int64, limit int) (rows []seedlist.Row, err error) {
	found, err := query(t, scanRecord, "SELECT "+hotColumns+" FROM hot h JOIN cold c USING (id) WHERE h.id > $1 ORDER BY h.id LIMIT $2",
		after, limit)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	oldKeys := map[uint64]string{}
	keys, err := query(t, scanNumbered, "SELECT old, id FROM old_keys WHERE id > $1 AND id <= $2", after, int64(found[len(found)-1].number))
	for _, k := range keys {
		oldKeys[k.Number] = k.Name
	}
	for _, r := range found {
		rows = append(rows, seedlist.Row{Place: seedlist.Place{Number: r.number}, Hash: r.hash, Data: r.data, Moves: seedlist.Moves{
			State: r.state, Last: r.last, Stage: r.stage, Fence: r.fence, Tries: r.tries, Failures: r.failures, Crashes: r.crashes,
			Priority: r.priority, Due: r.due, Relative: r.relative, Fragment: r.fragment, Fetchable: r.fetchable, Clean: r.clean,
			Gone:      r.gone,
			IsArchive: r.isArchive, Parent: r.parent, Host: r.host, OldKey: oldKeys[r.number],
		}})
	}
	return rows, err
}

func scanNumbered(row pgx.CollectableRow) (p seedlist.Place, err error) {
	var n int64
	err = row.Scan(&p.Name, &n)
	p.Number = uint64(n)
	return p, err
}

// logSequence is that of the numbers of attempts.
const logSequence = "pg_get_serial_sequence('attempts', 'number')"

// sums are what is derived from nothing.
func (t *tx) sums() (rows []seedlist.Row, err error) {
	for _, sum := range []struct{ name, sql string }{
		{seedlist.SumAttempts, "SELECT coalesce(pg_sequence_last_value(" + logSequence + "::regclass), 0)"},
		{seedlist.SumNumbers, "SELECT coalesce(pg_sequence_last_value('numbers'::regclass), 0)"},
		{seedlist.SumUnchanged, "SELECT coalesce(sum(n), 0)::bigint FROM counts WHERE name = '" + countUnchanged + "'"},
	} {
		n, err := t.number(sum.sql)
		if err != nil {
			return nil, err
		}
		rows = append(rows, seedlist.Row{Place: seedlist.Place{Name: sum.name}, Sums: [3]int64{n}})
	}
	return rows, nil
}

// PutRows writes rows of a part.
func (s *Store) PutRows(ctx context.Context, part seedlist.Part, rows []seedlist.Row) error {
	if len(rows) == 0 {
		return nil
	}
	return s.write(ctx, func(t *tx) error {
		if err := t.putRows(part, rows); err != nil {
			return err
		}
		c, err := t.copying()
		if err != nil || c == nil {
			return err
		}
		c.Part, c.At = part, rows[len(rows)-1].Place
		return t.putCopying(c)
	})
}

func (t *tx) putRows(part seedlist.Part, rows []seedlist.Row) error {
	var b pgx.Batch
	for i := range rows {
		row := &rows[i]
		number, other := int64(row.Number), int64(row.Other)
		switch part {
		case seedlist.PartSeeds:
			t.putSeed(row)
		case seedlist.PartLinks:
			b.Queue("INSERT INTO links VALUES ($1, $2)", number, other)
		case seedlist.PartCatalogs:
			c, err := seedlist.DecodeCatalog(row.Data)
			if err != nil {
				return err
			}
			b.Queue("INSERT INTO catalogs VALUES ($1, $2, $3, $4, '', $5, $6)", number, row.Hash, nanoseconds(c.Due),
				c.Status == seedlist.CatalogHarvesting, string(row.Data), string(row.More))
		case seedlist.PartListings:
			b.Queue("INSERT INTO listings VALUES ($1, $2, $3, $4)", number, other, row.Sums[0], row.Flag)
		case seedlist.PartAttempts:
			b.Queue("INSERT INTO attempts (number, hash, of_catalog, data) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4)", number,
				row.Hash, row.Flag, string(row.Data))
		case seedlist.PartHosts:
			h, err := t.host(row.Name)
			if err == nil {
				h.changed = true
				err = json.Unmarshal(row.Data, &h.settings)
			}
			if err != nil {
				return err
			}
		case seedlist.PartOrphans:
			b.Queue("INSERT INTO orphans (hash) VALUES ($1)", row.Name)
		case seedlist.PartContexts:
			b.Queue("INSERT INTO contexts VALUES ($1, $2, $3)", row.Name, string(row.Data), row.More)
		case seedlist.PartWashed:
			b.Queue("INSERT INTO washed VALUES ($1, $2, $3, $4, $5)", row.Name, number*1e9, row.Sums[0], row.Sums[1], row.Sums[2])
		case seedlist.PartSums:
			t.putSum(&b, row.Name, row.Sums[0])
		}
	}
	return t.send(&b)
}

// putSeed gives a record its place. Counts, the feed and the turns of hosts follow from it at the end.
func (t *tx) putSeed(row *seedlist.Row) {
	m := &row.Moves
	r := &record{number: row.Number, hash: row.Hash, data: row.Data, isNew: true, hot: hot{
		state: m.State, last: m.Last, stage: m.Stage, fence: m.Fence, tries: m.Tries, failures: m.Failures, crashes: m.Crashes,
		priority: m.Priority, due: m.Due, relative: m.Relative, fragment: m.Fragment, fetchable: m.Fetchable, clean: m.Clean, gone: m.Gone,
		isArchive: m.IsArchive, host: m.Host, parent: m.Parent, revision: 1,
	}}
	t.records[r.number], t.hashes[r.hash] = r, r.number
	if m.OldKey != "" {
		t.oldKeys[m.OldKey] = r.number
	}
}

func (t *tx) putSum(b *pgx.Batch, name string, n int64) {
	switch {
	case n == 0:
	case name == seedlist.SumAttempts:
		b.Queue("SELECT setval("+logSequence+", $1)", n)
	case name == seedlist.SumNumbers:
		b.Queue("SELECT setval('numbers', $1)", n)
	case name == seedlist.SumUnchanged:
		t.counts[countUnchanged] += n
	}
}

// copying says how far a copy has come; nil if none was begun.
func (t *tx) copying() (*seedlist.Copying, error) {
	isThere, err := t.is("SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1)", copyingTable)
	if err != nil || !isThere {
		return nil, err
	}
	var data []byte
	if err := t.sql.QueryRow(t.ctx, "SELECT data FROM "+copyingTable).Scan(&data); errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	c := new(seedlist.Copying)
	if err := json.Unmarshal(data, c); err != nil {
		return nil, fmt.Errorf("table %s: %w", copyingTable, err)
	}
	return c, nil
}

func (t *tx) putCopying(c *seedlist.Copying) error {
	data, err := json.Marshal(c)
	if err == nil {
		err = t.exec("DELETE FROM " + copyingTable)
	}
	if err == nil {
		err = t.exec("INSERT INTO "+copyingTable+" VALUES ($1)", string(data))
	}
	return err
}

// Came is where PutRows has come to.
func (s *Store) Came(ctx context.Context) (c *seedlist.Copying, err error) {
	err = s.read(ctx, func(t *tx) error {
		c, err = t.copying()
		return err
	})
	return c, err
}

// SetCopying begins or ends a copy.
func (s *Store) SetCopying(ctx context.Context, c *seedlist.Copying) error {
	return s.write(ctx, func(t *tx) error {
		if c == nil {
			return t.exec("DROP TABLE IF EXISTS " + copyingTable)
		}
		if err := t.exec("CREATE TABLE IF NOT EXISTS " + copyingTable + " (data json NOT NULL)"); err != nil {
			return err
		}
		return t.putCopying(c)
	})
}
