// Package systemd tells systemd how a service stands (sd_notify(3)): that it is ready, that it stops, and,
// where a watchdog watches, that it lives. Without systemd it does nothing.
package systemd

import (
	"context"
	"net"
	"os"
	"strconv"
	"time"
)

// The states that are told.
const (
	Ready    = "READY=1"
	Stopping = "STOPPING=1"
	alive    = "WATCHDOG=1"
)

// Notify tells a state; without NOTIFY_SOCKET, nobody asked.
func Notify(state string) error {
	name := os.Getenv("NOTIFY_SOCKET")
	if name == "" {
		return nil
	}
	if name[0] == '@' { // of the abstract namespace
		name = "\x00" + name[1:]
	}
	socket, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		return err
	}
	defer socket.Close()
	_, err = socket.Write([]byte(state))
	return err
}

// interval is how often a sign of life is wanted: half of what the watchdog waits; 0 without one.
func interval() time.Duration {
	microseconds, err := strconv.ParseInt(os.Getenv("WATCHDOG_USEC"), 10, 64)
	if err != nil || microseconds <= 0 {
		return 0
	}
	if pid := os.Getenv("WATCHDOG_PID"); pid != "" && pid != strconv.Itoa(os.Getpid()) {
		return 0
	}
	return time.Duration(microseconds) * time.Microsecond / 2
}

// Live gives signs of life until ctx ends, as long as lives says so. lives must answer soon: its
// context ends with the interval.
func Live(ctx context.Context, lives func(context.Context) bool) {
	every := interval()
	if every == 0 {
		return
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		asked, cancel := context.WithTimeout(ctx, every)
		if lives(asked) {
			_ = Notify(alive) // the next may come through
		}
		cancel()
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}
