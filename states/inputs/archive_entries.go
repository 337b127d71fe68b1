package inputs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"laundromat/archive"
	"laundromat/internal/fault"
)

// Entries is an archive whose entries can be opened in any order, as files that are called NAME!/entry.
type Entries struct {
	name  string            // of the archive, absolute
	dir   string            // of the files
	files map[string]string // by the names of entries
}

// Unpack unpacks a file that is a zip, if it has an entry of a name, which is returned as NAME!/entry: in no folder or,
// without one there, in the only folder that has one. Else the answer is nil, and nothing is unpacked.
func Unpack(ctx context.Context, name, wanted, temp string, limits archive.Limits) (a *Entries, entry string, err error) {
	if !fileExists(name) {
		return nil, "", nil // whoever reads it says so
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	source, err := SourceOf(file)
	if err != nil {
		return nil, "", err
	}
	var lost error
	opened, err := archive.Open(ctx, source, name, limits, func(n fault.Notice) {
		if n.Severity == fault.Drop && lost == nil {
			lost = fault.New("inputs.Unpack", fault.Data, n.Code, "%s: %s", name, n.Message)
		}
	})
	if err != nil {
		return nil, "", ctx.Err() // whoever reads it says so
	}
	defer opened.Close()
	if opened.Format != "zip" || len(opened.Filters) > 0 {
		return nil, "", nil
	}
	if entry, err = soleEntry(ctx, opened, wanted); entry == "" || err != nil {
		return nil, "", err
	}
	a = &Entries{files: map[string]string{}}
	if a.name, err = filepath.Abs(name); err != nil {
		return nil, "", err
	}
	if a.dir, err = os.MkdirTemp(temp, "laundromat-*"); err != nil {
		return nil, "", err
	}
	if err = errors.Join(opened.Entries(ctx, a.write), lost); err != nil {
		return nil, "", errors.Join(err, a.Close())
	}
	return a, name + "!/" + entry, nil
}

// soleEntry finds the entry of a name.
func soleEntry(ctx context.Context, opened *archive.Opened, wanted string) (string, error) {
	var inFolders []string
	top := false
	err := opened.Entries(ctx, func(e archive.Entry, _ io.Reader) error {
		name := entryName(e.Name)
		top = top || name == wanted
		if path.Base(name) == wanted {
			inFolders = append(inFolders, name)
		}
		return nil
	})
	switch {
	case err != nil:
		return "", ctx.Err() // whoever reads it says so
	case top:
		return wanted, nil
	case len(inFolders) == 1:
		return inFolders[0], nil
	}
	return "", nil
}

// entryName is the name of an entry without steps that lead out of the archive.
func entryName(name string) string { return strings.TrimPrefix(path.Clean("/"+name), "/") }

// write writes an entry into a file. Of several with one name, the first counts.
func (a *Entries) write(e archive.Entry, from io.Reader) error {
	name := entryName(e.Name)
	if a.files[name] != "" {
		return nil
	}
	path := filepath.Join(a.dir, strconv.Itoa(len(a.files)))
	to, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	a.files[name] = path
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}

// path is the file of an entry, and the name by which people know it. isEntry is false for names of other files.
func (a *Entries) path(name string) (file string, isEntry bool, err error) {
	if a == nil {
		return "", false, nil
	}
	absolute, err := filepath.Abs(name)
	if err != nil {
		return "", false, err
	}
	entry, isEntry := strings.CutPrefix(filepath.ToSlash(absolute), filepath.ToSlash(a.name)+"!/")
	if !isEntry {
		return "", false, nil
	}
	if file = a.files[entry]; file == "" {
		return "", true, &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("the archive has no such entry: %w", fs.ErrNotExist)}
	}
	return file, true, nil
}

// Close removes the files.
func (a *Entries) Close() error {
	if a == nil {
		return nil
	}
	return os.RemoveAll(a.dir)
}
