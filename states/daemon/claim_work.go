package daemon

import (
	"context"
	"errors"
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

// maxCrashes is the [seedlist.Claim.Crashes] of a seed that is to blame. It was at work with others
// when the process died, and then three times alone. Who kills the process from outside hits a seed
// that is washed alone by chance, but hardly three times in a row.
const maxCrashes = 1 + 3

// againDied is the first pause before a seed that the process died of is tried again.
const againDied = 6 * time.Hour

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
	defer r.showWaiting(ctx, claim, "waiting for memory")()
	return r.budget.Acquire(ctx, n)
}

// progress shows how far a claim has come. What is wrong with the list is for the calls to say that write.
func (r *Runner) progress(ctx context.Context, claim seedlist.Claim, p seedlist.Progress) {
	if err := r.seeds.Progress(ctx, claim, p); err != nil && ctx.Err() == nil {
		r.log.Debug().Err(err).Str("seed", claim.Seed.Hash).Msg("progress could not be shown")
	}
}

// showWaiting gives signs of life for a claim that waits, until what it returns is called.
func (r *Runner) showWaiting(ctx context.Context, claim seedlist.Claim, message string) (end func()) {
	ended := make(chan struct{})
	var waiting sync.WaitGroup
	waiting.Go(func() {
		tick := time.NewTicker(tellWaiting)
		defer tick.Stop()
		for {
			r.progress(ctx, claim, seedlist.Progress{Message: message})
			select {
			case <-tick.C:
			case <-ended:
				return
			}
		}
	})
	return func() {
		close(ended)
		waiting.Wait()
	}
}

// join takes part in what is washed together, once no suspect is washed alone.
func (r *Runner) join(claim seedlist.Claim) {
	if r.together.TryRLock() {
		return
	}
	defer r.showWaiting(context.Background(), claim, "waiting for a document that is washed alone")()
	r.together.RLock()
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
	if claim.Crashes >= maxCrashes && claim.Stage != seedlist.Downloading {
		h.done = &work{}
		h.err = fault.New("states.handle", fault.Bug, fault.BugProcessDied, "the process died %d times while it washed this alone",
			claim.Crashes-1)
	} else {
		r.doTogether(h, stage)
	}
	h.runtime = time.Since(h.start)
	h.files = h.done.common().files
	if h.err == nil && (bodyOf(h.done) != nil || near) && claim.Crashes == 0 && h.done.common().next.IsReady() {
		r.join(claim)
		defer r.together.RUnlock()
		r.chain(stopping, h)
	}
	return h
}

// doTogether has a stage do its work while no suspect is washed, unless this is the suspect. A
// download, which takes as long as the server likes, holds up nobody and is held up by nobody.
func (r *Runner) doTogether(h *handled, stage stageFunc) {
	if h.claim.Stage != seedlist.Downloading && h.claim.Crashes == 0 {
		r.join(h.claim)
		defer r.together.RUnlock()
	}
	h.do(h.working, stage)
}

// washSuspects washes the seeds that were at work when the process died, one at a time, and
// meanwhile nothing else.
func (r *Runner) washSuspects(stopping, working context.Context) {
	brake := newBrake(stopping, r, seedlist.Parsing)
	defer brake.end()
	for {
		if err := r.seeds.WaitSuspect(stopping); err != nil {
			if stopping.Err() != nil || errors.Is(err, seedlist.ErrClosed) {
				return
			}
			r.log.Error().Err(err).Msg("could not wait for a suspect")
			r.pauseFor(stopping, r.opt.ProbeEvery)
			continue
		}
		if err := r.washSuspect(stopping, working, brake); err != nil {
			if stopping.Err() != nil || errors.Is(err, seedlist.ErrClosed) {
				return
			}
			r.log.Debug().Err(err).Msg("could not claim a suspect")
			brake.pull(err)
		}
		brake.await(stopping)
	}
}

// washSuspect does the work of one stage on one suspect. The claim is made when nothing else is
// washed, and not before: a claim that only waits must not be blamed.
func (r *Runner) washSuspect(stopping, working context.Context, brake *brake) error {
	r.together.Lock()
	defer r.together.Unlock()
	claim, found, err := r.seeds.ClaimSuspect(stopping, r.worker)
	if err != nil || !found {
		return err
	}
	r.busy.Add(1)
	defer r.busy.Add(-1)
	log := r.logOf(claim)
	log.Warn().Int("deaths_alone", claim.Crashes-1).Msg("was at work when the process died: washed alone")
	r.finish(stopping, r.handle(stopping, working, claim, r.stages[claim.Stage]), brake)
	return nil
}

// bodyOf is all that was downloaded, if it is little enough to be worked on at once; else nil.
func bodyOf(done outcome) []byte {
	if d, ok := done.(*downloadOutcome); ok {
		return d.body
	}
	return nil
}
