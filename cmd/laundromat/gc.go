package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/docker/go-units"
	"github.com/spf13/cobra"

	"laundromat/seedlist"
	"laundromat/web"
)

// gcOlder is how old leftovers are at least, if nothing else is said.
const gcOlder = time.Hour

func gcCommand(u *ui) *cobra.Command {
	var request web.GCRequest
	var kept web.KeepRequest
	older := gcOlder
	c := &cobra.Command{
		Use:   "gc",
		Short: "Remove what a kill left, and what is not kept: files without a record, temporary files, sockets",
		Long: "Gc removes files that no record of the seed list names, temporary files that nobody writes to,\n" +
			"and sockets of daemons that are gone. A kill -9, a crash or a loss of power leaves such; nothing else\n" +
			"does. Files of work in progress are never taken, and besides only what is older than --older. While a\n" +
			"daemon runs, it does the work. Where most files have no record, nothing is removed: then the seed list\n" +
			"has lost records rather than files are left (--most says that it is so all the same).\n\n" +
			"It also removes what is not kept: as --keep-dirty, --keep-notices, --keep-attempts and --keep-versions-for\n" +
			"say here, once, or else as the daemon that runs was told. --dry-run says what that would be.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			how := toChange
			if request.DryRun {
				how = toRead
			}
			request.Older = older.Seconds()
			if isAsked := slices.ContainsFunc(keptNames, func(name string) bool { return c.Flags().Changed(name) }); isAsked {
				if err := checkKept(kept); err != nil {
					return err
				}
				request.Keep = &kept
			}
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
	addKept(c.Flags(), &kept)
	c.Flags().BoolVar(&request.Most, "most", false, "remove files without a record even if they are most of all files")
	return c
}

// keptNames are the flags of addKept.
var keptNames = []string{"keep-dirty", "keep-notices", "keep-attempts", "keep-versions-for"}

// tellUnkept says what was removed since a setting says so; nothing where nothing was.
func tellUnkept(u *ui, done string, t seedlist.Trimmed) {
	if t != (seedlist.Trimmed{}) {
		fmt.Fprintf(u.out, "not kept, %s: bytes of %d documents (%s), notices of %d, %d files of older versions, %d attempts\n", done,
			t.Dirty, units.BytesSize(float64(t.DirtyBytes)), t.Notices, t.Versions, t.Attempts)
	}
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
			tellUnkept(u, done, s.Unkept)
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
