package bolt

import (
	"bytes"
	"context"
	"encoding/hex"

	"laundromat/internal/digest"
	"laundromat/seedlist"
)

// alike is the place of a record among those whose wash holds for any URI with the same
// bytes; nil: it does not.
func alike(r *seedlist.Record) []byte {
	if !r.Shareable() {
		return nil
	}
	return alikeKey(r.Content)
}

// alikeKey is half of the SHA-256 of bytes; nil if that is not known.
func alikeKey(c *digest.Content) []byte {
	sum, err := hex.DecodeString(c.SHA256)
	if err != nil || len(sum) != 32 {
		return nil
	}
	return sum[:16]
}

// list moves a seed in the list of those.
func (b *batch) list(id uint64, was, is []byte) {
	if bytes.Equal(was, is) {
		return
	}
	if was != nil {
		b.delete(inAlike, appendNumber(bytes.Clone(was), id))
	}
	if is != nil {
		b.put(inAlike, appendNumber(bytes.Clone(is), id), nil)
	}
}

// Alike are seeds, up to limit, that were fetched and washed and have these bytes. Under
// any other URI they would have been washed to the same.
func (s *Store) Alike(ctx context.Context, bytes *digest.Content, limit int) (seeds []seedlist.Seed, err error) {
	key := alikeKey(bytes)
	if key == nil {
		return nil, nil
	}
	err = s.view(ctx, func(t *tables) (err error) {
		t.scan(inAlike, key, nil, func(key, _ []byte) bool {
			seed, err := t.seed(lastNumber(key))
			if err != nil {
				return true // it is damaged, and can't lend its wash
			}
			if seed.Content != nil && seed.Content.SHA256 == bytes.SHA256 && seed.Content.NumberOfBytes == bytes.NumberOfBytes {
				seeds = append(seeds, seed)
			}
			return len(seeds) < limit
		})
		return err
	})
	return seeds, err
}
