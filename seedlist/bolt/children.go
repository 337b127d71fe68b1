package bolt

import (
	"context"
	"encoding/hex"
	"maps"
	"slices"
	"time"

	"laundromat/seedlist"
)

// FileChildren makes entries of an archive seeds before the claim on it is completed, so that nobody must hold all of
// them. Their files must be in the store. It returns what belongs into [seedlist.Outcome.Filed].
// They begin to be worked on at once, so its record must hold what they need to know of the archive. The function
// update changes that record; with nil, it is as it should be. Work that is done again after a crash meets them as
// those of an archive that is depleted again. [seedlist.ErrLost] means that nothing was written.
func (s *Store) FileChildren(ctx context.Context, c seedlist.Claim, children []seedlist.Child,
	update func(*seedlist.Record)) (filed seedlist.FiledChildren, err error) {
	now := time.Now()
	for {
		p, err := s.prepare(ctx, &c, func(r *seedlist.Record) {
			if update != nil {
				kept := *r
				update(r)
				r.Parent, r.Added = kept.Parent, kept.Added
				if kept.Parent != "" {
					r.Archive = kept.Archive.WithFilters(r.Archive)
				}
			}
		})
		if err != nil {
			return nil, err
		}
		records, err := s.newChildren(&p.record, children, now)
		if err != nil {
			return nil, err
		}
		err = s.do(ctx, func(b *batch) error {
			is, err := b.held(&c, p)
			if err != nil {
				return err
			}
			if update != nil {
				was := is
				is.revision++
				b.putCold(c.Number, p.data, p.change)
				b.save(c.Number, &was, &is)
			}
			filed = seedlist.FiledAs(b.file(c.Number, &is, records))
			return nil
		})
		if err != errRevised {
			return filed, err
		}
	}
}

// newChildren makes the records of an archive's entries.
func (s *Store) newChildren(parent *seedlist.Stored, children []seedlist.Child, now time.Time) ([]newRecord, error) {
	entries, err := seedlist.Entries(parent, children, now)
	if err != nil {
		return nil, err
	}
	records := make([]newRecord, len(entries))
	for i := range entries {
		e := &entries[i]
		records[i] = newRecord{hash: e.Hash, hot: hot{state: seedlist.Filed}, cold: e.Data, counts: make(map[string]int64), again: e.Again,
			within: e.Within}
		tally(&e.Stored, records[i].counts, +1)
	}
	return records, nil
}

// deplete makes the children of an archive what its entries are. New ones are filed; those whose bytes changed, or
// that are to be worked on again, are filed again. Those whose entry is gone keep their record. The
// parameter is has the archive's hot record as it was saved, filed those that were filed before.
func (b *batch) deplete(id uint64, is *hot, entries []newRecord, filed []uint64) {
	here := append(b.file(id, is, entries), filed...)
	slices.Sort(here)
	if is.state == seedlist.Depleted {
		total := b.add(inChildren, appendNumber(nil, id), 0, true)
		if total == int64(len(slices.Compact(here))) {
			return // none is gone
		}
	}
	var gone []uint64
	b.scan(inChildren, appendNumber(nil, id), nil, func(key, _ []byte) bool {
		if len(key) == 16 {
			if _, found := slices.BinarySearch(here, lastNumber(key)); !found {
				gone = append(gone, lastNumber(key))
			}
		}
		return true
	})
	for _, child := range gone {
		b.setGone(child, true)
	}
}

// file makes seeds of entries and returns their numbers.
func (b *batch) file(id uint64, is *hot, entries []newRecord) (here []uint64) {
	created := make(map[string]uint64)
	for _, entry := range entries {
		child := b.number(entry.hash)
		if child == 0 {
			entry.hot.priority, entry.hot.parent = is.priority, id
			entry.hot.due = b.now.UnixNano()
			child = b.createUnnamed(entry)
			created[entry.hash] = child
			raw, _ := hex.DecodeString(entry.hash)
			b.put(inChildren, appendNumber(appendNumber(nil, id), child), raw)
		} else {
			b.refile(child, id, &entry)
		}
		here = append(here, child)
	}
	// bbolt cuts its pages only when it commits. A hundred thousand hashes in any order
	// would each be inserted in the middle of one page, in order they are not.
	for _, hash := range slices.Sorted(maps.Keys(created)) {
		b.name(hash, created[hash])
	}
	if len(created) > 0 {
		b.relinked(id)
		b.add(inChildren, appendNumber(nil, id), int64(len(created)), true)
	}
	return here
}

// refile files a child again if its bytes changed, or if it was marked or is to be worked on again. What
// is known of the old reading is forgotten, and the mark ends.
func (b *batch) refile(child, parent uint64, entry *newRecord) {
	was, ok := b.hot(child)
	old, err := b.cold(child)
	if !ok || err != nil || was.parent != parent {
		return
	}
	fresh, err := seedlist.DecodeStored(entry.cold)
	if err != nil {
		return
	}
	if !old.RefilesAs(&fresh.Record, entry.again) {
		b.setGone(child, false)
		return
	}
	// An archive is fetched again only when all below it is at rest, so that the child is
	// in a final state. Otherwise its worker would be at the old bytes.
	if was.state != seedlist.Filed && !seedlist.ByDepletion.Allows(was.state, seedlist.Filed) {
		return
	}
	change := make(map[string]int64)
	tally(&old, change, -1)
	cleans := old.Cleans()
	old.Refile(&fresh.Record, entry.within)
	data, err := old.Encode()
	if err != nil {
		return
	}
	tally(&old, change, +1)
	is := was
	is.revision++
	is.set(isGone, false)
	is.set(isServed, old.ServedClean() != "")
	is.restart(seedlist.Filed, b.now.UnixNano(), b.now.UnixNano())
	b.putCold(child, data, change)
	b.save(child, &was, &is)
	b.unlinkOld(child, cleans, &old)
}

func (b *batch) setGone(child uint64, gone bool) {
	was, ok := b.hot(child)
	if !ok || was.is(isGone) == gone {
		return
	}
	is := was
	is.set(isGone, gone)
	b.save(child, &was, &is)
}
