// Package files keeps the files of seeds: what was downloaded, what is clean, and
// the lists of notices. A file is named by a hash and a suffix, never by a path.
//
// A file is written in three steps, so that no crash leaves half of one under its
// name, and no name without its file:
//
//	p, err := store.Create()          // a temporary file
//	defer p.Abort()                   // nothing is left if a step fails
//	…                                 // p is an io.Writer
//	err = p.Seal(hash, files.Clean)   // all is written; now it has a name
//	err = store.Commit(ctx, p, …)     // it is on the disk, under its name
//
// Only then may a record name it. Commits of several goroutines are done together,
// since what a disk does for one file it does for a thousand in the same time.
// After a crash, [Folder.Sweep] removes what was not committed.
//
// The package also knows how a clean file is made up: see [CleanWriter].
package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"laundromat/internal/fault"
)

// Suffix says what a file holds. Files of several suffixes may share a hash.
type Suffix string

const (
	Clean Suffix = ".nq.gz"  // clean N-Quads, as CleanWriter makes them
	Index Suffix = ".nq.idx" // the index of the clean file of the same hash
	// Statistics are what the clean file of the same hash says, as JSON; of one of a single member they are counted
	// when they are asked for.
	Statistics Suffix = ".statistics.json.gz"
	Dirty      Suffix = ".dirty"            // bytes as they were downloaded
	DirtyGzip  Suffix = ".dirty.gz"         // an entry written out of its archive, compressed
	Notices    Suffix = ".notices.jsonl.gz" // the full list of notices

	// Files of products have the fence of the claim that wrote them in their names, in every store.
	Records  Suffix = ".records.jsonl.gz"
	Articles Suffix = ".articles.jsonl.gz"
	Schema   Suffix = ".schema.json" // that of the records of the same key, not compressed
)

var suffixes = [...]Suffix{Clean, Index, Statistics, Dirty, DirtyGzip, Notices, Removed, Added, Renamed, Records, Articles, Schema}

// named says that the hash determines the content. A file that is there already is as good as
// a new one, unless it was damaged.
func (s Suffix) named() bool { return s == Clean || s == Index || s == Statistics }

// Folder is a folder of files on a disk: see [Blobs]. Its methods may be called from several goroutines.
// One process at a time may write to it or sweep it; the lock that sees to that is
// the seed list's.
type Folder struct {
	dir  string // holds a folder for the first two digits of the hash, in that one for the next two
	temp string
	// readOnly says that nothing is to be written.
	readOnly bool

	turn chan struct{} // held by who commits
	// renamed are those whose files have their names, which are not durable yet; whoever has
	// the turn uses it.
	renamed []*commit
	// folders has a bit for each that is known to be there, by the first two bytes of the
	// hash. Whoever has the turn sets them.
	folders [1 << 16 / 64]atomic.Uint64
	disk    disk
	// sync makes durable what some files hold, and the names in some folders: that of the
	// disk, unless a test watches it.
	sync func(files, folders []string) error
	// keepFree is how many bytes are to be left on the disk.
	keepFree atomic.Int64

	mu      sync.Mutex
	live    map[string]bool // temporary files in use
	waiting []*commit
}

// ErrReadOnly refuses writes to a store that was opened to be read.
var ErrReadOnly = errors.New("files: the store was opened to be read only")

// OpenToRead opens the store in dir, which need not exist, for reading. Nothing is created
// or changed, and calls that would are refused with [ErrReadOnly].
func OpenToRead(dir string) *Folder {
	return &Folder{dir: filepath.Join(dir, "blobs"), temp: filepath.Join(dir, "blobs", "temp"), readOnly: true}
}

// Open opens the store in dir, which it creates if need be, readable for its owner
// only.
func Open(dir string) (*Folder, error) {
	s := &Folder{
		dir:  filepath.Join(dir, "blobs"),
		turn: make(chan struct{}, 1),
		live: map[string]bool{},
	}
	s.temp = filepath.Join(s.dir, "temp")
	if err := os.MkdirAll(s.temp, 0o700); err != nil {
		return nil, local("files.Open", err)
	}
	for _, folder := range []string{s.dir, dir} {
		if err := Sync(folder); err != nil {
			return nil, local("files.Open", err)
		}
	}
	if err := s.disk.open(s.dir); err != nil {
		return nil, local("files.Open", err)
	}
	s.sync = s.disk.sync
	return s, nil
}

// Close ends the use of the store. Files that Open returned stay open.
func (s *Folder) Close() error {
	if s.readOnly {
		return nil
	}
	if err := s.disk.close(); err != nil {
		return local("files.Close", err)
	}
	return nil
}

// Open opens a file for reading. If there is none, the error is fs.ErrNotExist.
func (s *Folder) Open(hash string, suffix Suffix) (Blob, error) {
	path, err := s.path(hash, suffix)
	if err != nil {
		return nil, err
	}
	blob, err := openFile(path)
	if err != nil {
		return nil, missingOr("files.Open", hash, suffix, err)
	}
	return blob, nil
}

// diskBlob is an open file of a folder. Its path is nobody's business.
type diskBlob struct {
	file    *os.File
	size    int64
	written time.Time
}

func openFile(path string) (*diskBlob, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, err
	}
	return &diskBlob{file, info.Size(), info.ModTime()}, nil
}

func (b *diskBlob) ReadAt(p []byte, at int64) (int, error) { return b.file.ReadAt(p, at) }
func (b *diskBlob) Close() error                           { return b.file.Close() }
func (b *diskBlob) Size() int64                            { return b.size }
func (b *diskBlob) ModTime() time.Time                     { return b.written }

// Size is the length of a file in bytes. If there is none, the error is fs.ErrNotExist.
func (s *Folder) Size(hash string, suffix Suffix) (int64, error) {
	path, err := s.path(hash, suffix)
	if err != nil {
		return 0, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, missingOr("files.Size", hash, suffix, err)
	}
	return info.Size(), nil
}

// Remove removes a file; that there is none is no error. The record that names it
// must be gone before.
func (s *Folder) Remove(hash string, suffix Suffix) error {
	if s.readOnly {
		return ErrReadOnly
	}
	path, err := s.path(hash, suffix)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return local("files.Remove", err)
	}
	return nil
}

// RemoveAll removes all files of a hash.
func (s *Folder) RemoveAll(_ context.Context, hash string) error {
	if s.readOnly {
		return ErrReadOnly
	}
	if !isHash(hash) {
		return fmt.Errorf("files: %q is not a hash", hash)
	}
	entries, err := readDir(filepath.Join(s.dir, hash[:2], hash[2:4]))
	if err != nil {
		return local("files.RemoveAll", err)
	}
	for _, e := range entries {
		if key, suffix, ok := splitName(e.Name()); ok && HashOf(key) == hash {
			if err := s.Remove(key, suffix); err != nil {
				return err
			}
		}
	}
	return nil
}

// splitName gives the key and the suffix of the name of a file; ok is false for what is none of the store.
func splitName(name string) (key string, suffix Suffix, ok bool) {
	stem, _, _ := strings.Cut(name, ".")
	if suffix, ok = suffixOf(name[len(stem):]); !ok {
		return "", "", false
	}
	key = strings.Replace(stem, fileMark, keyMark, 1)
	return key, suffix, CheckName(key, suffix) == nil
}

func (s *Folder) path(hash string, suffix Suffix) (string, error) {
	if err := CheckName(hash, suffix); err != nil {
		return "", err
	}
	return filepath.Join(s.dir, hash[:2], hash[2:4], strings.Replace(hash, keyMark, fileMark, 1)+string(suffix)), nil
}

// fileMark is before the fence in the name of a file.
const fileMark = "-"

// Fenced says that a key may do without a fence: one process at a time writes to a folder.
func (s *Folder) Fenced() bool { return false }

// CheckName refuses what is no name of a file: see [Key] for the key, and [Suffixes] for the suffix.
func CheckName(key string, suffix Suffix) error {
	_, fence, err := SplitKey(key)
	if err != nil {
		return err
	}
	if fence != 0 && suffix.named() {
		return fmt.Errorf("files: %q has a fence, and a file %s is named by what it holds", key, suffix)
	}
	if _, ok := suffixOf(string(suffix)); !ok {
		return fmt.Errorf("files: unknown suffix %q", suffix)
	}
	return nil
}

// isHash says that text is 32 lower-case hex digits.
func isHash(text string) bool { return len(text) == 32 && strings.Trim(text, hexDigits) == "" }

const hexDigits = "0123456789abcdef"

func suffixOf(text string) (Suffix, bool) {
	for _, suffix := range suffixes {
		if text == string(suffix) {
			return suffix, true
		}
	}
	return "", false
}

// local marks trouble with the disk as this machine's.
func local(op string, err error) error {
	return fault.New(op, fault.Local, fault.LocalDisk, "blob store: %w", err)
}

func missingOr(op, hash string, suffix Suffix, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no file %s%s: %w", hash, suffix, fs.ErrNotExist)
	}
	return local(op, err)
}
