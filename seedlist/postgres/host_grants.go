package postgres

import (
	"sync"
	"time"

	"laundromat/seedlist"
)

// grant is the lease of a host, as this process knows it. While it has uses, the row of the host says that
// it is in use.
type grant struct {
	host  string
	until time.Time // by the clock that nobody sets, and before others may have it
	uses  int
	stays time.Duration // with this process, when it has rested
	lost  chan struct{}
	timer *time.Timer // closes lost
}

// grants are the leases that this process has in use.
type grants struct {
	mu    sync.Mutex
	held  map[string]*grant
	begun chan struct{}        // has room for one: there is something to renew
	seeds map[uint64]seedGrant // of claimed seeds that are being downloaded, by their numbers
}

// seedGrant is the lease under which a claimed seed is downloaded.
type seedGrant struct {
	*grant
	fence uint64 // of the claim
}

// use begins a use of a host, whose lease has just been taken or prolonged.
func (g *grants) use(host string, until time.Time, stays time.Duration) *grant {
	g.mu.Lock()
	defer g.mu.Unlock()
	is := g.held[host]
	if is != nil && !g.isCurrent(is) {
		g.lose(is)
		is = nil
	}
	if is == nil {
		is = &grant{host: host, until: until, stays: stays, lost: make(chan struct{})}
		is.timer = time.AfterFunc(time.Until(until), func() { g.expire(is) })
		g.held[host] = is
		select {
		case g.begun <- struct{}{}:
		default:
		}
	}
	g.prolong(is, until)
	is.uses++
	return is
}

// useFor says that a use is the download of a claimed seed.
func (g *grants) useFor(seed, fence uint64, is *grant) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seeds[seed] = seedGrant{is, fence}
}

// end ends a use. It says whether the lease was held until now: else the row is no longer ours to change.
func (g *grants) end(is *grant) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	held := g.isCurrent(is)
	if is.uses--; is.uses == 0 && g.held[is.host] == is {
		is.timer.Stop()
		delete(g.held, is.host)
	}
	return held
}

// endFor ends the use for the download of a claimed seed.
func (g *grants) endFor(seed uint64) {
	g.mu.Lock()
	is := g.seeds[seed]
	delete(g.seeds, seed)
	g.mu.Unlock()
	if is.grant != nil {
		g.end(is.grant)
	}
}

// endLost ends the use for the download of a seed whose claim was lost before the work ended. It returns the
// host that the row still counts it of; "" if there is none.
func (g *grants) endLost(seed, fence uint64) string {
	g.mu.Lock()
	is := g.seeds[seed]
	if is.grant == nil || is.fence != fence {
		g.mu.Unlock()
		return ""
	}
	delete(g.seeds, seed)
	g.mu.Unlock()
	if g.end(is.grant) {
		return is.host
	}
	return ""
}

// holdsFor says that a claimed seed is still being downloaded under the lease that it was claimed with.
func (g *grants) holdsFor(seed uint64) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	is := g.seeds[seed]
	return is.grant != nil && g.isCurrent(is.grant)
}

// isCurrent says that a lease has neither run out nor been replaced. g.mu is held.
func (g *grants) isCurrent(is *grant) bool {
	return g.held[is.host] == is && time.Now().Before(is.until)
}

// prolong moves the end of a lease. g.mu is held.
func (g *grants) prolong(is *grant, until time.Time) {
	if until.After(is.until) {
		is.until = until
		is.timer.Reset(time.Until(until))
	}
}

// expire ends a lease whose time has come, if it was not prolonged meanwhile.
func (g *grants) expire(is *grant) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.held[is.host] == is && !time.Now().Before(is.until) {
		g.lose(is)
	}
}

// lose ends a lease. g.mu is held.
func (g *grants) lose(is *grant) {
	is.timer.Stop()
	delete(g.held, is.host)
	close(is.lost)
}

// of is the lease of a host.
func (g *grants) of(host string) seedlist.HostLease {
	g.mu.Lock()
	defer g.mu.Unlock()
	if is := g.held[host]; is != nil && g.isCurrent(is) {
		return seedlist.HostLease{Lost: is.lost, Stays: is.stays}
	}
	return seedlist.LostHost()
}

// hosts are those whose leases are in use.
func (g *grants) hosts() (names []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for name := range g.held {
		names = append(names, name)
	}
	return names
}

// renewed prolongs the leases of hosts that were renewed, and ends those that had run out.
func (g *grants) renewed(asked, renewed []string, until time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	is := map[string]bool{}
	for _, name := range renewed {
		is[name] = true
	}
	for _, name := range asked {
		switch held := g.held[name]; {
		case held == nil:
		case is[name]:
			g.prolong(held, until)
		case !g.isCurrent(held):
			g.lose(held)
		}
	}
}
