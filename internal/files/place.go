package files

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Placed says how a file of the store came to be outside of it.
type Placed struct {
	Size    int64
	Changed time.Time // when the store's file was written
	// Already says that it was there before, and Copied that it is a copy, not a link.
	Already, Copied bool
}

// Place puts a file where people find it, at path. It is a hard link to the store's file,
// or a copy where that is asked for or no link can be made. What is there already as it
// should is left alone, anything else is replaced as a whole; the folders on the way are
// made. If the store has no such file, the error is fs.ErrNotExist.
//
// A link is the store's own file: who writes into it damages the store.
func (s *Folder) Place(hash string, suffix Suffix, path string, copied bool) (Placed, error) {
	source, err := s.path(hash, suffix)
	if err != nil {
		return Placed{}, err
	}
	from, err := os.Stat(source)
	if err != nil {
		return Placed{}, missingOr("files.Place", hash, suffix, err)
	}
	p := Placed{Size: from.Size(), Changed: from.ModTime(), Copied: copied}
	if there, err := os.Lstat(path); err == nil {
		same := os.SameFile(from, there)
		if same && !copied {
			p.Already = true
			return p, nil
		}
		if !same && there.Mode().IsRegular() && there.Size() == p.Size && there.ModTime().Equal(p.Changed) {
			p.Already, p.Copied = true, true
			return p, nil
		}
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return p, fmt.Errorf("files.Place: %w", err)
	}
	// No name that is given out begins so, and each is used once.
	temp := filepath.Join(folder, "+"+rand.Text())
	if !copied {
		if err := os.Link(source, temp); err == nil {
			return p, finish(temp, path)
		} else if errors.Is(err, fs.ErrNotExist) {
			return p, missingOr("files.Place", hash, suffix, err)
		}
		p.Copied = true // another file system, or one without links
	}
	err = copyFile(temp, source, 0o666, func(*os.File) error { return nil })
	if err == nil {
		err = os.Chtimes(temp, time.Time{}, p.Changed)
	}
	if err != nil {
		os.Remove(temp)
		if errors.Is(err, fs.ErrNotExist) {
			return p, missingOr("files.Place", hash, suffix, err)
		}
		return p, fmt.Errorf("files.Place: %w", err)
	}
	return p, finish(temp, path)
}

// PlaceBlob copies an open file to path, as [Folder.Place] does. One of the same length and time that is
// there already is left alone. The copy has the time of the blob.
func PlaceBlob(blob Blob, path string) (Placed, error) {
	p := Placed{Size: blob.Size(), Changed: blob.ModTime(), Copied: true}
	if there, err := os.Lstat(path); err == nil &&
		there.Mode().IsRegular() && there.Size() == p.Size && there.ModTime().Equal(p.Changed) {
		p.Already = true
		return p, nil
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return p, fmt.Errorf("files.PlaceBlob: %w", err)
	}
	temp := filepath.Join(folder, "+"+rand.Text())
	out, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		_, err = io.Copy(out, Sequential(blob))
		err = errors.Join(err, out.Close())
	}
	if err == nil {
		err = os.Chtimes(temp, time.Time{}, p.Changed)
	}
	if err != nil {
		os.Remove(temp)
		return p, fmt.Errorf("files.PlaceBlob: %w", err)
	}
	return p, finish(temp, path)
}

// finish gives a file that is whole its name.
func finish(temp, path string) error {
	if err := os.Rename(temp, path); err != nil {
		os.Remove(temp)
		return fmt.Errorf("files.Place: %w", err)
	}
	return nil
}
