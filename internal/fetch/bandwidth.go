package fetch

import (
	"context"
	"sync"
	"time"
)

// Bandwidth is how many bytes come per second, over all bodies that share it. They take turns, slice by slice, so that
// each gets an equal part, or all that it can bring. It may be changed at any time; the zero value is no bound.
type Bandwidth struct {
	mutex   sync.Mutex
	rate    int64         // bytes per second; 0: no bound
	next    time.Time     // when all that came is paid for
	changed chan struct{} // closed when the rate is changed; nil before the first wait
}

// Set changes it. With 0 or less there is no bound.
func (b *Bandwidth) Set(bytesPerSecond int64) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.rate == max(0, bytesPerSecond) {
		return
	}
	b.rate, b.next = max(0, bytesPerSecond), time.Time{}
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
}

// The least and the most that is read in one turn, and how many turns there are in a second between these.
const (
	leastSlice     = 256
	mostSlice      = 64 << 10
	turnsPerSecond = 16
)

// slice is how much of a body may be read in one turn, up to most. b may be nil.
func (b *Bandwidth) slice(most int) int {
	if b == nil {
		return most
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.rate == 0 {
		return most
	}
	return min(most, int(max(leastSlice, min(mostSlice, b.rate/turnsPerSecond))))
}

// pay waits until so many bytes that came are paid for, and says how long that was. It ends early with ctx, and where
// the rate is changed. b may be nil.
func (b *Bandwidth) pay(ctx context.Context, n int) time.Duration {
	if b == nil || n <= 0 {
		return 0
	}
	b.mutex.Lock()
	if b.rate == 0 {
		b.mutex.Unlock()
		return 0
	}
	now := time.Now()
	if b.next.Before(now) {
		b.next = now
	}
	b.next = b.next.Add(time.Duration(float64(n) / float64(b.rate) * float64(time.Second)))
	if b.changed == nil {
		b.changed = make(chan struct{})
	}
	wait, changed := b.next.Sub(now), b.changed
	b.mutex.Unlock()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-changed:
	case <-ctx.Done():
	}
	return time.Since(now)
}
