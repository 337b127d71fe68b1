package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/states/daemon"
)

const (
	copiedRows  = 1000 // in one transaction
	copiedFiles = 64   // that get their names together
	// tellEvery is the pause between two lines of progress.
	tellEvery = 10 * time.Second
)

// teller says how far the work has come, now and then.
type teller struct {
	m    *migration
	last time.Time
}

func (t *teller) tell(format string, args ...any) {
	if now := time.Now(); now.Sub(t.last) >= tellEvery {
		if !t.last.IsZero() {
			t.m.note(format, args...)
		}
		t.last = now
	}
}

// eachPart calls each for the rows of a part, some at a time.
func eachPart(ctx context.Context, list seedlist.Copier, part seedlist.Part, at seedlist.Place, each func([]seedlist.Row) error) error {
	for {
		rows, err := list.Rows(ctx, part, at, copiedRows)
		if err != nil || len(rows) == 0 {
			return err
		}
		if err := each(rows); err != nil {
			return err
		}
		at = rows[len(rows)-1].Place
	}
}

// copyList copies the rows that are not copied yet.
func (m *migration) copyList(ctx context.Context) error {
	came, err := m.to.list.Came(ctx)
	if err != nil {
		return err
	}
	if came == nil {
		return errors.New("the mark of the copy is gone from the seed list in --to")
	}
	counts, err := m.from.list.Counts(ctx)
	if err != nil {
		return err
	}
	m.note("the seed list is copied, of %d seeds", counts.Seeds)
	parts := seedlist.Parts()
	for _, part := range parts[max(0, slices.Index(parts, came.Part)):] {
		var at seedlist.Place
		if part == came.Part {
			at = came.At
		}
		n, progress := int64(0), teller{m: m}
		err := eachPart(ctx, m.from.list, part, at, func(rows []seedlist.Row) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			n += int64(len(rows))
			progress.tell("%s: %d copied; the list has %d seeds", part, n, counts.Seeds)
			return m.to.list.PutRows(ctx, part, rows)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// refuseOtherFiles refuses a store with files that are none of this list.
func (m *migration) refuseOtherFiles(ctx context.Context) error {
	return m.to.files.Walk(ctx, func(key string, suffix files.Suffix, _ int64) error {
		named, err := daemon.IsNamed(ctx, m.from.list, key, suffix)
		if err == nil && !named {
			return exit(exitFailed, fmt.Errorf("--to: there are files of something else, as %s%s: name an empty place", key, suffix))
		}
		return err
	})
}

// copyFiles copies the files that records name.
func (m *migration) copyFiles(ctx context.Context) error {
	var batch []files.Pending
	defer func() {
		for _, p := range batch {
			p.Abort()
		}
	}()
	flush := func() error {
		some := batch
		batch = nil
		return m.to.files.Commit(ctx, some...)
	}
	progress := teller{m: m}
	m.note("the files are copied")
	m.did.Files, m.did.Bytes, m.did.Already, m.did.Unnamed = 0, 0, 0, 0
	err := m.from.files.Walk(ctx, func(key string, suffix files.Suffix, size int64) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		named, err := daemon.IsNamed(ctx, m.from.list, key, suffix)
		if err != nil {
			return err
		}
		if !named {
			m.did.Unnamed++
			return nil
		}
		m.did.Files++
		m.did.Bytes += size
		progress.tell("%d files, %d bytes", m.did.Files, m.did.Bytes)
		if there, err := m.to.files.Size(key, suffix); err == nil && there == size {
			m.did.Already++
			return nil
		}
		p, err := m.copyFile(key, suffix)
		if err != nil {
			return err
		}
		if batch = append(batch, p); len(batch) < copiedFiles {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	return flush()
}

// copyFile makes a sealed file of one of the other side.
func (m *migration) copyFile(key string, suffix files.Suffix) (files.Pending, error) {
	blob, err := m.from.files.Open(key, suffix)
	if err != nil {
		return nil, err
	}
	defer blob.Close()
	p, err := m.to.files.Create()
	if err != nil {
		return nil, err
	}
	if _, err = io.Copy(p, files.Sequential(blob)); err == nil {
		err = p.Seal(key, suffix)
	}
	if err != nil {
		p.Abort()
		return nil, err
	}
	return p, nil
}

// verify compares the lists row by row, and holds each side against its files.
func (m *migration) verify(ctx context.Context, name string) error {
	if m.movesList {
		for _, part := range seedlist.Parts() {
			if err := m.compare(ctx, part); err != nil {
				return err
			}
		}
		if err := m.compareCounts(ctx); err != nil {
			return err
		}
	}
	if again, err := m.name(ctx); err != nil || again != name {
		return errors.Join(err, exit(exitFailed, errors.New("the seed list in --from was changed meanwhile: empty --to, and begin again")))
	}
	to := side{list: m.from.list, files: m.from.files}
	if m.movesList {
		to.list = m.to.list
	}
	if m.movesAll {
		to.files = m.to.files
	}
	for _, s := range []struct {
		name string
		side
	}{{"--from", m.from}, {"--to", to}} {
		if s.files == nil {
			m.note("%s: no files are named, so that only the lists were compared", s.name)
			continue
		}
		m.note("%s: every file is read and held against the records", s.name)
		sums, err := daemon.Verify(ctx, s.list, s.files, func(d daemon.Damage) error {
			if !d.Stray {
				fmt.Fprintf(m.err, "%s: %s %s of %s: %s\n", s.name, d.Hash, d.File, d.Name, d.Problem)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if sums.Bad > 0 {
			return exit(exitFailed, fmt.Errorf("%s: %d damaged or missing: \"laundromat verify --repair\" there marks what is to be "+
				"made again", s.name, sums.Bad))
		}
	}
	return nil
}

// compare holds all rows of a part of both lists against each other.
func (m *migration) compare(ctx context.Context, part seedlist.Part) error {
	var at seedlist.Place
	if m.did.Rows == nil {
		m.did.Rows = map[seedlist.Part]int64{}
	}
	differ := func(row *seedlist.Row) error {
		return exit(exitFailed, fmt.Errorf("the copy differs in the %s, at %+v %s: empty --to, and begin again", part, row.Place, row.Hash))
	}
	err := eachPart(ctx, m.from.list, part, at, func(rows []seedlist.Row) error {
		others, err := m.to.list.Rows(ctx, part, at, copiedRows)
		if err != nil {
			return err
		}
		for i := range rows {
			if i >= len(others) || !isSameRow(&rows[i], &others[i]) {
				return differ(&rows[i])
			}
		}
		at = rows[len(rows)-1].Place
		m.did.Rows[part] += int64(len(rows))
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	more, err := m.to.list.Rows(ctx, part, at, 1)
	if err == nil && len(more) > 0 {
		return differ(&more[0])
	}
	return err
}

func isSameRow(a, b *seedlist.Row) bool {
	return a.Place == b.Place && a.Hash == b.Hash && bytes.Equal(a.Data, b.Data) && bytes.Equal(a.More, b.More) &&
		a.Flag == b.Flag && a.Moves == b.Moves && a.Sums == b.Sums
}

// compareCounts holds the counts of both lists against each other.
func (m *migration) compareCounts(ctx context.Context) error {
	a, err := m.from.list.Counts(ctx)
	if err != nil {
		return err
	}
	b, err := m.to.list.Counts(ctx)
	if err != nil {
		return err
	}
	isSame := a.Seeds == b.Seeds && a.Relative == b.Relative && a.Fragments == b.Fragments && a.Unchanged == b.Unchanged &&
		a.Bytes == b.Bytes &&
		a.Clean == b.Clean && a.Statements == b.Statements && maps.Equal(a.States, b.States) && maps.Equal(a.Formats, b.Formats) &&
		maps.Equal(a.Errors, b.Errors) && maps.Equal(a.Notices, b.Notices)
	if !isSame {
		return exit(exitFailed, fmt.Errorf("the counts of the copy differ: %+v in --from, %+v in --to", a, b))
	}
	return nil
}

// end makes of the copy a list like any other, and notes in a new folder where its list and files are.
func (m *migration) end(ctx context.Context) error {
	t := &m.to
	if m.movesList {
		if err := t.list.SetCopying(ctx, nil); err != nil {
			return err
		}
	}
	if err := t.close(); err != nil || t.dir == "" {
		return err
	}
	if m.movesAll && t.blobs != nil {
		if err := os.WriteFile(filepath.Join(t.dir, blobsFile), []byte(t.blobs.String()+"\n"), 0o600); err != nil {
			return err
		}
	}
	switch {
	case m.movesList && t.store != "":
		return os.WriteFile(filepath.Join(t.dir, listFile), []byte(shownDatabase(t.store)+"\n"), 0o600)
	case m.movesList:
		if err := os.Rename(filepath.Join(t.dir, copyFolder), filepath.Join(t.dir, storeFile)); err != nil {
			return err
		}
	}
	return files.Sync(t.dir)
}

// show tells what was copied, and what to do with it.
func (m *migration) show() error {
	if m.json {
		return encodeTo(m.out, m.did)
	}
	if m.movesList {
		fmt.Fprintf(m.out, "%d seeds, %d attempts, %d catalogs and the settings of %d hosts: equal on both sides\n",
			m.did.Rows[seedlist.PartSeeds],
			m.did.Rows[seedlist.PartAttempts], m.did.Rows[seedlist.PartCatalogs], m.did.Rows[seedlist.PartHosts])
	}
	if m.movesAll {
		fmt.Fprintf(m.out, "%d files, %d bytes: whole on both sides\n", m.did.Files, m.did.Bytes)
		if m.did.Unnamed > 0 {
			fmt.Fprintf(m.out, "%d files that no record names were left behind\n", m.did.Unnamed)
		}
	}
	return nil
}
