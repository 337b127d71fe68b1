package storetest

import (
	"context"
	"encoding/hex"
	"strings"

	"laundromat/seedlist"
)

// Find is the record of a hash or of a URI in any spelling; [seedlist.ErrNotFound] if there is none.
func Find(ctx context.Context, list seedlist.Reader, hashOrURI string) (seedlist.Seed, error) {
	hashOrURI = strings.TrimSpace(hashOrURI)
	if raw, err := hex.DecodeString(hashOrURI); err == nil && len(raw) == 16 {
		if seed, err := list.Seed(ctx, hashOrURI); err != seedlist.ErrNotFound {
			return seed, err
		}
	}
	return list.Seed(ctx, seedlist.Key(hashOrURI))
}
