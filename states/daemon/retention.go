package daemon

import (
	"context"
	"fmt"
	"time"

	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// retentionList is what [Retain] asks of a seed list.
type retentionList interface {
	seedlist.Retainer
	List(ctx context.Context, f seedlist.Filter) (seeds []seedlist.Seed, next string, err error)
}

// Unkept is a file that is not kept any more. Attempts have none.
type Unkept struct {
	Name  string // of the file, without folders
	Bytes int64  // before compression; -1 where that is not known
	Why   string
}

// Retaining removes what a retention does not keep: first from the records, then the files. Clean files of older
// versions go with the sweep.
type Retaining struct {
	Seeds retentionList
	Files files.Blobs
	Kept  seedlist.Retention
	// Beside is the work that goes on meanwhile; nil where there is none.
	Beside *Runner
	DryRun bool
	// Found is called for each file. Its error ends the work.
	Found func(Unkept) error

	sums  seedlist.Trimmed
	batch []string
}

// retainBatch is how many records are trimmed while no file may take its name.
const retainBatch = 100

// Run does it, and says how much that was.
func (r *Retaining) Run(ctx context.Context) (seedlist.Trimmed, error) {
	err := r.run(ctx)
	return r.sums, err
}

func (r *Retaining) run(ctx context.Context) error {
	if r.Kept.Dirty.Bytes > 0 {
		var ages seedlist.DirtyAges
		if err := r.each(ctx, func(s *seedlist.Seed) error { ages.Add(s); return nil }); err != nil {
			return err
		}
		r.Kept.Dirty.Before = ages.Before(r.Kept.Dirty.Bytes)
	}
	err := r.each(ctx, func(s *seedlist.Seed) error {
		is := *s
		// The clock of the list decides; that of this machine is near to it.
		if r.Kept.Trim(&is, time.Now().Add(clockDoubt)) == (seedlist.Trimmed{}) {
			return nil
		}
		if r.batch = append(r.batch, s.Hash); len(r.batch) < retainBatch {
			return nil
		}
		return r.flush(ctx)
	})
	if err == nil {
		err = r.flush(ctx)
	}
	if err == nil && r.Kept.Attempts > 0 {
		err = r.attempts(ctx)
	}
	return err
}

// clockDoubt is how far the clock of a list may be ahead.
const clockDoubt = 24 * time.Hour

// each looks at all seeds.
func (r *Retaining) each(ctx context.Context, do func(*seedlist.Seed) error) error {
	for cursor := ""; ; {
		page, next, err := r.Seeds.List(ctx, seedlist.Filter{Cursor: cursor, Limit: 1000})
		if err != nil {
			return err
		}
		for i := range page {
			if err := do(&page[i]); err != nil {
				return err
			}
		}
		if cursor = next; next == "" {
			return nil
		}
	}
}

// flush removes what is not kept of the seeds of the batch. A record says so before its files go: a kill in between
// leaves files without a record.
func (r *Retaining) flush(ctx context.Context) error {
	batch := r.batch
	r.batch = r.batch[:0]
	if len(batch) == 0 {
		return nil
	}
	if r.Beside != nil { // nothing may get the name of a file that is about to go
		r.Beside.naming.Lock()
		defer r.Beside.naming.Unlock()
	}
	all, err := r.Seeds.Retain(ctx, r.Kept, r.DryRun, batch...)
	for i := range all {
		r.sums.Add(all[i].Trimmed)
		if err := r.remove(&all[i]); err != nil {
			return err
		}
	}
	return err
}

// remove removes the files that a record no longer names.
func (r *Retaining) remove(of *seedlist.Retained) error {
	for n := range seedfile.All(&of.Before) {
		if seedfile.IsNamed(&of.After, n.Key, n.Suffix) {
			continue
		}
		isClean := n.Suffix == files.Clean // others may name it; it goes with its seed
		if !r.DryRun && !isClean {
			if err := r.Files.Remove(n.Key, n.Suffix); err != nil {
				return err
			}
		}
		if err := r.Found(Unkept{Name: n.Key + string(n.Suffix), Bytes: n.Bytes, Why: r.why(&of.After, &n)}); err != nil {
			return err
		}
	}
	return nil
}

// why says which setting a file is removed by.
func (r *Retaining) why(seed *seedlist.Seed, n *seedfile.Named) string {
	of := seed.Hash
	if seed.URI != "" {
		of = seedlist.Shown(seed.URI)
	}
	switch {
	case n.Suffix == files.Dirty || n.Suffix == files.DirtyGzip:
		return fmt.Sprintf("--keep-dirty %s: bytes of %s", &r.Kept.Dirty, of)
	case n.Suffix == files.Notices:
		return fmt.Sprintf("--keep-notices %s: notices of %s", r.Kept.Notices, of)
	}
	return fmt.Sprintf("version %d of %s is not kept", n.Version, of)
}

// attempts removes old entries of the log.
func (r *Retaining) attempts(ctx context.Context) error {
	for after := uint64(0); ; {
		n, next, err := r.Seeds.RetainAttempts(ctx, r.Kept.Attempts, r.DryRun, after)
		if err != nil {
			return err
		}
		r.sums.Attempts += n
		if after = next; next == 0 {
			return nil
		}
	}
}

// The pauses of retaining: before the first pass, between two at least, and how many times as long as a pass lasted.
const (
	firstRetaining = time.Minute
	retainEvery    = time.Hour
	retainPart     = 20
)

// retain removes what is not kept, again and again. That costs a twentieth of the time at most.
func retain(ctx context.Context, r *Runner) {
	for pause := firstRetaining; ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		pause = retainEvery
		kept := r.opt.Keep.Load()
		if kept == nil || kept.IsAll() {
			continue
		}
		began := time.Now()
		pass := Retaining{Seeds: r.seeds, Files: r.files, Kept: *kept, Beside: r, Found: func(f Unkept) error {
			r.log.Debug().Str("file", f.Name).Msg("removed: " + f.Why)
			return nil
		}}
		sums, err := pass.Run(ctx)
		if sums != (seedlist.Trimmed{}) {
			r.log.Info().Int64("dirty", sums.Dirty).Int64("dirty_bytes", sums.DirtyBytes).Int64("notices", sums.Notices).
				Int64("versions", sums.Versions).Int64("attempts", sums.Attempts).Msg("removed what is not kept")
		}
		if err != nil && ctx.Err() == nil {
			r.log.Error().Err(err).Msg("what is not kept could not be removed")
		}
		pause = max(pause, retainPart*time.Since(began))
	}
}
