package outfile

import (
	"io"
	"os"
	"path/filepath"
)

// Whole is a file that is kept if it is closed.
type Whole interface {
	io.WriteCloser
	Abort()
}

// CreateOrOpen begins a file that takes its name when it is closed. A device or pipe is written in place, and of a link
// what it leads to is replaced.
func CreateOrOpen(path string) (Whole, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		return device{file}, err
	}
	return Create(path)
}

// device is a device or pipe: nothing can be taken back.
type device struct{ *os.File }

// Abort closes it.
func (f device) Abort() { f.File.Close() }
