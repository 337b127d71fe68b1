package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/docker/go-units"
	"github.com/spf13/cobra"

	"laundromat/states/daemon"
	"laundromat/web"
	"laundromat/web/socket"
)

// gcOlder is how old leftovers are at least, if nothing else is said.
const gcOlder = time.Hour

func gcCommand(u *ui) *cobra.Command {
	var request web.GCRequest
	older := gcOlder
	c := &cobra.Command{
		Use:   "gc",
		Short: "Remove what a kill left: files without a record, temporary files, sockets",
		Long: "Gc removes files that no record of the seed list names, temporary files that nobody writes to,\n" +
			"and sockets of daemons that are gone. A kill -9, a crash or a loss of power leaves such; nothing else\n" +
			"does. Files of work in progress are never taken, and besides only what is older than --older. While a\n" +
			"daemon runs, it does the work. Where most files have no record, nothing is removed: then the seed list\n" +
			"has lost records rather than files are left (--most says that it is so all the same).",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			how := toChange
			if request.DryRun {
				how = toRead
			}
			request.Older = older.Seconds()
			api, err := connect(c.Context(), u, how)
			if err != nil {
				return err
			}
			defer api.Close()
			stream, err := api.OpenPosted(c.Context(), "/gc", request)
			if err != nil {
				return err
			}
			defer stream.Close()
			return showCollected(u, json.NewDecoder(bufio.NewReader(stream)))
		},
	}
	c.Flags().BoolVar(&request.DryRun, "dry-run", false, "only say what would be removed")
	c.Flags().DurationVar(&older, "older", gcOlder, "take only what was written at least so long ago")
	c.Flags().BoolVar(&request.Most, "most", false, "remove files without a record even if they are most of all files")
	return c
}

// showCollected prints each leftover, and then the sums.
func showCollected(u *ui, lines *json.Decoder) error {
	for {
		var line web.Collected
		if err := lines.Decode(&line); err != nil {
			return errors.New("gc ended before it had seen everything")
		}
		switch {
		case u.json:
			if err := encodeTo(u.out, line); err != nil {
				return err
			}
		case line.Sums == nil:
			fmt.Fprintf(u.out, "%s (%s): %s\n", line.File, units.BytesSize(float64(line.Bytes)), line.Why)
		}
		s := line.Sums
		if s == nil {
			continue
		}
		if !u.json {
			done := "removed"
			if s.DryRun {
				done = "would be removed"
			}
			fmt.Fprintf(u.out, "%d files held against the records; %s: %d files without a record (%s), %d temporary files (%s), %d "+
				"sockets\n",
				s.Looked, done, s.Files, units.BytesSize(float64(s.Bytes)), s.Temporary, units.BytesSize(float64(s.TemporaryBytes)),
				s.Sockets)
			if s.Young > 0 {
				fmt.Fprintf(u.out, "%d files without a record are too young to be taken, and stay\n", s.Young)
			}
		}
		if s.Error != "" {
			return errors.New(s.Error)
		}
		return nil
	}
}

// gc removes what kills left in the folder, and sockets. While the daemon runs, it keeps from what is at work.
func (h *house) gc(ctx context.Context, o web.GCRequest, found func(web.Collected) error) (web.GCSums, error) {
	sums := web.GCSums{DryRun: o.DryRun}
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
	remove := func() (daemon.Leftovers, error) { return daemon.RemoveLeftovers(ctx, h.seeds, h.files, options, tell) }
	if h.serves {
		runner := h.runner.Load()
		if runner == nil {
			return sums, errors.New("the daemon is still starting; try again in a moment")
		}
		remove = func() (daemon.Leftovers, error) { return runner.RemoveLeftovers(ctx, h.files, options, tell) }
	}
	l, err := remove()
	sums.Looked, sums.Files, sums.Bytes, sums.Young = l.Looked, l.Files, l.Bytes, l.Young
	sums.Temporary, sums.TemporaryBytes = l.Temporary, l.TempoBytes
	if err != nil {
		return sums, err
	}
	if !h.serves { // what is in it of a daemon, the daemon needs
		if err := h.gcTemp(options, &sums, tell); err != nil {
			return sums, err
		}
	}
	return sums, h.gcSockets(options, &sums, found)
}

// gcTemp removes what is left in the folder for temporary files.
func (h *house) gcTemp(o daemon.LeftoverOptions, sums *web.GCSums, found func(daemon.Leftover) error) error {
	folder := filepath.Join(h.dir, tempFolder)
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
func (h *house) gcSockets(o daemon.LeftoverOptions, sums *web.GCSums, found func(web.Collected) error) error {
	if !h.serves && !o.DryRun {
		socket.RemoveStale(h.dir)
		os.Remove(filepath.Join(h.dir, addressFile))
	}
	for _, folder := range socket.Strays(h.dir, o.Before) {
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
