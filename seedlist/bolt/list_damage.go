package bolt

import (
	"bytes"
	"errors"
	"fmt"
	"sync/atomic"

	"laundromat/seedlist"
)

// guarded is guarded where nothing is written: damage that a write meets ends all writing.
func (t *tx) guarded(work func() error) error {
	if t.batch != nil {
		return work()
	}
	return guarded(t.list, work)
}

// onPage is what is wrong with a record, or else a part of one, that is on a damaged page; nil for any other error.
func onPage(err error) error {
	var damage *seedlist.Damage
	if errors.As(err, &damage) {
		return errors.New("is on a page that " + damage.Why)
	}
	return nil
}

// nothingBehind is the last number of seeds that can't be reached where none follow them.
const nothingBehind = 1 << 62

// beyond looks for the first key behind a page of a bucket that can't be read, where a list goes on. It returns the
// last number before it, and what is lost till then.
func (t *tx) beyond(which int, prefix []byte, after uint64, met *seedlist.Damage) (last uint64, lost *seedlist.Damage, err error) {
	from := appendNumber(bytes.Clone(prefix), after+1)
	for _, fault := range t.walkBucket(which).faults {
		if fault.high != nil && bytes.Compare(fault.high, from) <= 0 {
			continue
		}
		lost = fault.damage(t.list)
		if !bytes.HasPrefix(fault.high, prefix) || len(fault.high) != len(prefix)+8 || lastNumber(fault.high) <= after+1 {
			return nothingBehind, lost, nil
		}
		return lastNumber(fault.high) - 1, lost, nil
	}
	return 0, nil, met // another reader may be the one to find it
}

// walkBucket walks through the pages of one bucket, as a transaction sees them. Which pages are free is not known to
// it.
func (t *tx) walkBucket(which int) *treeWalk {
	size, held := int64(t.tx.DB().Info().PageSize), t.store.fileOf(t.tx)
	file := &pageFile{file: held, head: head{
		pageSize: int(size), root: uint64(t.tx.Cursor().Bucket().Root()), freelist: noFreelist, pages: uint64(t.tx.Size() / size),
	}}
	if info, err := held.Stat(); err == nil {
		file.size = info.Size()
	}
	walk := &treeWalk{pageFile: file, reached: newPageSet(file.known())}
	name := bucketNames[which]
	if root := t.bucket(which).Root(); root != 0 {
		walk.subtree(uint64(root), subtreeAt{bucket: name}, func(element) {})
	}
	return walk
}

// mostSought is the number of damaged records whose keys are looked for, since each reads all keys.
const mostSought = 100

// seeker looks for the keys of damaged records.
type seeker struct{ sought atomic.Int32 }

// hashOf looks for the key of a seed whose record can't be read; "" if it is not found. It reads
// the larger record, and then all keys: it is called for damage alone.
func (t *tables) hashOf(id uint64) (hash string) {
	key := appendNumber(nil, id)
	_ = guarded(t.list, func() error {
		if c, err := readStored(key, t.get(inCold, key)); err == nil {
			hash = c.Hash
		}
		return nil
	})
	if hash != "" || t.seeker.sought.Add(1) > mostSought {
		return hash
	}
	_ = guarded(t.list, func() error {
		t.scan(inSeeds, nil, nil, func(raw, value []byte) bool {
			if string(value) == string(key) {
				hash = fmt.Sprintf("%x", raw)
			}
			return hash == ""
		})
		return nil
	})
	return hash
}

// met tells of damage that was found, each place once.
func (s *Store) met(d *seedlist.Damage) {
	s.damages.mu.Lock()
	isNew := !s.damages.told[d.Place]
	if s.damages.told == nil {
		s.damages.told = map[string]bool{}
	}
	s.damages.told[d.Place] = true
	s.damages.mu.Unlock()
	if isNew && s.options.Damaged != nil {
		s.options.Damaged(d)
	}
}

// metError is met for an error that is damage; others it leaves alone.
func (s *Store) metError(err error) {
	var damage *seedlist.Damage
	if errors.As(err, &damage) {
		s.met(damage)
	}
}
