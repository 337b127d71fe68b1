package files

import (
	"context"
	"io"
	"time"
)

// Blobs is a store of files, each named by a hash, or a [Key], and a suffix. [Folder] is the one that
// a machine's disk holds.
//
// An implementer must guarantee this to its callers, from as many goroutines as like:
//
//   - a file is whole or not there: nobody sees half of one under its name;
//   - what Commit has returned nil for survives a loss of power;
//   - a file never changes once it has its name, though another may take its place;
//   - trouble of the store's own is an error of kind [fault.Local].
//
// The caller must ensure this: a file is committed before a record names it, and its record
// is gone before the file is removed.
type Blobs interface {
	Opener
	Writer
	Upkeep
}

// Opener is what those need who read files. If there is no such file, the error is
// fs.ErrNotExist.
type Opener interface {
	// Open opens a file. The caller closes it.
	Open(hash string, suffix Suffix) (Blob, error)
	// Size is the length of a file in bytes.
	Size(hash string, suffix Suffix) (int64, error)
}

// Blob is an open file of a store. It may be read on several goroutines at once, until
// Close. It stays readable, and the same, if the file is removed or replaced meanwhile.
type Blob interface {
	io.ReaderAt
	io.Closer
	// Size is its length in bytes.
	Size() int64
	// ModTime is when it was written.
	ModTime() time.Time
}

// Sequential reads a blob from its beginning on. It can seek.
func Sequential(b Blob) *io.SectionReader { return io.NewSectionReader(b, 0, b.Size()) }

// Writer is what those need who make files: see the package's comment for the steps.
type Writer interface {
	// Create makes a temporary file.
	Create() (Pending, error)
	// NewBatch begins a batch of temporary files.
	NewBatch() Batch
	// Again makes a sealed file of one that is committed, for another hash or for its own.
	// What it holds stays, whatever becomes of the first. If there is no such file, the
	// error is fs.ErrNotExist.
	Again(hash string, suffix Suffix, as string) (Pending, error)
	// Commit gives sealed files of this store their names, and makes them durable. Calls of
	// several goroutines may be done together, since a store can make many files durable
	// in the time of one. After an error the files of the call are given up, unless it is an
	// [UnstoredError]; some may have their names, whole, and no record. A clean file or an index that is there already
	// is kept if it has the same bytes. One with others is damaged, or was packed otherwise.
	//
	// A context that ends while the call waits for its turn ends the call.
	Commit(ctx context.Context, pending ...Pending) error
	// Short says, as an error of kind Local, that there is too little room to write more.
	Short() error
}

// UnstoredError is an error of Commit by a store that is away. The files of the call are as they were sealed: it may be
// made again, or its caller gives them up. A disk that failed to write may have lost what it holds, so that a folder's
// files are never committed again.
type UnstoredError struct{ Err error }

func (e *UnstoredError) Error() string { return e.Err.Error() }

// Unwrap is the trouble of the store.
func (e *UnstoredError) Unwrap() error { return e.Err }

// Pending is a file that is being written. It is used from one goroutine, and ends
// with Commit or Abort. Writes are not buffered.
type Pending interface {
	// Write appends. Its first error is kept: the file can't be sealed then.
	io.Writer
	// ReadAt reads what was written, before it is sealed.
	io.ReaderAt
	// Restart makes the file empty again. An error of a write before is forgotten.
	Restart() error
	// Size is the number of bytes written.
	Size() int64
	// Seal ends the writing and says what the file will be called. Nobody sees it under
	// that name before it is committed.
	Seal(hash string, suffix Suffix) error
	// Hash and Suffix are what Seal was given; "" before.
	Hash() string
	Suffix() Suffix
	// Open opens a sealed file for reading, before it is committed.
	Open() (Blob, error)
	// Aside says what a sealed file of a batch is known by. The file itself may then be
	// forgotten until the batch takes it up again.
	Aside() (Aside, error)
	// Abort gives the file up. After Commit, or a second time, it does nothing.
	Abort()
}

// Batch makes temporary files, more of which may wait for their Commit than are to be held
// in memory. A sealed one can be laid aside, and taken up again by what identifies it. It
// is used from one goroutine, and ends with End.
type Batch interface {
	// Create makes a temporary file.
	Create() (Pending, error)
	// Take takes a file up again that was laid aside.
	Take(Aside) (Pending, error)
	// End removes what was not committed. A second time it does nothing.
	End()
}

// Aside is what a sealed file is known by that was laid aside.
type Aside struct {
	Number int   // in its batch, from 0
	Size   int64 // bytes
	Hash   string
	Suffix Suffix
}

// Upkeep is what those need who keep files and records in step.
type Upkeep interface {
	// Remove removes a file; that there is none is no error.
	Remove(hash string, suffix Suffix) error
	// RemoveAll removes all files of a hash, of whatever suffix and fence.
	RemoveAll(ctx context.Context, hash string) error
	// Walk calls fn for each committed file, with its [Key] and its size in bytes, in the order of
	// the hashes. Files that come or go meanwhile may be left out. An error of fn ends the walk
	// and is returned as it is.
	Walk(ctx context.Context, fn func(key string, suffix Suffix, size int64) error) error
	// Fenced says that many processes may write to the store. The key of each file of a seed must then have the
	// fence of the claim that wrote it.
	Fenced() bool
}
