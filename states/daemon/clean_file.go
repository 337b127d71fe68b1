package daemon

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/gzip"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/rdf/statistics"
	"laundromat/seedlist"
	"laundromat/seedlist/termfilter"
)

// writeClean sorts the lines into the clean file and its index.
func (w *parseWork) writeClean(ctx context.Context) (err error) {
	r, done := w.runner, &w.done
	clean, err := r.files.Create()
	if err != nil {
		return err
	}
	made := []files.Pending{clean}
	index := &indexFile{store: r.files}
	defer func() {
		if err != nil || done.next == "" { // also after a panic
			index.abort()
			abort(made)
		}
	}()
	writer := files.NewCleanWriter(clean, files.CleanOptions{Level: r.opt.Level, Workers: w.need.workers, Index: index})
	defer writer.Abort()
	counter := counters.Get().(*statistics.Counter)
	defer func() {
		counter.Reset()
		counters.Put(counter)
	}()
	counter.KeepLabels(r.opt.Labels)
	terms := w.terms()
	if terms != nil {
		defer func() {
			terms.Reset()
			builders.Put(terms)
		}()
	}
	written, told := 0, 0
	stats, err := w.sorter.WriteLines(ctx, w.keyOf,
		func(text []byte, ends, shared []int, release func()) error {
			if written += len(ends); written-told >= progressLines {
				told = written
				r.progress(ctx, w.claim, seedlist.Progress{Message: fmt.Sprintf("sorting: %d lines written", written)})
			}
			counter.Lines(text, ends, shared)
			if terms != nil {
				terms.Lines(text, ends, shared)
			}
			return writer.Lines(text, ends, shared, release)
		})
	if err != nil {
		return err
	}
	if err := writer.Close(); err != nil {
		return err
	}
	content := writer.Content()
	if err := r.collides(ctx, content); err != nil {
		return err
	}
	if err := clean.Seal(content.MD5, files.Clean); err != nil {
		return err
	}
	if files.Indexed(content.NumberOfBytes) {
		pending, err := index.seal(content.MD5)
		if err != nil {
			return err
		}
		made = append(made, pending)
		if pending, err = writeStatistics(r.files, counter, content.MD5); err != nil {
			return err
		}
		made = append(made, pending)
	} else if r.opt.Counted != nil {
		r.opt.Counted(content.MD5, counter.Terms())
	}
	r.opt.Terms.Add(content.MD5, terms)
	done.next = seedlist.Parsed
	done.files.made = made
	done.clean = &seedlist.Clean{Content: content}
	done.duplicates = stats.Duplicates
	return nil
}

// counters and builders are used again, since most documents are small.
var (
	counters = sync.Pool{New: func() any { return statistics.New() }}
	builders = sync.Pool{New: func() any { return &termfilter.Builder{} }}
)

// terms is what makes the filter of the clean file; nil where none is wanted.
func (w *parseWork) terms() *termfilter.Builder {
	if w.runner.opt.Terms == nil {
		return nil
	}
	return builders.Get().(*termfilter.Builder)
}

// writeStatistics makes the file of what the clean file of a hash says.
func writeStatistics(store files.Blobs, counter *statistics.Counter, hash string) (files.Pending, error) {
	file, err := store.Create()
	if err != nil {
		return nil, err
	}
	packed := gzip.NewWriter(file)
	if err = (statistics.JSON{}).Write(packed, counter.Statistics()); err == nil {
		err = packed.Close()
	}
	if err == nil {
		err = file.Seal(hash, files.Statistics)
	}
	if err != nil {
		file.Abort()
		return nil, err
	}
	return file, nil
}

// collides says whether a clean file has the MD5 of another seed and other bytes: it
// would take the other's place.
func (r *Runner) collides(ctx context.Context, made digest.Content) error {
	other, err := r.seeds.Seed(ctx, made.MD5)
	switch {
	case errors.Is(err, seedlist.ErrNotFound):
		return nil
	case err != nil:
		return err
	case other.Status == seedlist.Cleaned && other.Content != nil && other.Content.SHA256 == made.SHA256:
		return nil
	}
	return fault.New("states.parsing", fault.Data, fault.LimitCollision, "its N-Quads have the MD5 of another seed, %s, and are others",
		made.MD5)
}

// progressLines is how many lines, at least, are written between two signs of life.
const progressLines = 1 << 20
