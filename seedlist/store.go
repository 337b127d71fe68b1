// Package seedlist is the durable list of seeds: what there is to wash, where
// each seed stands, and what is known about it. It knows when; what is done in
// each state is the business of others.
//
// A seed is a URI, an entry of an archive, or a clean file. Its life is a table
// of states (see [Stages]); it moves only as that allows. A worker claims seeds
// of a ready state, works, and completes each claim:
//
//	err := store.Wait(ctx, seedlist.Downloading)
//	claims, err := store.Claim(ctx, seedlist.Downloading, "worker-1", 10)
//	…
//	err = store.Complete(ctx, claims[0], seedlist.Outcome{Next: seedlist.Filed})
//
// Claims and completions are durable when the call returns: many callers share
// one transaction and its fsync. Each claim has a fence, a number that only
// rises; a completion whose fence is no longer the seed's is refused with
// [ErrLost], so a worker that was given up can do no harm. Nothing that a caller
// gets is shared with the store, and all methods may be called at once from many
// goroutines. Times in records are UTC.
package seedlist

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
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"laundromat/internal/fault"
)

var (
	// ErrLost refuses what is done with a claim that is no longer held: its lease
	// ran out and it was given back, or its seed was removed.
	ErrLost = errors.New("the claim is no longer held")
	// ErrNotFound says that no seed has this hash or URI.
	ErrNotFound = errors.New("not in the seed list")
	// ErrReadOnly refuses writes to a store that was opened to be read.
	ErrReadOnly = errors.New("the seed list was opened to be read only")
	// ErrClosed says that the store was closed.
	ErrClosed = errors.New("the seed list is closed")
	// ErrNoStore says that there is nothing to read: no store was made here yet.
	ErrNoStore = errors.New("there is no seed list here")
)

// LockedError says that another process holds the store.
type LockedError struct {
	PID int // 0 if it is not known
}

func (e *LockedError) Error() string {
	if e.PID == 0 {
		return "the seed list is held by another process"
	}
	return "the seed list is held by process " + strconv.Itoa(e.PID)
}

// Options are the settings of a store. The zero value is right for a service.
type Options struct {
	// ReadOnly opens a store that exists; it changes and creates nothing. Several
	// processes may do so at once while none writes. See [Store.Unsettled].
	ReadOnly bool
	// Interval is the time after which a seed with a URI is fetched again, unless it
	// has its own. 0: 100 days; negative: never.
	Interval time.Duration
	// IntervalMin and IntervalMax bound the interval of a seed without one of its own,
	// which follows what became of it: twice as long after a fetch that brought nothing
	// new, half as long after one that did. 0: a 32nd of Interval, and four times as
	// long. Where both are Interval, all seeds keep it.
	IntervalMin, IntervalMax time.Duration
	// KeepVersions is how many clean files of older versions of a document are kept
	// beside its last, unless the seed says otherwise; up to [MaxKept]. 0: none.
	KeepVersions int
	// HostConnections is the number of downloads from one host at once. 0: 1.
	HostConnections int
	// HostDelay is the least time between two downloads from one host, from the end
	// of one to the beginning of the next. 0: 1 s; negative: none.
	HostDelay time.Duration
	// Lease is how long a claim may go without a sign of life. 0: 15 min.
	Lease time.Duration
	// RetryMost is the longest pause before another try: a seed that is to wait longer when
	// the store is opened was made to by a wrong clock. 0: 1 h.
	RetryMost time.Duration
	// LockWait is how long Open waits for a process that holds the store. 0: 500 ms.
	LockWait time.Duration
}

func (o *Options) applyDefaults() {
	def := func(d *time.Duration, value time.Duration) {
		switch {
		case *d == 0:
			*d = value
		case *d < 0:
			*d = 0
		}
	}
	def(&o.Interval, 100*24*time.Hour)
	def(&o.HostDelay, time.Second)
	def(&o.Lease, 15*time.Minute)
	def(&o.LockWait, 500*time.Millisecond)
	def(&o.RetryMost, time.Hour)
	if o.IntervalMin <= 0 {
		o.IntervalMin = o.Interval / 32
	}
	if o.IntervalMax <= 0 {
		o.IntervalMax = 4 * o.Interval
	}
	o.IntervalMin, o.IntervalMax = min(o.IntervalMin, o.Interval), max(o.IntervalMax, o.Interval)
	if o.HostConnections <= 0 {
		o.HostConnections = 1
	}
}

// Store is an open seed list. It must be closed.
type Store struct {
	db       *bbolt.DB
	readOnly bool
	interval time.Duration
	// retryMost is the longest pause before another try.
	retryMost time.Duration
	paces     paces
	keep      int // versions
	lease     time.Duration
	pidFile   string

	queue   chan *operation
	stop    chan struct{} // closed by Close
	stopped chan struct{} // closed when the committing goroutine has ended
	closing sync.Once

	hosts     hostTable
	leases    leaseTable
	wakers    wakers
	recovered int
}

// Open opens the seed list in the file at path, and creates it unless
// Options.ReadOnly is set. One process may write at a time: the error is a
// [*LockedError] while another holds it. What was being worked on when the store
// was last closed or the process died is given back: see [Store.Recovered].
func Open(path string, options Options) (*Store, error) {
	options.applyDefaults()
	if options.ReadOnly {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil, ErrNoStore
		}
	}
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{
		Timeout:         options.LockWait,
		ReadOnly:        options.ReadOnly,
		FreelistType:    bbolt.FreelistMapType,
		InitialMmapSize: initialMap(options.ReadOnly),
	})
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return nil, &LockedError{PID: readPID(pidPath(path))}
	case err != nil:
		return nil, fault.New("seedlist.Open", fault.Local, fault.LocalDisk, "open the seed list %s: %w", filepath.Base(path), err)
	}
	s := &Store{
		db: db, readOnly: options.ReadOnly, interval: options.Interval, retryMost: options.RetryMost, lease: options.Lease,
		paces: paces{options.IntervalMin, options.IntervalMax}, keep: options.KeepVersions,
		queue: make(chan *operation), stop: make(chan struct{}), stopped: make(chan struct{}),
	}
	s.hosts.connections, s.hosts.delay = options.HostConnections, options.HostDelay
	s.hosts.hosts = make(map[uint64]*hostUse)
	s.leases.held = make(map[uint64]*lease)
	if s.readOnly {
		close(s.stopped)
	} else {
		go s.commit()
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
	if s.readOnly {
		err := s.db.View(func(tx *bbolt.Tx) error {
			t := openTables(tx)
			if t.bucket(inMeta) == nil {
				return ErrNoStore
			}
			return t.checkLayout()
		})
		if err != nil {
			return err
		}
		return s.loadHosts(context.Background())
	}
	err := s.db.Update(func(tx *bbolt.Tx) error {
		t := openTables(tx)
		if t.bucket(inMeta) != nil {
			if err := t.checkLayout(); err != nil {
				return err
			}
		}
		for _, name := range bucketNames {
			if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
				return err
			}
		}
		t = openTables(tx)
		return t.bucket(inMeta).Put([]byte("version"), []byte(layout))
	})
	if err != nil {
		return fmt.Errorf("open the seed list: %w", err)
	}
	s.pidFile = pidPath(path)
	// A note for people: who is told that the store is locked can't do without a PID.
	_ = os.WriteFile(s.pidFile, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600)
	if s.recovered, err = s.recover(context.Background()); err != nil {
		return err
	}
	if err := s.loadHosts(context.Background()); err != nil {
		return err
	}
	if err := s.aliasAll(context.Background()); err != nil {
		return err
	}
	if err := s.recoverCatalogs(context.Background()); err != nil {
		return err
	}
	return s.cutDues(context.Background())
}

func (t *tables) checkLayout() error {
	if version := string(t.get(inMeta, []byte("version"))); version != layout {
		return fmt.Errorf("the seed list has layout %q, and this version of Laundromat reads %q", version, layout)
	}
	return nil
}

// Recovered is the number of seeds that were being worked on when the process
// that held the store before ended without giving them back.
func (s *Store) Recovered() int { return s.recovered }

// Unsettled says of a store that was opened to be read only that opening it to be written
// would change it: what the process that held it last was working on when it died is
// to be given back, or the store is from an older version.
func (s *Store) Unsettled(ctx context.Context) (is bool, err error) {
	err = s.view(ctx, func(t *tables) error {
		is = t.get(inMeta, aliasedKey) == nil
		for _, stage := range Stages() {
			t.scan(inStates, []byte{stage.number()}, nil, func(_, _ []byte) bool {
				is = true
				return false
			})
		}
		t.scan(inCatalogs, nil, nil, func(_, value []byte) bool {
			status, _ := catalogStanding(value)
			is = is || status == CatalogHarvesting
			return !is
		})
		return nil
	})
	return is, err
}

// Close ends what is being committed, refuses all else with [ErrClosed], and
// closes the file. Claims that are held are given back when it is opened again.
func (s *Store) Close() error {
	var err error
	s.closing.Do(func() {
		close(s.stop)
		<-s.stopped
		if s.pidFile != "" {
			_ = os.Remove(s.pidFile)
		}
		err = s.db.Close()
	})
	return err
}

// view reads in one transaction. read must be short: the file can't grow its map
// while it lasts.
func (s *Store) view(ctx context.Context, read func(*tables) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := s.db.View(func(tx *bbolt.Tx) error {
		t := openTables(tx)
		return read(&t)
	})
	if errors.Is(err, berrors.ErrDatabaseNotOpen) {
		return ErrClosed
	}
	return err
}

// initialMap is the size of the memory map at the start. Growing it waits for all
// readers; address space is free where there are 64 bits of it, but on Windows
// the file itself would be as large.
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
