package files

import (
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Again makes a sealed file of a committed one, to be kept under another hash, or under its
// own. Its contents stay, whatever becomes of the first. It takes no room where the file
// system knows hard links; files are never written to once they are sealed. If there is no
// such file, the error is fs.ErrNotExist.
func (s *Folder) Again(hash string, suffix Suffix, as string) (Pending, error) {
	if s.readOnly {
		return nil, ErrReadOnly
	}
	path, err := s.path(hash, suffix)
	if err != nil {
		return nil, err
	}
	target, err := s.path(as, suffix)
	if err != nil {
		return nil, err
	}
	p := &pendingFile{store: s, path: filepath.Join(s.temp, rand.Text())}
	s.mu.Lock()
	s.live[p.path] = true
	s.mu.Unlock()
	if err = os.Link(path, p.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		err = copyFile(p.path, path, 0o600, beforeClose)
	}
	var info os.FileInfo
	if err == nil {
		info, err = os.Stat(p.path)
	}
	if err != nil {
		p.Abort()
		return nil, missingOr("files.Again", hash, suffix, err)
	}
	p.size, p.hash, p.suffix, p.target, p.sealed = info.Size(), as, suffix, target, true
	return p, nil
}

// copyFile copies a file to a new one; before is called before that is closed.
func copyFile(to, from string, mode os.FileMode, before func(*os.File) error) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, before(out), out.Close())
}
