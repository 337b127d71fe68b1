package postgres_test

import (
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
)

// proxy stands between a client and a server. It may tell of another server than there is, and cut connections.
type proxy struct {
	Address  string // of the same database, by way of the proxy
	listener net.Listener
	server   string
	tell     func(row *pgproto3.DataRow) // changes what the server answers; nil: nothing
	trips    atomic.Int64                // that ended, where tell is not nil

	mu   sync.Mutex
	open map[net.Conn]bool
	cuts int
	all  sync.WaitGroup
}

func newProxy(t testing.TB, address string, tell func(*pgproto3.DataRow)) *proxy {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{server: u.Host, tell: tell, open: map[net.Conn]bool{}}
	if p.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	u.Host = p.listener.Addr().String()
	p.Address = u.String()
	p.all.Go(func() {
		for {
			client, err := p.listener.Accept()
			if err != nil {
				return
			}
			p.all.Go(func() { p.pass(client) })
		}
	})
	t.Cleanup(func() {
		p.listener.Close()
		p.cut()
		p.all.Wait()
	})
	return p
}

// pass passes on what client and server say, until one of them ends.
func (p *proxy) pass(client net.Conn) {
	p.mu.Lock()
	to := p.server
	p.mu.Unlock()
	server, err := net.Dial("tcp", to)
	if err != nil {
		client.Close()
		return
	}
	p.mu.Lock()
	p.open[client], p.open[server] = true, true
	p.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() { io.Copy(server, client); server.Close() })
	both.Go(func() {
		if p.tell == nil {
			io.Copy(client, server)
		} else {
			p.retell(client, server)
		}
		client.Close()
	})
	both.Wait()
	p.mu.Lock()
	delete(p.open, client)
	delete(p.open, server)
	p.mu.Unlock()
}

// retell passes on what the server says, with changed rows.
func (p *proxy) retell(client, server net.Conn) {
	from, to := pgproto3.NewFrontend(server, server), pgproto3.NewBackend(client, client)
	for {
		message, err := from.Receive()
		if err != nil {
			return
		}
		switch m := message.(type) {
		case *pgproto3.DataRow:
			p.tell(m)
		case *pgproto3.ReadyForQuery: // the server waits for the client: a round trip has ended
			p.trips.Add(1)
		}
		if to.Send(message); to.Flush() != nil {
			return
		}
	}
}

// lead lets new connections lead to another server. Those that are open stay.
func (p *proxy) lead(t testing.TB, address string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.server = u.Host
}

// cut breaks all connections, and says how many there were.
func (p *proxy) cut() (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.open {
		conn.Close()
		n++
	}
	p.cuts += n
	return n
}

// versionTold has a server say that it is of another version.
func versionTold(version string, number uint32) func(*pgproto3.DataRow) {
	return func(row *pgproto3.DataRow) {
		if len(row.Values) > 0 && strings.HasPrefix(string(row.Values[0]), "PostgreSQL 15") {
			row.Values[0] = []byte(version)
		}
		if len(row.Values) == 2 && len(row.Values[0]) == 4 && binary.BigEndian.Uint32(row.Values[0])/10000 == 15 {
			row.Values[0] = binary.BigEndian.AppendUint32(nil, number)
		}
	}
}
