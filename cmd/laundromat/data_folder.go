package main

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

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/internal/logfile"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/views"
	"laundromat/states/daemon"
	"laundromat/web"
	"laundromat/web/client"
)

// What the --data folder holds besides the blobs.
const (
	storeFile   = "seeds.db"
	viewsFile   = "views.db" // may be deleted: it is made again
	addressFile = "address"  // holds the address that the daemon listens on
	tempFolder  = "temp"     // temporary files of what is at work
	// actionsFolder holds what was asked to be done with all that match a filter.
	actionsFolder = "actions"
)

// access is what a verb does with the store.
type access int

const (
	toRead   access = iota
	toChange        // what is there
)

// connect opens the store of the --data folder. Where a daemon holds it, that does
// what is asked.
func connect(ctx context.Context, u *ui, how access) (*client.Client, error) {
	dir, open := u.dataDir(), openHouse
	if how == toRead {
		open = lookIntoHouse
	}
	if u.init {
		if err := initStore(u, dir); err != nil {
			return nil, err
		}
	}
	if err := refuseNewList(dir); err != nil {
		return nil, err
	}
	if !hasStore(u, dir) {
		return nil, noStore(dir)
	}
	api, house, err := client.Reach(ctx, dir, open)
	if err != nil || api != nil {
		return api, err
	}
	return client.InProcess(web.New(house.api(true)), house.Close), nil
}

// house is an open --data folder: the seed list and the files.
type house struct {
	dir   string // the --data folder
	seeds seedlist.List
	files blobStore
	// temp is a folder for temporary files; "" for the system's.
	temp string
	// onlyRead says that nothing in the folder is to be written.
	onlyRead bool
	// serves says that a daemon works, or is about to work, in the folder.
	serves bool
	// runner is the daemon's work; nil before it begins, and where none runs.
	runner atomic.Pointer[daemon.Runner]
	// logLoss says what of the daemon's log was lost; nil where none runs.
	logLoss func() logfile.Loss
	// views are of a daemon; nil elsewhere.
	views *views.Views
	role  role
	begun time.Time // when the daemon began

	// fileTrouble is that of the store of files; nil while it answers.
	fileTrouble atomic.Pointer[web.Pause]
	// actions are those on all seeds that match a filter; nil until they are asked for.
	actions *web.Actions
	// streams ends when streams of events are to end; endStreams ends it.
	streams    context.Context
	endStreams context.CancelFunc
}

// pauses are what the daemon does not go on with, and whether it runs.
func (h *house) pauses() (all []web.Pause, isRunning bool) {
	if h.serves {
		all = h.missing()
	}
	runner := h.runner.Load()
	if runner == nil {
		return all, h.role == roleAPI
	}
	for _, p := range runner.Pauses() {
		all = append(all, web.Pause{
			Part: string(p.Stage), Since: p.Since.UTC(), Code: string(fault.CodeOf(p.Why)), Message: seedlist.ShownIn(p.Why.Error()),
		})
	}
	return all, true
}

// logLost is what of the daemon's log could not be written.
func (h *house) logLost() web.LogLoss {
	if h.logLoss == nil {
		return web.LogLoss{}
	}
	loss := h.logLoss()
	if loss.Lines == 0 {
		return web.LogLoss{}
	}
	return web.LogLoss{Lines: loss.Lines, Why: loss.Why.Error()}
}

// openViews opens the lists and counts that a daemon keeps: beside the file of a seed list, or in its database.
func (h *house) openViews(dir string, log zerolog.Logger) (err error) {
	trouble := func(err error) {
		log.Error().Err(err).Msg("the lists could not be brought up to date, which is tried again")
	}
	if list, ok := h.seeds.(*databaseList); ok {
		removeOldViews(dir)
		tables := list.Tables(views.TableNames())
		if h.role == roleWorker { // who serves the lists makes them
			h.views = views.Look(tables, h.seeds, trouble)
			return nil
		}
		h.views, err = views.In(tables, h.seeds, trouble)
		return err
	}
	h.views, err = views.Open(filepath.Join(dir, viewsFile), h.seeds, trouble)
	return err
}

// removeOldViews removes the files in which older versions kept the lists of a database.
func removeOldViews(dir string) {
	old, _ := filepath.Glob(filepath.Join(dir, "views-*.db*")) // the pattern is right
	for _, name := range old {
		os.Remove(name)
	}
}

// openHouse opens the folder, and makes it if need be, readable for its owner only.
func openHouse(dir string) (*house, error) {
	return openHouseWith(dir, "", "", seedlist.Options{})
}

// openHouseWith opens it with the files and the seed list where blobs and store say, which are "" for where they are.
func openHouseWith(dir, blobs, store string, options seedlist.Options) (*house, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := refuseNewList(dir); err != nil {
		return nil, err
	}
	seeds, err := openList(context.Background(), dir, store, options)
	if err != nil {
		return nil, err
	}
	blobStore, err := openSettledBlobs(dir, blobs)
	if err != nil {
		seeds.Close()
		return nil, err
	}
	temp := filepath.Join(dir, tempFolder)
	if err := os.MkdirAll(temp, 0o700); err != nil {
		seeds.Close()
		blobStore.Close()
		return nil, err
	}
	h := &house{dir: dir, seeds: seeds, files: blobStore, temp: temp}
	h.streams, h.endStreams = context.WithCancel(context.Background())
	return h, nil
}

// clearTemp removes what a crash left in the folder for temporary files. The store's lock says that nobody
// else uses it; nothing of this process may do so yet.
func (h *house) clearTemp() error {
	left, _ := filepath.Glob(filepath.Join(h.dir, unfinished+"*")) // the pattern is right
	for _, folder := range left {
		os.RemoveAll(folder)
	}
	return errors.Join(os.RemoveAll(h.temp), os.MkdirAll(h.temp, 0o700))
}

// refuseNewList refuses to begin an empty list over the files of one that is gone: they would be swept, or
// found again by nothing.
func refuseNewList(dir string) error {
	missing, err := bolt.Missing(filepath.Join(dir, storeFile))
	if err != nil || !missing || isInDatabase(dir) {
		return err
	}
	store, err := openBlobsToRead(context.Background(), dir)
	if err != nil {
		return err
	}
	defer store.Close()
	some := errors.New("some")
	err = store.Walk(context.Background(), func(string, files.Suffix, int64) error { return some })
	if err == some {
		return exit(exitFailed, fmt.Errorf("%s holds files of seeds, and its seed list %s is missing or empty: no new one is begun "+
			"over them; "+
			"\"laundromat restore BACKUP\" brings back a backup, \"laundromat salvage\" makes a list of the files", dir, storeFile))
	}
	return err
}

func openSeeds(dir string, options seedlist.Options) (*bolt.Store, error) {
	seeds, err := bolt.Open(filepath.Join(dir, storeFile), options)
	if errors.As(err, new(*bolt.LockedError)) {
		return nil, exit(exitLocked, fmt.Errorf("%s: %w", dir, err))
	}
	return seeds, err
}

// lookIntoHouse opens the folder to be read. Nothing is written: so nothing waits for the disk, and
// the folder may be on one that can't be written. Others may read at the same time. A holder that was
// killed, or is an older version, may have left the seed list out of order. Then who can write there
// puts it in order first.
func lookIntoHouse(dir string) (*house, error) {
	if isInDatabase(dir) {
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
		house, couldNot := openHouse(dir)
		if couldNot == nil || err != nil || errors.As(couldNot, new(*bolt.LockedError)) {
			return house, couldNot
		}
		seeds, err = openSeeds(dir, seedlist.Options{ReadOnly: true})
	}
	if err != nil {
		return nil, err
	}
	return houseToRead(dir, seeds)
}

// lookIntoDatabase is lookIntoHouse where the seed list is in a database.
func lookIntoDatabase(dir string) (*house, error) {
	seeds, err := openList(context.Background(), dir, "", seedlist.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	return houseToRead(dir, seeds)
}

// houseToRead is the folder with a list that is open; where its files can't be had, the list is closed.
func houseToRead(dir string, seeds seedlist.List) (*house, error) {
	blobs, err := openBlobsToRead(context.Background(), dir)
	if err != nil {
		seeds.Close()
		return nil, err
	}
	return &house{dir: dir, seeds: seeds, files: blobs, onlyRead: true}, nil
}

// Close removes the files of seeds that were removed, and closes the folder. Nothing may be at work in
// it any more; where others may work on the same list, the files are left to them.
func (h *house) Close() error {
	if h.onlyRead {
		return errors.Join(h.seeds.Close(), h.files.Close())
	}
	var err error
	if _, isAlone := h.seeds.(*bolt.Store); isAlone {
		err = daemon.SweepOrphans(context.Background(), h.seeds, h.files)
	}
	if h.views != nil {
		err = errors.Join(err, h.views.Close())
	}
	return errors.Join(err, h.seeds.Close(), h.files.Close())
}

// api is what the HTTP API is made of.
func (h *house) api(writable bool) web.Options {
	options := h.apiWithoutActions(writable)
	if h.actions == nil {
		h.actions = web.NewActions(filepath.Join(h.dir, actionsFolder), options)
	}
	options.Actions = h.actions
	return options
}

func (h *house) apiWithoutActions(writable bool) web.Options {
	_, isInDatabase := h.seeds.(*databaseList)
	return web.Options{
		Seeds: h.seeds, Files: h.files, Views: h.views, PreferViews: isInDatabase, Streams: h.streams, Version: version().String(),
		Writable: writable, Formats: listedFormats, Pauses: h.pauses, LogLost: h.logLost, GC: h.gc,
		Dirty: func(ctx context.Context, seed seedlist.Seed) (io.ReadCloser, error) {
			source, err := daemon.OpenDirty(ctx, h.files, seed, h.temp)
			if err != nil {
				return nil, err
			}
			return struct {
				*io.SectionReader
				io.Closer
			}{io.NewSectionReader(source, 0, source.Size()), source}, nil
		},
		Text: func(ctx context.Context, seed seedlist.Seed) (io.ReadCloser, error) {
			return daemon.OpenText(ctx, h.files, seed, h.temp)
		},
		Verify: h.verify, Repair: h.repair, Again: h.again,
		Snapshot: h.snapshot,
	}
}

// snapshot writes the seed list as it is at one moment.
func (h *house) snapshot(ctx context.Context, to io.Writer) error {
	list, ok := h.seeds.(interface {
		Snapshot(ctx context.Context, to io.Writer) error
	})
	if !ok {
		return errors.New("this kind of seed list has no snapshots")
	}
	return list.Snapshot(ctx, to)
}
