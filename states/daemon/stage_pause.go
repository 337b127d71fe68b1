package daemon

import (
	"context"
	"sync"
)

// brake stops the claiming of one stage while this machine has trouble.
type brake struct {
	mu      sync.Mutex
	on      bool
	release context.CancelFunc // of who waits for something to claim
}

func (b *brake) pull() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.on = true
	if b.release != nil {
		b.release()
	}
}

func (b *brake) loosen() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.on = false
}

func (b *brake) pulled() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.on
}

// until is ctx, ended also by a pull.
func (b *brake) until(ctx context.Context) (context.Context, context.CancelFunc) {
	b.mu.Lock()
	defer b.mu.Unlock()
	ctx, b.release = context.WithCancel(ctx)
	if b.on {
		b.release()
	}
	return ctx, b.release
}
