package postgres

import (
	"context"
	"net"
	"sync"
	"time"
)

// mostSilent is how long a server may say nothing when it is to answer: longer than any statement may take. Where
// a connection was forgotten on the way, nothing ever comes, and nobody says so.
var mostSilent = 70 * time.Second

// dialer asks early whether the server's machine is still there.
var dialer = net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 3}}

// dial connects to the server.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &bounded{Conn: conn}, nil
}

// bounded is a connection on which no reading or writing waits for ever.
type bounded struct {
	net.Conn
	mu               sync.Mutex
	reading, writing time.Time // until when, if who uses it has said so
}

// Read reads what comes.
func (b *bounded) Read(p []byte) (int, error) {
	b.mu.Lock()
	if b.reading.IsZero() {
		b.Conn.SetReadDeadline(time.Now().Add(mostSilent))
	}
	b.mu.Unlock()
	return b.Conn.Read(p)
}

// Write writes.
func (b *bounded) Write(p []byte) (int, error) {
	b.mu.Lock()
	if b.writing.IsZero() {
		b.Conn.SetWriteDeadline(time.Now().Add(mostSilent))
	}
	b.mu.Unlock()
	return b.Conn.Write(p)
}

// SetDeadline bounds reading and writing.
func (b *bounded) SetDeadline(t time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reading, b.writing = t, t
	return b.Conn.SetDeadline(t)
}

// SetReadDeadline bounds reading.
func (b *bounded) SetReadDeadline(t time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reading = t
	return b.Conn.SetReadDeadline(t)
}

// SetWriteDeadline bounds writing.
func (b *bounded) SetWriteDeadline(t time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.writing = t
	return b.Conn.SetWriteDeadline(t)
}
