package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// Leftover is a file of the store that nothing needs. A kill leaves it between its commit and that of
// its record, or while it is written.
type Leftover struct {
	// Name is that of the file, without folders.
	Name  string
	Bytes int64
	// Temporary says that it was never whole; else it is whole, and no record names it.
	Temporary bool
}

// LeftoverOptions say which leftovers are taken.
type LeftoverOptions struct {
	// Before is when a file must have been written at the latest. Work in progress is younger,
	// and is besides never taken.
	Before time.Time
	// DryRun lets everything stay.
	DryRun bool
	// Most takes files without a record even where they are most of all files.
	Most bool
}

// Leftovers counts what was found, and removed unless that was not asked for.
type Leftovers struct {
	Looked                int64 // files that were held against the records
	Files, Bytes          int64 // without a record
	Temporary, TempoBytes int64
	Young                 int64 // without a record, and written too lately to be taken
}

// leftStore is what is asked of a store of files.
type leftStore interface {
	files.Opener
	files.Upkeep
	Sweep(ctx context.Context, options files.SweepOptions) (removed int, err error)
}

// leftList is what is asked of a seed list.
type leftList interface {
	Record(ctx context.Context, hash string) (seedlist.Seed, error)
	List(ctx context.Context, f seedlist.Filter) (seeds []seedlist.Seed, next string, err error)
	Counts(ctx context.Context) (seedlist.Counts, error)
}

// leftBatch is how many files without a record are removed while nothing may take its name.
const leftBatch = 100

// mostLeft is how many files without a record are taken for leftovers of kills, however few others there are.
const mostLeft = 100

// ErrMostLeft refuses to remove most of the files of a store.
var ErrMostLeft = errors.New("most files have no record: kills leave few, so the seed list has rather lost its records, or is that of " +
	"other files; nothing was removed")

// ErrListShort refuses to remove files where the list has records that can't be read.
var ErrListShort = errors.New("some records of the seed list can't be read, and files that they name would be taken for leftovers; " +
	"nothing was removed")

// RemoveLeftovers removes what kills left in the store. The function found is called for each file; its
// error ends the work. Nothing else may be at work in the store.
func RemoveLeftovers(ctx context.Context, seeds leftList, store leftStore, o LeftoverOptions, found func(Leftover) error) (Leftovers,
	error) {
	var nobody sync.Mutex
	c := collection{ctx: ctx, seeds: seeds, store: store, o: o, found: found, naming: &nobody}
	err := c.run()
	return c.sums, err
}

// RemoveLeftovers is the function of that name, while the daemon works.
func (r *Runner) RemoveLeftovers(ctx context.Context, store leftStore, o LeftoverOptions, found func(Leftover) error) (Leftovers, error) {
	c := collection{ctx: ctx, seeds: r.seeds, store: store, o: o, found: found, naming: &r.naming}
	err := c.run()
	return c.sums, err
}

// wholeTries is how often a list is read that seems to be short. One that changes meanwhile may seem so.
const wholeTries = 3

// isWhole refuses a list that gives fewer records than it counts.
func isWhole(ctx context.Context, seeds leftList) error {
	var read, counted int64
	for range wholeTries {
		before, err := seeds.Counts(ctx)
		if err != nil {
			return err
		}
		if read, err = readable(ctx, seeds); err != nil {
			return err
		}
		after, err := seeds.Counts(ctx)
		if err != nil {
			return err
		}
		if counted = min(before.Seeds, after.Seeds); read >= counted {
			return nil
		}
	}
	return fmt.Errorf("%w (%d of %d were read; \"laundromat verify\" says more)", ErrListShort, read, counted)
}

// readable is how many records a list gives.
func readable(ctx context.Context, seeds leftList) (n int64, err error) {
	for cursor := ""; ; {
		page, next, err := seeds.List(ctx, seedlist.Filter{Cursor: cursor, Limit: 1000})
		if err != nil {
			return n, err
		}
		n += int64(len(page))
		if cursor = next; next == "" {
			return n, nil
		}
	}
}

// collection is one removal of leftovers.
type collection struct {
	ctx    context.Context
	seeds  leftList
	store  leftStore
	o      LeftoverOptions
	found  func(Leftover) error
	naming sync.Locker // who holds it keeps others from naming files
	sums   Leftovers
	batch  []left
}

// left is a file that no record named when it was looked at.
type left struct {
	key    string
	suffix files.Suffix
	bytes  int64
}

// run counts first, so that nothing is removed where the list can't be that of the files.
func (c *collection) run() error {
	if err := isWhole(c.ctx, c.seeds); err != nil {
		return err
	}
	unnamed := int64(0)
	err := c.store.Walk(c.ctx, func(key string, suffix files.Suffix, _ int64) error {
		c.sums.Looked++
		named, err := c.isNamed(key, suffix)
		if err == nil && !named {
			unnamed++
		}
		return err
	})
	if err != nil {
		return err
	}
	if unnamed > mostLeft && unnamed > c.sums.Looked/2 && !c.o.Most {
		return fmt.Errorf("%w (%d of %d)", ErrMostLeft, unnamed, c.sums.Looked)
	}
	if unnamed > 0 {
		err = c.store.Walk(c.ctx, func(key string, suffix files.Suffix, bytes int64) error {
			named, err := c.isNamed(key, suffix)
			if err != nil || named {
				return err
			}
			c.batch = append(c.batch, left{key, suffix, bytes})
			if len(c.batch) < leftBatch {
				return nil
			}
			return c.flush()
		})
		if err == nil {
			err = c.flush()
		}
		if err != nil {
			return err
		}
	}
	_, err = c.store.Sweep(c.ctx, files.SweepOptions{Before: c.o.Before, DryRun: c.o.DryRun, Found: func(name string, bytes int64) error {
		c.sums.Temporary++
		c.sums.TempoBytes += bytes
		return c.found(Leftover{Name: name, Bytes: bytes, Temporary: true})
	}})
	return err
}

// flush removes the files of the batch that still have no record. Files get their names, and records
// name them, while others hold naming. So none of these can be about to be named.
func (c *collection) flush() error {
	batch := c.batch
	c.batch = c.batch[:0]
	c.naming.Lock()
	defer c.naming.Unlock()
	for _, f := range batch {
		named, err := c.isNamed(f.key, f.suffix)
		if err != nil {
			return err
		}
		if named {
			continue
		}
		blob, err := c.store.Open(f.key, f.suffix)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		isYoung := blob.ModTime().After(c.before())
		blob.Close()
		if isYoung {
			c.sums.Young++
			continue
		}
		if !c.o.DryRun {
			if err := c.store.Remove(f.key, f.suffix); err != nil {
				return err
			}
		}
		c.sums.Files++
		c.sums.Bytes += f.bytes
		if err := c.found(Leftover{Name: f.key + string(f.suffix), Bytes: f.bytes}); err != nil {
			return err
		}
	}
	return nil
}

// fencedFor is how long a file stays at least that a claim wrote and no record names. Its worker may be one of
// another machine, and about to write the record.
const fencedFor = 24 * time.Hour

// before is when a file must have been written at the latest.
func (c *collection) before() time.Time {
	day := time.Now().Add(-fencedFor)
	if c.store.Fenced() && day.Before(c.o.Before) {
		return day
	}
	return c.o.Before
}

// isNamed says whether a record names a file. What can't be known is an error.
func (c *collection) isNamed(key string, suffix files.Suffix) (bool, error) {
	seed, err := c.seeds.Record(c.ctx, files.HashOf(key))
	if errors.Is(err, seedlist.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("whether a record names the file %s%s is not known: %w", key, suffix, err)
	}
	return seedfile.IsNamed(&seed, key, suffix), nil
}
