package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/docker/go-units"

	"laundromat/seedlist"
	"laundromat/states/daemon"
	"laundromat/web"
	"laundromat/web/socket"
)

// gc removes what kills left in the folder, and sockets. While the daemon runs, it keeps from what is at work.
func (f *Folder) gc(ctx context.Context, o web.GCRequest, found func(web.Collected) error) (sums web.GCSums, err error) {
	sums = web.GCSums{DryRun: o.DryRun}
	options := daemon.LeftoverOptions{
		Before: time.Now().Add(-time.Duration(o.Older * float64(time.Second))), DryRun: o.DryRun, Most: o.Most,
	}
	tell := func(l daemon.Leftover) error {
		why := "no record names it"
		if l.Temporary {
			why = "it was never written to its end"
		}
		return found(web.Collected{File: l.Name, Bytes: l.Bytes, Why: why})
	}
	remove := func() (daemon.Leftovers, error) { return daemon.RemoveLeftovers(ctx, f.Seeds, f.Files, options, tell) }
	if f.Serves {
		runner := f.Runner.Load()
		if runner == nil {
			return sums, errors.New("the daemon is still starting; try again in a moment")
		}
		remove = func() (daemon.Leftovers, error) { return runner.RemoveLeftovers(ctx, f.Files, options, tell) }
	}
	if sums.Unkept, err = f.retain(ctx, o, found); err != nil {
		return sums, err
	}
	l, err := remove()
	sums.Looked, sums.Files, sums.Bytes, sums.Young = l.Looked, l.Files, l.Bytes, l.Young
	sums.Temporary, sums.TemporaryBytes = l.Temporary, l.TempoBytes
	if err != nil {
		return sums, err
	}
	if !f.Serves { // what is in it of a daemon, the daemon needs
		if err := f.gcTemp(options, &sums, tell); err != nil {
			return sums, err
		}
	}
	return sums, f.gcSockets(options, &sums, found)
}

// retain removes what is not kept: as the request says, or as the daemon does.
func (f *Folder) retain(ctx context.Context, o web.GCRequest, found func(web.Collected) error) (sums seedlist.Trimmed, err error) {
	kept := f.Kept.Load()
	if o.Keep != nil {
		asked, err := RetentionOf(*o.Keep)
		if err != nil {
			return sums, err
		}
		kept = &asked
	}
	if kept == nil {
		return sums, nil
	}
	tell := func(u daemon.Unkept) error {
		return found(web.Collected{File: u.Name, Bytes: max(0, u.Bytes), Why: u.Why})
	}
	pass := daemon.Retaining{Seeds: f.Seeds, Files: f.Files, Kept: *kept, DryRun: o.DryRun, Beside: f.Runner.Load(), Found: tell}
	if sums, err = pass.Run(ctx); err == nil && !o.DryRun && !f.Serves {
		err = daemon.SweepOrphans(ctx, f.Seeds, f.Files)
	}
	return sums, err
}

// RetentionOf reads what is kept in the words of flags.
func RetentionOf(asked web.KeepRequest) (kept seedlist.Retention, err error) {
	size := func(text string) (int64, error) { return units.RAMInBytes(text) }
	read := func(flag, text string, age *seedlist.Age) {
		if text == "" || err != nil {
			return
		}
		if *age, err = seedlist.ParseAge(text); err != nil {
			err = fmt.Errorf("--%s: %w", flag, err)
		}
	}
	if asked.Dirty != "" {
		if kept.Dirty, err = seedlist.ParseDirtyKept(asked.Dirty, size); err != nil {
			err = fmt.Errorf("--keep-dirty: %w", err)
		}
	}
	read("keep-notices", asked.Notices, &kept.Notices)
	read("keep-attempts", asked.Attempts, &kept.Attempts)
	read("keep-versions-for", asked.Versions, &kept.Versions)
	return kept, err
}

// gcTemp removes what is left in the folder for temporary files.
func (f *Folder) gcTemp(o daemon.LeftoverOptions, sums *web.GCSums, found func(daemon.Leftover) error) error {
	folder := filepath.Join(f.Dir, tempFolder)
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || info.ModTime().After(o.Before) {
			continue
		}
		if !o.DryRun {
			if err := os.RemoveAll(filepath.Join(folder, e.Name())); err != nil {
				return err
			}
		}
		sums.Temporary++
		sums.TemporaryBytes += info.Size()
		if err := found(daemon.Leftover{Name: e.Name(), Bytes: info.Size(), Temporary: true}); err != nil {
			return err
		}
	}
	return nil
}

// gcSockets removes the sockets of daemons that are gone: that of this folder, and others of this user.
func (f *Folder) gcSockets(o daemon.LeftoverOptions, sums *web.GCSums, found func(web.Collected) error) error {
	if !f.Serves && !o.DryRun {
		socket.RemoveStale(f.Dir)
		os.Remove(filepath.Join(f.Dir, AddressFile))
	}
	for _, folder := range socket.Strays(f.Dir, o.Before) {
		if !o.DryRun {
			if err := socket.RemoveStray(folder); err != nil {
				return err
			}
		}
		sums.Sockets++
		if err := found(web.Collected{File: folder, Why: "no daemon listens at this socket"}); err != nil {
			return err
		}
	}
	return nil
}
