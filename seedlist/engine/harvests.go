package engine

import (
	"context"
	"slices"
	"time"

	"laundromat/seedlist"
)

// WaitCatalog returns when a catalog is to be harvested.
func (l *Moves) WaitCatalog(ctx context.Context) error {
	return waitFor(ctx, l, seedlist.HoldHarvesting, QueueCatalogs)
}

// ClaimCatalog takes the catalog that has been due longest.
func (l *Moves) ClaimCatalog(ctx context.Context, worker string) (claim seedlist.HarvestClaim, ok bool, err error) {
	sources, isHeld, err := l.holdsOf(ctx, seedlist.HoldHarvesting)
	if err != nil || isHeld {
		return claim, false, err
	}
	err = l.do(ctx, &Op{Late: true, Claims: true, Run: func(s *Session) error {
		ok = false
		s.flush()
		c := firstCatalog(s, CatalogQuery{Due: s.now, Most: 1})
		if c == nil {
			return nil
		}
		if slices.Contains(sources, "catalog:"+c.Known.URI) {
			c.Known.Due = s.now.Add(parkedFor)
			s.putCatalog(c)
			return nil
		}
		ok = true
		claim = s.claimCatalog(c, worker)
		return nil
	}})
	return claim, ok && err == nil, err
}

// ClaimCatalogOf is ClaimCatalog for the catalog of a hash, due or not.
func (l *Moves) ClaimCatalogOf(ctx context.Context, hash, worker string) (claim seedlist.HarvestClaim, ok bool, err error) {
	err = l.do(ctx, &Op{Claims: true, Run: func(s *Session) error {
		ok = false
		c := s.catalogOf(hash)
		if c == nil {
			return seedlist.ErrNotFound
		}
		if c.Known.Status == seedlist.CatalogHarvesting {
			return nil
		}
		ok = true
		claim = s.claimCatalog(c, worker)
		return nil
	}})
	return claim, ok && err == nil, err
}

func (s *Session) claimCatalog(c *Catalog, worker string) seedlist.HarvestClaim {
	c.Known.Status, c.Known.Worker, c.Holder = seedlist.CatalogHarvesting, worker, s.list.store.Holder()
	c.Known.Fence++
	number, fence := c.Number, c.Known.Fence
	s.claims++
	s.after = append(s.after, func() { s.list.leases.under(func() { s.list.leases.harvests[number] = fence }) })
	s.putCatalog(c)
	return seedlist.HarvestClaim{
		Catalog: c.Known, Fence: fence, Worker: worker, Since: s.now.UTC(), Number: number,
		Try: c.Known.Tries + 1, Crashes: c.Known.Crashes,
	}
}

// harvested is the catalog of a claim; [seedlist.ErrLost] if that is lost.
func (s *Session) harvested(claim *seedlist.HarvestClaim) (*Catalog, error) {
	c := s.catalog(claim.Number)
	if c == nil || c.Erased || c.Known.Status != seedlist.CatalogHarvesting || c.Known.Fence != claim.Fence {
		return nil, seedlist.ErrLost
	}
	return c, nil
}

// AddListed puts what a harvest found into the list.
func (l *Moves) AddListed(ctx context.Context, claim seedlist.HarvestClaim, seeds []seedlist.NewSeed) ([]seedlist.Addition, error) {
	patiently := func(ctx context.Context, change func(s *Session) error) error {
		return l.do(ctx, &Op{Patient: true, Run: change})
	}
	with := seedlist.WithDocuments(seeds)
	all, err := inParts(ctx, with, patiently, func(s *Session, part []seedlist.NewSeed) ([]seedlist.Addition, error) {
		c, err := s.harvested(&claim)
		if err != nil {
			return nil, err
		}
		added, made := s.additions(part)
		s.addListed(c, claim.Fence, part, added, made)
		return added, nil
	})
	return all[:min(len(all), len(seeds))], err
}

// addListed puts seeds into a catalog.
func (s *Session) addListed(c *Catalog, harvest uint64, seeds []seedlist.NewSeed, added []seedlist.Addition, made [][]*Seed) {
	there := s.lasts(added, made) // that were seeds before
	named := s.namedBy(c, there)
	s.createAll(added, made)
	for i, r := range s.lasts(added, made) {
		switch {
		case r == nil || named[r.Number].Harvest == harvest: // what this harvest named before has said what it claims
			continue
		case !added[i].New:
			s.claimAnew(r, &seeds[i])
		}
		s.nameListed(c, r, harvest, named)
	}
}

// lasts are the last seeds of each, those that are in the list; nil for the others.
func (s *Session) lasts(added []seedlist.Addition, made [][]*Seed) []*Seed {
	all := make([]*Seed, len(made))
	for i, records := range made {
		if added[i].Err == nil {
			if r := s.seeds[s.hashes[records[len(records)-1].Hash]]; r != nil && !r.Erased {
				all[i] = r
			}
		}
	}
	return all
}

// namedBy are the places of some seeds in a catalog.
func (s *Session) namedBy(c *Catalog, seeds []*Seed) map[uint64]Link {
	named := map[uint64]Link{}
	seeds = slices.DeleteFunc(slices.Clone(seeds), func(r *Seed) bool { return r == nil })
	if len(seeds) == 0 {
		return named
	}
	s.documents(seeds)
	among := LinkQuery{Relation: Listings, Of: []uint64{c.Number}, Among: numbersOf(seeds), Most: len(seeds)}
	for _, link := range s.linksOf(among) {
		named[link.To] = link
	}
	return named
}

func numbersOf(seeds []*Seed) []uint64 {
	numbers := make([]uint64, len(seeds))
	for i, r := range seeds {
		numbers[i] = r.Number
	}
	return numbers
}

// nameListed notes that a harvest of a catalog names a seed.
func (s *Session) nameListed(c *Catalog, r *Seed, harvest uint64, named map[uint64]Link) {
	was, isKnown := named[r.Number]
	link := Link{Relation: Listings, Of: c.Number, To: r.Number, Harvest: harvest}
	named[r.Number] = link
	s.touched++
	s.next.Links = append(s.next.Links, link)
	if isKnown && !was.Gone {
		return
	}
	if isKnown {
		c.Known.Gone--
	}
	c.Known.Listed++
	s.isLinked = true
	s.touch(r)
	r.linked = true
	if r.Parent == 0 {
		r.Gone = false
	}
	if !slices.Contains(s.next.Catalogs, c) {
		s.next.Catalogs = append(s.next.Catalogs, c)
	}
}

// claimAnew writes what a catalog claims of a seed now, and fetches it again if that speaks of other bytes.
func (s *Session) claimAnew(r *Seed, seed *seedlist.NewSeed) {
	stored := s.document(r)
	differ, fetch := stored.ClaimsDiffer(seed)
	recipe := seed.Recipe != "" && stored.RecipeAsked != seed.Recipe
	if r.Clean || r.Parent != 0 || !differ && !recipe {
		return
	}
	if recipe {
		stored.RecipeAsked = seed.Recipe
	}
	if differ {
		stored.TakeClaims(seed)
	}
	s.encode(r, &stored)
	if fetch && r.Fetchable && s.isEndAtRest(r) {
		s.restart(r, seedlist.Added, s.now.UnixNano())
	}
}

// EndHarvest writes what a harvest came to. What it did not name is marked with it, a thousand in one transaction, the
// first of them before it. In each it is asked whether the claim still holds.
func (l *Moves) EndHarvest(ctx context.Context, claim seedlist.HarvestClaim, end seedlist.HarvestEnd) (known seedlist.Catalog, err error) {
	defer l.leases.endHarvest(&claim)
	var verdict seedlist.HarvestVerdict
	err = l.ask(ctx, func(s *Session) error { // nobody else adds to what this harvest named
		c, err := s.harvested(&claim)
		if err != nil {
			return err
		}
		named := int64(0)
		if end.Complete {
			_, totals := s.linksAndTotals(LinkQuery{Relation: Listings, Of: []uint64{c.Number}, From: claim.Fence, Totals: true})
			named = totals[c.Number]
		}
		verdict = c.Known.Judge(&end, named, s.now)
		return nil
	})
	for vanished := atOnce; err == nil && vanished == atOnce; end.Vanished += int64(vanished) {
		err = l.do(ctx, &Op{Patient: true, Run: func(s *Session) error {
			c, err := s.harvested(&claim)
			if err != nil {
				return err
			}
			vanished = 0
			if verdict.Unnamed > 0 {
				vanished = s.markVanished(c, verdict.Unnamed)
			}
			if vanished == atOnce { // there may be more
				return nil
			}
			last := end
			last.Vanished += int64(vanished)
			entry, err := claim.EndAttempt(&last, s.now)
			if err != nil {
				return err
			}
			c.Known = c.Known.EndedBy(&last, verdict, s.now)
			c.Holder = ""
			if c.Refusals = nil; len(end.Refusals) > 0 && len(end.Refusals) <= seedlist.MaxValue {
				c.Refusals = slices.Clone(end.Refusals)
			}
			s.next.Log = append(s.next.Log, Entry{Hash: c.Hash, OfCatalog: true, Data: entry})
			s.putCatalog(c)
			known = c.Known
			return nil
		}})
	}
	return known, err
}

// markVanished marks seeds that harvests before did name and later ones did not. It answers how many.
func (s *Session) markVanished(c *Catalog, before uint64) int {
	no := false
	links := s.linksOf(LinkQuery{Relation: Listings, Of: []uint64{c.Number}, Gone: &no, Before: before, Most: atOnce})
	if len(links) == 0 {
		return 0
	}
	for _, link := range links {
		link.Gone = true
		s.next.Links = append(s.next.Links, link)
	}
	s.isLinked = true
	c.Known.Listed -= int64(len(links))
	c.Known.Gone += int64(len(links))
	s.touched++
	s.next.Catalogs = append(s.next.Catalogs, c)
	s.setGone(targets(links))
	return len(links)
}

// GiveBackHarvest ends a harvest that was stopped by us.
func (l *Moves) GiveBackHarvest(ctx context.Context, claim seedlist.HarvestClaim, due time.Time, a seedlist.Attempt) error {
	defer l.leases.endHarvest(&claim)
	return l.do(ctx, &Op{Patient: true, Run: func(s *Session) error {
		c, err := s.harvested(&claim)
		if err != nil {
			return err
		}
		entry, err := claim.Attempt(a, "given back", s.now)
		if err != nil {
			return err
		}
		if due.IsZero() {
			due = s.now
		}
		s.next.Log = append(s.next.Log, Entry{Hash: c.Hash, OfCatalog: true, Data: entry})
		s.giveBackCatalog(c, due)
		return nil
	}})
}
