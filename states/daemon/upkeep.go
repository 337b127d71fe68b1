package daemon

import (
	"context"
	"crypto/md5"
	"fmt"
	"time"

	"github.com/rs/zerolog"

	"laundromat/internal/commands"
	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/seedlist"
)

// Progress is how far a run has come.
type Progress struct {
	Busy int64 // claims at work
	Done int64 // claims completed since the start
	// Unstored are those at work whose files could not be stored yet, since their store is away.
	Unstored int64
}

// Progress says how far the run has come; it may be called at any time.
func (r *Runner) Progress() Progress {
	return Progress{Busy: r.busy.Load(), Done: r.done.Load(), Unstored: r.unstored.Load()}
}

// idleEvery is how often a run that ends when idle looks whether it is.
const idleEvery = 100 * time.Millisecond

func (r *Runner) awaitIdle(ctx context.Context) {
	tick := time.NewTicker(idleEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if r.busy.Load() > 0 {
			continue
		}
		if idle, err := r.seeds.Idle(ctx); err == nil && idle {
			r.opt.Events.Happened(commands.Idle, Rest{Done: r.done.Load()})
			return
		}
	}
}

// rescue cuts the work on claims whose lease ran out. All workers live in this process, so that
// each can be waited for. When it has ended, it gives its claim back itself, with a counted try.
func (r *Runner) rescue(ctx context.Context) {
	tick := time.NewTicker(r.opt.RescueEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		claims, err := r.seeds.Overdue(ctx)
		if err != nil {
			continue
		}
		for _, claim := range claims {
			cut, ok := r.atWork.Load(held{claim.Seed.Hash, claim.Fence})
			if !ok {
				continue // it ended meanwhile
			}
			r.log.Warn().Str("seed", claim.Seed.Hash).Str("stage", string(claim.Stage)).Uint64("fence", claim.Fence).Msg("no sign of life")
			cut.(context.CancelCauseFunc)(fault.New("states.rescue", fault.Remote, fault.LimitLease, "no sign of life from the work for "+
				"too long"))
		}
	}
}

const (
	sweepEvery = 10 * time.Second
	sweepBatch = 100
)

// sweep removes the files of seeds that were removed, and of clean seeds that no
// document names any more.
func (r *Runner) sweep(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		if err := r.sweepOrphans(ctx); err != nil && ctx.Err() == nil {
			r.log.Error().Err(err).Msg("could not remove the files of removed seeds")
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// sweepOrphans sweeps batch after batch; work can go on between them.
func (r *Runner) sweepOrphans(ctx context.Context) error {
	for {
		r.naming.Lock()
		n, err := sweepSome(ctx, r.seeds, r.files)
		r.naming.Unlock()
		if err != nil || n == 0 {
			return err
		}
	}
}

// SweepOrphans removes the files whose seeds are gone. Nothing else may write to
// the store meanwhile.
func SweepOrphans(ctx context.Context, seeds seedlist.Sweeper, blobs files.Blobs) error {
	for {
		if n, err := sweepSome(ctx, seeds, blobs); err != nil || n == 0 {
			return err
		}
	}
}

func sweepSome(ctx context.Context, seeds seedlist.Sweeper, blobs files.Blobs) (int, error) {
	hashes, err := seeds.Orphans(ctx, sweepBatch)
	if err != nil || len(hashes) == 0 {
		return 0, err
	}
	for _, hash := range hashes {
		if err := blobs.RemoveAll(ctx, hash); err != nil {
			return 0, err
		}
	}
	return len(hashes), seeds.Swept(ctx, hashes...)
}

// awaitMachine returns when the trouble of this machine is over: a file can be written where the files go, the list
// answers if it did not, and for downloads the network can be used. It probes after a pause, which doubles each time,
// and returns the next one.
func (r *Runner) awaitMachine(ctx context.Context, stage seedlist.State, why error, pause time.Duration) time.Duration {
	only, end := r.pauses.begin(stage, why)
	defer end()
	if r.opt.Meter != nil {
		begin := time.Now()
		defer func() { r.opt.Meter.Paused(stage, time.Since(begin)) }()
	}
	level := zerolog.ErrorLevel
	if !only {
		level = zerolog.DebugLevel // one trouble is reported once, not for each stage
	} else {
		r.opt.Events.Happened(commands.Paused, PausedPart{
			Part: stage, Since: time.Now().UTC(), Code: fault.CodeOf(why), Message: seedlist.ShownIn(why.Error()),
		})
	}
	r.log.WithLevel(level).Str("stage", string(stage)).AnErr("trouble", why).Msg("pausing: this machine has trouble")
	for {
		select {
		case <-ctx.Done():
			return pause
		case <-time.After(pause):
		}
		pause = min(2*pause, max(mostProbePause, r.opt.ProbeEvery))
		err := r.probe(ctx, stage)
		if err == nil && fault.CodeOf(why) == fault.LocalDatabase {
			_, err = r.seeds.Idle(ctx)
		}
		if err == nil && stage == seedlist.Downloading && fault.CodeOf(why) == fault.LocalNetwork {
			err = r.fetcher.Offline(ctx)
		}
		if err == nil {
			r.log.Info().Str("stage", string(stage)).Msg("going on")
			return pause
		}
	}
}

// probeSize is how much a probe writes: more than a record and a small file need.
const probeSize = 1 << 20

// mostProbePause is the longest pause between two probes.
const mostProbePause = time.Minute

// probe writes a file where the files of a stage go, and removes it. A file that only a spool takes proves nothing.
func (r *Runner) probe(ctx context.Context, stage seedlist.State) error {
	if err := r.files.Short(); err != nil {
		return err
	}
	pending, err := r.files.Create()
	if err != nil {
		return err
	}
	defer pending.Abort()
	if _, err := pending.Write(make([]byte, probeSize)); err != nil {
		return err
	}
	name := fmt.Sprintf("%x", md5.Sum([]byte(r.worker+" probes for "+string(stage))))
	if err := pending.Seal(name, files.Dirty); err != nil {
		return err
	}
	if err := r.files.Commit(ctx, pending); err != nil {
		return err
	}
	return r.files.Remove(name, files.Dirty)
}
