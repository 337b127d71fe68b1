package logfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"sync"
)

// File is a log on the disk. Before a line would make it too large, it is renamed to NAME.1, and
// NAME.1 to NAME.2, and so on. Then a new one is begun. Only a plain file is renamed: a device or a
// pipe has no size, and a link is somebody's decision on where the log lies. Its methods may be
// called from several goroutines.
type File struct {
	name string
	most int64 // bytes; 0: it grows without end
	keep int   // renamed ones that stay

	mu     sync.Mutex
	file   *os.File
	size   int64
	torn   bool // the last line was written in part
	retry  int64
	failed func(error)
}

// OpenFile opens a log, or makes it, readable for its owner only, and goes on at its end. It is
// renamed before it would hold more than most bytes (0: never), and keep of those renamed stay.
// The function failed is told when a log that is full could not be renamed: it goes on growing.
func OpenFile(name string, most int64, keep int, failed func(error)) (*File, error) {
	f := &File{name: name, most: most, keep: keep, failed: failed}
	if err := f.open(); err != nil {
		return nil, fmt.Errorf("log file: %w", err)
	}
	return f, nil
}

// open opens the file of the name. The one that was open stays so if that fails.
func (f *File) open() error {
	file, err := os.OpenFile(f.name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a folder", f.name)
	}
	if err != nil {
		file.Close()
		return err
	}
	if f.file != nil {
		f.file.Close()
	}
	f.file, f.size, f.retry, f.torn = file, info.Size(), 0, false
	return nil
}

// Write appends a line. A line of which only the beginning could be written is ended before the
// next one.
func (f *File) Write(line []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return 0, fs.ErrClosed
	}
	if f.isFull(len(line)) {
		if err := f.rotate(); err != nil {
			f.retry = f.size + max(1, f.most/10) // so that not every line tries
			if errors.Is(err, errLink) {
				f.retry = math.MaxInt64 // it stays one, and was said
			}
			f.failed(fmt.Errorf("the log file is full and could not be renamed: %w", err))
		}
	}
	if f.torn {
		n, err := f.file.Write([]byte{'\n'})
		f.size += int64(n)
		if err != nil {
			return 0, err
		}
		f.torn = false
	}
	n, err := f.file.Write(line)
	f.size += int64(n)
	f.torn = err != nil && n > 0
	return n, err
}

// errLink is why a full log that is reached by a link is not renamed.
var errLink = errors.New("its name is a link, which stays")

// isFull says that the file has no room for a line of so many bytes. Another program may have cut the file short,
// so that its size is looked at before it is believed.
func (f *File) isFull(line int) bool {
	full := func() bool {
		return f.most > 0 && f.size > 0 && f.size+int64(line) > f.most && f.size >= f.retry
	}
	if !full() {
		return false
	}
	info, err := f.file.Stat()
	switch {
	case err != nil:
		return true
	case !info.Mode().IsRegular():
		f.retry = math.MaxInt64 // a device or a pipe is never full
		return false
	}
	f.size = info.Size()
	return full()
}

// Reopen opens the file of the name anew, after another program has renamed it.
func (f *File) Reopen() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.open()
}

// Close closes the file.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	f.file = nil
	return err
}

// rotate renames the files, from the oldest on, and begins a new one.
func (f *File) rotate() error {
	if info, err := os.Lstat(f.name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return errLink
	} else if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s isn't a plain file", f.name)
	}
	if f.keep == 0 {
		if err := os.Remove(f.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return f.open()
	}
	for n := f.keep - 1; n >= 0; n-- {
		err := os.Rename(f.numbered(n), f.numbered(n+1))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return f.open()
}

// numbered is the name of the n-th file before the one that is written to.
func (f *File) numbered(n int) string {
	if n == 0 {
		return f.name
	}
	return fmt.Sprintf("%s.%d", f.name, n)
}
