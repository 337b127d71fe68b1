package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"laundromat/internal/fault"
)

// Leases gives hosts to this process, where several ask hosts. Whoever holds a host's lease asks it as
// its [Manners] allow.
type Leases interface {
	// Claimed is the lease of a host that the caller of [Fetcher.Do] holds: see [Request.Claimed].
	Claimed(host string) Lease
	// Take takes the lease of a host, by a name as in [Shown], for one request. It waits for it up to within.
	// Where that is not enough, the error is of kind Stopped, and says when to ask again.
	Take(ctx context.Context, host string, within time.Duration) (Lease, error)
	// TakeAddress is Take for an IP address.
	TakeAddress(ctx context.Context, ip string, within time.Duration) (Lease, error)
}

// Lease is the right to ask a host. The zero value never ends.
type Lease struct {
	// NotBefore is when the host has rested from whoever asked it last.
	NotBefore time.Time
	// Lost is closed when the lease has run out; nil: it never does. What is asked then is broken off.
	Lost <-chan struct{}
	// Stays is how long the host stays with this process after it has rested, if nobody asks it.
	Stays time.Duration
	// Give ends the use of the lease by one request, after which the host asked to rest so long. Below 0,
	// nothing was sent. nil: nothing has to be said.
	Give func(rest time.Duration)
}

func (l *Lease) give(rest time.Duration) {
	if l.Give != nil {
		l.Give(rest)
	}
}

// isShared says that others may ask the host when this process does not.
func (l *Lease) isShared() bool { return l.Lost != nil }

func (l *Lease) isLost() bool {
	select {
	case <-l.Lost:
		return true
	default:
		return false
	}
}

// errHostLost ends a request whose host others may ask by now.
var errHostLost = errors.New("the lease of the host has run out")

// waiting says who asks, and how long that may wait for a host's turn.
type waiting struct {
	patience time.Duration // 0: without a limit
	claimed  string        // the host whose lease the caller holds; "" for none
}

// noLimit is longer than anybody waits.
const noLimit = 24 * time.Hour

// lease gets the lease of a host whose turn has come here, and waits until the host has rested.
func (f *Fetcher) lease(ctx context.Context, host string, w waiting, left time.Duration) (l Lease, err error) {
	switch {
	case f.options.Leases == nil:
		return l, nil
	case host == w.claimed:
		l = f.options.Leases.Claimed(host)
	default:
		if w.patience <= 0 {
			left = noLimit
		}
		if l, err = f.options.Leases.Take(ctx, host, left); err != nil {
			return l, err
		}
	}
	if wait := time.Until(l.NotBefore); wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-l.Lost:
		case <-ctx.Done():
			l.give(-1)
			return l, fmt.Errorf("fetch: %w", ctx.Err())
		}
	}
	if l.isLost() {
		l.give(-1)
		return l, restingError(host, time.Second)
	}
	return l, nil
}

// permit is the right to send one request, and must be given back.
type permit struct {
	fetcher *Fetcher
	url     *url.URL
	lease   Lease
}

// give ends a request, after which the host wants rest.
func (p *permit) give(rest time.Duration) {
	host := hostOf(p.url)
	next, idle := p.fetcher.turns.give(host, rest)
	p.lease.give(max(rest, p.fetcher.crawlDelay(p.url)))
	if idle && (p.lease.isShared() || p.fetcher.options.AddressConnections > 0) {
		if p.fetcher.options.AddressConnections > 0 {
			next = time.Time{} // others wait for a connection to its address
		}
		p.fetcher.hangUp(p.url, host, next.Add(p.lease.Stays/2))
	}
}

// breakOff ends a request when the lease of its host runs out.
func (p *permit) breakOff(a *answer) {
	if !p.lease.isShared() {
		return
	}
	go func() {
		select {
		case <-p.lease.Lost:
			a.cancel(errHostLost)
		case <-a.inner.Done():
		}
	}()
}

// lostError makes an error of a request that was broken off since its host is no longer ours.
func lostError(host string) error {
	e := fault.New("fetch.Get", fault.Stopped, fault.TransportHostResting, "%w: %s may be asked by another worker", errHostLost, host)
	e.After = time.Second
	return e
}
