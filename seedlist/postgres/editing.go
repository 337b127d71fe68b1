package postgres

import (
	"context"
	"encoding/hex"
	"slices"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
)

// newRecords makes the record of a URI, and before it that of the document if it names a
// thing in one.
func (t *tx) newRecords(u seedlist.URI, seed seedlist.NewSeed) (made []*record, err error) {
	stored := seed.Stored(u, t.now, &t.store.options)
	r := &record{hash: stored.Hash, hot: hot{state: seedlist.Added, priority: clampPriority(seed.Priority), relative: u.Relative}}
	if old := seedlist.OldKey(u.Given, r.hash); old != nil {
		r.oldKey = hex.EncodeToString(old)
	}
	document, isFragment := u.Document()
	switch {
	case isFragment:
		r.fragment, r.host = true, u.Host
		seed.Title = "" // of the thing, not of the document
		if made, err = t.newRecords(document, seed); err != nil {
			return nil, err
		}
	case !u.Relative:
		r.fetchable, r.host, r.due = true, u.Host, t.now.UnixNano()
	}
	r.data, err = stored.Encode()
	return append(made, r), err
}

// create puts records into the list that are not there yet. It answers whether the last
// is new.
func (t *tx) create(records []*record) (isNew bool, err error) {
	for _, r := range records {
		is, err := t.byHash(r.hash)
		if err != nil {
			return false, err
		}
		oldKey := r.oldKey
		if isNew = is == nil; isNew {
			if err := t.insert(r); err != nil {
				return false, err
			}
			is = r
		}
		if _, taken := t.oldKeys[oldKey]; oldKey != "" && !taken {
			t.oldKeys[oldKey] = is.number
		}
	}
	return isNew, nil
}

// addition is what a new seed comes to, and its records.
func (t *tx) addition(seed seedlist.NewSeed) (added seedlist.Addition, records []*record) {
	u, err := seedlist.ParseURI(seed.URI)
	if err != nil {
		return seedlist.Addition{Err: err}, nil
	}
	added = seedlist.Addition{Hash: u.Hash(), Relative: u.Relative}
	if document, ok := u.Document(); ok {
		added.Document = document.Hash()
	}
	records, added.Err = t.newRecords(u, seed)
	return added, records
}

// additions are what new seeds come to; their records are looked for at once.
func (t *tx) additions(seeds []seedlist.NewSeed) (added []seedlist.Addition, made [][]*record, err error) {
	var hashes []string
	for _, seed := range seeds {
		a, records := t.addition(seed)
		added, made = append(added, a), append(made, records)
		for _, r := range records {
			hashes = append(hashes, r.hash)
		}
	}
	return added, made, t.loadHashes(hashes...)
}

// maxAdded is how many seeds one transaction adds.
const maxAdded = 1000

// Add puts seeds into the list.
func (s *Store) Add(ctx context.Context, seeds []seedlist.NewSeed) ([]seedlist.Addition, error) {
	all := make([]seedlist.Addition, len(seeds))
	n := 0
	for part := range slices.Chunk(seeds, maxAdded) {
		err := s.write(ctx, func(t *tx) error {
			added, made, err := t.additions(part)
			if err != nil {
				return err
			}
			if err := t.createAll(added, made); err != nil {
				return err
			}
			copy(all[n:], added)
			return nil
		})
		if err != nil {
			return all, err
		}
		n += len(part)
	}
	return all, nil
}

// createAll is create for many, with one call for all their numbers.
func (t *tx) createAll(added []seedlist.Addition, made [][]*record) error {
	var fresh []*record
	isNew := map[string]bool{}
	for i, records := range made {
		if added[i].Err != nil {
			continue
		}
		for _, r := range records {
			is, err := t.byHash(r.hash)
			if err != nil {
				return err
			}
			added[i].New = is == nil && !isNew[r.hash]
			if added[i].New {
				isNew[r.hash] = true
				fresh = append(fresh, r)
			}
		}
	}
	if err := t.insert(fresh...); err != nil {
		return err
	}
	for i, records := range made {
		for _, r := range records {
			if _, taken := t.oldKeys[r.oldKey]; r.oldKey != "" && !taken && added[i].Err == nil {
				t.oldKeys[r.oldKey] = t.hashes[r.hash]
			}
		}
	}
	return nil
}

// each changes seeds, and answers for each.
func (s *Store) each(ctx context.Context, hashes []string, change func(t *tx, r *record) (answer, err error)) (answers []error, err error) {
	err = s.write(ctx, func(t *tx) error {
		answers = nil
		for _, hash := range hashes {
			r, err := t.byHash(hash)
			if err != nil {
				return err
			}
			answer := seedlist.ErrNotFound
			if r != nil {
				if answer, err = change(t, r); err != nil {
					return err
				}
			}
			answers = append(answers, answer)
		}
		return nil
	})
	return answers, err
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
func (t *tx) retry(r *record, from seedlist.State) (to seedlist.State, answer, err error) {
	if r.clean || r.relative {
		return "", seedlist.ErrNoURI, nil
	}
	rests := r.state.IsEnd()
	if rests {
		if rests, err = t.atRest(r); err == nil && rests {
			rests, err = t.archivesRest(r)
		}
	}
	if err != nil || !rests {
		return "", seedlist.ErrNotAtRest, err
	}
	to, by := seedlist.Added, seedlist.ByInterval
	if from != "" || !r.fetchable {
		to, by = r.stage.Ready(), seedlist.ByRetry
	}
	switch isMove := by.Allows(r.state, to); {
	case !isMove && from == "":
		return "", seedlist.ErrNoURI, nil
	case !isMove || from != "" && to != from:
		return "", seedlist.ErrNotFailed, nil
	}
	return to, nil, nil
}

// Remove takes seeds out of the list.
func (s *Store) Remove(ctx context.Context, hashes ...string) ([]error, error) {
	return s.removeAll(ctx, nil, hashes)
}

// RemoveIf removes one seed for which a condition holds.
func (s *Store) RemoveIf(ctx context.Context, condition seedlist.Condition, hash string) error {
	answers, err := s.removeAll(ctx, condition, []string{hash})
	if err == nil {
		err = answers[0]
	}
	return err
}

func (s *Store) removeAll(ctx context.Context, condition seedlist.Condition, hashes []string) ([]error, error) {
	return s.each(ctx, hashes, func(t *tx, r *record) (answer, err error) {
		if answer, err = t.holds(r, condition); answer != nil || err != nil {
			return answer, err
		}
		if r.clean || r.parent != 0 {
			return seedlist.ErrDerived, nil
		}
		return nil, t.erase(r)
	})
}

// erase removes a record with all below it.
func (t *tx) erase(r *record) error {
	if r.isArchive {
		if err := t.save(); err != nil {
			return err
		}
		children, err := query(t, pgx.RowTo[int64], "SELECT id FROM hot WHERE parent = $1 AND parent > 0", int64(r.number))
		if err != nil {
			return err
		}
		if err := t.load(unsigned(children)...); err != nil {
			return err
		}
		for _, id := range children {
			if child := t.records[uint64(id)]; child != nil && !child.erased {
				if err := t.erase(child); err != nil {
					return err
				}
			}
		}
	}
	if r.parent != 0 {
		above, err := t.at(r.parent)
		if err != nil {
			return err
		}
		if above != nil {
			above.linked = true
		}
	}
	stored, err := r.stored()
	if err != nil {
		return err
	}
	if err := t.unlinkOld(r, stored.Cleans(), nil); err != nil {
		return err
	}
	if r.state.IsWorking() {
		if r.host != seedlist.FileHost {
			r.asking = false // its host is being asked, until the work finds out: see endLost
		}
		if err := t.endLease(r, seedlist.Load{}); err != nil {
			return err
		}
	}
	if r.awaits() {
		t.left = append(t.left, r.host)
	}
	r.erased = true
	return nil
}
