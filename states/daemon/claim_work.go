package daemon

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/states"
)

// held names a claim.
type held struct {
	seed  string
	fence uint64
}

// maxCrashes is how often a stage of one seed may end with the whole process
// before the seed fails: what kills us each time must not do so for ever.
const maxCrashes = 3

// draw takes n bytes from the budget, and waits for them if it must: a claim that
// waits for long is as alive as one that is worked on.
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

// handled is a claim whose work is done, well or not.
type handled struct {
	claim   seedlist.Claim
	done    result
	links   []link // if it went on at once
	err     error
	start   time.Time
	working context.Context
	cut     context.CancelCauseFunc
}

// handle works on a claim; finish has to follow.
func (r *Runner) handle(stopping, working context.Context, claim seedlist.Claim, work stageWork) handled {
	start := time.Now()
	working, cut := context.WithCancelCause(working)
	r.atWork.Store(held{claim.Seed.Hash, claim.Fence}, cut)
	if cleared, ok := r.clearing.Load(claim.Seed.Hash); ok {
		select {
		case <-cleared.(chan struct{}):
		case <-working.Done():
		}
	}
	near := claim.Stage == seedlist.Unarchiving && claim.Crashes == 0 && r.bring(claim.Seed)
	if near {
		defer r.fresh.forget(claim.Seed.Hash)
	}
	var done result
	var err error
	if claim.Crashes >= maxCrashes {
		err = fault.New("states.handle", fault.Bug, fault.BugPanic, "the whole process ended %d times while it worked on this", claim.Crashes)
	} else {
		err = states.Safely(func() (err error) {
			done, err = work(working, claim)
			return err
		})
	}
	var links []link // if it went on at once
	if err == nil && (done.body != nil || near) && claim.Crashes == 0 && done.next.IsReady() {
		done, links = r.chain(stopping, working, claim, done, time.Since(start))
	}
	return handled{claim, done, links, err, start, working, cut}
}

// finish puts the files of a claim on the disk and completes it. It pulls the brake before it gives a
// claim back for this machine's trouble, so that it is not claimed at once again.
func (r *Runner) finish(stopping context.Context, h handled, brake *brake) {
	claim, done, links, err, start, working := h.claim, h.done, h.links, h.err, h.start, h.working
	log := r.logOf(claim)
	defer h.cut(nil)
	defer r.atWork.Delete(held{claim.Seed.Hash, claim.Fence})
	if done.end != nil {
		defer done.end()
	}
	r.naming.RLock()
	defer r.naming.RUnlock()
	if err == nil {
		err = r.commit(working, claim, append(done.files, done.listedFiles()...))
	}
	if cause := context.Cause(working); err != nil && cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause // the lease ran out: that, and not the cut, is why it ended
	}
	verdict, pause := settle(err, claim.Try-1, stopping.Err() != nil, r.opt.Retries)
	if verdict == failed {
		// What was found goes with the record of a failure, too.
		if again := r.commit(context.WithoutCancel(working), claim, done.listedFiles()); again != nil {
			err = again
			verdict, pause = settle(err, claim.Try-1, stopping.Err() != nil, r.opt.Retries)
		}
	}
	if err != nil {
		abort(done.files)
		abort(done.listedFiles())
	}
	if verdict == failed || verdict == retried {
		done.sourceText = r.sourceText(claim, done)
	}
	if verdict == paused {
		brake.pull()
	}
	if verdict == succeeded && done.next == seedlist.Depleted && claim.Seed.Changes != nil {
		for _, suffix := range changeSuffixes { // an archive has no lines that could change
			done.discard = append(done.discard, discarded{claim.Seed.Hash, suffix})
		}
	}
	if verdict == succeeded || verdict == failed {
		defer r.clear(done.discard)()
	} else {
		done.discard = nil
	}
	write := func() error {
		if verdict == succeeded && len(links) > 0 {
			return r.completeChain(working, links)
		}
		attempt := r.attempt(context.WithoutCancel(working), claim, done, err, time.Since(start))
		return r.complete(working, claim, done, err, verdict, pause, attempt)
	}
	completed := write()
	for fault.KindOf(completed) == fault.Local && stopping.Err() == nil {
		log.Error().Err(completed).Msg("could not be written down")
		brake.pull()
		r.awaitDisk(stopping, claim.Stage)
		completed = write()
	}
	if n := len(links); verdict == succeeded && n > 0 {
		// What the log tells is how it ended.
		last := links[n-1]
		verdict, err = last.verdict, last.err
		log = r.logOf(last.claim)
		r.done.Add(int64(n - 1))
	}
	event := log.Debug()
	switch {
	case errors.Is(completed, seedlist.ErrLost):
		log.Warn().Msg("the claim was no longer held; the work is thrown away")
		r.disown(working, done)
		return
	case completed != nil:
		log.Error().Err(completed).Msg("could not be written down; it is done again at the next start")
		return
	case verdict == failed:
		event = log.Info()
	case verdict == retried, verdict == paused:
		event = log.Warn()
	}
	for _, old := range done.discard {
		if err := r.files.Remove(old.hash, old.suffix); err != nil {
			log.Warn().Err(err).Msg("an old file could not be removed")
		}
	}
	r.done.Add(1)
	if err != nil {
		event = event.Str("code", string(fault.CodeOf(err))).Str("kind", fault.KindOf(err).String()).Str("error", seedlist.ShownIn(err.Error()))
	} else {
		event = event.Str("next", string(done.next))
	}
	event.Str("uri", seedlist.Shown(claim.Seed.URI)).Dur("runtime", time.Since(start)).Msg(verdictNames[verdict])
}

// logOf is the log of the work on a claim.
func (r *Runner) logOf(claim seedlist.Claim) zerolog.Logger {
	return r.log.With().Str("seed", claim.Seed.Hash).Str("stage", string(claim.Stage)).Uint64("fence", claim.Fence).Logger()
}

// commit puts the files of a claim on the disk, if it is still held: another claim
// of the seed may have written them otherwise.
func (r *Runner) commit(ctx context.Context, claim seedlist.Claim, pending []*files.Pending) error {
	if len(pending) == 0 {
		return nil
	}
	if holds, err := r.seeds.Holds(ctx, claim); err != nil || !holds {
		return errors.Join(err, seedlist.ErrLost)
	}
	return r.files.Commit(ctx, pending...)
}

func (done *result) listedFiles() []*files.Pending {
	if done.listed == nil {
		return nil
	}
	return []*files.Pending{done.listed}
}

// disown has the files removed that were committed for a claim that was lost.
func (r *Runner) disown(working context.Context, done result) {
	var hashes []string
	for _, p := range append(done.files, done.listedFiles()...) {
		hashes = append(hashes, p.Hash())
	}
	if err := r.seeds.Disown(context.WithoutCancel(working), hashes...); err != nil {
		r.log.Warn().Err(err).Msg("files of a removed seed may be left")
	}
}

// clear announces that files will be removed; what it returns ends that.
func (r *Runner) clear(discard []discarded) func() {
	if len(discard) == 0 {
		return func() {}
	}
	cleared := make(chan struct{})
	for _, old := range discard {
		r.clearing.Store(old.hash, cleared)
	}
	return func() {
		for _, old := range discard {
			r.clearing.CompareAndDelete(old.hash, cleared)
		}
		close(cleared)
	}
}

var verdictNames = [...]string{succeeded: "done", failed: "failed", retried: "to be tried again", givenBack: "given back", paused: "given back: trouble on this machine"}

// complete writes down what became of a claim. The write is not cut by a stop: it
// is short, and what was done would be lost.
func (r *Runner) complete(working context.Context, claim seedlist.Claim, done result, err error, v verdict, pause time.Duration, attempt seedlist.Attempt) error {
	ctx := context.WithoutCancel(working)
	switch v {
	case succeeded, failed:
		return r.seeds.Complete(ctx, claim, r.outcome(claim, done, err, v, attempt))
	case retried:
		return r.seeds.GiveBack(ctx, claim, seedlist.Return{
			CountTry: true, Due: time.Now().Add(pause), Error: recordError(claim, err), Attempt: attempt,
			Load: done.load,
		})
	default:
		back := seedlist.Return{Attempt: attempt, Load: done.load}
		if pause > 0 {
			back.Due = time.Now().Add(pause)
		}
		return r.seeds.GiveBack(ctx, claim, back)
	}
}

// outcome puts what became of a claim that succeeded or failed into the words of the list.
func (r *Runner) outcome(claim seedlist.Claim, done result, err error, v verdict, attempt seedlist.Attempt) seedlist.Outcome {
	if v == succeeded {
		return seedlist.Outcome{
			Next: done.next, Unchanged: done.unchanged, Update: done.update,
			Children: done.children, Filed: done.filed, Clean: done.clean, Named: done.named, Attempt: attempt, Load: done.load,
		}
	}
	failure := recordError(claim, err)
	var named []seedlist.NewSeed
	if claim.Stage == seedlist.Guessing {
		named = done.named // what is no data may still lead to some
	}
	return seedlist.Outcome{
		Next: seedlist.Failed, Named: named, Attempt: attempt, Load: done.load,
		Update: func(record *seedlist.Record) {
			if done.update != nil {
				done.update(record)
			}
			record.Error = failure
			record.Washer = r.opt.Version
		},
	}
}

func abort(pending []*files.Pending) {
	for _, p := range pending {
		p.Abort()
	}
}
