package daemon

import (
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// Meter counts the work of this process. Its methods are called on any goroutine, once for each claim and download.
type Meter interface {
	Claimed(stage seedlist.State, n int)
	// Ended counts a claim. The outcome is done, failed, retried, given_back or paused; kind is that of the error, ""
	// without one.
	Ended(stage seedlist.State, outcome, kind string, took time.Duration)
	Fetched(bytes int64)
	// Paused counts a pause for this machine's trouble, when it has ended.
	Paused(stage seedlist.State, took time.Duration)
}

var meterNames = [...]string{succeeded: "done", failed: "failed", retried: "retried", givenBack: "given_back", paused: "paused"}

// measure counts what became of a claim, and of the stages after it.
func (f *finishing) measure() {
	meter := f.runner.opt.Meter
	if meter == nil {
		return
	}
	count := func(claim seedlist.Claim, v verdict, err error, took time.Duration) {
		kind := ""
		if err != nil {
			kind = fault.KindOf(err).String()
		}
		meter.Ended(claim.Stage, meterNames[v], kind, took)
	}
	count(f.claim, f.verdict, f.err, f.runtime)
	for _, l := range f.links {
		count(l.claim, l.verdict, l.err, l.runtime)
	}
}
