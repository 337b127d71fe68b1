package bolt

import (
	"context"
	"sync"
	"time"

	"laundromat/seedlist"
)

// wakers hold a channel for each ready state. It is closed when a seed may have become
// claimable, or may become so earlier than was known.
type wakers struct {
	mu       sync.Mutex
	channels map[seedlist.State]chan struct{}
}

func (w *wakers) channel(ready seedlist.State) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.channels[ready]
	if c == nil {
		if w.channels == nil {
			w.channels = make(map[seedlist.State]chan struct{})
		}
		c = make(chan struct{})
		w.channels[ready] = c
	}
	return c
}

func (s *Store) wake(ready seedlist.State) {
	s.wakers.mu.Lock()
	defer s.wakers.mu.Unlock()
	if c := s.wakers.channels[ready]; c != nil {
		close(c)
		delete(s.wakers.channels, ready)
	}
}

// sleep returns when woken is closed, at a time unless that is the zero time, or with
// the error of ctx or [seedlist.ErrClosed]. It looks at the clock now and then: a clock that was set right meanwhile
// ends a wait that the wrong one began.
func (s *Store) sleep(ctx context.Context, woken <-chan struct{}, at time.Time) error {
	for {
		began := time.Now()
		var timer <-chan time.Time
		if !at.IsZero() {
			timer = time.After(max(0, min(time.Until(at), seedlist.ClockLook)))
		}
		select {
		case <-woken:
			return nil
		case <-timer:
			now := time.Now()
			if isDue, err := s.lookAtClock(ctx, seedlist.ClockSet(began, now), now, at); isDue || err != nil {
				return err
			}
		case <-s.stop:
			return seedlist.ErrClosed
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// lookAtClock says whether a wait for a time is over, when the clock shows now and was set by so much meanwhile. One
// that was set back had run ahead, and so may the times be at which seeds are due.
func (s *Store) lookAtClock(ctx context.Context, set time.Duration, now, at time.Time) (isOver bool, err error) {
	if set < 0 && !s.options.ReadOnly {
		return true, s.cutDues(ctx)
	}
	return !now.Before(at), nil
}

// Wait returns when a claim of stage would find a seed. That is at once, when one becomes
// ready, when one comes due, or when a host has rested. Another worker may be faster; then
// the claim comes back empty. It returns early with the error of ctx or
// [seedlist.ErrClosed].
func (s *Store) Wait(ctx context.Context, stage seedlist.State) error {
	for {
		// The channel first: what happens after the look closes it.
		woken := s.wakers.channel(stage.Ready())
		ready, at, err := s.ready(ctx, stage.Ready())
		if err != nil || ready {
			return err
		}
		if err := s.sleep(ctx, woken, at); err != nil {
			return err
		}
	}
}
