package daemon

import (
	"bytes"

	"laundromat/internal/files"
)

// indexFile takes the index of a clean file, which is a file of its own only if it is needed. For a
// small document, that would be a third of all that the disk has to do.
type indexFile struct {
	store   files.Blobs
	begun   bytes.Buffer
	pending files.Pending // once it has become long
}

// inMemoryIndex is how much of an index waits in memory.
const inMemoryIndex = 64 << 10

func (x *indexFile) Write(p []byte) (int, error) {
	if x.pending != nil {
		return x.pending.Write(p)
	}
	x.begun.Write(p)
	if x.begun.Len() > inMemoryIndex {
		if err := x.create(); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// create makes the file, with what came so far.
func (x *indexFile) create() (err error) {
	if x.pending, err = x.store.Create(); err != nil {
		return err
	}
	_, err = x.pending.Write(x.begun.Bytes())
	x.begun = bytes.Buffer{}
	return err
}

// seal makes it the index of the clean file of a hash.
func (x *indexFile) seal(hash string) (files.Pending, error) {
	if x.pending == nil {
		if err := x.create(); err != nil {
			return nil, err
		}
	}
	return x.pending, x.pending.Seal(hash, files.Index)
}

func (x *indexFile) abort() {
	if x.pending != nil {
		x.pending.Abort()
	}
}
