// Package outfile writes the files of a verb: each takes its name when it is complete.
//
// A [File] is one such file. [Options.Create] writes lines to one, compressed where its name ends
// in .gz. [Parts] writes them to several files in turn. A [Folder] names a file for each document.
package outfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"laundromat/internal/disk"
)

// File is a temporary file that takes its name when it is closed. Disk for it is taken
// ahead of what is written.
type File struct {
	file   *os.File
	name   string
	called string // its name in errors
	size   int64
	room   *disk.Room
	done   bool
}

// Create begins a file that replaces the one of that name when it is closed.
func Create(name string) (*File, error) {
	file, err := disk.CreateHidden(name)
	if err != nil {
		return nil, err
	}
	folder := filepath.Dir(name)
	if whole, err := filepath.Abs(folder); err == nil {
		folder = whole
	}
	room := disk.NewRoom(folder, func(offset, length int64) error { return disk.Reserve(file, offset, length) })
	return &File{file: file, name: name, called: name, room: room.Gently()}, nil
}

// Write says of a full disk how many bytes are missing, where, and how many are left there.
func (f *File) Write(p []byte) (int, error) {
	if err := f.room.Need(f.size, int64(len(p))); err != nil {
		return 0, fmt.Errorf("write %s: %w", f.called, err)
	}
	n, err := f.file.Write(p)
	f.size += int64(n)
	if errors.Is(err, syscall.ENOSPC) { // where no room could be taken, or little was written
		err = fmt.Errorf("write %s: %w", f.called, f.room.Short(f.size, int64(len(p)-n), syscall.ENOSPC))
	}
	return n, err
}

// Sync makes what was written durable.
func (f *File) Sync() error { return f.file.Sync() }

// Close gives the file its name. Where that fails, nothing of it is left.
func (f *File) Close() error {
	if f.done {
		return nil
	}
	f.done = true
	f.room.Trim(f.file, f.size)
	err := f.file.Close()
	if err == nil {
		err = os.Rename(f.file.Name(), f.name)
	}
	if err != nil {
		os.Remove(f.file.Name())
	}
	return err
}

// Abort removes what was written, unless the file was closed.
func (f *File) Abort() {
	if !f.done {
		f.done = true
		f.file.Close()
		os.Remove(f.file.Name())
	}
}

// WriteFile writes a file that is there whole, or not at all.
func WriteFile(name string, text []byte) error {
	file, err := Create(name)
	if err != nil {
		return err
	}
	defer file.Abort()
	if _, err := file.Write(text); err != nil {
		return err
	}
	return file.Close()
}
