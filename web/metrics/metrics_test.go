package metrics_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/memory"
	"laundromat/seedlist/views"
	"laundromat/web/metrics"
)

func scrape(t *testing.T, m *metrics.Metrics) string {
	t.Helper()
	reply := httptest.NewRecorder()
	m.Handler().ServeHTTP(reply, httptest.NewRequest("GET", "/metrics", nil))
	text, err := io.ReadAll(reply.Body)
	if err != nil || reply.Code != 200 {
		t.Fatal(reply.Code, err)
	}
	return string(text)
}

func TestMetricsAreTheCountsAndTheRequests(t *testing.T) {
	list := memory.New(seedlist.Options{})
	for i := range 7 {
		if _, err := list.Add(t.Context(), []seedlist.NewSeed{{URI: fmt.Sprintf("http://a.example/%d", i)}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, host := range []string{"a.example", "b.example"} {
		if _, err := list.SetHost(t.Context(), host,
			func(s *seedlist.HostSettings) { s.Turned = &seedlist.Turned{Documents: 3} }); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := list.SetHost(t.Context(), "c.example", func(s *seedlist.HostSettings) { s.Paused = true }); err != nil {
		t.Fatal(err)
	}
	m := metrics.New(metrics.Daemon{
		Seeds: list, Version: "1.2", AsOf: func() views.AsOf { return views.AsOf{Revision: 5} },
		Paused: func() []string { return []string{"downloading"} }, Unstored: func() int64 { return 4 },
	})
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/seeds/{hash}", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) })
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) })
	api := m.Counted(mux)
	for i := range 500 {
		for _, path := range []string{"/api/v1/seeds/%d", "/%d"} {
			api.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", fmt.Sprintf(path, i), nil))
		}
		api.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(fmt.Sprintf("M%d", i), "/x", nil))
	}
	if text := scrape(t, m); !strings.Contains(text, `laundromat_outcomes_total{stage="parsing",outcome="done",kind=""} 0`+"\n") ||
		!strings.Contains(text, `laundromat_outcomes_total{stage="downloading",outcome="failed",kind="refused"} 0`+"\n") ||
		!strings.Contains(text, "laundromat_fetched_bytes_total 0\n") {
		t.Errorf("counters of work do not begin at 0: %s", text)
	}
	m.Paused(seedlist.Parsing, 3*time.Second)
	m.Asked("bucket", "PUT", time.Second, false)
	m.Asked("bucket", "PUT", time.Second, true)
	text := scrape(t, m)
	for _, line := range []string{
		`laundromat_up 1`, `laundromat_info{version="1.2"} 1`, `laundromat_seeds{state="added"} 7`, `laundromat_seeds{state="parsed"} 0`,
		`laundromat_hosts_turned 2`, `laundromat_oldest_overdue_seconds 0`, `laundromat_unstored 4`,
		`laundromat_pauses_total{stage="parsing"} 1`, `laundromat_pause_seconds_total{stage="parsing"} 3`,
		`laundromat_bucket_seconds_count{what="PUT"} 2`, `laundromat_bucket_errors_total{what="PUT"} 1`,
		`laundromat_revision 7`, `laundromat_views_lag 2`, `laundromat_paused{part="downloading"} 1`,
		`laundromat_http_requests_total{method="GET",path="/api/v1/seeds/{hash}",status="404"} 500`,
		`laundromat_http_requests_total{method="GET",path="other",status="404"} 500`,
		`laundromat_http_requests_total{method="other",path="other",status="404"} 500`,
		`laundromat_http_request_seconds_count{path="other"} 1000`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("%s is missing", line)
		}
	}
	if n := strings.Count(text, "laundromat_http_requests_total{"); n != 3 {
		t.Errorf("%d series of requests", n)
	}
	list.Close()
	if text := scrape(t, m); !strings.Contains(text, "laundromat_up 0\n") {
		t.Error("a closed list is up")
	}
}

// The counts of a list that another process exports are not exported here; the work of this process is.
func TestOneProcessExportsTheCountsOfAList(t *testing.T) {
	list := memory.New(seedlist.Options{})
	isElsewhere := true
	m := metrics.New(metrics.Daemon{Seeds: list, Elsewhere: func(context.Context) (bool, error) { return isElsewhere, nil }})
	m.Fetched(7)
	for _, isElsewhere = range []bool{true, false, true} {
		text := scrape(t, m)
		if strings.Contains(text, "laundromat_seeds{") == isElsewhere ||
			strings.Contains(text, "laundromat_oldest_overdue_seconds") == isElsewhere {
			t.Errorf("elsewhere %v: %s", isElsewhere, text)
		}
		if !strings.Contains(text, "laundromat_up 1\n") || !strings.Contains(text, "laundromat_fetched_bytes_total 7\n") {
			t.Error("the work of the process is not exported")
		}
	}
}
