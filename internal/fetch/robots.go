package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"laundromat/internal/fault"
)

const (
	maxRobots          = 500 << 10 // bytes of a robots.txt that are read (RFC 9309 §2.5)
	maxRobotsRedirects = 5         // RFC 9309 §2.3.1.2
	robotsLife         = 24 * time.Hour
	robotsFailureLife  = 5 * time.Minute // a server in trouble is not asked for each of its documents
	robotsTime         = time.Minute     // that its body may take
	robotsMemory       = 64 << 20
	robotsFactor       = 8 // bytes that a byte of a pattern takes when it is read; most are short
)

// robots remembers what hosts let us do.
type robots struct {
	mutex  sync.Mutex
	rules  map[string]*rules
	bytes  int64
	asking map[string]chan struct{} // closed when the question for an origin's rules has ended
}

// rules are what one host's robots.txt says.
type rules struct {
	set *ruleSet     // nil: all is allowed
	err *fault.Error // why it could not be asked
	// failed is the exchange that brought err.
	failed Exchange
	asked  time.Time
	status int // of the reply that brought them; 0: none did
	till   time.Time
	cost   int64
}

// allowed asks a host's robots.txt (RFC 9309). An answer 4xx means that all is
// allowed; 5xx, 429 or no answer that nothing is, for now.
func (f *Fetcher) allowed(ctx context.Context, u *url.URL, w waiting, result *Result) error {
	r, err := f.rules(ctx, u, w)
	if err != nil {
		return err
	}
	if r.err != nil {
		e := *r.err
		e.After = max(time.Until(r.till), 0)
		result.Exchanges = append(result.Exchanges, r.failed)
		return &e
	}
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	if u.RawQuery != "" || u.ForceQuery {
		path += "?" + u.RawQuery
	}
	if r.set != nil && path != "/robots.txt" && !r.set.allows(path) {
		return fault.New("fetch.Get", fault.Refused, fault.RobotsDisallowed, "robots.txt of %s does not let us read %s", u.Host, path)
	}
	return nil
}

// rules are those of u's host: as remembered, or as they are now. Several who need
// them at once ask once.
func (f *Fetcher) rules(ctx context.Context, u *url.URL, w waiting) (r *rules, err error) {
	origin := originOf(u)
	for {
		var others <-chan struct{}
		r, others = f.robots.begin(origin)
		switch {
		case r != nil:
			return r, nil
		case others == nil:
			defer func() { f.robots.end(origin, r) }()
			asked := time.Now()
			if r, err = f.askRobots(ctx, u, w); r != nil {
				r.asked = asked
			}
			return r, err
		}
		select {
		case <-others:
		case <-ctx.Done():
			return nil, fmt.Errorf("fetch: %w", ctx.Err())
		}
	}
}

func originOf(u *url.URL) string { return strings.ToLower(u.Scheme + "://" + u.Host) }

// crawlDelay is the time between two requests that u's host is known to ask for.
func (f *Fetcher) crawlDelay(u *url.URL) time.Duration {
	if f.options.IgnoreRobots {
		return 0
	}
	r := f.robots.of(originOf(u))
	if r == nil || r.set == nil {
		return 0
	}
	return min(r.set.delay, f.options.MaxCrawlDelay)
}

// agent is the name that robots.txt knows us by.
func (f *Fetcher) agent() string {
	return productToken(strings.TrimSpace(f.options.UserAgent))
}

// askRobots fetches the rules of u's host. Its error is one that the document
// itself would meet: we were stopped, or the host is none.
func (f *Fetcher) askRobots(ctx context.Context, u *url.URL, w waiting) (*rules, error) {
	if isFTP(u) {
		return f.askRobotsFTP(ctx, u, w)
	}
	at := &url.URL{Scheme: u.Scheme, Host: u.Host, User: u.User, Path: "/robots.txt"}
	var given cookies
	for range maxRobotsRedirects + 1 {
		a, err := f.ask(ctx, at, query{"text/plain, */*;q=0.1", nil, &given}, w)
		if a == nil {
			return nil, err
		}
		if err != nil {
			defer a.close()
			if fault.KindOf(err) == fault.Remote {
				a.failure = err
				return f.failedRules(a, err, fault.CodeOf(err)), nil
			}
			return nil, err
		}
		r, next, err := f.read(a, at)
		a.close()
		if r != nil {
			r.status = statusOf(a.reply)
		}
		if r != nil || err != nil {
			return r, err
		}
		at = next
	}
	return f.newRules(nil), nil // too many redirects: as if there were none (RFC 9309 §2.3.1.2)
}

// read reads a reply to the question for robots.txt; or where it leads.
func (f *Fetcher) read(a *answer, at *url.URL) (*rules, *url.URL, error) {
	status := a.reply.StatusCode
	switch {
	case isRedirect(status):
		a.discard()
		next, err := target(at, a.reply)
		if err != nil {
			return f.newRules(nil), nil, nil
		}
		return nil, next, nil
	case status >= 500, status == http.StatusTooManyRequests:
		a.discard()
		return f.failedRules(a, statusError(a.reply), fault.RobotsUnreachable), nil, nil
	case status < 200 || status > 299:
		a.discard()
		return f.newRules(nil), nil, nil
	}
	defer a.within(robotsTime)()
	body, err := io.ReadAll(io.LimitReader(a, maxRobots))
	if err != nil && (a.ctx.Err() != nil || context.Cause(a.inner) == errHostLost) {
		return nil, nil, a.judge(err)
	}
	if err != nil && len(body) == 0 {
		a.failure = a.judge(err)
		return f.failedRules(a, a.failure, fault.RobotsUnreachable), nil, nil
	}
	return f.newRules(unpacked(body, maxRobots)), nil, nil
}

// newRules reads a robots.txt, of which what it says to us is kept.
func (f *Fetcher) newRules(body []byte) *rules {
	r := &rules{till: time.Now().Add(robotsLife), cost: 1 << 10}
	if len(body) >= maxRobots { // what was cut off may have made another rule of the last line
		body = body[:bytes.LastIndexAny(body, "\r\n")+1]
	}
	set := parseRules(body, f.agent())
	if len(set.rules) == 0 && set.delay == 0 {
		return r
	}
	r.set = set
	for i := range set.rules {
		r.cost += int64(len(set.rules[i].pattern))*robotsFactor + 100
	}
	return r
}

// failedRules forbid all for a while, which is no shorter than the server asked for. The exchange
// is that of each document that they forbid.
func (f *Fetcher) failedRules(a *answer, err error, code fault.Code) *rules {
	e := fault.New("fetch.Get", fault.Remote, code, "robots.txt can't be read: %w", err)
	life := f.options.RobotsRetry
	var inner *fault.Error
	if errors.As(err, &inner) {
		life = max(life, min(inner.After, f.options.MaxRest))
	}
	r := &rules{err: e, failed: a.exchange(), till: time.Now().Add(life), cost: 1 << 10}
	r.failed.Robots = true
	for name, values := range r.failed.Headers {
		for _, value := range values {
			r.cost += int64(len(name) + len(value))
		}
	}
	return r
}

// begin is what is remembered of an origin, or else a channel that is closed when another caller
// has asked for its rules. If it is neither, the caller asks, and calls end.
func (r *robots) begin(origin string) (*rules, <-chan struct{}) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if found := r.find(origin); found != nil {
		return found, nil
	}
	if others := r.asking[origin]; others != nil {
		return nil, others
	}
	if r.asking == nil {
		r.asking = map[string]chan struct{}{}
	}
	r.asking[origin] = make(chan struct{})
	return nil, nil
}

// end remembers what came of the question for an origin's rules; nil for nothing.
func (r *robots) end(origin string, n *rules) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	close(r.asking[origin])
	delete(r.asking, origin)
	if n != nil {
		r.keep(origin, n)
	}
}

// of is what is remembered of an origin; nil if nothing.
func (r *robots) of(origin string) *rules {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.find(origin)
}

func (r *robots) find(origin string) *rules {
	found := r.rules[origin]
	if found != nil && time.Now().After(found.till) {
		r.bytes -= found.cost
		delete(r.rules, origin)
		return nil
	}
	return found
}

// keep remembers the rules of an origin, and forgets others at random where they
// grow too large together. The lock is held.
func (r *robots) keep(origin string, n *rules) {
	if old := r.rules[origin]; old != nil {
		r.bytes -= old.cost
	}
	if r.rules == nil {
		r.rules = map[string]*rules{}
	}
	r.rules[origin] = n
	r.bytes += n.cost
	for other, old := range r.rules {
		if r.bytes <= robotsMemory {
			return
		}
		if other != origin {
			r.bytes -= old.cost
			delete(r.rules, other)
		}
	}
}
