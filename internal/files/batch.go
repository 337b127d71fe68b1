package files

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strconv"
)

// folderBatch is a [Batch] of a folder: its files have a name in common, and a number each.
type folderBatch struct {
	store *Folder
	path  string // that the paths of its files begin with
	n     int
}

// NewBatch begins a batch.
func (s *Folder) NewBatch() Batch {
	b := &folderBatch{store: s, path: filepath.Join(s.temp, rand.Text())}
	s.mu.Lock()
	s.live[b.path] = true
	s.mu.Unlock()
	return b
}

// batchMark is between the name of a batch and the number of a file in it.
const batchMark = "-"

func (b *folderBatch) pathOf(number int) string { return b.path + batchMark + strconv.Itoa(number) }

// Create makes a temporary file.
func (b *folderBatch) Create() (Pending, error) {
	if b.store.readOnly {
		return nil, ErrReadOnly
	}
	p := &pendingFile{store: b.store, path: b.pathOf(b.n), batch: b, number: b.n}
	file, err := create(p.path)
	if err != nil {
		return nil, local("files.Create", err)
	}
	b.n++
	p.file = file
	return p, nil
}

// Aside says what a file of a batch is known by; it must be sealed.
func (p *pendingFile) Aside() (Aside, error) {
	if p.batch == nil || !p.sealed || p.ended {
		return Aside{}, errSealed
	}
	return Aside{Number: p.number, Size: p.size, Hash: p.hash, Suffix: p.suffix}, nil
}

// Take takes a file up again.
func (b *folderBatch) Take(a Aside) (Pending, error) {
	target, err := b.store.path(a.Hash, a.Suffix)
	if err != nil {
		return nil, err
	}
	return &pendingFile{store: b.store, path: b.pathOf(a.Number), batch: b, number: a.Number,
		size: a.Size, sealed: true, hash: a.Hash, suffix: a.Suffix, target: target}, nil
}

// End removes what was not committed. A second time it does nothing.
func (b *folderBatch) End() {
	for number := range b.n {
		os.Remove(b.pathOf(number)) // what stays is swept
	}
	b.n = 0
	b.store.mu.Lock()
	delete(b.store.live, b.path)
	b.store.mu.Unlock()
}
