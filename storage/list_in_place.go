package storage

import (
	"os"
	"path/filepath"

	"laundromat/internal/files"
	"laundromat/seedlist/bolt"
)

// PutInPlace gives a new list the name of the old one, which is kept under another name.
func PutInPlace(list, path, word string) (kept string, err error) {
	if _, err := os.Stat(path); err == nil {
		if kept, err = bolt.PutAside(path, word); err != nil {
			return "", err
		}
	}
	if err := files.Sync(list); err != nil {
		return kept, err
	}
	if err := os.Rename(list, path); err != nil {
		return kept, err
	}
	return kept, files.Sync(filepath.Dir(path))
}
