// Package migrate copies a data folder to stores that several processes share: its seed list into a database, its files
// into an object store, or both.
//
// [Copy] writes rows and files in small steps. After a kill or an outage, the same call continues where the last one
// ended. The source stays as it is. At the end both lists are compared, and each side is verified against its files.
package migrate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/states/daemon"
)

// Source is an open data folder that nothing else works on.
type Source struct {
	// Name identifies the folder when a copy is continued.
	Name  string
	List  seedlist.List
	Files files.Blobs
}

// Target is where the copies go. A nil List or Files stays where it is.
type Target struct {
	List  seedlist.RowTarget
	Files files.Blobs
}

// Copied counts the rows and files that both sides have in the end.
type Copied struct {
	Rows    map[seedlist.Part]int64 `json:"rows,omitempty"` // of the seed list, by its parts
	Files   int64                   `json:"files"`          // those that were there already included
	Bytes   int64                   `json:"number_of_bytes"`
	Already int64                   `json:"already"` // files that were there
	Unnamed int64                   `json:"unnamed"` // files that no record names, which stay behind
}

const (
	filesAtOnce = 64 // that get their names together
	// tellEvery is the pause between two lines of progress.
	tellEvery = 10 * time.Second
)

// migration is the work of Copy.
type migration struct {
	from Source
	rows seedlist.RowSource // the list of from, if it is copied
	to   Target
	say  func(format string, args ...any)
	did  Copied
}

// Copy copies what has a place in the target, and verifies the copy. It calls say with lines about its progress.
func Copy(ctx context.Context, from Source, to Target, say func(format string, args ...any)) (Copied, error) {
	m := migration{from: from, to: to, say: say}
	name, err := m.begin(ctx)
	if err == nil && to.List != nil {
		err = m.copyList(ctx)
	}
	if err == nil && to.Files != nil {
		err = m.copyFiles(ctx)
	}
	if err == nil {
		err = m.verify(ctx, name)
	}
	if err == nil && to.List != nil {
		err = to.List.SetCopying(ctx, nil)
	}
	return m.did, err
}

// name identifies the source as it is after its last change.
func (m *migration) name(ctx context.Context) (string, error) {
	revision, err := m.from.List.Revision(ctx)
	return fmt.Sprintf("%s at revision %d", m.from.Name, revision), err
}

// begin marks the target, or finds the mark of an earlier call. It refuses a target that holds something else.
func (m *migration) begin(ctx context.Context) (name string, err error) {
	if name, err = m.name(ctx); err != nil {
		return name, err
	}
	if m.to.List != nil {
		if err := m.beginList(ctx, name); err != nil {
			return name, err
		}
	}
	if m.to.Files == nil {
		return name, nil
	}
	return name, m.to.Files.Walk(ctx, func(key string, suffix files.Suffix, _ int64) error {
		named, err := daemon.IsNamed(ctx, m.from.List, key, suffix)
		if err == nil && !named {
			return fmt.Errorf("--to: there are files of something else, as %s%s: name an empty place", key, suffix)
		}
		return err
	})
}

func (m *migration) beginList(ctx context.Context, name string) error {
	rows, ok := m.from.List.(seedlist.RowSource)
	if !ok {
		return errors.New("--from: this kind of seed list can't be copied")
	}
	m.rows = rows
	came, err := m.to.List.Came(ctx)
	if err != nil {
		return err
	}
	counts, err := m.to.List.Counts(ctx)
	if err != nil {
		return err
	}
	switch {
	case came != nil && came.From != name:
		return fmt.Errorf("--to: it holds an unfinished copy of %s, and this is %s: empty it, or name another place", came.From, name)
	case came != nil:
		m.say("going on with a copy that has come to the %s", came.Part)
		return nil
	case counts.Seeds > 0:
		return fmt.Errorf("--to: the seed list there has %d seeds: name an empty database", counts.Seeds)
	}
	if catalogs, _, err := m.to.List.Catalogs(ctx, "", 1); err != nil {
		return err
	} else if len(catalogs) > 0 {
		return errors.New("--to: the seed list there has catalogs: name an empty database")
	}
	return m.to.List.SetCopying(ctx, &seedlist.Copying{From: name, Part: seedlist.PartSeeds})
}

// teller says now and then how far the work has come.
type teller struct {
	say  func(format string, args ...any)
	last time.Time
}

func (t *teller) tell(format string, args ...any) {
	if now := time.Now(); now.Sub(t.last) >= tellEvery {
		if !t.last.IsZero() {
			t.say(format, args...)
		}
		t.last = now
	}
}

// copyList copies the rows that are not copied yet.
func (m *migration) copyList(ctx context.Context) error {
	came, err := m.to.List.Came(ctx)
	if err != nil {
		return err
	}
	if came == nil {
		return errors.New("the mark of the copy is gone from the seed list in --to")
	}
	counts, err := m.rows.Counts(ctx)
	if err != nil {
		return err
	}
	m.say("the seed list is copied, of %d seeds", counts.Seeds)
	parts := seedlist.Parts()
	for _, part := range parts[max(0, slices.Index(parts, came.Part)):] {
		var at seedlist.Place
		if part == came.Part {
			at = came.At
		}
		n, progress := int64(0), teller{say: m.say}
		err := seedlist.EachRows(ctx, m.rows, part, at, func(rows []seedlist.Row) error {
			n += int64(len(rows))
			progress.tell("%s: %d copied; the list has %d seeds", part, n, counts.Seeds)
			return m.to.List.PutRows(ctx, part, rows)
		})
		if err != nil {
			return err
		}
	}
	return nil
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
		err := m.to.Files.Commit(ctx, some...)
		for _, p := range some {
			p.Abort() // what was not committed
		}
		return err
	}
	progress := teller{say: m.say}
	m.say("the files are copied")
	err := m.from.Files.Walk(ctx, func(key string, suffix files.Suffix, size int64) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		named, err := daemon.IsNamed(ctx, m.from.List, key, suffix)
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
		if there, err := m.to.Files.Size(key, suffix); err == nil && there == size {
			m.did.Already++
			return nil
		}
		p, err := m.copyFile(key, suffix)
		if err != nil {
			return err
		}
		if batch = append(batch, p); len(batch) < filesAtOnce {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	return flush()
}

// copyFile makes a sealed file in the target.
func (m *migration) copyFile(key string, suffix files.Suffix) (files.Pending, error) {
	blob, err := m.from.Files.Open(key, suffix)
	if err != nil {
		return nil, err
	}
	defer blob.Close()
	p, err := m.to.Files.Create()
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

// verify compares the lists, and verifies each side against its files.
func (m *migration) verify(ctx context.Context, name string) error {
	to := Source{List: m.from.List, Files: m.from.Files}
	if m.to.List != nil {
		to.List = m.to.List
		if err := m.compare(ctx); err != nil {
			return err
		}
	}
	if m.to.Files != nil {
		to.Files = m.to.Files
	}
	if again, err := m.name(ctx); err != nil || again != name {
		return errors.Join(err, errors.New("the seed list in --from was changed meanwhile: empty --to, and begin again"))
	}
	for _, side := range []struct {
		name string
		Source
	}{{"--from", m.from}, {"--to", to}} {
		m.say("%s: every file is read and held against the records", side.name)
		sums, err := daemon.Verify(ctx, side.List, side.Files, func(d daemon.Damage) error {
			if !d.Stray {
				m.say("%s: %s %s of %s: %s", side.name, d.Hash, d.File, d.Name, d.Problem)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if sums.Bad > 0 {
			return fmt.Errorf("%s: %d damaged or missing: \"laundromat verify --repair\" there marks what is to be made again",
				side.name, sums.Bad)
		}
	}
	return nil
}

// compare compares all rows of both lists, and their counts.
func (m *migration) compare(ctx context.Context) error {
	m.did.Rows = map[seedlist.Part]int64{}
	for _, part := range seedlist.Parts() {
		if err := m.comparePart(ctx, part); err != nil {
			return err
		}
	}
	return m.compareCounts(ctx)
}

func (m *migration) comparePart(ctx context.Context, part seedlist.Part) error {
	var at seedlist.Place
	differ := func(row *seedlist.Row) error {
		return fmt.Errorf("the copy differs in the %s, at %+v %s: empty --to, and begin again", part, row.Place, row.Hash)
	}
	err := seedlist.EachRows(ctx, m.rows, part, at, func(rows []seedlist.Row) error {
		others, err := m.to.List.Rows(ctx, part, at, seedlist.RowsAtOnce)
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
		return nil
	})
	if err != nil {
		return err
	}
	more, err := m.to.List.Rows(ctx, part, at, 1)
	if err == nil && len(more) > 0 {
		return differ(&more[0])
	}
	return err
}

func isSameRow(a, b *seedlist.Row) bool {
	return a.Place == b.Place && a.Hash == b.Hash && bytes.Equal(a.Data, b.Data) && bytes.Equal(a.More, b.More) &&
		a.Flag == b.Flag && a.Moves == b.Moves && a.Sums == b.Sums
}

// compareCounts compares the counts that both lists keep.
func (m *migration) compareCounts(ctx context.Context) error {
	a, err := m.rows.Counts(ctx)
	if err != nil {
		return err
	}
	b, err := m.to.List.Counts(ctx)
	if err != nil {
		return err
	}
	isSame := a.Seeds == b.Seeds && a.Relative == b.Relative && a.Fragments == b.Fragments && a.Unchanged == b.Unchanged &&
		a.Bytes == b.Bytes && a.Clean == b.Clean && a.Statements == b.Statements &&
		maps.Equal(a.States, b.States) && maps.Equal(a.Formats, b.Formats) &&
		maps.Equal(a.Errors, b.Errors) && maps.Equal(a.Notices, b.Notices)
	if !isSame {
		return fmt.Errorf("the counts of the copy differ: %+v in --from, %+v in --to", a, b)
	}
	return nil
}
