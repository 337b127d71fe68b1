package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
)

// WaitCatalog returns when a catalog is to be harvested.
func (s *Store) WaitCatalog(ctx context.Context) error {
	return s.wait(ctx, ofCatalogs, func(t *tx) (bool, int64, error) {
		at, err := t.number("SELECT coalesce(min(due), 0) FROM catalogs WHERE due > 0 AND NOT harvesting")
		return at > 0 && at <= t.now.UnixNano(), at, err
	})
}

// ClaimCatalog takes the catalog that has been due longest.
func (s *Store) ClaimCatalog(ctx context.Context, worker string) (claim seedlist.HarvestClaim, ok bool, err error) {
	err = s.writeClaims(ctx, func(t *tx) error {
		ok = false
		ids, err := query(t, pgx.RowTo[int64], "SELECT id FROM catalogs WHERE due > 0 AND due <= $1 AND NOT harvesting ORDER BY due, id "+
			"LIMIT 1 FOR UPDATE SKIP LOCKED",
			t.now.UnixNano())
		if err != nil || len(ids) == 0 {
			return err
		}
		c, err := t.catalog("c.id = $1", ids[0])
		if err != nil || c == nil {
			return err
		}
		ok = true
		claim, err = t.claimCatalog(c, worker)
		return err
	})
	return claim, ok && err == nil, err
}

// ClaimCatalogOf is ClaimCatalog for the catalog of a hash, due or not.
func (s *Store) ClaimCatalogOf(ctx context.Context, hash, worker string) (claim seedlist.HarvestClaim, ok bool, err error) {
	err = s.writeClaims(ctx, func(t *tx) error {
		ok = false
		c, err := t.knownCatalog(hash)
		if err != nil {
			return err
		}
		if c.known.Status == seedlist.CatalogHarvesting {
			return nil
		}
		ok = true
		claim, err = t.claimCatalog(c, worker)
		return err
	})
	return claim, ok && err == nil, err
}

func (t *tx) claimCatalog(c *catalog, worker string) (seedlist.HarvestClaim, error) {
	c.known.Status, c.known.Worker, c.holder = seedlist.CatalogHarvesting, worker, t.store.holder
	c.known.Fence++
	number, fence := c.number, c.known.Fence
	t.claims = true
	t.after = append(t.after, func() { t.store.leases.harvest(number, fence) })
	return seedlist.HarvestClaim{
		Catalog: c.known, Fence: c.known.Fence, Worker: worker, Since: t.now.UTC(), Try: c.known.Tries + 1, Crashes: c.known.Crashes,
		Number: c.number,
	}, t.put(c)
}

// harvested is the catalog of a claim; [seedlist.ErrLost] if that is lost.
func (t *tx) harvested(claim *seedlist.HarvestClaim) (*catalog, error) {
	c, err := t.catalog("c.id = $1", int64(claim.Number))
	if err != nil {
		return nil, err
	}
	if c == nil || c.known.Status != seedlist.CatalogHarvesting || c.known.Fence != claim.Fence {
		return nil, seedlist.ErrLost
	}
	return c, nil
}

// AddListed puts what a harvest found into the list.
func (s *Store) AddListed(ctx context.Context, claim seedlist.HarvestClaim, seeds []seedlist.NewSeed) ([]seedlist.Addition, error) {
	n := len(seeds)
	seeds = seedlist.WithDocuments(seeds)
	all := make([]seedlist.Addition, len(seeds))
	done := 0
	for part := range slices.Chunk(seeds, maxAdded) {
		err := s.writePatiently(ctx, func(t *tx) error {
			c, err := t.harvested(&claim)
			if err != nil {
				return err
			}
			added, made, err := t.additions(part)
			if err != nil {
				return err
			}
			if err := t.list(c, claim.Fence, part, added, made); err != nil {
				return err
			}
			copy(all[done:], added)
			return nil
		})
		if err != nil {
			return all[:n], err
		}
		done += len(part)
	}
	return all[:n], nil
}

// list puts seeds into a catalog.
func (t *tx) list(c *catalog, harvest uint64, seeds []seedlist.NewSeed, added []seedlist.Addition, made [][]*record) error {
	var there []int64 // that were seeds before
	for i, records := range made {
		if added[i].Err != nil {
			continue
		}
		r, err := t.byHash(records[len(records)-1].hash)
		if err != nil {
			return err
		}
		if r != nil {
			there = append(there, int64(r.number))
		}
	}
	known, err := query(t, pgx.RowToStructByPos[listing], "SELECT seed, harvest, gone FROM listings WHERE catalog = $1 AND seed = ANY($2)",
		int64(c.number), there)
	if err != nil {
		return err
	}
	var said, named []int64 // by this harvest, by any
	for _, l := range known {
		if l.Harvest == int64(harvest) {
			said = append(said, l.Seed)
		}
		if !l.Gone {
			named = append(named, l.Seed)
		}
	}
	var ids []int64
	for i, records := range made {
		if added[i].Err != nil {
			continue
		}
		r, err := t.byHash(records[len(records)-1].hash)
		if err != nil {
			return err
		}
		if added[i].New = r == nil; r == nil {
			if _, err := t.create(records); err != nil {
				return err
			}
			r = records[len(records)-1]
		} else if !slices.Contains(said, int64(r.number)) { // what it named before has said what it claims
			if err := t.claimAnew(r, &seeds[i]); err != nil {
				return err
			}
		}
		ids = append(ids, int64(r.number))
		said = append(said, int64(r.number))
	}
	ids = distinct(ids)
	if err := t.exec(`INSERT INTO listings SELECT $1, id, $2, false FROM unnest($3::bigint[]) AS u (id)
		ON CONFLICT (catalog, seed) DO UPDATE SET harvest = excluded.harvest, gone = false`, int64(c.number), int64(harvest),
		ids); err != nil {
		return err
	}
	relink(t.records, slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return slices.Contains(named, id) }))
	return t.setGone(ids)
}

// listing is a seed's place in a catalog.
type listing struct {
	Seed, Harvest int64
	Gone          bool
}

// claimAnew writes what a catalog claims of a seed now, and fetches it again if that
// speaks of other bytes.
func (t *tx) claimAnew(r *record, seed *seedlist.NewSeed) error {
	stored, err := r.stored()
	if err != nil {
		return err
	}
	differ, fetch := stored.ClaimsDiffer(seed)
	if r.clean || r.parent != 0 || !differ {
		return nil
	}
	stored.TakeClaims(seed)
	data, err := stored.Encode()
	if err != nil {
		return err
	}
	r.put(data)
	if fetch && r.fetchable {
		rests, err := t.isEndAtRest(r)
		if err != nil {
			return err
		}
		if rests {
			r.restart(seedlist.Added, t.now)
			t.met = append(t.met, r.host)
		}
	}
	return nil
}

// EndHarvest writes what a harvest came to.
func (s *Store) EndHarvest(ctx context.Context, claim seedlist.HarvestClaim, end seedlist.HarvestEnd) (known seedlist.Catalog, err error) {
	defer s.leases.endHarvest(claim.Number, claim.Fence)
	err = s.writePatiently(ctx, func(t *tx) error {
		c, err := t.harvested(&claim)
		if err != nil {
			return err
		}
		end := end
		named := int64(0)
		if end.Complete {
			if named, err = t.number("SELECT count(*) FROM listings WHERE catalog = $1 AND harvest = $2", int64(c.number),
				int64(claim.Fence)); err != nil {
				return err
			}
		}
		verdict := c.known.Judge(&end, named, t.now)
		if verdict.Unnamed > 0 {
			vanished, err := query(t, pgx.RowTo[int64], "UPDATE listings SET gone = true WHERE catalog = $1 AND NOT gone AND harvest < "+
				"$2 RETURNING seed",
				int64(c.number), int64(verdict.Unnamed))
			if err == nil {
				err = t.load(unsigned(vanished)...)
			}
			if err == nil {
				relink(t.records, vanished)
				err = t.setGone(vanished)
			}
			if err != nil {
				return err
			}
			end.Vanished = int64(len(vanished))
		}
		entry, err := claim.EndAttempt(&end, t.now)
		if err != nil {
			return err
		}
		c.known = c.known.EndedBy(&end, verdict, t.now)
		c.holder = ""
		if c.refusals = ""; len(end.Refusals) > 0 && len(end.Refusals) <= seedlist.MaxValue {
			c.refusals = string(end.Refusals)
		}
		t.attempts = append(t.attempts, attempt{c.hash, true, entry})
		if err := t.put(c); err != nil {
			return err
		}
		if c, err = t.catalogOf(c.hash); err == nil {
			known = c.known
		}
		return err
	})
	return known, err
}

// GiveBackHarvest ends a harvest that was stopped by us.
func (s *Store) GiveBackHarvest(ctx context.Context, claim seedlist.HarvestClaim, due time.Time, a seedlist.Attempt) error {
	defer s.leases.endHarvest(claim.Number, claim.Fence)
	return s.writePatiently(ctx, func(t *tx) error {
		c, err := t.harvested(&claim)
		if err != nil {
			return err
		}
		entry, err := claim.Attempt(a, "given back", t.now)
		if err != nil {
			return err
		}
		c.known.Status, c.known.Worker, c.known.Due, c.holder = seedlist.CatalogWaiting, "", utc(t.now), ""
		if !due.IsZero() {
			c.known.Due = utc(due)
		}
		t.attempts = append(t.attempts, attempt{c.hash, true, entry})
		return t.put(c)
	})
}
