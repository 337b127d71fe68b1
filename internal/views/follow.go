package views

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"laundromat/seedlist"
)

// check finds out whether the file is of this list, and how far it has come. One of another
// list, or from another life of it, is made anew: its last change is not that of the list.
func (v *Views) check(ctx context.Context) error {
	asOf, after := v.stored()
	if asOf.Revision > 0 {
		changes, err := v.list.Changes(ctx, asOf.Revision-1, 1)
		var late *seedlist.LateError
		if err != nil && !errors.As(err, &late) {
			return err
		}
		if err == nil && len(changes) == 1 && changes[0].Revision == asOf.Revision && changes[0].Time.Equal(asOf.Time) {
			asOf.Seeds = 0
			if asOf.Building = after != nil; asOf.Building {
				asOf.Seeds = v.held()
			}
			v.setAsOf(asOf)
			return nil
		}
	}
	return v.restart(ctx)
}

// stored is what the file says of itself; after is nil unless it is being made.
func (v *Views) stored() (asOf AsOf, after *uint64) {
	v.db.View(func(tx *bbolt.Tx) error {
		asOf, after = openTables(tx).stored()
		return nil
	})
	return asOf, after
}

func (t tables) stored() (asOf AsOf, after *uint64) {
	if value := t[inMeta].Get(revisionKey); len(value) == 16 {
		asOf.Revision = binary.BigEndian.Uint64(value)
		if nanoseconds := int64(binary.BigEndian.Uint64(value[8:])); nanoseconds != 0 {
			asOf.Time = time.Unix(0, nanoseconds).UTC()
		}
	}
	if value := t[inMeta].Get(buildingKey); len(value) == 8 {
		n := binary.BigEndian.Uint64(value)
		after = &n
	}
	return asOf, after
}

// held is how many seeds the file holds: all have a state.
func (v *Views) held() (n int64) {
	v.db.View(func(tx *bbolt.Tx) error {
		t := openTables(tx)
		c := t[inCounts].Cursor()
		for key, value := c.Seek([]byte{byte(State)}); len(key) > 0 && key[0] == byte(State); key, value = c.Next() {
			n += readCount(value)
		}
		return nil
	})
	return n
}

// restart empties the file. The views are made from the seeds that are there, and then from
// what changed since now.
func (v *Views) restart(ctx context.Context) error {
	asOf, err := v.present(ctx)
	if err != nil {
		return err
	}
	v.ids.forget()
	err = v.db.Update(func(tx *bbolt.Tx) error {
		for which, name := range bucketNames {
			if which == inMeta {
				continue
			}
			if err := tx.DeleteBucket([]byte(name)); err != nil {
				return err
			}
			if _, err := tx.CreateBucket([]byte(name)); err != nil {
				return err
			}
		}
		c := newChange(tx, &v.ids)
		c.put(inMeta, buildingKey, binary.BigEndian.AppendUint64(nil, 0))
		c.setRevision(asOf)
		return c.end()
	})
	if err != nil {
		return err
	}
	asOf.Building = true
	v.setAsOf(asOf)
	return nil
}

// present is the last change of the list.
func (v *Views) present(ctx context.Context) (asOf AsOf, err error) {
	for {
		if asOf.Revision, err = v.list.Revision(ctx); err != nil || asOf.Revision == 0 {
			return asOf, err
		}
		changes, err := v.list.Changes(ctx, asOf.Revision-1, 1)
		var late *seedlist.LateError
		if errors.As(err, &late) {
			continue // trimmed meanwhile
		}
		if err != nil || len(changes) == 0 {
			return asOf, err
		}
		asOf.Time = changes[0].Time
		return asOf, nil
	}
}

func (c *change) setRevision(asOf AsOf) {
	nanoseconds := int64(0)
	if !asOf.Time.IsZero() {
		nanoseconds = asOf.Time.UnixNano()
	}
	value := binary.BigEndian.AppendUint64(nil, asOf.Revision)
	c.put(inMeta, revisionKey, binary.BigEndian.AppendUint64(value, uint64(nanoseconds)))
}

// follow makes the views what the list is, until ctx ends.
func (v *Views) follow(ctx context.Context) {
	defer close(v.stopped)
	for behind := false; ctx.Err() == nil; {
		var err error
		behind, err = v.advance(ctx, behind)
		var late *seedlist.LateError
		switch {
		case ctx.Err() != nil, errors.Is(err, seedlist.ErrClosed):
			return
		case errors.As(err, &late):
			err = v.restart(ctx)
		}
		if err != nil {
			v.log(err)
			v.rest(ctx, again)
		}
	}
}

// rest waits, less if someone waits for the views.
func (v *Views) rest(ctx context.Context, length time.Duration) {
	over := time.NewTimer(length)
	defer over.Stop()
	select {
	case <-over.C:
	case <-v.hurry:
	case <-ctx.Done():
	}
}

// advance takes the next step: some seeds of the list while the views are made, else the
// changes that came since. It waits for these, and gathers them for a while unless it is
// known to be behind. It answers whether it still is.
func (v *Views) advance(ctx context.Context, behind bool) (stillBehind bool, err error) {
	asOf, after := v.stored()
	if after != nil {
		return false, v.build(ctx, asOf, *after)
	}
	if err := v.list.WaitChange(ctx, asOf.Revision); err != nil {
		return false, err
	}
	if !behind {
		v.rest(ctx, pause)
	}
	changes, err := v.list.Changes(ctx, asOf.Revision, maxChanges)
	if err != nil || len(changes) == 0 {
		return false, err
	}
	last := changes[len(changes)-1]
	asOf.Revision, asOf.Time = last.Revision, last.Time
	if err := v.apply(ctx, asOf, numbersOf(changes)); err != nil {
		return false, err
	}
	v.setAsOf(asOf)
	return len(changes) == maxChanges, nil
}

// numbersOf are those of the seeds that changed, rising, each once.
func numbersOf(changes []seedlist.Change) []uint64 {
	numbers := make([]uint64, len(changes))
	for i, c := range changes {
		numbers[i] = c.Number
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// apply makes the views say of some seeds what is so now, in one transaction. What the list tells
// may be newer than asOf: then the rest of it is told again.
func (v *Views) apply(ctx context.Context, asOf AsOf, numbers []uint64) error {
	err := v.db.Update(func(tx *bbolt.Tx) error {
		c := newChange(tx, &v.ids)
		for some := range slices.Chunk(numbers, maxRead) {
			here, err := v.list.Numbered(ctx, some...)
			if err != nil {
				return err
			}
			for _, number := range some {
				if len(here) > 0 && here[0].Number == number {
					c.set(number, &here[0].Seed)
					here = here[1:]
				} else {
					c.set(number, nil)
				}
			}
		}
		c.setRevision(asOf)
		return c.end()
	})
	if err != nil {
		v.ids.forget()
	}
	return err
}

// build takes the next seeds of the list. At the end the views follow what has changed since
// they were begun.
func (v *Views) build(ctx context.Context, asOf AsOf, after uint64) error {
	asOf.Building, asOf.Seeds = true, v.AsOf().Seeds
	err := v.db.Update(func(tx *bbolt.Tx) error {
		c := newChange(tx, &v.ids)
		for taken := 0; taken < maxBuilt; {
			some, err := v.list.NumberedAfter(ctx, after, maxRead)
			if err != nil {
				return err
			}
			if asOf.Building = len(some) > 0; !asOf.Building {
				break
			}
			for i := range some {
				c.set(some[i].Number, &some[i].Seed)
			}
			taken, after = taken+len(some), some[len(some)-1].Number
			asOf.Seeds += int64(len(some))
		}
		if asOf.Building {
			c.put(inMeta, buildingKey, binary.BigEndian.AppendUint64(nil, after))
		} else {
			c.delete(inMeta, buildingKey)
		}
		return c.end()
	})
	if err != nil {
		v.ids.forget()
		return err
	}
	if !asOf.Building {
		asOf.Seeds = 0
	}
	v.setAsOf(asOf)
	return nil
}
