package socket

import (
	"context"
	"net"
)

// Pipe is a listener whose connections never leave the process.
type Pipe struct {
	connections chan net.Conn
	closed      chan struct{}
}

// NewPipe listens for calls of its Dial.
func NewPipe() *Pipe {
	return &Pipe{connections: make(chan net.Conn), closed: make(chan struct{})}
}

// Accept waits for the next connection.
func (p *Pipe) Accept() (net.Conn, error) {
	select {
	case c := <-p.connections:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept and Dial.
func (p *Pipe) Close() error {
	select {
	case <-p.closed:
	default:
		close(p.closed)
	}
	return nil
}

// Addr is an address for logs.
func (p *Pipe) Addr() net.Addr { return &net.UnixAddr{Name: "in process", Net: "pipe"} }

// Dial connects to the listener, whatever the network and address.
func (p *Pipe) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.connections <- theirs:
		return ours, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
