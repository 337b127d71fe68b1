package files

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// pendingFile is a [Pending] of a folder.
type pendingFile struct {
	store  *Folder
	path   string // of the temporary file
	file   *os.File
	size   int64
	err    error
	sealed bool
	ended  bool
	// isThere says, from Commit on, that there is a file of its name with the same bytes. It was
	// looked for if isCompared is set.
	isThere, isCompared bool

	hash   string
	suffix Suffix
	target string

	batch  *folderBatch // that it is of; nil if it is alone
	number int          // in that
}

// Create makes a temporary file.
func (s *Folder) Create() (Pending, error) {
	if s.readOnly {
		return nil, ErrReadOnly
	}
	p := &pendingFile{store: s, path: filepath.Join(s.temp, rand.Text())}
	s.mu.Lock()
	s.live[p.path] = true // before it is there, so that Sweep never takes it
	s.mu.Unlock()
	file, err := create(p.path)
	if err != nil {
		p.end()
		return nil, local("files.Create", err)
	}
	p.file = file
	return p, nil
}

var errSealed = errors.New("files: the file is sealed or ended")

// Write appends to the file. Its first error is kept: the file can't be sealed then.
func (p *pendingFile) Write(data []byte) (int, error) {
	if p.file == nil {
		return 0, errSealed
	}
	if p.err != nil {
		return 0, p.err
	}
	n, err := p.file.Write(data)
	p.size += int64(n)
	if err != nil {
		p.err = local("files.Write", err)
	} else if before := p.size - int64(n); p.size/lookEvery != before/lookEvery {
		p.err = p.store.Short()
	}
	return n, p.err
}

// Restart makes the file empty again. An error of a write before is forgotten.
func (p *pendingFile) Restart() error {
	if p.file == nil {
		return errSealed
	}
	err := p.file.Truncate(0)
	if err == nil {
		_, err = p.file.Seek(0, io.SeekStart)
	}
	if p.size, p.err = 0, nil; err != nil {
		p.err = local("files.Restart", err)
	}
	return p.err
}

// Size is the number of bytes written.
func (p *pendingFile) Size() int64 { return p.size }

// ReadAt reads what was written, before it is sealed.
func (p *pendingFile) ReadAt(data []byte, at int64) (int, error) {
	if p.file == nil {
		return 0, errSealed
	}
	return p.file.ReadAt(data, at)
}

// Hash is the hash that Seal was given; "" before.
func (p *pendingFile) Hash() string { return p.hash }

// Suffix is the one that Seal was given; "" before.
func (p *pendingFile) Suffix() Suffix { return p.suffix }

// Seal ends the writing and says what the file will be called. Nobody sees it under
// that name before it is committed.
func (p *pendingFile) Seal(hash string, suffix Suffix) error {
	if p.file == nil {
		return errSealed
	}
	if p.err != nil {
		return p.err
	}
	target, err := p.store.path(hash, suffix)
	if err != nil {
		return err
	}
	if info, err := p.file.Stat(); err != nil {
		return p.fail(err)
	} else if info.Size() != p.size {
		return p.fail(fmt.Errorf("%d bytes written, %d in the file", p.size, info.Size()))
	}
	if err := beforeClose(p.file); err != nil {
		return p.fail(err)
	}
	err = p.file.Close()
	p.file = nil
	if err != nil {
		return p.fail(err)
	}
	p.hash, p.suffix, p.target, p.sealed = hash, suffix, target, true
	return nil
}

func (p *pendingFile) fail(err error) error {
	p.err = local("files.Seal", err)
	return p.err
}

// Abort gives the file up. After Commit, or a second time, it does nothing.
func (p *pendingFile) Abort() {
	if p.ended {
		return
	}
	if p.file != nil {
		p.file.Close()
		p.file = nil
	}
	os.Remove(p.path) // what stays is swept
	p.end()
}

// end says that the temporary file is gone.
func (p *pendingFile) end() {
	p.ended = true
	if p.batch != nil {
		return // the batch is known to be in use as a whole
	}
	p.store.mu.Lock()
	delete(p.store.live, p.path)
	p.store.mu.Unlock()
}
