package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"laundromat/internal/files"
	"laundromat/seedlist/export"
)

// What the --data folder holds of a store of files that is elsewhere.
const (
	BlobsAddressFile = "blobs.address" // the address of the object store; absent where the files are in the folder
	SpoolFolder      = "spool"         // files that are written, before they are put there
)

// Files is a store of files with all that the program asks of it. A folder and a bucket are.
type Files interface {
	files.Blobs
	export.Blobs
	// Sweep removes what a crash left, and reports how many files.
	Sweep(ctx context.Context, options files.SweepOptions) (removed int, err error)
	// KeepFree ends writing while the disk of the --data folder has less left.
	KeepFree(bytes int64)
	// Left is how much is free there, and how much of that is to be kept.
	Left() (free, keep int64, err error)
	Close() error
}

// openBlobs opens the store of files that belongs to the --data folder.
func openBlobs(ctx context.Context, dir string) (Files, error) {
	return openBlobsWith(ctx, dir, filepath.Join(dir, SpoolFolder), files.Open)
}

// OpenFilesToRead opens it so that nothing is written.
func OpenFilesToRead(ctx context.Context, dir string) (Files, error) {
	return openBlobsWith(ctx, dir, "", func(dir string) (*files.Folder, error) { return files.OpenToRead(dir), nil })
}

func openBlobsWith(ctx context.Context, dir, spool string, open func(string) (*files.Folder, error)) (Files, error) {
	at, err := BlobsAddress(dir)
	switch {
	case err != nil:
		return nil, err
	case at == nil:
		folder, err := open(dir)
		if err != nil {
			return nil, err // not in the interface: a nil folder in one is not nil
		}
		return folder, nil
	}
	store, err := OpenBucket(ctx, *at, spool)
	if err != nil {
		return nil, err
	}
	return store, nil
}

// BlobsAddress is the address of the object store of the --data folder; nil if its files are in it.
func BlobsAddress(dir string) (*BucketAddress, error) {
	name := filepath.Join(dir, BlobsAddressFile)
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	at, err := ParseBucketAddress(strings.TrimSpace(string(text)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &at, nil
}

// openSettledBlobs opens the store where given says: see [SettleBlobs].
func openSettledBlobs(dir, given string) (Files, error) {
	if err := SettleBlobs(dir, given); err != nil {
		return nil, err
	}
	return openBlobs(context.Background(), dir)
}

// SettleBlobs writes down where the files of a new seed list are, as --blobs says; "" for its folder. Where there
// are files already, it says whether they are there: they don't move by another address, but by "store migrate".
func SettleBlobs(dir, given string) error {
	if given == "" {
		return nil
	}
	at, err := ParseBucketAddress(given)
	if err != nil {
		return misuse("--blobs: %w", err)
	}
	known, err := BlobsAddress(dir)
	switch {
	case err != nil:
		return err
	case known != nil && *known == at:
		return nil
	case known != nil:
		return misuse("--blobs: the files of %s are at %s: leave the flag out (\"laundromat store migrate\" copies them elsewhere)", dir,
			known)
	case HasFiles(dir):
		return misuse("--blobs: the files of %s are in it: leave the flag out, or begin with another --data (\"laundromat store migrate\" "+
			"copies them)", dir)
	}
	return writeAddress(dir, BlobsAddressFile, at.String())
}

// HasFiles says that the folder holds files of seeds.
func HasFiles(dir string) bool {
	enough := errors.New("one is enough")
	return files.OpenToRead(dir).Walk(context.Background(), func(string, files.Suffix, int64) error { return enough }) != nil
}
