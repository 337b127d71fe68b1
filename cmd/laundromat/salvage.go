package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"laundromat/internal/digest"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/storage"
)

// salvageOptions are the flags of salvage.
type salvageOptions struct {
	seedFiles []string
	dryRun    bool
}

// salvaged is what salvage did, as JSON.
type salvaged struct {
	bolt.Salvaged
	// Old is the name that the damaged list has now; absent where there was none, or nothing was changed.
	Old string `json:"old,omitempty"`
}

func salvageCommand(u *ui) *cobra.Command {
	var o salvageOptions
	c := &cobra.Command{
		Use:   "salvage",
		Short: "Make a new seed list of what can be read of a damaged one, and of the files",
		Long: "Salvage reads every page of the seed list that can be read, and looks at the files. It makes a\n" +
			"new list of that, with all indices and counts made anew, and puts it in the place of the old\n" +
			"one, which is kept as seeds.db.damaged. A seed whose record is lost begins again if the log or\n" +
			"--seeds names its URI; a clean file has its seed again. What is lost is told, one line each.\n" +
			"No daemon may run. Exit: 1 if something was lost.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runSalvage(c.Context(), u, &o) },
	}
	c.Flags().StringArrayVar(&o.seedFiles, "seeds", nil, "URIs that may have been in the list, a line each (- for standard input): what "+
		"is lost of these is found by its files, or fetched again")
	c.Flags().BoolVarP(&o.dryRun, "dry-run", "n", false, "only tell what would be got and lost")
	return c
}

func runSalvage(ctx context.Context, u *ui, o *salvageOptions) error {
	dir := u.dataDir()
	path := filepath.Join(dir, storage.ListFile)
	if err := storage.OnlyInFolder(dir, "salvage", "PostgreSQL's own tools mend that"); err != nil {
		return err
	}
	blobs, err := storage.OpenFilesToRead(ctx, dir)
	if err != nil {
		return err
	}
	defer blobs.Close()
	missing, err := bolt.Missing(path)
	if err != nil {
		return err
	}
	if missing && storage.RefuseNewList(dir) == nil {
		return noStore(dir)
	}
	uris, err := urisByHash(u, o.seedFiles)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp(dir, storage.Unfinished+"*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	into := filepath.Join(temp, storage.ListFile)
	sums, err := bolt.Salvage(ctx, path, into, bolt.SalvageOptions{
		URIs:  uris,
		Clean: func(hash string) (*digest.Content, bool) { return cleanContent(ctx, blobs, hash) },
		Dirty: func(hash string) (*digest.Content, bool) { return dirtyContent(blobs, hash) },
		Files: func(yield func(string, bool, bool) error) error {
			return blobs.Walk(ctx, func(key string, suffix files.Suffix, _ int64) error {
				return yield(files.HashOf(key), suffix == files.Clean, suffix == files.Dirty)
			})
		},
		Lost: func(l bolt.Lost) error { return showLost(u, l) },
	})
	if errors.As(err, new(*bolt.LockedError)) {
		return exit(exitLocked, fmt.Errorf("%s: %w: salvage works on a list that no daemon uses", dir, err))
	}
	if err != nil {
		return err
	}
	result := salvaged{Salvaged: sums}
	if !o.dryRun {
		if result.Old, err = putInPlace(into, path, "damaged"); err != nil {
			return err
		}
	}
	return showSalvaged(u, &result, o.dryRun)
}

// putInPlace gives a new list the name of the old one, which is kept under another name.
func putInPlace(list, path, word string) (kept string, err error) {
	if _, err := os.Stat(path); err == nil {
		if kept, err = bolt.PutAside(path, word); err != nil {
			return "", err
		}
	}
	if err := files.Sync(list); err != nil {
		return kept, err
	}
	if err := os.Rename(list, path); err != nil {
		return kept, err
	}
	return kept, files.Sync(filepath.Dir(path))
}

// urisByHash reads files of URIs.
func urisByHash(u *ui, names []string) (map[string]string, error) {
	uris := map[string]string{}
	for _, name := range names {
		err := readSeedFile(u, name, func(uri string) error {
			if u, err := seedlist.ParseURI(uri); err == nil {
				uris[u.Hash()] = u.Given
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("--seeds: %w", err)
		}
	}
	return uris, nil
}

// cleanContent is what a clean file holds, if it is whole and named by that.
func cleanContent(ctx context.Context, blobs files.Opener, hash string) (*digest.Content, bool) {
	file, err := blobs.Open(hash, files.Clean)
	if err != nil {
		return nil, false
	}
	defer file.Close()
	is, err := files.VerifyClean(ctx, files.Sequential(file), nil)
	return &is, err == nil && is.MD5 == hash
}

// dirtyContent is what was downloaded for a seed.
func dirtyContent(blobs files.Opener, hash string) (*digest.Content, bool) {
	file, err := blobs.Open(hash, files.Dirty)
	if err != nil {
		return nil, false
	}
	defer file.Close()
	hasher := digest.NewHasher()
	if _, err := io.Copy(hasher, files.Sequential(file)); err != nil {
		return nil, false
	}
	is := hasher.Content()
	return &is, true
}

// showLost tells of one seed or catalog that is lost.
func showLost(u *ui, l bolt.Lost) error {
	if u.json {
		return encodeTo(u.out, l)
	}
	name := l.Hash
	if name == "" {
		name = fmt.Sprintf("number %d", l.Number)
	}
	_, err := fmt.Fprintf(u.out, "%s %s is lost: %s\n", l.What, name, l.Why)
	return err
}

func showSalvaged(u *ui, r *salvaged, dryRun bool) error {
	if u.json {
		if err := encodeTo(u.out, r); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(u.out, "%d seeds: %d whole, %d with a state that was derived, %d that are fetched again, %d made of their files; "+
			"%d lost\n",
			r.Seeds, r.Whole, r.Restated, r.Refetched, r.FromFiles, r.Lost)
		fmt.Fprintf(u.out, "%d attempts, %d lost; %d catalogs, %d lost; %d hashes with files that no record names\n",
			r.Attempts, r.LostAttempts, r.Catalogs, r.LostCatalogs, r.NoRecord)
		switch {
		case dryRun:
			fmt.Fprintln(u.out, "nothing was changed")
		case r.Old != "":
			fmt.Fprintf(u.out, "the old list is kept as %s; \"laundromat verify\" holds the new one against the files\n", r.Old)
		}
	}
	if r.Lost+r.LostCatalogs+r.LostAttempts > 0 {
		return exit(exitFailed, nil)
	}
	return nil
}
