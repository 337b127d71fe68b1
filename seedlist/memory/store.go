// Package memory keeps a seed list in memory: maps under one lock, for tests that need
// no file. It is correct rather than quick: a claim looks at every seed. The moves are those of
// [laundromat/seedlist/engine].
package memory

import (
	"context"
	"sync"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// Store is a seed list in memory. What it holds ends with it.
type Store struct {
	*engine.Moves
	options seedlist.Options

	mu     sync.Mutex
	closed bool

	seeds    map[uint64]*engine.Seed // as they are kept: see kept
	order    []uint64                // their numbers, rising
	hashes   map[string]uint64
	oldKeys  map[string]uint64                                     // identifiers of 2018
	links    map[engine.Relation]map[uint64]map[uint64]engine.Link // of clean seeds and catalogs, by both ends
	catalogs map[uint64]*engine.Catalog
	hosts    map[string]*engine.Host
	turns    map[string]uint64 // of hosts for which seeds wait; the smaller the sooner
	log      []engine.Entry
	orphans  map[string]bool
	items    map[engine.ItemKind]map[string]engine.Item
	counts   map[string]int64
	changes  []seedlist.Change
	washed   map[seedlist.Span][]seedlist.Washed // oldest first
	copying  []byte

	last           map[string]uint64 // the last numbers that were given, by the names of [engine.Tx.Meta]
	turn, revision uint64            // the same
}

var (
	_ seedlist.RowTarget = (*Store)(nil)
	_ engine.Store       = (*Store)(nil)
	_ engine.Tx          = (*tx)(nil)
)

// New makes an empty list. Of the options, those of files and processes mean nothing.
func New(options seedlist.Options) *Store {
	options.ApplyDefaults()
	s := &Store{
		options: options,
		last:    map[string]uint64{}, seeds: map[uint64]*engine.Seed{}, hashes: map[string]uint64{}, oldKeys: map[string]uint64{},
		links:    map[engine.Relation]map[uint64]map[uint64]engine.Link{engine.Dirty: {}, engine.Listings: {}},
		catalogs: map[uint64]*engine.Catalog{}, hosts: map[string]*engine.Host{},
		turns: map[string]uint64{}, orphans: map[string]bool{}, counts: map[string]int64{},
		items:  map[engine.ItemKind]map[string]engine.Item{engine.Contexts: {}, engine.Recipes: {}},
		washed: map[seedlist.Span][]seedlist.Washed{},
	}
	s.Moves = engine.New(s, options, seedlist.ClockLook)
	return s
}

// Close refuses all else with [seedlist.ErrClosed].
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.End()
	return nil
}

// tx is a transaction: the lock is held.
type tx struct{ *Store }

// View looks at the list under the lock.
func (s *Store) View(_ context.Context, _ bool, look func(engine.Tx) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return seedlist.ErrClosed
	}
	return look(&tx{s})
}

// Do runs an operation under the lock.
func (s *Store) Do(ctx context.Context, o *engine.Op) error {
	return s.View(ctx, true, func(t engine.Tx) error {
		session := s.Begin(t)
		if err := session.Run(o); err != nil {
			return err
		}
		if o.Err != nil {
			return o.Err
		}
		_, err := session.Finish()
		if err == nil {
			session.Committed()
		}
		return err
	})
}

// Now is the machine's clock.
func (s *Store) Now() time.Time { return time.Now() }

// Holder is nobody: no other process has the list.
func (s *Store) Holder() string { return "" }

// HostKey is the name of a host itself.
func (s *Store) HostKey(name string) string { return name }
