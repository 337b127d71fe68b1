package bolt

import (
	"context"
	"time"

	"laundromat/seedlist"
)

// ClaimedHost is the lease of a host: this process holds all.
func (s *Store) ClaimedHost(string) seedlist.HostLease { return seedlist.HostLease{} }

// LeaseHost is the lease of a host: this process holds all.
func (s *Store) LeaseHost(ctx context.Context, _ string, _ time.Duration) (seedlist.HostLease, error) {
	return seedlist.HostLease{}, ctx.Err()
}
