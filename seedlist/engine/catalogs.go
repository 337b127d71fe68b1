package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"laundromat/seedlist"
)

// keepCatalog puts a catalog among those of the session. Of one that is there already, that is returned.
func (s *Session) keepCatalog(c *Catalog) *Catalog {
	if known := s.catalogs[c.Number]; known != nil {
		return known
	}
	put(&s.catalogs, c.Number, c)
	return c
}

// catalog is the catalog of a number; nil if there is none.
func (s *Session) catalog(number uint64) *Catalog {
	if c := s.catalogs[number]; c != nil {
		return c
	}
	return firstCatalog(s, CatalogQuery{Numbers: []uint64{number}})
}

// catalogOf is the catalog of a hash; nil if there is none.
func (s *Session) catalogOf(hash string) *Catalog {
	return firstCatalog(s, CatalogQuery{Hash: strings.ToLower(hash)})
}

// firstCatalog is the first that a question finds; nil if it finds none.
func firstCatalog(s *Session, q CatalogQuery) *Catalog {
	for _, c := range s.catalogsOf(q) {
		return s.keepCatalog(c)
	}
	return nil
}

// putCatalog has a catalog written.
func (s *Session) putCatalog(c *Catalog) {
	s.touched++
	s.next.News |= OfCatalogs
	if !slices.Contains(s.next.Catalogs, c) {
		s.next.Catalogs = append(s.next.Catalogs, c)
	}
}

// giveBackCatalog ends the harvest of a catalog, which waits for another from a time on.
func (s *Session) giveBackCatalog(c *Catalog, due time.Time) {
	c.Known.Status, c.Known.Worker, c.Known.Due, c.Holder = seedlist.CatalogWaiting, "", utc(due), ""
	s.putCatalog(c)
}

// waitingCatalog is a catalog that is to be harvested.
func waitingCatalog(u seedlist.URI, settings seedlist.CatalogSettings, now, due time.Time) seedlist.Catalog {
	return seedlist.Catalog{
		Hash: u.Hash(), URI: u.Given, Status: seedlist.CatalogWaiting, CatalogSettings: settings, Added: utc(now), Due: utc(due),
	}
}

// newCatalog puts a catalog into the list.
func (s *Session) newCatalog(known seedlist.Catalog) {
	for _, n := range s.numbers(1) {
		s.putCatalog(s.keepCatalog(&Catalog{Number: n, Hash: known.Hash, Known: known, IsNew: true}))
	}
}

// AddCatalog puts a catalog into the list, or gives it other settings.
func (l *Moves) AddCatalog(
	ctx context.Context, uri string, settings seedlist.CatalogSettings, at time.Time,
) (known seedlist.Catalog, added bool, err error) {
	u, err := seedlist.CatalogURI(uri)
	if err != nil {
		return known, false, err
	}
	settings.Interval = max(0, settings.Interval)
	err = l.write(ctx, func(s *Session) error {
		due := at
		if due.IsZero() {
			due = s.now
		}
		c := s.catalogOf(u.Hash())
		if added = c == nil; added {
			known = waitingCatalog(u, settings, s.now, due)
			s.newCatalog(known)
			return nil
		}
		c.Known.Set(settings)
		known = c.Known
		s.putCatalog(c)
		return nil
	})
	return known, added, err
}

// FollowCatalog puts a catalog into the list that another one names.
func (l *Moves) FollowCatalog(ctx context.Context, from *seedlist.Catalog, uri string) (added bool, err error) {
	u, err := seedlist.CatalogURI(uri)
	if err != nil {
		return false, err
	}
	err = l.write(ctx, func(s *Session) error {
		if added = s.catalogOf(u.Hash()) == nil; !added {
			return nil
		}
		known := waitingCatalog(u, from.CatalogSettings, s.now, s.now)
		known.Kind, known.Spec, known.Source, known.Depth = "", "", "catalog:"+from.Hash, from.Depth+1
		s.newCatalog(known)
		return nil
	})
	return added, err
}

// Catalog returns the catalog of a hash.
func (l *Moves) Catalog(ctx context.Context, hash string) (seedlist.Catalog, error) {
	return found(ctx, l.read, func(s *Session) (known seedlist.Catalog, err error) {
		if c := s.catalogOf(hash); c != nil {
			return c.Known, nil
		}
		return known, seedlist.ErrNotFound
	})
}

// maxCatalogs is the number of catalogs that one call lists at most.
const maxCatalogs = 1000

// Catalogs returns catalogs, oldest first.
func (l *Moves) Catalogs(ctx context.Context, cursor string, limit int) (all []seedlist.Catalog, next string, err error) {
	after, err := seedlist.ReadCursor(cursor)
	if err != nil {
		return nil, "", err
	}
	if limit <= 0 || limit > maxCatalogs {
		limit = maxCatalogs
	}
	err = l.read(ctx, func(s *Session) error {
		all, next = nil, ""
		found := s.catalogsOf(CatalogQuery{IsAll: true, After: after, Most: limit + 1})
		for i, c := range found {
			if i == limit {
				next = seedlist.CursorAfter(found[i-1].Number)
				break
			}
			all = append(all, c.Known)
		}
		return nil
	})
	return all, next, err
}

// ListedBy returns the seeds that a catalog names, or with gone those that it named once.
func (l *Moves) ListedBy(
	ctx context.Context, hash string, gone bool, cursor string, limit int,
) (seeds []seedlist.Seed, next string, err error) {
	after, err := seedlist.ReadCursor(cursor)
	if err != nil {
		return nil, "", err
	}
	if limit <= 0 {
		limit = 100
	}
	err = l.read(ctx, func(s *Session) error {
		seeds, next = nil, ""
		c := s.catalogOf(hash)
		if c == nil {
			return seedlist.ErrNotFound
		}
		links := s.linksOf(LinkQuery{Relation: Listings, Of: []uint64{c.Number}, After: after, Most: limit + 1, Gone: &gone})
		if len(links) > limit {
			links = links[:limit]
			next = seedlist.CursorAfter(links[limit-1].To)
		}
		seeds = s.attended(targets(links))
		return nil
	})
	return seeds, next, err
}

// targets are what links lead to.
func targets(links []Link) (numbers []uint64) {
	for _, link := range links {
		numbers = append(numbers, link.To)
	}
	return numbers
}

// Refusals is JSON of what the last harvest of a catalog refused.
func (l *Moves) Refusals(ctx context.Context, hash string) ([]byte, error) {
	return found(ctx, l.read, func(s *Session) ([]byte, error) {
		c := s.catalogOf(hash)
		switch {
		case c == nil:
			return nil, seedlist.ErrNotFound
		case len(c.Refusals) == 0:
			return nil, nil
		}
		return slices.Clone(c.Refusals), nil
	})
}

// HarvestNow lets a catalog be harvested as soon as may be.
func (l *Moves) HarvestNow(ctx context.Context, hash string, accept bool) error {
	return l.write(ctx, func(s *Session) error {
		c := s.catalogOf(hash)
		if c == nil {
			return seedlist.ErrNotFound
		}
		c.Known.AskNow(accept, utc(s.now))
		s.putCatalog(c)
		return nil
	})
}

// RemoveCatalog takes a catalog out of the list, with its attempts. Its seeds are taken out of it first, a thousand
// in one transaction: a harvest at work is lost with the first of them.
func (l *Moves) RemoveCatalog(ctx context.Context, hash string) error {
	for done := false; !done; {
		err := l.write(ctx, func(s *Session) error {
			c := s.catalogOf(hash)
			if c == nil {
				return seedlist.ErrNotFound
			}
			links := s.linksOf(LinkQuery{Relation: Listings, Of: []uint64{c.Number}, Most: atOnce})
			c.Known.Fence++
			if c.Known.Status == seedlist.CatalogHarvesting {
				c.Known.Status, c.Known.Worker, c.Holder = seedlist.CatalogWaiting, "", ""
			}
			c.Known.Due = time.Time{}
			for _, link := range links {
				s.dropListing(c, link)
			}
			if done = len(links) < atOnce; done {
				c.Erased = true
			}
			s.putCatalog(c)
			s.setGone(targets(links))
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// dropListing takes a seed out of a catalog, and out of its counts.
func (s *Session) dropListing(c *Catalog, link Link) {
	s.touched++
	s.isLinked = true
	if link.Gone {
		c.Known.Gone--
	} else {
		c.Known.Listed--
	}
	s.next.Unlinks = append(s.next.Unlinks, Link{Relation: Listings, Of: c.Number, To: link.To})
}

// setGone marks seeds that every catalog has dropped which named them, and unmarks the others. Their listings
// changed.
func (s *Session) setGone(numbers []uint64) {
	if len(numbers) == 0 {
		return
	}
	s.flush()
	seeds := s.among(numbers)
	no := false
	_, all := s.linksAndTotals(LinkQuery{Relation: Listed, Of: numbers, Totals: true})
	_, naming := s.linksAndTotals(LinkQuery{Relation: Listed, Of: numbers, Gone: &no, Totals: true})
	for _, r := range seeds {
		s.touch(r)
		r.linked = true
		if r.Parent == 0 {
			r.Gone = all[r.Number] > 0 && naming[r.Number] == 0
		}
	}
}

// loadListed reads at once which catalogs name some seeds.
func (s *Session) loadListed(seeds []*Seed) {
	var of []uint64
	for _, r := range seeds {
		if !r.hasListed && !r.IsNew {
			of = append(of, r.Number)
		}
	}
	if len(of) == 0 {
		return
	}
	s.flush()
	links := s.linksOf(LinkQuery{Relation: Listed, Of: of, Most: atOnce})
	for _, n := range of {
		if r := s.seeds[n]; r != nil {
			r.hasListed, r.listed = true, nil
		}
	}
	var catalogs []uint64
	for _, link := range links {
		if r := s.seeds[link.Of]; r != nil {
			r.listed = append(r.listed, link)
		}
		if s.catalogs[link.To] == nil {
			catalogs = append(catalogs, link.To)
		}
	}
	if len(catalogs) == 0 {
		return
	}
	for _, c := range s.catalogsOf(CatalogQuery{Numbers: distinct(catalogs)}) {
		s.keepCatalog(c)
	}
}

// unlist takes a seed that is removed out of the catalogs.
func (s *Session) unlist(r *Seed) {
	if r.Clean || r.born {
		return
	}
	s.loadListed([]*Seed{r})
	for _, link := range r.listed {
		c := s.catalogs[link.To]
		if c == nil {
			continue
		}
		s.dropListing(c, Link{To: r.Number, Gone: link.Gone})
		news := s.next.News
		s.putCatalog(c)
		s.next.News = news // nobody waits for that
	}
}
