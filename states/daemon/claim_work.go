package daemon

import (
	"context"
	"sync"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/states"
)

// held names a claim.
type held struct {
	seed  string
	fence uint64
}

// maxCrashes is how often a stage of one seed may end with the whole process before the seed fails.
// A document that kills the process each time must not do so for ever.
const maxCrashes = 3

// draw takes n bytes from the budget, and waits for them if it must. A claim that waits for long is
// as alive as one that is worked on.
func (r *Runner) draw(ctx context.Context, claim seedlist.Claim, n int64) error {
	if r.budget.TryAcquire(n) {
		return nil
	}
	return r.awaitBudget(ctx, claim, n)
}

// awaitBudget takes n bytes from the budget when they are there, and says meanwhile that it waits.
func (r *Runner) awaitBudget(ctx context.Context, claim seedlist.Claim, n int64) error {
	ctx, cancel := context.WithCancel(ctx)
	var waiting sync.WaitGroup
	defer waiting.Wait()
	defer cancel()
	waiting.Go(func() {
		tick := time.NewTicker(tellWaiting)
		defer tick.Stop()
		for {
			r.seeds.Progress(claim, seedlist.Progress{Message: "waiting for memory"})
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	})
	return r.budget.Acquire(ctx, n)
}

// tellWaiting is the pause between two signs of life of a claim that waits.
const tellWaiting = 10 * time.Second

// stageFunc does the work of a working state on one claimed seed. What it returns
// holds also with an error, as far as the work came; nil for nothing.
type stageFunc func(context.Context, seedlist.Claim) (outcome, error)

// stageResult is the work of one stage on a claim, and how that ended.
type stageResult struct {
	claim   seedlist.Claim
	done    outcome
	err     error
	verdict verdict
	due     time.Duration // until it may be claimed again, if it is given back
	runtime time.Duration
}

// do has a stage do its work, and measures that.
func (s *stageResult) do(ctx context.Context, stage stageFunc) {
	start := time.Now()
	s.err = states.Safely(func() (err error) {
		s.done, err = stage(ctx, s.claim)
		return err
	})
	if s.done == nil {
		s.done = &work{}
	}
	s.runtime = time.Since(start)
}

// handled is a claim whose work is done, well or not. The field claim is the one that was made. Of
// a chain, done is the outcome of the last stage.
type handled struct {
	stageResult
	links   []stageResult // all stages, if the claim went on at once
	files   changedFiles  // of all stages
	start   time.Time
	working context.Context
	cut     context.CancelCauseFunc
}

// handle works on a claim; finish has to follow.
func (r *Runner) handle(stopping, working context.Context, claim seedlist.Claim, stage stageFunc) *handled {
	h := &handled{stageResult: stageResult{claim: claim}, start: time.Now()}
	h.working, h.cut = context.WithCancelCause(working)
	r.atWork.Store(held{claim.Seed.Hash, claim.Fence}, h.cut)
	if cleared, ok := r.clearing.Load(claim.Seed.Hash); ok {
		select {
		case <-cleared.(chan struct{}):
		case <-h.working.Done():
		}
	}
	near := claim.Stage == seedlist.Unarchiving && claim.Crashes == 0 && r.bring(claim.Seed)
	if near {
		defer r.fresh.forget(claim.Seed.Hash)
	}
	if claim.Crashes >= maxCrashes {
		h.done = &work{}
		h.err = fault.New("states.handle", fault.Bug, fault.BugPanic, "the whole process ended %d times while it worked on this", claim.Crashes)
	} else {
		h.do(h.working, stage)
	}
	h.runtime = time.Since(h.start)
	h.files = h.done.common().files
	if h.err == nil && (bodyOf(h.done) != nil || near) && claim.Crashes == 0 && h.done.common().next.IsReady() {
		r.chain(stopping, h)
	}
	return h
}

// bodyOf is all that was downloaded, if it is little enough to be worked on at once; else nil.
func bodyOf(done outcome) []byte {
	if d, ok := done.(*downloadOutcome); ok {
		return d.body
	}
	return nil
}
