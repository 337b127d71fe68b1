package files

import (
	"os"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// disk makes files durable. A few are made so one by one, many by one call for their file
// system, which takes the time of a few.
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
		wait.Go(func() { errs[i] = Sync(path) })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// create makes a file that does not exist yet, to be written and read. With four more system calls,
// os.OpenFile asks whether one can wait for the file.
func create(path string) (*os.File, error) {
	for {
		fd, err := unix.Open(path, unix.O_RDWR|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC|unix.O_LARGEFILE, 0o600)
		switch err {
		case nil:
			return os.NewFile(uintptr(fd), path), nil
		case unix.EINTR:
		default:
			return nil, &os.PathError{Op: "open", Path: path, Err: err}
		}
	}
}

// rename gives a file another name, in the place of what has it. os.Rename looks before whether that is a
// folder, as the system does.
func rename(from, to string) error {
	for {
		switch err := unix.Rename(from, to); err {
		case nil:
			return nil
		case unix.EINTR:
		default:
			return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
		}
	}
}

func syncOpen(file *os.File) error { return file.Sync() }
