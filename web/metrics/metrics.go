// Package metrics tells Prometheus how a daemon stands and what it is asked. Every label has a bound: states,
// codes and formats are those that the program knows, paths are those of the API.
package metrics

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/views"
	"laundromat/states/recordtables"
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
	// Disk is the room on the disk, and how much of it stays free; nil: unknown.
	Disk func() (free, keep int64, err error)
	// Saved is when the last backup was complete; zero: never, or unknown.
	Saved func() time.Time
	// Catalogs lists the sources of seeds; nil: unknown.
	Catalogs func(ctx context.Context, cursor string, limit int) ([]seedlist.Catalog, string, error)
	// Elsewhere says that another process that serves the same list exports its counts; nil: none does.
	Elsewhere func(context.Context) (bool, error)
	// RecordsInto says how far the database of records is; nil: there is none.
	RecordsInto func(context.Context) recordtables.IntoStatus
	// Unstored is how many claims hold files that could not be stored yet; nil: unknown.
	Unstored func() int64
}

// Seeds is the part of a seed list that is asked, at each scrape.
type Seeds interface {
	Counts(ctx context.Context) (seedlist.Counts, error)
	Revision(ctx context.Context) (uint64, error)
	// Hosts are those with settings of their own, among them those that turned.
	Hosts(ctx context.Context) ([]seedlist.HostUse, error)
	OldestDue(ctx context.Context) (time.Time, error)
}

// Metrics are those of one daemon.
type Metrics struct {
	daemon   Daemon
	requests *metrics.Set
	// scrapes bounds how many are answered at once.
	scrapes chan struct{}
	due     oldestDue
}

// New makes the metrics of a daemon.
func New(d Daemon) *Metrics {
	metrics.ExposeMetadata(true)
	m := &Metrics{daemon: d, requests: metrics.NewSet(), scrapes: make(chan struct{}, 4)}
	m.fromZero()
	return m
}

// Handler answers what Prometheus asks, in its text format (version 0.0.4).
func (m *Metrics) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case m.scrapes <- struct{}{}:
			defer func() { <-m.scrapes }()
		default:
			http.Error(w, "four scrapes are being answered already", http.StatusServiceUnavailable)
			return
		}
		var p page
		p.daemon(r.Context(), m)
		p.house(m.daemon)
		m.requests.WritePrometheus(&p)
		metrics.WriteGoMetrics(&p)
		metrics.WriteProcMetrics(&p)
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		w.Write(p.Bytes())
	})
}

// buckets are the upper bounds, in seconds, in which the time of replies is counted.
var buckets = []float64{.001, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// Counted counts the requests that next answers. The path is the pattern that a request matched.
func (m *Metrics) Counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin := time.Now()
		seen := web.NewStatusReply(w)
		defer func() { // also of a reply that was broken off
			path := pathOf(r)
			m.requests.GetOrCreateCounter(fmt.Sprintf("laundromat_http_requests_total{method=%q,path=%q,status=%q}",
				methodOf(r), path, strconv.Itoa(seen.Status))).Inc()
			if path != "/api/v1/events" {
				m.requests.GetOrCreatePrometheusHistogramExt(fmt.Sprintf("laundromat_http_request_seconds{path=%q}", path), buckets).
					UpdateDuration(begin)
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

// page is what a scrape is answered with.
type page struct{ bytes.Buffer }

// begin begins a metric.
func (p *page) begin(kind, name, help string) {
	fmt.Fprintf(p, "# HELP laundromat_%s %s\n# TYPE laundromat_%s %s\n", name, help, name, kind)
}

// gauge writes a metric with one value.
func gauge[Number ~int64 | ~uint64 | ~int](p *page, name, help string, n Number) {
	p.begin("gauge", name, help)
	fmt.Fprintf(p, "laundromat_%s %d\n", name, n)
}

// gauges writes a metric with a value for each of a label's.
func gauges[Name ~string](p *page, name, help, label string, counts map[Name]int64) {
	p.begin("gauge", name, help)
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(p, "laundromat_%s{%s=%q} %d\n", name, label, string(key), counts[key])
	}
}

// patience is how long the seed list may take for its counts.
const patience = 5 * time.Second

// daemon writes how a daemon stands; all counts are asked for at each scrape.
func (p *page) daemon(ctx context.Context, m *Metrics) {
	d := m.daemon
	gauges(p, "info", "1, with the version.", "version", map[string]int64{d.Version: 1})
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	counts, err := d.Seeds.Counts(ctx)
	var last uint64
	if err == nil {
		last, err = d.Seeds.Revision(ctx)
	}
	var hosts []seedlist.HostUse
	if err == nil {
		hosts, err = d.Seeds.Hosts(ctx)
	}
	var isElsewhere bool
	if err == nil && d.Elsewhere != nil {
		isElsewhere, err = d.Elsewhere(ctx)
	}
	up := 1
	if err != nil {
		up = 0
	}
	gauge(p, "up", "1 if the seed list could be read.", up)
	p.paused(d)
	if err == nil && d.RecordsInto != nil {
		p.recordsInto(d.RecordsInto(ctx))
	}
	if err != nil || isElsewhere {
		return
	}
	p.catalogs(ctx, d)
	if overdue, err := m.due.overdue(ctx, d.Seeds); err == nil {
		gauge(p, "oldest_overdue_seconds", "How long the seed has been due that has been due longest; 0: none is.", int64(overdue.Seconds()))
	}
	turned := 0
	for i := range hosts {
		if hosts[i].Turned != nil {
			turned++
		}
	}
	gauge(p, "hosts_turned", "Hosts that give something else in the place of their data (host/turned).", turned)
	p.counts(counts, d.Formats)
	gauge(p, "revision", "The last change of the seed list.", last)
	if d.AsOf != nil {
		asOf := d.AsOf()
		gauge(p, "views_lag", "Changes of the seed list that lists and counts do not hold yet.", last-min(last, asOf.Revision))
		building := 0
		if asOf.Building {
			building = 1
		}
		gauge(p, "views_building", "1 while lists and counts are being made anew.", building)
	}
}

// recordsInto writes how far the database of records is.
func (p *page) recordsInto(is recordtables.IntoStatus) {
	up := 1
	if is.Error != "" {
		up = 0
	}
	gauge(p, "records_into_up", "1 while the database of records can be written.", up)
	gauge(p, "records_into_lag", "Changes of the seed list that the database of records does not hold yet.", is.Behind)
	gauge(p, "records_into_failed", "Documents whose records the database does not hold, since the start.", is.Failed)
	gauges(p, "records_into", "Records since the start, by what became of them.", "kind",
		map[string]int64{"new": is.New, "changed": is.Changed, "lost": is.Lost})
}

// paused writes which parts of this process do not go on.
func (p *page) paused(d Daemon) {
	if d.Paused != nil {
		parts := map[string]int64{}
		for _, part := range d.Paused() {
			parts[part] = 1
		}
		gauges(p, "paused", "1 for a part of the daemon that does not go on.", "part", parts)
	}
}

// counts writes what is counted of seeds and documents.
func (p *page) counts(counts seedlist.Counts, formats []string) {
	known := map[string]bool{}
	for _, name := range formats {
		known[name] = true
	}
	codes := map[fault.Code]bool{}
	for _, one := range fault.Codes() {
		codes[one.Code] = true
	}
	noticed := map[fault.Code]int64{}
	for code, found := range counts.Notices {
		noticed[code] = found.Seeds
	}
	s := counts.Statements
	gauges(p, "seeds", "Seeds by state.", "state", counts.States)
	gauge(p, "seeds_relative", "Seeds that are relative URIs, which are never fetched.", counts.Relative)
	gauge(p, "seeds_waiting", "Seeds that are ready, but due later.", counts.Waiting)
	gauge(p, "documents_washed", "Documents with a clean file, whatever became of them since.", counts.Washed)
	gauge(p, "documents_refreshed", "Documents with a clean file that are being fetched or washed again.", counts.Refreshed)
	gauges(p, "documents", "Documents by format: a page under HTML, and under each syntax that it holds.", "format",
		bounded(counts.Formats, known))
	gauges(p, "errors", "Seeds that show an error, by its code.", "code", bounded(counts.Errors, codes))
	gauges(p, "noticed_documents", "Documents with a notice of a code.", "code", bounded(noticed, codes))
	gauges(p, "statements", "Statements of dirty documents.", "kind", map[string]int64{"read": s.Read, "kept": s.Kept,
		"repaired": s.Repaired, "dropped": s.Dropped, "duplicates": s.Duplicates, "written": s.Written})
	p.products(counts.Products)
	gauge(p, "dirty_bytes", "Bytes of dirty documents as they came.", counts.Bytes)
	gauge(p, "clean_bytes", "Bytes of clean files before compression.", counts.Clean.Bytes)
	gauge(p, "clean_statements", "Statements of clean files, each file once.", counts.Clean.Lines)
	p.begin("counter", "unchanged_total", "Downloads that found nothing new.")
	fmt.Fprintf(p, "laundromat_unchanged_total %d\n", counts.Unchanged)
}

// products writes what is counted of products, in the order of [seedlist.Products].
func (p *page) products(counts map[string]seedlist.ProductCount) {
	served, failed, none := map[string]int64{}, map[string]int64{}, map[string]int64{}
	for name, n := range counts {
		served[name], failed[name], none[name] = n.Seeds, n.Errors, n.None
	}
	gauges(p, "product_documents", "Documents of which a product is served.", "product", served)
	gauges(p, "product_errors", "Documents of which a product could not be made.", "product", failed)
	gauges(p, "product_none", "Documents that could hold some of a product, and hold none.", "product", none)
	if n, isAsked := counts[seedlist.ProductRecords]; isAsked {
		gauges(p, "records", "Records of dirty documents.", "kind", map[string]int64{"read": n.Read, "kept": n.Kept, "repaired": n.Repaired,
			"dropped": n.Dropped, "written": n.Written})
	}
	if n, isAsked := counts[seedlist.ProductArticles]; isAsked {
		gauges(p, "articles", "Articles of dirty documents.", "kind", map[string]int64{"read": n.Read, "kept": n.Kept, "empty": n.Empty,
			"repeated": n.Repeated, "written": n.Written})
	}
}

// bounded are the counts of what is known, and of all else together as "other".
func bounded[Name ~string](counts map[Name]int64, known map[Name]bool) map[Name]int64 {
	all := map[Name]int64{}
	for name, n := range counts {
		if !known[name] {
			name = "other"
		}
		all[name] += n
	}
	return all
}
