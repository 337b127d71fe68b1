package daemon

import (
	"context"
	"time"

	"laundromat/internal/fetch"
	"laundromat/seedlist"
)

// HostLeases are the leases of a list's hosts, as a fetcher asks for them.
func HostLeases(list seedlist.HostLeases) fetch.Leases { return hostLeases{list} }

type hostLeases struct{ list seedlist.HostLeases }

func (h hostLeases) Claimed(host string) fetch.Lease { return fetch.Lease(h.list.ClaimedHost(host)) }

func (h hostLeases) Take(ctx context.Context, host string, within time.Duration) (fetch.Lease, error) {
	lease, err := h.list.LeaseHost(ctx, host, within)
	return fetch.Lease(lease), err
}

func (h hostLeases) TakeAddress(ctx context.Context, ip string, within time.Duration) (fetch.Lease, error) {
	return h.Take(ctx, seedlist.AddressName(ip), within)
}

// HostManners are those of a list's hosts, as a fetcher asks for them.
func HostManners(list seedlist.Hosts) func(ctx context.Context, host string) (fetch.Manners, error) {
	return func(ctx context.Context, host string) (fetch.Manners, error) {
		m, err := list.Manners(ctx, host)
		return fetch.Manners{Connections: m.Connections, Delay: m.Delay, Paused: m.Paused}, err
	}
}

// HostKnown is what a daemon knows of a host, NAME or NAME:PORT, from asking it.
func HostKnown(ctx context.Context, r *Runner, host string) (fetch.HostKnown, error) {
	return r.fetcher.Known(ctx, host)
}
