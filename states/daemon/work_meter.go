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

// measure counts what became of a claim and of the stages after it. Work that was not written down is not counted: it
// is done again.
func (f *finishing) measure() {
	meter := f.runner.opt.Meter
	if meter == nil || f.completed != nil {
		return
	}
	ended := []stageResult{f.stageResult}
	if f.verdict == succeeded && len(f.links) > 0 {
		ended = f.links // the first of them is the claim itself
	}
	for _, s := range ended {
		kind := ""
		if s.err != nil {
			kind = fault.KindOf(s.err).String()
		}
		meter.Ended(s.claim.Stage, meterNames[s.verdict], kind, s.runtime)
	}
}
