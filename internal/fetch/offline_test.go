package fetch_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"laundromat/internal/fault"
	"laundromat/internal/fetch"
)

// refusing is a network on which every request ends with an error.
type refusing struct{ err error }

func (r refusing) RoundTrip(*http.Request) (*http.Response, error) { return nil, r.err }

// What can't be looked up or reached is this machine's trouble where nothing can be, and the
// host's where something else can.
func TestAMachineWithoutNetworkBlamesNoHost(t *testing.T) {
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	lookUp := func(e net.DNSError) error { return dial(&e) }
	for _, c := range []struct {
		name   string
		uri    string
		err    error
		online fault.Code // of a machine with a network
		ours   bool       // of one without
	}{
		{"no route", "http://x.test/", dial(syscall.ENETUNREACH), fault.TransportUnreachable, true},
		{"no route to the host", "http://x.test/", dial(syscall.EHOSTUNREACH), fault.TransportUnreachable, true},
		{"no answer of the name server", "http://x.test/", lookUp(net.DNSError{Err: "i/o timeout", Name: "x.test", IsTimeout: true}),
			fault.TransportDNS, true},
		{"a name server that refuses", "http://x.test/", lookUp(net.DNSError{Err: "read: connection refused", Name: "x.test"}),
			fault.TransportDNS, true},
		{"a name server that fails", "http://x.test/", lookUp(net.DNSError{Err: "server misbehaving", Name: "x.test", IsTemporary: true}),
			fault.TransportDNS, true},
		{"connection never comes", "http://x.test/", dial(syscall.ETIMEDOUT), fault.TransportConnectTimeout, true},
		{"no such name", "http://x.test/", lookUp(net.DNSError{Err: "no such host", Name: "x.test", IsNotFound: true}),
			fault.TransportNoSuchHost, false},
		{"refused", "http://x.test/", dial(syscall.ECONNREFUSED), fault.TransportConnectionRefused, false},
		{"reset", "http://x.test/", dial(syscall.ECONNRESET), fault.TransportConnectionReset, false},
		{"this machine itself", "http://127.0.0.1:9/", dial(syscall.EHOSTUNREACH), fault.TransportUnreachable, false},
		{"this machine by name", "http://localhost:9/", dial(syscall.ETIMEDOUT), fault.TransportConnectTimeout, false},
		{"this machine, IPv6", "http://[::1]:9/", dial(syscall.EHOSTUNREACH), fault.TransportUnreachable, false},
	} {
		for _, why := range []error{nil, errors.New("no name server answers")} {
			asked := 0
			f := fetch.New(fetch.Options{
				AllowPrivate: true, Transport: refusing{c.err},
				Offline: func(context.Context) error { asked++; return why },
			})
			_, err := f.Get(t.Context(), c.uri, nil)
			kind, code := fault.KindOf(err), fault.CodeOf(err)
			switch {
			case c.ours && why != nil:
				if kind != fault.Local || code != fault.LocalNetwork || !strings.Contains(err.Error(), why.Error()) ||
					!strings.Contains(err.Error(), c.err.Error()) {
					t.Errorf("%s, offline: %v %s: %v", c.name, kind, code, err)
				}
			case kind == fault.Local || code != c.online:
				t.Errorf("%s, offline %v: %v %s: %v", c.name, why, kind, code, err)
			}
			if !c.ours && asked > 0 {
				t.Errorf("%s: the machine was asked %d times", c.name, asked)
			}
		}
	}
}

// Many failures at once ask the machine once.
func TestTheMachineIsAskedOnceForMany(t *testing.T) {
	asked := 0
	f := fetch.New(fetch.Options{
		Transport: refusing{syscall.ENETUNREACH}, IgnoreRobots: true,
		Offline: func(context.Context) error { asked++; return errors.New("no route") },
	})
	for range 20 {
		f.Get(t.Context(), "http://x.test/", nil)
	}
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
}
