package bolt

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"

	"laundromat/seedlist"
)

// Snapshot writes the list as it is at one moment, while it goes on: a file that can be opened. The file can't
// grow its map while it lasts.
func (s *Store) Snapshot(ctx context.Context, to io.Writer) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.viewFile(func(tx *bbolt.Tx) error {
		_, err := tx.WriteTo(to)
		return err
	})
}

// Held says whether another process holds the list at path: a [*LockedError]. nil: none does, or there
// is no list.
func Held(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	if err := lockFile(file, true, 0); err != nil {
		return &LockedError{PID: readPID(pidPath(path))}
	}
	return nil
}

// Sound says what is wrong with the list at path, if anything is: the first that is found.
func Sound(ctx context.Context, path string) error {
	if missing, err := Missing(path); err != nil {
		return err
	} else if missing {
		return &seedlist.Damage{List: filepath.Base(path), Why: "it is missing or empty", Lost: "all of it"}
	}
	_, err := InspectFile(ctx, path, func(d *seedlist.Damage) error { return d })
	return err
}
