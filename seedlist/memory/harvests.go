package memory

import (
	"bytes"
	"context"
	"time"

	"laundromat/seedlist"
)

// WaitCatalog returns when a catalog is to be harvested.
func (s *Store) WaitCatalog(ctx context.Context) error {
	return s.wait(ctx, func(now time.Time) (bool, time.Time) {
		_, at := s.nextCatalog()
		return !at.IsZero() && !at.After(now), at
	})
}

// nextCatalog is the catalog that is due first; nil if none ever is.
func (s *Store) nextCatalog() (next *catalog, at time.Time) {
	for _, c := range s.catalogs {
		known := c.known()
		if known.Status == seedlist.CatalogHarvesting || known.Due.IsZero() {
			continue
		}
		if next == nil || known.Due.Before(at) || known.Due.Equal(at) && c.number < next.number {
			next, at = c, known.Due
		}
	}
	return next, at
}

// ClaimCatalog takes the catalog that has been due longest.
func (s *Store) ClaimCatalog(ctx context.Context, worker string) (claim seedlist.HarvestClaim, ok bool, err error) {
	err = s.write(ctx, func(now time.Time) error {
		c, at := s.nextCatalog()
		if c == nil || at.After(now) {
			return nil
		}
		claim, err = c.claim(worker, now)
		ok = err == nil
		return err
	})
	return claim, ok, err
}

// ClaimCatalogOf is ClaimCatalog for the catalog of a hash, due or not.
func (s *Store) ClaimCatalogOf(ctx context.Context, hash, worker string) (claim seedlist.HarvestClaim, ok bool, err error) {
	err = s.write(ctx, func(now time.Time) error {
		c := s.catalogOf(hash)
		if c == nil {
			return seedlist.ErrNotFound
		}
		if c.known().Status == seedlist.CatalogHarvesting {
			return nil
		}
		claim, err = c.claim(worker, now)
		ok = err == nil
		return err
	})
	return claim, ok, err
}

func (c *catalog) claim(worker string, now time.Time) (seedlist.HarvestClaim, error) {
	known := c.known()
	known.Status, known.Worker = seedlist.CatalogHarvesting, worker
	known.Fence++
	return seedlist.HarvestClaim{
		Catalog: known, Fence: known.Fence, Worker: worker, Since: now.UTC(), Try: known.Tries + 1, Crashes: known.Crashes,
		Number: c.number,
	}, c.put(&known)
}

// harvested is the catalog of a claim; nil if that is lost.
func (s *Store) harvested(claim *seedlist.HarvestClaim) *catalog {
	c := s.catalogs[claim.Number]
	if c == nil {
		return nil
	}
	if known := c.known(); known.Status != seedlist.CatalogHarvesting || known.Fence != claim.Fence {
		return nil
	}
	return c
}

// AddListed puts what a harvest found into the list.
func (s *Store) AddListed(ctx context.Context, claim seedlist.HarvestClaim, seeds []seedlist.NewSeed) ([]seedlist.Addition, error) {
	n := len(seeds)
	seeds = seedlist.WithDocuments(seeds)
	added := make([]seedlist.Addition, len(seeds))
	err := s.write(ctx, func(now time.Time) error {
		c := s.harvested(&claim)
		if c == nil {
			return seedlist.ErrLost
		}
		for i := range seeds {
			var records []*record
			if added[i], records = s.addition(seeds[i], now); added[i].Err == nil {
				added[i].New, added[i].Err = s.list(c, claim.Fence, &seeds[i], records, now)
			}
		}
		return nil
	})
	return added[:n], err
}

// list puts one seed into a catalog.
func (s *Store) list(c *catalog, harvest uint64, seed *seedlist.NewSeed, records []*record, now time.Time) (isNew bool, err error) {
	r := s.byHash(records[len(records)-1].hash)
	if isNew = r == nil; isNew {
		s.create(records, now)
		r = records[len(records)-1]
	} else if c.listings[r.number].harvest != harvest { // what it named before has said what it claims
		if err := s.claimAnew(r, seed, now); err != nil {
			return false, err
		}
	}
	c.listings[r.number] = listing{harvest: harvest}
	r.catalogs = insertNumber(r.catalogs, c.number)
	s.setGone(r)
	return isNew, nil
}

// claimAnew writes what a catalog claims of a seed now, and fetches it again if that
// speaks of other bytes.
func (s *Store) claimAnew(r *record, seed *seedlist.NewSeed, now time.Time) error {
	stored := r.stored()
	differ, fetch := stored.ClaimsDiffer(seed)
	if r.clean || r.parent != nil || !differ {
		return nil
	}
	stored.TakeClaims(seed)
	data, err := stored.Encode()
	if err != nil {
		return err
	}
	r.data = data
	if fetch && r.state.IsEnd() && r.fetchable && s.atRest(r) {
		r.restart(seedlist.Added, now)
		s.index(r, now)
	}
	return nil
}

// EndHarvest writes what a harvest came to.
func (s *Store) EndHarvest(ctx context.Context, claim seedlist.HarvestClaim, end seedlist.HarvestEnd) (known seedlist.Catalog, err error) {
	err = s.write(ctx, func(now time.Time) error {
		c := s.harvested(&claim)
		if c == nil {
			return seedlist.ErrLost
		}
		named := int64(0)
		for _, l := range c.listings {
			if l.harvest == claim.Fence {
				named++
			}
		}
		known = c.known()
		verdict := known.Judge(&end, named, now)
		var vanished []uint64
		for number, l := range c.listings {
			if !l.gone && l.harvest < verdict.Unnamed {
				vanished = append(vanished, number)
			}
		}
		end.Vanished = int64(len(vanished))
		entry, err := claim.EndAttempt(&end, now)
		if err != nil {
			return err
		}
		known = known.EndedBy(&end, verdict, now)
		if err := c.put(&known); err != nil {
			return err
		}
		for _, number := range vanished {
			c.listings[number] = listing{harvest: c.listings[number].harvest, gone: true}
			s.setGone(s.seeds[number])
		}
		if c.refusals = nil; len(end.Refusals) > 0 && len(end.Refusals) <= seedlist.MaxValue {
			c.refusals = bytes.Clone(end.Refusals)
		}
		s.log(&c.attempts, entry)
		known = c.known()
		return nil
	})
	return known, err
}

// GiveBackHarvest ends a harvest that was stopped by us.
func (s *Store) GiveBackHarvest(ctx context.Context, claim seedlist.HarvestClaim, due time.Time, a seedlist.Attempt) error {
	return s.write(ctx, func(now time.Time) error {
		c := s.harvested(&claim)
		if c == nil {
			return seedlist.ErrLost
		}
		entry, err := claim.Attempt(a, "given back", now)
		if err != nil {
			return err
		}
		known := c.known()
		known.Status, known.Worker, known.Due = seedlist.CatalogWaiting, "", wall(now)
		if !due.IsZero() {
			known.Due = wall(due)
		}
		if err := c.put(&known); err != nil {
			return err
		}
		s.log(&c.attempts, entry)
		return nil
	})
}
