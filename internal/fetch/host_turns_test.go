package fetch_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/fetch"
)

// visit is a request as a host sees it.
type visit struct {
	uri        string
	begun, end time.Time
}

// town is several hosts that take their time, and remember every visit.
type town struct {
	mu      sync.Mutex
	takes   time.Duration
	visits  []*visit
	replies map[string]func() *http.Response // by URI; else a document, or a redirect as of host
}

func (w *town) RoundTrip(r *http.Request) (*http.Response, error) {
	v := &visit{uri: r.URL.String(), begun: time.Now()}
	w.mu.Lock()
	w.visits = append(w.visits, v)
	answer := w.replies[v.uri]
	w.mu.Unlock()
	time.Sleep(w.takes)
	if answer == nil {
		answer = func() *http.Response { return reply(200, "data") }
		if strings.HasSuffix(v.uri, "/robots.txt") {
			answer = func() *http.Response { return reply(404, "") }
		} else if to, found := strings.CutPrefix(r.URL.Path, "/to/"); found {
			answer = func() *http.Response { return reply(302, "", "Location", "http://"+to) }
		}
	}
	got := answer()
	got.Body = &ends{got.Body, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		v.end = time.Now()
	}}
	return got, nil
}

// ends says when a body is closed.
type ends struct {
	io.ReadCloser
	closed func()
}

func (b *ends) Close() error {
	b.closed()
	return b.ReadCloser.Close()
}

// of are the visits to a host, in order.
func (w *town) of(host string) (visits []*visit) {
	for _, v := range w.visits {
		if strings.HasPrefix(v.uri, "http://"+host+"/") {
			visits = append(visits, v)
		}
	}
	return visits
}

// TestAHostIsAskedByOneAtATimeWhoeverAsks: documents of its own, what redirects lead to,
// and robots.txt, which is asked for once.
func TestAHostIsAskedByOneAtATimeWhoeverAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &town{takes: 300 * time.Millisecond}
		f := fetch.New(fetch.Options{Transport: w, HostDelay: time.Second, HostConnections: 1})
		var all sync.WaitGroup
		for i := range 5 {
			for _, uri := range []string{"http://a.test/%d", "http://b%d.test/to/a.test/x"} {
				all.Go(func() {
					if _, err := f.Get(context.Background(), fmt.Sprintf(uri, i), io.Discard); err != nil {
						t.Error(err)
					}
				})
			}
		}
		all.Wait()
		visits := w.of("a.test")
		if len(visits) != 11 || visits[0].uri != "http://a.test/robots.txt" {
			t.Errorf("%d requests, the first for %s", len(visits), visits[0].uri)
		}
		for i, v := range visits[1:] {
			if pause := v.begun.Sub(visits[i].end); visits[i].end.IsZero() || pause < time.Second {
				t.Errorf("%s was asked %v after the end of %s", v.uri, pause, visits[i].uri)
			}
		}
	})
}

// TestAHostThatAsksForRestGetsIt, also from those that redirects lead to it.
func TestAHostThatAsksForRestGetsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &town{replies: map[string]func() *http.Response{
			"http://a.test/x": func() *http.Response { return reply(429, "", "Retry-After", "30") },
		}}
		f := fetch.New(fetch.Options{Transport: w})
		r, err := f.Get(context.Background(), "http://b.test/to/a.test/x", io.Discard)
		if fault.CodeOf(err) != fault.HTTPStatus || len(r.Shown) != 2 {
			t.Fatalf("error %v, shown %+v", err, r.Shown)
		}
		if b, a := r.Shown[0], r.Shown[1]; b.Busy || b.Rest != 0 || a.Host != "a.test" || !a.Busy || a.Rest != 30*time.Second {
			t.Errorf("shown %+v", r.Shown)
		}
		if _, err := f.Get(context.Background(), "http://a.test/y", io.Discard); err != nil {
			t.Fatal(err)
		}
		visits := w.of("a.test")
		if pause := visits[2].begun.Sub(visits[1].end); pause != 30*time.Second {
			t.Errorf("it was left alone for %v", pause)
		}
	})
}

func TestALongWaitIsGivenBackWithItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &town{replies: map[string]func() *http.Response{
			"http://a.test/robots.txt": func() *http.Response { return reply(200, "User-agent: *\nCrawl-delay: 20\n") },
		}}
		f := fetch.New(fetch.Options{Transport: w})
		start := time.Now()
		request := fetch.Request{URI: "http://a.test/x", Patience: 3 * time.Second}
		_, err := f.Do(context.Background(), request, io.Discard)
		e, ok := err.(*fault.Error)
		if !ok || e.Kind != fault.Stopped || e.Code != fault.TransportHostResting || e.After != 20*time.Second || time.Since(start) != 0 {
			t.Fatalf("after %v: %+v", time.Since(start), err)
		}
		time.Sleep(18 * time.Second)
		if _, err := f.Do(context.Background(), request, io.Discard); err != nil || time.Since(start) != 20*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		if len(w.visits) != 2 {
			t.Errorf("%d requests", len(w.visits))
		}
	})
}

func TestAPausedHostIsNotAsked(t *testing.T) {
	w := &town{}
	paused := true
	f := fetch.New(fetch.Options{Transport: w, Manners: func(_ context.Context, host string) (fetch.Manners, error) {
		return fetch.Manners{Paused: paused && host == "a.test"}, nil
	}})
	for _, c := range []struct {
		request fetch.Request
		kind    fault.Kind
	}{
		{fetch.Request{URI: "http://A.test:80/x"}, fault.Remote},
		{fetch.Request{URI: "http://a.test/x", Patience: time.Second}, fault.Stopped}, // the list of seeds knows of it
		{fetch.Request{URI: "http://b.test/to/a.test/x", Patience: time.Second}, fault.Remote},
	} {
		if _, err := f.Do(context.Background(), c.request, io.Discard); fault.CodeOf(err) != fault.TransportHostPaused ||
			fault.KindOf(err) != c.kind {
			t.Errorf("%s: %v", c.request.URI, err)
		}
	}
	if n := len(w.of("a.test")); n != 0 {
		t.Errorf("%d requests", n)
	}
	paused = false
	if _, err := f.Get(context.Background(), "http://a.test/x", io.Discard); err != nil {
		t.Error(err)
	}
}
