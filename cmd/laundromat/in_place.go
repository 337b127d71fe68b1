package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"laundromat/internal/outfile"
	"laundromat/rdf/clean"
	"laundromat/states"
	"laundromat/states/inputs"
)

// checkInPlace checks what --in-place is given, before anything is read: files whose names say what can be
// written.
func (o *washOptions) checkInPlace(args []string) error {
	if o.output != "" || o.to != "" {
		return usage("--in-place writes each FILE under its own name: leave -o and --to out")
	}
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch _, ok := formNamed(arg); {
		case arg == "-" || inputs.IsWeb(arg) || err != nil && strings.Contains(arg, "://"):
			return usage("--in-place: %s is no FILE", arg)
		case err != nil: // which is told like that of any other
		case !info.Mode().IsRegular():
			return usage("--in-place: %s is no regular file", arg)
		case !ok:
			return usage("--in-place: %s can't be written again as what it is%s; the names are %s: write to another file, with -o",
				arg, meantName(arg), writable())
		}
	}
	return nil
}

// inPlace makes the target that writes each document over its file.
func (r *washRun) inPlace() states.Target {
	o := r.options
	return &states.Separate{Unsorted: o.noSort, Make: func(name string) states.Target {
		form, ok := formNamed(name)
		r.prefixes = o.prefixes.fresh()
		prefixes := r.prefixes
		return o.one(form, func() (states.LineWriter, error) {
			if !ok || strings.Contains(name, "!/") {
				return nil, fmt.Errorf("%s is part of another file, and can't be written in its place", name)
			}
			r.written = name
			return replace(name, form.lines(o, prefixes), r.tellKept)
		})
	}}
}

// tellKept says where the old file is.
func (r *washRun) tellKept(name, kept string) {
	r.ui.note("%s is washed; as it was it is %s", name, kept)
}

// outputOf is what the form of a file can't say, where each is written in its own.
func (o *washOptions) outputOf(name string) clean.Output {
	form, _ := formNamed(name)
	return form.cleanOutput()
}

// replaced is a file that is written anew, and keeps what it was under another name.
type replaced struct {
	to   outfile.Lines
	name string
	mode fs.FileMode
	tell func(name, kept string)
}

// replace begins to write a file anew. A link is followed: the file that it leads to is replaced.
func replace(name string, options outfile.Options, tell func(name, kept string)) (outfile.Lines, error) {
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
	return &replaced{to: lines, name: real, mode: info.Mode().Perm(), tell: tell}, nil
}

// Lines takes many lines at once.
func (r *replaced) Lines(text []byte, ends, shared []int, release func()) error {
	return r.to.(lineBlocks).Lines(text, ends, shared, release)
}

// Line takes a line.
func (r *replaced) Line(line []byte) error { return r.to.Line(line) }

// Abort leaves the file as it is.
func (r *replaced) Abort() { r.to.Abort() }

// lineBlocks takes many lines at once, as those that [outfile.Options.Create] makes do.
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
	r.tell(r.name, kept)
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
