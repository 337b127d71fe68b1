package daemon

import (
	"context"
	"errors"

	"laundromat/internal/files"
	"laundromat/seedlist"
)

// StoredFile is a file of a store.
type StoredFile struct {
	Store  files.Upkeep
	Key    string
	Suffix files.Suffix
}

// NameIn is what another store calls the file, if a record names it; "" if none does.
func (f StoredFile) NameIn(ctx context.Context, seeds seedlist.Reader, other files.Upkeep) (string, error) {
	seed, err := seeds.Record(ctx, files.HashOf(f.Key))
	if errors.Is(err, seedlist.ErrNotFound) {
		return "", nil
	}
	if err != nil || !namesFile(f.Store, &seed, f.Key, f.Suffix) {
		return "", err
	}
	return keyIn(other, &seed, f.Suffix), nil
}
