package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"go.etcd.io/bbolt"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// readGuarded is read for one seed, whose pages may be damaged.
func readGuarded(f *seedlist.Filter, s *engine.Session, t *tx, id uint64) (seed seedlist.Seed, ok bool, err error) {
	err = guarded(t.list, func() error {
		seed, ok, err = read(f, s, t, id)
		return err
	})
	var damage *seedlist.Damage
	if errors.As(err, &damage) && damage.Place == pageMet {
		ofRecord := t.damageOf(inCold, id, errors.New("is on a page that "+damage.Why))
		return seed, false, ofRecord
	}
	return seed, ok, err
}

// beyond looks for the first key behind a page of a bucket that can't be read, where a list goes
// on. It tells what is lost between. The next call lists what is after the number; 0: nothing is.
func (s *Store) beyond(ctx context.Context, f *seedlist.Filter, p *listPage, met *seedlist.Damage) (after uint64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	var behind *pageFault
	from := appendNumber(bytes.Clone(p.prefix), p.after+1)
	err = s.viewFile(func(tx *bbolt.Tx) error {
		walk := s.walkBucket(tx, p.which)
		for i := range walk.faults {
			fault := &walk.faults[i]
			if fault.high == nil || bytes.Compare(fault.high, from) > 0 {
				behind = fault
				break
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	if behind == nil {
		return 0, met // another reader may be the one to find it
	}
	if f.Damaged != nil {
		f.Damaged(behind.damage(s.name))
	}
	if !bytes.HasPrefix(behind.high, p.prefix) || len(behind.high) != len(p.prefix)+8 || lastNumber(behind.high) <= p.after+1 {
		return 0, nil
	}
	return lastNumber(behind.high) - 1, nil
}

// walkBucket walks through the pages of one bucket, as a transaction sees them.
func (s *Store) walkBucket(tx *bbolt.Tx, which int) *treeWalk {
	file := s.pagesOf(tx)
	walk := &treeWalk{pageFile: file, reached: newPageSet(file.known())}
	name := bucketNames[which]
	if root := tx.Bucket([]byte(name)).Root(); root != 0 {
		walk.subtree(uint64(root), subtreeAt{bucket: name}, func(element) {})
	}
	return walk
}

// pagesOf is the file as a transaction sees it. Which pages are free is not known to it.
func (s *Store) pagesOf(tx *bbolt.Tx) *pageFile {
	size, held := int64(tx.DB().Info().PageSize), s.fileOf(tx)
	file := &pageFile{file: held, head: head{
		pageSize: int(size), root: uint64(tx.Cursor().Bucket().Root()), freelist: noFreelist, pages: uint64(tx.Size() / size),
	}}
	if info, err := held.Stat(); err == nil {
		file.size = info.Size()
	}
	return file
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
