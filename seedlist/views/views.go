// Package views keeps, beside a seed list, what lists and counts of it need. It knows which seeds have
// a value (host, format, error, notice and the like), and how many have each value, and some pairs of
// values. It knows the order of seeds by size, time and the like. It follows the feed of changes, and is
// at most about a second behind it. [Views.AsOf] says how far it has come.
//
// They are kept in tables: in a file, or in the database that the seed list is in. Nothing in them is known there
// alone. The file may be deleted: it is made again from the list. So it is not synced. After a crash of
// the machine, as opposed to one of the process, it is made again too.
package views

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/ordered"
	"laundromat/seedlist"
)

// Seeds is the part of a seed list that is followed.
type Seeds interface {
	seedlist.Feed
	Counts(ctx context.Context) (seedlist.Counts, error)
}

// AsOf says how far the views have come.
type AsOf struct {
	// Revision is that of the last change that they hold, and Time is its time.
	Revision uint64    `json:"revision"`
	Time     time.Time `json:"time,omitzero"`
	// Building says that they are being made, and do not hold all seeds yet.
	Building bool `json:"building,omitempty"`
	// Seeds is how many they hold while they are being made.
	Seeds int64 `json:"seeds,omitempty"`
}

// Views are open views. They must be closed.
type Views struct {
	tables ordered.Tables
	list   Seeds
	terms  Terms
	log    func(error)

	// retried is when files that could not be read were read again, and retriedTo the cursor of the next of them.
	retried   time.Time
	retriedTo string

	ids     knownIDs      // of who follows
	marks   []mark        // as they were made room for, of who follows
	hurry   chan struct{} // someone waits
	stop    context.CancelFunc
	stopped chan struct{}

	counted [2][]knownCounts // of facets and of pairs
	summed  [len(groups)]knownSums

	mu    sync.Mutex
	asOf  AsOf
	moved chan struct{} // closed, and replaced, when asOf changes
}

const (
	// pause is how long changes are gathered while nobody waits for them. A seed that changes twice
	// meanwhile is read once, and a commit costs as much as some tens of changes.
	pause = 600 * time.Millisecond
	// again is the pause after trouble with the tables.
	again = time.Second
	// busy is the pause while another process brings the tables up to date.
	busy = 100 * time.Millisecond
	// maxChanges is how many changes one transaction takes, maxBuilt how many seeds while
	// the views are being made.
	maxChanges = 10_000
	maxBuilt   = 2000
	// maxRead is how many seeds are in memory at a time.
	maxRead = 500
)

// Open opens the views of a list in the file at path, or makes them, and follows the list until
// [Views.Close]. Without terms, which may be nil, nothing is listed by what statements use. What goes wrong on the way
// is told to log, and tried again.
func Open(path string, list Seeds, terms Terms, log func(error)) (*Views, error) {
	tables, err := openTables(path)
	if err != nil {
		return nil, fault.New("views.Open", fault.Local, fault.LocalDisk, "the views of the seed list could not be opened: %w", err)
	}
	v, err := In(tables, list, terms, log)
	if err != nil {
		tables.db.Close()
	}
	return v, err
}

// In is Open in tables that are there already, and that [Views.Close] closes. Where other processes share them, one
// at a time follows the list, and the others see what it has done.
func In(tables ordered.Tables, list Seeds, terms Terms, log func(error)) (*Views, error) {
	v := newViews(tables, list, log)
	v.terms = terms
	ctx, stop := context.WithCancel(context.Background())
	v.stop = stop
	if err := v.check(ctx); err != nil && !errors.Is(err, ordered.ErrBusy) {
		stop()
		return nil, err
	}
	go v.follow(ctx)
	return v, nil
}

// Look is In for tables that are only read: others bring them up to date.
func Look(tables ordered.Tables, list Seeds, log func(error)) *Views {
	v := newViews(tables, list, log)
	ctx, stop := context.WithCancel(context.Background())
	v.stop = stop
	v.setAsOf(AsOf{Building: true}) // until the tables were read
	go v.watch(ctx)
	return v
}

func newViews(tables ordered.Tables, list Seeds, log func(error)) *Views {
	return &Views{
		tables: tables, list: list, log: log,
		hurry: make(chan struct{}, 1), stopped: make(chan struct{}), moved: make(chan struct{}),
		counted: [2][]knownCounts{make([]knownCounts, facetCount), make([]knownCounts, len(pairs))},
	}
}

// TableNames are the names of the tables that views are kept in, by their numbers.
func TableNames() []string { return tableNames[:] }

// layout is the version of the tables. Those of another version are made anew.
const layout = "11"

var (
	layoutKey   = []byte("layout")
	revisionKey = []byte("revision") // with the time of its change
	buildingKey = []byte("building") // the last seed that they hold, while they are being made
	stampKey    = []byte("stamp")    // how often they were changed
	epochKey    = []byte("epoch")    // how often they were begun anew
	lastIDKey   = []byte("id")       // the last number of a value
)

// Close ends the following and closes the tables.
func (v *Views) Close() error {
	v.stop()
	<-v.stopped
	if err := v.tables.Close(); err != nil {
		return fmt.Errorf("close the views: %w", err)
	}
	return nil
}

// AsOf says how far the views have come.
func (v *Views) AsOf() AsOf {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.asOf
}

func (v *Views) setAsOf(asOf AsOf) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.asOf != asOf {
		v.asOf = asOf
		close(v.moved)
		v.moved = make(chan struct{})
	}
}

// Wait returns when the views hold the changes up to a revision, or with the error of ctx.
func (v *Views) Wait(ctx context.Context, revision uint64) error {
	for {
		v.mu.Lock()
		asOf, moved := v.asOf, v.moved
		v.mu.Unlock()
		if !asOf.Building && asOf.Revision >= revision {
			return nil
		}
		select {
		case v.hurry <- struct{}{}:
		default:
		}
		select {
		case <-moved:
		case <-v.stopped:
			return errors.New("the views are closed")
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
