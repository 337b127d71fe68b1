package views

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"laundromat/internal/ordered"
	"laundromat/seedlist"
)

// check finds out whether the tables are of this list, and how far they have come. Those of another
// list, or from another life of it, are made anew: their last change is not that of the list.
func (v *Views) check(ctx context.Context) error {
	known, err := v.stored(ctx)
	if err != nil {
		return err
	}
	if known.asOf.Revision > 0 && known.layout == layout {
		last, ok, err := seedlist.ChangeOf(ctx, v.list, known.asOf.Revision)
		if err != nil {
			return err
		}
		if ok && last.Time.Equal(known.asOf.Time) {
			return v.told(ctx, known)
		}
	}
	return v.restart(ctx, known)
}

// standing is what the tables say of themselves.
type standing struct {
	layout string
	stamp  uint64
	asOf   AsOf   // without Seeds
	after  uint64 // the last seed that they hold, while they are being made
	// members are archives whose members are to be read again, as the tables have them; "" for none.
	members string
}

func (v *Views) stored(ctx context.Context) (is standing, err error) {
	err = v.tables.View(ctx, func(tx ordered.Tx) error {
		t := tablesOf(tx)
		is = t.stored()
		return nil
	})
	return is, err
}

func (t *tables) stored() (is standing) {
	t[inMeta].Prefetch(layoutKey, revisionKey, buildingKey, stampKey, membersKey)
	is.layout, is.stamp = string(t[inMeta].Get(layoutKey)), t.number64(stampKey)
	if value := t[inMeta].Get(revisionKey); len(value) == 16 {
		is.asOf.Revision = binary.BigEndian.Uint64(value)
		if nanoseconds := int64(binary.BigEndian.Uint64(value[8:])); nanoseconds != 0 {
			is.asOf.Time = time.Unix(0, nanoseconds).UTC()
		}
	}
	is.asOf.Building = t[inMeta].Get(buildingKey) != nil
	is.after = t.number64(buildingKey)
	is.members = string(t[inMeta].Get(membersKey))
	return is
}

// told takes over how far the tables have come.
func (v *Views) told(ctx context.Context, is standing) error {
	if is.asOf.Building {
		held, err := v.held(ctx)
		if err != nil {
			return err
		}
		is.asOf.Seeds = held
	}
	v.setAsOf(is.asOf)
	return nil
}

// held is how many seeds the tables hold: all have a state.
func (v *Views) held(ctx context.Context) (n int64, err error) {
	err = v.tables.View(ctx, func(tx ordered.Tx) error {
		n = 0
		t := tablesOf(tx)
		next := t[inCounts].Walk([]byte{byte(State)})
		for key, value := next(); key != nil; key, value = next() {
			n += readCount(value)
		}
		return nil
	})
	return n, err
}

// restart empties the tables, unless another process has changed them since they stood as is known. The views
// are made from the seeds that are there, and then from what changed since now.
func (v *Views) restart(ctx context.Context, known standing) error {
	asOf, err := v.present(ctx)
	if err != nil {
		return err
	}
	begun := false
	err = v.tables.Update(ctx, func(tx ordered.Tx) error {
		t := tablesOf(tx)
		if begun = t.stored() == known; !begun {
			return nil
		}
		for which := range tableCount {
			if which != inMeta {
				tx.Clear(ordered.Table(which))
			}
		}
		t[inMeta].Put(layoutKey, []byte(layout))
		t.setNumber64(epochKey, t.number64(epochKey)+1)
		t.setNumber64(buildingKey, 0)
		t[inMeta].Delete(membersKey)
		t[inMeta].Delete(knownKey)
		c := v.newChange(tx)
		c.setRevision(asOf)
		return c.end()
	})
	if err != nil || !begun {
		return err
	}
	asOf.Building = true
	v.setAsOf(asOf)
	return nil
}

// present is the last change of the list.
func (v *Views) present(ctx context.Context) (AsOf, error) {
	last, err := seedlist.LastChange(ctx, v.list)
	return AsOf{Revision: last.Revision, Time: last.Time}, err
}

func (c *change) setRevision(asOf AsOf) {
	nanoseconds := int64(0)
	if !asOf.Time.IsZero() {
		nanoseconds = asOf.Time.UnixNano()
	}
	value := binary.BigEndian.AppendUint64(nil, asOf.Revision)
	c.tables[inMeta].Put(revisionKey, binary.BigEndian.AppendUint64(value, uint64(nanoseconds)))
}

// follow makes the views what the list is, until ctx ends.
func (v *Views) follow(ctx context.Context) {
	defer close(v.stopped)
	for behind := false; ctx.Err() == nil; {
		var err error
		behind, err = v.advance(ctx, behind)
		switch {
		case ctx.Err() != nil, errors.Is(err, seedlist.ErrClosed):
			return
		case errors.Is(err, ordered.ErrBusy):
			v.rest(ctx, busy)
		case err != nil:
			v.log(err)
			v.rest(ctx, again)
		}
	}
}

// watch tells how far the views have come, which others bring up to date, until ctx ends.
func (v *Views) watch(ctx context.Context) {
	defer close(v.stopped)
	for said := false; ctx.Err() == nil; {
		known, err := v.stored(ctx)
		if err == nil {
			known.asOf.Building = known.asOf.Building || known.layout != layout
			err = v.told(ctx, known)
		}
		if err != nil && ctx.Err() == nil && !said {
			v.log(err)
		}
		said = err != nil
		v.rest(ctx, pause)
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
	known, err := v.stored(ctx)
	if err != nil {
		return false, err
	}
	if known.asOf.Building || known.layout != layout {
		return false, v.build(ctx, known)
	}
	v.setAsOf(known.asOf) // another process may have brought them up to date
	if known.members != "" {
		return true, v.readMembers(ctx, known)
	}
	if err := v.retryUnread(ctx, known); err != nil {
		return false, err
	}
	if err := v.waitChange(ctx, known.asOf.Revision); err != nil {
		return false, err
	}
	if !behind {
		v.rest(ctx, pause)
	}
	changes, err := v.list.Changes(ctx, known.asOf.Revision, maxChanges)
	var late *seedlist.LateError
	switch {
	case errors.As(err, &late):
		return false, v.restart(ctx, known)
	case err != nil || len(changes) == 0:
		return false, err
	}
	last := changes[len(changes)-1]
	asOf := AsOf{Revision: last.Revision, Time: last.Time}
	done, err := v.apply(ctx, known, asOf, changes, seedlist.ChangedSeeds(changes))
	if err != nil || !done {
		return false, err
	}
	v.setAsOf(asOf)
	return len(changes) == maxChanges, nil
}

// waitChange waits for a change after a revision; no longer than until files that could not be read are read again.
func (v *Views) waitChange(ctx context.Context, revision uint64) error {
	if v.terms == nil {
		return v.list.WaitChange(ctx, revision)
	}
	waiting, cancel := context.WithTimeout(ctx, retryPause)
	defer cancel()
	err := v.list.WaitChange(waiting, revision)
	if err != nil && waiting.Err() != nil && ctx.Err() == nil {
		return nil
	}
	return err
}

// apply makes the views say of some seeds what is so now, in one transaction; changes are those that were told of
// them. What the list tells
// may be newer than asOf: then the rest of it is told again. Nothing is done if another process was faster, and the
// views have not come to asOf while members of these seeds are to be read again.
func (v *Views) apply(ctx context.Context, known standing, asOf AsOf, changes []seedlist.Change, numbers []uint64) (done bool, err error) {
	err = v.tables.Update(ctx, func(tx ordered.Tx) error {
		t := tablesOf(tx)
		if done = t.stored() == known; !done {
			return nil
		}
		c := v.newChange(tx)
		c.told = changes
		if err := v.setAll(ctx, c, numbers); err != nil {
			return err
		}
		if done = !c.isPassingOn(); done {
			c.setRevision(asOf)
		}
		return c.end()
	})
	if err != nil {
		v.ids.forget()
	}
	return done, err
}

// setAll reads seeds and makes the views say of them what is so now.
func (v *Views) setAll(ctx context.Context, c *change, numbers []uint64) error {
	for some := range slices.Chunk(numbers, maxRead) {
		here, err := v.list.Numbered(ctx, some...)
		if err != nil {
			return err
		}
		v.setSome(ctx, c, some, here)
	}
	return nil
}

// setSome makes the views say of seeds, of which some are there, what is so now.
func (v *Views) setSome(ctx context.Context, c *change, numbers []uint64, here []seedlist.Numbered) {
	c.prefetchSeeds(numbers)
	for {
		n := c.load(ctx, here)
		c.prefetch(here[:n])
		for len(numbers) > 0 && (n > 0 || len(here) == 0) {
			if len(here) > 0 && here[0].Number == numbers[0] {
				c.set(numbers[0], &here[0].Seed)
				here, n = here[1:], n-1
			} else {
				c.set(numbers[0], nil)
			}
			numbers = numbers[1:]
		}
		if len(numbers) == 0 {
			return
		}
	}
}

// build takes the next seeds of the list. At the end the views follow what has changed since
// they were begun.
func (v *Views) build(ctx context.Context, known standing) error {
	if known.layout != layout {
		return v.restart(ctx, known)
	}
	asOf, after, done := known.asOf, known.after, false
	if asOf.Seeds = v.AsOf().Seeds; asOf.Seeds == 0 && after > 0 || v.tables.Shared() {
		held, err := v.held(ctx)
		if err != nil {
			return err
		}
		asOf.Seeds = held
	}
	err := v.tables.Update(ctx, func(tx ordered.Tx) error {
		t := tablesOf(tx)
		if done = t.stored() == known; !done {
			return nil
		}
		c := v.newChange(tx)
		for taken := 0; taken < maxBuilt; {
			some, err := v.list.NumberedAfter(ctx, after, maxRead)
			if err != nil {
				return err
			}
			if asOf.Building = len(some) > 0; !asOf.Building {
				break
			}
			numbers := make([]uint64, len(some))
			for i := range some {
				numbers[i] = some[i].Number
			}
			v.setSome(ctx, c, numbers, some)
			taken, after = taken+len(some), numbers[len(some)-1]
			asOf.Seeds += int64(len(some))
		}
		if asOf.Building {
			c.setNumber64(buildingKey, after)
		} else {
			c.tables[inMeta].Delete(buildingKey)
			c.setNumber64(knownKey, uint64(c.now.Unix()))
		}
		return c.end()
	})
	if err != nil || !done {
		v.ids.forget()
		return err
	}
	if !asOf.Building {
		asOf.Seeds = 0
	}
	v.setAsOf(asOf)
	return nil
}
