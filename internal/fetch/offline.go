package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"laundromat/internal/fault"
)

// offline knows whether this machine can reach others at all. A host that can't be looked up or
// reached tells nothing about itself where nothing can be.
type offline struct {
	probe func(context.Context) error
	mu    sync.Mutex
	asked time.Time
	err   error
}

// offlineFresh is how long the answer holds.
const offlineFresh = 2 * time.Second

// why is why the network can't be used; nil if it can.
func (n *offline) why(ctx context.Context) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if time.Since(n.asked) > offlineFresh {
		n.err = n.probe(ctx)
		if ctx.Err() == nil {
			n.asked = time.Now()
		}
	}
	return n.err
}

// Offline says why this machine can't use the network: it has no route to the outside, or no
// name server answers. nil: it can. Nothing is sent but one question to the name server.
//
// Where a proxy is asked for all hosts, it is the one that must be reached.
func (f *Fetcher) Offline(ctx context.Context) error {
	if w := f.ways.Load(); w != nil {
		if isProxied, err := w.offline(ctx); isProxied {
			return err
		}
	}
	return f.offline.why(ctx)
}

// outside are addresses of the first root server for names (https://www.iana.org/domains/root/servers).
// To connect a socket of UDP sends nothing; it fails where there is no route.
var outside = [...]struct{ network, address string }{
	{"udp4", "198.41.0.4:53"}, {"udp6", "[2001:503:ba3e::2:30]:53"},
}

// resolverWait is how long a name server may take to answer what it has at hand.
const resolverWait = 5 * time.Second

// probeNetwork asks the machine for a route, and its name servers for what they all know.
func probeNetwork(ctx context.Context) error {
	var routes error
	for _, to := range outside {
		c, err := net.Dial(to.network, to.address)
		if err == nil {
			c.Close()
			routes = nil
			break
		}
		routes = errors.Join(routes, err)
	}
	if routes != nil {
		return errors.New("this machine has no route to the outside")
	}
	ctx, cancel := context.WithTimeout(ctx, resolverWait)
	defer cancel()
	_, err := net.DefaultResolver.LookupNS(ctx, ".")
	var dns *net.DNSError
	switch {
	case err == nil, errors.As(err, &dns) && (dns.IsNotFound || strings.Contains(dns.Err, "server misbehaving")):
		return nil // an answer of any kind
	}
	return fmt.Errorf("no name server answers: %w", err)
}

// isPerhapsOurs says that a failure to ask a host may be due to this machine's network.
func isPerhapsOurs(code fault.Code, host string) bool {
	if host == "localhost" || net.ParseIP(host).IsLoopback() {
		return false
	}
	return code == fault.TransportDNS || code == fault.TransportUnreachable || code == fault.TransportConnectTimeout
}
