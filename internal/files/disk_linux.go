package files

import (
	"os"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// disk makes files durable: a few one by one, many by one call for the file system
// they are on, which takes the time of a few.
type disk struct {
	root *os.File
	many int // from how many files on the file system is synced as a whole
}

// syncedWhole is from how many files on one call for the whole file system is
// faster than one for each. It is not lower, since that call also waits for what
// others have written there.
const syncedWhole = 8

func (d *disk) open(dir string) (err error) {
	d.many = syncedWhole
	d.root, err = os.Open(dir)
	return err
}

func (d *disk) close() error { return d.root.Close() }

// beforeClose does nothing: files are synced by Commit, many at a time.
func beforeClose(*os.File) error { return nil }

// sync makes durable what some files hold, and the names in some folders.
func (d *disk) sync(files, folders []string) error {
	paths := slices.Concat(files, folders)
	if len(paths) >= d.many {
		return unix.Syncfs(int(d.root.Fd()))
	}
	// Side by side they share the file system's journal writes.
	errs := make([]error, len(paths))
	var wait sync.WaitGroup
	for i, path := range paths {
		wait.Go(func() { errs[i] = syncPath(path) })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func syncOpen(file *os.File) error { return file.Sync() }
