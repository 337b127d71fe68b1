// Package link is a way to a server that can be cut: a proxy on loopback that passes on what comes, or does not.
//
//	way, err := link.To("127.0.0.1:5432")
//	defer way.Close()
//	…                        // who is to be cut off connects to way.Address()
//	way.Set(link.Lost)
//	way.Set(link.Whole)
package link

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// Mode is how a link is.
type Mode int

const (
	// Whole passes everything on.
	Whole Mode = iota
	// Refused ends all connections, and each new one at once.
	Refused
	// Frozen holds everything back, until it is another.
	Frozen
	// Lost passes nothing on, and says so to nobody. What was open then stays dead when the link is whole
	// again, as where a router has forgotten a connection.
	Lost
	// Slow passes everything on after a tenth of a second.
	Slow
)

// String is the mode for a log.
func (m Mode) String() string { return [...]string{"whole", "refused", "frozen", "lost", "slow"}[m] }

// slowness is the pause before each piece on a slow link.
const slowness = 100 * time.Millisecond

// deadFor is how long the server keeps its half of a connection that was lost.
const deadFor = 30 * time.Second

// Link is a proxy. It must be closed.
type Link struct {
	target   string
	listener net.Listener
	ctx      context.Context // ends with the link
	stop     context.CancelFunc
	all      sync.WaitGroup

	mu      sync.Mutex
	mode    Mode
	changed chan struct{} // closed, and replaced, when the mode changes
	open    map[*pair]bool
}

// pair is a connection through the link.
type pair struct {
	client, server net.Conn
	ended          chan struct{}
	once           sync.Once
	lost           bool // guarded by the link's mu
}

func (p *pair) end() {
	p.once.Do(func() {
		close(p.ended)
		for _, conn := range []net.Conn{p.client, p.server} {
			if conn == nil {
				continue
			}
			if tcp, ok := conn.(*net.TCPConn); ok {
				tcp.SetLinger(0)
			}
			conn.Close()
		}
	})
}

// To makes a whole link to a server at HOST:PORT.
func To(target string) (*Link, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	l := &Link{target: target, listener: listener, changed: make(chan struct{}), open: map[*pair]bool{}}
	l.ctx, l.stop = context.WithCancel(context.Background())
	l.all.Go(l.accept)
	return l, nil
}

// Address is where it listens, HOST:PORT.
func (l *Link) Address() string { return l.listener.Addr().String() }

// Set makes the link another.
func (l *Link) Set(mode Mode) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.mode = mode
	for p := range l.open {
		switch mode {
		case Refused:
			go p.end()
		case Lost:
			l.lose(p)
		}
	}
	close(l.changed)
	l.changed = make(chan struct{})
}

// lose makes a connection dead. Who calls it holds mu.
func (l *Link) lose(p *pair) {
	if p.lost {
		return
	}
	p.lost = true
	server := p.server
	time.AfterFunc(deadFor, func() {
		if server != nil {
			server.Close()
		}
	})
}

// Close ends the link and all its connections.
func (l *Link) Close() {
	l.stop()
	l.listener.Close()
	l.mu.Lock()
	for p := range l.open {
		go p.end()
	}
	l.mu.Unlock()
	l.all.Wait()
}

func (l *Link) accept() {
	for {
		client, err := l.listener.Accept()
		if err != nil {
			return
		}
		l.all.Go(func() { l.serve(client) })
	}
}

// serve connects a client with the server.
func (l *Link) serve(client net.Conn) {
	p := &pair{client: client, ended: make(chan struct{})}
	l.mu.Lock()
	mode := l.mode
	l.open[p] = true
	if mode == Lost {
		p.lost = true
	}
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		delete(l.open, p)
		l.mu.Unlock()
		p.end()
	}()
	if mode == Refused {
		return
	}
	if mode == Lost { // it never reaches the server
		io.Copy(io.Discard, client)
		return
	}
	server, err := net.Dial("tcp", l.target)
	if err != nil {
		return
	}
	l.mu.Lock()
	p.server = server
	l.mu.Unlock()
	select {
	case <-p.ended: // before the server was there to be closed
		server.Close()
		return
	default:
	}
	var both sync.WaitGroup
	both.Go(func() { l.pass(p, server, client) })
	both.Go(func() { l.pass(p, client, server) })
	both.Wait()
}

// pass passes on what comes from one side, as the link is.
func (l *Link) pass(p *pair, to, from net.Conn) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if !l.await(p) {
			return
		}
		l.mu.Lock()
		isLost := p.lost
		l.mu.Unlock()
		switch {
		case isLost && err != nil && from == p.server:
			return // the client is not told
		case isLost && err == nil:
			continue
		case errors.Is(err, io.EOF): // what was passed on before is still on its way to the other side
			to.(*net.TCPConn).CloseWrite()
			return
		case err != nil:
			p.end()
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			p.end()
			return
		}
	}
}

// await waits until something may be passed on; no if it never may.
func (l *Link) await(p *pair) bool {
	isDelayed := false
	for {
		l.mu.Lock()
		mode, changed := l.mode, l.changed
		if p.lost {
			mode = Whole // what it passes on is thrown away
		}
		l.mu.Unlock()
		var pause <-chan time.Time
		switch {
		case mode == Slow && !isDelayed:
			pause, isDelayed = time.After(slowness), true
			changed = nil
		case mode != Frozen:
			return true
		}
		select {
		case <-pause:
		case <-changed:
		case <-p.ended:
			return false
		case <-l.ctx.Done():
			return false
		}
	}
}
