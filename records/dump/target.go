package dump

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"laundromat/internal/disk"
	"laundromat/internal/files"
)

// A target is a file that takes its name when it is complete. Until then it is a hidden file
// of the same folder. A device or pipe, and a writer, are written to as they are.
type target struct {
	path string   // the name it takes; empty if it takes none
	file *os.File // the hidden file, or the device
	to   io.Writer
	out  *bufio.Writer
	dir  string // for temporary files

	whole string // a temporary file that is copied to the target when it is complete
	size  int64
	hash  string // of the complete file, as "sha256:" and hexadecimal digits
}

func createTarget(file File, temp string) (*target, error) {
	t := &target{dir: temp, to: file.Writer}
	if file.Writer != nil {
		t.out = bufio.NewWriterSize(t.to, 1<<18)
		return t, nil
	}
	if file.Path == "" {
		return nil, errors.New("a file to write has no name")
	}
	path := file.Path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // the link is kept, and what it leads to replaced
	}
	var err error
	if info, e := os.Stat(path); e == nil && info.IsDir() {
		return nil, &fs.PathError{Op: "write", Path: path, Err: errors.New("it is a folder")}
	} else if e == nil && !info.Mode().IsRegular() {
		t.file, err = os.OpenFile(path, os.O_WRONLY, 0)
	} else {
		t.path = path
		t.file, err = disk.CreateHidden(path)
	}
	if err != nil {
		return nil, err
	}
	t.to = t.file
	t.out = bufio.NewWriterSize(t.to, 1<<18)
	return t, nil
}

func (t *target) Write(p []byte) (int, error)             { return t.out.Write(p) }
func (t *target) WriteString(s string) (n int, err error) { return t.out.WriteString(s) }

// complete makes what was written durable, and measures it.
func (t *target) complete() error {
	if t.whole != "" {
		file, err := os.Open(t.whole)
		if err != nil {
			return err
		}
		defer file.Close()
		if _, err := io.Copy(t.out, file); err != nil {
			return err
		}
	}
	if err := t.out.Flush(); err != nil || t.path == "" {
		return err
	}
	if err := t.file.Sync(); err != nil {
		return err
	}
	sum := sha256.New()
	n, err := io.Copy(sum, io.NewSectionReader(t.file, 0, 1<<62))
	t.size, t.hash = n, "sha256:"+hex.EncodeToString(sum.Sum(nil))
	return err
}

// rename gives the complete file its name.
func (t *target) rename() error {
	if t.file == nil {
		t.abort()
		return nil
	}
	err := t.file.Close()
	if t.path != "" && err == nil {
		err = os.Rename(t.file.Name(), t.path)
	}
	if err != nil {
		t.abort()
		return err
	}
	t.file = nil
	t.abort()
	if t.path != "" {
		files.Sync(filepath.Dir(t.path)) // where the system can; a file is whole without it too
	}
	return nil
}

// abort removes what has no name yet.
func (t *target) abort() {
	if t.whole != "" {
		os.Remove(t.whole)
		t.whole = ""
	}
	if t.file != nil {
		t.file.Close()
		if t.path != "" {
			os.Remove(t.file.Name())
		}
		t.file = nil
	}
}
