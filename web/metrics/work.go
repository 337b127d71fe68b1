package metrics

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// failures are the kinds of errors with which a claim ends as failed.
var failures = []fault.Kind{fault.Remote, fault.Refused, fault.Data, fault.Limit, fault.Bug}

// fromZero begins the counters of work at 0: Prometheus sees no increase in a counter that appears with a number.
func (m *Metrics) fromZero() {
	for _, stage := range seedlist.Stages() {
		m.Claimed(stage, 0)
		m.outcomes(stage, "done", "")
		for _, kind := range failures {
			m.outcomes(stage, "failed", kind.String())
		}
		m.requests.GetOrCreateCounter(fmt.Sprintf("laundromat_pauses_total{stage=%q}", string(stage)))
		m.requests.GetOrCreateFloatCounter(fmt.Sprintf("laundromat_pause_seconds_total{stage=%q}", string(stage)))
	}
	m.Fetched(0)
}

// stageBuckets are the upper bounds, in seconds, in which the time of a stage is counted.
var stageBuckets = []float64{.001, .01, .1, 1, 10, 60, 600, 3600}

// Claimed, Ended and Fetched count the work of this process.
func (m *Metrics) Claimed(stage seedlist.State, n int) {
	m.requests.GetOrCreateCounter(fmt.Sprintf("laundromat_claims_total{stage=%q}", string(stage))).Add(n)
}

// Ended counts the end of a claim, and how long its work took. An outcome other than given_back and paused is a try.
func (m *Metrics) Ended(stage seedlist.State, outcome, kind string, took time.Duration) {
	m.outcomes(stage, outcome, kind).Inc()
	m.requests.GetOrCreatePrometheusHistogramExt(fmt.Sprintf("laundromat_stage_seconds{stage=%q}", string(stage)), stageBuckets).
		Update(took.Seconds())
}

// outcomes is the counter of an outcome.
func (m *Metrics) outcomes(stage seedlist.State, outcome, kind string) *metrics.Counter {
	name := fmt.Sprintf("laundromat_outcomes_total{stage=%q,outcome=%q,kind=%q}", string(stage), outcome, kind)
	return m.requests.GetOrCreateCounter(name)
}

// Fetched counts bytes of bodies that were downloaded.
func (m *Metrics) Fetched(bytes int64) {
	m.requests.GetOrCreateCounter("laundromat_fetched_bytes_total").Add(int(bytes))
}

// CommandEnded counts a run of a command of --on.
func (m *Metrics) CommandEnded(event, outcome string) {
	m.requests.GetOrCreateCounter(fmt.Sprintf("laundromat_commands_total{event=%q,outcome=%q}", event, outcome)).Inc()
}

// Paused counts a pause of a stage that ended.
func (m *Metrics) Paused(stage seedlist.State, took time.Duration) {
	m.requests.GetOrCreateCounter(fmt.Sprintf("laundromat_pauses_total{stage=%q}", string(stage))).Inc()
	m.requests.GetOrCreateFloatCounter(fmt.Sprintf("laundromat_pause_seconds_total{stage=%q}", string(stage))).Add(took.Seconds())
}

// Asked counts a request to a bucket or a database, and how long it took.
func (m *Metrics) Asked(of, what string, took time.Duration, failed bool) {
	m.requests.GetOrCreatePrometheusHistogramExt(fmt.Sprintf("laundromat_%s_seconds{what=%q}", of, what), buckets).Update(took.Seconds())
	if failed {
		m.requests.GetOrCreateCounter(fmt.Sprintf("laundromat_%s_errors_total{what=%q}", of, what)).Inc()
	}
}

// oldestDue remembers for how long a seed is due: all that wait may have to be looked at.
type oldestDue struct {
	mu    sync.Mutex
	due   time.Time
	known time.Time // when it was asked for
}

// dueEvery is how long the answer holds.
const dueEvery = time.Minute

func (o *oldestDue) overdue(ctx context.Context, seeds Seeds) (time.Duration, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if time.Since(o.known) > dueEvery {
		due, err := seeds.OldestDue(ctx)
		if err != nil {
			return 0, err
		}
		o.due, o.known = due, time.Now()
	}
	if o.due.IsZero() {
		return 0, nil
	}
	return time.Since(o.due), nil
}

// house writes the state of this process and its machine.
func (p *page) house(d Daemon) {
	if d.Unstored != nil {
		gauge(p, "unstored", "Claims that hold files which could not be stored yet.", d.Unstored())
	}
	if d.Disk != nil {
		if free, keep, err := d.Disk(); err == nil {
			gauge(p, "disk_free_bytes", "Bytes that are left on the disk of the data folder.", free)
			gauge(p, "disk_keep_bytes", "Bytes that --keep-free leaves unused: with less, nothing new is begun.", keep)
		}
	}
	if d.Saved != nil {
		if at := d.Saved(); !at.IsZero() {
			gauge(p, "last_backup_timestamp_seconds", "When the last backup was complete.", at.Unix())
		}
	}
}

// catalogs writes how the sources of seeds do.
func (p *page) catalogs(ctx context.Context, d Daemon) {
	if d.Catalogs == nil {
		return
	}
	health, err := seedlist.CatalogHealthOf(ctx, d.Catalogs)
	if err != nil {
		return
	}
	gauge(p, "catalogs", "Sources of seeds.", health.All)
	gauge(p, "catalogs_failed", "Sources of seeds whose last harvest ended in an error.", health.Failed)
	gauge(p, "catalogs_empty", "Sources of seeds whose last harvest named no document.", health.Empty)
}
