package fetch_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/internal/fetch"
)

func TestAHostIsKnownByItsLastRequestAndItsRobots(t *testing.T) {
	long := "User-agent: *\n"
	for i := range fetch.MostRules + 5 {
		long += fmt.Sprintf("Disallow: /%d\n", i)
	}
	for _, c := range []struct {
		name   string
		robots func() *http.Response
		want   fetch.Robots // without its times
		last   string       // the path of the last request, with its status
	}{
		{"none", nil, fetch.Robots{Status: 404}, "/x 200"},
		{"rules for others", func() *http.Response { return reply(200, "User-agent: other\nDisallow: /\n") },
			fetch.Robots{Status: 200}, "/x 200"},
		{"rules", func() *http.Response {
			return reply(200, "User-agent: *\nCrawl-delay: 2\nDisallow: /a\nAllow: /a/*.ttl$\n")
		}, fetch.Robots{Status: 200, Rules: []string{"Disallow: /a", "Allow: /a/*.ttl$"}, Total: 2, Delay: 2 * time.Second}, "/x 200"},
		{"a long delay", func() *http.Response { return reply(200, "User-agent: *\nCrawl-delay: 3600\n") },
			fetch.Robots{Status: 200, Delay: 30 * time.Second}, "/x 200"},
		{"many rules", func() *http.Response { return reply(200, long) },
			fetch.Robots{Status: 200, Rules: strings.Split(strings.TrimSpace(long), "\n")[1 : 1+fetch.MostRules],
				Total: fetch.MostRules + 5}, "/x 200"},
		{"it fails", func() *http.Response { return reply(503, "") },
			fetch.Robots{Status: 503, Error: "robots.txt can't be read: 503 Service Unavailable"}, "/robots.txt 503"},
		{"it forbids", func() *http.Response { return reply(200, "User-agent: *\nDisallow: /\n") },
			fetch.Robots{Status: 200, Rules: []string{"Disallow: /"}, Total: 1}, "/robots.txt 200"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := (&host{robots: c.robots}).fetcher()
				if known, err := f.Known(t.Context(), "h.example"); err != nil || known.Last != nil || len(known.Robots) != 0 {
					t.Fatalf("before it was asked, %+v is known (%v)", known, err)
				}
				begin := time.Now().UTC()
				f.Do(t.Context(), fetch.Request{URI: "http://h.example/x"}, new(strings.Builder))
				known, err := f.Known(t.Context(), "h.example")
				if err != nil || known.Last == nil || len(known.Robots) != 1 {
					t.Fatalf("%+v is known (%v)", known, err)
				}
				is, want := known.Robots[0], c.want
				if want.Origin = "http://h.example"; is.Asked != begin || !is.Until.After(begin) {
					t.Errorf("asked at %v, which holds until %v; the request began at %v", is.Asked, is.Until, begin)
				}
				is.Asked, is.Until = time.Time{}, time.Time{}
				if fmt.Sprintf("%+v", is) != fmt.Sprintf("%+v", want) || !slices.Equal(is.Rules, want.Rules) {
					t.Errorf("got  %+v\nwant %+v", is, want)
				}
				if last := fmt.Sprintf("%s %d", strings.TrimPrefix(known.Last.URI, "http://h.example"), known.Last.Status); last != c.last {
					t.Errorf("the last request is %s, not %s", last, c.last)
				}
				if known.Delay < want.Delay {
					t.Errorf("the delay is %v", known.Delay)
				}
			})
		})
	}
}

func TestAHostIsKnownToBeAskedForItsRobots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		f := (&host{robots: func() *http.Response { <-release; return reply(200, "") }}).fetcher()
		done := make(chan struct{})
		go func() {
			defer close(done)
			f.Do(context.Background(), fetch.Request{URI: "http://h.example/x"}, new(strings.Builder))
		}()
		synctest.Wait()
		known, err := f.Known(t.Context(), "h.example")
		if err != nil || len(known.Robots) != 1 || !known.Robots[0].IsBeingAsked || !known.Robots[0].Asked.IsZero() {
			t.Errorf("while robots.txt is asked for, %+v is known (%v)", known, err)
		}
		close(release)
		<-done
	})
}
