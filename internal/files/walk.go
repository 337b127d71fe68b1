package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// SweepOptions say which temporary files are swept. Those that are in use are not.
type SweepOptions struct {
	// Before is when they must have been written at the latest; the zero time: whenever.
	Before time.Time
	// DryRun lets them stay; they are counted all the same.
	DryRun bool
	// Found is called for each, if it is not nil. Its error ends the sweep.
	Found func(name string, bytes int64) error
}

// Sweep removes the temporary files that a crash left, and reports how many. Those
// that this Folder has in use stay.
func (s *Folder) Sweep(ctx context.Context, o SweepOptions) (removed int, err error) {
	if s.readOnly && !o.DryRun {
		return 0, ErrReadOnly
	}
	entries, err := readDir(s.temp)
	if err != nil {
		return 0, local("files.Sweep", err)
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return removed, err
		}
		path := filepath.Join(s.temp, e.Name())
		batch, _, _ := strings.Cut(e.Name(), batchMark)
		s.mu.Lock()
		live := s.live[path] || s.live[filepath.Join(s.temp, batch)]
		s.mu.Unlock()
		if live {
			continue
		}
		info, err := e.Info()
		if err == nil && !o.Before.IsZero() && info.ModTime().After(o.Before) {
			continue
		}
		if err == nil && !o.DryRun {
			err = os.Remove(path)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return removed, local("files.Sweep", err)
		}
		removed++
		if o.Found != nil {
			if err := o.Found(e.Name(), info.Size()); err != nil {
				return removed, err
			}
		}
	}
	return removed, nil
}

// Walk calls fn for each file that is committed, with its size in bytes, in the
// order of the hashes. Files that come or go meanwhile may be left out; what does
// not belong to the store is. An error of fn ends the walk and is returned as it is.
func (s *Folder) Walk(ctx context.Context, fn func(hash string, suffix Suffix, size int64) error) error {
	outer, err := readDir(s.dir)
	if err != nil {
		return local("files.Walk", err)
	}
	for _, first := range outer {
		if !isPair(first) {
			continue
		}
		inner, err := readDir(filepath.Join(s.dir, first.Name()))
		if err != nil {
			return local("files.Walk", err)
		}
		for _, second := range inner {
			if !isPair(second) {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := s.walkFolder(first.Name()+second.Name(), fn); err != nil {
				return err
			}
		}
	}
	return nil
}

// walkFolder walks the folder of the hashes that begin with digits.
func (s *Folder) walkFolder(digits string, fn func(string, Suffix, int64) error) error {
	entries, err := readDir(filepath.Join(s.dir, digits[:2], digits[2:]))
	if err != nil {
		return local("files.Walk", err)
	}
	for _, e := range entries {
		name := e.Name()
		key, suffix, ok := splitName(name)
		if !ok || name[:4] != digits || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return local("files.Walk", err)
		}
		if err := fn(key, suffix, info.Size()); err != nil {
			return err
		}
	}
	return nil
}

// isPair says that an entry is a folder named by two digits of a hash.
func isPair(e fs.DirEntry) bool {
	return e.IsDir() && len(e.Name()) == 2 && strings.Trim(e.Name(), hexDigits) == ""
}

// readDir is os.ReadDir, but a folder that is gone is empty.
func readDir(dir string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return entries, err
}
