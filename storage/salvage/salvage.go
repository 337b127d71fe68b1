// Package salvage makes a new seed list for a data folder whose list is damaged: of what can be read of it, and of the
// files.
package salvage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"laundromat/internal/digest"
	"laundromat/internal/files"
	"laundromat/seedlist/bolt"
	"laundromat/storage"
)

// Options are those of a salvage.
type Options struct {
	// URIs may have been in the list, by their hashes.
	URIs map[string]string
	// DryRun changes nothing.
	DryRun bool
	// Lost is called for each seed and catalog that is lost.
	Lost func(bolt.Lost) error
}

// Salvaged is what became of the list.
type Salvaged struct {
	bolt.Salvaged
	// Old is the name that the damaged list has now; absent where there was none, or nothing was changed.
	Old string `json:"old,omitempty"`
}

// Run makes the new list of the data folder dir, on which no daemon may work, and keeps the old one under another name.
func Run(ctx context.Context, dir string, o Options) (result Salvaged, err error) {
	path := filepath.Join(dir, storage.ListFile)
	if err := storage.OnlyInFolder(dir, "salvage", "PostgreSQL's own tools mend that"); err != nil {
		return result, err
	}
	blobs, err := storage.OpenFilesToRead(ctx, dir)
	if err != nil {
		return result, err
	}
	defer blobs.Close()
	missing, err := bolt.Missing(path)
	if err != nil {
		return result, err
	}
	if missing && storage.RefuseNewList(dir) == nil {
		return result, storage.NoList(dir)
	}
	temp, err := os.MkdirTemp(dir, storage.Unfinished+"*")
	if err != nil {
		return result, err
	}
	defer os.RemoveAll(temp)
	into := filepath.Join(temp, storage.ListFile)
	fences := map[string]uint64{} // of the last file of a hash as it was downloaded
	sums, err := bolt.Salvage(ctx, path, into, bolt.SalvageOptions{
		URIs:  o.URIs,
		Clean: func(hash string) (*digest.Content, bool) { return cleanContent(ctx, blobs, hash) },
		Dirty: func(hash string) (*digest.Content, uint64, bool) {
			if is, ok := dirtyContent(blobs, hash); ok || fences[hash] == 0 {
				return is, 0, ok
			}
			is, ok := dirtyContent(blobs, files.Key(hash, fences[hash]))
			return is, fences[hash], ok
		},
		Files: func(yield func(string, bool, bool) error) error {
			return blobs.Walk(ctx, func(key string, suffix files.Suffix, _ int64) error {
				hash := files.HashOf(key)
				if _, fence, err := files.SplitKey(key); err == nil && suffix == files.Dirty {
					fences[hash] = max(fences[hash], fence)
				}
				return yield(hash, suffix == files.Clean, suffix == files.Dirty)
			})
		},
		Lost: o.Lost,
	})
	if errors.As(err, new(*bolt.LockedError)) {
		return result, fmt.Errorf("%s: %w: salvage works on a list that no daemon uses", dir, err)
	}
	if err != nil {
		return result, err
	}
	result.Salvaged = sums
	if !o.DryRun {
		if result.Old, err = storage.PutInPlace(into, path, "damaged"); err != nil {
			return result, err
		}
	}
	return result, nil
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
func dirtyContent(blobs files.Opener, key string) (*digest.Content, bool) {
	file, err := blobs.Open(key, files.Dirty)
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
