//go:build !linux

package linesort

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
)

// createTemp makes a file that is removed when it is closed. Where the operating system
// lets go of the names of open files, it is removed at once.
func createTemp(dir string) (tempFile, error) {
	file, err := os.CreateTemp(dir, tempPattern)
	if err != nil {
		return nil, err
	}
	os.Remove(file.Name())
	return &namedTemp{file}, nil
}

type namedTemp struct{ *os.File }

func (t *namedTemp) Close() error {
	err := t.File.Close()
	if gone := os.Remove(t.Name()); err == nil && !errors.Is(gone, fs.ErrNotExist) {
		err = gone
	}
	return err
}

func discard(*os.File, int64, int64) {}

// writeParts writes parts one after the other to a file, from offset at on, and returns how much of them was written.
func writeParts(file tempFile, parts [][]byte, at int64) (int64, error) {
	n, err := file.WriteAt(bytes.Join(parts, nil), at)
	return int64(n), err
}
