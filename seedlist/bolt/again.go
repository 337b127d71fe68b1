package bolt

import (
	"context"
	"slices"

	"laundromat/seedlist"
)

// WashAgain lets seeds that rest be worked on again, whatever is known of them, a thousand a
// transaction, and answers for each.
func (s *Store) WashAgain(ctx context.Context, again seedlist.Again, hashes ...string) ([]seedlist.AgainAnswer, error) {
	if err := again.Check(); err != nil {
		return nil, err
	}
	answers := make([]seedlist.AgainAnswer, 0, len(hashes))
	for chunk := range slices.Chunk(hashes, maxBatch) {
		part := make([]seedlist.AgainAnswer, len(chunk))
		var err error
		if again.DryRun {
			err = s.view(ctx, func(t *tables) error {
				for i, hash := range chunk {
					m, err := t.planAgain(t.number(hash), &again)
					part[i] = t.answer(&m, err)
				}
				return nil
			})
		} else {
			err = s.do(ctx, func(b *batch) error {
				for i, hash := range chunk {
					part[i] = b.again(b.number(hash), &again)
				}
				return nil
			})
		}
		if err != nil {
			return answers, err
		}
		answers = append(answers, part...)
	}
	return answers, nil
}

// again decides for the seed of a number, and does it.
func (b *batch) again(id uint64, again *seedlist.Again) seedlist.AgainAnswer {
	if id != 0 {
		if err := b.holds(id, again.If); err != nil {
			return seedlist.AgainAnswer{Err: err}
		}
	}
	m, err := b.planAgain(id, again)
	if err == nil {
		err = b.washAgain(&m, again)
	}
	if h, ok := b.hot(m.root); ok && err == nil && m.to == seedlist.Added {
		b.done = append(b.done, func() { b.store.hosts.askAtOnce(h.host, b.now) })
	}
	return b.answer(&m, err)
}

// answer is that for a seed for which a move was decided, or why none was.
func (t *tables) answer(m *moveAgain, err error) (a seedlist.AgainAnswer) {
	if a.Err = err; err != nil {
		return a
	}
	c, err := t.cold(m.root)
	a.Root, a.To, a.Err = c.Hash, m.to, err
	return a
}

// moveAgain is what a request comes to for one seed.
type moveAgain struct {
	root   uint64         // what moves
	to     seedlist.State // where to
	marked []uint64       // the child that was named and the archives up to the root, without that
}

// planAgain decides what a request comes to for the seed of a number, and writes nothing.
func (t *tables) planAgain(id uint64, again *seedlist.Again) (m moveAgain, err error) {
	h, ok := t.hot(id)
	if ok && h.is(isFragment) {
		id = t.documentOf(id, &h)
		h, ok = t.hot(id)
	}
	m.root, m.to = id, again.To
	switch {
	case !ok:
		return m, seedlist.ErrNotFound
	case again.Asked == seedlist.Retry:
		m.to, err = t.planRetry(&h, again.To)
		return m, err
	case h.is(isClean):
		return m, seedlist.ErrClean
	case h.is(isRelative):
		return m, seedlist.ErrNoURI
	}
	for h.parent != 0 {
		switch {
		case h.is(isGone):
			return m, seedlist.ErrGone
		case !h.state.IsEnd() || !h.atRest():
			return m, seedlist.ErrNotAtRest
		}
		m.marked = append(m.marked, m.root)
		m.root = h.parent
		if h, ok = t.hot(m.root); !ok {
			return m, seedlist.ErrNotFound
		}
	}
	return m, t.beginsAgain(m.root, &h, again.To)
}

// beginsAgain says why what has no archive above it can't begin again in a state; nil if it can.
func (t *tables) beginsAgain(id uint64, h *hot, to seedlist.State) error {
	by := seedlist.ByRewash
	if to == seedlist.Added {
		by = seedlist.ByInterval
	}
	switch {
	case h.state == to: // it waits for that already
	case !h.state.IsEnd() || !h.atRest() || !by.Allows(h.state, to):
		return seedlist.ErrNotAtRest
	}
	if to == seedlist.Added && !h.is(isFetchable) {
		return seedlist.ErrNoURI
	}
	if to == seedlist.Filed {
		if c, err := t.cold(id); err != nil || c.Content == nil {
			return seedlist.ErrNoBytes
		}
	}
	return nil
}

// washAgain does what was decided. What can go wrong does so before the first write.
func (b *batch) washAgain(m *moveAgain, again *seedlist.Again) error {
	if again.Asked == seedlist.Retry {
		was, _ := b.hot(m.root)
		is := was
		is.restart(m.to, b.now.UnixNano(), b.now.UnixNano())
		b.save(m.root, &was, &is)
		return nil
	}
	changes := make([]recordChange, 0, len(m.marked)+1)
	for i, id := range m.marked {
		changed, err := b.changeRecord(id, func(r *seedlist.Record) { r.MarkAgain(again.Asked, again.Entries && i == 0) })
		if err != nil {
			return err
		}
		changes = append(changes, changed)
	}
	root, err := b.changeRecord(m.root, func(r *seedlist.Record) {
		r.MarkAgain(again.Asked, again.Entries && len(m.marked) == 0)
		if m.to == seedlist.Filed {
			r.ReadAgain()
		}
	})
	if err != nil {
		return err
	}
	root.move = func(h *hot) { h.restart(m.to, b.now.UnixNano(), b.now.UnixNano()) }
	for _, changed := range append(changes, root) {
		b.putRecord(&changed)
	}
	return nil
}

// recordChange is a changed cold record that is not written yet.
type recordChange struct {
	id uint64
	preparation
	move func(*hot) // what changes of the hot record, too; nil: nothing
}

// changeRecord changes the cold record of a seed that nobody works on.
func (b *batch) changeRecord(id uint64, change func(*seedlist.Record)) (recordChange, error) {
	changed := recordChange{id: id}
	data, err := b.record(inCold, appendNumber(nil, id))
	if err != nil {
		return changed, err
	}
	changed.data = slices.Clone(data)
	return changed, changed.apply(change)
}

// putRecord writes a changed cold record, and what follows from it.
func (b *batch) putRecord(changed *recordChange) {
	was, ok := b.hot(changed.id)
	if !ok {
		return
	}
	is := was
	is.revision++
	if changed.move != nil {
		changed.move(&is)
	}
	is.set(isServed, changed.record.ServedClean() != "")
	b.putCold(changed.id, changed.data, changed.change)
	b.save(changed.id, &was, &is)
	b.unlinkOld(changed.id, changed.cleans, &changed.record)
	b.list(changed.id, changed.alike, alike(&changed.record.Record))
}
