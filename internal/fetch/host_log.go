package fetch

import (
	"cmp"
	"context"
	"net/url"
	"sync"
	"time"
)

// HostKnown is what a [Fetcher] knows of a host. It forgets hosts that were not asked for long.
type HostKnown struct {
	// Last is the last request to the host and what came of it, without headers; nil: none is remembered.
	Last *Exchange
	// Robots are what its robots.txt says, one for each scheme by which it was asked.
	Robots []Robots
	// Delay is the time between two requests that is kept now.
	Delay time.Duration
	// Next is when it may be asked again; the zero time where that is now.
	Next time.Time
}

// Robots is what a robots.txt says to us (RFC 9309).
type Robots struct {
	Origin string // scheme://host[:port]
	// IsBeingAsked says that requests wait for the reply.
	IsBeingAsked bool
	// Asked is when it was asked for, and Until how long that holds; both are zero before the first reply.
	Asked, Until time.Time
	// Status is that of the reply; 0: none came.
	Status int
	// Error is why it could not be had, and why nothing is asked until then; "" where it could, or there is none.
	Error string
	// Rules are the first [MostRules] lines that hold for us, as they are understood, and Total is how many there are.
	// Without any, all is allowed.
	Rules []string
	Total int
	// Delay is its Crawl-delay, up to Options.MaxCrawlDelay.
	Delay time.Duration
}

// MostRules is how many lines of a robots.txt [Robots] shows.
const MostRules = 50

// hostLog remembers the last request to each host.
type hostLog struct {
	mutex sync.Mutex
	last  map[string]Exchange
}

// mostLogged bounds how many hosts are remembered. Beyond, some are forgotten.
const mostLogged = 1 << 14

// note remembers what came of a request.
func (l *hostLog) note(a *answer) {
	e := Exchange{URI: a.uri, Time: a.start.UTC(), Walltime: time.Since(a.start).Seconds()}
	if a.failure != nil {
		e.Error = a.failure.Error()
	}
	if a.reply != nil {
		e.Status = a.reply.StatusCode
	}
	if e.Status == 0 && e.Error == "" { // it was given up before it was sent
		return
	}
	host := hostOf(a.permit.url)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.last == nil {
		l.last = map[string]Exchange{}
	}
	for other := range l.last {
		if len(l.last) < mostLogged {
			break
		}
		delete(l.last, other)
	}
	if before, ok := l.last[host]; !ok || !before.Time.After(e.Time) {
		l.last[host] = e
	}
}

// of is the last request to a host; nil if none is remembered.
func (l *hostLog) of(host string) *Exchange {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	e, ok := l.last[host]
	if !ok {
		return nil
	}
	return &e
}

// Known is what is known of a host, NAME or NAME:PORT. It asks nobody.
func (f *Fetcher) Known(ctx context.Context, host string) (known HostKnown, err error) {
	known.Last = f.hosts.of(host)
	for _, scheme := range []string{"https", "http", "ftp"} {
		u := &url.URL{Scheme: scheme, Host: host}
		if is, ok := f.robots.told(originOf(u), f.options.MaxCrawlDelay); ok {
			known.Robots = append(known.Robots, is)
		}
		manners, err := f.manners(ctx, u)
		if err != nil {
			return known, err
		}
		known.Delay = max(known.Delay, manners.Delay)
	}
	if next := f.turns.nextOf(host); next.After(time.Now()) {
		known.Next = next.UTC()
	}
	return known, nil
}

// nextOf is when a host may be asked again.
func (t *turns) nextOf(host string) time.Time {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if h := t.hosts[host]; h != nil {
		return h.next()
	}
	return time.Time{}
}

// told is what is remembered of the rules of an origin, and whether anything is.
func (r *robots) told(origin string, mostDelay time.Duration) (is Robots, ok bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	is = Robots{Origin: origin, IsBeingAsked: r.asking[origin] != nil}
	found := r.find(origin)
	if found == nil {
		return is, is.IsBeingAsked
	}
	is.Asked, is.Until = found.asked.UTC(), found.till.UTC()
	is.Status = cmp.Or(found.status, found.failed.Status)
	if found.err != nil {
		is.Error = found.err.Error()
	}
	if found.set == nil {
		return is, true
	}
	is.Delay, is.Total = min(found.set.delay, mostDelay), len(found.set.rules)
	for i := range found.set.rules[:min(is.Total, MostRules)] {
		is.Rules = append(is.Rules, found.set.rules[i].line())
	}
	return is, true
}

// line is a rule as a robots.txt writes it.
func (r *pathRule) line() string {
	name, ends := "Disallow: ", ""
	if r.allow {
		name = "Allow: "
	}
	if r.ends {
		ends = "$"
	}
	return name + r.pattern + ends
}
