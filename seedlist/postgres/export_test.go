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

// Cut lets the list no longer reach the database.
func (s *Store) Cut() { s.db.pool.Close() }

// Audit says what is wrong within, for the laws of storetest.
func (s *Store) Audit() (all []string) {
	_, err := s.Inspect(context.Background(), func(d *seedlist.Damage) error {
		all = append(all, d.Finding())
		return nil
	})
	if err != nil {
		all = append(all, err.Error())
	}
	return all
}

// Forget makes the process forget that it has claimed a seed, as if it had not come to know.
func (s *Store) Forget(c seedlist.Claim) { s.Moves.Forget(c.Number, 0) }

// ForgetHarvest is Forget for a catalog.
func (s *Store) ForgetHarvest(c seedlist.HarvestClaim) { s.Moves.Forget(0, c.Number) }

// BeSilent lets the last sign of life be old.
func (s *Store) BeSilent() { s.signs.till.Store(0) }

// MostSilent sets how long the server may say nothing.
func MostSilent(d time.Duration) (restore func()) {
	was := mostSilent
	mostSilent = d
	return func() { mostSilent = was }
}
