//go:build !linux

package files

import (
	"os"
	"runtime"
)

// disk makes files durable, one by one.
type disk struct{}

func (d *disk) open(string) error { return nil }
func (d *disk) close() error      { return nil }

// beforeClose makes a file durable while it is open for writing, which some
// systems ask for.
func beforeClose(file *os.File) error { return file.Sync() }

// sync makes the names in some folders durable; what files hold is already.
func (d *disk) sync(_, folders []string) error {
	for _, path := range folders {
		if err := Sync(path); err != nil {
			return err
		}
	}
	return nil
}

// create makes a file that is not there yet, to be written and read.
func create(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

// rename gives a file another name, in the place of what has it.
func rename(from, to string) error { return os.Rename(from, to) }

// syncOpen syncs a folder, where folders can be synced.
func syncOpen(file *os.File) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	return file.Sync()
}
