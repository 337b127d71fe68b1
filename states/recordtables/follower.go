// Package recordtables keeps the records of the documents of a seed list in a database, a table for each recipe. It
// follows the changes of the list, outside of the work on seeds: a database that is away holds nothing up. What was
// taken, and how far the changes are, is kept beside the rows, in one transaction with them.
//
//	follower := recordtables.New(recordtables.Options{List: list, Files: files, Address: address})
//	go follower.Run(ctx)
package recordtables

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/records/database"
	"laundromat/seedlist"
)

// List is the part of a seed list that is followed.
type List interface {
	seedlist.Feed
	seedlist.Reader
	seedlist.Recipes
}

// Budget is the memory that works share. Acquire waits for so many bytes until ctx ends; each is released once.
type Budget interface {
	Acquire(ctx context.Context, bytes int64) error
	Release(bytes int64)
}

// Options say what is followed, and where its records go.
type Options struct {
	List    List
	Files   files.Opener
	Address database.Address
	// Name tells the list from others that fill the same database. All processes of one list give the same.
	Name string
	// Holder tells this process from others of the list.
	Holder string
	Temp   string
	Memory int64 // for the keys of a document, in bytes; 0: 16 MiB
	// Budget is drawn from for the records that are reconciled, and has Most bytes as a whole; nil: nothing is drawn.
	Budget Budget
	Most   int64
	// Trouble is told an error when it comes first, and what has no table; nil if nobody asks.
	Trouble func(error)
}

// IntoStatus says how far a database is.
type IntoStatus struct {
	Database string `json:"database"`
	// Behind are the changes of the list that the database does not hold yet; while the list is read as a whole, all.
	Behind   uint64 `json:"behind"`
	Scanning bool   `json:"scanning,omitempty"`
	// IsConnected says that it is known how far the database is.
	IsConnected bool `json:"-"`
	// Unreconciled are tables whose rows have changed since they were reconciled.
	Unreconciled int `json:"unreconciled,omitempty"`
	// IsSettled says that nothing is to be reconciled of what the database holds.
	IsSettled bool `json:"-"`
	// Elsewhere says that another process follows the list.
	Elsewhere bool `json:"elsewhere,omitempty"`
	// Documents, New, Changed and Lost are those of this process: documents that were taken, and their records.
	Documents int64 `json:"documents"`
	New       int64 `json:"new"`
	Changed   int64 `json:"changed"`
	Lost      int64 `json:"lost"`
	// Failed are documents of which the database has no records, and FailedWhy the last reason.
	Failed    int64  `json:"failed,omitempty"`
	FailedWhy string `json:"failed_why,omitempty"`
	// Error is why the database can't be written now, Since when.
	Error string    `json:"error,omitempty"`
	Since time.Time `json:"since,omitzero"`
}

// Follower follows a list.
type Follower struct {
	opt   Options
	forms forms
	// single says that documents are taken one at a time, since several together failed. tried is how often the
	// first of them did.
	single bool
	tried  int

	merging reconcilable
	rested  map[string]time.Time // of each recipe, when its table was reconciled last
	letGoAt uint64               // the version of the recipes at which merges that none asks for were parted
	hurried atomic.Bool          // nothing rests any more
	looked  time.Time            // when it was last looked what is to be reconciled

	mu     sync.Mutex
	status IntoStatus
	cursor database.Cursor
	db     *database.Database // while it is connected
	wake   func()             // ends the wait for a change
	// settled is the revision of the list at which nothing was to be reconciled; isSettled says that there was one.
	settled   uint64
	isSettled bool
}

// New makes a Follower.
func New(opt Options) *Follower {
	return &Follower{opt: opt, status: IntoStatus{Database: opt.Address.String()}, forms: forms{list: opt.List}}
}

// Status says how far the database is.
func (f *Follower) Status(ctx context.Context) IntoStatus {
	last, err := f.opt.List.Revision(ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	is := f.status
	is.IsSettled = f.isSettled && f.settled == f.cursor.Revision && is.Unreconciled == 0
	if err == nil {
		is.Behind = last - min(last, f.cursor.Revision)
		if f.cursor.IsScanning {
			is.Behind = last
		}
	}
	return is
}

// Hurry has all that is due reconciled without rest: the end is near.
func (f *Follower) Hurry() {
	if !f.hurried.Swap(true) {
		f.awake()
	}
}

// awake ends the wait for a change.
func (f *Follower) awake() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.wake != nil {
		f.wake()
	}
}

const (
	// firstPause and longestPause are those after an error of the database.
	firstPause   = time.Second
	longestPause = 30 * time.Second
	// lease is how long a process is the one that follows a list without a sign of it.
	lease = time.Minute
	// mostChanges is how many changes are looked at together, mostTogether how many documents are in one transaction.
	mostChanges  = 1000
	mostTogether = 50
	// mostTries is how often a document that the database refuses is tried again.
	mostTries = 3
	// longestUnlooked is how long a list that is never at rest keeps its tables from being reconciled.
	longestUnlooked = time.Minute
)

// Run follows the list until ctx ends.
func (f *Follower) Run(ctx context.Context) {
	pause := firstPause
	for ctx.Err() == nil {
		began := time.Now()
		err := f.connected(ctx)
		if ctx.Err() != nil || errors.Is(err, seedlist.ErrClosed) {
			return
		}
		f.fail(err)
		if time.Since(began) > 2*longestPause {
			pause = firstPause
		}
		seedlist.Rest(ctx, pause)
		pause = min(2*pause, longestPause)
	}
}

// fail notes an error.
func (f *Follower) fail(err error) {
	f.mu.Lock()
	isNew := f.status.Error == "" && err != nil
	switch {
	case err == nil:
		f.status.Error, f.status.Since = "", time.Time{}
	case isNew:
		f.status.Since = time.Now().UTC()
		fallthrough
	default:
		f.status.Error = strings.Join(strings.Fields(seedlist.ShownIn(err.Error())), " ")
	}
	f.mu.Unlock()
	if isNew && f.opt.Trouble != nil {
		f.opt.Trouble(err)
	}
}

// connected follows the list until the database fails.
func (f *Follower) connected(ctx context.Context) error {
	db, err := database.Open(ctx, f.opt.Address)
	if err != nil {
		return err
	}
	f.setDatabase(db)
	defer db.Close()
	defer f.setDatabase(nil)
	for first := true; ctx.Err() == nil; first = false {
		isHeld, err := f.hold(ctx, db)
		if err != nil {
			return err
		}
		f.mu.Lock()
		f.status.Elsewhere = !isHeld
		f.mu.Unlock()
		if !isHeld {
			f.fail(nil)
			seedlist.Rest(ctx, lease/4)
			first = true
			continue
		}
		if first {
			if err := f.find(ctx, db); err != nil {
				return err
			}
		}
		if err := f.advance(ctx, db); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (f *Follower) setDatabase(db *database.Database) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.db = db
}

// hold makes this process the one that follows the list, and reads how far the database is.
func (f *Follower) hold(ctx context.Context, db *database.Database) (isHeld bool, err error) {
	var cursor database.Cursor
	err = db.Update(ctx, func(tx *database.Tx) error {
		if isHeld, err = tx.Hold(f.opt.Name, f.opt.Holder, lease); err != nil || !isHeld {
			return err
		}
		cursor, err = tx.Cursor(f.opt.Name)
		return err
	})
	if err == nil && isHeld {
		f.setCursor(cursor)
	}
	return isHeld, err
}

func (f *Follower) setCursor(c database.Cursor) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cursor = c
	f.status.Scanning = c.IsScanning
}

func (f *Follower) at() database.Cursor {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.cursor
}

// find sees whether the changes that the database holds are those of this list: it may be a new one, or have been
// restored to what it was before. Then it is read as a whole.
func (f *Follower) find(ctx context.Context, db *database.Database) error {
	c := f.at()
	if c.IsScanning {
		return nil
	}
	mark, err := f.markOf(ctx, c.Revision)
	if err != nil {
		return err
	}
	if c.Mark != "" && c.Mark == mark {
		return nil
	}
	return f.scan(ctx, db)
}

// markOf tells a change from that of the same revision in another list; "" where it is not kept.
func (f *Follower) markOf(ctx context.Context, revision uint64) (string, error) {
	last, ok, err := seedlist.ChangeOf(ctx, f.opt.List, revision)
	if err != nil || !ok {
		return "", err
	}
	return markOf(&last), nil
}

func markOf(c *seedlist.Change) string {
	return fmt.Sprintf("%d %d %s", c.Revision, c.Number, c.Time.UTC().Format(time.RFC3339Nano))
}

// scan begins to read the whole list. Changes from now on are followed afterwards.
func (f *Follower) scan(ctx context.Context, db *database.Database) error {
	revision, err := f.opt.List.Revision(ctx)
	if err != nil {
		return err
	}
	mark, err := f.markOf(ctx, revision)
	if err != nil {
		return err
	}
	return f.move(ctx, db, database.Cursor{Revision: revision, Mark: mark, IsScanning: true})
}

// move notes how far the database is.
func (f *Follower) move(ctx context.Context, db *database.Database, to database.Cursor) error {
	isHeld := false
	err := db.Update(ctx, func(tx *database.Tx) (err error) {
		if isHeld, err = tx.Hold(f.opt.Name, f.opt.Holder, lease); err != nil || !isHeld {
			return err
		}
		return tx.SetCursor(f.opt.Name, to)
	})
	if err == nil && isHeld {
		f.setCursor(to)
		f.fail(nil)
	}
	return err
}

// advance takes the next seeds of the list, or its next changes, for which it waits a while.
func (f *Follower) advance(ctx context.Context, db *database.Database) error {
	c := f.at()
	if c.IsScanning {
		some, err := f.opt.List.NumberedAfter(ctx, c.Scanned, mostChanges)
		if err != nil {
			return err
		}
		if len(some) == 0 {
			c.IsScanning, c.Scanned = false, 0
			return f.move(ctx, db, c)
		}
		if err := f.take(ctx, db, some); err != nil {
			return err
		}
		c.Scanned = some[len(some)-1].Number
		return f.move(ctx, db, c)
	}
	f.fail(nil)
	f.mu.Lock()
	f.status.IsConnected = true // and it holds changes of this list
	f.mu.Unlock()
	revision, err := f.opt.List.Revision(ctx)
	if err != nil {
		return err
	}
	wait, isLooked := lease/3, revision <= c.Revision || time.Since(f.looked) > longestUnlooked
	if isLooked {
		f.looked = time.Now()
		if wait, err = f.reconcile(ctx, db); err != nil {
			return err
		}
	}
	if wait == 0 {
		return nil
	}
	waiting, end := context.WithTimeout(ctx, wait)
	defer end()
	f.mu.Lock()
	f.wake = end
	isHurried := isLooked && f.hurried.Load() && f.status.Unreconciled > 0
	f.mu.Unlock()
	if isHurried {
		return nil // it came in between
	}
	err = f.opt.List.WaitChange(waiting, c.Revision)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return nil
	case err != nil:
		return err
	}
	changes, err := f.opt.List.Changes(ctx, c.Revision, mostChanges)
	if errors.As(err, new(*seedlist.LateError)) {
		return f.scan(ctx, db)
	}
	if err != nil || len(changes) == 0 {
		return err
	}
	seen, numbers := map[uint64]bool{}, []uint64(nil)
	for i := range changes {
		if n := changes[i].Number; !seen[n] && changes[i].To != "" {
			seen[n] = true
			numbers = append(numbers, n)
		}
	}
	some, err := f.opt.List.Numbered(ctx, numbers...)
	if err != nil {
		return err
	}
	if err := f.take(ctx, db, some); err != nil {
		return err
	}
	last := &changes[len(changes)-1]
	return f.move(ctx, db, database.Cursor{Revision: last.Revision, Mark: markOf(last)})
}

// take puts the records of those seeds into the database that have some.
func (f *Follower) take(ctx context.Context, db *database.Database, some []seedlist.Numbered) error {
	var numbers []uint64
	for i := range some {
		if isCandidate(&some[i].Seed) {
			numbers = append(numbers, some[i].Number)
		}
	}
	for len(numbers) > 0 {
		n := min(len(numbers), mostTogether)
		if f.single {
			n = 1
		}
		seeds, err := f.opt.List.Whole(ctx, numbers[:n]...)
		if err != nil {
			return err
		}
		if err := f.takeTogether(ctx, db, seeds); err != nil {
			return err
		}
		numbers = numbers[n:]
	}
	f.single = false
	return nil
}

// takeTogether puts the records of some documents into the database, in one transaction. A document that the database
// itself refuses is left out, after some tries alone.
func (f *Follower) takeTogether(ctx context.Context, db *database.Database, seeds []seedlist.Seed) error {
	t := taking{Follower: f}
	isHeld := false
	err := db.Update(ctx, func(tx *database.Tx) (err error) {
		t.tx = tx
		if isHeld, err = tx.Hold(f.opt.Name, f.opt.Holder, lease); err != nil || !isHeld {
			return err
		}
		return t.all(ctx, seeds)
	})
	switch {
	case err == nil && !isHeld:
		return errLeft
	case err == nil:
		f.tried = 0
		f.add(&t.status)
		return nil
	case ctx.Err() != nil || fault.CodeOf(err) != fault.LocalDatabase:
		return err
	case len(seeds) > 1:
		f.single = true
		return err
	}
	f.single = true
	if f.tried++; f.tried < mostTries || len(seeds) == 0 {
		return err
	}
	f.tried = 0
	return f.leaveOut(ctx, db, &seeds[0], err)
}

// errLeft says that another process follows the list by now.
var errLeft = errors.New("another process follows the list")

// leaveOut notes that the database refuses a document. Where it does not answer at all, the document waits.
func (f *Follower) leaveOut(ctx context.Context, db *database.Database, seed *seedlist.Seed, refused error) error {
	t := taking{Follower: f}
	err := db.Update(ctx, func(tx *database.Tx) (err error) {
		t.tx = tx
		return t.failed(ctx, seed, refused)
	})
	if err == nil {
		f.add(&t.status)
	}
	return err
}

// add adds what was taken to the status.
func (f *Follower) add(taken *IntoStatus) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := &f.status
	s.Documents += taken.Documents
	s.New, s.Changed, s.Lost = s.New+taken.New, s.Changed+taken.Changed, s.Lost+taken.Lost
	if s.Failed += taken.Failed; taken.FailedWhy != "" {
		s.FailedWhy = taken.FailedWhy
	}
}
