package fetch

import (
	"context"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"
)

// connections are those that are open, by what was dialled (name:port). Where others may ask a host
// next, one that is kept for another request must not stay open: the host would see two.
type connections struct {
	mu   sync.Mutex
	open map[string]map[*connection]bool
}

// connection is one that is known until it is closed.
type connection struct {
	net.Conn
	closed chan struct{}
	once   sync.Once
	forget func()
}

func (c *connection) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() {
		close(c.closed)
		c.forget()
	})
	return err
}

// dial connects, within the bound of the address.
func (f *Fetcher) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if f.options.AddressConnections <= 0 {
		conn, err := f.options.dialer().DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return f.conns.add(address, conn, func() {}), nil
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, f.options.ConnectTimeout+addressPatience)
	defer cancel()
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	for _, ip := range ips {
		var held *heldAddress
		if held, err = f.takeAddress(ctx, ip.Unmap()); err != nil {
			return nil, err
		}
		var conn net.Conn
		if conn, err = f.options.dialer().DialContext(ctx, network, net.JoinHostPort(ip.Unmap().String(), port)); err != nil {
			held.give()
			continue
		}
		c := f.conns.add(address, conn, held.give)
		if held.lease.isShared() {
			go func() {
				select {
				case <-held.lease.Lost:
					c.Close()
				case <-c.closed:
				}
			}()
		}
		return c, nil
	}
	return nil, err
}

// add notes a connection, for which done is called when it is closed.
func (c *connections) add(address string, conn net.Conn, done func()) *connection {
	is := &connection{Conn: conn, closed: make(chan struct{})}
	key := strings.ToLower(address)
	is.forget = func() {
		c.mu.Lock()
		delete(c.open[key], is)
		if len(c.open[key]) == 0 {
			delete(c.open, key)
		}
		c.mu.Unlock()
		go done() // it may wait for others, and a close must not
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == nil {
		c.open = map[string]map[*connection]bool{}
	}
	if c.open[key] == nil {
		c.open[key] = map[*connection]bool{}
	}
	c.open[key][is] = true
	return is
}

// to are the connections to what was dialled.
func (c *connections) to(addresses []string) (all []*connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, address := range addresses {
		for conn := range c.open[address] {
			all = append(all, conn)
		}
	}
	return all
}

// hangUp closes the connections to a host that nobody asks any more, at a time, unless it is asked before that.
func (f *Fetcher) hangUp(u *url.URL, host string, at time.Time) {
	ended := time.Now()
	closeAll := func() {
		f.turns.whileIdle(host, ended, func() {
			for _, c := range f.conns.to(dialled(u)) {
				c.Close()
			}
		})
	}
	if wait := at.Sub(ended); wait > 0 && wait <= keptIdle {
		time.AfterFunc(wait, closeAll)
		return
	}
	closeAll()
}

// keptIdle is how long a connection that others must not meet is kept for another request.
const keptIdle = 10 * time.Second

// dialled is what is dialled for a host. What names no port of its own may be asked by two schemes.
func dialled(u *url.URL) []string {
	name := strings.ToLower(u.Hostname())
	switch port := u.Port(); port {
	case "", "80", "443":
		return []string{net.JoinHostPort(name, "80"), net.JoinHostPort(name, "443")}
	default:
		return []string{net.JoinHostPort(name, port)}
	}
}

// addressPatience is how long a connection waits for others to its address to end.
const addressPatience = 3 * time.Second

// heldAddress is a connection to an address, among those that are allowed.
type heldAddress struct {
	turns *turns
	name  string
	lease Lease
}

func (h *heldAddress) give() {
	h.lease.give(0)
	h.turns.give(h.name, 0)
}

// takeAddress waits until another connection to an address is allowed.
func (f *Fetcher) takeAddress(ctx context.Context, ip netip.Addr) (*heldAddress, error) {
	held := &heldAddress{turns: &f.addresses, name: ip.String()}
	timer := time.NewTimer(addressPatience)
	defer timer.Stop()
	for begin := time.Now(); ; {
		_, freed := f.addresses.take(held.name, Manners{Connections: f.options.AddressConnections})
		if freed == nil {
			if f.options.Leases == nil {
				return held, nil
			}
			var err error
			if held.lease, err = f.options.Leases.TakeAddress(ctx, ip.String(), max(0, addressPatience-time.Since(begin))); err != nil {
				f.addresses.untake(held.name)
				return nil, err
			}
			return held, nil
		}
		select {
		case <-freed:
		case <-timer.C:
			return nil, restingError(ip.String(), time.Second)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
