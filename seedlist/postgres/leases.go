package postgres

import (
	"context"
	"sync"
	"time"

	"laundromat/seedlist"
)

// lease says that a claim is held by this process. That the process lives is said by its row among the
// holders; that the work goes on, by its progress, which is known here alone.
type lease struct {
	claim    seedlist.Claim // without its seed
	renewed  time.Time
	progress *seedlist.Progress
	// The record as it was when it was claimed, so that most completions need not read it.
	data     []byte
	revision int64
	// dropped says that the end of the claim could not be written: it is given back later.
	dropped bool
}

type leaseTable struct {
	mu   sync.Mutex
	held map[uint64]*lease // by the seed's number
}

func (l *leaseTable) add(leases []*lease) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, one := range leases {
		one.renewed = time.Now()
		l.held[one.claim.Number] = one
	}
}

func (l *leaseTable) end(number uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.held, number)
}

// of is a copy of the lease of a claim, foreseen or not.
func (l *leaseTable) of(c *seedlist.Claim) (is lease, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if one := l.held[c.Number]; one != nil && one.claim.Fence == c.Lease() {
		return *one, true
	}
	return is, false
}

// change changes the lease of a claim, if it is held.
func (l *leaseTable) change(c *seedlist.Claim, change func(*lease)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if one := l.held[c.Number]; one != nil && one.claim.Fence == c.Lease() {
		change(one)
	}
}

// those are the claims of leases that a function chooses.
func (l *leaseTable) those(choose func(*lease) bool) (claims []seedlist.Claim) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, one := range l.held {
		if choose(one) {
			claims = append(claims, one.claim)
		}
	}
	return claims
}

// Progress renews the lease of a claim. It stays in this process.
func (s *Store) Progress(ctx context.Context, c seedlist.Claim, p seedlist.Progress) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.leases.change(&c, func(l *lease) { l.renewed, l.progress = time.Now(), &p })
	return nil
}

// Overdue are the claims of this process without a sign of life for longer than the lease.
func (s *Store) Overdue(ctx context.Context) ([]seedlist.Claim, error) {
	overdue := s.leases.those(func(l *lease) bool { return !l.dropped && time.Since(l.renewed) > s.options.Lease })
	if len(overdue) == 0 {
		return nil, ctx.Err()
	}
	err := s.read(ctx, func(t *tx) error {
		for i := range overdue {
			r, err := t.at(overdue[i].Number)
			if err != nil {
				return err
			}
			if r == nil {
				continue
			}
			stored, err := r.stored()
			if err != nil {
				return err
			}
			overdue[i].Seed.Hash, overdue[i].Seed.URI = r.hash, stored.URI
		}
		return nil
	})
	return overdue, err
}

// attend adds to a record who works on it, and how far that has come.
func (s *Store) attend(r *record, seed *seedlist.Seed) {
	if !r.state.IsWorking() {
		return
	}
	seed.Worker = r.worker
	s.leases.mu.Lock()
	defer s.leases.mu.Unlock()
	if l := s.leases.held[r.number]; l != nil && l.claim.Fence == r.fence && l.progress != nil {
		p := *l.progress
		seed.Progress = &p
	}
}
