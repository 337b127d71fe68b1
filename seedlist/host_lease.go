package seedlist

import (
	"context"
	"strings"
	"time"

	"laundromat/internal/fault"
)

// HostLeases gives each host to one process at a time. Whoever holds the lease of a host may ask it,
// within its [Manners]; nobody else may. Nothing that is asked goes without one:
//
//   - A claim for [Downloading] takes the lease of its host, in the same transaction.
//   - For every other request (a redirect, robots.txt, a page of a catalog, a mirror) it is taken
//     by LeaseHost.
//
// A lease lasts [Options.HostLease], and the list renews it at a third of that, as long as it is in use.
// Whoever gives one up writes down how long the host is to rest. After a crash others wait for the
// end of the lease, and then for the full delay. A host that nobody asks, and that has rested, is free.
//
// An embedded list is one process: it holds all hosts, always, and its leases never end. It too refuses the lease of
// a host that turned (see [Turned]) until its pause ends.
type HostLeases interface {
	// ClaimedHost is the lease under which a claimed seed of a host is downloaded. Where there is
	// none any more, it is lost already. It asks nobody.
	ClaimedHost(name string) HostLease
	// LeaseHost takes the lease of a host, or of an address (see [AddressName]), for one request.
	// It waits for it up to within. Where the host is another's, or rests longer, the error is of
	// kind Stopped and code transport/host-resting, and says when to ask again.
	LeaseHost(ctx context.Context, name string, within time.Duration) (HostLease, error)
}

// HostLease is the right to ask a host.
type HostLease struct {
	// NotBefore is when the host has rested from whoever asked it last.
	NotBefore time.Time
	// Lost is closed when the lease has run out by the clock of this process that nobody sets. That is
	// before others may take it. What is asked then must be broken off. nil: it never runs out.
	Lost <-chan struct{}
	// Stays is how long the host stays with this process after it has rested, if nobody asks it.
	Stays time.Duration
	// Give ends the use of the lease by one request, after which the host asked to rest so long. Below 0,
	// nothing was sent. It is called once. nil: nothing has to be said.
	Give func(rest time.Duration)
}

// lost is closed.
var lost = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// LostHost is a lease that has run out.
func LostHost() HostLease { return HostLease{Lost: lost} }

// IsLost says that the lease has run out.
func (l *HostLease) IsLost() bool {
	select {
	case <-l.Lost:
		return true
	default:
		return false
	}
}

// RestingHost says that a host is not to be asked by this process yet.
func RestingHost(name string, after time.Duration) error {
	e := fault.New("seedlist.LeaseHost", fault.Stopped, fault.TransportHostResting, "%s is asked by another worker, or rests from one",
		name)
	e.After = max(after, time.Second)
	return e
}

// addresses begin so. No host does.
const addresses = "address/"

// AddressName is what stands for an IP address among hosts.
func AddressName(ip string) string { return addresses + ip }

// IsAddressName says that a name stands for an address.
func IsAddressName(name string) bool { return strings.HasPrefix(name, addresses) }
