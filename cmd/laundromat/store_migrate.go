package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/web/socket"
)

// copyFolder is where a seed list in a folder lies until it is whole.
const copyFolder = storeFile + ".copying"

// copiedList is a seed list that can be copied.
type copiedList interface {
	seedlist.List
	seedlist.Copier
}

// side is one side of a migration: where the seed list is, where the files are, and both of them open.
type side struct {
	dir   string // a data folder; "" for none
	store string // the address of a database; "" if the list is in the folder
	blobs *bucketAddress

	list  copiedList
	files blobStore
}

// migration is a run of the verb.
type migration struct {
	*ui
	from, to            side
	movesList, movesAll bool // movesAll says that the files move
	did                 migrated
}

// migrated is what it did, as JSON.
type migrated struct {
	Rows    map[seedlist.Part]int64 `json:"rows,omitempty"` // of the seed list, by its parts
	Files   int64                   `json:"files"`          // those that were there already included
	Bytes   int64                   `json:"number_of_bytes"`
	Already int64                   `json:"already"` // files that were there
	Unnamed int64                   `json:"unnamed"` // files that no record names, which stay behind
}

func migrateCommand(u *ui) *cobra.Command {
	m := migration{ui: u}
	var from, to []string
	c := &cobra.Command{
		Use:   "migrate --from PLACE… --to PLACE…",
		Short: "Copy the seed list and the files to other places: folder, PostgreSQL, bucket",
		Long: "Migrate copies a seed list, its files, or both. A PLACE is a data folder, an address of a database as for\n" +
			"serve --store, or one of a bucket as for serve --blobs. A folder stands for what is in it, and for what it notes\n" +
			"to be elsewhere. What has no place in --to stays where it is.\n\n" +
			"The list keeps its order, states, attempts, settings of hosts and catalogs. Files that no record names stay\n" +
			"behind. At the end each row is compared, and both sides are held against their files as by \"laundromat verify\".\n" +
			"What is in --from stays as it is. No daemon may work on either side. Run again, it goes on where it was\n" +
			"ended. A place in --to that holds something else is refused.",
		Example: "  laundromat store migrate --from data --to 'postgres://laundry@db/laundromat' --to 's3://laundry?endpoint=https://HOST'",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if m.from, err = sideOf("--from", from); err != nil {
				return err
			}
			if m.to, err = sideOf("--to", to); err != nil {
				return err
			}
			return m.run(c.Context())
		},
	}
	c.Flags().StringArrayVar(&from, "from", nil, "where it is: a data folder, postgres://…, s3://… (again for the other of list and files)")
	c.Flags().StringArrayVar(&to, "to", nil, "where it is to be: a new folder, postgres://…, s3://… (again for the other)")
	return c
}

// sideOf reads the places of one side.
func sideOf(flag string, places []string) (s side, err error) {
	if len(places) == 0 {
		return s, usage("store migrate wants %s: a data folder, postgres://… or s3://…", flag)
	}
	for _, place := range places {
		scheme, _, isAddress := strings.Cut(place, "://")
		isTwice := false
		switch {
		case !isAddress && place == "":
			return s, usage("%s: an empty place", flag)
		case !isAddress:
			isTwice, s.dir = s.dir != "", place
		case scheme == "postgres" || scheme == "postgresql":
			isTwice, s.store = s.store != "", place
		case scheme == "s3":
			at, err := parseBucketAddress(place)
			if err != nil {
				return s, usage("%s: %w", flag, err)
			}
			isTwice, s.blobs = s.blobs != nil, &at
		default:
			return s, usage("%s: %s:// is no place that is known: want a data folder, postgres://USER@HOST:PORT/DATABASE or "+
				"s3://BUCKET/PREFIX?endpoint=URL", flag, scheme)
		}
		if isTwice {
			return s, usage("%s: two places of one kind: %s", flag, shownDatabase(place))
		}
	}
	return s, nil
}

func (m *migration) run(ctx context.Context) (err error) {
	if err := m.decide(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.from.close(), m.to.close()) }()
	if err := m.openFrom(ctx); err != nil {
		return err
	}
	if err := m.openTo(ctx); err != nil {
		return err
	}
	from, err := m.begin(ctx)
	if err != nil {
		return err
	}
	if m.movesList {
		if err := m.copyList(ctx); err != nil {
			return m.goesOn(err)
		}
	}
	if m.movesAll {
		if err := m.copyFiles(ctx); err != nil {
			return m.goesOn(err)
		}
	}
	if err := m.verify(ctx, from); err != nil {
		return m.goesOn(err)
	}
	if err := m.end(ctx); err != nil {
		return err
	}
	return m.show()
}

// goesOn says after trouble of this machine that the same call goes on.
func (m *migration) goesOn(err error) error {
	if fault.KindOf(err) == fault.Local || errors.Is(err, context.Canceled) {
		m.note("what was copied stays: the same call goes on from there")
	}
	return err
}

// decide says what is to be copied, and refuses what can't be.
func (m *migration) decide() error {
	f, t := &m.from, &m.to
	if f.dir != "" {
		if info, err := os.Stat(f.dir); err != nil || !info.IsDir() {
			return usage("--from: %s is no data folder", f.dir)
		}
		if err := f.resolve(); err != nil {
			return err
		}
	}
	hasList := f.store != "" || f.dir != ""
	m.movesList = hasList && (t.store != "" || t.dir != "")
	m.movesAll = (f.blobs != nil || f.dir != "") && (t.blobs != nil || t.dir != "")
	switch {
	case !hasList:
		return usage("--from: no seed list is named, which says what the files are: add the data folder, or postgres://…")
	case !m.movesList && !m.movesAll:
		return usage("--to: there is nothing in --from for that place")
	case m.movesAll && t.dir == "" && f.dir == "":
		return usage("--to: a bucket is filled through a folder of this machine: name a data folder in --from or --to, too")
	case t.dir != "" && f.dir != "" && isSamePlace(f.dir, t.dir):
		return usage("--to: %s is where it is", t.dir)
	case t.store != "" && shownDatabase(t.store) == shownDatabase(f.store):
		return usage("--to: %s is where the seed list is", shownDatabase(t.store))
	case t.blobs != nil && f.blobs != nil && *t.blobs == *f.blobs:
		return usage("--to: %s is where the files are", t.blobs)
	}
	return nil
}

// resolve finds what a data folder notes to be elsewhere.
func (s *side) resolve() (err error) {
	if s.store == "" {
		if s.store, err = listAddress(s.dir); err != nil {
			return err
		}
	}
	if s.blobs == nil {
		s.blobs, err = blobsAddress(s.dir)
	}
	return err
}

func isSamePlace(a, b string) bool {
	one, err := os.Stat(a)
	other, otherErr := os.Stat(b)
	return err == nil && otherErr == nil && os.SameFile(one, other)
}

// openFrom opens the list and the files that are there.
func (m *migration) openFrom(ctx context.Context) error {
	f := &m.from
	if f.dir != "" && socket.Dial(ctx, f.dir) != nil {
		return exit(exitLocked, fmt.Errorf("a daemon works in %s: stop it first", f.dir))
	}
	switch {
	case f.store != "":
		there, err := openDatabase(ctx, f.store, seedlist.Options{ReadOnly: true}) // which makes no tables
		if err != nil {
			return m.refused(err, shownDatabase(f.store))
		}
		there.Close()
		list, err := openDatabase(ctx, f.store, seedlist.Options{})
		if err != nil {
			return m.refused(err, shownDatabase(f.store))
		}
		f.list = list
	default:
		if missing, err := bolt.Missing(filepath.Join(f.dir, storeFile)); err != nil || missing {
			return errors.Join(err, noStore(f.dir))
		}
		list, err := openSeeds(f.dir, seedlist.Options{})
		if err != nil {
			return err
		}
		f.list = list
	}
	if err := f.list.Settle(ctx); err != nil {
		return m.refused(err, "--from")
	}
	return f.openFiles(ctx, "")
}

// refused gives what a list refuses an exit code.
func (m *migration) refused(err error, where string) error {
	switch {
	case errors.Is(err, seedlist.ErrAtWork):
		return exit(exitLocked, fmt.Errorf("%s: %w", where, err))
	case errors.Is(err, seedlist.ErrNoStore):
		return exit(exitFailed, fmt.Errorf("%s: there is no seed list", where))
	case fault.KindOf(err) == fault.Local:
		return exit(exitFailed, err)
	}
	return err
}

// openFiles opens the store of files of a side, to be written if there is a spool; none is named: nil.
func (s *side) openFiles(ctx context.Context, spool string) error {
	switch {
	case s.blobs != nil:
		store, err := openBucket(ctx, *s.blobs, spool)
		if err != nil {
			return exit(exitFailed, err)
		}
		s.files = store
	case s.dir != "" && spool != "":
		store, err := files.Open(s.dir)
		if err != nil {
			return exit(exitFailed, err)
		}
		s.files = store
	case s.dir != "":
		s.files = files.OpenToRead(s.dir)
	}
	return nil
}

// openTo opens the places that are written to, and makes them.
func (m *migration) openTo(ctx context.Context) error {
	t := &m.to
	if t.dir != "" {
		if socket.Dial(ctx, t.dir) != nil {
			return exit(exitLocked, fmt.Errorf("a daemon works in %s: stop it first", t.dir))
		}
		if err := t.refuseOther(); err != nil {
			return err
		}
		if err := os.MkdirAll(t.dir, 0o700); err != nil {
			return exit(exitFailed, err)
		}
	}
	if m.movesList {
		if err := m.openListTo(ctx); err != nil {
			return err
		}
	}
	if !m.movesAll {
		return nil
	}
	return t.openFiles(ctx, filepath.Join(cmp.Or(t.dir, m.from.dir), spoolFolder))
}

// refuseOther refuses a folder that holds a seed list, or notes one that is elsewhere.
func (s *side) refuseOther() error {
	missing, err := bolt.Missing(filepath.Join(s.dir, storeFile))
	if err != nil || !missing {
		return errors.Join(err, exit(exitFailed, fmt.Errorf("--to: %s holds a seed list: name a new folder", s.dir)))
	}
	for _, name := range []string{listFile, blobsFile} {
		if _, err := os.Stat(filepath.Join(s.dir, name)); !errors.Is(err, fs.ErrNotExist) {
			return exit(exitFailed, fmt.Errorf("--to: %s is a data folder already (it holds %s): name a new folder", s.dir, name))
		}
	}
	return nil
}

func (m *migration) openListTo(ctx context.Context) error {
	t := &m.to
	if t.store != "" {
		list, err := openDatabaseCopy(ctx, t.store, seedlist.Options{})
		if err != nil {
			return m.refused(err, shownDatabase(t.store))
		}
		t.list = list
		if err := list.Settle(ctx); err != nil {
			return m.refused(err, shownDatabase(t.store))
		}
		return nil
	}
	list, err := bolt.Open(filepath.Join(t.dir, copyFolder), seedlist.Options{})
	if errors.As(err, new(*bolt.LockedError)) {
		return exit(exitLocked, fmt.Errorf("%s: %w", t.dir, err))
	}
	if err != nil {
		return err
	}
	t.list = list
	return nil
}

func (s *side) close() (err error) {
	if s.list != nil {
		err = s.list.Close()
		s.list = nil
	}
	if s.files != nil {
		err = errors.Join(err, s.files.Close())
		s.files = nil
	}
	return err
}

// name is what a copy is known by: the list that is copied, as it was after its last change.
func (m *migration) name(ctx context.Context) (string, error) {
	revision, err := m.from.list.Revision(ctx)
	where := shownDatabase(m.from.store)
	if m.from.store == "" {
		where = m.from.dir
		if absolute, err := filepath.Abs(where); err == nil {
			where = absolute
		}
	}
	return fmt.Sprintf("%s at revision %d", where, revision), err
}

// begin begins a copy, or says that one goes on. What holds something else is refused.
func (m *migration) begin(ctx context.Context) (name string, err error) {
	if name, err = m.name(ctx); err != nil {
		return name, err
	}
	if m.movesList {
		came, err := m.to.list.Came(ctx)
		if err != nil {
			return name, err
		}
		counts, err := m.to.list.Counts(ctx)
		if err != nil {
			return name, err
		}
		switch {
		case came != nil && came.From != name:
			return name, exit(exitFailed, fmt.Errorf("--to: it holds an unfinished copy of %s, and this is %s: empty it, or name "+
				"another place", came.From, name))
		case came != nil:
			m.note("going on with a copy that has come to the %s", came.Part)
		case counts.Seeds > 0:
			return name, exit(exitFailed, fmt.Errorf("--to: the seed list there has %d seeds: name an empty database, or a new folder",
				counts.Seeds))
		default:
			if catalogs, _, err := m.to.list.Catalogs(ctx, "", 1); err != nil || len(catalogs) > 0 {
				return name, errors.Join(err,
					exit(exitFailed, errors.New("--to: the seed list there has catalogs: name an empty database, or a new folder")))
			}
			if err := m.to.list.SetCopying(ctx, &seedlist.Copying{From: name, Part: seedlist.PartSeeds}); err != nil {
				return name, err
			}
		}
	}
	if m.movesAll {
		return name, m.refuseOtherFiles(ctx)
	}
	return name, nil
}
