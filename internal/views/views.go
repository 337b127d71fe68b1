// Package views keeps, beside a seed list, what lists and counts of it need. It knows which seeds have
// a value (host, format, error, notice and the like), and how many have each value, and some pairs of
// values. It knows the order of seeds by size, time and the like. It follows the feed of changes, and is
// at most about a second behind it. [Views.AsOf] says how far it has come.
//
// Nothing in its file is known there alone. The file may be deleted: it is made again from
// the list. So it is not synced. After a crash of the machine, as opposed to one of the
// process, it is made again too.
package views

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"laundromat/internal/fault"
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
	db   *bbolt.DB
	path string
	list Seeds
	log  func(error)

	ids     knownIDs      // of who follows
	hurry   chan struct{} // someone waits
	stop    context.CancelFunc
	stopped chan struct{}

	counted [2][]knownCounts // of facets and of pairs

	mu    sync.Mutex
	asOf  AsOf
	moved chan struct{} // closed, and replaced, when asOf changes
}

const (
	// pause is how long changes are gathered while nobody waits for them. A seed that changes twice
	// meanwhile is read once, and a commit costs as much as some tens of changes.
	pause = 600 * time.Millisecond
	// again is the pause after trouble with the file.
	again = time.Second
	// maxChanges is how many changes one transaction takes, maxBuilt how many seeds while
	// the views are being made.
	maxChanges = 10_000
	maxBuilt   = 2000
	// maxRead is how many seeds are in memory at a time.
	maxRead = 500
)

// Open opens the views of a list in the file at path, or makes them, and follows the list until
// [Views.Close]. What goes wrong on the way is told to log, and tried again.
func Open(path string, list Seeds, log func(error)) (*Views, error) {
	v := &Views{
		path: path, list: list, log: log,
		hurry: make(chan struct{}, 1), stopped: make(chan struct{}), moved: make(chan struct{}),
		counted: [2][]knownCounts{make([]knownCounts, facetCount), make([]knownCounts, len(pairs))},
	}
	if err := dropUnsound(path); err != nil {
		return nil, trouble(err)
	}
	if err := v.open(); err != nil {
		return nil, trouble(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	v.stop = stop
	if err := v.check(ctx); err != nil {
		stop()
		v.db.Close()
		return nil, err
	}
	go v.follow(ctx)
	return v, nil
}

func trouble(err error) error {
	return fault.New("views.Open", fault.Local, fault.LocalDisk, "the views of the seed list could not be opened: %w", err)
}

// layout is the version of the file. One of another version is made anew.
const layout = "2"

// open opens the file; one that is no such file, or of another layout, is made anew.
func (v *Views) open() error {
	db, err := openFile(v.path)
	if err != nil && !errors.Is(err, berrors.ErrTimeout) {
		if err = os.Remove(v.path); err == nil {
			db, err = openFile(v.path)
		}
	}
	if err != nil {
		return err
	}
	v.db = db
	return markOpen(v.path)
}

func openFile(path string) (*bbolt.DB, error) {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{
		Timeout: time.Second, FreelistType: bbolt.FreelistMapType, NoSync: true, NoGrowSync: true, NoFreelistSync: true,
	})
	if err != nil {
		return nil, err
	}
	if err := db.Update(makeBuckets); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

var (
	layoutKey   = []byte("layout")
	revisionKey = []byte("revision") // with the time of its change
	buildingKey = []byte("building") // the last seed that they hold, while they are being made
)

// makeBuckets makes the buckets of a new file, and refuses one of another layout.
func makeBuckets(tx *bbolt.Tx) error {
	if meta := tx.Bucket([]byte(bucketNames[inMeta])); meta != nil {
		if string(meta.Get(layoutKey)) != layout {
			return errors.New("the views are of another layout")
		}
		return nil
	}
	for _, name := range bucketNames {
		if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
			return err
		}
	}
	return tx.Bucket([]byte(bucketNames[inMeta])).Put(layoutKey, []byte(layout))
}

// Close ends the following and closes the file.
func (v *Views) Close() error {
	v.stop()
	<-v.stopped
	err := errors.Join(v.db.Sync(), v.db.Close())
	if err != nil {
		return fmt.Errorf("close the views: %w", err)
	}
	return markClosed(v.path)
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
