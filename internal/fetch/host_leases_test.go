package fetch_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/fetch"
)

// registry gives out leases of hosts, and notes what is asked of it.
type registry struct {
	mu     sync.Mutex
	log    []string
	rested map[string]time.Time
	held   map[string]error // why a host is not given
	lost   chan struct{}    // of all leases
	stays  time.Duration    // of all leases
}

func (r *registry) note(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log = append(r.log, what)
}

func (r *registry) said() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() { r.log = nil }()
	return strings.Join(r.log, ", ")
}

func (r *registry) Claimed(host string) fetch.Lease {
	r.note("claimed " + host)
	return fetch.Lease{Lost: r.lost, Stays: r.stays}
}

func (r *registry) Take(_ context.Context, host string, _ time.Duration) (fetch.Lease, error) {
	if err := r.held[host]; err != nil {
		r.note("refused " + host)
		return fetch.Lease{}, err
	}
	r.note("take " + host)
	return fetch.Lease{NotBefore: r.rested[host], Lost: r.lost, Give: func(rest time.Duration) {
		r.note("give " + host + " " + rest.String())
	}}, nil
}

func (r *registry) TakeAddress(ctx context.Context, ip string, within time.Duration) (fetch.Lease, error) {
	return r.Take(ctx, "address "+ip, within)
}

var resting = &fault.Error{Op: "test", Kind: fault.Stopped, Code: fault.TransportHostResting, After: 7 * time.Second}

func TestEveryOtherHostOnTheWayIsLeased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &town{replies: map[string]func() *http.Response{
			"http://c.test/x": func() *http.Response { return reply(503, "", "Retry-After", "30") },
		}}
		r := &registry{lost: make(chan struct{})}
		f := fetch.New(fetch.Options{Transport: w, Leases: r})
		get := func(uri string, claimed bool) error {
			_, err := f.Do(t.Context(), fetch.Request{URI: uri, Claimed: claimed, Patience: 3 * time.Second}, io.Discard)
			return err
		}
		for _, c := range []struct {
			uri     string
			claimed bool
			want    string
			code    fault.Code
		}{
			{"http://a.test/x", true, "claimed a.test, claimed a.test", ""}, // robots.txt first
			{"http://a.test/y", true, "claimed a.test", ""},
			{"http://a.test/y", false, "take a.test, give a.test 0s", ""}, // a page of a catalog
			{"http://a.test/to/b.test/x", true, "claimed a.test, take b.test, give b.test 0s, take b.test, give b.test 0s", ""},
			{"http://b.test/to/c.test/x", true, "claimed b.test, take c.test, give c.test 0s, take c.test, give c.test 30s",
				fault.HTTPStatus},
		} {
			if err := get(c.uri, c.claimed); fault.CodeOf(err) != c.code {
				t.Errorf("%s: %v", c.uri, err)
			}
			if got := r.said(); got != c.want {
				t.Errorf("%s:\n%s\nwant\n%s", c.uri, got, c.want)
			}
		}

		// Another worker asks the host: the seed is given back, and nothing was sent.
		r.held = map[string]error{"d.test": resting}
		before := len(w.visits)
		err := get("http://d.test/x", false)
		if e, ok := err.(*fault.Error); !ok || e.Kind != fault.Stopped || e.Code != fault.TransportHostResting ||
			e.After != 7*time.Second || len(w.visits) != before {
			t.Errorf("%v, %d requests", err, len(w.visits)-before)
		}
		r.held = nil

		// The host rests from the worker that asked it before.
		start := time.Now()
		r.rested = map[string]time.Time{"d.test": start.Add(2 * time.Second)}
		if err := get("http://d.test/x", false); err != nil || w.of("d.test")[0].begun.Sub(start) != 2*time.Second {
			t.Errorf("%v, asked after %v", err, w.of("d.test")[0].begun.Sub(start))
		}
	})
}

// TestNothingIsSentWithoutALease, and what is under way when it runs out is broken off, without fault.
func TestNothingIsSentWithoutALease(t *testing.T) {
	r := &registry{lost: make(chan struct{})}
	begun := make(chan struct{})
	ended := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/robots.txt" {
			http.NotFound(w, q)
			return
		}
		w.Header().Set("ETag", `"1"`)
		w.Write(make([]byte, 100_000))
		w.(http.Flusher).Flush()
		close(begun)
		<-q.Context().Done()
		close(ended)
	}))
	defer server.Close()
	f := fetch.New(fetch.Options{AllowPrivate: true, Leases: r})
	defer f.Close()
	go func() {
		<-begun
		close(r.lost)
	}()
	request := fetch.Request{URI: server.URL + "/x", Claimed: true, KeepShort: true, Restart: func() error { return nil },
		Patience: 3 * time.Second}
	got, err := f.Do(t.Context(), request, io.Discard)
	if e, ok := err.(*fault.Error); !ok || e.Kind != fault.Stopped || e.Code != fault.TransportHostResting || len(got.Notices) != 0 {
		t.Errorf("%v, %+v", err, got)
	}
	<-ended
	for _, claimed := range []bool{true, false} {
		request.Claimed = claimed
		got, err := f.Do(t.Context(), request, io.Discard)
		if fault.KindOf(err) != fault.Stopped || fault.CodeOf(err) != fault.TransportHostResting || len(got.Exchanges) != 0 {
			t.Errorf("claimed: %v: %v, %d requests", claimed, err, len(got.Exchanges))
		}
	}
}

// openCount counts connections of a server that are open.
type openCount struct {
	mu        sync.Mutex
	now, most int
	changed   chan int
}

func (o *openCount) state(_ net.Conn, state http.ConnState) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch state {
	case http.StateNew:
		o.now++
	case http.StateClosed, http.StateHijacked:
		o.now--
	default:
		return
	}
	o.most = max(o.most, o.now)
	o.changed <- o.now
}

func countedServer(t *testing.T, answer http.HandlerFunc) (*httptest.Server, *openCount) {
	o := &openCount{changed: make(chan int, 1000)}
	server := httptest.NewUnstartedServer(answer)
	server.Config.ConnState = o.state
	server.Start()
	t.Cleanup(server.Close)
	return server, o
}

// TestAHostThatOthersMayAskIsHungUp: it would see two connections.
func TestAHostThatOthersMayAskIsHungUp(t *testing.T) {
	server, o := countedServer(t, http.NotFound)
	f := fetch.New(fetch.Options{AllowPrivate: true, HostDelay: 50 * time.Millisecond, Leases: &registry{lost: make(chan struct{}),
		stays: 2 * time.Second}})
	defer f.Close()
	if _, err := f.Do(t.Context(), fetch.Request{URI: server.URL + "/x", Claimed: true}, io.Discard); fault.CodeOf(
		err) != fault.HTTPStatus {
		t.Fatal(err)
	}
	for n := range o.changed {
		if n == 0 {
			break
		}
	}
	if o.most != 1 {
		t.Errorf("%d connections at once", o.most)
	}
}

// TestAnAddressHasItsConnectionsWhateverTheNames of its hosts.
func TestAnAddressHasItsConnectionsWhateverTheNames(t *testing.T) {
	var mu sync.Mutex
	now, most := 0, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		now++
		most = max(most, now)
		mu.Unlock()
		time.Sleep(5 * time.Millisecond)
		mu.Lock()
		now--
		mu.Unlock()
		io.WriteString(w, "<http://a/> <http://b/> <http://c/> .\n")
	}))
	defer server.Close()
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	r := &registry{lost: make(chan struct{})}
	f := fetch.New(fetch.Options{AllowPrivate: true, IgnoreRobots: true, HostConnections: 1, AddressConnections: 2, Leases: r})
	defer f.Close()
	var all sync.WaitGroup
	for _, name := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]"} {
		for range 8 {
			all.Go(func() {
				uri := "http://" + name + ":" + u.Port() + "/x"
				if _, err := f.Do(t.Context(), fetch.Request{URI: uri, Claimed: true, Patience: time.Minute}, io.Discard); err != nil {
					t.Errorf("%s: %v", uri, err)
				}
			})
		}
	}
	all.Wait()
	// The server learns of the end of a connection only when it looks; what was held here is exact.
	held, mostHeld := 0, 0
	for _, what := range strings.Split(r.said(), ", ") {
		switch {
		case what == "take address 127.0.0.1":
			held++
		case strings.HasPrefix(what, "give address 127.0.0.1"):
			held--
		}
		mostHeld = max(mostHeld, held)
	}
	if most > 2 || mostHeld > 2 || mostHeld == 0 {
		t.Errorf("%d requests and %d connections to one address at once", most, mostHeld)
	}

	r.held = map[string]error{"address 127.0.0.1": resting}
	_, err = f.Do(t.Context(), fetch.Request{URI: server.URL + "/x", Claimed: true}, io.Discard)
	if fault.KindOf(err) != fault.Stopped || fault.CodeOf(err) != fault.TransportHostResting {
		t.Errorf("an address that another worker connects to: %v", err)
	}
}
