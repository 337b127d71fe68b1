package daemon

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/internal/inflate"
	"laundromat/rdf/diff"
	"laundromat/seedlist"
)

// changes are the files of what a wash changed.
type changes struct {
	files files.Blobs
	level int
	to    [3]changeFile // removed, added, renamed
	line  []byte
}

type changeFile struct {
	suffix files.Suffix
	file   files.Pending
	lines  *files.CleanWriter
}

func (c *changes) create() error {
	for i, suffix := range changeSuffixes {
		file, err := c.files.Create()
		if err != nil {
			return err
		}
		c.to[i] = changeFile{suffix, file, files.NewCleanWriter(file, files.CleanOptions{Level: c.level, Workers: 1})}
	}
	return nil
}

// changeSuffixes are those of the files that say what a wash changed.
var changeSuffixes = [3]files.Suffix{files.Removed, files.Added, files.Renamed}

func (c *changes) abort() {
	for _, to := range c.to {
		if to.file != nil {
			to.lines.Abort()
			to.file.Abort()
		}
	}
}

// seal completes the files, which are named for the dirty seed.
func (c *changes) seal(key string) (sealed []files.Pending, found [3]seedlist.ChangeFile, err error) {
	for i, to := range c.to {
		if err := to.lines.Close(); err != nil {
			return nil, found, err
		}
		if err := to.file.Seal(key, to.suffix); err != nil {
			return nil, found, err
		}
		made := to.lines.Content()
		found[i] = seedlist.ChangeFile{Count: *made.NumberOfLines, MD5: made.MD5, SHA256: made.SHA256, NumberOfBytes: made.NumberOfBytes}
		sealed = append(sealed, to.file)
	}
	return sealed, found, nil
}

// changed finds what a wash changed of what the one before had written. It adds that to the
// outcome: the files, and what the record says of them. A clean file of before that can't be read
// is no reason to fail; an error is of this machine.
func (r *Runner) changed(ctx context.Context, claim *seedlist.Claim, done *parseOutcome, drawn *drawn) (err error) {
	before := cmp.Or(claim.Seed.Clean, claim.Seed.Previous) // the first, if a stage is done again
	if before == "" {
		return nil
	}
	if washedBefore(&claim.Seed.Record, done.clean.Content.MD5) {
		kept, err := r.keepChanges(ctx, *claim, done)
		if kept || err != nil {
			return err
		}
		before = claim.Seed.Changes.From
	}
	made := done.files.made[0]
	done.changes = &seedlist.Changes{From: before, To: done.clean.Content.MD5}
	c := &changes{files: r.files, level: r.opt.Level}
	defer func() {
		if err != nil || done.changes.Error != "" {
			c.abort()
		}
	}()
	if err := c.create(); err != nil {
		return err
	}
	var compared diff.Result
	if before != done.changes.To {
		var memory int64
		if memory, err = r.needOfMatching(ctx, before, done); err != nil {
			return err
		}
		if err = drawn.draw(ctx, needFixed+memory); err != nil {
			return err
		}
		compared, err = diff.Compare(ctx, r.cleanLines(before), func() (io.ReadCloser, error) {
			file, err := made.Open()
			return unpackedLines(file, err)
		}, diff.Output{
			Removed: c.to[0].lines.Line, Added: c.to[1].lines.Line,
			Renamed: func(before, after []byte) error {
				c.line = files.AppendRenamed(c.line[:0], before, after)
				return c.to[2].lines.Line(c.line)
			},
		}, diff.Options{Memory: memory, Progress: func(lines int64) {
			r.progress(ctx, *claim, seedlist.Progress{Message: fmt.Sprintf("comparing: %d lines", lines)})
		}})
	}
	switch kind := fault.KindOf(err); {
	case err == nil:
	case ctx.Err() != nil, kind == fault.Local, kind == fault.Stopped:
		return err
	default:
		r.log.Warn().Err(err).Str("seed", claim.Seed.Hash).Str("clean", before).Msg("what changed could not be found")
		done.changes.Error = err.Error()
		if errors.Is(err, fs.ErrNotExist) {
			done.changes.Error = "the clean file of before is not there"
		}
		for _, suffix := range changeSuffixes {
			done.files.discard = append(done.files.discard, r.old(&claim.Seed, suffix))
		}
		return nil
	}
	sealed, found, err := c.seal(r.changeKey(claim))
	if err != nil {
		return err
	}
	done.files.made = append(done.files.made, sealed...)
	done.changes.Removed, done.changes.Added, done.changes.Renamed = found[0], found[1], found[2]
	done.changes.UnmatchedBefore, done.changes.UnmatchedAfter = compared.Gone, compared.New
	done.changes.ByName = compared.ByName
	return nil
}

// drawn is what the work on a claim has drawn from the budget.
type drawn struct {
	runner *Runner
	claim  *seedlist.Claim
	bytes  int64
}

// draw draws n bytes in place of what was drawn before. That is given back first: who
// waits for memory holds none.
func (d *drawn) draw(ctx context.Context, n int64) error {
	d.release()
	err := d.runner.draw(ctx, *d.claim, n)
	if err == nil {
		d.bytes = n
	}
	return err
}

func (d *drawn) release() {
	d.runner.budget.Release(d.bytes)
	d.bytes = 0
}

// matchingSpread is how many bytes of memory matching takes for a byte of clean lines that
// are all about blank nodes, or less.
const matchingSpread = 3

// needOfMatching is what comparing with a clean file of before may use, in bytes. It is enough to
// match all nodes, within half of the budget.
func (r *Runner) needOfMatching(ctx context.Context, before string, done *parseOutcome) (int64, error) {
	text := done.clean.Content.NumberOfBytes
	switch seed, err := r.seeds.Seed(ctx, before); {
	case err == nil && seed.Content != nil:
		text += seed.Content.NumberOfBytes
	case err != nil && !errors.Is(err, seedlist.ErrNotFound):
		return 0, err
	}
	return min(max(text*matchingSpread, needSort), r.opt.Memory/2-needFixed), nil
}

// cleanLines opens the lines of a clean file.
func (r *Runner) cleanLines(hash string) diff.Source {
	return func() (io.ReadCloser, error) {
		file, err := r.files.Open(hash, files.Clean)
		return unpackedLines(file, err)
	}
}

func unpackedLines(file files.Blob, err error) (io.ReadCloser, error) {
	if err != nil {
		return nil, err
	}
	lines, err := inflate.NewMembers(bufio.NewReaderSize(files.Sequential(file), 64<<10))
	if err != nil {
		file.Close()
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{lines, file}, nil
}

// countChanges adds what the wash changed to the counts of its attempt.
func (p *parseOutcome) countChanges() {
	c, counts := p.changes, p.log.Counts
	if c == nil || c.Error != "" || p.changesKept {
		return
	}
	counts["removed"], counts["added"], counts["renamed"] = c.Removed.Count, c.Added.Count, c.Renamed.Count
	counts["unmatched"] = c.UnmatchedBefore + c.UnmatchedAfter
}
