package bolt

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"time"

	"laundromat/seedlist"
)

// feed collects what a batch did to seeds, until it is written at the end: of each seed
// the state before and after.
type feed struct {
	places  map[uint64]int // of a seed in changes
	changes []change
	washed  seedlist.Washed
}

type change struct {
	number   uint64
	from, to seedlist.State
	hash     []byte // of a seed that was removed
}

// note adds a change of a seed; that of one which changed before goes on from there.
func (f *feed) note(number uint64, from, to seedlist.State) {
	if at, ok := f.places[number]; ok {
		f.changes[at].to = to
		return
	}
	if f.places == nil {
		f.places = make(map[uint64]int)
	}
	f.places[number] = len(f.changes)
	f.changes = append(f.changes, change{number: number, from: from, to: to})
}

// removed notes the hash of a seed that was removed: nobody can look it up afterwards.
func (f *feed) removed(number uint64, hash []byte) {
	if at, ok := f.places[number]; ok {
		f.changes[at].hash = hash
	}
}

// changedSeed notes the change of a hot record. Neither how many entries of an archive rest is a
// change of it, nor that its due time has passed: a reader does not see that.
func (b *batch) changedSeed(id uint64, was, is *hot) {
	switch {
	case was == nil:
		b.feed.note(id, "", is.state)
	case is == nil:
		b.feed.note(id, was.state, "")
	default:
		seen := *is
		seen.open = was.open
		seen.set(isWaiting, was.is(isWaiting))
		if seen != *was {
			b.feed.note(id, was.state, is.state)
		}
	}
}

// relinked notes that the links of a seed changed, and nothing else of it.
func (b *batch) relinked(id uint64) {
	if _, ok := b.feed.places[id]; ok {
		return
	}
	if h, ok := b.hot(id); ok {
		b.feed.note(id, h.state, h.state)
	}
}

// A value of the feed holds changes with consecutive revisions of one transaction. It begins with
// the time of that; each change follows as number, state before, state after, and if it was
// removed the hash. One value for many changes costs a transaction little.
const (
	changesHead = 8
	changeSize  = 10
	hashSize    = 16
	// maxChanges keeps a value small beside a page.
	maxChanges = 100
)

// writeChanges writes what was noted, and forgets the oldest changes.
func (b *batch) writeChanges() {
	all := slices.DeleteFunc(b.feed.changes, func(c change) bool { return c.from == "" && c.to == "" })
	if len(all) == 0 || b.err != nil {
		return
	}
	slices.SortFunc(all, func(a, b change) int { return cmp.Compare(a.number, b.number) })
	last := b.bucket(inChanges).Sequence()
	for some := range slices.Chunk(all, maxChanges) {
		value := binary.BigEndian.AppendUint64(make([]byte, 0, changesHead+changeSize*len(some)), uint64(b.now.UnixNano()))
		for _, c := range some {
			value = append(appendNumber(value, c.number), c.from.Number(), c.to.Number())
			if c.to == "" {
				var hash [hashSize]byte // zeros if the record could not be read
				copy(hash[:], c.hash)
				value = append(value, hash[:]...)
			}
		}
		last += uint64(len(some))
		b.put(inChanges, appendNumber(nil, last), value)
	}
	b.fail(inChanges, b.bucket(inChanges).SetSequence(last))
	b.trimChanges(last)
	b.writeWashed()
	b.woken[changesWake] = true
}

// trimChanges deletes the values whose changes are all older than those that are kept.
func (b *batch) trimChanges(last uint64) {
	keep := uint64(b.store.options.KeepChanges)
	if last <= keep {
		return
	}
	var old []uint64
	b.scan(inChanges, nil, nil, func(key, _ []byte) bool {
		if lastNumber(key) > last-keep {
			return false
		}
		old = append(old, lastNumber(key))
		return true
	})
	for _, key := range old {
		b.delete(inChanges, appendNumber(nil, key))
	}
}

// changesWake is what those wait for who follow the feed.
const changesWake seedlist.State = "changes"

// Revision is that of the last change; 0 before the first.
func (s *Store) Revision(ctx context.Context) (last uint64, err error) {
	err = s.view(ctx, func(t *tables) error {
		last = t.lastRevision()
		return nil
	})
	return last, err
}

// lastRevision is 0 also where a store that is only read has no feed yet.
func (t *tables) lastRevision() uint64 {
	if t.bucket(inChanges) == nil {
		return 0
	}
	return t.bucket(inChanges).Sequence()
}

// WaitChange returns nil when there is a change after a revision.
func (s *Store) WaitChange(ctx context.Context, after uint64) error {
	for {
		woken := s.wakers.channel(changesWake)
		last, err := s.Revision(ctx)
		if err != nil || last > after {
			return err
		}
		if err := s.sleep(ctx, woken, time.Time{}); err != nil {
			return err
		}
	}
}

// Changes are the changes after a revision, in order, up to limit. A
// [*seedlist.LateError] says that some of them are no longer kept, or that the revision is of another list.
func (s *Store) Changes(ctx context.Context, after uint64, limit int) (all []seedlist.Change, err error) {
	err = s.view(ctx, func(t *tables) error {
		last := t.lastRevision()
		if after == last {
			return nil
		}
		late := &seedlist.LateError{After: after, First: last + 1, Last: last}
		if after > last {
			return late
		}
		t.scan(inChanges, nil, nil, func(key, value []byte) bool {
			late.First = lastNumber(key) + 1 - uint64(len(readChanges(nil, key, value)))
			return false
		})
		if after+1 < late.First {
			return late
		}
		t.scan(inChanges, nil, appendNumber(nil, after+1), func(key, value []byte) bool {
			all = readChanges(all, key, value)
			return len(all) < limit+maxChanges
		})
		all = slices.DeleteFunc(all, func(c seedlist.Change) bool { return c.Revision <= after })
		return nil
	})
	return all[:min(len(all), max(limit, 0))], err
}

// readChanges appends the changes of a value.
func readChanges(all []seedlist.Change, key, value []byte) []seedlist.Change {
	if len(value) < changesHead {
		return all
	}
	begin := len(all)
	at := time.Unix(0, int64(binary.BigEndian.Uint64(value))).UTC()
	for value = value[changesHead:]; len(value) >= changeSize; value = value[changeSize:] {
		c := seedlist.Change{
			Time: at, Number: binary.BigEndian.Uint64(value),
			From: seedlist.StateOf(value[8]), To: seedlist.StateOf(value[9]),
		}
		if c.To == "" && len(value) >= changeSize+hashSize {
			c.Hash = hex.EncodeToString(value[changeSize : changeSize+hashSize])
			value = value[hashSize:]
		}
		all = append(all, c)
	}
	first := lastNumber(key) + 1 - uint64(len(all)-begin)
	for i := range all[begin:] {
		all[begin+i].Revision = first + uint64(i)
	}
	return all
}

// Numbered returns the seeds of these numbers that are there, without their links but
// [seedlist.Links.Catalogs].
func (s *Store) Numbered(ctx context.Context, numbers ...uint64) (all []seedlist.Numbered, err error) {
	all = make([]seedlist.Numbered, 0, len(numbers))
	err = s.view(ctx, func(t *tables) error {
		for _, number := range numbers {
			if seed, ok := t.numbered(number); ok {
				s.attend(number, &seed)
				all = append(all, seedlist.Numbered{Number: number, Seed: seed})
			}
		}
		return nil
	})
	return all, err
}

// Whole returns the seeds of these numbers that are there and can be read, with their links.
func (s *Store) Whole(ctx context.Context, numbers ...uint64) (all []seedlist.Seed, err error) {
	err = s.view(ctx, func(t *tables) error {
		for _, number := range numbers {
			if seed, err := t.seed(number); err == nil {
				s.attend(number, &seed)
				all = append(all, seed)
			}
		}
		return nil
	})
	return all, err
}

// numbered reads the seed of a number, with its catalogs; false if there is none. Of a record that can't
// be read there is its standing: one must not keep all others from who follows the feed.
func (t *tables) numbered(number uint64) (seed seedlist.Seed, ok bool) {
	h, ok := t.hot(number)
	if !ok {
		return seed, false
	}
	var c seedlist.Stored
	key := appendNumber(nil, number)
	record := t.get(inCold, key)
	data, err := checkSum(inCold, key, record, t.mayLackSums)
	switch {
	case err != nil:
	case hasSum(inCold, record):
		c, err = brief(data)
	default:
		c, err = seedlist.DecodeStored(data) // nothing else says that it is sound
	}
	if err != nil {
		return seedlist.Seed{Standing: h.standing()}, true
	}
	seed = seedlist.Seed{Hash: c.Hash, URI: c.URI, Standing: h.standing(), Record: c.Record}
	if h.parent == 0 && !h.is(isClean) {
		seed.Catalogs = t.listings(number)
	}
	return seed, true
}

// NumberedAfter returns the seeds that follow a number, oldest first.
func (s *Store) NumberedAfter(ctx context.Context, after uint64, limit int) (all []seedlist.Numbered, err error) {
	err = s.view(ctx, func(t *tables) error {
		t.scan(inHot, nil, appendNumber(nil, after+1), func(key, _ []byte) bool {
			if len(all) >= min(limit, maxRows) {
				return false
			}
			if seed, ok := t.numbered(lastNumber(key)); ok {
				all = append(all, seedlist.Numbered{Number: lastNumber(key), Seed: seed})
			}
			return true
		})
		return nil
	})
	return all, err
}
