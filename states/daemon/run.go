// Package daemon does the work of each working state on the seeds of a list, a file each:
// downloading, unarchiving, guessing, parsing.
//
// Runner claims seeds, calls the work of their stage, puts its files on the disk and completes the
// claim. The function settle decides where a seed goes whose work failed. What is done to one
// document is in package states, which knows neither store nor seeds. Harvester reads catalogs,
// Verify holds a store against its files.
package daemon

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

	"laundromat/internal/commands"
	"laundromat/internal/fetch"
	"laundromat/internal/files"
	"laundromat/rdf/statistics"
	"laundromat/seedlist"
	"laundromat/seedlist/termfilter"
	"laundromat/states"
)

// RunOptions are the settings of a run, and what the daemon adds to them.
type RunOptions struct {
	// Settings are those of every document. MaxMemory, MaxToken and Workers are set for each
	// document, by what it draws from the budget.
	states.Settings
	// Products are those that are made of documents, by the names that package kind has; none: statements.
	Products []string
	// Workers are the sizes of the pools, by working state; 0 or absent: the number of processors.
	Workers map[seedlist.State]int
	Retries Retries
	// Live are retries that may be changed while the daemon runs, in place of Retries; nil: they stay.
	Live *atomic.Pointer[Retries]
	// Keep says what is kept, and may be changed while the daemon runs; nil: all is.
	Keep *atomic.Pointer[seedlist.Retention]
	// Memory is one budget for all documents at work, in bytes; 0: 1 GiB. A document
	// draws what it needs before it is read, and waits, or ends with limit/memory.
	Memory int64
	Levels
	// Labels say which names that clean statements give to things are kept for the search.
	Labels statistics.LabelOptions
	// Counted is told what a clean file says for which no statistics are stored; nil: nobody is.
	Counted func(clean string, terms *statistics.Terms)
	// Terms is given the filter of each clean file that is written; nil: none is made.
	Terms *termfilter.Index
	// NoticesMax ends the list of a document's notices, in bytes of JSON; 0: 1 GiB.
	NoticesMax int64
	// Version names the washer: release and revision.
	Version string
	// Grace is how long work goes on after Run is asked to stop; 0: 5 s.
	Grace time.Duration
	// UntilIdle ends Run when nothing is left to do.
	UntilIdle bool
	// ProbeEvery is the pause between two probes of a disk that made trouble; 0: 5 s.
	ProbeEvery time.Duration
	// Follow says which documents that washed data names become seeds.
	Follow FollowOptions
	// Harvest says how catalogs are read.
	Harvest HarvestOptions
	// Metadata says how the metadata of tables on the web is found, where something is made by it: MetadataOff not at
	// all; MetadataLinked where the server names it by a Link header; MetadataFound also in the usual places of W3C's
	// standard, on hosts of which one of the first tables has some there; MetadataAlways there for each table. "":
	// MetadataOff.
	Metadata string
	// ContextInterval is after what time a context of JSON-LD that came is asked for again; 0: 100 days.
	ContextInterval time.Duration
	// EntriesHeld is how many entries of an archive are held in memory, and made seeds in one
	// transaction. With 0, it is 2,000: some ten megabytes, and half a second in which others
	// wait.
	EntriesHeld int
	// RescueEvery is how often claims without a sign of life are looked for; 0: 1 min.
	RescueEvery time.Duration
	// LogEvents lets the log say at level info which documents were washed, unpacked, or found
	// unchanged. Else that is at level debug.
	LogEvents bool
	// Meter counts the work; nil: nobody does.
	Meter Meter
	// Events has commands run when something happens; nil: there are none.
	Events *commands.Commands
}

// Levels are how well files are compressed: 1 (fast) to 9 (small).
type Levels struct {
	// Level is that of clean files and changes; 0: 6.
	Level int
	// ProductLevel is that of records and articles; 0: 2.
	ProductLevel int
}

func (o *RunOptions) applyDefaults() {
	if o.Memory <= 0 {
		o.Memory = 1 << 30
	}
	if o.Level == 0 {
		o.Level = 6
	}
	if o.ProductLevel == 0 {
		o.ProductLevel = 2
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
	if o.EntriesHeld <= 0 {
		o.EntriesHeld = 2000
	}
	if o.RescueEvery <= 0 {
		o.RescueEvery = time.Minute
	}
	if o.Metadata == "" {
		o.Metadata = MetadataOff
	}
	if o.ContextInterval <= 0 {
		o.ContextInterval = 100 * 24 * time.Hour
	}
	if o.Keep == nil {
		o.Keep = &atomic.Pointer[seedlist.Retention]{}
	}
	o.Retries = o.Retries.applyDefaults()
}

// retries are those that hold now.
func (o *RunOptions) retries() Retries {
	if o.Live != nil {
		if live := o.Live.Load(); live != nil {
			return live.applyDefaults()
		}
	}
	return o.Retries.applyDefaults()
}

// Runner is the daemon's work: for each working state a pool of workers that
// claim, work, and complete.
type Runner struct {
	seeds   seedlist.List
	files   files.Blobs
	fetcher *fetch.Fetcher
	log     zerolog.Logger
	opt     RunOptions
	stages  map[seedlist.State]stageFunc // which work is done in which working state

	budget *semaphore.Weighted
	worker string   // the name in claims
	atWork sync.Map // of held → context.CancelCauseFunc
	// naming is held for reading from the moment that files take their names until a record names
	// them. It is held for writing while files without a record are removed.
	naming sync.RWMutex
	// clearing holds, by hash, a channel that is closed when old files are removed: what
	// is claimed next must not write them again before that.
	clearing sync.Map
	// together is held for reading while seeds are washed, and for writing while a suspect is.
	together sync.RWMutex
	pauses   pauses
	broken   brokenOff
	guesses  guesses
	fresh    fresh
	days     hostDays
	accounts accounts
	contexts contexts
	recipes  *Recipes
	drain    chan struct{} // closed by Drain
	drained  sync.Once
	busy     atomic.Int64
	unstored atomic.Int64 // claims whose files wait for their store
	done     atomic.Int64 // claims that were completed
}

// NewBudget is memory of so many bytes that works draw from.
func NewBudget(bytes int64) *semaphore.Weighted { return semaphore.NewWeighted(bytes) }

// NewRunner makes a Runner. It starts nothing.
func NewRunner(seeds seedlist.List, blobs files.Blobs, fetcher *fetch.Fetcher, log zerolog.Logger, opt RunOptions) *Runner {
	opt.applyDefaults()
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	r := &Runner{
		seeds: seeds, files: blobs, fetcher: fetcher, log: log, opt: opt,
		budget: semaphore.NewWeighted(opt.Memory),
		worker: fmt.Sprintf("%s/%d", host, os.Getpid()), contexts: newContexts(seeds), recipes: NewRecipes(seeds),
		drain: make(chan struct{}),
	}
	r.stages = map[seedlist.State]stageFunc{
		seedlist.Downloading: r.downloading,
		seedlist.Unarchiving: r.unarchiving,
		seedlist.Guessing:    r.guessing,
		seedlist.Parsing:     r.parsing,
	}
	return r
}

// ShareBudget has a Runner draw from a budget that others draw from too, of RunOptions.Memory bytes. It is called
// before Run.
func ShareBudget(r *Runner, budget *semaphore.Weighted) { r.budget = budget }

// Run works until stopping ends. Then nothing new is claimed, work goes on for the time of grace or
// until killed ends, and the rest is given back. With UntilIdle it ends by itself when nothing is
// left to do. It returns when all workers have.
func (r *Runner) Run(stopping, killed context.Context) error {
	asked := stopping
	stopping, stop := context.WithCancel(stopping)
	defer stop()
	working, cut := context.WithCancel(context.WithoutCancel(stopping))
	defer cut()
	defer r.broken.abort()
	var all sync.WaitGroup
	for stage, work := range r.stages {
		all.Go(func() { r.pool(stopping, working, stage, work) })
	}
	all.Go(func() { r.washSuspects(stopping, working) })
	all.Go(func() { r.harvesting(stopping, working) })
	all.Go(func() { r.rescue(stopping) })
	all.Go(func() { r.sweep(stopping) })
	all.Go(func() { retain(stopping, r) })
	all.Go(func() { r.fetchContexts(stopping, working) })
	if r.opt.UntilIdle {
		all.Go(func() {
			r.awaitIdle(stopping)
			stop()
		})
	} else {
		all.Go(func() { reportRest(stopping, r) })
	}
	finished := make(chan struct{})
	go func() {
		all.Wait()
		close(finished)
	}()
	select {
	case <-stopping.Done():
	case <-r.drain:
		stop()
		select {
		case <-finished: // however long that took
			return nil
		case <-asked.Done():
		}
	}
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

// Drain ends a run that goes on: nothing new is claimed, and what is at work has the time that it needs.
func Drain(r *Runner) {
	r.drained.Do(func() { close(r.drain) })
}

// pool is the workers of one stage: one goroutine claims for all of them.
func (r *Runner) pool(stopping, working context.Context, stage seedlist.State, work stageFunc) {
	size := r.opt.Workers[stage]
	if size <= 0 {
		size = runtime.NumCPU()
	}
	brake := newBrake(stopping, r, stage)
	defer brake.end()
	finishers := newFinishers(waitingEach * size)
	defer finishers.end()
	var workers sync.WaitGroup
	defer workers.Wait()
	// A worker stays: the stack of one that began again with each claim would have to grow again.
	claimed := make(chan seedlist.Claim, size)
	defer close(claimed)
	started := 0
	free := make(chan struct{}, size)
	for range size {
		free <- struct{}{}
	}
	for {
		select {
		case <-stopping.Done():
			return
		case <-free:
		}
		brake.await(stopping)
		if err := r.files.Short(); err != nil {
			brake.pull(err)
			free <- struct{}{}
			continue
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
		claims, err := r.claim(stopping, stage, slots, brake)
		if err != nil {
			if stopping.Err() != nil || errors.Is(err, seedlist.ErrClosed) {
				return
			}
			r.log.Debug().Err(err).Str("stage", string(stage)).Msg("could not claim")
			brake.pull(err)
		}
		r.busy.Add(int64(len(claims)))
		if r.opt.Meter != nil && len(claims) > 0 {
			r.opt.Meter.Claimed(stage, len(claims))
		}
		for range min(len(claims), size-started) { // never fewer than there are claims
			started++
			workers.Go(func() {
				for claim := range claimed {
					h := r.handle(stopping, working, claim, work)
					finish := func() {
						r.finish(stopping, h, brake)
						r.busy.Add(-1)
					}
					if len(h.links) > 0 {
						finishers.do(finish)
					} else {
						finish()
					}
					free <- struct{}{}
				}
			})
		}
		for _, claim := range claims {
			claimed <- claim // has room for as many as there are slots
		}
		for range slots - len(claims) {
			free <- struct{}{}
		}
	}
}

// claim waits until there is something to claim, and claims it; nothing once the
// brake is pulled.
func (r *Runner) claim(ctx context.Context, stage seedlist.State, limit int, brake *brake) ([]seedlist.Claim, error) {
	waiting, cancel := brake.until(ctx)
	defer cancel()
	err := r.seeds.Wait(waiting, stage)
	if brake.pulled() != nil && ctx.Err() == nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return r.seeds.Claim(ctx, stage, r.worker, limit)
}
