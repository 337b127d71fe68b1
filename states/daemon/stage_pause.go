package daemon

import (
	"context"
	"sync"
	"time"

	"laundromat/seedlist"
)

// brake stops the claiming of one stage while this machine has trouble.
type brake struct {
	mu       sync.Mutex
	why      error              // the trouble; nil: the brake is loose
	release  context.CancelFunc // of who waits for something to claim
	tight    chan struct{}      // holds one from a pull until the watcher takes note
	loosened chan struct{}      // closed when the brake is loose again; nil while it is
	end      func()             // ends the watching
}

// newBrake makes the brake of a stage. A goroutine watches it until end is called: once the brake is pulled, it waits
// for the end of the trouble and loosens the brake. Workers may all be waiting for that meanwhile.
func newBrake(stopping context.Context, r *Runner, stage seedlist.State) *brake {
	b := &brake{tight: make(chan struct{}, 1)}
	watching, cancel := context.WithCancel(stopping)
	var watcher sync.WaitGroup
	watcher.Go(func() { b.watch(watching, r, stage) })
	b.end = func() {
		cancel()
		watcher.Wait()
	}
	return b
}

// watch loosens the brake each time that the trouble is over. Trouble that comes again soon was never over: the
// pauses between probes go on to grow.
func (b *brake) watch(ctx context.Context, r *Runner, stage seedlist.State) {
	var pause time.Duration
	var loosened time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.tight:
		}
		if time.Since(loosened) > pause {
			pause = r.opt.ProbeEvery
		}
		pause = r.awaitMachine(ctx, stage, b.pulled(), pause)
		b.loosen()
		loosened = time.Now()
	}
}

// pull stops the claiming; why is the trouble.
func (b *brake) pull(why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.why == nil {
		b.loosened = make(chan struct{})
		b.tight <- struct{}{} // has room: the watcher took the last one before it loosened the brake
	}
	b.why = why
	if b.release != nil {
		b.release()
	}
}

func (b *brake) loosen() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.why = nil
	close(b.loosened)
	b.loosened = nil
}

// wait is closed when the brake is loose again; nil if it is loose now.
func (b *brake) wait() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.loosened
}

// await returns when the brake is loose.
func (b *brake) await(ctx context.Context) {
	if loosened := b.wait(); loosened != nil {
		select {
		case <-ctx.Done():
		case <-loosened:
		}
	}
}

// pulled is why the brake is pulled; nil if it is loose.
func (b *brake) pulled() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.why
}

// Pause is a stage that claims nothing, since this machine has trouble.
type Pause struct {
	Stage seedlist.State
	Since time.Time
	Why   error
}

// pauses are those of all stages.
type pauses struct {
	mu  sync.Mutex
	now map[seedlist.State]Pause
}

// begin notes a pause, and says whether it is the only one; what it returns ends it.
func (p *pauses) begin(stage seedlist.State, why error) (only bool, end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	only = len(p.now) == 0
	if p.now == nil {
		p.now = map[seedlist.State]Pause{}
	}
	p.now[stage] = Pause{stage, time.Now(), why}
	return only, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.now, stage)
	}
}

// Pauses are the stages that claim nothing now, since this machine has trouble. It may be called
// at any time.
func (r *Runner) Pauses() []Pause {
	r.pauses.mu.Lock()
	defer r.pauses.mu.Unlock()
	var all []Pause
	for _, stage := range seedlist.Stages() {
		if p, isPaused := r.pauses.now[stage]; isPaused {
			all = append(all, p)
		}
	}
	return all
}

// until is ctx, ended also by a pull.
func (b *brake) until(ctx context.Context) (context.Context, context.CancelFunc) {
	b.mu.Lock()
	defer b.mu.Unlock()
	ctx, b.release = context.WithCancel(ctx)
	if b.why != nil {
		b.release()
	}
	return ctx, b.release
}
