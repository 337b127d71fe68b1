package bucket

import (
	"context"
	"net"
	"time"
)

// mostSilent is how long nothing may come from a server, or be taken by it. Where a connection was forgotten on the
// way, nothing ever comes, and nobody says so.
var mostSilent = 30 * time.Second

var dialer = net.Dialer{Timeout: 5 * time.Second, KeepAlive: 15 * time.Second}

// dial connects to the server.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return bounded{conn}, nil
}

// bounded is a connection on which no reading or writing waits for ever.
type bounded struct{ net.Conn }

// Read reads what comes.
func (b bounded) Read(p []byte) (int, error) {
	b.SetReadDeadline(time.Now().Add(mostSilent))
	return b.Conn.Read(p)
}

// Write writes.
func (b bounded) Write(p []byte) (int, error) {
	b.SetWriteDeadline(time.Now().Add(mostSilent))
	return b.Conn.Write(p)
}
