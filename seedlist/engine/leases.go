package engine

import (
	"context"
	"sync"
	"time"

	"laundromat/seedlist"
)

// lease says that a claim is held by this process, and that the work on it goes on.
type lease struct {
	number  uint64 // of the seed
	stage   seedlist.State
	fence   uint64
	worker  string
	since   time.Time
	try     int
	crashes int
	last    seedlist.State

	renewed  time.Time
	progress *seedlist.Progress
	// The document as it was when it was claimed, so that most completions need not read it; and the same decoded, for
	// the first that asks.
	data     []byte
	stored   *seedlist.Stored
	revision int64
	// dropped says that the end of the claim could not be written: it is given back later.
	dropped bool
}

// lostUse is a host that is being asked for a seed which was removed, or given to another.
type lostUse struct {
	fence uint64
	host  string
}

// fill fills in a claim, but its seed.
func (l *lease) fill(c *seedlist.Claim) {
	c.Number, c.Stage, c.Fence, c.Worker, c.Since = l.number, l.stage, l.fence, l.worker, l.since
	c.Try, c.Crashes, c.Last = l.try, l.crashes, l.last
}

type leaseTable struct {
	mu   sync.Mutex
	held map[uint64]*lease // by the seed's number
	// lost are hosts in use, by the numbers of seeds that are gone, where one process has all hosts.
	lost map[uint64]lostUse
	// harvests are the catalogs that are read, by their numbers, with the fences of their claims.
	harvests map[uint64]uint64
}

func newLeaseTable() leaseTable {
	return leaseTable{held: map[uint64]*lease{}, lost: map[uint64]lostUse{}, harvests: map[uint64]uint64{}}
}

// under runs a function under the lock of the table.
func (t *leaseTable) under(do func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	do()
}

// of is the lease of a claim, foreseen or not; nil if it is not held. The lock is held.
func (t *leaseTable) of(c *seedlist.Claim) *lease {
	if one := t.held[c.Number]; one != nil && one.fence == c.Lease() {
		return one
	}
	return nil
}

// document is that of the seed of a claim as it was when it was claimed; nil if the claim is not held. One caller gets
// it decoded, to do with it what it will.
func (t *leaseTable) document(c *seedlist.Claim) (data []byte, stored *seedlist.Stored, revision int64) {
	t.under(func() {
		if one := t.of(c); one != nil {
			data, stored, revision = one.data, one.stored, one.revision
			one.stored = nil
		}
	})
	return data, stored, revision
}

// change changes the lease of a claim, if it is held.
func (t *leaseTable) change(c *seedlist.Claim, change func(*lease)) {
	t.under(func() {
		if one := t.of(c); one != nil {
			change(one)
		}
	})
}

func (t *leaseTable) add(leases []*lease) {
	t.under(func() {
		for _, one := range leases {
			one.renewed = time.Now()
			t.held[one.number] = one
		}
	})
}

func (t *leaseTable) end(numbers ...uint64) {
	t.under(func() {
		for _, n := range numbers {
			delete(t.held, n)
		}
	})
}

// endIf ends the lease of a claim that is lost, unless the seed was claimed again.
func (t *leaseTable) endIf(c *seedlist.Claim) {
	t.under(func() {
		if t.of(c) != nil {
			delete(t.held, c.Number)
		}
	})
}

// endHarvest notes that a catalog is not read any more.
func (t *leaseTable) endHarvest(claim *seedlist.HarvestClaim) {
	t.under(func() {
		if t.harvests[claim.Number] == claim.Fence {
			delete(t.harvests, claim.Number)
		}
	})
}

// those are the claims of leases that a function chooses.
func (t *leaseTable) those(choose func(*lease) bool) (claims []seedlist.Claim) {
	t.under(func() {
		for _, one := range t.held {
			if choose(one) {
				claims = append(claims, seedlist.Claim{})
				one.fill(&claims[len(claims)-1])
			}
		}
	})
	return claims
}

// Leases is how many claims this process holds.
func (l *Moves) Leases() (n int) {
	l.leases.under(func() { n = len(l.leases.held) })
	return n
}

// Knows says that a claim of a seed is held here.
func (l *Moves) Knows(number, fence uint64) (knows bool) {
	l.leases.under(func() {
		one := l.leases.held[number]
		knows = one != nil && one.fence == fence
	})
	return knows
}

// Reads says that a catalog is read for a claim.
func (l *Moves) Reads(number, fence uint64) (reads bool) {
	l.leases.under(func() { reads = l.leases.harvests[number] == fence })
	return reads
}

// GiveBackDropped gives back the claims whose end could not be written.
func (l *Moves) GiveBackDropped(ctx context.Context) error {
	for _, c := range l.leases.those(func(one *lease) bool { return one.dropped }) {
		err := l.write(ctx, func(s *Session) error {
			if r := s.held(&c); r != nil {
				s.giveBack(r, &c, seedlist.Return{})
			}
			return nil
		})
		if err != nil {
			return err
		}
		l.leases.end(c.Number)
	}
	return nil
}

// Progress renews the lease of a claim. It stays in this process.
func (l *Moves) Progress(ctx context.Context, c seedlist.Claim, p seedlist.Progress) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-l.ended:
		return seedlist.ErrClosed
	default:
	}
	l.leases.change(&c, func(one *lease) { one.renewed, one.progress = time.Now(), &p })
	return nil
}

// Overdue are the claims of this process without a sign of life for longer than the lease.
func (l *Moves) Overdue(ctx context.Context) ([]seedlist.Claim, error) {
	overdue := l.leases.those(func(one *lease) bool { return !one.dropped && time.Since(one.renewed) > l.options.Lease })
	var numbers []uint64
	for _, c := range overdue {
		numbers = append(numbers, c.Number)
	}
	err := l.read(ctx, func(s *Session) error {
		s.load(numbers...)
		for i := range overdue {
			if r := s.at(overdue[i].Number); r != nil {
				stored := s.document(r)
				overdue[i].Seed.Hash, overdue[i].Seed.URI = stored.Hash, stored.URI
			}
		}
		return nil
	})
	return overdue, err
}

// Attend adds to a record who works on it, and how far that has come.
func (l *Moves) Attend(r *Seed, seed *seedlist.Seed) {
	if !r.State.IsWorking() {
		return
	}
	seed.Worker = r.Worker
	l.leases.under(func() {
		if one := l.leases.held[r.Number]; one != nil && one.fence == r.Fence {
			seed.Worker = one.worker
			if one.progress != nil {
				p := *one.progress
				seed.Progress = &p
			}
		}
	})
}

// Forget makes the process forget what it has claimed of the seed and the catalog of these numbers, as if it had
// not come to know. It is for tests.
func (l *Moves) Forget(seed, catalog uint64) {
	l.leases.under(func() {
		delete(l.leases.held, seed)
		delete(l.leases.harvests, catalog)
	})
}
