package daemon

import (
	"context"
	"time"

	"laundromat/internal/commands"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// FailedSeed is an item of the event failed: a seed that became failed.
type FailedSeed struct {
	Seed    string         `json:"seed"`
	URI     string         `json:"uri"`
	Stage   seedlist.State `json:"stage"`
	Kind    string         `json:"kind"`
	Code    fault.Code     `json:"code"`
	Message string         `json:"message"`
}

// ChangedSeed is an item of the event changed: a document whose wash brought other statements than the one before.
type ChangedSeed struct {
	Seed    string `json:"seed"`
	URI     string `json:"uri"`
	From    string `json:"from"` // the clean file before
	To      string `json:"to"`
	Added   int64  `json:"added"`
	Removed int64  `json:"removed"`
}

// PausedPart is an item of the event paused.
type PausedPart struct {
	Part    seedlist.State `json:"part"`
	Since   time.Time      `json:"since"`
	Code    fault.Code     `json:"code,omitempty"`
	Message string         `json:"message"`
}

// TurnedHost is an item of the event turned.
type TurnedHost struct {
	Host      string    `json:"host"`
	Since     time.Time `json:"since"`
	Documents int       `json:"documents"` // that turned within a day
	Asked     int       `json:"asked"`     // of so many
}

// CatalogTrouble is an item of the event catalog: a harvest that failed, or found nothing.
type CatalogTrouble struct {
	Catalog string     `json:"catalog"` // its key
	URI     string     `json:"uri"`
	Code    fault.Code `json:"code,omitempty"`
	Message string     `json:"message,omitempty"`
	Entries int64      `json:"entries"` // documents that it named
}

// Rest is an item of the event idle.
type Rest struct {
	Done int64 `json:"done"` // claims that this process completed since the event before
}

// report reports a document that failed, or that changed, to who waits for that.
func (f *finishing) report() {
	events, last := f.runner.opt.Events, f.last()
	switch {
	case f.verdict == failed && events.Wants(commands.Failed):
		events.Happened(commands.Failed, FailedSeed{
			Seed: f.claim.Seed.Hash, URI: f.shownPlace(), Stage: last.claim.Stage, Kind: fault.KindOf(f.err).String(),
			Code: codeOf(f.err), Message: seedlist.ShownIn(f.err.Error()),
		})
	case f.verdict == succeeded && events.Wants(commands.Changed):
		parsed, ok := last.done.(*parseOutcome)
		if !ok || parsed.changesKept || parsed.changes == nil || parsed.changes.Added.Count+parsed.changes.Removed.Count == 0 {
			return
		}
		c := parsed.changes
		events.Happened(commands.Changed, ChangedSeed{
			Seed: f.claim.Seed.Hash, URI: f.shownPlace(), From: c.From, To: c.To, Added: c.Added.Count, Removed: c.Removed.Count,
		})
	}
}

// shownPlace is the URI of the seed, or the place in its archive, without a password.
func (f *finishing) shownPlace() string {
	return seedlist.Shown(f.runner.place(context.WithoutCancel(f.working), f.claim.Seed))
}

// restEvery is how often a daemon looks whether there is nothing left to do.
const restEvery = 2 * time.Second

// reportRest reports each time that nothing is left to do, after there was something.
func reportRest(ctx context.Context, r *Runner) {
	tick := time.NewTicker(restEvery)
	defer tick.Stop()
	reported := int64(0)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		done := r.done.Load()
		if done == reported || r.busy.Load() > 0 || !r.opt.Events.Wants(commands.Idle) {
			continue
		}
		if idle, err := r.seeds.Idle(ctx); err == nil && idle {
			r.opt.Events.Happened(commands.Idle, Rest{Done: done - reported})
			reported = done
		}
	}
}
