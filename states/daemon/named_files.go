package daemon

import (
	"context"
	"errors"

	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// IsNamed says that a record names the file of a key and a suffix.
func IsNamed(ctx context.Context, seeds seedlist.Reader, key string, suffix files.Suffix) (bool, error) {
	seed, err := seeds.Record(ctx, files.HashOf(key))
	if errors.Is(err, seedlist.ErrNotFound) {
		return false, nil
	}
	return err == nil && seedfile.IsNamed(&seed, key, suffix), err
}
