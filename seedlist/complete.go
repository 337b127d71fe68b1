package seedlist

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"laundromat/internal/content"
)

// Outcome is what the work on a claim came to.
type Outcome struct {
	// Next is the state that follows, as the table allows.
	Next State
	// Unchanged, in place of Next, leads from downloading back to the seed's last
	// final state, with all that is known from it.
	Unchanged bool
	// Update changes the record. It may be called more than once, each time with the
	// record as it is, on the caller's goroutine, and must do nothing else. Not all is its to change: Parent and
	// Archive of a child, Added, and what the store keeps elsewhere stay.
	Update func(*Record)
	// Children are the entries of the archive, all of them but those in Filed; only with Depleted.
	Children []Child
	// Filed are the numbers of those that [Store.FileChildren] has filed for this claim.
	Filed []uint64
	// Clean is the file that was written; only with Parsed. The record's Clean is set
	// to it.
	Clean *Clean
	// Named are documents that the data, or a page in its place, names; those that are no
	// seeds become some. Only with Parsed, and from guessing.
	Named []NewSeed
	// Attempt is the log's entry. What is left out of it, the store fills in.
	Attempt Attempt
	// Load is what the host showed; only from downloading.
	Load Load
}

// Clean is a clean file: the content is that of the N-Quads before compression,
// and its MD5 is the clean seed's hash.
type Clean struct {
	Content content.Content
}

// Complete writes the outcome of a claim in one transaction: the new state, the
// record, the children or the clean seed, the attempt, and the counts. It is
// durable when Complete returns nil. [ErrLost] means that the claim was no longer
// held and that nothing was written; [ErrCollision], that the clean file's hash is
// taken by other bytes: nothing was written, and the claim is still held.
func (s *Store) Complete(ctx context.Context, c Claim, o Outcome) error {
	return s.CompleteAll(ctx, c, []Outcome{o})
}

// change is what an outcome whose state is end does to a record.
func (o *Outcome) change(c *Claim, end State, now time.Time, store *Store) func(*Record) {
	return func(r *Record) {
		was := *r
		o.record(r, end, now)
		o.remember(c, &was, r, now, store)
	}
}

// complete writes the outcomes of a claim and of the stages that follow it.
func (b *batch) complete(c *Claim, steps []step, p *preparation, children, named []newRecord) error {
	was, err := b.held(c, p)
	if err != nil {
		return err
	}
	last := &steps[len(steps)-1]
	o, end := last.outcome, last.end
	clean, err := b.findClean(o.Clean)
	if err != nil {
		return err
	}
	is := was
	is.revision++
	is.fence = last.claim.Fence
	is.tries, is.crashes = 0, 0
	is.due, is.stage = 0, ""
	switch {
	case o.Unchanged:
		is.stage = was.stage
		b.deltas[countUnchanged]++
	case end == Failed:
		is.tries, is.stage = 1, last.claim.Stage
		if len(steps) == 1 {
			is.tries = addTries(was.tries, 1)
		}
	}
	is.state = end
	switch {
	case end.IsReady():
		is.makeReady(end, b.now.UnixNano(), b.now.UnixNano())
	case is.is(isFetchable):
		is.due = after(b.now, p.record.Interval)
	}
	if end.isEnd() {
		is.last = end
	}
	b.putCold(c.id, p.data, p.change)
	b.save(c.id, &was, &is)
	for _, step := range steps {
		b.log(c.id, step.attempt)
	}
	b.endLease(c.id, steps[0].outcome.Load)
	for _, n := range named {
		if b.number(n.hash) == 0 {
			b.create(n)
		}
	}
	b.link(c.id, &p.record, p.cleans, o.Clean, clean)
	b.list(c.id, p.alike, p.record.alike())
	switch {
	case end == Depleted && !o.Unchanged:
		b.deplete(c.id, &is, children, o.Filed)
	case slices.ContainsFunc(steps, func(s step) bool { return s.end == Unarchived }):
		b.deplete(c.id, &is, nil, nil) // no archive any more, if it was one
	}
	return nil
}

// newNamed makes records of documents that data names; what is no URI is passed over.
func (s *Store) newNamed(seeds []NewSeed, now time.Time) (records []newRecord) {
	for _, seed := range seeds {
		u, err := ParseURI(seed.URI)
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

func (o *Outcome) result() string {
	if o.Unchanged {
		return "unchanged"
	}
	return string(o.Next)
}

// check finds mistakes of the caller.
func (o *Outcome) check(c *Claim) error {
	switch {
	case o.Unchanged && (o.Next != "" || c.Last == "" || !byNoChange.allows(c.Stage, c.Last)):
		return fmt.Errorf("complete: %s → unchanged (last %q) is no move", c.Stage, c.Last)
	case !o.Unchanged && !byOutcome.allows(c.Stage, o.Next):
		return fmt.Errorf("complete: %s → %s is no move", c.Stage, o.Next)
	case len(o.Children)+len(o.Filed) > 0 && o.Next != Depleted:
		return fmt.Errorf("complete: children, but %s", o.Next)
	case len(o.Named) > 0 && o.Next != Parsed && c.Stage != Guessing:
		return fmt.Errorf("complete: documents named, but %s", o.Next)
	case o.Clean != nil && o.Next != Parsed:
		return fmt.Errorf("complete: a clean file, but %s", o.Next)
	}
	return nil
}

// record makes the changes of an outcome to a record.
func (o *Outcome) record(r *Record, end State, now time.Time) {
	kept := *r
	if !o.Unchanged || end != Failed {
		r.Error = nil // that of a try before, if nothing changed
	}
	if end == Depleted && !o.Unchanged {
		r.Clean, r.Previous, r.Changes = "", "", nil
	}
	if o.Update != nil {
		o.Update(r)
	}
	r.Parent, r.Added = kept.Parent, kept.Added
	if kept.Parent != "" {
		r.Archive = kept.Archive.withFilters(r.Archive)
	}
	if o.Clean != nil {
		r.Clean = o.Clean.Content.MD5
	} else if r.Clean != "" {
		r.Clean = kept.Clean
	}
	if end == table[0].next[0] && r.Retrieved.Equal(kept.Retrieved) {
		r.Retrieved = now
	}
	if end.isEnd() {
		r.Processed = now
	}
}

// withFilters is a with the filters of the other: where a child was found is the
// archive's to say, what is wrapped around its own bytes, or lies in them, is found by opening them.
func (a *Archive) withFilters(other *Archive) *Archive {
	if a == nil || other == nil {
		return a
	}
	changed := *a
	changed.Filters, changed.Unpacked = other.Filters, other.Unpacked
	return &changed
}

// after is when a seed of this interval is due again; 0 for never.
func after(now time.Time, interval *int64) int64 {
	if interval == nil || *interval <= 0 {
		return 0
	}
	const most = math.MaxInt64 / int64(time.Second) / 4 // some 73 years
	return now.Add(time.Duration(min(*interval, most)) * time.Second).UnixNano()
}

// preparation is a changed cold record, ready to be stored if the stored one is
// still of the revision it was made from.
type preparation struct {
	revision uint32
	record   cold
	data     []byte
	change   map[string]int64 // of the counts
	cleans   []string         // the clean seeds that it named before
	alike    []byte           // where it stood in inAlike; nil: nowhere
}

// prepare reads, changes and encodes a record outside of the transaction that
// will write it: there, every caller waits for it.
func (s *Store) prepare(ctx context.Context, c *Claim, change func(*Record)) (p *preparation, err error) {
	err = s.view(ctx, func(t *tables) error {
		h, ok := t.hot(c.id)
		if !ok || h.fence != c.Fence || h.state != c.Stage {
			return ErrLost
		}
		p = &preparation{revision: h.revision}
		p.data = append(p.data, t.get(inCold, appendNumber(nil, c.id))...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p, p.apply(change)
}

// apply decodes p.data, changes it, and encodes it again.
func (p *preparation) apply(change func(*Record)) error {
	p.record = cold{}
	if err := json.Unmarshal(p.data, &p.record); err != nil {
		return fmt.Errorf("read the record: %w", err)
	}
	p.cleans, p.alike = p.record.cleans(), p.record.alike()
	p.change = make(map[string]int64)
	p.record.tally(p.change, -1)
	change(&p.record.Record)
	data, err := p.record.encode()
	if err != nil {
		return fmt.Errorf("write the record: %w", err)
	}
	p.data = data
	p.record.tally(p.change, +1)
	return nil
}

// errRevised says that a record was changed between its preparation and its batch.
var errRevised = errors.New("the record was changed meanwhile")

// Holds says whether a claim still holds its seed. It may be over the moment after.
func (s *Store) Holds(ctx context.Context, c Claim) (holds bool, err error) {
	err = s.view(ctx, func(t *tables) error {
		h, ok := t.hot(c.id)
		holds = ok && h.fence == c.Fence && h.state == c.Stage
		return nil
	})
	return holds, err
}

// held checks that a claim still holds its seed, and that its record, if one was
// prepared, is the one that is stored.
func (b *batch) held(c *Claim, p *preparation) (hot, error) {
	h, ok := b.hot(c.id)
	switch {
	case !ok || h.fence != c.Fence || h.state != c.Stage:
		return hot{}, ErrLost
	case p != nil && p.revision != h.revision:
		return hot{}, errRevised
	}
	return h, nil
}
