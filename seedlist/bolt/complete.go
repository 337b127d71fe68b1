package bolt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"laundromat/seedlist"
)

// Complete writes the outcome of a claim in one transaction. That is the new state, the
// record, the children or the clean seed, the attempt, and the counts. It is durable when
// Complete returns nil. The error [seedlist.ErrLost] means that the claim was no longer
// held and that nothing was written. The error [seedlist.ErrCollision] means that the clean
// file's hash is taken by other bytes. Nothing was written then either, and the claim is
// still held.
func (s *Store) Complete(ctx context.Context, c seedlist.Claim, o seedlist.Outcome) error {
	return s.CompleteAll(ctx, c, []seedlist.Outcome{o})
}

// complete writes the outcomes of a claim and of the stages that follow it.
func (b *batch) complete(c *seedlist.Claim, steps []seedlist.Step, p *preparation, children, named []newRecord) error {
	was, err := b.held(c, p)
	if err != nil {
		return err
	}
	last := &steps[len(steps)-1]
	o, end := last.Outcome, last.End
	clean, err := b.findClean(o.Clean)
	if err != nil {
		return err
	}
	is := was
	is.revision++
	is.fence = last.Claim.Fence
	is.tries = 0
	is.due, is.stage = 0, ""
	if !end.IsReady() {
		is.crashes = 0
	}
	switch {
	case o.Unchanged:
		is.stage = was.stage
		b.deltas[countUnchanged]++
	case end == seedlist.Failed:
		is.tries, is.stage = 1, last.Claim.Stage
		if len(steps) == 1 {
			is.tries = addTries(was.tries, 1)
		}
		if o.Again > 0 && was.crashes > 1 {
			is.crashes = was.crashes - 1 // one more death blames it again
		}
	}
	is.state = end
	switch {
	case end.IsReady():
		is.makeReady(end, b.now.UnixNano(), b.now.UnixNano())
	case is.is(isFetchable), end == seedlist.Failed && o.Again > 0:
		is.due = nanoseconds(o.DueAgain(b.now, p.record.Interval, int(was.failures)))
	}
	switch {
	case end == seedlist.Failed && o.Again > 0:
		is.failures = uint8(min(int(was.failures)+1, math.MaxUint8))
	case end.IsEnd():
		is.failures = 0
	}
	if end.IsEnd() {
		is.last = end
	}
	if end == seedlist.Parsed && !o.Unchanged {
		b.feed.washed.Count(&p.record.Record)
	}
	is.set(isServed, p.record.ServedClean() != "")
	b.putCold(c.Number, p.data, p.change)
	b.save(c.Number, &was, &is)
	for _, step := range steps {
		b.log(c.Number, step.Attempt)
	}
	b.endLease(c.Number, steps[0].Outcome.Load)
	for _, n := range named {
		if b.number(n.hash) == 0 {
			b.create(n)
		}
	}
	b.link(c.Number, &p.record, p.cleans, o.Clean, clean)
	b.list(c.Number, p.alike, alike(&p.record.Record))
	switch {
	case end == seedlist.Depleted && !o.Unchanged:
		b.deplete(c.Number, &is, children, o.Filed.Numbers())
	case slices.ContainsFunc(steps, func(s seedlist.Step) bool { return s.End == seedlist.Unarchived }):
		b.deplete(c.Number, &is, nil, nil) // no archive any more, if it was one
	}
	return nil
}

// newNamed makes records of documents that data names; what is no URI is skipped.
func (s *Store) newNamed(seeds []seedlist.NewSeed, now time.Time) (records []newRecord) {
	for _, seed := range seeds {
		u, err := seedlist.ParseURI(seed.URI)
		if err != nil || u.Relative {
			continue
		}
		u, _ = u.Document() // nobody asked for a thing in it
		if record, err := s.newSeed(u, seed, now); err == nil {
			records = append(records, record)
		}
	}
	return records
}

// preparation is a changed cold record, ready to be stored if the stored one is
// still of the revision it was made from.
type preparation struct {
	revision uint32
	record   seedlist.Stored
	data     []byte
	change   map[string]int64 // of the counts
	cleans   []string         // the clean seeds that it named before
	alike    []byte           // where it was in inAlike; nil: nowhere
}

// prepare reads, changes and encodes a record outside of the transaction that
// will write it: there, every caller waits for it.
func (s *Store) prepare(ctx context.Context, c *seedlist.Claim, change func(*seedlist.Record)) (p *preparation, err error) {
	err = s.view(ctx, func(t *tables) error {
		h, ok := t.hot(c.Number)
		if !ok || h.fence != c.Fence || h.state != c.Stage {
			return seedlist.ErrLost
		}
		p = &preparation{revision: h.revision}
		p.data, err = t.coldData(c.Number)
		return err
	})
	if err != nil {
		return nil, err
	}
	return p, p.apply(change)
}

// coldData is a copy of the JSON of a larger record.
func (t *tables) coldData(id uint64) ([]byte, error) {
	said, err := t.record(inCold, appendNumber(nil, id))
	if err != nil {
		return nil, t.damageOf(id, "record", err)
	}
	return bytes.Clone(said), nil
}

// apply decodes p.data, changes it, and encodes it again.
func (p *preparation) apply(change func(*seedlist.Record)) error {
	p.record = seedlist.Stored{}
	if err := json.Unmarshal(p.data, &p.record); err != nil {
		return fmt.Errorf("read the record: %w", err)
	}
	p.cleans, p.alike = p.record.Cleans(), alike(&p.record.Record)
	p.change = make(map[string]int64)
	tally(&p.record, p.change, -1)
	change(&p.record.Record)
	data, err := p.record.Encode()
	if err != nil {
		return fmt.Errorf("write the record: %w", err)
	}
	p.data = data
	tally(&p.record, p.change, +1)
	return nil
}

// errRevised says that a record was changed between its preparation and its batch.
var errRevised = errors.New("the record was changed meanwhile")

// Holds says whether a claim still holds its seed. It may be over the moment after.
func (s *Store) Holds(ctx context.Context, c seedlist.Claim) (holds bool, err error) {
	err = s.view(ctx, func(t *tables) error {
		h, ok := t.hot(c.Number)
		holds = ok && h.fence == c.Fence && h.state == c.Stage
		return nil
	})
	return holds, err
}

// held checks that a claim still holds its seed, and that its record, if one was
// prepared, is the one that is stored.
func (b *batch) held(c *seedlist.Claim, p *preparation) (hot, error) {
	h, ok := b.hot(c.Number)
	switch {
	case !ok || h.fence != c.Fence || h.state != c.Stage:
		return hot{}, seedlist.ErrLost
	case p != nil && p.revision != h.revision:
		return hot{}, errRevised
	}
	return h, nil
}
