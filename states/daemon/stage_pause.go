package daemon

import (
	"context"
	"sync"
	"time"

	"laundromat/seedlist"
)

// brake stops the claiming of one stage while this machine has trouble.
type brake struct {
	mu      sync.Mutex
	why     error              // the trouble; nil: the brake is loose
	release context.CancelFunc // of who waits for something to claim
}

// pull stops the claiming; why is the trouble.
func (b *brake) pull(why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.why = why
	if b.release != nil {
		b.release()
	}
}

func (b *brake) loosen() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.why = nil
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

// begin notes a pause; what it returns ends it.
func (p *pauses) begin(stage seedlist.State, why error) (end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now == nil {
		p.now = map[seedlist.State]Pause{}
	}
	p.now[stage] = Pause{stage, time.Now(), why}
	return func() {
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
