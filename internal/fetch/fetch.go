// Package fetch gets documents by HTTP, politely: it says who it is, asks
// robots.txt, waits between requests to one host, and asks nothing of addresses
// that are not public.
//
//	fetcher := fetch.New(fetch.Options{UserAgent: "Laundromat/1.0 (+mailto:…)"})
//	defer fetcher.Close()
//	result, err := fetcher.Get(ctx, "https://example.org/data.ttl", file)
//
// Bytes are written as they come: nothing is unpacked on the way, whatever the
// Content-Encoding. Every reply of the redirect chain is recorded. A body that is
// shorter than it was said to be is kept, with a notice; what else goes wrong is
// a *fault.Error whose kind says whether to try again.
//
// Which host's turn it is, is not decided here but by the list of seeds. Only
// those requests that follow from one another in a single Get (robots.txt, then
// the document; redirects) are spaced here, by a limiter a host.
//
// No proxy is used: the address that is connected to must be the host's own, for
// the guard against private addresses to mean something.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"

	"code.dny.dev/ssrf"

	"laundromat/internal/fault"
)

// Options say how to fetch. Zero values are the defaults.
type Options struct {
	// UserAgent names the program and how to reach who runs it. What stands before
	// the first "/" is the name that robots.txt is asked about. "Laundromat".
	UserAgent string
	// AllowPrivate permits addresses that are not public: local networks, loopback.
	AllowPrivate bool
	// ConnectTimeout bounds a connection, and then its TLS handshake: 30 s.
	ConnectTimeout time.Duration
	// HeaderTimeout bounds the wait from the request to the reply's headers: 60 s.
	HeaderTimeout time.Duration
	// IdleTimeout is how long a body may be silent: 60 s. A body may take for ever
	// as long as something comes.
	IdleTimeout time.Duration
	// MaxBytes is the longest body that is taken: 1 TiB.
	MaxBytes int64
	// HostDelay is the least time between requests to one host: none.
	HostDelay time.Duration
	// IgnoreRobots does not ask robots.txt: for what a person asks for by hand.
	IgnoreRobots bool
	// Transport answers instead of the network; the timeouts of connection and
	// handshake, and the guard against private addresses, are then its own business.
	Transport http.RoundTripper
}

const (
	maxRedirects  = 10
	defaultBytes  = 1 << 40
	keptText      = 1000     // characters of what came with a failure
	drained       = 16 << 10 // bytes of an unwanted body that are read so that its connection can serve again
	drainTime     = 10 * time.Second
	maxReplyBytes = 256 << 10
	maxIdle       = 100 // connections that wait for another request
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
}

// Fetcher fetches. It is safe for use by several goroutines.
type Fetcher struct {
	options Options
	round   http.RoundTripper
	own     *http.Transport // round, if it is the network; else nil
	waits   waits
	robots  robots
}

// New makes a Fetcher. Close gives back its idle connections.
func New(options Options) *Fetcher {
	options.applyDefaults()
	f := &Fetcher{options: options, round: options.Transport}
	if f.round == nil {
		f.own = network(options)
		f.round = f.own
	}
	return f
}

// Close closes connections that are kept for another request. The Fetcher can be
// used afterwards.
func (f *Fetcher) Close() {
	if f.own != nil {
		f.own.CloseIdleConnections()
	}
}

// network is the transport over real connections.
func network(o Options) *http.Transport {
	dialer := &net.Dialer{Timeout: o.ConnectTimeout, KeepAlive: 30 * time.Second}
	if !o.AllowPrivate {
		dialer.Control = ssrf.New(ssrf.WithAnyPort()).Safe
	}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    o.ConnectTimeout,
		ResponseHeaderTimeout:  o.HeaderTimeout,
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxReplyBytes,
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    maxIdle, // how many are used at once is decided elsewhere
		IdleConnTimeout:        30 * time.Second,
		ForceAttemptHTTP2:      true,
	}
}

// Result is what a fetch found. It is complete up to where an error came.
type Result struct {
	Exchanges   []Exchange // every reply in order, and a connection that brought none
	FinalURI    string     // the last URI that was asked, without credentials and fragment: the base of what came
	ContentType string     // as the server said it; "" if it did not
	Bytes       int64      // that were written
	Notices     []fault.Notice
	// SourceText is the beginning of what a server sent with a failure: at most
	// 1,000 characters.
	SourceText string
}

// Get fetches uri and writes the body as it comes to to. It follows at most ten
// redirects. The Result is never nil.
//
// Errors are *fault.Error: of kind Remote (worth another try, after the time that
// the server named), Refused, Limit (limit/bytes), or Local if to failed; or they
// wrap ctx.Err().
func (f *Fetcher) Get(ctx context.Context, uri string, to io.Writer) (*Result, error) {
	result := &Result{}
	u, err := parseURI(uri)
	if err != nil {
		return result, err
	}
	var asked []string
	for {
		result.FinalURI = base(u)
		asking := withoutFragment(u).String()
		if slices.Contains(asked, asking) {
			return result, fault.New("fetch.Get", fault.Refused, fault.HTTPRedirectLoop, "redirects lead back to %s", shown(u))
		}
		if len(asked) > maxRedirects {
			return result, fault.New("fetch.Get", fault.Refused, fault.HTTPTooManyRedirects, "more than %d redirects, the last to %s", maxRedirects, shown(u))
		}
		asked = append(asked, asking)
		if !f.options.IgnoreRobots {
			if err := f.allowed(ctx, u); err != nil {
				return result, err
			}
		}
		next, err := f.step(ctx, u, to, result)
		if err != nil || next == nil {
			return result, err
		}
		u = next
	}
}

// step asks one URI: for its body, which it writes, or for where to ask next.
func (f *Fetcher) step(ctx context.Context, u *url.URL, to io.Writer, result *Result) (*url.URL, error) {
	a, err := f.ask(ctx, u, accepted)
	if a == nil {
		return nil, err // we were told to stop before anything was asked
	}
	defer a.close()
	defer func() { result.Exchanges = append(result.Exchanges, a.exchange()) }()
	if err != nil {
		a.failure = err
		return nil, err
	}
	status := a.reply.StatusCode
	switch {
	case isRedirect(status):
		a.discard()
		return target(u, a.reply)
	case status < 200 || status > 299:
		result.SourceText = a.beginning()
		return nil, statusError(a.reply)
	}
	result.ContentType = a.reply.Header.Get("Content-Type")
	if length := a.reply.ContentLength; length > f.options.MaxBytes {
		a.failure = tooLong(f.options.MaxBytes)
		return nil, a.failure
	}
	result.Bytes, err = a.copy(to, f.options.MaxBytes)
	if errors.Is(err, errShort) {
		err = nil
		message := fmt.Sprintf("the body ended after %d bytes, before its end", result.Bytes)
		if a.reply.ContentLength > 0 {
			message = fmt.Sprintf("the body ended after %d of %d bytes", result.Bytes, a.reply.ContentLength)
		}
		result.Notices = append(result.Notices, fault.Notice{Code: fault.HTTPShortBody, Severity: fault.Drop, Lost: 1, Message: message})
	}
	a.failure = err
	return nil, err
}

func tooLong(most int64) error {
	return fault.New("fetch.Get", fault.Limit, fault.LimitBytes, "the body is longer than %d bytes", most)
}

// accepted asks for RDF in the order of what is read fastest and best. Pages come
// last, for they may hold RDFa, and then whatever there is.
const accepted = "application/n-quads, application/n-triples, application/trig;q=0.95, text/turtle;q=0.95, " +
	"application/rdf+xml;q=0.9, application/ld+json;q=0.8, application/xhtml+xml;q=0.5, text/html;q=0.4, */*;q=0.1"
