package bolt

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"

	"laundromat/seedlist"
)

// Remove takes seeds out of the list, with their children, attempts and what only
// they were washed to, and answers for each hash. Work on them goes on, to end in
// [seedlist.ErrLost]. Their hashes are orphans then: see [Store.Orphans].
func (s *Store) Remove(ctx context.Context, hashes ...string) ([]error, error) {
	return s.removeAll(ctx, nil, hashes)
}

// RemoveIf removes one seed for which a condition holds when the removal begins.
func (s *Store) RemoveIf(ctx context.Context, condition seedlist.Condition, hash string) error {
	answers, err := s.removeAll(ctx, condition, []string{hash})
	if err == nil {
		err = answers[0]
	}
	return err
}

func (s *Store) removeAll(ctx context.Context, condition seedlist.Condition, hashes []string) ([]error, error) {
	answers := make([]error, 0, len(hashes))
	for len(hashes) > 0 {
		var done []error
		err := s.do(ctx, func(b *batch) error {
			done = nil
			budget := maxBatch
			for _, hash := range hashes {
				if id := b.number(hash); id != 0 {
					if err := b.holds(id, condition); err != nil {
						done = append(done, err)
						continue
					}
				}
				err, whole := b.remove(hash, &budget)
				if !whole {
					return nil
				}
				done = append(done, err)
			}
			return nil
		})
		if err != nil {
			return answers, err
		}
		answers, hashes = append(answers, done...), hashes[len(done):]
		condition = nil // what has begun goes on
	}
	return answers, nil
}

// remove removes a seed as far as the budget of records goes; whole says that
// nothing of it is left to do.
func (b *batch) remove(hash string, budget *int) (err error, whole bool) {
	id := b.number(hash)
	h, ok := b.hot(id)
	switch {
	case id == 0:
		return seedlist.ErrNotFound, true
	case !ok:
		return b.damageOf(id, "the state of record", errors.New("can't be read")), true
	case h.is(isClean) || h.parent != 0:
		return seedlist.ErrDerived, true
	}
	if err := b.checkCold(id); err != nil {
		return err, true // what goes with it is not known
	}
	return nil, b.removeTree(id, budget)
}

func (b *batch) removeTree(id uint64, budget *int) bool {
	var children []uint64
	b.scan(inChildren, appendNumber(nil, id), nil, func(key, _ []byte) bool {
		if len(key) == 16 {
			children = append(children, lastNumber(key))
		}
		return len(children) < *budget
	})
	for _, child := range children {
		if !b.removeTree(child, budget) {
			return false
		}
		b.eraseDamaged(id, child)
	}
	if *budget <= 0 || b.first(inChildren, append(appendNumber(nil, id), 0)) != nil {
		return false
	}
	*budget--
	b.erase(id)
	return true
}

// erase removes one record that has no children any more.
func (b *batch) erase(id uint64) {
	was, ok := b.hot(id)
	c, err := b.cold(id)
	if !ok || err != nil {
		return
	}
	key := appendNumber(nil, id)
	if was.is(isClean) {
		tallyClean(&c, b.deltas, -1)
	} else {
		tally(&c, b.deltas, -1)
	}
	for _, hash := range c.Cleans() {
		b.unlink(id, hash)
	}
	b.list(id, alike(&c.Record), nil)
	b.unlist(id)
	b.unalias(&c)
	b.save(id, &was, nil)
	b.delete(inCold, key)
	raw, _ := hex.DecodeString(c.Hash)
	b.feed.removed(id, raw)
	b.delete(inSeeds, raw)
	b.put(inOrphans, raw, nil)
	b.delete(inChildren, key)
	if was.parent != 0 {
		b.delete(inChildren, append(appendNumber(nil, was.parent), key...))
		b.add(inChildren, appendNumber(nil, was.parent), -1, true)
	}
	b.deleteAttempts(id, key)
	if was.state.IsWorking() {
		b.loseLease(id)
	}
}

// eraseDamaged removes what is left of an entry whose record could not be read. Counts of what
// that said stay, until the list is salvaged.
func (b *batch) eraseDamaged(parent, child uint64) {
	link := appendNumber(appendNumber(nil, parent), child)
	raw := bytes.Clone(b.get(inChildren, link))
	if raw == nil {
		return
	}
	key := appendNumber(nil, child)
	if was, ok := b.hot(child); ok {
		b.save(child, &was, nil)
	} else {
		b.delete(inHot, key)
	}
	b.delete(inCold, key)
	if b.number(hex.EncodeToString(raw)) == child {
		b.delete(inSeeds, raw)
		b.put(inOrphans, raw, nil)
	}
	b.delete(inChildren, key)
	b.delete(inChildren, link)
	b.add(inChildren, appendNumber(nil, parent), -1, true)
	b.deleteAttempts(child, key)
}

// Orphans returns up to limit hashes whose records were removed, so that files
// named by them are rubbish. A record that is made again takes its hash off the list. So
// nothing may be written under such a hash between Orphans and the removal of the files.
// Sweep before the first claim, or while no stage writes. A hash that has a record is no
// orphan, whatever the list says: older versions could leave one there.
func (s *Store) Orphans(ctx context.Context, limit int) ([]string, error) {
	var hashes []string
	err := s.view(ctx, func(t *tables) error {
		t.scan(inOrphans, nil, nil, func(key, _ []byte) bool {
			if len(hashes) >= limit {
				return false
			}
			if hash := hex.EncodeToString(key); t.number(hash) == 0 {
				hashes = append(hashes, hash)
			}
			return true
		})
		return nil
	})
	return hashes, err
}

// Disown makes orphans of those hashes that have no record: files were written for
// them by work whose seed was removed meanwhile.
func (s *Store) Disown(ctx context.Context, hashes ...string) error {
	return s.do(ctx, func(b *batch) error {
		for _, hash := range hashes {
			raw, err := hex.DecodeString(hash)
			if err == nil && len(raw) > 0 && b.number(hash) == 0 {
				b.put(inOrphans, raw, nil)
			}
		}
		return nil
	})
}

// Swept takes hashes off the list of orphans, once their files are gone.
func (s *Store) Swept(ctx context.Context, hashes ...string) error {
	return s.do(ctx, func(b *batch) error {
		for _, hash := range hashes {
			raw, err := hex.DecodeString(hash)
			if err == nil && len(raw) > 0 && b.get(inOrphans, raw) != nil {
				b.delete(inOrphans, raw)
			}
		}
		return nil
	})
}

// deleteAttempts deletes the attempts of a seed or catalog; key is its number.
func (b *batch) deleteAttempts(id uint64, key []byte) {
	var entries []uint64
	b.scan(inAttempts, key, nil, func(key, _ []byte) bool {
		entries = append(entries, lastNumber(key))
		return true
	})
	for _, n := range entries {
		b.delete(inLog, appendNumber(nil, n))
		b.delete(inAttempts, append(appendNumber(nil, id), appendNumber(nil, n)...))
	}
}
