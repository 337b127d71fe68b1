package bolt

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"time"

	"laundromat/seedlist"
)

// WaitCatalog returns when a catalog is to be harvested. It returns early with the
// error of ctx or [seedlist.ErrClosed].
func (s *Store) WaitCatalog(ctx context.Context) error {
	for {
		woken := s.wakers.channel(catalogsWake)
		var at time.Time
		err := s.view(ctx, func(t *tables) error {
			_, at = t.nextCatalog()
			return nil
		})
		if err != nil {
			return err
		}
		if !at.IsZero() && time.Until(at) <= 0 {
			return nil
		}
		if err := s.sleep(ctx, woken, at); err != nil {
			return err
		}
	}
}

// nextCatalog is the catalog that is due first; 0 if none ever is.
func (t *tables) nextCatalog() (id uint64, at time.Time) {
	t.scan(inCatalogs, nil, nil, func(key, value []byte) bool {
		status, due := catalogStanding(value)
		if status != seedlist.CatalogHarvesting && !due.IsZero() && (id == 0 || due.Before(at)) {
			id, at = lastNumber(key), due
		}
		return true
	})
	return id, at
}

// ClaimCatalog takes the catalog that has been due longest; ok is false if none is.
// Its fence, the number of the harvest, rises.
func (s *Store) ClaimCatalog(ctx context.Context, worker string) (claim seedlist.HarvestClaim, ok bool, err error) {
	err = s.do(ctx, func(b *batch) error {
		claim, ok = seedlist.HarvestClaim{}, false
		id, at := b.nextCatalog()
		if id == 0 || at.After(b.now) {
			return nil
		}
		claim, err = b.claimCatalog(id, worker)
		ok = err == nil
		return err
	})
	return claim, ok, err
}

// ClaimCatalogOf is ClaimCatalog for the catalog of a hash, due or not; ok is false if
// it is being harvested.
func (s *Store) ClaimCatalogOf(ctx context.Context, hash, worker string) (claim seedlist.HarvestClaim, ok bool, err error) {
	err = s.do(ctx, func(b *batch) error {
		claim, ok = seedlist.HarvestClaim{}, false
		id := b.catalogNumber(hash)
		if id == 0 {
			return seedlist.ErrNotFound
		}
		c, err := b.catalog(id)
		if err != nil || c.Status == seedlist.CatalogHarvesting {
			return err
		}
		claim, err = b.claimCatalog(id, worker)
		ok = err == nil
		return err
	})
	return claim, ok, err
}

func (b *batch) claimCatalog(id uint64, worker string) (seedlist.HarvestClaim, error) {
	c, err := b.catalog(id)
	if err != nil {
		return seedlist.HarvestClaim{}, err
	}
	c.Status, c.Worker = seedlist.CatalogHarvesting, worker
	c.Fence++
	b.putCatalog(id, &c)
	return seedlist.HarvestClaim{Catalog: c, Fence: c.Fence, Worker: worker, Since: b.now.UTC(), Try: c.Tries + 1, Crashes: c.Crashes,
		Number: id}, nil
}

// heldCatalog checks that a claim still holds its catalog.
func (t *tables) heldCatalog(claim *seedlist.HarvestClaim) (seedlist.Catalog, error) {
	c, err := t.catalog(claim.Number)
	if err != nil || c.Status != seedlist.CatalogHarvesting || c.Fence != claim.Fence {
		return c, seedlist.ErrLost
	}
	return c, nil
}

// AddListed puts what a harvest found into the list, and answers for each, in order.
// A seed of which this catalog, or nobody, claimed something takes over what it claims now.
// If the claim shows other bytes (size, checksum, modified) and the seed rests, it is
// fetched again. What another catalog claims of a seed is kept.
func (s *Store) AddListed(ctx context.Context, claim seedlist.HarvestClaim, seeds []seedlist.NewSeed) ([]seedlist.Addition, error) {
	n := len(seeds)
	seeds = seedlist.WithDocuments(seeds)
	added := make([]seedlist.Addition, len(seeds))
	for start := 0; start < len(seeds); start += maxListed {
		end := min(start+maxListed, len(seeds))
		if err := s.addListed(ctx, &claim, seeds[start:end], added[start:end]); err != nil {
			return added[:n], err
		}
	}
	return added[:n], nil
}

// maxListed is the number of entries that one transaction takes.
const maxListed = 250

func (s *Store) addListed(ctx context.Context, claim *seedlist.HarvestClaim, seeds []seedlist.NewSeed, added []seedlist.Addition) error {
	now := time.Now()
	records := s.newRecords(seeds, added, now)
	for {
		claims, err := s.prepareClaims(ctx, claim, seeds, added)
		if err != nil {
			return err
		}
		err = s.do(ctx, func(b *batch) error { return b.addListed(claim, records, added, claims) })
		if err != errRevised {
			return err
		}
	}
}

// newClaims is a record whose claims change.
type newClaims struct {
	preparation
	fetch bool // it speaks of other bytes
}

// prepareClaims finds the seeds whose claims are others now.
func (s *Store) prepareClaims(ctx context.Context, claim *seedlist.HarvestClaim, seeds []seedlist.NewSeed,
	added []seedlist.Addition) (map[int]*newClaims, error) {
	changes := map[int]*newClaims{}
	err := s.view(ctx, func(t *tables) error {
		said := map[string]bool{} // what is named twice here: the first speaks
		for i := range seeds {
			id := t.number(added[i].Hash)
			if added[i].Err != nil || id == 0 || said[added[i].Hash] {
				continue
			}
			said[added[i].Hash] = true
			// What this harvest named before has said what it claims.
			if value := t.get(inListings, appendNumber(appendNumber(nil, claim.Number), id)); len(value) == 9 &&
				binary.BigEndian.Uint64(value) == claim.Fence {
				continue
			}
			h, _ := t.hot(id)
			c, err := t.cold(id)
			if err != nil || h.is(isClean) || h.parent != 0 {
				continue
			}
			differ, fetch := c.ClaimsDiffer(&seeds[i])
			if !differ {
				continue
			}
			change := &newClaims{preparation: preparation{revision: h.revision}, fetch: fetch}
			if change.data, err = t.coldData(id); err != nil {
				continue
			}
			changes[i] = change
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, change := range changes {
		if err := change.apply(func(r *seedlist.Record) { r.TakeClaims(&seeds[i]) }); err != nil {
			return nil, err
		}
	}
	return changes, nil
}

func (b *batch) addListed(claim *seedlist.HarvestClaim, records []newRecord, added []seedlist.Addition, claims map[int]*newClaims) error {
	c, err := b.heldCatalog(claim)
	if err != nil {
		return err
	}
	for i, change := range claims {
		if h, ok := b.hot(b.number(added[i].Hash)); !ok || h.revision != change.revision {
			return errRevised
		}
	}
	raw, _ := hex.DecodeString(c.Hash)
	before := c
	for i := range records {
		if added[i].Err != nil {
			continue
		}
		id := b.number(added[i].Hash)
		if added[i].New = id == 0; added[i].New {
			id = b.create(records[i])
		} else if change := claims[i]; change != nil {
			b.claimAnew(id, change)
		}
		key := appendNumber(appendNumber(nil, claim.Number), id)
		was := b.get(inListings, key)
		if len(was) == 9 && binary.BigEndian.Uint64(was) == claim.Fence && was[8] == 0 {
			continue // named twice
		}
		if len(was) != 9 {
			c.Listed++
			b.relinked(id)
			b.put(inListed, appendNumber(appendNumber(nil, id), claim.Number), raw)
		} else if was[8] != 0 {
			c.Listed++
			c.Gone--
			b.relinked(id)
		}
		b.put(inListings, key, listingValue(claim.Fence, false))
		b.setSeedGone(id)
	}
	if before.Listed != c.Listed || before.Gone != c.Gone {
		b.putCatalog(claim.Number, &c)
	}
	return nil
}

// claimAnew writes what a catalog claims of a seed now.
func (b *batch) claimAnew(id uint64, change *newClaims) {
	was, ok := b.hot(id)
	if !ok || was.revision != change.revision {
		return // named twice in one batch: the first speaks
	}
	is := was
	is.revision++
	if change.fetch && was.state.IsEnd() && was.atRest() && was.is(isFetchable) {
		is.restart(seedlist.Added, b.now.UnixNano(), b.now.UnixNano())
	}
	b.putCold(id, change.data, change.change)
	b.save(id, &was, &is)
}

// EndHarvest writes what a harvest came to, and its attempt, and marks what a complete
// one did not find. It is durable when EndHarvest returns nil.
func (s *Store) EndHarvest(ctx context.Context, claim seedlist.HarvestClaim, end seedlist.HarvestEnd) (seedlist.Catalog, error) {
	now := time.Now()
	verdict, err := s.judge(ctx, &claim, &end, now)
	if err == nil && verdict.Unnamed > 0 {
		end.Vanished, err = s.markVanished(ctx, &claim, verdict.Unnamed)
	}
	if err != nil {
		return seedlist.Catalog{}, err
	}
	attempt, err := claim.EndAttempt(&end, now)
	if err != nil {
		return seedlist.Catalog{}, err
	}
	if len(end.Refusals) > seedlist.MaxValue {
		end.Refusals = nil
	}
	var c seedlist.Catalog
	err = s.do(ctx, func(b *batch) error {
		var err error
		if c, err = b.heldCatalog(&claim); err != nil {
			return err
		}
		c = c.EndedBy(&end, verdict, b.now)
		b.putCatalog(claim.Number, &c)
		if len(end.Refusals) > 0 {
			b.put(inRefusals, appendNumber(nil, claim.Number), end.Refusals)
		} else {
			b.delete(inRefusals, appendNumber(nil, claim.Number))
		}
		b.log(claim.Number, attempt)
		b.woken[catalogsWake] = true
		return nil
	})
	return c, err
}

// judge decides what a harvest that ended marks.
func (s *Store) judge(ctx context.Context, claim *seedlist.HarvestClaim, end *seedlist.HarvestEnd,
	now time.Time) (v seedlist.HarvestVerdict, err error) {
	named := int64(0)
	if end.Complete {
		if named, err = s.namedBy(ctx, claim); err != nil {
			return v, err
		}
	}
	err = s.view(ctx, func(t *tables) error {
		c, err := t.heldCatalog(claim)
		if err == nil {
			v = c.Judge(end, named, now)
		}
		return err
	})
	return v, err
}

// GiveBackHarvest ends a harvest that was stopped by us, at no cost; due is when it
// may be claimed again, the zero time: at once.
func (s *Store) GiveBackHarvest(ctx context.Context, claim seedlist.HarvestClaim, due time.Time, a seedlist.Attempt) error {
	attempt, err := claim.Attempt(a, "given back", time.Now())
	if err != nil {
		return err
	}
	return s.do(ctx, func(b *batch) error {
		c, err := b.heldCatalog(&claim)
		if err != nil {
			return err
		}
		c.Status, c.Worker = seedlist.CatalogWaiting, ""
		if c.Due = b.now.UTC(); !due.IsZero() {
			c.Due = due.UTC()
		}
		b.putCatalog(claim.Number, &c)
		b.log(claim.Number, attempt)
		b.woken[catalogsWake] = true
		return nil
	})
}

// recoverCatalogs gives back the catalogs that were being harvested when the process
// ended that held the store before.
func (s *Store) recoverCatalogs(ctx context.Context) error {
	var ids []uint64
	err := s.view(ctx, func(t *tables) error {
		t.scan(inCatalogs, nil, nil, func(key, value []byte) bool {
			if status, _ := catalogStanding(value); status == seedlist.CatalogHarvesting {
				ids = append(ids, lastNumber(key))
			}
			return true
		})
		return nil
	})
	if err != nil || len(ids) == 0 {
		return err
	}
	return s.do(ctx, func(b *batch) error {
		for _, id := range ids {
			c, err := b.catalog(id)
			if err != nil {
				continue
			}
			c.Status, c.Worker, c.Due = seedlist.CatalogWaiting, "", b.now.UTC()
			c.Crashes++
			b.putCatalog(id, &c)
		}
		return nil
	})
}
