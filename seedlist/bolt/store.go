// Package bolt keeps the seed list in one file, by bbolt. It alone knows that library.
//
// Claims and completions are durable when the call returns: many callers share one
// transaction and its fsync. One process may write the file at a time. Leases and the
// pauses of hosts are in its memory.
package bolt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// Store is an open seed list. It must be closed.
type Store struct {
	now     atomic.Pointer[opened]
	before  atomic.Pointer[opened] // which was replaced; it may still be read
	options seedlist.Options
	pidFile string

	queue   chan *operation
	alone   chan func()   // what is done while nothing is written
	stop    chan struct{} // closed by Close
	stopped chan struct{} // closed when the committing goroutine has ended
	closing sync.Once

	*engine.Moves
	hosts     hostTable
	recovered int
	isBegun   atomic.Bool // what was worked on when the process before ended is given back

	path    string                          // of the file
	name    string                          // of the file, for messages
	broken  atomic.Pointer[seedlist.Damage] // what ended the writing; nil: nothing did
	ended   chan struct{}                   // closed then
	seeker  seeker
	damages struct {
		mu   sync.Mutex
		told map[string]bool // the places that were told of
	}
}

var _ seedlist.List = (*Store)(nil)

// Open opens the seed list in the file at path, and creates it unless
// Options.ReadOnly is set. One process may write at a time: the error is a
// [*LockedError] while another holds it. What was being worked on when the store
// was last closed or the process died is given back: see [Store.Recovered].
func Open(path string, options seedlist.Options) (*Store, error) {
	options.ApplyDefaults()
	if options.ReadOnly {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil, seedlist.ErrNoStore
		}
	}
	db, file, badHead, err := openFile(path, &options)
	if err != nil {
		return nil, err
	}
	s := &Store{
		options: options, path: path, name: filepath.Base(path),
		queue: make(chan *operation), alone: make(chan func()),
		stop: make(chan struct{}), stopped: make(chan struct{}), ended: make(chan struct{}),
	}
	s.now.Store(&opened{db, file})
	s.hosts = newHostTable()
	s.Moves = engine.New(s, options, mostWait)
	if s.options.ReadOnly {
		close(s.stopped)
	} else {
		go s.commit()
	}
	if badHead != "" {
		s.met(&seedlist.Damage{List: s.name, Why: badHead, Lost: lostWithHead})
	}
	if err := s.begin(path); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// begin makes or checks the layout, says who holds the store, and gives back what
// was being worked on.
func (s *Store) begin(path string) error {
	if s.options.ReadOnly {
		err := s.viewFile(func(tx *bbolt.Tx) error {
			t := s.openTables(tx)
			if t.bucket(inMeta) == nil {
				if damage := s.lostParts(tx); damage != nil {
					return damage
				}
				return seedlist.ErrNoStore
			}
			return t.checkLayout()
		})
		if err != nil {
			return err
		}
		return s.loadHosts(context.Background())
	}
	err := s.updateFile(s.beginLayout)
	if err != nil {
		return fmt.Errorf("open the seed list: %w", err)
	}
	_ = os.Remove(path + compactSuffix) // a kill may have left it
	s.pidFile = pidPath(path)
	// A note for people: whoever reads that the store is locked needs a PID.
	_ = os.WriteFile(s.pidFile, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600)
	if err := s.loadHosts(context.Background()); err != nil {
		return err
	}
	if err := s.recover(context.Background()); err != nil {
		return err
	}
	if err := s.cutDues(context.Background()); err != nil {
		return err
	}
	go s.watchClock()
	return nil
}

// recover gives back what was worked on when the process ended that held the list before.
func (s *Store) recover(ctx context.Context) error {
	defer s.isBegun.Store(true)
	for {
		n, err := s.Rescue(ctx)
		if err != nil || n == 0 {
			return err
		}
		s.recovered += n
	}
}

// Recovered is the number of seeds that were being worked on when the process
// that held the store before ended without giving them back.
func (s *Store) Recovered() int { return s.recovered }

// Unsettled says of a store opened only for reading that opening it for writing would
// change it: the process that held it last died at work that must be given back.
func (s *Store) Unsettled(ctx context.Context) (is bool, err error) {
	err = s.view(ctx, func(t *tables) error {
		for _, stage := range seedlist.Stages() {
			t.scan(inStates, []byte{stage.Number()}, nil, func(_, _ []byte) bool {
				is = true
				return false
			})
		}
		t.scan(inCatalogs, nil, nil, func(_, value []byte) bool {
			status, _ := catalogStanding(value)
			is = is || status == seedlist.CatalogHarvesting
			return !is
		})
		return nil
	})
	return is, err
}

// Close ends what is being committed, refuses all else with [seedlist.ErrClosed], and
// closes the file. Claims that are held are given back when it is opened again.
func (s *Store) Close() error {
	var err error
	s.closing.Do(func() {
		close(s.stop)
		<-s.stopped
		s.End()
		if s.pidFile != "" {
			_ = os.Remove(s.pidFile)
		}
		if s.broken.Load() != nil {
			err = abandon(s.now.Load().file) // the library may hold its own locks for ever
			return
		}
		err = s.now.Load().db.Close()
	})
	return err
}

// view reads in one transaction. read must be short: the file can't grow its map
// while it lasts.
func (s *Store) view(ctx context.Context, read func(*tables) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := s.viewFile(func(tx *bbolt.Tx) error {
		t := s.openTables(tx)
		return read(&t)
	})
	if errors.Is(err, berrors.ErrDatabaseNotOpen) {
		return seedlist.ErrClosed
	}
	return err
}

// viewFile reads in one transaction of the library.
func (s *Store) viewFile(read func(*bbolt.Tx) error) error {
	return guarded(s.name, func() error { return s.viewIn(read) })
}

// updateFile writes in one transaction of the library. After damage was met in one, nothing is written
// any more: the pages beside it might be led astray.
func (s *Store) updateFile(write func(*bbolt.Tx) error) error {
	if damage := s.broken.Load(); damage != nil {
		return damage
	}
	err := guarded(s.name, func() error { return s.now.Load().db.Update(write) })
	var damage *seedlist.Damage
	if errors.As(err, &damage) && damage.Place == pageMet {
		if s.broken.CompareAndSwap(nil, damage) {
			close(s.ended)
		}
		s.met(damage)
	}
	return err
}

// Broken is closed when a page was met that can't be read where the list was to be written. Nothing is
// written any more; [Store.Damage] says why.
func (s *Store) Broken() <-chan struct{} { return s.ended }

// Damage is what ended the writing; nil if nothing did.
func (s *Store) Damage() error {
	if damage := s.broken.Load(); damage != nil {
		return damage
	}
	return nil
}

// initialMap is the size of the memory map at the start. Growing it waits for all readers.
// Address space is free where there are 64 bits of it, but on Windows the file itself would
// be as large.
func initialMap(readOnly bool) int {
	if readOnly || runtime.GOOS == "windows" || math.MaxInt == math.MaxInt32 {
		return 0
	}
	return 1 << 30
}

func pidPath(path string) string { return path + ".pid" }

func readPID(path string) int {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0
	}
	return pid
}
