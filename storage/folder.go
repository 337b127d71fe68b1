// Package storage opens a data folder: its seed list, which is a file or in a database, and its files, which are in the
// folder or in an object store. It refuses what would lose data: a new list over the files of another one, a second
// daemon, or another place for what is there.
//
// [Folder] is an open one, with what the HTTP API is made of. The packages below copy, save and mend folders.
package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"laundromat/internal/commands"
	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/internal/logfile"
	"laundromat/rdf/statistics"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/seedfile"
	"laundromat/seedlist/views"
	"laundromat/states/daemon"
	"laundromat/states/recordset"
	"laundromat/states/recordtables"
	"laundromat/web"
)

// What the --data folder holds besides the blobs.
const (
	ListFile   = "seeds.db"
	viewsFile  = "views.db"  // may be deleted: it is made again
	searchFile = "search.db" // likewise
	// termsFile holds filters of terms; it may be deleted too.
	termsFile   = "terms.filter"
	HostsFile   = "hosts.yaml" // secrets by host; its mode is 0600
	AddressFile = "address"    // holds the address that the daemon listens on
	tempFolder  = "temp"       // temporary files of what is at work
	// actionsFolder holds what was asked to be done with all that match a filter.
	actionsFolder = "actions"
	// Unfinished begins the names of folders in which backup and salvage work. One that a kill left behind is
	// rubbish at the next start.
	Unfinished = ".unfinished-"
)

// Folder is an open --data folder: the seed list and the files.
type Folder struct {
	Dir   string // the --data folder
	Seeds seedlist.List
	Files Files
	// Temp is a folder for temporary files; "" for the system's.
	Temp string
	// OnlyRead says that nothing in the folder is to be written.
	OnlyRead bool
	// Serves says that a daemon works, or is about to work, in the folder.
	Serves bool
	// Runner is the daemon's work; nil before it begins, and where none runs.
	Runner atomic.Pointer[daemon.Runner]
	// Kept is what the daemon keeps; nil where it keeps all, and where none runs.
	Kept atomic.Pointer[seedlist.Retention]
	// LogLoss says what of the daemon's log was lost; nil where none runs.
	LogLoss func() logfile.Loss
	// Events has commands run when something happens; nil where none runs.
	Events *commands.Commands
	// Views are of a daemon; nil elsewhere.
	Views *views.Views
	// Tables puts the records of recipes into a database; nil where none is named.
	Tables *recordtables.Follower
	// Counts hold what clean files say that were written lately.
	Counts seedfile.Counts
	// search is that of a daemon, or was opened when it was asked for; nil: there is none.
	search  folderSearch
	filters folderFilters
	Role    Role
	Begun   time.Time // when the daemon began

	// fileTrouble is that of the store of files; nil while it answers.
	fileTrouble atomic.Pointer[web.Pause]
	// Actions are those on all seeds that match a filter; nil until they are asked for.
	Actions *web.Actions
	// streams ends when streams of events are to end; EndStreams ends it.
	streams    context.Context
	EndStreams context.CancelFunc
}

// Pauses are what the daemon does not go on with, and whether it runs.
func (f *Folder) Pauses() (all []web.Pause, isRunning bool) {
	if f.Serves {
		all = f.missing()
	}
	runner := f.Runner.Load()
	if runner == nil {
		return all, f.Role == RoleAPI
	}
	for _, p := range runner.Pauses() {
		all = append(all, web.Pause{
			Part: string(p.Stage), Since: p.Since.UTC(), Code: string(fault.CodeOf(p.Why)), Message: seedlist.ShownIn(p.Why.Error()),
		})
	}
	return all, true
}

// logLost is what of the daemon's log could not be written.
func (f *Folder) logLost() web.LogLoss {
	if f.LogLoss == nil {
		return web.LogLoss{}
	}
	loss := f.LogLoss()
	if loss.Lines == 0 {
		return web.LogLoss{}
	}
	return web.LogLoss{Lines: loss.Lines, Why: loss.Why.Error()}
}

// OpenViews opens the lists and counts that a daemon keeps: beside the file of a seed list, or in its database.
func (f *Folder) OpenViews(dir string, log zerolog.Logger) (err error) {
	trouble := func(err error) {
		log.Error().Err(err).Msg("the lists could not be brought up to date, which is tried again")
	}
	if list, ok := f.Seeds.(*databaseList); ok {
		removeOldViews(dir)
		tables := list.Tables(views.TableNames())
		if f.Role == RoleWorker { // who serves the lists makes them
			f.Views = views.Look(tables, f.Seeds, trouble)
			return nil
		}
		f.Views, err = views.In(tables, f.Seeds, f.terms, trouble)
		return err
	}
	f.Views, err = views.Open(filepath.Join(dir, viewsFile), f.Seeds, f.terms, trouble)
	return err
}

// terms are what a clean file uses.
func (f *Folder) terms(ctx context.Context, clean string) (*statistics.Terms, error) {
	counted, err := f.Counts.Of(ctx, seedfile.Lists, f.Files, clean)
	if err != nil {
		err = fmt.Errorf("what the clean file %s uses can't be listed: %w", clean, err)
	}
	return counted, err
}

// removeOldViews removes the files in which older versions kept the lists of a database.
func removeOldViews(dir string) {
	old, _ := filepath.Glob(filepath.Join(dir, "views-*.db*")) // the pattern is right
	for _, name := range old {
		os.Remove(name)
	}
}

// Open opens the folder, and makes it if need be, readable for its owner only.
func Open(dir string) (*Folder, error) {
	return OpenWith(dir, "", "", seedlist.Options{})
}

// OpenWith opens it with the files and the seed list where blobs and list say, which are "" for where they are.
func OpenWith(dir, blobs, list string, options seedlist.Options) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := RefuseNewList(dir); err != nil {
		return nil, err
	}
	seeds, err := OpenList(context.Background(), dir, list, options)
	if err != nil {
		return nil, err
	}
	store, err := openSettledBlobs(dir, blobs)
	if err != nil {
		seeds.Close()
		return nil, err
	}
	temp := filepath.Join(dir, tempFolder)
	if err := os.MkdirAll(temp, 0o700); err != nil {
		seeds.Close()
		store.Close()
		return nil, err
	}
	f := &Folder{Dir: dir, Seeds: seeds, Files: store, Temp: temp}
	f.streams, f.EndStreams = context.WithCancel(context.Background())
	return f, nil
}

// ClearTemp removes what a crash left in the folder for temporary files. The store's lock says that nobody
// else uses it; nothing of this process may do so yet.
func (f *Folder) ClearTemp() error {
	left, _ := filepath.Glob(filepath.Join(f.Dir, Unfinished+"*")) // the pattern is right
	for _, folder := range left {
		os.RemoveAll(folder)
	}
	return errors.Join(os.RemoveAll(f.Temp), os.MkdirAll(f.Temp, 0o700))
}

// RefuseNewList refuses to begin an empty list over the files of one that is gone: they would be swept, or
// found again by nothing.
func RefuseNewList(dir string) error {
	missing, err := bolt.Missing(filepath.Join(dir, ListFile))
	if err != nil || !missing || IsInDatabase(dir) {
		return err
	}
	store, err := OpenFilesToRead(context.Background(), dir)
	if err != nil {
		return err
	}
	defer store.Close()
	some := errors.New("some")
	err = store.Walk(context.Background(), func(string, files.Suffix, int64) error { return some })
	if err == some {
		return fmt.Errorf("%s holds files of seeds, and its seed list %s is missing or empty: no new one is begun over them; "+
			"\"laundromat restore BACKUP\" brings back a backup, \"laundromat salvage\" makes a list of the files", dir, ListFile)
	}
	return err
}

func openSeeds(dir string, options seedlist.Options) (*bolt.Store, error) {
	seeds, err := bolt.Open(filepath.Join(dir, ListFile), options)
	if errors.As(err, new(*bolt.LockedError)) {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return seeds, err
}

// Look opens the folder to be read. Nothing is written: so nothing waits for the disk, and
// the folder may be on one that can't be written. Others may read at the same time. A holder that was
// killed, or is an older version, may have left the seed list out of order. Then who can write there
// puts it in order first.
func Look(dir string) (*Folder, error) {
	if IsInDatabase(dir) {
		return lookIntoDatabase(dir)
	}
	seeds, err := openSeeds(dir, seedlist.Options{ReadOnly: true})
	if errors.As(err, new(*bolt.LockedError)) || errors.As(err, new(*seedlist.Damage)) {
		return nil, err
	}
	unsettled := err != nil
	if err == nil {
		unsettled, err = seeds.Unsettled(context.Background())
	}
	if unsettled {
		if seeds != nil {
			seeds.Close()
		}
		Folder, couldNot := Open(dir)
		if couldNot == nil || err != nil || errors.As(couldNot, new(*bolt.LockedError)) {
			return Folder, couldNot
		}
		seeds, err = openSeeds(dir, seedlist.Options{ReadOnly: true})
	}
	if err != nil {
		return nil, err
	}
	return houseToRead(dir, seeds)
}

// lookIntoDatabase is Look where the seed list is in a database.
func lookIntoDatabase(dir string) (*Folder, error) {
	seeds, err := OpenList(context.Background(), dir, "", seedlist.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	return houseToRead(dir, seeds)
}

// houseToRead is the folder with a list that is open; where its files can't be had, the list is closed.
func houseToRead(dir string, seeds seedlist.List) (*Folder, error) {
	blobs, err := OpenFilesToRead(context.Background(), dir)
	if err != nil {
		seeds.Close()
		return nil, err
	}
	return &Folder{Dir: dir, Seeds: seeds, Files: blobs, OnlyRead: true}, nil
}

// Close removes the files of seeds that were removed, and closes the folder. Nothing may be at work in
// it any more; where others may work on the same list, the files are left to them.
func (f *Folder) Close() error {
	if f.OnlyRead {
		f.search.close()
		f.filters.close()
		return errors.Join(f.Seeds.Close(), f.Files.Close())
	}
	var err error
	if _, isAlone := f.Seeds.(*bolt.Store); isAlone {
		err = daemon.SweepOrphans(context.Background(), f.Seeds, f.Files)
	}
	if f.Views != nil {
		err = errors.Join(err, f.Views.Close())
	}
	f.search.close()
	f.filters.close()
	return errors.Join(err, f.Seeds.Close(), f.Files.Close())
}

// API completes the options of the HTTP API, of which version, formats and whether it writes are given.
func (f *Folder) API(options web.Options) web.Options {
	_, IsInDatabase := f.Seeds.(*databaseList)
	options.Seeds, options.Files, options.Views, options.PreferViews, options.Streams = f.Seeds, f.Files, f.Views, IsInDatabase, f.streams
	options.Pauses, options.LogLost, options.GC, options.Snapshot = f.Pauses, f.logLost, f.gc, f.snapshot
	options.Daemon.Commands = f.Events.Status
	if f.Tables != nil {
		options.Daemon.RecordsInto, options.Daemon.Merges, options.Daemon.SourceOf = f.Tables.Status, f.Tables.Merges, f.Tables.SourceOf
	}
	options.Daemon.Search, options.Daemon.Terms = f.openSearch, f.Terms
	if options.Compact = f.compact; f.Serves {
		options.Drain = f.drain
	}
	if f.Serves && f.Role != RoleAPI {
		options.Daemon.Beside, options.Daemon.Asking = f.beside, f.asking
	}
	options.Verify, options.Repair, options.Again = f.verify, f.repair, f.again
	options.Dirty = func(ctx context.Context, seed seedlist.Seed) (io.ReadCloser, error) {
		source, err := daemon.OpenDirty(ctx, f.Files, seed, f.Temp)
		if err != nil {
			return nil, err
		}
		return struct {
			*io.SectionReader
			io.Closer
		}{io.NewSectionReader(source, 0, source.Size()), source}, nil
	}
	options.Text = func(ctx context.Context, seed seedlist.Seed) (io.ReadCloser, error) {
		return daemon.OpenText(ctx, f.Files, seed, f.Temp)
	}
	options.Articles = func(ctx context.Context, seed seedlist.Seed, name, format string, to io.Writer) error {
		made := daemon.Articles{Files: f.Files, Seeds: f.Seeds, Temp: f.Temp, Memory: articlesMemory}
		return made.Write(ctx, seed, name, format, to)
	}
	options.CellPlaces = func(ctx context.Context, seed seedlist.Seed, from, to, most int64) ([][]recordset.Placed, error) {
		places := daemon.CellPlaces{Files: f.Files, Temp: f.Temp, From: from, To: to, Most: most}
		return places.Find(ctx, seed)
	}
	options.TryRecipe, options.Repairs = f.tryRecipe, f.repairs
	if f.Actions == nil {
		f.Actions = web.NewActions(filepath.Join(f.Dir, actionsFolder), options)
	}
	options.Actions = f.Actions
	return options
}

// articlesMemory is what a document may take whose articles are made again for a format.
const articlesMemory = 256 << 20

// drain has the daemon end once what is at work has ended.
func (f *Folder) drain() error {
	runner := f.Runner.Load()
	if runner == nil {
		return errors.New("no seed is worked on here: the daemon is still starting, or serves alone")
	}
	daemon.Drain(runner)
	return nil
}

// snapshot writes the seed list as it is at one moment.
func (f *Folder) snapshot(ctx context.Context, to io.Writer) error {
	list, ok := f.Seeds.(interface {
		Snapshot(ctx context.Context, to io.Writer) error
	})
	if !ok {
		return errors.New("this kind of seed list has no snapshots")
	}
	return list.Snapshot(ctx, to)
}
