package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"laundromat/internal/disk"
	"laundromat/internal/files"
	"laundromat/states"
)

// outputOptions say how lines are written.
type outputOptions struct {
	level   int
	workers int
}

// stream writes lines to w, uncompressed.
func (o outputOptions) stream(w io.Writer) states.LineWriter {
	return &plainLines{w: bufio.NewWriterSize(w, 256<<10)}
}

// create writes lines to a file, which appears under its name only when it is
// complete; errors call it as told. A device or pipe is written in place.
func (o outputOptions) create(name, told string) (states.LineWriter, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		device, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &plainLines{w: bufio.NewWriterSize(device, 256<<10), closer: device}, nil
	}
	whole, err := newWholeFile(name)
	if err != nil {
		return nil, err
	}
	whole.told = told
	if strings.HasSuffix(name, ".gz") {
		return &gzipLines{CleanWriter: files.NewCleanWriter(whole, files.CleanOptions{Level: o.level, Workers: o.workers, Unmeasured: true}), file: whole}, nil
	}
	return o.plain(whole), nil
}

// plain writes lines to a file as they are.
func (o outputOptions) plain(whole *wholeFile) states.LineWriter {
	return &plainLines{w: bufio.NewWriterSize(whole, 256<<10), closer: whole, abort: whole.abort}
}

// besideFile creates a temporary file in the folder of name, with the mode that
// the user's files have.
func besideFile(name string) (*os.File, error) {
	folder, base := filepath.Split(name)
	for {
		temp := filepath.Join(folder, fmt.Sprintf(".%s-%08x", base, rand.Uint32()))
		file, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, os.ErrExist) {
			return file, err
		}
	}
}

// wholeFile is a temporary file that takes its name when it is closed. Disk for it is taken
// ahead of what is written.
type wholeFile struct {
	file *os.File
	name string
	told string // what errors call it
	size int64
	room *disk.Room
	done bool
}

func newWholeFile(name string) (*wholeFile, error) {
	file, err := besideFile(name)
	if err != nil {
		return nil, err
	}
	folder := filepath.Dir(name)
	if whole, err := filepath.Abs(folder); err == nil {
		folder = whole
	}
	room := disk.NewRoom(folder, func(offset, length int64) error { return disk.Reserve(file, offset, length) })
	return &wholeFile{file: file, name: name, told: name, room: room.Gently()}, nil
}

// Write tells of a disk that is short how much is missing, where, and what is left there.
func (f *wholeFile) Write(p []byte) (int, error) {
	if err := f.room.Need(f.size, int64(len(p))); err != nil {
		return 0, fmt.Errorf("write %s: %w", f.told, err)
	}
	n, err := f.file.Write(p)
	f.size += int64(n)
	if errors.Is(err, syscall.ENOSPC) { // where no room could be taken, or little was written
		err = fmt.Errorf("write %s: %w", f.told, f.room.Short(f.size, int64(len(p)-n), syscall.ENOSPC))
	}
	return n, err
}

func (f *wholeFile) Close() error {
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

func (f *wholeFile) abort() {
	if !f.done {
		f.done = true
		f.file.Close()
		os.Remove(f.file.Name())
	}
}

type plainLines struct {
	w      *bufio.Writer
	closer io.Closer
	abort  func()
}

func (p *plainLines) Line(line []byte) error {
	if _, err := p.w.Write(line); err != nil {
		return err
	}
	return p.w.WriteByte('\n')
}

func (p *plainLines) Lines(text []byte, _, _ []int, release func()) error {
	defer release()
	_, err := p.w.Write(text)
	return err
}

func (p *plainLines) Close() error {
	err := p.w.Flush()
	if p.closer == nil {
		return err
	}
	if err != nil {
		p.Abort()
		return err
	}
	return p.closer.Close()
}

func (p *plainLines) Abort() {
	if p.abort != nil {
		p.abort()
	}
}

type gzipLines struct {
	*files.CleanWriter
	file *wholeFile
}

func (g *gzipLines) Close() error {
	if err := g.CleanWriter.Close(); err != nil {
		g.file.abort()
		return err
	}
	return g.file.Close()
}

func (g *gzipLines) Abort() {
	if !g.file.done {
		g.CleanWriter.Close()
		g.file.abort()
	}
}

// documentFiles gives each document a file of its own in a folder.
type documentFiles struct {
	folder string
	taken  map[string]bool
}

// path is the file for the document of that name: its last parts, joined by "!",
// with ".nq" behind; a name that is taken gets a number.
func (d *documentFiles) path(name string) string {
	parts := strings.Split(name, "!/")
	parts[0] = filepath.Base(strings.TrimRight(parts[0], "/"))
	flat := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, strings.Join(parts, "!"))
	if flat == "-" || flat == "" || flat == "." {
		flat = "stdin"
	}
	if len(flat) > 200 {
		flat = flat[:200]
	}
	candidate := flat + ".nq"
	if d.taken == nil {
		d.taken = map[string]bool{}
	}
	for n := 2; d.taken[strings.ToLower(candidate)]; n++ {
		candidate = fmt.Sprintf("%s-%d.nq", flat, n)
	}
	d.taken[strings.ToLower(candidate)] = true
	return filepath.Join(d.folder, candidate)
}
