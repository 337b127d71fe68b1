package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// replaced is a file that is written anew, and keeps what it was under another name.
type replaced struct {
	to   Lines
	name string
	mode fs.FileMode
	told func(name, kept string)
}

// Replace begins to write a file anew. A link is followed: the file that it leads to
// is replaced. kept is called with the name that the old file has then.
func Replace(name string, options Options, kept func(name, kept string)) (Lines, error) {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(real)
	if err != nil {
		return nil, err
	}
	lines, err := options.Create(real)
	if err != nil {
		return nil, err
	}
	return &replaced{to: lines, name: real, mode: info.Mode().Perm(), told: kept}, nil
}

// Lines takes many lines at once.
func (r *replaced) Lines(text []byte, ends, shared []int, release func()) error {
	return r.to.(lineBlocks).Lines(text, ends, shared, release)
}

// Line takes a line.
func (r *replaced) Line(line []byte) error { return r.to.Line(line) }

// Abort leaves the file as it is.
func (r *replaced) Abort() { r.to.Abort() }

// lineBlocks takes many lines at once, as those that [Options.Create] makes do.
type lineBlocks interface {
	Lines(text []byte, ends, shared []int, release func()) error
}

// Close keeps the old file, and gives its name to the new one. Where that fails the old one is back.
func (r *replaced) Close() error {
	kept, back, err := keepAside(r.name)
	if err != nil {
		r.Abort()
		return err
	}
	if err := r.to.Close(); err != nil {
		return errors.Join(err, back())
	}
	if err := os.Chmod(r.name, r.mode); err != nil {
		return err
	}
	r.told(r.name, kept)
	return nil
}

// keepAside gives a file a second name, of those that are free: NAME.orig, NAME.orig.2 and so on. Where the
// file system knows no second names it has that one alone. The function undoes it.
func keepAside(name string) (kept string, back func() error, err error) {
	for n := 1; ; n++ {
		if kept = name + ".orig"; n > 1 {
			kept = fmt.Sprintf("%s.orig.%d", name, n)
		}
		if err = os.Link(name, kept); err == nil {
			return kept, func() error { return os.Remove(kept) }, nil
		}
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if _, taken := os.Lstat(kept); taken != nil {
			break
		}
	}
	if err := os.Rename(name, kept); err != nil {
		return "", nil, fmt.Errorf("keep the old %s: %w", name, err)
	}
	return kept, func() error { return os.Rename(kept, name) }, nil
}
