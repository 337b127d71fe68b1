package termfilter

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/rdf/quadpattern"
	"laundromat/seedlist"
)

// Options say how an index is kept.
type Options struct {
	// OnlyRead says that nothing is written. Filters that are not there are not made.
	OnlyRead bool
	// Log is told of trouble that is tried again. It may be nil.
	Log func(error)
}

// File is a clean file that is served.
type File struct {
	// Number is that of the first document that it is served of, in the list.
	Number uint64
	Clean  string // its hash
	// Bytes is how long its text is; -1 where that is not known.
	Bytes int64

	id id
}

// Index knows which clean files a list serves, and which terms they may hold. It must be closed.
type Index struct {
	list  seedlist.Feed
	blobs files.Opener
	opt   Options
	stop  context.CancelFunc
	ended chan struct{}

	advancing sync.Mutex // of who follows the list

	mu       sync.Mutex // all below
	store    *store
	begun    bool
	revision uint64
	serves   map[uint64]id // by the number of a document: its clean file
	cleans   map[uint64]id // by the number of a clean seed
	bytes    map[id]int64  // of clean seeds
	sorted   []File        // nil when it is to be made anew
}

// Open opens the index of a list in the file at path, or makes it. Where it may be written, filters that are missing
// are made until [Index.Close], whenever the list has been quiet for a while.
func Open(path string, list seedlist.Feed, blobs files.Opener, opt Options) (*Index, error) {
	store, err := openStore(path, opt.OnlyRead)
	if err != nil {
		return nil, fault.New("termfilter.Open", fault.Local, fault.LocalDisk, "the file of term filters could not be opened: %w", err)
	}
	if opt.Log == nil {
		opt.Log = func(error) {}
	}
	ctx, stop := context.WithCancel(context.Background())
	x := &Index{
		list: list, blobs: blobs, opt: opt, stop: stop, ended: make(chan struct{}), store: store,
		serves: map[uint64]id{}, cleans: map[uint64]id{}, bytes: map[id]int64{},
	}
	if opt.OnlyRead {
		close(x.ended)
	} else {
		go x.follow(ctx)
	}
	return x, nil
}

// Close ends the following and closes the file.
func (x *Index) Close() {
	x.stop()
	<-x.ended
	x.mu.Lock()
	defer x.mu.Unlock()
	x.store.close()
}

// Add adds the filter of a clean file that was written now. A nil Index does nothing.
func (x *Index) Add(clean string, b *Builder) {
	of, ok := idOf(clean)
	if x == nil || !ok {
		return
	}
	x.mu.Lock()
	err := x.store.add(of, b)
	x.mu.Unlock()
	if err != nil {
		x.opt.Log(err)
	}
}

func idOf(hash string) (of id, ok bool) {
	n, err := hex.Decode(of[:], []byte(hash))
	return of, err == nil && n == len(of) && len(hash) == 2*len(of)
}

// Files are the clean files that the list serves now, in the order of the first documents that they are of.
func (x *Index) Files(ctx context.Context) ([]File, error) {
	if err := x.advance(ctx); err != nil {
		return nil, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.sorted != nil {
		return x.sorted, nil
	}
	first := make(map[id]uint64, len(x.serves))
	for number, of := range x.serves {
		if was, isThere := first[of]; !isThere || number < was {
			first[of] = number
		}
	}
	x.sorted = make([]File, 0, len(first))
	for of, number := range first {
		f := File{Number: number, Clean: hex.EncodeToString(of[:]), Bytes: x.bytesOf(of), id: of}
		x.sorted = append(x.sorted, f)
	}
	slices.SortFunc(x.sorted, func(a, b File) int { return cmp.Compare(a.Number, b.Number) })
	return x.sorted, nil
}

// File is a clean file of a hash that a list may not serve, with a number of the caller's.
func (x *Index) File(number uint64, clean string) File {
	x.mu.Lock()
	defer x.mu.Unlock()
	of, _ := idOf(clean)
	return File{Number: number, Clean: clean, Bytes: x.bytesOf(of), id: of}
}

// bytesOf is how many bytes of text a clean file has; -1 if that is not known.
func (x *Index) bytesOf(of id) int64 {
	if n, isKnown := x.bytes[of]; isKnown {
		return n
	}
	if made, isMade := x.store.of[of]; isMade {
		return made.text
	}
	return -1
}

// Question asks for the files that may hold a pattern.
type Question struct {
	keys []key
}

// Ask makes the question of a pattern.
func Ask(p *quadpattern.Pattern) (q Question) {
	add := func(kind Kind, term []byte) {
		if term != nil {
			q.keys = append(q.keys, keyOf(kind, term))
		}
	}
	add(Subject, p.Subject)
	add(Predicate, p.Predicate)
	add(Graph, p.Graph)
	if bytes.Equal(p.Predicate, typeProperty) {
		add(Class, p.Object)
	}
	return q
}

// May says that a file may hold statements of the pattern. isKnown is false where there is no filter that says so.
func (x *Index) May(f *File, q Question) (may, isKnown bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	made, isThere := x.store.find(f.id)
	if !isThere {
		return true, false
	}
	if len(q.keys) == 0 {
		return true, true
	}
	switch x.store.ask(&made, q.keys) {
	case no:
		return false, true
	case maybe:
		return true, true
	}
	x.store.drop(f.id) // it is made again
	return true, false
}

const (
	// quiet is how long a list must have been at rest before filters are made.
	quiet = 5 * time.Second
	// longest is how long is waited for that.
	longest = 10 * time.Minute
	// again is the pause after trouble.
	again = 30 * time.Second
	// maxChanges and maxSeeds are how many are read at once.
	maxChanges, maxSeeds = 10_000, 1000
)

// follow makes the filters that are missing, until ctx ends.
func (x *Index) follow(ctx context.Context) {
	defer close(x.ended)
	seedlist.Follow(ctx, again, x.tend, x.opt.Log)
}

// tend waits for changes and then for quiet, and makes the filters that are missing.
func (x *Index) tend(ctx context.Context) error {
	x.mu.Lock()
	revision, begun := x.revision, x.begun
	x.mu.Unlock()
	if begun {
		if err := x.list.WaitChange(ctx, revision); err != nil {
			return err
		}
	}
	for begin := time.Now(); time.Since(begin) < longest && ctx.Err() == nil; {
		before, err := x.list.Revision(ctx)
		if err != nil {
			return err
		}
		seedlist.Rest(ctx, quiet)
		if now, err := x.list.Revision(ctx); err != nil || now == before {
			break
		}
	}
	all, err := x.Files(ctx)
	if err != nil {
		return err
	}
	if err := x.sweep(all); err != nil {
		return err
	}
	for i := range all {
		if _, isKnown := x.May(&all[i], Question{}); !isKnown {
			if err := x.build(ctx, &all[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// sweep forgets filters of files that are served no more, once they are many.
func (x *Index) sweep(all []File) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	live := make(map[id]bool, len(all))
	for i := range all {
		live[all[i].id] = true
	}
	var dead int64
	for of := range x.store.of {
		if made, _ := x.store.find(of); !live[of] {
			dead += made.size()
		}
	}
	if dead <= x.store.end/3 && !x.store.isWasteful() {
		return nil
	}
	for of := range x.store.of {
		if !live[of] {
			x.store.drop(of)
		}
	}
	if !x.store.isWasteful() {
		return nil
	}
	return x.store.rewrite()
}

// build makes the filter of a clean file. One that is gone or damaged gets none: whoever asks for its statements is
// told.
func (x *Index) build(ctx context.Context, f *File) error {
	b := &Builder{}
	err := files.EachRow(x.blobs, f.Clean, 1, longestLine, func(row files.Row) (bool, error) {
		if row.Cut {
			return false, errLong
		}
		b.Line(row.Text)
		return true, ctx.Err()
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errLong):
		return nil
	case err != nil:
		if fault.KindOf(err) == fault.Local {
			return err
		}
		return nil
	}
	x.Add(f.Clean, b)
	return nil
}

// longestLine is how many bytes of a line are read. A file with a longer one has no filter.
const longestLine = 64 << 20

var errLong = errors.New("a line is too long for a filter")

// advance reads what has changed in the list.
func (x *Index) advance(ctx context.Context) error {
	x.advancing.Lock()
	defer x.advancing.Unlock()
	for {
		x.mu.Lock()
		revision, begun := x.revision, x.begun
		x.mu.Unlock()
		if !begun {
			if err := x.begin(ctx); err != nil {
				return err
			}
			continue
		}
		changes, err := x.list.Changes(ctx, revision, maxChanges)
		var late *seedlist.LateError
		switch {
		case errors.As(err, &late):
			x.mu.Lock()
			x.begun = false
			x.mu.Unlock()
			continue
		case err != nil:
			return err
		case len(changes) == 0:
			return nil
		}
		for some := range slices.Chunk(seedlist.ChangedSeeds(changes), maxSeeds) {
			here, err := x.list.Numbered(ctx, some...)
			if err != nil {
				return err
			}
			x.take(some, here)
		}
		x.mu.Lock()
		x.revision = changes[len(changes)-1].Revision
		x.mu.Unlock()
	}
}

// begin reads the whole list.
func (x *Index) begin(ctx context.Context) error {
	revision, err := x.list.Revision(ctx)
	if err != nil {
		return err
	}
	x.mu.Lock()
	clear(x.serves)
	clear(x.cleans)
	clear(x.bytes)
	x.sorted = nil
	x.mu.Unlock()
	for after := uint64(0); ; {
		here, err := x.list.NumberedAfter(ctx, after, maxSeeds)
		if err != nil {
			return err
		}
		if len(here) == 0 {
			break
		}
		x.take(nil, here)
		after = here[len(here)-1].Number
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.revision, x.begun = revision, true
	return nil
}

// take takes seeds over; those of the numbers that aren't there are gone.
func (x *Index) take(numbers []uint64, here []seedlist.Numbered) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, number := range numbers {
		was, isClean := x.cleans[number]
		if isClean {
			delete(x.bytes, was)
			delete(x.cleans, number)
		}
	}
	served := make(map[uint64]id, len(here))
	for i := range here {
		seed := &here[i].Seed
		if seed.Status == seedlist.Cleaned {
			if of, ok := idOf(seed.Hash); ok && seed.Content != nil {
				x.cleans[here[i].Number], x.bytes[of] = of, seed.Content.NumberOfBytes
			}
			continue
		}
		if of, ok := idOf(seed.ServedClean()); ok {
			served[here[i].Number] = of
		}
	}
	for _, number := range numbers {
		if _, isServed := served[number]; !isServed {
			if _, was := x.serves[number]; was {
				delete(x.serves, number)
				x.sorted = nil
			}
		}
	}
	for number, of := range served {
		if was, isThere := x.serves[number]; !isThere || was != of {
			x.serves[number] = of
			x.sorted = nil
		}
	}
}
