//go:build unix

package systemd_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"laundromat/internal/systemd"
)

func TestSystemdIsToldHowTheServiceStands(t *testing.T) {
	dir, err := os.MkdirTemp("", "n") // a socket's name is short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "s")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	told := func() string {
		t.Helper()
		buffer := make([]byte, 100)
		n, err := socket.Read(buffer)
		if err != nil {
			t.Fatal(err)
		}
		return string(buffer[:n])
	}
	if err := systemd.Notify(systemd.Ready); err != nil { // nobody asked
		t.Fatal(err)
	}
	t.Setenv("NOTIFY_SOCKET", name)
	for _, state := range []string{systemd.Ready, systemd.Stopping} {
		if err := systemd.Notify(state); err != nil || told() != state {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan bool)
	t.Setenv("WATCHDOG_USEC", "2000")
	t.Setenv("WATCHDOG_PID", strconv.Itoa(os.Getpid()))
	asked := 0
	go func() {
		systemd.Live(ctx, func(context.Context) bool { asked++; return asked != 2 })
		close(ended)
	}()
	for range 3 {
		if got := told(); got != "WATCHDOG=1" {
			t.Errorf("told %q", got)
		}
	}
	cancel()
	<-ended
	if asked < 4 {
		t.Errorf("told of life %d times, also when there was none", asked)
	}
	t.Setenv("WATCHDOG_PID", "1")
	systemd.Live(t.Context(), func(context.Context) bool { t.Error("the watchdog is another's"); return true })
}
