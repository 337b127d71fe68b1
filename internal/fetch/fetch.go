// Package fetch gets documents by HTTP and FTP, politely. It says who it is, asks robots.txt, and
// waits between requests to one host. It asks nothing of addresses that are not public.
//
//	fetcher := fetch.New(fetch.Options{UserAgent: "Laundromat/1.0 (+mailto:…)"})
//	defer fetcher.Close()
//	result, err := fetcher.Get(ctx, "https://example.org/data.ttl", file)
//
// Bytes are written as they come: nothing is unpacked on the way, whatever the Content-Encoding.
// Every reply of the redirect chain is recorded. A body that is shorter than it was said to be is
// kept, with a notice. All else that goes wrong is a *fault.Error, whose kind says whether to try
// again.
//
// Which host's turn it is, is not decided here but by the list of seeds. But each
// request is sent here, and not only those that the list knows of: robots.txt,
// redirects to another host, the pages of a catalog. So it is here that the
// [Manners] of a host are kept, whoever asks it.
//
// A proxy connects to hosts in our place, so that the guard against private addresses can only look at the name
// or address that the proxy is asked for ([Network]).
package fetch

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"code.dny.dev/ssrf"

	"laundromat/internal/fault"
)

// Options say how to fetch. Zero values are the defaults.
type Options struct {
	// UserAgent names the program and how to reach who runs it. What is before the first "/" is the
	// name that robots.txt is asked about. "Laundromat".
	UserAgent string
	// AllowPrivate permits addresses that are not public: local networks, loopback.
	AllowPrivate bool
	// AllowFile permits the files of this machine (file:) to be read. No redirect leads to one.
	AllowFile bool
	// ConnectTimeout bounds a connection, and then its TLS handshake: 30 s.
	ConnectTimeout time.Duration
	// HeaderTimeout bounds the wait from the request to the reply's headers: 60 s.
	HeaderTimeout time.Duration
	// IdleTimeout is how long a body may be silent: 60 s. A body may take for ever
	// as long as LeastSpeed is kept.
	IdleTimeout time.Duration
	// MaxBytes is the longest body that is taken: 1 TiB.
	MaxBytes int64
	// LeastSpeed is how many bytes a second of a body must come, taken over each
	// IdleTimeout: 100. Below 0: no matter how few.
	LeastSpeed int64
	// Bandwidth is shared by all bodies; nil: no bound.
	Bandwidth *Bandwidth
	// ResumePause is the pause before a body that broke off is gone on with; it doubles
	// each time: 1 s.
	ResumePause time.Duration
	// HostDelay is the least time between requests to one host, from the end of one to
	// the beginning of the next: none.
	HostDelay time.Duration
	// HostConnections is the number of requests to one host at once: no bound.
	HostConnections int
	// Manners are those of a host, in place of HostDelay and HostConnections; nil: none
	// has its own. It is asked before every request, by a name as in [Shown]. With an error, no
	// request is sent.
	Manners func(ctx context.Context, host string) (Manners, error)
	// Leases gives hosts to this process; nil: it has all to itself.
	Leases Leases
	// AddressConnections is the number of connections at once to one IP address, whatever the names of its
	// hosts. With Leases, that is over all processes. 0: no bound.
	AddressConnections int
	// MaxRest is the longest Retry-After that is kept: 1 h.
	MaxRest time.Duration
	// RobotsRetry is how long a robots.txt that could not be had is not asked for again: 5 min.
	RobotsRetry time.Duration
	// MaxCrawlDelay is the longest Crawl-delay of a robots.txt that is kept: 30 s.
	MaxCrawlDelay time.Duration
	// IgnoreRobots does not ask robots.txt: for what a person asks for by hand.
	IgnoreRobots bool
	// Transport answers instead of the network; the timeouts of connection and
	// handshake, and the guard against private addresses, are then its own business.
	Transport http.RoundTripper
	// Network is the way to hosts: proxies, certificates, and access to single ones. nil: direct.
	Network *Network
	// Offline says why this machine can't use the network. It is asked when a host can't be
	// looked up or reached. nil: with Transport nothing, else what the machine says.
	Offline func(context.Context) error
}

const (
	maxRedirects  = 20 // as browsers do
	defaultBytes  = 1 << 40
	keptText      = 1000     // characters of what came with a failure
	drained       = 16 << 10 // bytes of an unwanted body that are read so that its connection can serve again
	drainTime     = 10 * time.Second
	maxReplyBytes = 256 << 10
	maxIdle       = 500 // connections that wait for another request: one each of so many hosts
)

func (o *Options) applyDefaults() {
	if o.UserAgent == "" {
		o.UserAgent = "Laundromat"
	}
	if o.ConnectTimeout <= 0 {
		o.ConnectTimeout = 30 * time.Second
	}
	if o.HeaderTimeout <= 0 {
		o.HeaderTimeout = 60 * time.Second
	}
	if o.IdleTimeout <= 0 {
		o.IdleTimeout = 60 * time.Second
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = defaultBytes
	}
	if o.LeastSpeed == 0 {
		o.LeastSpeed = 100
	}
	if o.MaxCrawlDelay <= 0 {
		o.MaxCrawlDelay = 30 * time.Second
	}
	if o.ResumePause <= 0 {
		o.ResumePause = time.Second
	}
	if o.MaxRest <= 0 {
		o.MaxRest = time.Hour
	}
	if o.Offline == nil {
		o.Offline = probeNetwork
		if o.Transport != nil {
			o.Offline = func(context.Context) error { return nil }
		}
	}
	if o.RobotsRetry <= 0 {
		o.RobotsRetry = robotsFailureLife
	}
}

// Fetcher fetches. It is safe for use by several goroutines.
type Fetcher struct {
	options Options
	round   http.RoundTripper
	own     *http.Transport      // round, if it is the network; else nil
	ways    atomic.Pointer[ways] // in place of own; nil: none but that
	roots   *x509.CertPool       // of certificates; nil: those of the system
	turns   turns
	hosts   hostLog
	// addresses are the turns of IP addresses.
	addresses turns
	conns     connections
	robots    robots
	offline   offline
}

// New makes a Fetcher. Close gives back its idle connections.
func New(options Options) *Fetcher {
	options.applyDefaults()
	f := &Fetcher{options: options, round: options.Transport, offline: offline{probe: options.Offline}}
	if f.round == nil {
		f.own = f.network()
		f.round = f.own
		if options.Network != nil {
			f.SetNetwork(options.Network)
		}
	}
	return f
}

// SetNetwork changes the way to hosts for the requests to come.
func (f *Fetcher) SetNetwork(n *Network) {
	if n != nil && f.own != nil {
		f.ways.Store(newWays(f, n))
	}
}

// send sends a request by the way to its host.
func (f *Fetcher) send(request *http.Request) (*http.Response, error) {
	if w := f.ways.Load(); w != nil {
		return w.RoundTrip(request)
	}
	return f.round.RoundTrip(request)
}

// isProxied says that a proxy is asked for a URL in place of its host.
func (f *Fetcher) isProxied(u *url.URL) (isProxied, own bool) {
	w := f.ways.Load()
	if w == nil {
		return false, false
	}
	proxy, own, err := w.network.proxy(u)
	return proxy != nil && err == nil, own
}

// Close closes connections that are kept for another request. The Fetcher can be
// used afterwards.
func (f *Fetcher) Close() {
	if f.own != nil {
		f.own.CloseIdleConnections()
	}
	if w := f.ways.Load(); w != nil {
		w.close()
	}
}

// network is the transport over real connections.
func (f *Fetcher) network() *http.Transport {
	return &http.Transport{
		DialContext:            f.dialPlain,
		DialTLSContext:         f.dialTLS,
		ResponseHeaderTimeout:  f.options.HeaderTimeout,
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxReplyBytes,
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    maxIdle, // how many are used at once is decided elsewhere
		IdleConnTimeout:        30 * time.Second,
		ForceAttemptHTTP2:      true,
	}
}

// dialer connects, but not to addresses that are not public, unless they are allowed.
func (o *Options) dialer() *net.Dialer {
	dialer := &net.Dialer{Timeout: o.ConnectTimeout, KeepAlive: 30 * time.Second}
	if !o.AllowPrivate {
		dialer.Control = ssrf.New(ssrf.WithAnyPort()).Safe
	}
	return dialer
}

// Result is what a fetch found. It is complete up to where an error came.
type Result struct {
	// Exchanges are every reply in order, and a connection that brought none. That for a robots.txt is there only
	// if it could not be had, so that the document was not asked for.
	Exchanges   []Exchange
	FinalURI    string   // the last URI that was asked, without credentials and fragment: the base of what came
	ContentType string   // as the server said it; "" if it did not
	Codings     []string // of the content, as the server said them, in the order in which they were applied
	Bytes       int64    // of the body that the writer holds
	Notices     []fault.Notice
	// SourceText is the beginning of what a server sent with a failure: at most
	// 1,000 characters.
	SourceText string
	// NotModified says that nothing was written: what [Request.Known] speaks of is
	// what the server still has.
	NotModified bool
	// Part is how far a body came that broke off with an error; nil if another fetch can't go on
	// with it. It is for the Request of another fetch into the same writer.
	Part *Part
	// Shown is what each host on the way showed of how much it has to do, that of the
	// URI first.
	Shown []Shown
}

// Get fetches uri and writes the body as it comes to to. It follows at most twenty
// redirects. The Result is never nil.
//
// Errors wrap ctx.Err(), or they are *fault.Error. Their kind is Remote (worth another try, after
// the time that the server named), Refused, Limit (limit/bytes), or Local if to failed.
func (f *Fetcher) Get(ctx context.Context, uri string, to io.Writer) (*Result, error) {
	return f.Do(ctx, Request{URI: uri, KeepShort: true}, to)
}

// Do is Get with what is known already (RFC 9110 §13, §14). What did not change is not sent again,
// and a body that broke off is continued where the server can.
func (f *Fetcher) Do(ctx context.Context, request Request, to io.Writer) (*Result, error) {
	if IsFile(request.URI) {
		return f.file(ctx, request, to)
	}
	result := &Result{}
	u, err := parseURI(request.URI)
	if err != nil {
		return result, err
	}
	t := newTransfer(u, &request, to, result)
	w := waiting{patience: request.Patience}
	if request.Claimed {
		w.claimed = hostOf(u)
	}
	t.waiting = w
	var asked []string
	for {
		result.FinalURI = base(u)
		asking := withoutFragment(u).String() + "\n" + t.cookies.of(u) // what a cookie was set for is another question
		if slices.Contains(asked, asking) {
			return result, fault.New("fetch.Get", fault.Refused, fault.HTTPRedirectLoop, "redirects lead back to %s", shown(u))
		}
		if len(asked) > maxRedirects {
			return result, fault.New("fetch.Get", fault.Refused, fault.HTTPTooManyRedirects, "more than %d redirects, the last to %s",
				maxRedirects, shown(u))
		}
		asked = append(asked, asking)
		if !f.options.IgnoreRobots {
			err := f.allowed(ctx, u, w, result)
			result.showed(u, func(s *Shown) { s.Delay = f.crawlDelay(u) })
			if err != nil {
				return result, first(err, len(asked) == 1 && request.Patience > 0)
			}
		}
		next, err := f.step(ctx, u, t, result)
		for err == nil && next == u {
			if err = f.pause(ctx, t.breaks); err != nil {
				break
			}
			next, err = f.step(ctx, u, t, result)
		}
		if fault.KindOf(err) == fault.Remote && fault.CodeOf(err) != fault.TransportHostPaused {
			if err = t.giveUp(result, err); err == nil {
				return result, nil
			}
		}
		if err != nil && fault.KindOf(err) != fault.Remote && fault.CodeOf(err) != fault.TransportHostResting {
			result.Part = nil
		}
		if err != nil || next == nil {
			return result, first(err, len(asked) == 1 && request.Patience > 0)
		}
		if u = withCredentials(t.first, next); u == t.first { // begun anew, which is no circle
			asked = nil
			if err := f.pause(ctx, t.breaks); err != nil {
				return result, err
			}
		}
	}
}

// first makes a pause of the host that is asked first no fault of its document. A caller that is
// patient knows of the pause from the list of seeds, only later than this.
func first(err error, is bool) error {
	var e *fault.Error
	if is && fault.CodeOf(err) == fault.TransportHostPaused && errors.As(err, &e) {
		stopped := *e
		stopped.Kind, stopped.After = fault.Stopped, 0
		return &stopped
	}
	return err
}

// pause waits before a body is gone on with for the nth time in a row. A part that came as it was
// promised is no break, and asks for no other pause than any request.
func (f *Fetcher) pause(ctx context.Context, n int) error {
	if n == 0 {
		return nil
	}
	timer := time.NewTimer(min(f.options.ResumePause<<max(n-1, 0), resumeMax))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("fetch: %w", ctx.Err())
	}
}

// step asks one URI: for its body, which it writes, or for where to ask next. That
// is u itself if the body broke off and can be gone on with.
func (f *Fetcher) step(ctx context.Context, u *url.URL, t *transfer, result *Result) (*url.URL, error) {
	if isFTP(u) {
		return f.stepFTP(ctx, u, t, result)
	}
	sent := t.cookies.of(u)
	a, err := f.ask(ctx, u, query{cmp.Or(t.request.Accept, accepted), t.conditions(u), &t.cookies}, t.waiting)
	if a == nil {
		result.Part = t.part
		return nil, err // we were asked to stop, or to wait, before anything was asked
	}
	defer a.close()
	defer func() {
		result.showed(u, func(s *Shown) { s.Busy, s.Rest = a.isBusy(), max(s.Rest, a.rest) })
	}()
	defer func() {
		if t.parts > keptParts {
			result.Exchanges = result.Exchanges[:len(result.Exchanges)-1]
		}
		result.Exchanges = append(result.Exchanges, a.exchange())
	}()
	result.Part = t.part
	if err != nil {
		a.failure = err
		return nil, err
	}
	result.showed(u, func(s *Shown) { s.Latency = max(s.Latency, a.latency) })
	status, ranged := statusOf(a.reply), a.conditions["Range"] != ""
	if status == http.StatusPartialContent && !ranged && isWholeRange(a.reply) {
		status = http.StatusOK
	}
	switch {
	case isRedirect(status), status == http.StatusMultipleChoices && a.reply.Header.Get("Location") != "":
		a.discard()
		return target(u, a.reply)
	case status == http.StatusNotModified && !ranged && len(a.conditions) > 0:
		result.NotModified = true
		return nil, nil
	case status == http.StatusPartialContent && !ranged && !t.begins(a.reply):
		a.discard()
		return nil, fault.New("fetch.Get", fault.Remote, fault.HTTPMalformed, "a part was sent, and the whole was asked for")
	case ranged && !t.isRest(u, a.reply, result):
		a.discard()
		return t.withoutRest(u, a.reply, result)
	case !isDocument(a.reply):
		result.SourceText = a.beginning()
		if isProxied, own := f.isProxied(u); isProxied && status == http.StatusProxyAuthRequired {
			e := &proxyError{err: errors.New(statusText(a.reply)), status: status, own: own}
			kind, code := e.judged()
			return nil, &fault.Error{Op: "fetch.Get", Kind: kind, Code: code, Err: e}
		}
		return nil, statusError(a.reply)
	}
	if status != http.StatusPartialContent || !ranged {
		if next := a.refreshed(u, sent, &t.cookies); next != nil {
			a.discard()
			return next, nil
		}
		if err := t.restart(); err != nil {
			return nil, local(err)
		}
		result.ContentType = a.reply.Header.Get("Content-Type")
		result.Codings = codings(a.reply.Header)
	}
	return f.take(u, a, t, result)
}

// codings are those of a body, in the order in which they were applied.
func codings(header http.Header) (all []string) {
	for _, value := range header["Content-Encoding"] {
		for coding := range strings.SplitSeq(value, ",") {
			if coding = strings.ToLower(strings.TrimSpace(coding)); coding != "" && coding != "identity" {
				all = append(all, coding)
			}
		}
	}
	return all
}

// take writes the body of a reply.
func (f *Fetcher) take(u *url.URL, a *answer, t *transfer, result *Result) (*url.URL, error) {
	most := f.options.MaxBytes - t.written
	if a.reply.ContentLength > most {
		a.failure = tooLong(f.options.MaxBytes)
		return nil, a.failure
	}
	if t.total = -1; a.reply.ContentLength >= 0 {
		t.total = t.written + a.reply.ContentLength
	}
	part, isPart := partIn(a.reply)
	if isPart {
		most = min(most, part.last-part.first+1)
		if t.total = part.total; t.total < 0 && t.part != nil {
			t.total = t.part.Total
		}
	}
	if t.request.Sized != nil {
		t.request.Sized(max(t.total, 0))
	}
	n, err := a.copy(t.to, most)
	t.written += n
	result.Bytes = t.written
	if fault.CodeOf(err) == fault.LimitBytes {
		if t.written < f.options.MaxBytes && isPart {
			return t.anew(u, errOtherPart)
		}
		err = tooLong(f.options.MaxBytes)
	}
	t.short, t.open = errors.Is(err, errShort), false
	if (t.short || fault.KindOf(err) == fault.Remote) && t.written > 0 && t.request.Whole != nil && t.request.Whole(t.said(err)) {
		t.short, err = false, nil // what came has an end of its own, whatever was said of its length
	}
	a.failure = err
	if err == nil && isPart && t.written != t.total {
		if t.partCame(u, a, n, result); result.Part != nil {
			return u, nil
		}
		err = errShort
	}
	if err == nil || !t.short && fault.KindOf(err) != fault.Remote {
		result.Part = nil
		return nil, err
	}
	goOn := t.broke(u, a, n, result)
	if result.Part = t.part; goOn {
		return u, nil
	}
	if t.short {
		err = fault.New("fetch.Get", fault.Remote, fault.TransportConnectionReset, "%s", shortText(t.written, t.total))
	}
	return nil, err
}

// giveUp says what becomes of a body that broke off. What came of one that ended early is worth
// something if no other try is left, which may bring more. One that fell silent is tried again.
func (t *transfer) giveUp(result *Result, err error) error {
	if !t.short || t.written == 0 || !t.request.KeepShort {
		return err
	}
	result.Notices = append(result.Notices, fault.Notice{Code: fault.HTTPShortBody, Severity: fault.Drop, Lost: 1,
		Message: shortText(t.written, t.total)})
	result.Part = nil
	return nil
}

func shortText(n, of int64) string {
	if of > 0 {
		return fmt.Sprintf("the body ended after %d of %d bytes", n, of)
	}
	return fmt.Sprintf("the body ended after %d bytes, before its end", n)
}

func local(err error) error {
	if err == nil {
		return nil
	}
	return fault.New("fetch.Get", fault.Local, fault.LocalDisk, "begin the file anew: %w", err)
}

func tooLong(most int64) error {
	return fault.New("fetch.Get", fault.Limit, fault.LimitBytes, "the body is longer than %d bytes", most)
}

// accepted asks for RDF in the order of what is read fastest and best. Pages come
// last, for they may hold RDFa, and then whatever there is.
const accepted = "application/n-quads, application/n-triples, application/trig;q=0.95, text/turtle;q=0.95, " +
	"application/rdf+xml;q=0.9, application/ld+json;q=0.8, application/xhtml+xml;q=0.5, text/html;q=0.4, */*;q=0.1"
