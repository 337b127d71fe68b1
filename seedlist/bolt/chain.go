package bolt

import (
	"context"
	"time"

	"laundromat/seedlist"
)

// A small document is through its stages before a disk has written once. Who holds a claim
// may therefore go on with the stages that follow, and write down all outcomes together, in
// one transaction. The moves, fences and attempts are the same as if each stage had been
// claimed and completed by itself. Until that is on the disk the seed is in the state of
// the claim, and a crash gives it back there.

// Foresee is [seedlist.Foresee] with the options of the store.
func (s *Store) Foresee(c seedlist.Claim, outcome seedlist.Outcome) (seedlist.Claim, error) {
	return seedlist.Foresee(c, outcome, &s.options)
}

// Rest lets the host of a claimed seed be asked by others. The download has ended, and what
// follows does not concern the host. It may be called once; what the outcome says of the
// host's load is not counted again.
func (s *Store) Rest(ctx context.Context, c seedlist.Claim, load seedlist.Load) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	defer s.endLost(&c)
	s.leases.mu.Lock()
	l := s.leases.held[c.Number]
	if l == nil || l.claim.Fence != c.Lease() || l.host == 0 {
		s.leases.mu.Unlock()
		return nil
	}
	host := l.host
	l.host = 0
	s.leases.mu.Unlock()
	s.hosts.release(host, time.Now(), load)
	s.wake(seedlist.Added)
	return nil
}

// CompleteAll is [Store.Complete] for the outcome of the claim's stage and those of the
// stages that follow. Each begins where the one before it led to. All but the last lead to
// ready states.
func (s *Store) CompleteAll(ctx context.Context, c seedlist.Claim, outcomes []seedlist.Outcome) error {
	defer s.endLost(&c)
	now := time.Now()
	steps, err := seedlist.Steps(c, outcomes)
	if err != nil {
		return err
	}
	last := &steps[len(steps)-1]
	var named []newRecord
	for _, step := range steps {
		named = append(named, s.newNamed(step.Outcome.Named, now)...)
	}
	change := func(r *seedlist.Record) {
		for _, step := range steps {
			step.Outcome.Change(&step.Claim, step.End, now, &s.options)(r)
		}
	}
	for {
		p, err := s.prepare(ctx, &c, change)
		if err != nil {
			return err
		}
		children, err := s.newChildren(&p.record, last.Outcome.Children, now)
		if err != nil {
			return err
		}
		for i := range steps {
			step := &steps[i]
			if step.Attempt, err = step.Outcome.Attempt.Encode(&step.Claim, p.record.Place(), step.Outcome.Result(), now); err != nil {
				return err
			}
		}
		err = s.do(ctx, func(b *batch) error { return b.complete(&c, steps, p, children, named) })
		if err != errRevised {
			return err
		}
	}
}
