package daemon

import (
	"context"
	"errors"

	"laundromat/internal/files"
	"laundromat/seedlist"
)

// NamedIn is what a store calls a file of a key in another store, if a record names it there; "" if none does.
func NamedIn(ctx context.Context, seeds seedlist.Reader, in files.Upkeep, key string, suffix files.Suffix, to files.Upkeep) (string, error) {
	seed, err := seeds.Record(ctx, files.HashOf(key))
	if errors.Is(err, seedlist.ErrNotFound) {
		return "", nil
	}
	if err != nil || !namesFile(in, &seed, key, suffix) {
		return "", err
	}
	return keyIn(to, &seed, suffix), nil
}
