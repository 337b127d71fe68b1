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
func (s *Store) Cut() { s.pool.Close() }

// Holder is this process, among all.
func (s *Store) Holder() string { return s.holder }

// FirstSchema makes the tables of layout 1.
func FirstSchema() string {
	return migrations[0] + "CREATE TABLE layout (version integer NOT NULL); INSERT INTO layout VALUES (1);"
}
