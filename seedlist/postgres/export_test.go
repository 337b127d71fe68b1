package postgres

import (
	"context"
	"time"

	"laundromat/seedlist"
)

// OpenByTheClock is Open with the clock of the test, without notifications and signs of life.
func OpenByTheClock(ctx context.Context, address string, options seedlist.Options) (*Store, error) {
	return open(ctx, address, options, time.Now)
}

// Live is what a process does every 20 seconds.
func (s *Store) Live() { s.liveOnce() }

// Holder is this process, among all.
func (s *Store) Holder() string { return s.holder }

// Forget makes the process forget that it has claimed a seed, as if it had not come to know.
func (s *Store) Forget(c seedlist.Claim) { s.leases.end(c.Number) }

// ForgetHarvest is Forget for a catalog.
func (s *Store) ForgetHarvest(c seedlist.HarvestClaim) { s.leases.endHarvest(c.Number, c.Fence) }

// BeSilent lets the last sign of life be old.
func (s *Store) BeSilent() { s.signedTill.Store(0) }

// MostSilent sets how long the server may say nothing.
func MostSilent(d time.Duration) (restore func()) {
	was := mostSilent
	mostSilent = d
	return func() { mostSilent = was }
}
