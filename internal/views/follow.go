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
		t := openTables(tx)
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
		return nil
	})
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
		c := newChange(tx)
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
	for ctx.Err() == nil {
		more, err := v.advance(ctx)
		rest := pause
		if more {
			rest = 0
		}
		var late *seedlist.LateError
		switch {
		case ctx.Err() != nil, errors.Is(err, seedlist.ErrClosed):
			return
		case errors.As(err, &late):
			rest, err = 0, v.restart(ctx)
		}
		if err != nil {
			v.log(err)
			rest = again
		}
		if rest == 0 {
			continue
		}
		select {
		case <-time.After(rest):
		case <-v.hurry:
		case <-ctx.Done():
		}
	}
}

// advance takes the next step: some seeds of the list while the views are made, else the
// changes that came since, for which it waits. It answers whether there is more to do at once.
func (v *Views) advance(ctx context.Context) (more bool, err error) {
	asOf, after := v.stored()
	if after != nil {
		return true, v.build(ctx, asOf, *after)
	}
	if err := v.list.WaitChange(ctx, asOf.Revision); err != nil {
		return false, err
	}
	changes, err := v.list.Changes(ctx, asOf.Revision, maxChanges)
	if err != nil || len(changes) == 0 {
		return false, err
	}
	numbers := make([]uint64, len(changes))
	for i, c := range changes {
		numbers[i] = c.Number
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	here, err := v.list.Numbered(ctx, numbers...)
	if err != nil {
		return false, err
	}
	last := changes[len(changes)-1]
	asOf.Revision, asOf.Time = last.Revision, last.Time
	err = v.db.Update(func(tx *bbolt.Tx) error {
		c := newChange(tx)
		rest := here
		for _, number := range numbers {
			if len(rest) > 0 && rest[0].Number == number {
				c.set(number, &rest[0].Seed)
				rest = rest[1:]
			} else {
				c.set(number, nil)
			}
		}
		c.setRevision(asOf)
		return c.end()
	})
	if err == nil {
		v.setAsOf(asOf)
	}
	return len(changes) == maxChanges, err
}

// build takes the next seeds of the list. At the end the views follow what has changed since
// they were begun.
func (v *Views) build(ctx context.Context, asOf AsOf, after uint64) error {
	var seeds []seedlist.Numbered
	for len(seeds) < maxBuilt {
		from := after
		if len(seeds) > 0 {
			from = seeds[len(seeds)-1].Number
		}
		some, err := v.list.NumberedAfter(ctx, from, maxBuilt-len(seeds))
		if err != nil {
			return err
		}
		if len(some) == 0 {
			break
		}
		seeds = append(seeds, some...)
	}
	asOf.Building, asOf.Seeds = len(seeds) == maxBuilt, v.AsOf().Seeds+int64(len(seeds))
	err := v.db.Update(func(tx *bbolt.Tx) error {
		c := newChange(tx)
		for i := range seeds {
			c.set(seeds[i].Number, &seeds[i].Seed)
		}
		if asOf.Building {
			c.put(inMeta, buildingKey, binary.BigEndian.AppendUint64(nil, seeds[len(seeds)-1].Number))
		} else {
			c.delete(inMeta, buildingKey)
		}
		return c.end()
	})
	if err == nil {
		if !asOf.Building {
			asOf.Seeds = 0
		}
		v.setAsOf(asOf)
	}
	return err
}
