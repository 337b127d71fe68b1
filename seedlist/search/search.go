// Package search finds the documents of a seed list by words: of their titles and of what catalogs claim, of the
// labels,
// classes and properties of their clean statements, of the titles of their articles and the columns of their
// tables.
//
// The words are kept in a file beside the list, which follows the list's changes, and may be deleted: it is made
// again
// from the list and its files. [Search.AsOf] says how far it has come.
package search

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/rdf/statistics"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// Options say what is searched.
type Options struct {
	// Labels say which are found; their number is at most [MostLabels].
	Labels statistics.LabelOptions
	// AsMade takes the labels that the index was made with, if there is one, in place of Labels.
	AsMade bool
	// Counts hold what clean files say that were written lately, with the labels that Labels says; nil: nothing does.
	Counts *seedfile.Counts
	// Log is told of trouble that is tried again.
	Log func(error)
}

// MostLabels is the most labels of a document that are found: an entry of a document has a number of 12 bits, and
// other entries have their room.
const MostLabels = mostEntries - mostOthers

// Reached says how far the index has come.
type Reached struct {
	Revision uint64    `json:"revision"` // of the last change of the list that it holds
	Time     time.Time `json:"time,omitzero"`
	// Building says that it is being made, and does not hold all documents yet.
	Building bool `json:"building,omitempty"`
}

// Sums are what the index holds.
type Sums struct {
	Documents int64 `json:"documents"`
	Entries   int64 `json:"entries"` // titles, labels and the like
	Left      int64 `json:"left"`    // labels that were more than are kept of a document
}

// standing is what the index says of itself.
type standing struct {
	Layout   string
	Revision uint64
	Time     time.Time
	Building bool
	After    uint64 // the last seed that it holds, while it is being made
	// Labels are those that it was made with.
	Labels statistics.LabelOptions
	// Writes counts the transactions. Batch is the number of the last batch of documents, and InBatch how many it
	// has. They are the index's own, and no part of how far it is.
	Writes, Batch, InBatch int64
}

func (is standing) equals(other standing) bool {
	return is.Layout == other.Layout && is.Revision == other.Revision && is.Time.Equal(other.Time) &&
		is.Building == other.Building && is.After == other.After && is.hasLabels(other.Labels)
}

func (is standing) hasLabels(of statistics.LabelOptions) bool {
	return is.Labels.Most == of.Most && slices.Equal(is.Labels.Properties, of.Properties)
}

func (is standing) asOf() Reached {
	return Reached{Revision: is.Revision, Time: is.Time, Building: is.Building || is.Layout != layout}
}

// store is the file of an index.
type store interface {
	standing(ctx context.Context) (standing, error)
	clear(ctx context.Context, known, next standing) (done bool, err error)
	write(ctx context.Context, known, next standing, documents []document) (done bool, err error)
	marks(ctx context.Context, numbers []int64) (map[int64]string, error)
	rows(ctx context.Context, match string, most int) ([]int64, error)
	entries(ctx context.Context, document int64, from, to int) ([]entry, error)
	hash(ctx context.Context, document int64) (string, error)
	sums(ctx context.Context) (Sums, error)
	tidy(ctx context.Context) error
	compact(ctx context.Context) error
	isGone() bool
	close()
}

// Search is an open index. It must be closed.
type Search struct {
	path  string
	index store // of follow alone: the one that is written
	list  seedlist.Feed
	files files.Opener
	opt   Options

	gate    chan struct{} // searches at a time
	stop    context.CancelFunc
	stopped chan struct{}

	mu      sync.Mutex
	answers *answering    // with the index that is read
	asOf    Reached       // how far that has come
	moved   chan struct{} // closed, and replaced, when asOf changes
}

// answering is an index that searches read. It is closed once they have ended.
type answering struct {
	store
	searches sync.WaitGroup
}

// Open opens the index of a list in the file at path, or makes it, and follows the list until [Search.Close].
func Open(path string, list seedlist.Feed, store files.Opener, opt Options) (*Search, error) {
	index, err := openIndex(path)
	if err != nil {
		return nil, fault.New("search.Open", fault.Local, fault.LocalDisk, "the search index could not be opened: %w", err)
	}
	if opt.Log == nil {
		opt.Log = func(error) {}
	}
	opt.Labels.Properties = slices.Compact(slices.Sorted(slices.Values(opt.Labels.Properties)))
	if opt.AsMade {
		known, err := index.standing(context.Background())
		if err != nil {
			index.close()
			return nil, err
		}
		if known.Layout == layout {
			opt.Labels = known.Labels
		}
	}
	opt.Labels.Most = min(opt.Labels.Most, MostLabels)
	ctx, stop := context.WithCancel(context.Background())
	s := &Search{
		path: path, index: index, list: list, files: store, opt: opt,
		gate: make(chan struct{}, max(2, runtime.GOMAXPROCS(0))),
		stop: stop, stopped: make(chan struct{}), answers: &answering{store: index}, moved: make(chan struct{}),
	}
	s.asOf.Building = true
	go s.follow(ctx)
	return s, nil
}

// Close ends the following and closes the file.
func (s *Search) Close() {
	s.stop()
	<-s.stopped
	if s.answers.store != s.index {
		s.index.close()
	}
	s.answers.close()
}

// read is the index that answers, which stays open until done is called, and how far it has come.
func (s *Search) read() (index store, asOf Reached, done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers.searches.Add(1)
	return s.answers.store, s.asOf, s.answers.searches.Done
}

// Reached says how far the index has come.
func (s *Search) AsOf() Reached {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asOf
}

// setAsOf says how far the index that is written has come. If another answers, since its file is gone, that is
// replaced as soon as the new one holds all.
func (s *Search) setAsOf(asOf Reached) {
	s.mu.Lock()
	before := s.answers
	isOther := before.store != s.index
	if isOther && asOf.Building || asOf == s.asOf && !isOther {
		s.mu.Unlock()
		return
	}
	if isOther {
		s.answers = &answering{store: s.index}
	}
	s.asOf = asOf
	close(s.moved)
	s.moved = make(chan struct{})
	s.mu.Unlock()
	if isOther {
		before.searches.Wait()
		before.close()
	}
}

// Wait waits until the index holds all that the list has now.
func (s *Search) Wait(ctx context.Context) error {
	revision, err := s.list.Revision(ctx)
	if err != nil {
		return err
	}
	for {
		s.mu.Lock()
		asOf, moved := s.asOf, s.moved
		s.mu.Unlock()
		if !asOf.Building && asOf.Revision >= revision {
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Sums counts what the index holds.
func (s *Search) Sums(ctx context.Context) (Sums, error) {
	index, _, done := s.read()
	defer done()
	return index.sums(context.WithoutCancel(ctx))
}
