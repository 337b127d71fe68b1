package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"laundromat/internal/digest"
	"laundromat/seedlist"
)

// Seed returns the record of a hash, or of an identifier of 2018.
func (s *Store) Seed(ctx context.Context, hash string) (seed seedlist.Seed, err error) {
	err = s.read(ctx, func(t *tx) error {
		r, err := t.find(hash)
		if err != nil {
			return err
		}
		if r == nil {
			return seedlist.ErrNotFound
		}
		seeds, err := t.attended([]uint64{r.number})
		if err == nil {
			seed = seeds[0]
		}
		return err
	})
	return seed, err
}

// Record returns the record of a hash without what it is linked with.
func (s *Store) Record(ctx context.Context, hash string) (seed seedlist.Seed, err error) {
	err = s.read(ctx, func(t *tx) error {
		r, err := t.byHash(hash)
		if err != nil {
			return err
		}
		if r == nil {
			return seedlist.ErrNotFound
		}
		seed, err = r.bare()
		return err
	})
	return seed, err
}

// linked is a hash that a seed is linked with.
type linked struct {
	ID   int64
	Hash string
}

// listed is a catalog that names a seed.
type listed struct {
	ID      int64
	Catalog string
	Harvest int64
	Gone    bool
}

// whole are records with their links.
func (t *tx) whole(records []*record) ([]seedlist.Seed, error) {
	var all, archives, cleans []int64
	for _, r := range records {
		if all = append(all, int64(r.number)); r.isArchive {
			archives = append(archives, int64(r.number))
		}
		if r.clean {
			cleans = append(cleans, int64(r.number))
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	children, childTotals, err := t.linkedWith(archives, "SELECT id, hash FROM hot WHERE parent = u.id AND parent > 0 ORDER BY id",
		"SELECT count(*) FROM hot WHERE parent = u.id AND parent > 0")
	if err != nil {
		return nil, err
	}
	dirty, dirtyTotals,
		err := t.linkedWith(cleans, "SELECT id, hash FROM links k JOIN hot ON id = k.dirty WHERE k.clean = u.id ORDER BY id",
		"SELECT count(*) FROM links WHERE clean = u.id")
	if err != nil {
		return nil, err
	}
	catalogs, err := query(t, pgx.RowToStructByPos[listed],
		`SELECT l.seed, c.hash, l.harvest, l.gone FROM listings l JOIN catalogs c ON c.id = l.catalog
		WHERE l.seed = ANY($1) ORDER BY c.id`, all)
	if err != nil {
		return nil, err
	}
	listings := map[int64][]seedlist.Listing{}
	for _, l := range catalogs {
		if len(listings[l.ID]) < seedlist.MaxLinks {
			listings[l.ID] = append(listings[l.ID], seedlist.Listing{Catalog: l.Catalog, Harvest: uint64(l.Harvest), Gone: l.Gone})
		}
	}
	seeds := make([]seedlist.Seed, len(records))
	for i, r := range records {
		if seeds[i], err = r.bare(); err != nil {
			return nil, err
		}
		id := int64(r.number)
		seeds[i].Catalogs = listings[id]
		if r.isArchive {
			total := childTotals[id]
			seeds[i].ChildrenTotal, seeds[i].Children = &total,
				append([]string{}, children[id][:min(len(children[id]), seedlist.MaxLinks)]...)
		}
		if r.clean {
			if from := dirty[id]; len(from) > 0 {
				seeds[i].Dirty, seeds[i].AlsoDirty = from[0], from[1:]
			}
			total := max(0, dirtyTotals[id]-1)
			seeds[i].AlsoDirtyTotal = &total
		}
	}
	return seeds, nil
}

// total is a number for a seed.
type total struct{ ID, N int64 }

// linkedWith are the first hashes that each of some seeds is linked with, and how many there are.
func (t *tx) linkedWith(ids []int64, those, count string) (hashes map[int64][]string, totals map[int64]int64, err error) {
	if len(ids) == 0 {
		return nil, nil, nil
	}
	found, err := query(t, pgx.RowToStructByPos[linked], "SELECT u.id, l.hash FROM unnest($1::bigint[]) AS u (id), LATERAL ("+those+
		" LIMIT $2) l ORDER BY u.id, l.id",
		ids, seedlist.MaxLinks+1)
	if err != nil {
		return nil, nil, err
	}
	hashes, totals = map[int64][]string{}, map[int64]int64{}
	for _, l := range found {
		hashes[l.ID] = append(hashes[l.ID], l.Hash)
	}
	counted, err := query(t, pgx.RowToStructByPos[total], "SELECT u.id, ("+count+") FROM unnest($1::bigint[]) AS u (id)", ids)
	for _, n := range counted {
		totals[n.ID] = n.N
	}
	return hashes, totals, err
}

// attended are whole records of numbers, with what the leases say; those that are there.
func (t *tx) attended(numbers []uint64) ([]seedlist.Seed, error) {
	records, err := t.among(numbers)
	if err != nil {
		return nil, err
	}
	return t.attendedOf(records)
}

func (t *tx) attendedOf(records []*record) ([]seedlist.Seed, error) {
	seeds, err := t.whole(records)
	for i := range seeds {
		t.store.attend(records[i], &seeds[i])
	}
	return seeds, err
}

// among are the records of those numbers that are there, in that order.
func (t *tx) among(numbers []uint64) (records []*record, err error) {
	if err := t.load(numbers...); err != nil {
		return nil, err
	}
	for _, n := range numbers {
		if r := t.records[n]; r != nil {
			records = append(records, r)
		}
	}
	return records, nil
}

// scanned is how many records a list looks at in one go.
const scanned = 1000

// List returns seeds, oldest first, and the cursor that the next call goes on from.
func (s *Store) List(ctx context.Context, f seedlist.Filter) (seeds []seedlist.Seed, next string, err error) {
	after := uint64(0)
	if f.Cursor != "" {
		if after, err = seedlist.ReadCursor(f.Cursor); err != nil {
			return nil, "", err
		}
	}
	if f.State != "" && f.State.Number() == 0 {
		return nil, "", fmt.Errorf("list: %q is no state", f.State)
	}
	if f.Limit <= 0 {
		f.Limit = 100
	}
	f.Host = strings.ToLower(f.Host)
	err = s.read(ctx, func(t *tx) error {
		parent := uint64(0)
		if f.Parent != "" {
			r, err := t.byHash(f.Parent)
			if err != nil {
				return err
			}
			if r == nil {
				return seedlist.ErrNotFound
			}
			parent = r.number
		}
		for at := after; ; {
			ids, err := query(t, pgx.RowTo[int64], `SELECT id FROM hot WHERE id > $1 AND ($2 = 0 OR state = $2) AND ($3 = '' OR host = $3)
				AND ($4::bigint = 0 OR parent = $4 AND parent > 0) AND ($5::bool IS NULL OR relative = $5) ORDER BY id LIMIT $6`,
				int64(at), numberOf(f.State), f.Host, int64(parent), f.Relative, min(scanned, max(f.Limit, 100)))
			if err != nil || len(ids) == 0 {
				return err
			}
			records, err := t.among(unsigned(ids))
			if err != nil {
				return err
			}
			var matching []*record
			for _, r := range records {
				is, err := matches(r, &f)
				if err != nil {
					return err
				}
				if is && len(seeds)+len(matching) < f.Limit {
					matching = append(matching, r)
				}
			}
			found, err := t.attendedOf(matching)
			if err != nil {
				return err
			}
			if seeds = append(seeds, found...); len(seeds) == f.Limit {
				next = seedlist.CursorAfter(matching[len(matching)-1].number)
				return nil
			}
			at = uint64(ids[len(ids)-1])
			clear(t.records)
		}
	})
	return seeds, next, err
}

// matches looks at what the document of a record says.
func matches(r *record, f *seedlist.Filter) (bool, error) {
	if f.Format == "" && f.Source == "" && f.Washer == "" && f.Error == "" && f.Notice == "" {
		return true, nil
	}
	stored, err := r.stored()
	return f.MatchesRecord(&stored.Record), err
}

// maxAttempts is the number of attempts that are shown.
const maxAttempts = 1000

// Attempts returns the log's entries of a seed, and of a catalog of that hash.
func (s *Store) Attempts(ctx context.Context, hash string) (attempts []seedlist.Attempt, err error) {
	err = s.read(ctx, func(t *tx) error {
		r, err := t.find(hash)
		if err != nil {
			return err
		}
		hash := strings.ToLower(hash)
		if r != nil {
			hash = r.hash
		} else if c, err := t.catalogOf(hash); err != nil || c == nil {
			if err == nil {
				err = seedlist.ErrNotFound
			}
			return err
		}
		entries, err := query(t, pgx.RowTo[[]byte], "SELECT data FROM attempts WHERE hash = $1 ORDER BY number DESC LIMIT $2", hash,
			maxAttempts)
		for _, data := range slices.Backward(entries) {
			var a seedlist.Attempt
			if err := json.Unmarshal(data, &a); err != nil {
				return err
			}
			attempts = append(attempts, a)
		}
		return err
	})
	return attempts, err
}

// FillOutcomes fills in what became of the documents that seeds name things in.
func (s *Store) FillOutcomes(ctx context.Context, seeds ...*seedlist.Seed) error {
	return s.read(ctx, func(t *tx) error { return t.fillOutcomes(seeds...) })
}

func (t *tx) fillOutcomes(seeds ...*seedlist.Seed) error {
	var hashes []string
	for _, seed := range seeds {
		hashes = append(hashes, seed.Document)
	}
	if err := t.loadHashes(hashes...); err != nil {
		return err
	}
	for _, seed := range seeds {
		if seed.Document == "" {
			continue
		}
		r, err := t.byHash(seed.Document)
		if err != nil {
			return err
		}
		if r == nil {
			continue // it was removed
		}
		documents, err := t.whole([]*record{r})
		if err != nil {
			return err
		}
		own, document := seed.Record, documents[0]
		seed.Record = document.Record
		seed.Added, seed.Interval, seed.IntervalAdapts = own.Added, own.Interval, own.IntervalAdapts
		seed.Source, seed.Title, seed.Claims, seed.Depth = own.Source, own.Title, own.Claims, own.Depth
		seed.KeepVersions, seed.Document = own.KeepVersions, own.Document
		seed.Outcome = r.state
		seed.ChildrenTotal, seed.Children = document.ChildrenTotal, document.Children
	}
	return nil
}

// Alike are seeds whose wash holds for any URI with these bytes.
func (s *Store) Alike(ctx context.Context, bytes *digest.Content, limit int) (seeds []seedlist.Seed, err error) {
	err = s.read(ctx, func(t *tx) error {
		ids, err := query(t, pgx.RowTo[int64], "SELECT id FROM cold WHERE alike = $1 AND alike <> '' ORDER BY id LIMIT $2", bytes.SHA256,
			max(limit, 0))
		if err != nil {
			return err
		}
		records, err := t.among(unsigned(ids))
		if err != nil {
			return err
		}
		all, err := t.whole(records)
		for _, seed := range all {
			if seed.Content != nil && seed.Content.NumberOfBytes == bytes.NumberOfBytes {
				seeds = append(seeds, seed)
			}
		}
		return err
	})
	return seeds, err
}

// Idle says that the list has come to rest.
func (s *Store) Idle(ctx context.Context) (idle bool, err error) {
	err = s.read(ctx, func(t *tx) error {
		now := t.now.UnixNano()
		idle, err = t.is(`SELECT NOT EXISTS (SELECT FROM hot WHERE holder <> '') AND NOT EXISTS (SELECT FROM hot WHERE state IN (3, 5, 7))
			AND NOT EXISTS (SELECT FROM hot WHERE state IN (2, 4, 6, 8))
			AND NOT EXISTS (SELECT FROM hot WHERE state = 1 AND NOT relative AND NOT fragment
				AND NOT (due <= $1 AND EXISTS (SELECT FROM hosts WHERE hosts.host = hot.host AND (paused OR rest > $1 AND `+hasTurned+`))))
			AND NOT EXISTS (SELECT FROM catalogs WHERE harvesting OR due > 0 AND due <= $1 OR data->>'status' = 'waiting')`, now)
		return err
	})
	return idle, err
}
