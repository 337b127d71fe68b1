package fetch

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"laundromat/internal/fault"
)

// Manners are how a host may be asked. They hold for every request to it, whether
// for a document, for robots.txt, where a redirect leads, or for a page of a catalog.
type Manners struct {
	// Connections is the number of requests at once; 0: no bound.
	Connections int
	// Delay is the least time from the end of a request to the beginning of the next. With several
	// connections it is also that from one beginning to the next.
	Delay time.Duration
	// Paused hosts are not asked at all.
	Paused bool
}

// Shown is what a host showed while it was asked of how much it has to do.
type Shown struct {
	Host string // as a [Manners] function is asked about it
	// Busy says that its last reply was 429 or 503.
	Busy bool
	// Latency is the longest wait for the headers of a document.
	Latency time.Duration
	// Delay is the time between two requests that its robots.txt asks for, up to
	// Options.MaxCrawlDelay.
	Delay time.Duration
	// Rest is how long it asked to be left alone (Retry-After), up to Options.MaxRest.
	Rest time.Duration
}

// turns see to it that each host is asked as its manners allow, whoever asks.
type turns struct {
	mutex sync.Mutex
	hosts map[string]*turn
	swept int // the size of hosts after the last sweep
}

// turn is the state of a host.
type turn struct {
	busy         int
	begun, ended time.Time     // the last request
	rest         time.Time     // not before, by its Retry-After
	delay        time.Duration // the one that was last asked for
	freed        chan struct{} // closed when a request ends
}

// pausedFor is when work on a paused host is looked at again.
const pausedFor = 10 * time.Minute

// hostOf names the host of u as the list of seeds does: in lower case, without the
// scheme's own port and the root's dot.
func hostOf(u *url.URL) string {
	host := strings.ToLower(u.Host)
	switch scheme := strings.ToLower(u.Scheme); {
	case scheme == "http":
		host = strings.TrimSuffix(host, ":80")
	case scheme == "https":
		host = strings.TrimSuffix(host, ":443")
	case scheme == "ftp":
		host = strings.TrimSuffix(host, ":"+ftpPort)
	}
	if name, port, found := strings.Cut(host, ".:"); found {
		return name + ":" + port
	}
	return strings.TrimSuffix(strings.TrimSuffix(host, ":"), ".")
}

// manners are those of u's host now, its robots.txt included.
func (f *Fetcher) manners(ctx context.Context, u *url.URL) (m Manners, err error) {
	m = Manners{Connections: f.options.HostConnections, Delay: f.options.HostDelay}
	if f.options.Manners != nil {
		m, err = f.options.Manners(ctx, hostOf(u))
	}
	if w := f.ways.Load(); w != nil {
		access := w.network.access(u)
		m.Delay = max(m.Delay, access.Delay)
		if access.Connections > 0 && (m.Connections <= 0 || m.Connections > access.Connections) {
			m.Connections = access.Connections
		}
	}
	m.Delay = max(m.Delay, f.crawlDelay(u))
	return m, err
}

// await returns when a request to u may be sent. If that would be later than patience allows, the error is
// of kind Stopped, and says after what time.
func (f *Fetcher) await(ctx context.Context, u *url.URL, w waiting) (*permit, error) {
	host, since, patience := hostOf(u), time.Now(), w.patience
	for {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("fetch: %w", err)
		}
		manners, err := f.manners(ctx, u)
		if err != nil {
			return nil, fmt.Errorf("fetch: %w", err)
		}
		if manners.Paused {
			return nil, pausedError(host)
		}
		wait, freed := f.turns.take(host, manners)
		if wait == 0 && freed == nil {
			lease, err := f.lease(ctx, host, w, max(0, patience-time.Since(since)))
			if err != nil {
				f.turns.untake(host)
				return nil, err
			}
			f.turns.begin(host)
			return &permit{f, u, lease}, nil
		}
		left := patience - time.Since(since)
		if patience > 0 && (left <= 0 || wait > left) {
			return nil, restingError(host, max(wait, time.Second))
		}
		if freed != nil {
			wait = max(left, time.Minute)
			if patience > 0 {
				wait = left
			}
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-freed:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// take begins a request to a host, or says how long to wait, or on what.
func (t *turns) take(host string, m Manners) (wait time.Duration, freed <-chan struct{}) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	now := time.Now()
	h := t.hosts[host]
	if h == nil {
		t.sweep(now)
		h = new(turn)
		if t.hosts == nil {
			t.hosts = map[string]*turn{}
		}
		t.hosts[host] = h
	}
	if m.Connections > 0 && h.busy >= m.Connections {
		if h.freed == nil {
			h.freed = make(chan struct{})
		}
		return 0, h.freed
	}
	h.delay = m.Delay
	if at := h.next(); at.After(now) {
		return at.Sub(now), nil
	}
	h.busy++
	h.begun = now
	return 0, nil
}

// next is when the host may be asked again, if it is not being asked.
func (h *turn) next() time.Time {
	at := h.rest
	for _, last := range []time.Time{h.begun, h.ended} {
		if next := last.Add(h.delay); !last.IsZero() && next.After(at) {
			at = next
		}
	}
	return at
}

// begin notes that a request which was taken is sent only now.
func (t *turns) begin(host string) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.hosts[host].begun = time.Now()
}

// untake takes back a request that was not sent.
func (t *turns) untake(host string) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.hosts[host].free()
}

// give ends a request, after which the host wants rest. It says when the host may be asked again, and
// whether nobody asks it now.
func (t *turns) give(host string, rest time.Duration) (next time.Time, idle bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	h := t.hosts[host]
	h.ended = time.Now()
	if until := h.ended.Add(rest); rest > 0 && until.After(h.rest) {
		h.rest = until
	}
	h.free()
	return h.next(), h.busy == 0
}

// free ends a use.
func (h *turn) free() {
	h.busy--
	if h.freed != nil {
		close(h.freed)
		h.freed = nil
	}
}

// whileIdle calls a function if nobody has asked the host since a time. Nobody begins to meanwhile.
func (t *turns) whileIdle(host string, since time.Time, do func()) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if h := t.hosts[host]; h == nil || h.busy == 0 && !h.begun.After(since) {
		do()
	}
}

// sweep forgets hosts that could be asked now, at no loss, when the table has doubled
// since it last did.
func (t *turns) sweep(now time.Time) {
	if len(t.hosts) < max(1024, 2*t.swept) {
		return
	}
	for host, h := range t.hosts {
		if h.busy == 0 && h.freed == nil && !h.next().After(now) {
			delete(t.hosts, host)
		}
	}
	t.swept = len(t.hosts)
}

// restingError says that a host is not to be asked yet.
func restingError(host string, after time.Duration) error {
	e := fault.New("fetch.Get", fault.Stopped, fault.TransportHostResting, "%s is not to be asked yet", host)
	e.After = after
	return e
}

// pausedError says that the operator does not let a host be asked.
func pausedError(host string) error {
	e := fault.New("fetch.Get", fault.Remote, fault.TransportHostPaused, "the downloads from %s are paused", host)
	e.After = pausedFor
	return e
}

// showed adds what a host showed.
func (r *Result) showed(u *url.URL, add func(*Shown)) {
	host := hostOf(u)
	for i := range r.Shown {
		if r.Shown[i].Host == host {
			add(&r.Shown[i])
			return
		}
	}
	r.Shown = append(r.Shown, Shown{Host: host})
	add(&r.Shown[len(r.Shown)-1])
}
