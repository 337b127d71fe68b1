package link

import (
	"io"
	"net"
	"testing"
	"time"
)

// echo is a server that gives back what it gets.
func echo(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				io.Copy(conn, conn)
			}()
		}
	}()
	return listener.Addr().String()
}

func dial(t *testing.T, l *Link) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", l.Address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// say sends a word and reads it again; what it returns is how that ended.
func say(conn net.Conn, patience time.Duration) error {
	conn.SetDeadline(time.Now().Add(patience))
	if _, err := conn.Write([]byte("word")); err != nil {
		return err
	}
	_, err := io.ReadFull(conn, make([]byte, 4))
	return err
}

// sayAnew does so on a new connection. One that is reset while it is made ends by that.
func sayAnew(t *testing.T, l *Link, patience time.Duration) error {
	conn, err := net.Dial("tcp", l.Address())
	if err != nil {
		return err
	}
	t.Cleanup(func() { conn.Close() })
	return say(conn, patience)
}

// isSilent says that nothing came, and no end either.
func isSilent(err error) bool {
	timeout, ok := err.(net.Error)
	return ok && timeout.Timeout()
}

// TestALinkIsCutAsItSays has a connection from before and a new one, during a cut and after it.
func TestALinkIsCutAsItSays(t *testing.T) {
	const short, long = 50 * time.Millisecond, 10 * time.Second
	for _, test := range []struct {
		mode                     Mode
		isSilent, livesAfterward bool
	}{{Refused, false, false}, {Frozen, true, true}, {Lost, true, false}} {
		l, err := To(echo(t))
		if err != nil {
			t.Fatal(err)
		}
		old := dial(t, l)
		if err := say(old, long); err != nil {
			t.Fatalf("%v: before: %v", test.mode, err)
		}
		l.Set(test.mode)
		for name, err := range map[string]error{"old": say(old, short), "new": sayAnew(t, l, short)} {
			if err == nil || isSilent(err) != test.isSilent {
				t.Errorf("%v: %s: %v", test.mode, name, err)
			}
		}
		l.Set(Whole)
		patience := short
		if test.livesAfterward {
			patience = long
		}
		if err := say(old, patience); (err == nil) != test.livesAfterward {
			t.Errorf("%v: afterwards: %v", test.mode, err)
		}
		if err := say(dial(t, l), long); err != nil {
			t.Errorf("%v: a new one afterwards: %v", test.mode, err)
		}
		l.Close()
	}
}

func TestASlowLinkIsSlow(t *testing.T) {
	l, err := To(echo(t))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	l.Set(Slow)
	start := time.Now()
	if err := say(dial(t, l), 10*time.Second); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took < 2*slowness {
		t.Errorf("there and back in %v", took)
	}
}
