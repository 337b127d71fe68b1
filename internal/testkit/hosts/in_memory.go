package hosts

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
)

// Transport reaches hosts that are in memory, and nothing else. Connections that rest are closed by the caller.
func (w *Web) Transport() *http.Transport {
	return &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, address string) (net.Conn, error) {
		l := w.pipes[strings.TrimSuffix(address, ":80")]
		if l == nil {
			return nil, errors.New("no such host: " + address)
		}
		return l.dial(ctx)
	}}
}

// pipes is a listener in memory.
type pipes struct {
	name     string
	accepted chan net.Conn
	closed   chan struct{}
	once     sync.Once
}

func newPipes(name string) *pipes {
	return &pipes{name: name, accepted: make(chan net.Conn), closed: make(chan struct{})}
}

func (p *pipes) dial(ctx context.Context) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.accepted <- theirs:
		return ours, nil
	case <-p.closed:
		return nil, errors.New("connection refused")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.accepted:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return pipeName(p.name) }

type pipeName string

func (n pipeName) Network() string { return "pipe" }
func (n pipeName) String() string  { return string(n) }
