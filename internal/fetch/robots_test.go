package fetch_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/fetch"
)

// host is a host of its own, in process.
type host struct {
	robots func() *http.Response // nil: 404
	asked  []string
	times  []time.Time
}

func (h *host) RoundTrip(r *http.Request) (*http.Response, error) {
	h.asked = append(h.asked, r.URL.String())
	h.times = append(h.times, time.Now())
	if strings.HasSuffix(r.URL.Path, "/robots.txt") {
		if h.robots != nil {
			return h.robots(), nil
		}
		return reply(404, ""), nil
	}
	if to, found := strings.CutPrefix(r.URL.Path, "/to/"); found {
		return reply(302, "", "Location", "http://"+to), nil
	}
	return reply(200, "data"), nil
}

func reply(status int, body string, headers ...string) *http.Response {
	h := http.Header{}
	for i := 0; i+1 < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, ContentLength: int64(len(body)), Body: io.NopCloser(strings.NewReader(body))}
}

func (h *host) fetcher() *fetch.Fetcher {
	return fetch.New(fetch.Options{UserAgent: "Laundromat/1.0 (+mailto:a@example.org)", Transport: h})
}

func TestRobotsAreObeyed(t *testing.T) {
	rules := func(text string) func() *http.Response {
		return func() *http.Response { return reply(200, text) }
	}
	for _, c := range []struct {
		name   string
		robots func() *http.Response
		path   string
		kind   fault.Kind // Unknown: allowed
		code   fault.Code
	}{
		{"none", nil, "/x", fault.Unknown, ""},
		{"forbidden to look", func() *http.Response { return reply(403, "") }, "/x", fault.Unknown, ""},
		{"empty", rules(""), "/x", fault.Unknown, ""},
		{"a page", rules("<html><body>Welcome: home</body></html>"), "/x", fault.Unknown, ""},
		{"all closed", rules("User-agent: *\nDisallow: /\n"), "/x", fault.Refused, fault.RobotsDisallowed},
		{"all closed, root", rules("User-agent: *\nDisallow: /\n"), "", fault.Refused, fault.RobotsDisallowed},
		{"byte order mark, CRLF", rules("\xEF\xBB\xBFUser-agent: *\r\nDisallow: /x\r\n"), "/x", fault.Refused, fault.RobotsDisallowed},
		{"other path", rules("User-agent: *\nDisallow: /y\n"), "/x", fault.Unknown, ""},
		{"query", rules("User-agent: *\nDisallow: /x?q\n"), "/x?q=1", fault.Refused, fault.RobotsDisallowed},
		{"wildcard", rules("User-agent: *\nDisallow: /*.ttl$\n"), "/a/b.ttl", fault.Refused, fault.RobotsDisallowed},
		{"we by name", rules("User-agent: *\nDisallow: /\n\nUser-agent: laundromat\nDisallow: /y\n"), "/x", fault.Unknown, ""},
		{"allow wins", rules("User-agent: *\nDisallow: /\nAllow: /data/\n"), "/data/x", fault.Unknown, ""},
		{"bad lines beside good ones",
			rules("Disallow: /z\nCrawl-delay: soon\nUser-agent: *\nCrawl-delay: -1\nDisallow: /\xFF\nnonsense\nDisallow: /x # yes\n"), "/x",
			fault.Refused, fault.RobotsDisallowed},
		{"server fails", func() *http.Response { return reply(503, "", "Retry-After", "600") }, "/x", fault.Remote,
			fault.RobotsUnreachable},
		{"too many requests", func() *http.Response { return reply(429, "") }, "/x", fault.Remote, fault.RobotsUnreachable},
		{"circle", func() *http.Response { return reply(302, "", "Location", "/robots.txt") }, "/x", fault.Unknown, ""},
		{"redirect to nothing", func() *http.Response { return reply(302, "") }, "/x", fault.Unknown, ""},
		{"huge", rules("User-agent: *\nDisallow: /x\n" + strings.Repeat("# filling\n", 1<<20)), "/x", fault.Refused,
			fault.RobotsDisallowed},
	} {
		h := &host{robots: c.robots}
		f := h.fetcher()
		r, err := f.Get(context.Background(), "http://example.org"+c.path, io.Discard)
		if fault.KindOf(err) != c.kind || fault.CodeOf(err) != c.code {
			t.Errorf("%s: error %v, want %v %s", c.name, err, c.kind, c.code)
		}
		if c.code == fault.RobotsUnreachable && c.name == "server fails" {
			if e, ok := err.(*fault.Error); !ok || (10*time.Minute-e.After).Abs() > time.Minute {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		if want := 1; c.code == "" && len(r.Exchanges) != want {
			t.Errorf("%s: %d exchanges, want %d: robots.txt is none of the document's", c.name, len(r.Exchanges), want)
		}
		if c.code == fault.RobotsUnreachable && (len(r.Exchanges) != 1 || r.Exchanges[0].URI != "http://example.org/robots.txt" ||
			r.Exchanges[0].Status < 400) {
			t.Errorf("%s: exchanges %+v, want that for robots.txt", c.name, r.Exchanges)
		}
		before := len(h.asked)
		second, again := f.Get(context.Background(), "http://example.org"+c.path, io.Discard)
		if fault.CodeOf(again) != c.code {
			t.Errorf("%s, again: error %v", c.name, again)
		}
		if c.code == fault.RobotsUnreachable && (len(second.Exchanges) != 1 || !second.Exchanges[0].Time.Equal(r.Exchanges[0].Time)) {
			t.Errorf("%s, again: exchanges %+v, want that which is remembered", c.name, second.Exchanges)
		}
		if asked := len(h.asked) - before; c.code == "" && asked != 1 || c.code != "" && asked != 0 {
			t.Errorf("%s: robots.txt was asked again: %q", c.name, h.asked[before:])
		}
	}
}

func TestRobotsAreAskedOfEachHostOfAChain(t *testing.T) {
	h := &host{}
	if _, err := h.fetcher().Get(context.Background(), "http://a.test/to/b.test:8080/x", io.Discard); err != nil {
		t.Fatal(err)
	}
	want := "[http://a.test/robots.txt http://a.test/to/b.test:8080/x http://b.test:8080/robots.txt http://b.test:8080/x]"
	if fmt.Sprint(h.asked) != want {
		t.Errorf("asked %q, want %s", h.asked, want)
	}
}

func TestRobotsAreAskedAgainAfterAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		status := 503
		h := &host{}
		h.robots = func() *http.Response { return reply(status, "") }
		f := h.fetcher()
		get := func() error { _, err := f.Get(context.Background(), "http://a.test/x", io.Discard); return err }
		if fault.CodeOf(get()) != fault.RobotsUnreachable || len(h.asked) != 1 {
			t.Fatalf("asked %q", h.asked)
		}
		status = 404
		if fault.CodeOf(get()) != fault.RobotsUnreachable || len(h.asked) != 1 {
			t.Fatalf("asked at once: %q", h.asked)
		}
		time.Sleep(6 * time.Minute)
		if err := get(); err != nil || len(h.asked) != 3 {
			t.Fatalf("error %v, asked %q", err, h.asked)
		}
		time.Sleep(25 * time.Hour)
		if err := get(); err != nil || len(h.asked) != 5 {
			t.Fatalf("error %v, asked %q", err, h.asked)
		}
	})
}

func TestRequestsToOneHostAreSpaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &host{}
		f := fetch.New(fetch.Options{Transport: h, HostDelay: time.Second})
		if _, err := f.Get(context.Background(), "http://a.test/to/b.test/to/a.test/x", io.Discard); err != nil {
			t.Fatal(err)
		}
		last := map[string]time.Time{}
		for i, uri := range h.asked {
			name := strings.Split(uri, "/")[2]
			if at, met := last[name]; met && h.times[i].Sub(at) < time.Second {
				t.Errorf("%s was asked %v after the last request to its host", uri, h.times[i].Sub(at))
			}
			last[name] = h.times[i]
		}
		if total := h.times[len(h.times)-1].Sub(h.times[0]); total > 3*time.Second {
			t.Errorf("the chain took %v: hosts must not wait for one another", total)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		if _, err := f.Get(ctx, "http://b.test/y", io.Discard); fault.KindOf(err) != fault.Stopped {
			t.Errorf("error %v", err)
		}
	})
}

func TestNothingIsAskedOfAHostThatForbidsIt(t *testing.T) {
	h := &host{robots: func() *http.Response { return reply(200, "User-agent: *\nDisallow: /") }}
	h.fetcher().Get(context.Background(), "http://a.test/secret", io.Discard)
	if fmt.Sprint(h.asked) != "[http://a.test/robots.txt]" {
		t.Errorf("asked %q", h.asked)
	}
}

func TestCrawlDelayIsKeptWithinABound(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"User-agent: *\nCrawl-delay: 5\n":                                       5 * time.Second,
		"User-agent: *\nCrawl-delay: 0.5\nDisallow: /y\n":                       500 * time.Millisecond,
		"User-agent: *\nCrawl-delay: 86400\n":                                   30 * time.Second,
		"User-agent: *\nCrawl-delay: 5\n\nUser-agent: laundromat\nDisallow: /y": 0,
		"User-agent: *\nCrawl-delay: soon\nDisallow: /y\n":                      0,
		"User-agent: *\nCrawl-delay: -3\nCrawl-delay: NaN\nDisallow: /y\n":      0,
		"Crawl-delay: 9\nUser-agent: *\nDisallow: /y\n":                         0,
		"User-agent: laundromat\nCrawl-delay: 5\nUser-agent: x\nDisallow: /y":   5 * time.Second,
		"User-agent: x\nCrawl-delay: 5\nUser-agent: laundromat\nDisallow: /y":   0,
	} {
		synctest.Test(t, func(t *testing.T) {
			h := &host{robots: func() *http.Response { return reply(200, text) }}
			f := h.fetcher()
			r, err := f.Get(context.Background(), "http://a.test/to/b.test/to/a.test/x", io.Discard)
			if err != nil || r.Shown[0].Delay != want {
				t.Errorf("%q: %v, want %v, error %v", text, r.Shown[0].Delay, want, err)
			}
			last := map[string]time.Time{}
			for i, uri := range h.asked {
				name := strings.Split(uri, "/")[2]
				if at, met := last[name]; met && h.times[i].Sub(at) < want {
					t.Errorf("%q: %s was asked %v after the last document of its host", text, uri, h.times[i].Sub(at))
				}
				if !strings.HasSuffix(uri, "/robots.txt") {
					last[name] = h.times[i]
				}
			}
		})
	}
}
