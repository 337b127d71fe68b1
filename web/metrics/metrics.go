// Package metrics tells Prometheus how a daemon stands and what it is asked. Every label has a bound: states,
// codes and formats are those that the program knows, paths are those of the API.
package metrics

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"laundromat/internal/fault"
	"laundromat/internal/views"
	"laundromat/seedlist"
	"laundromat/web"
)

// Daemon is what is told of.
type Daemon struct {
	Seeds   Seeds
	Version string
	Formats []string // the names of formats that are counted apart
	// AsOf says how far lists and counts have come.
	AsOf func() views.AsOf
	// Paused are the working states that do not go on, and "store".
	Paused func() []string
}

// Seeds is the part of a seed list that is asked, at each scrape.
type Seeds interface {
	Counts(ctx context.Context) (seedlist.Counts, error)
	Revision(ctx context.Context) (uint64, error)
	// Hosts are those with settings of their own, among them those that turned.
	Hosts(ctx context.Context) ([]seedlist.HostUse, error)
}

// Metrics are those of one daemon.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
}

// New makes the metrics of a daemon.
func New(d Daemon) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "laundromat_http_requests_total", Help: "Requests that were answered over TCP.",
		}, []string{"path", "method", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "laundromat_http_request_seconds", Help: "How long replies took, but those of streams.",
			Buckets: []float64{.001, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"path"}),
	}
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		m.requests, m.seconds, &collector{Daemon: d})
	return m
}

// Handler answers what Prometheus asks.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry, MaxRequestsInFlight: 4})
}

// Counted counts the requests that next answers. The path is the pattern that a request matched.
func (m *Metrics) Counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin := time.Now()
		seen := web.NewStatusReply(w)
		defer func() { // also of a reply that was broken off
			path := pathOf(r)
			m.requests.WithLabelValues(path, methodOf(r), strconv.Itoa(seen.Status)).Inc()
			if path != "/api/v1/events" {
				m.seconds.WithLabelValues(path).Observe(time.Since(begin).Seconds())
			}
		}()
		next.ServeHTTP(seen, r)
	})
}

// pathOf is the pattern of a request without its method; "other" for what matched none.
func pathOf(r *http.Request) string {
	for i, c := range r.Pattern {
		if c == '/' {
			if r.Pattern[i:] == "/" {
				break
			}
			return r.Pattern[i:]
		}
	}
	return "other"
}

// methodOf is one of the methods that are known.
func methodOf(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return r.Method
	}
	return "other"
}

// collector asks the daemon at each scrape.
type collector struct{ Daemon }

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("laundromat_"+name, help, labels, nil)
}

var (
	info       = describe("info", "1, with the version.", "version")
	seeds      = describe("seeds", "Seeds by state.", "state")
	relative   = describe("seeds_relative", "Seeds that are relative URIs, which are never fetched.")
	waiting    = describe("seeds_waiting", "Seeds that are ready, but due later.")
	washed     = describe("documents_washed", "Documents with a clean file, whatever became of them since.")
	refreshed  = describe("documents_refreshed", "Documents with a clean file that are being fetched or washed again.")
	turned     = describe("hosts_turned", "Hosts that give something else in the place of their data (host/turned).")
	formats    = describe("documents", "Documents by format: a page under HTML, and under each syntax that it holds.", "format")
	errorsOf   = describe("errors", "Seeds that show an error, by its code.", "code")
	noticed    = describe("noticed_documents", "Documents with a notice of a code.", "code")
	statements = describe("statements", "Statements of dirty documents.", "kind")
	dirtyBytes = describe("dirty_bytes", "Bytes of dirty documents as they came.")
	cleanBytes = describe("clean_bytes", "Bytes of clean files before compression.")
	cleanLines = describe("clean_statements", "Statements of clean files, each file once.")
	unchanged  = describe("unchanged_total", "Downloads that found nothing new.")
	revision   = describe("revision", "The last change of the seed list.")
	lag        = describe("views_lag", "Changes of the seed list that lists and counts do not hold yet.")
	building   = describe("views_building", "1 while lists and counts are being made anew.")
	paused     = describe("paused", "1 for a part of the daemon that does not go on.", "part")
	up         = describe("up", "1 if the seed list could be read.")
)

// Describe tells what may be collected.
func (c *collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{info, seeds, relative, waiting, washed, refreshed, turned, formats, errorsOf, noticed, statements, dirtyBytes, cleanBytes, cleanLines, unchanged, revision, lag, building, paused, up} {
		to <- d
	}
}

// patience is how long the seed list may take for its counts.
const patience = 5 * time.Second

// Collect asks for all counts at once.
func (c *collector) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, n float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, n, labels...)
	}
	gauge(info, 1, c.Version)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	counts, err := c.Seeds.Counts(ctx)
	var last uint64
	if err == nil {
		last, err = c.Seeds.Revision(ctx)
	}
	var hosts []seedlist.HostUse
	if err == nil {
		hosts, err = c.Seeds.Hosts(ctx)
	}
	if err != nil {
		gauge(up, 0)
		return
	}
	gauge(up, 1)
	n := 0
	for i := range hosts {
		if hosts[i].Turned != nil {
			n++
		}
	}
	gauge(turned, float64(n))
	for state, n := range counts.States {
		gauge(seeds, float64(n), string(state))
	}
	gauge(relative, float64(counts.Relative))
	gauge(waiting, float64(counts.Waiting))
	gauge(washed, float64(counts.Washed))
	gauge(refreshed, float64(counts.Refreshed))
	known := map[string]bool{}
	for _, name := range c.Formats {
		known[name] = true
	}
	for name, n := range bounded(counts.Formats, known) {
		gauge(formats, n, name)
	}
	codes := map[fault.Code]bool{}
	for _, one := range fault.Codes() {
		codes[one.Code] = true
	}
	for code, n := range bounded(counts.Errors, codes) {
		gauge(errorsOf, n, string(code))
	}
	ofNotices := map[fault.Code]int64{}
	for code, found := range counts.Notices {
		ofNotices[code] = found.Seeds
	}
	for code, n := range bounded(ofNotices, codes) {
		gauge(noticed, n, string(code))
	}
	s := counts.Statements
	for kind, n := range map[string]int64{"read": s.Read, "kept": s.Kept, "repaired": s.Repaired, "dropped": s.Dropped, "duplicates": s.Duplicates, "written": s.Written} {
		gauge(statements, float64(n), kind)
	}
	gauge(dirtyBytes, float64(counts.Bytes))
	gauge(cleanBytes, float64(counts.Clean.Bytes))
	gauge(cleanLines, float64(counts.Clean.Lines))
	to <- prometheus.MustNewConstMetric(unchanged, prometheus.CounterValue, float64(counts.Unchanged))
	gauge(revision, float64(last))
	if c.AsOf != nil {
		asOf := c.AsOf()
		behind, isBuilding := 0.0, 0.0
		if last > asOf.Revision {
			behind = float64(last - asOf.Revision)
		}
		if asOf.Building {
			isBuilding = 1
		}
		gauge(lag, behind)
		gauge(building, isBuilding)
	}
	if c.Paused != nil {
		for _, part := range c.Paused() {
			gauge(paused, 1, part)
		}
	}
}

// bounded are the counts of what is known, and of all else together as "other".
func bounded[Name ~string](counts map[Name]int64, known map[Name]bool) map[Name]float64 {
	all := map[Name]float64{}
	for name, n := range counts {
		if !known[name] {
			name = "other"
		}
		all[name] += float64(n)
	}
	return all
}
