package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"code.dny.dev/ssrf"

	"laundromat/internal/fault"
)

// Network is the way to hosts: proxies, certificates, and what single hosts are sent.
type Network struct {
	// Proxy is the proxy for a URL; nil: none.
	Proxy func(*url.URL) (*url.URL, error)
	// Roots are the authorities that certificates of hosts come from; nil: those of the system.
	Roots *x509.CertPool
	// Insecure are hosts whose certificates are not checked.
	Insecure []string
	// Hosts is the access to single hosts, by "https://host:port", "host:port", "https://host", "host" or "*.domain",
	// in lower case. The most exact name decides.
	Hosts map[string]*Access
}

// Access is what one host is sent, and by which way. It holds secrets: it goes into no record, log or message.
type Access struct {
	Header      http.Header
	Certificate *tls.Certificate
	Proxy       *url.URL
	// Direct uses no proxy.
	Direct bool
	// Delay and Connections bound the pace, where they ask for a slower one.
	Delay       time.Duration
	Connections int
}

// access is that to a URL; never nil.
func (n *Network) access(u *url.URL) *Access {
	if n == nil || len(n.Hosts) == 0 {
		return &Access{}
	}
	name, scheme := strings.ToLower(u.Hostname()), strings.ToLower(u.Scheme)+"://"
	names := []string{name}
	port := u.Port()
	if port == "" {
		port = map[string]string{"https://": "443", "http://": "80"}[scheme]
	}
	names = append([]string{net.JoinHostPort(name, port)}, names...)
	for rest := name; strings.Contains(rest, "."); {
		_, rest, _ = strings.Cut(rest, ".")
		names = append(names, "*."+rest)
	}
	for _, one := range names {
		for _, key := range []string{scheme + one, one} {
			if a := n.Hosts[key]; a != nil {
				return a
			}
		}
	}
	return &Access{}
}

// proxy is the proxy for a URL; own says that the access to the host names it.
func (n *Network) proxy(u *url.URL) (proxy *url.URL, own bool, err error) {
	if n == nil {
		return nil, false, nil
	}
	switch a := n.access(u); {
	case a.Direct:
		return nil, true, nil
	case a.Proxy != nil:
		return a.Proxy, true, nil
	case n.Proxy == nil:
		return nil, false, nil
	}
	proxy, err = n.Proxy(u)
	return proxy, false, err
}

// isInsecure says that the certificate of a host is not checked.
func (n *Network) isInsecure(host string) bool {
	return slices.ContainsFunc(n.Insecure, func(one string) bool { return strings.EqualFold(one, host) })
}

// ways sends requests by the ways that a network has.
type ways struct {
	f       *Fetcher
	network *Network

	mu         sync.Mutex
	transports map[string]*http.Transport
	dialled    map[string]bool // the proxies for all hosts that were used, as host:port
	passed     map[string]time.Time
}

func newWays(f *Fetcher, n *Network) *ways {
	return &ways{f: f, network: n, transports: map[string]*http.Transport{}, dialled: map[string]bool{}, passed: map[string]time.Time{}}
}

// RoundTrip sends a request with what its host is sent, by the way to it.
func (w *ways) RoundTrip(request *http.Request) (*http.Response, error) {
	access := w.network.access(request.URL)
	proxy, own, err := w.network.proxy(request.URL)
	if err != nil {
		return nil, &proxyError{err: err, own: own}
	}
	if proxy != nil {
		if err := w.guard(request.Context(), request.URL); err != nil {
			return nil, err
		}
	}
	if len(access.Header) > 0 {
		request = request.Clone(request.Context())
		for name, values := range access.Header {
			request.Header[name] = values
		}
	}
	return w.transport(request.URL, proxy, own, access).RoundTrip(request)
}

// transport is the one for a way.
func (w *ways) transport(u, proxy *url.URL, own bool, access *Access) *http.Transport {
	host := strings.ToLower(u.Hostname())
	isInsecure := w.network.isInsecure(host)
	if proxy == nil && access.Certificate == nil && !isInsecure {
		return w.f.own
	}
	key := ""
	if proxy != nil {
		key = proxy.String()
	}
	if access.Certificate != nil || isInsecure {
		key += " " + host
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if t := w.transports[key]; t != nil {
		return t
	}
	config := &tls.Config{RootCAs: w.f.roots, InsecureSkipVerify: isInsecure, MinVersion: tls.VersionTLS12}
	if w.network.Roots != nil {
		config.RootCAs = w.network.Roots
	}
	if access.Certificate != nil {
		config.Certificates = []tls.Certificate{*access.Certificate}
	}
	t := w.f.network()
	w.transports[key] = t
	if proxy == nil {
		t.DialTLSContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			return w.f.dialSecure(ctx, network, address, config.Clone())
		}
		return t
	}
	dialer := &net.Dialer{Timeout: w.f.options.ConnectTimeout, KeepAlive: 30 * time.Second}
	t.Proxy, t.TLSClientConfig, t.TLSHandshakeTimeout, t.DialTLSContext = http.ProxyURL(proxy), config, w.f.options.ConnectTimeout, nil
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dialer.DialContext(ctx, network, address)
		if !own {
			w.mu.Lock()
			w.dialled[address] = true
			w.mu.Unlock()
		}
		if err != nil {
			return nil, &proxyError{err: err, own: own}
		}
		return conn, nil
	}
	t.OnProxyConnectResponse = func(_ context.Context, _ *url.URL, _ *http.Request, reply *http.Response) error {
		if reply.StatusCode == http.StatusOK {
			return nil
		}
		return &proxyError{err: errors.New(statusText(reply)), status: reply.StatusCode, own: own}
	}
	return t
}

// offline says why the proxies for all hosts can't be reached; it is false where none was used.
func (w *ways) offline(ctx context.Context) (isProxied bool, err error) {
	w.mu.Lock()
	var all []string
	for address := range w.dialled {
		all = append(all, address)
	}
	w.mu.Unlock()
	for _, address := range all {
		dialer := &net.Dialer{Timeout: w.f.options.ConnectTimeout}
		conn, failed := dialer.DialContext(ctx, "tcp", address)
		if failed != nil {
			err = &proxyError{err: failed}
			continue
		}
		conn.Close()
		return true, nil
	}
	return len(all) > 0, err
}

// close closes connections that are kept for another request.
func (w *ways) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, t := range w.transports {
		t.CloseIdleConnections()
	}
}

const (
	// guardWait is how long the guard waits for a name server: behind a proxy there may be none.
	guardWait = 2 * time.Second
	// guardFresh is how long a host that passed the guard passes again.
	guardFresh = time.Minute
	mostPassed = 10_000
)

// guard refuses what a proxy is asked for at an address that is not public. A name that this machine can't look up
// passes: only the proxy knows its address.
func (w *ways) guard(ctx context.Context, u *url.URL) error {
	if w.f.options.AllowPrivate {
		return nil
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return fmt.Errorf("%s: %w", host, ssrf.ErrProhibitedIP)
	}
	var ips []netip.Addr
	if ip, err := netip.ParseAddr(host); err == nil {
		ips = []netip.Addr{ip}
	} else {
		w.mu.Lock()
		at := w.passed[host]
		w.mu.Unlock()
		if time.Since(at) < guardFresh {
			return nil
		}
		ctx, cancel := context.WithTimeout(ctx, guardWait)
		defer cancel()
		ips, _ = net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	}
	safe := ssrf.New(ssrf.WithAnyPort()).Safe
	for _, ip := range ips {
		network := "tcp6"
		if ip = ip.Unmap().WithZone(""); ip.Is4() {
			network = "tcp4"
		}
		if err := safe(network, netip.AddrPortFrom(ip, 80).String(), nil); err != nil {
			return err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.passed) >= mostPassed {
		clear(w.passed)
	}
	w.passed[host] = time.Now()
	return nil
}

// proxyError is trouble with a proxy.
type proxyError struct {
	err    error
	status int  // of the proxy's reply; 0: none came
	own    bool // the proxy is that of one host
}

func (e *proxyError) Error() string { return fmt.Sprintf("the proxy: %v", e.err) }
func (e *proxyError) Unwrap() error { return e.err }

// judged gives the trouble its kind and code. A proxy for all hosts that is away, or wants to know who we are, is
// trouble of this machine: no document is to blame.
func (e *proxyError) judged() (fault.Kind, fault.Code) {
	switch {
	case e.status == 0, e.status == http.StatusProxyAuthRequired:
		if e.own {
			return fault.Remote, fault.TransportUnreachable
		}
		return fault.Local, fault.LocalNetwork
	case e.status >= 500, e.status == http.StatusRequestTimeout, e.status == http.StatusTooManyRequests:
		return fault.Remote, fault.TransportUnreachable
	}
	return fault.Refused, fault.TransportFailed
}
