package main

import (
	"context"
	"strings"
	"sync"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/ordered"
	"laundromat/seedlist"
	"laundromat/seedlist/views"
)

// replica is a copy of the database that lists and statistics are read from. It is opened when it answers.
type replica struct {
	address string
	options seedlist.Options

	mu      sync.Mutex
	list    *databaseList
	triedAt time.Time
	trouble error
}

// openAgain is how long a replica that could not be opened is left alone.
const openAgain = time.Second

// newReplica reads --store-read.
func newReplica(address string, options seedlist.Options) (*replica, error) {
	if scheme, _, _ := strings.Cut(address, "://"); scheme != "postgres" && scheme != "postgresql" {
		return nil, usage("--store-read: want postgres://USER@HOST:PORT/DATABASE, not %s", shownDatabase(address))
	}
	options.ReadOnly = true
	return &replica{address: address, options: options}, nil
}

// openReplica reads --store-read, which is about a list in a database.
func (o *serveOptions) openReplica(h *house) (*replica, error) {
	if _, ok := h.seeds.(*databaseList); !ok {
		return nil, usage("--store-read: the seed list of %s is a file, of which there is no replica: leave the flag out", h.dir)
	}
	return newReplica(o.listRead, o.store)
}

// open is the list; an error says that the replica is away.
func (r *replica) open(ctx context.Context) (*databaseList, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.list == nil && time.Since(r.triedAt) > openAgain {
		r.list, r.trouble = openDatabase(ctx, r.address, r.options)
		r.triedAt = time.Now()
	}
	if r.list == nil {
		return nil, r.away(r.trouble)
	}
	return r.list, nil
}

// away says of trouble that it is the replica's.
func (r *replica) away(err error) error {
	if err == nil || fault.KindOf(err) != fault.Local && err != seedlist.ErrNoStore {
		return err
	}
	return fault.New("replica", fault.Local, fault.LocalDatabase, "lists and counts are read from a replica (--store-read), and come "+
		"back with it; all else goes on: %w", err)
}

// ask asks the replica.
func (r *replica) ask(ctx context.Context, question func(list *databaseList) error) error {
	list, err := r.open(ctx)
	if err == nil {
		err = r.away(question(list))
	}
	return err
}

// close closes it; the tables of the lists are part of it.
func (r *replica) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.list == nil {
		return nil
	}
	return r.list.Close()
}

// replicated is a seed list whose lists and statistics come from a replica. One seed, what is written, and the
// feed of changes are the list's own.
type replicated struct {
	primary
	from *replica
}

type primary = seedlist.List

func (l *replicated) List(ctx context.Context, f seedlist.Filter) (seeds []seedlist.Seed, next string, err error) {
	err = l.from.ask(ctx, func(list *databaseList) error {
		seeds, next, err = list.List(ctx, f)
		return err
	})
	return seeds, next, err
}

func (l *replicated) Counts(ctx context.Context) (counts seedlist.Counts, err error) {
	err = l.from.ask(ctx, func(list *databaseList) error {
		counts, err = list.Counts(ctx)
		return err
	})
	return counts, err
}

func (l *replicated) Waits(ctx context.Context, limit int) (waits seedlist.Waits, err error) {
	err = l.from.ask(ctx, func(list *databaseList) error {
		waits, err = list.Waits(ctx, limit)
		return err
	})
	return waits, err
}

func (l *replicated) Washed(ctx context.Context, span seedlist.Span, from, to time.Time) (all []seedlist.Washed, err error) {
	err = l.from.ask(ctx, func(list *databaseList) error {
		all, err = list.Washed(ctx, span, from, to)
		return err
	})
	return all, err
}

func (l *replicated) Whole(ctx context.Context, numbers ...uint64) (all []seedlist.Seed, err error) {
	err = l.from.ask(ctx, func(list *databaseList) error {
		all, err = list.Whole(ctx, numbers...)
		return err
	})
	return all, err
}

// Listed is the last change that lists hold.
func (l *replicated) Listed(ctx context.Context) (revision uint64, err error) {
	err = l.from.ask(ctx, func(list *databaseList) error {
		revision, err = list.Revision(ctx)
		return err
	})
	return revision, err
}

// replicaTables are the tables of lists and counts in a replica.
type replicaTables struct{ *replica }

func (t replicaTables) View(ctx context.Context, look func(ordered.Tx) error) error {
	return t.ask(ctx, func(list *databaseList) error { return list.Tables(views.TableNames()).View(ctx, look) })
}

func (t replicaTables) Update(context.Context, func(ordered.Tx) error) error {
	return seedlist.ErrReadOnly
}

func (t replicaTables) Shared() bool { return true }

func (t replicaTables) Close() error { return nil }

// readReplica has the API read lists and counts from a replica.
func (h *house) readReplica(from *replica, trouble func(error)) {
	h.listed = &replicated{primary: h.seeds, from: from}
	h.looked = views.Look(replicaTables{from}, h.listed, trouble)
}

// shown is the seed list that the API serves.
func (h *house) shown() seedlist.List {
	if h.listed != nil {
		return h.listed
	}
	return h.seeds
}

// viewsShown are the lists and counts that the API serves.
func (h *house) viewsShown() *views.Views {
	if h.looked != nil {
		return h.looked
	}
	return h.views
}
