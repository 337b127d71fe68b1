// Package memory keeps a seed list in memory: maps under one lock, for tests that need
// no file. It obeys the laws of [laundromat/seedlist/storetest] and is correct rather
// than quick: a claim looks at every seed.
package memory

import (
	"context"
	"sync"
	"time"

	"laundromat/seedlist"
)

// Store is a seed list in memory. What it holds ends with it.
type Store struct {
	options seedlist.Options

	mu      sync.Mutex
	changed chan struct{} // closed, and replaced, at every change
	closed  bool
	number  uint64 // the last that a seed or a catalog was given

	seeds    map[uint64]*record
	order    []uint64 // every number of a seed that was ever given, rising
	hashes   map[string]uint64
	oldKeys  map[string]string // identifier of 2018 → hash
	orphans  map[string]bool
	catalogs map[uint64]*catalog
	hosts    map[string]*host
	contexts map[string]seedlist.Context // by key

	erased   []*record // by the call at work
	changes  []seedlist.Change
	revision uint64
	washed   map[seedlist.Span]map[int64]seedlist.Washed

	logged    uint64 // the last number of an attempt
	turns     uint64 // the last turn of a host
	copying   *seedlist.Copying
	unchanged int64
}

var _ seedlist.List = (*Store)(nil)

// New makes an empty list. Of the options, those of files and processes mean nothing.
func New(options seedlist.Options) *Store {
	options.ApplyDefaults()
	washed := map[seedlist.Span]map[int64]seedlist.Washed{}
	for _, span := range seedlist.Spans() {
		washed[span] = map[int64]seedlist.Washed{}
	}
	return &Store{
		washed:  washed,
		options: options,
		changed: make(chan struct{}),
		seeds:   map[uint64]*record{}, hashes: map[string]uint64{}, oldKeys: map[string]string{}, orphans: map[string]bool{},
		catalogs: map[uint64]*catalog{}, hosts: map[string]*host{}, contexts: map[string]seedlist.Context{},
	}
}

// Close refuses all else with [seedlist.ErrClosed].
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.closed = true
		close(s.changed)
	}
	return nil
}

// read looks at the list under the lock.
func (s *Store) read(ctx context.Context, look func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return seedlist.ErrClosed
	}
	return look()
}

// write changes the list under the lock, and wakes those who wait. change refuses
// before it changes anything, or not at all.
func (s *Store) write(ctx context.Context, change func(now time.Time) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.options.ReadOnly {
		return seedlist.ErrReadOnly
	}
	return s.read(ctx, func() error {
		defer s.wake()
		now := time.Now()
		err := change(now)
		s.noteChanges(now)
		return err
	})
}

// wake wakes those who wait; the lock is held.
func (s *Store) wake() {
	if !s.closed {
		close(s.changed)
		s.changed = make(chan struct{})
	}
}

// wait returns when ready says so. It looks again at every change, and at the time that
// ready names.
func (s *Store) wait(ctx context.Context, ready func(now time.Time) (bool, time.Time)) error {
	for {
		var is bool
		var at time.Time
		var changed <-chan struct{}
		err := s.read(ctx, func() error {
			is, at = ready(time.Now())
			changed = s.changed
			return nil
		})
		if err != nil || is {
			return err
		}
		var timer <-chan time.Time
		if !at.IsZero() {
			timer = time.After(max(0, min(time.Until(at), seedlist.ClockLook))) // the clock may be set
		}
		select {
		case <-changed:
		case <-timer:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// sooner is the earlier of two times, where the zero time is none.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
