package bolt

import (
	"context"
	"sync"
	"time"

	"laundromat/seedlist"
)

// A lease says that a claim is held. It lives in the memory, by the monotonic
// clock, since one process holds the file: when that ends, all leases do.

type lease struct {
	claim    seedlist.Claim // without its seed
	host     uint64
	renewed  time.Time
	progress *seedlist.Progress
}

type leaseTable struct {
	mu   sync.Mutex
	held map[uint64]*lease // by the seed's number
	lost map[uint64]*lease // of seeds that were removed while their hosts are asked for them
}

func (t *leaseTable) add(l *lease) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held[l.claim.Number] = l
}

func (t *leaseTable) count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.held)
}

// end takes the lease of a seed away; nil if there is none.
func (t *leaseTable) end(id uint64) *lease {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.held[id]
	delete(t.held, id)
	return l
}

// endLease ends a claim when the batch is committed, and frees its host.
func (b *batch) endLease(id uint64, load seedlist.Load) {
	b.done = append(b.done, func() {
		if l := b.store.leases.end(id); l != nil && l.host != 0 {
			b.store.hosts.release(l.host, time.Now(), load)
			b.store.wake(seedlist.Added)
		}
	})
}

// loseLease ends the claim of a seed that is removed, when the batch is committed. Its host is being asked
// until the work finds out: see endLost.
func (b *batch) loseLease(id uint64) {
	b.done = append(b.done, func() {
		l := b.store.leases.end(id)
		switch {
		case l == nil || l.host == 0:
		case l.host == fileKey:
			b.store.hosts.release(l.host, time.Now(), seedlist.Load{})
			b.store.wake(seedlist.Added)
		default:
			b.store.leases.lose(l)
		}
	})
}

func (t *leaseTable) lose(l *lease) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lost == nil {
		t.lost = map[uint64]*lease{}
	}
	t.lost[l.claim.Number] = l
}

// endLost frees the host of a claim whose seed was removed while it was downloaded: the work on it has ended.
func (s *Store) endLost(c *seedlist.Claim) {
	s.leases.mu.Lock()
	l := s.leases.lost[c.Number]
	if l != nil && l.claim.Fence == c.Lease() {
		delete(s.leases.lost, c.Number)
	} else {
		l = nil
	}
	s.leases.mu.Unlock()
	if l != nil {
		s.hosts.lose(l.host, time.Now())
		s.wake(seedlist.Added)
	}
}

// Progress says how far the work on a claim has come, and that it is alive: it
// renews the lease. It costs a lock; it is not written to the disk.
func (s *Store) Progress(ctx context.Context, c seedlist.Claim, p seedlist.Progress) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.leases.mu.Lock()
	defer s.leases.mu.Unlock()
	if l := s.leases.held[c.Number]; l != nil && l.claim.Fence == c.Lease() {
		l.renewed = time.Now()
		l.progress = &p
	}
	return nil
}

// Overdue returns the claims whose lease ran out: no sign of life for longer than
// [seedlist.Options.Lease]. Who calls it cancels the work, waits for its end, and then
// gives the claim back. Of their Seed only the hash and the URI are filled in.
func (s *Store) Overdue(ctx context.Context) ([]seedlist.Claim, error) {
	s.leases.mu.Lock()
	var overdue []seedlist.Claim
	for _, l := range s.leases.held {
		if time.Since(l.renewed) > s.options.Lease {
			overdue = append(overdue, l.claim)
		}
	}
	s.leases.mu.Unlock()
	err := s.view(ctx, func(t *tables) error {
		for i := range overdue {
			if c, err := t.cold(overdue[i].Number); err == nil {
				overdue[i].Seed.Hash, overdue[i].Seed.URI = c.Hash, c.URI
			}
		}
		return nil
	})
	return overdue, err
}

// attend adds to a record what the memory knows of its claim.
func (s *Store) attend(id uint64, seed *seedlist.Seed) {
	s.leases.mu.Lock()
	defer s.leases.mu.Unlock()
	if l := s.leases.held[id]; l != nil && l.claim.Fence == seed.Fence && l.claim.Stage == seed.Status {
		seed.Worker = l.claim.Worker
		if l.progress != nil {
			p := *l.progress
			seed.Progress = &p
		}
	}
}
