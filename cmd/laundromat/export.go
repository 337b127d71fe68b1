package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/docker/go-units"
	"github.com/spf13/cobra"

	"laundromat/seedlist"
	"laundromat/seedlist/export"
	"laundromat/storage"
	"laundromat/web"
	"laundromat/web/client"
)

// exportOptions are the flags of export.
type exportOptions struct {
	export.Options
	layout string
	find   string
	uri    bool
	as     string // one file of all that match, in place of a folder
	filter listFlags
}

func exportCommand(u *ui) *cobra.Command {
	var o exportOptions
	c := &cobra.Command{
		Use:   "export DIR | --as FORM [filters] FILE | --uri PATH…",
		Short: "The downloaded files in folders named by their URIs, with a manifest",
		Long: "Export puts hard links to the downloaded files, or copies of them, into DIR, named by\n" +
			"reversed host, path, key and time, and writes MANIFEST.tsv, which has the URI of each.\n" +
			"A second export brings DIR up to date. A hard link is the store's own file: do not write\n" +
			"into it. --uri prints the URIs that exported files were named by.\n\n" +
			"With --as it writes the clean files of all documents that match the filters into one FILE (- for standard output):\n" +
			"nq (N-Quads in gzip, each document behind a comment that names it), parquet (a table), or zip (with MANIFEST.tsv).",
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if o.uri {
				return namedURIs(u, args)
			}
			if err := cobra.ExactArgs(1)(c, args); err != nil {
				return usage("%w", err)
			}
			if o.as != "" {
				return exportMatching(c.Context(), u, args[0], &o)
			}
			if o.filter.isSet() {
				return usage("filters are for --as: a folder has the files of all documents")
			}
			if o.find != "" {
				return findExported(u, args[0], o.find)
			}
			return runExport(c.Context(), u, args[0], &o)
		},
	}
	flags := c.Flags()
	flags.StringVar(&o.layout, "layout", "uri", "how files are named: uri")
	flags.StringVar(&o.What, "what", "raw", "raw: as they came; clean: what was made of them, also of what is in "+
		"archives: clean N-Quads, records and articles in gzip; both; records; articles")
	flags.BoolVar(&o.Copy, "copy", false, "copies, which may be written into")
	flags.BoolVar(&o.Keep, "keep", false, "keep what an earlier export put there of older versions and of seeds that are gone")
	flags.StringVar(&o.find, "find", "", "only print where DIR has the files of this HASH or URI")
	flags.BoolVar(&o.uri, "uri", false, "only print the URI of each PATH of an exported file, read from its name")
	flags.BoolVar(&o.Secrets, "with-secrets", false, "names and manifest have the users and passwords of URIs; not while a daemon holds the list")
	flags.StringVar(&o.as, "as", "", "write the clean files of all that match into one FILE: "+strings.Join(web.DownloadForms(), ", "))
	o.filter.addFilters(c)
	flags.StringVar(&o.Temp, "temp", "", "folder for temporary files (default the system's)")
	return c
}

func runExport(ctx context.Context, u *ui, dir string, o *exportOptions) error {
	if o.layout != "uri" {
		return usage("--layout is uri, not %q", o.layout)
	}
	if err := oneOf("what", o.What, export.Kinds()...); err != nil {
		return err
	}
	err := export.CheckFolder(dir, o.Keep)
	if errors.As(err, new(*export.FolderError)) || errors.As(err, new(*export.OldNamesError)) {
		return usage("%w", err)
	}
	if err != nil {
		return err
	}
	seeds, end, err := seedsToExport(ctx, u, o.Secrets)
	if err != nil {
		return err
	}
	defer end()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	// The daemon, if there is one, stays the one that writes to the store.
	store, err := storage.OpenFilesToRead(ctx, u.dataDir())
	if err != nil {
		return err
	}
	defer store.Close()
	o.Note = u.note
	u.reached = &reached{unit: "file", output: dir, eachDone: true}
	sums, err := export.Run(ctx, dir, seeds, store, o.Options)
	u.reached.complete(sums.Files)
	if err != nil {
		return err
	}
	if err := showExported(u, dir, sums); err != nil {
		return err
	}
	if sums.Missing > 0 {
		return exit(exitFailed, fmt.Errorf("%d files that records name are not there; \"laundromat verify\" says more", sums.Missing))
	}
	return nil
}

// seedsToExport are all seeds of the store, and what ends the use of them. The API, by which others come to them, hides
// passwords: so for secrets the list itself is read.
func seedsToExport(ctx context.Context, u *ui, secrets bool) (export.Seeds, func() error, error) {
	if !secrets {
		api, err := connect(ctx, u, toRead)
		if err != nil {
			return nil, nil, err
		}
		return exportedSeeds{api}, api.Close, nil
	}
	if dir := u.dataDir(); !hasStore(u, dir) {
		return nil, nil, storage.NoList(dir)
	}
	folder, err := storage.Look(u.dataDir())
	if err != nil {
		return nil, nil, err
	}
	return listedSeeds{folder.Seeds}, folder.Close, nil
}

// listedSeeds are all seeds of a list that is open.
type listedSeeds struct{ seedlist.List }

func (l listedSeeds) Each(ctx context.Context, do func(seedlist.Seed) error) error {
	filter := seedlist.Filter{Limit: 1_000}
	for {
		seeds, next, err := l.List.List(ctx, filter)
		if err != nil {
			return err
		}
		for _, seed := range seeds {
			if err := do(seed); err != nil {
				return err
			}
		}
		if next == "" {
			return nil
		}
		filter.Cursor = next
	}
}

// namedURIs prints the URIs of exported files, a line each.
func namedURIs(u *ui, paths []string) error {
	var failed error
	for _, path := range paths {
		uri, err := export.URI(path)
		if err != nil {
			failed = exit(exitFailed, fmt.Errorf("%s: %w", path, err))
			if len(paths) > 1 {
				u.note("%s", failed)
			}
			continue
		}
		if u.json {
			err = encodeTo(u.out, map[string]string{"path": path, "uri": uri})
		} else {
			_, err = fmt.Fprintln(u.out, uri)
		}
		if err != nil {
			return err
		}
	}
	return failed
}

// exportedSeeds are all seeds of the store, by the API.
type exportedSeeds struct{ *client.Client }

func (s exportedSeeds) Each(ctx context.Context, do func(seedlist.Seed) error) error {
	return s.EachSeed(ctx, "/seeds", nil, 0, do)
}

func showExported(u *ui, dir string, sums export.Sums) error {
	if u.json {
		return encodeTo(u.out, sums)
	}
	u.note("%d files, %s in %s: %d linked, %d copied, %d removed",
		sums.Files, units.BytesSize(float64(sums.Bytes)), dir, sums.Linked, sums.Copied, sums.Removed)
	if sums.Changed > 0 {
		u.note("%d were fetched anew meanwhile: export again", sums.Changed)
	}
	return nil
}

// findExported prints where the files of a seed are.
func findExported(u *ui, dir, ref string) error {
	hash, err := client.HashOf(ref)
	if err != nil {
		return err
	}
	found := false
	for row, err := range export.Find(dir, hash) {
		if err != nil {
			return err
		}
		found = true
		if u.json {
			err = encodeTo(u.out, row)
		} else {
			_, err = fmt.Fprintln(u.out, filepath.Join(dir, filepath.FromSlash(row.Path)))
		}
		if err != nil {
			return err
		}
	}
	if !found {
		return exit(exitNotFound, fmt.Errorf("%s has no file of %s", dir, seedlist.Shown(ref)))
	}
	return nil
}
