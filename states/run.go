package states

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sync/semaphore"

	"laundromat/archive"
	"laundromat/internal/fault"
	"laundromat/internal/fetch"
	"laundromat/internal/files"
	"laundromat/seedlist"
)

// RunOptions are the settings of the daemon.
type RunOptions struct {
	// Workers are the sizes of the pools, by working state; 0 or absent: the number of processors.
	Workers map[seedlist.State]int
	Retries Retries
	Limits  archive.Limits
	Parse   ParseOptions
	// Memory is one budget for all documents at work, in bytes; 0: 1 GiB. A document
	// draws what it needs before it is read, and waits, or ends with limit/memory.
	Memory int64
	// Temp is the folder for what must be spooled; "" for the system's.
	Temp string
	// Level is the compression of clean files, 1 to 9; 0: 6.
	Level int
	// NoticesMax ends the list of a document's notices, in bytes of JSON; 0: 1 GiB.
	NoticesMax int64
	// Version names the washer: release and revision.
	Version string
	// Grace is how long work goes on after Run is told to stop; 0: 5 s.
	Grace time.Duration
	// UntilIdle ends Run when nothing is left to do.
	UntilIdle bool
	// ProbeEvery is the pause between two probes of a disk that made trouble; 0: 5 s.
	ProbeEvery time.Duration
	// RescueEvery is how often claims without a sign of life are looked for; 0: 1 min.
	RescueEvery time.Duration
}

func (o *RunOptions) applyDefaults() {
	if o.Memory <= 0 {
		o.Memory = 1 << 30
	}
	if o.Level == 0 {
		o.Level = 6
	}
	if o.NoticesMax <= 0 {
		o.NoticesMax = 1 << 30
	}
	if o.Grace <= 0 {
		o.Grace = 5 * time.Second
	}
	if o.ProbeEvery <= 0 {
		o.ProbeEvery = 5 * time.Second
	}
	if o.RescueEvery <= 0 {
		o.RescueEvery = time.Minute
	}
	o.Retries = o.Retries.applyDefaults()
}

// Runner is the daemon's work: for each working state a pool of workers that
// claim, work, and complete.
type Runner struct {
	seeds   *seedlist.Store
	files   *files.Store
	fetcher *fetch.Fetcher
	log     zerolog.Logger
	opt     RunOptions

	budget *semaphore.Weighted
	worker string   // the name in claims
	atWork sync.Map // of held → context.CancelCauseFunc
	// naming is held for reading from the moment that files take their names until
	// a record names them, and for writing while files without a record are removed.
	naming sync.RWMutex
	busy   atomic.Int64
	done   atomic.Int64 // claims that were completed
}

// NewRunner makes a Runner. It starts nothing.
func NewRunner(seeds *seedlist.Store, blobs *files.Store, fetcher *fetch.Fetcher, log zerolog.Logger, opt RunOptions) *Runner {
	opt.applyDefaults()
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	return &Runner{
		seeds: seeds, files: blobs, fetcher: fetcher, log: log, opt: opt,
		budget: semaphore.NewWeighted(opt.Memory),
		worker: fmt.Sprintf("%s/%d", host, os.Getpid()),
	}
}

// stages is which work is done in which working state.
func (r *Runner) stages() map[seedlist.State]stageWork {
	return map[seedlist.State]stageWork{
		seedlist.Downloading: r.downloading,
		seedlist.Unarchiving: r.unarchiving,
		seedlist.Guessing:    r.guessing,
		seedlist.Parsing:     r.parsing,
	}
}

// stageWork does the work of a working state on one claimed seed. What it returns
// holds also with an error, as far as it came.
type stageWork func(context.Context, seedlist.Claim) (result, error)

// result is what a stage's work came to.
type result struct {
	next      seedlist.State
	unchanged bool
	update    func(*seedlist.Record) // also called if the work failed
	children  []seedlist.Child
	clean     *seedlist.Clean
	files     []*files.Pending // made durable before the record names them
	discard   []discarded      // files that no record names any more
	inserted  int64            // records made, or statements written
	// duplicates are the lines that the sort left out.
	duplicates int64
	counts     map[string]int64
	// sourceText is the beginning of what came back, for the log of a failure.
	sourceText string
}

// discarded is a file to be removed once the record is written.
type discarded struct {
	hash   string
	suffix files.Suffix
}

// Run works until stopping ends: then nothing new is claimed, work goes on for the
// time of grace or until killed ends, and the rest is given back. With UntilIdle
// it ends by itself when nothing is left to do. It returns when all workers have.
func (r *Runner) Run(stopping, killed context.Context) error {
	stopping, stop := context.WithCancel(stopping)
	defer stop()
	working, cut := context.WithCancel(context.WithoutCancel(stopping))
	defer cut()
	var all sync.WaitGroup
	for stage, work := range r.stages() {
		all.Go(func() { r.pool(stopping, working, stage, work) })
	}
	all.Go(func() { r.rescue(stopping) })
	all.Go(func() { r.sweep(stopping) })
	if r.opt.UntilIdle {
		all.Go(func() {
			r.awaitIdle(stopping)
			stop()
		})
	}
	finished := make(chan struct{})
	go func() {
		all.Wait()
		close(finished)
	}()
	<-stopping.Done()
	grace := time.NewTimer(r.opt.Grace)
	defer grace.Stop()
	select {
	case <-finished:
		return nil
	case <-grace.C:
	case <-killed.Done():
	}
	cut()
	<-finished
	return nil
}

// pool is the workers of one stage: one goroutine claims for all of them.
func (r *Runner) pool(stopping, working context.Context, stage seedlist.State, work stageWork) {
	size := r.opt.Workers[stage]
	if size <= 0 {
		size = runtime.NumCPU()
	}
	var workers sync.WaitGroup
	defer workers.Wait()
	free := make(chan struct{}, size)
	for range size {
		free <- struct{}{}
	}
	trouble := make(chan struct{}, size)
	for {
		select {
		case <-stopping.Done():
			return
		case <-trouble:
			r.awaitDisk(stopping, stage)
			continue
		case <-free:
		}
		slots := 1
		for slots < size {
			select {
			case <-free:
				slots++
				continue
			default:
			}
			break
		}
		claims, err := r.claim(stopping, stage, slots)
		if err != nil {
			if stopping.Err() == nil && !errors.Is(err, seedlist.ErrClosed) {
				r.log.Error().Err(err).Str("stage", string(stage)).Msg("could not claim")
				r.awaitDisk(stopping, stage)
			} else {
				return
			}
		}
		r.busy.Add(int64(len(claims)))
		for _, claim := range claims {
			workers.Go(func() {
				defer func() { free <- struct{}{} }()
				defer r.busy.Add(-1)
				if r.handle(stopping, working, claim, work) == paused {
					trouble <- struct{}{}
				}
			})
		}
		for range slots - len(claims) {
			free <- struct{}{}
		}
	}
}

// claim waits until there is something to claim, and claims it.
func (r *Runner) claim(ctx context.Context, stage seedlist.State, limit int) ([]seedlist.Claim, error) {
	if err := r.seeds.Wait(ctx, stage); err != nil {
		return nil, err
	}
	return r.seeds.Claim(ctx, stage, r.worker, limit)
}

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

// handle works on a claim and completes it.
func (r *Runner) handle(stopping, working context.Context, claim seedlist.Claim, work stageWork) verdict {
	log := r.log.With().Str("seed", claim.Seed.Hash).Str("stage", string(claim.Stage)).Uint64("fence", claim.Fence).Logger()
	start := time.Now()
	working, cut := context.WithCancelCause(working)
	defer cut(nil)
	r.atWork.Store(held{claim.Seed.Hash, claim.Fence}, cut)
	defer r.atWork.Delete(held{claim.Seed.Hash, claim.Fence})
	var done result
	var err error
	if claim.Crashes >= maxCrashes {
		err = fault.New("states.handle", fault.Bug, fault.BugPanic, "the whole process ended %d times while it worked on this", claim.Crashes)
	} else {
		err = safely(func() (err error) {
			done, err = work(working, claim)
			return err
		})
	}
	r.naming.RLock()
	defer r.naming.RUnlock()
	if err == nil {
		err = r.files.Commit(working, done.files...)
	}
	if cause := context.Cause(working); err != nil && cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause // the lease ran out: that, and not the cut, is why it ended
	}
	if err != nil {
		abort(done.files)
	}
	verdict, pause := settle(err, claim.Try-1, stopping.Err() != nil, r.opt.Retries)
	attempt := r.attempt(claim, done, err, time.Since(start))
	completed := r.complete(working, claim, done, err, verdict, pause, attempt)
	event := log.Debug()
	switch {
	case errors.Is(completed, seedlist.ErrLost):
		log.Warn().Msg("the claim was no longer held; the work is thrown away")
		return verdict
	case completed != nil:
		log.Error().Err(completed).Msg("could not be written down; it is done again at the next start")
		return paused
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
		event = event.Str("code", string(fault.CodeOf(err))).Str("kind", fault.KindOf(err).String()).Str("error", seedlist.Shown(err.Error()))
	} else {
		event = event.Str("next", string(done.next))
	}
	event.Str("uri", seedlist.Shown(claim.Seed.URI)).Dur("runtime", time.Since(start)).Msg(verdictNames[verdict])
	return verdict
}

var verdictNames = [...]string{succeeded: "done", failed: "failed", retried: "to be tried again", givenBack: "given back", paused: "given back: trouble on this machine"}

// complete writes down what became of a claim. The write is not cut by a stop: it
// is short, and what was done would be lost.
func (r *Runner) complete(working context.Context, claim seedlist.Claim, done result, err error, v verdict, pause time.Duration, attempt seedlist.Attempt) error {
	ctx := context.WithoutCancel(working)
	switch v {
	case succeeded:
		return r.seeds.Complete(ctx, claim, seedlist.Outcome{
			Next: done.next, Unchanged: done.unchanged, Update: done.update,
			Children: done.children, Clean: done.clean, Attempt: attempt,
		})
	case failed:
		failure := recordError(claim, err)
		return r.seeds.Complete(ctx, claim, seedlist.Outcome{
			Next: seedlist.Failed, Attempt: attempt,
			Update: func(record *seedlist.Record) {
				if done.update != nil {
					done.update(record)
				}
				record.Error = failure
				record.Washer = r.opt.Version
			},
		})
	case retried:
		return r.seeds.GiveBack(ctx, claim, seedlist.Return{
			CountTry: true, Due: time.Now().Add(pause), Error: recordError(claim, err), Attempt: attempt,
		})
	default:
		return r.seeds.GiveBack(ctx, claim, seedlist.Return{Attempt: attempt})
	}
}

func recordError(claim seedlist.Claim, err error) *seedlist.Error {
	return &seedlist.Error{Stage: claim.Stage, Kind: fault.KindOf(err), Code: codeOf(err), Message: seedlist.Shown(err.Error())}
}

// codeOf is the code of an error that ended a stage; one without a code of its own
// has that of its kind.
func codeOf(err error) fault.Code {
	if code := fault.CodeOf(err); code != "" {
		return code
	}
	switch fault.KindOf(err) {
	case fault.Stopped:
		return fault.LocalStopped
	case fault.Local:
		return fault.LocalDisk
	default:
		return fault.SyntaxUnreadable
	}
}

// attempt is the log's entry of a claim.
func (r *Runner) attempt(claim seedlist.Claim, done result, err error, runtime time.Duration) seedlist.Attempt {
	a := seedlist.Attempt{
		ParserName: string(claim.Stage), ParserVersion: r.opt.Version, ParserRuntime: runtime.Seconds(),
		SourceURL: claim.Seed.URI, AccessDatetime: claim.Since, InsertCount: done.inserted,
		Result: "success", Counts: done.counts,
	}
	if err != nil {
		a.Result = string(codeOf(err))
		a.Kind = fault.KindOf(err).String()
		a.Traceback = traceback(err)
		a.SourceText = done.sourceText
		a.InsertCount = 0
	}
	return a
}

// traceback is the stack of a panic, or else the chain of causes, outermost first.
func traceback(err error) string {
	var e *fault.Error
	if errors.As(err, &e) && e.Stack != "" {
		return e.Stack
	}
	var chain string
	for err != nil {
		line := fmt.Sprintf("%T: %v", err, err)
		if errors.As(err, &e) && error(e) == err {
			line = fmt.Sprintf("%s (%s, %s): %v", e.Op, e.Kind, e.Code, err)
		}
		chain += line + "\n"
		err = errors.Unwrap(err)
	}
	return chain
}

func abort(pending []*files.Pending) {
	for _, p := range pending {
		p.Abort()
	}
}
