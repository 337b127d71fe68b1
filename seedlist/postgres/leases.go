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
	// harvests are the catalogs that are read, by their numbers, with the fences of their claims.
	harvests map[uint64]uint64
	// begun are the transactions that claim, by what tells them apart, with when they began.
	begun map[*struct{ _ byte }]time.Time
}

func newLeaseTable() leaseTable {
	return leaseTable{held: map[uint64]*lease{}, harvests: map[uint64]uint64{}, begun: map[*struct{ _ byte }]time.Time{}}
}

// begin notes a transaction that claims; the function that it returns ends it.
func (l *leaseTable) begin(at time.Time) (end func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := new(struct{ _ byte })
	l.begun[key] = at
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.begun, key)
	}
}

// settled is the time before which all claims are known: now, or when the first transaction began that may still claim.
func (l *leaseTable) settled(now time.Time) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, at := range l.begun {
		if at.Before(now) {
			now = at
		}
	}
	return now
}

// knows says that a claim of a seed is held here.
func (l *leaseTable) knows(number, fence uint64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := l.held[number]
	return one != nil && one.claim.Fence == fence
}

// harvest notes that a catalog is read.
func (l *leaseTable) harvest(number, fence uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.harvests[number] = fence
}

// endHarvest notes that a catalog is not read any more.
func (l *leaseTable) endHarvest(number, fence uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.harvests[number] == fence {
		delete(l.harvests, number)
	}
}

// reads says that a catalog is read for a claim.
func (l *leaseTable) reads(number, fence uint64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.harvests[number] == fence
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

// endIf ends the lease of a claim that is lost, unless the seed was claimed again.
func (l *leaseTable) endIf(c *seedlist.Claim) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if one := l.held[c.Number]; one != nil && one.claim.Fence == c.Lease() {
		delete(l.held, c.Number)
	}
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
