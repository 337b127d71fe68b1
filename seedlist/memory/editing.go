package memory

import (
	"context"
	"encoding/hex"
	"maps"
	"slices"
	"time"

	"laundromat/seedlist"
)

// newRecords makes the record of a URI, and before it that of the document if it names a
// thing in one.
func (s *Store) newRecords(u seedlist.URI, seed seedlist.NewSeed, now time.Time) (made []*record, err error) {
	stored := seed.Stored(u, now, &s.options)
	r := &record{
		hash: stored.Hash, state: seedlist.Added, priority: clampPriority(seed.Priority), relative: u.Relative,
	}
	if old := seedlist.OldKey(u.Given, r.hash); old != nil {
		r.oldKey = hex.EncodeToString(old)
	}
	document, isFragment := u.Document()
	switch {
	case isFragment:
		r.fragment, r.host = true, u.Host
		seed.Title = "" // of the thing, not of the document
		if made, err = s.newRecords(document, seed, now); err != nil {
			return nil, err
		}
	case !u.Relative:
		r.fetchable, r.host, r.due = true, u.Host, wall(now)
	}
	r.data, err = stored.Encode()
	return append(made, r), err
}

// create puts records into the list that are not there yet. It answers whether the last
// is new.
func (s *Store) create(records []*record, now time.Time) (isNew bool) {
	for _, r := range records {
		if isNew = s.byHash(r.hash) == nil; isNew {
			s.insert(r, now)
		}
		if r.oldKey != "" && s.byHash(s.oldKeys[r.oldKey]) == nil {
			s.oldKeys[r.oldKey] = r.hash
		}
	}
	return isNew
}

// addition is what a new seed comes to, and its records.
func (s *Store) addition(seed seedlist.NewSeed, now time.Time) (added seedlist.Addition, records []*record) {
	u, err := seedlist.ParseURI(seed.URI)
	if err != nil {
		return seedlist.Addition{Err: err}, nil
	}
	added = seedlist.Addition{Hash: u.Hash(), Relative: u.Relative}
	if document, ok := u.Document(); ok {
		added.Document = document.Hash()
	}
	records, added.Err = s.newRecords(u, seed, now)
	return added, records
}

// Add puts seeds into the list.
func (s *Store) Add(ctx context.Context, seeds []seedlist.NewSeed) ([]seedlist.Addition, error) {
	added := make([]seedlist.Addition, len(seeds))
	err := s.write(ctx, func(now time.Time) error {
		for i := range seeds {
			var records []*record
			if added[i], records = s.addition(seeds[i], now); added[i].Err == nil {
				added[i].New = s.create(records, now)
			}
		}
		return nil
	})
	return added, err
}

// each changes seeds, and answers for each.
func (s *Store) each(ctx context.Context, hashes []string, change func(r *record, now time.Time) error) (answers []error, err error) {
	err = s.write(ctx, func(now time.Time) error {
		for _, hash := range hashes {
			answer := seedlist.ErrNotFound
			if r := s.byHash(hash); r != nil {
				answer = change(r, now)
			}
			answers = append(answers, answer)
		}
		return nil
	})
	return answers, err
}

// Set changes settings of seeds.
func (s *Store) Set(ctx context.Context, settings seedlist.SeedSettings, hashes ...string) ([]error, error) {
	return s.each(ctx, hashes, func(r *record, now time.Time) error {
		if err := s.holds(r, settings.If); err != nil {
			return err
		}
		if r.fragment {
			if r = s.byHash(r.stored().Document); r == nil {
				return seedlist.ErrNotFound
			}
		}
		switch {
		case r.clean:
			return seedlist.ErrClean
		case settings.Interval != nil && !r.fetchable:
			return seedlist.ErrNoURI
		}
		if settings.Priority != nil {
			r.priority = clampPriority(*settings.Priority)
		}
		if settings.ChangesRecord() {
			stored := r.stored()
			cleans := stored.Cleans()
			settings.Apply(&stored.Record, &s.options)
			data, err := stored.Encode()
			if err != nil {
				return err
			}
			r.data = data
			s.unlinkOld(r, cleans, &stored, now)
			if settings.Interval != nil && r.state.IsEnd() {
				r.due = wall(seedlist.DueSet(&stored.Record, r.due, r.failures))
			}
		}
		s.index(r, now)
		return nil
	})
}

// holds is the answer of a condition for a seed.
func (s *Store) holds(r *record, condition seedlist.Condition) error {
	if condition == nil {
		return nil
	}
	seed := s.attended(r)
	s.fillOutcome(&seed)
	return condition(seed)
}

// Retry lets seeds that rest be worked on again.
func (s *Store) Retry(ctx context.Context, from seedlist.State, hashes ...string) (errs []error, err error) {
	answers, err := s.WashAgain(ctx, seedlist.Again{To: from}, hashes...)
	for _, a := range answers {
		errs = append(errs, a.Err)
	}
	return errs, err
}

// retry decides to which state a retry moves a seed.
func (s *Store) retry(r *record, from seedlist.State) (seedlist.State, error) {
	if r.clean || r.relative {
		return "", seedlist.ErrNoURI
	}
	if !r.state.IsEnd() || !s.atRest(r) || !archivesRest(r) {
		return "", seedlist.ErrNotAtRest
	}
	to, by := seedlist.Added, seedlist.ByInterval
	if from != "" || !r.fetchable {
		to, by = r.stage.Ready(), seedlist.ByRetry
	}
	switch isMove := by.Allows(r.state, to); {
	case !isMove && from == "":
		return "", seedlist.ErrNoURI
	case !isMove || from != "" && to != from:
		return "", seedlist.ErrNotFailed
	}
	return to, nil
}

// archivesRest says that all archives above a seed rest. Were one at work, it might
// replace the seed's bytes.
func archivesRest(r *record) bool {
	for above := r.parent; above != nil; above = above.parent {
		if !above.state.IsFinal() {
			return false
		}
	}
	return true
}

// Remove takes seeds out of the list.
func (s *Store) Remove(ctx context.Context, hashes ...string) ([]error, error) {
	return s.each(ctx, hashes, func(r *record, now time.Time) error {
		if r.clean || r.parent != nil {
			return seedlist.ErrDerived
		}
		s.erase(r, now)
		return nil
	})
}

// RemoveIf removes one seed for which a condition holds.
func (s *Store) RemoveIf(ctx context.Context, condition seedlist.Condition, hash string) error {
	answers, err := s.each(ctx, []string{hash}, func(r *record, now time.Time) error {
		err := s.holds(r, condition)
		switch {
		case err != nil:
			return err
		case r.clean || r.parent != nil:
			return seedlist.ErrDerived
		}
		s.erase(r, now)
		return nil
	})
	if err == nil {
		err = answers[0]
	}
	return err
}

// erase removes a record with all below it.
func (s *Store) erase(r *record, now time.Time) {
	for child := range s.among(slices.Clone(r.children)) {
		s.erase(child, now)
	}
	stored := r.stored()
	s.unlinkOld(r, stored.Cleans(), nil, now)
	for _, number := range r.catalogs {
		delete(s.catalogs[number].listings, r.number)
	}
	if s.oldKeys[r.oldKey] == r.hash {
		delete(s.oldKeys, r.oldKey)
	}
	if r.parent != nil {
		r.parent.children = deleteNumber(r.parent.children, r.number)
	}
	delete(s.seeds, r.number)
	delete(s.hashes, r.hash)
	s.erased = append(s.erased, r)
	s.orphans[r.hash] = true
	s.index(r, now)
	if r.state.IsWorking() {
		s.endLease(r, now, seedlist.Load{})
	}
}

// Orphans returns up to limit hashes whose records were removed.
func (s *Store) Orphans(ctx context.Context, limit int) (hashes []string, err error) {
	err = s.read(ctx, func() error {
		all := slices.Sorted(maps.Keys(s.orphans))
		hashes = all[:max(0, min(limit, len(all)))]
		return nil
	})
	return hashes, err
}

// Disown makes orphans of those hashes that have no record.
func (s *Store) Disown(ctx context.Context, hashes ...string) error {
	return s.write(ctx, func(time.Time) error {
		for _, hash := range hashes {
			raw, err := hex.DecodeString(hash)
			if err == nil && len(raw) > 0 && s.byHash(hash) == nil {
				s.orphans[hex.EncodeToString(raw)] = true
			}
		}
		return nil
	})
}

// Swept takes hashes off the list of orphans.
func (s *Store) Swept(ctx context.Context, hashes ...string) error {
	return s.write(ctx, func(time.Time) error {
		for _, hash := range hashes {
			delete(s.orphans, hash)
		}
		return nil
	})
}
