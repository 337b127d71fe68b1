package bolt

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/seedlist"
)

// opened is the file that holds the list now.
type opened struct {
	db   *bbolt.DB
	file *os.File // of db
}

// fileOf is the file that a transaction is of.
func (s *Store) fileOf(tx *bbolt.Tx) *os.File {
	if before := s.before.Load(); before != nil && before.db == tx.DB() {
		return before.file
	}
	return s.now.Load().file
}

// Compact copies the list into a new file, without the room that was left in the old one, and goes on with that. Others
// read meanwhile, and writes wait. The new file takes the place of the old one when it is whole and durable. A kill
// leaves either; what it leaves beside them goes when the list is opened again.
func (s *Store) Compact(ctx context.Context) (before, after int64, err error) {
	if s.options.ReadOnly {
		return 0, 0, seedlist.ErrReadOnly
	}
	done := make(chan struct{})
	work := func() {
		defer close(done)
		before, after, err = s.compact(ctx)
	}
	select {
	case s.alone <- work:
		<-done
		return before, after, err
	case <-s.stopped:
		return 0, 0, seedlist.ErrClosed
	case <-ctx.Done():
		return 0, 0, ctx.Err()
	}
}

// compactSuffix ends the name of the new file until it is whole.
const compactSuffix = ".compact"

// copiedAtOnce is how many bytes of the list are copied in one transaction.
const copiedAtOnce = 16 << 20

// compact is Compact where nobody writes.
func (s *Store) compact(ctx context.Context) (before, after int64, err error) {
	if damage := s.broken.Load(); damage != nil {
		return 0, 0, damage
	}
	was := s.now.Load()
	if before, err = sizeOf(was.file); err != nil {
		return 0, 0, err
	}
	fresh := s.path + compactSuffix
	defer os.Remove(fresh) // it has another name by then if all went well
	if err := copyList(ctx, fresh, was.db, s.name); err != nil {
		return before, 0, err
	}
	options := s.options
	db, file, _, err := openFile(fresh, &options) // locked before it has the name that others look for
	if err != nil {
		return before, 0, err
	}
	if after, err = sizeOf(file); err == nil && ctx.Err() == nil {
		err = os.Rename(fresh, s.path)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return before, 0, errors.Join(err, db.Close())
	}
	is := &opened{db, file}
	s.before.Store(was)
	s.now.Store(is)
	syncErr := files.Sync(filepath.Dir(s.path))
	// The library waits for those who still read.
	go was.db.Close()
	return before, after, syncErr
}

// copyList copies a list into a new file.
func copyList(ctx context.Context, path string, from *bbolt.DB, name string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	to, err := bbolt.Open(path, 0o600, &bbolt.Options{FreelistType: bbolt.FreelistMapType})
	if err != nil {
		return fault.New("seedlist.Compact", fault.Local, fault.LocalDisk, "begin the copy of the seed list: %w", err)
	}
	err = guarded(name, func() error { return bbolt.Compact(to, from, copiedAtOnce) })
	err = errors.Join(err, to.Close(), ctx.Err())
	if err != nil && !errors.As(err, new(*seedlist.Damage)) {
		return fault.New("seedlist.Compact", fault.Local, fault.LocalDisk, "copy the seed list: %w", err)
	}
	return err
}

func sizeOf(file *os.File) (int64, error) {
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// viewIn reads in one transaction of the file that holds the list. One that was replaced is not read any more.
func (s *Store) viewIn(read func(*bbolt.Tx) error) error {
	for {
		is := s.now.Load()
		err := is.db.View(read)
		if !errors.Is(err, berrors.ErrDatabaseNotOpen) || s.now.Load() == is {
			return err
		}
	}
}
