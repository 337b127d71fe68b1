package memory

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"laundromat/seedlist"
)

// catalog is a catalog. What is known of it is held as JSON, so that nobody shares it.
type catalog struct {
	number   uint64
	hash     string
	data     []byte // of seedlist.Catalog
	refusals []byte
	listings map[uint64]listing // by the number of the seed
	attempts []attempt
}

// listing is the place of a seed in a catalog.
type listing struct {
	harvest uint64
	gone    bool
}

// catalogOf finds a catalog; nil if there is none.
func (s *Store) catalogOf(hash string) *catalog {
	for _, c := range s.catalogs {
		if c.hash == strings.ToLower(hash) {
			return c
		}
	}
	return nil
}

// known reads what is known of a catalog. It was written by Encode: there is no error.
func (c *catalog) known() seedlist.Catalog {
	known, err := seedlist.DecodeCatalog(c.data)
	if err != nil {
		panic("memory: " + err.Error())
	}
	known.Listed, known.Gone = 0, 0
	for _, l := range c.listings {
		if l.gone {
			known.Gone++
		} else {
			known.Listed++
		}
	}
	return known
}

// put keeps what is known of a catalog.
func (c *catalog) put(known *seedlist.Catalog) error {
	data, err := known.Encode()
	if err == nil {
		c.data = data
	}
	return err
}

// changeCatalog changes what is known of the catalog of a hash.
func (s *Store) changeCatalog(ctx context.Context, hash string, change func(known *seedlist.Catalog, now time.Time)) error {
	return s.write(ctx, func(now time.Time) error {
		c := s.catalogOf(hash)
		if c == nil {
			return seedlist.ErrNotFound
		}
		known := c.known()
		change(&known, now)
		return c.put(&known)
	})
}

// newCatalog puts a catalog into the list.
func (s *Store) newCatalog(known *seedlist.Catalog) error {
	c := &catalog{number: s.number + 1, hash: known.Hash, listings: map[uint64]listing{}}
	if err := c.put(known); err != nil {
		return err
	}
	s.number++
	s.catalogs[c.number] = c
	return nil
}

// AddCatalog puts a catalog into the list, or gives it other settings.
func (s *Store) AddCatalog(ctx context.Context, uri string, settings seedlist.CatalogSettings, at time.Time) (known seedlist.Catalog,
	added bool, err error) {
	u, err := seedlist.CatalogURI(uri)
	if err != nil {
		return known, false, err
	}
	settings.Interval = max(0, settings.Interval)
	err = s.write(ctx, func(now time.Time) error {
		if at.IsZero() {
			at = now
		}
		c := s.catalogOf(u.Hash())
		if added = c == nil; added {
			known = seedlist.Catalog{
				Hash: u.Hash(), URI: u.Given, Status: seedlist.CatalogWaiting, CatalogSettings: settings, Added: wall(now), Due: wall(at),
			}
			return s.newCatalog(&known)
		}
		known = c.known()
		known.Set(settings)
		return c.put(&known)
	})
	return known, added, err
}

// FollowCatalog puts a catalog into the list that another one names.
func (s *Store) FollowCatalog(ctx context.Context, from *seedlist.Catalog, uri string) (added bool, err error) {
	u, err := seedlist.CatalogURI(uri)
	if err != nil {
		return false, err
	}
	err = s.write(ctx, func(now time.Time) error {
		if added = s.catalogOf(u.Hash()) == nil; !added {
			return nil
		}
		known := seedlist.Catalog{
			Hash: u.Hash(), URI: u.Given, Status: seedlist.CatalogWaiting, CatalogSettings: from.CatalogSettings, Added: wall(now),
			Due: wall(now),
		}
		known.Kind, known.Source, known.Depth = "", "catalog:"+from.Hash, from.Depth+1
		return s.newCatalog(&known)
	})
	return added, err
}

// Catalog returns the catalog of a hash.
func (s *Store) Catalog(ctx context.Context, hash string) (known seedlist.Catalog, err error) {
	err = s.read(ctx, func() error {
		c := s.catalogOf(hash)
		if c == nil {
			return seedlist.ErrNotFound
		}
		known = c.known()
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
	err = s.read(ctx, func() error {
		for _, number := range slices.Sorted(maps.Keys(s.catalogs)) {
			if number <= after {
				continue
			}
			if len(all) == limit {
				next = seedlist.CursorAfter(after)
				return nil
			}
			all, after = append(all, s.catalogs[number].known()), number
		}
		return nil
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
	err = s.read(ctx, func() error {
		c := s.catalogOf(hash)
		if c == nil {
			return seedlist.ErrNotFound
		}
		for r := range s.since(after) {
			if l, named := c.listings[r.number]; !named || l.gone != gone {
				continue
			}
			if len(seeds) == limit {
				next = seedlist.CursorAfter(after)
				return nil
			}
			seeds, after = append(seeds, s.attended(r)), r.number
		}
		return nil
	})
	return seeds, next, err
}

// Refusals is JSON of what the last harvest of a catalog refused.
func (s *Store) Refusals(ctx context.Context, hash string) (refusals []byte, err error) {
	err = s.read(ctx, func() error {
		c := s.catalogOf(hash)
		if c == nil {
			return seedlist.ErrNotFound
		}
		refusals = bytes.Clone(c.refusals)
		return nil
	})
	return refusals, err
}

// HarvestNow lets a catalog be harvested as soon as may be.
func (s *Store) HarvestNow(ctx context.Context, hash string, accept bool) error {
	return s.changeCatalog(ctx, hash, func(known *seedlist.Catalog, now time.Time) { known.AskNow(accept, wall(now)) })
}

// RemoveCatalog takes a catalog out of the list, with its attempts.
func (s *Store) RemoveCatalog(ctx context.Context, hash string) error {
	return s.write(ctx, func(time.Time) error {
		c := s.catalogOf(hash)
		if c == nil {
			return seedlist.ErrNotFound
		}
		for number := range c.listings {
			r := s.seeds[number]
			r.catalogs = deleteNumber(r.catalogs, c.number)
			s.setGone(r)
		}
		delete(s.catalogs, c.number)
		return nil
	})
}

// setGone marks a seed that every catalog has dropped which named it, and unmarks one
// that some catalog names again.
func (s *Store) setGone(r *record) {
	if r.parent != nil {
		return
	}
	r.gone = len(r.catalogs) > 0
	for _, number := range r.catalogs {
		r.gone = r.gone && s.catalogs[number].listings[r.number].gone
	}
}

// catalogsRest says that no catalog is at work or to be harvested now.
func (s *Store) catalogsRest(now time.Time) bool {
	for _, c := range s.catalogs {
		known := c.known()
		isDue := !known.Due.IsZero() && !known.Due.After(now)
		if known.Status == seedlist.CatalogWaiting || known.Status == seedlist.CatalogHarvesting || isDue {
			return false
		}
	}
	return true
}
