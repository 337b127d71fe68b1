package postgres

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
)

// catalog is a catalog in a transaction.
type catalog struct {
	number   uint64
	hash     string
	holder   string
	known    seedlist.Catalog
	refusals string
}

func scanCatalog(row pgx.CollectableRow) (*catalog, error) {
	c := new(catalog)
	var id int64
	var data []byte
	err := row.Scan(&id, &c.hash, &c.holder, &c.refusals, &data, &c.known.Listed, &c.known.Gone)
	if err != nil {
		return nil, err
	}
	c.number = uint64(id)
	listed, gone := c.known.Listed, c.known.Gone
	c.known, err = seedlist.DecodeCatalog(data)
	c.known.Listed, c.known.Gone = listed, gone
	return c, err
}

const selectCatalog = `SELECT c.id, c.hash, c.holder, c.refusals, c.data,
	(SELECT count(*) FROM listings l WHERE l.catalog = c.id AND NOT l.gone), (SELECT count(*) FROM listings l WHERE l.catalog = c.id AND l.gone)
	FROM catalogs c `

// catalog reads a catalog; nil if there is none.
func (t *tx) catalog(where string, arg any) (*catalog, error) {
	if t.writes {
		if err := t.exec("SELECT FROM catalogs c WHERE "+where+" FOR UPDATE", arg); err != nil {
			return nil, err
		}
	}
	found, err := query(t, scanCatalog, selectCatalog+"WHERE "+where, arg)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

func (t *tx) catalogOf(hash string) (*catalog, error) {
	return t.catalog("c.hash = $1", strings.ToLower(hash))
}

// knownCatalog is catalogOf for one that has to be there: else the error is [seedlist.ErrNotFound].
func (t *tx) knownCatalog(hash string) (*catalog, error) {
	c, err := t.catalogOf(hash)
	if err == nil && c == nil {
		err = seedlist.ErrNotFound
	}
	return c, err
}

// put writes what is known of a catalog.
func (t *tx) put(c *catalog) error {
	data, err := c.known.Encode()
	if err != nil {
		return err
	}
	t.tells |= ofCatalogs
	return t.exec("UPDATE catalogs SET due = $2, harvesting = $3, holder = $4, data = $5, refusals = $6 WHERE id = $1",
		int64(c.number), nanoseconds(c.known.Due), c.known.Status == seedlist.CatalogHarvesting, c.holder, string(data), c.refusals)
}

// newCatalog puts a catalog into the list.
func (t *tx) newCatalog(known *seedlist.Catalog) error {
	data, err := known.Encode()
	if err != nil {
		return err
	}
	t.tells |= ofCatalogs
	return t.exec("INSERT INTO catalogs VALUES (nextval('numbers'), $1, $2, false, '', $3, '')", known.Hash, nanoseconds(known.Due),
		string(data))
}

func utc(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.Round(0).UTC()
}

// AddCatalog puts a catalog into the list, or gives it other settings.
func (s *Store) AddCatalog(ctx context.Context, uri string, settings seedlist.CatalogSettings, at time.Time) (known seedlist.Catalog,
	added bool, err error) {
	u, err := seedlist.CatalogURI(uri)
	if err != nil {
		return known, false, err
	}
	settings.Interval = max(0, settings.Interval)
	err = s.write(ctx, func(t *tx) error {
		due := at
		if due.IsZero() {
			due = t.now
		}
		c, err := t.catalogOf(u.Hash())
		if err != nil {
			return err
		}
		if added = c == nil; added {
			known = seedlist.Catalog{
				Hash: u.Hash(), URI: u.Given, Status: seedlist.CatalogWaiting, CatalogSettings: settings, Added: utc(t.now), Due: utc(due),
			}
			return t.newCatalog(&known)
		}
		c.known.Set(settings)
		known = c.known
		return t.put(c)
	})
	return known, added, err
}

// FollowCatalog puts a catalog into the list that another one names.
func (s *Store) FollowCatalog(ctx context.Context, from *seedlist.Catalog, uri string) (added bool, err error) {
	u, err := seedlist.CatalogURI(uri)
	if err != nil {
		return false, err
	}
	err = s.write(ctx, func(t *tx) error {
		c, err := t.catalogOf(u.Hash())
		if added = c == nil; !added || err != nil {
			return err
		}
		known := seedlist.Catalog{
			Hash: u.Hash(), URI: u.Given, Status: seedlist.CatalogWaiting, CatalogSettings: from.CatalogSettings, Added: utc(t.now),
			Due: utc(t.now),
		}
		known.Kind, known.Source, known.Depth = "", "catalog:"+from.Hash, from.Depth+1
		return t.newCatalog(&known)
	})
	return added, err
}

// Catalog returns the catalog of a hash.
func (s *Store) Catalog(ctx context.Context, hash string) (known seedlist.Catalog, err error) {
	err = s.read(ctx, func(t *tx) error {
		c, err := t.knownCatalog(hash)
		if err != nil {
			return err
		}
		known = c.known
		return nil
	})
	return known, err
}

// maxCatalogs is the number of catalogs that one call lists at most.
const maxCatalogs = 1000

// Catalogs returns catalogs, oldest first.
func (s *Store) Catalogs(ctx context.Context, cursor string, limit int) (all []seedlist.Catalog, next string, err error) {
	after := uint64(0)
	if cursor != "" {
		if after, err = seedlist.ReadCursor(cursor); err != nil {
			return nil, "", err
		}
	}
	if limit <= 0 || limit > maxCatalogs {
		limit = maxCatalogs
	}
	err = s.read(ctx, func(t *tx) error {
		found, err := query(t, scanCatalog, selectCatalog+"WHERE c.id > $1 ORDER BY c.id LIMIT $2", int64(after), limit+1)
		for i, c := range found {
			if i == limit {
				next = seedlist.CursorAfter(found[i-1].number)
				break
			}
			all = append(all, c.known)
		}
		return err
	})
	return all, next, err
}

// ListedBy returns the seeds that a catalog names, or with gone those that it named once.
func (s *Store) ListedBy(ctx context.Context, hash string, gone bool, cursor string, limit int) (seeds []seedlist.Seed, next string,
	err error) {
	after := uint64(0)
	if cursor != "" {
		if after, err = seedlist.ReadCursor(cursor); err != nil {
			return nil, "", err
		}
	}
	if limit <= 0 {
		limit = 100
	}
	err = s.read(ctx, func(t *tx) error {
		c, err := t.knownCatalog(hash)
		if err != nil {
			return err
		}
		ids, err := query(t, pgx.RowTo[int64], "SELECT seed FROM listings WHERE catalog = $1 AND seed > $2 AND gone = $3 ORDER BY seed "+
			"LIMIT $4",
			int64(c.number), int64(after), gone, limit+1)
		if err != nil {
			return err
		}
		if len(ids) > limit {
			ids = ids[:limit]
			next = seedlist.CursorAfter(uint64(ids[limit-1]))
		}
		seeds, err = t.attended(unsigned(ids))
		return err
	})
	return seeds, next, err
}

// Refusals is JSON of what the last harvest of a catalog refused.
func (s *Store) Refusals(ctx context.Context, hash string) (refusals []byte, err error) {
	err = s.read(ctx, func(t *tx) error {
		c, err := t.knownCatalog(hash)
		if err != nil {
			return err
		}
		if c.refusals != "" {
			refusals = []byte(c.refusals)
		}
		return nil
	})
	return refusals, err
}

// HarvestNow lets a catalog be harvested as soon as may be.
func (s *Store) HarvestNow(ctx context.Context, hash string, accept bool) error {
	return s.write(ctx, func(t *tx) error {
		c, err := t.knownCatalog(hash)
		if err != nil {
			return err
		}
		c.known.AskNow(accept, utc(t.now))
		return t.put(c)
	})
}

// RemoveCatalog takes a catalog out of the list, with its attempts.
func (s *Store) RemoveCatalog(ctx context.Context, hash string) error {
	return s.write(ctx, func(t *tx) error {
		c, err := t.knownCatalog(hash)
		if err != nil {
			return err
		}
		listed, err := query(t, pgx.RowTo[int64], "SELECT seed FROM listings WHERE catalog = $1", int64(c.number))
		if err != nil {
			return err
		}
		if err := t.load(unsigned(listed)...); err != nil {
			return err
		}
		if err := t.exec("DELETE FROM listings WHERE catalog = $1", int64(c.number)); err != nil {
			return err
		}
		if err := t.exec("DELETE FROM catalogs WHERE id = $1", int64(c.number)); err != nil {
			return err
		}
		if err := t.exec("DELETE FROM attempts WHERE hash = $1 AND of_catalog", c.hash); err != nil {
			return err
		}
		relink(t.records, listed)
		return t.setGone(listed)
	})
}

// setGone marks seeds that every catalog has dropped which named them, and unmarks those that
// some catalog names again.
func (t *tx) setGone(ids []int64) error {
	named, err := query(t, pgx.RowTo[int64], "SELECT seed FROM listings WHERE seed = ANY($1) GROUP BY seed HAVING bool_and(gone)", ids)
	if err != nil {
		return err
	}
	isGone := map[int64]bool{}
	for _, id := range named {
		isGone[id] = true
	}
	for _, id := range ids {
		if r := t.records[uint64(id)]; r != nil && r.parent == 0 {
			r.gone = isGone[id]
		}
	}
	return nil
}

// relink notes that catalogs name other seeds than before.
func relink(records map[uint64]*record, ids []int64) {
	for _, id := range ids {
		if r := records[uint64(id)]; r != nil {
			r.linked = true
		}
	}
}
