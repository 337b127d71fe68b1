package seedlist

import (
	"context"
	"fmt"
	"time"
)

// A small document is through its stages before a disk has written once. Who holds a
// claim may therefore go on with the stages that follow, and write down all outcomes
// together: the same moves, with the same fences and attempts as if each stage had been
// claimed and completed by itself, in one transaction. Until that is on the disk the
// seed is in the state of the claim, and a crash gives it back there.

// Foresee is the claim of the stage that follows if outcome, which must lead to a ready
// state, is completed and the seed claimed again at once. Nothing is written. What it
// gives is good for work and for Foresee alone: the lease, and what [Store.Complete] is
// called with, remain the first claim's.
func (s *Store) Foresee(c Claim, outcome Outcome) (Claim, error) {
	if err := outcome.check(&c); err != nil {
		return Claim{}, err
	}
	if !outcome.Next.IsReady() {
		return Claim{}, fmt.Errorf("foresee: %s is no ready state", outcome.Next)
	}
	now := time.Now()
	next := c.following(outcome.Next)
	next.Since = now.UTC()
	outcome.change(&c, outcome.Next, now, s)(&next.Seed.Record)
	next.Seed.Status, next.Seed.Fence = next.Stage, next.Fence
	return next, nil
}

// following is the claim of the stage that begins in a ready state, without the record.
func (c Claim) following(ready State) Claim {
	if c.leased == 0 {
		c.leased = c.Fence
	}
	c.Stage, c.Fence, c.Try, c.Crashes = ready.Working(), c.Fence+1, 1, 0
	return c
}

// Foreseen says that nothing was written of this claim yet: see [Store.Foresee].
func (c *Claim) Foreseen() bool { return c.leased != 0 }

// lease is the fence of the claim that the lease is of.
func (c *Claim) lease() uint64 {
	if c.leased != 0 {
		return c.leased
	}
	return c.Fence
}

// Rest lets the host of a claimed seed be asked by others: the download has ended, and
// what goes on is none of the host's business. It may be called once; what the outcome
// says of the host's load is not counted again.
func (s *Store) Rest(c Claim, load Load) {
	s.leases.mu.Lock()
	l := s.leases.held[c.id]
	if l == nil || l.claim.Fence != c.lease() || l.host == 0 {
		s.leases.mu.Unlock()
		return
	}
	host := l.host
	l.host = 0
	s.leases.mu.Unlock()
	s.hosts.release(host, time.Now(), load)
	s.wake(table[0].ready)
}

// step is one of the outcomes that are completed together.
type step struct {
	claim   Claim
	outcome *Outcome
	end     State
	attempt []byte
}

// CompleteAll is [Store.Complete] for the outcome of the claim's stage and those of the
// stages that follow, each of which begins where the one before it led to. All but the
// last lead to ready states.
func (s *Store) CompleteAll(ctx context.Context, c Claim, outcomes []Outcome) error {
	now := time.Now()
	steps := make([]step, 0, len(outcomes))
	for at := c; ; {
		o := &outcomes[len(steps)]
		if err := o.check(&at); err != nil {
			return err
		}
		end := o.Next
		if o.Unchanged {
			end = c.Last
		}
		steps = append(steps, step{claim: at, outcome: o, end: end})
		if len(steps) == len(outcomes) {
			break
		}
		if o.Unchanged || !end.IsReady() {
			return fmt.Errorf("complete: a stage after %s", end)
		}
		at = at.following(end)
	}
	last := &steps[len(steps)-1]
	var named []newRecord
	for _, step := range steps {
		named = append(named, s.newNamed(step.outcome.Named, now)...)
	}
	change := func(r *Record) {
		for _, step := range steps {
			step.outcome.change(&step.claim, step.end, now, s)(r)
		}
	}
	for {
		p, err := s.prepare(ctx, &c, change)
		if err != nil {
			return err
		}
		children, err := s.newChildren(&p.record, last.outcome.Children, now)
		if err != nil {
			return err
		}
		for i := range steps {
			step := &steps[i]
			if step.attempt, err = step.outcome.Attempt.encode(&step.claim, p.record.place(), step.outcome.result(), now); err != nil {
				return err
			}
		}
		err = s.do(ctx, func(b *batch) error { return b.complete(&c, steps, p, children, named) })
		if err != errRevised {
			return err
		}
	}
}
