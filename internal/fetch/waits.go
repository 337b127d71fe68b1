package fetch

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"laundromat/internal/fault"
)

// waits spaces requests to one host.
type waits struct {
	mutex sync.Mutex
	hosts map[string]*rate.Limiter
}

// maxHosts is how many hosts are remembered; a host whose delay has passed can be
// forgotten at no loss.
const maxHosts = 10_000

// wait returns when a request may be sent to the host.
func (w *waits) wait(ctx context.Context, host string, delay time.Duration) error {
	if delay > 0 {
		if err := w.of(host, delay).Wait(ctx); err != nil && ctx.Err() == nil {
			// The deadline would pass in waiting.
			return &fault.Error{Op: "fetch.Get", Kind: fault.Stopped, Code: fault.LocalStopped, Err: err}
		}
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	return nil
}

func (w *waits) of(host string, delay time.Duration) *rate.Limiter {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if l := w.hosts[host]; l != nil {
		if l.Limit() != rate.Every(delay) {
			l.SetLimit(rate.Every(delay)) // robots.txt was read since
		}
		return l
	}
	if len(w.hosts) >= maxHosts {
		for h, l := range w.hosts {
			if l.Tokens() >= 1 {
				delete(w.hosts, h)
			}
		}
	}
	if w.hosts == nil {
		w.hosts = map[string]*rate.Limiter{}
	}
	l := rate.NewLimiter(rate.Every(delay), 1)
	w.hosts[host] = l
	return l
}
