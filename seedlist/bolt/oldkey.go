package bolt

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"

	"laundromat/seedlist"
)

// In 2018 seeds were known by the MD5 of their URI as it was given, without the steps
// of [seedlist.URI.Hash]. Such identifiers lead to the seed, as long as no seed has the same
// for its own.

// alias lets an old key lead to the seed of a hash. The first to have it keeps it.
func (b *batch) alias(old []byte, hash string) {
	if old == nil {
		return
	}
	if b.get(inOldKeys, old) != nil && b.find(hex.EncodeToString(old)) != 0 {
		return
	}
	raw, err := hex.DecodeString(hash)
	if err == nil {
		b.put(inOldKeys, old, raw)
	}
}

// unalias forgets the old key of a seed that goes.
func (b *batch) unalias(c *seedlist.Stored) {
	old := seedlist.OldKey(c.URI, c.Hash)
	if raw, _ := hex.DecodeString(c.Hash); c.URI != "" && old != nil && bytes.Equal(b.get(inOldKeys, old), raw) {
		b.delete(inOldKeys, old)
	}
}

// find is the number of the seed of a hash or an old key; 0 if there is none.
func (t *tables) find(hash string) uint64 {
	if id := t.number(hash); id != 0 {
		return id
	}
	raw, err := hex.DecodeString(hash)
	if err != nil || len(raw) != md5.Size {
		return 0
	}
	to := t.get(inOldKeys, raw)
	if to == nil {
		return 0
	}
	return t.number(hex.EncodeToString(to))
}

var aliasedKey = []byte("oldkeys")

// aliasAll gives the seeds of a store that was made before there were old keys theirs.
func (s *Store) aliasAll(ctx context.Context) error {
	var after uint64
	for done := false; !done; {
		last := after
		err := s.do(ctx, func(b *batch) error {
			if done = b.get(inMeta, aliasedKey) != nil; done {
				return nil
			}
			var ids []uint64
			b.scan(inCold, nil, appendNumber(nil, after+1), func(key, _ []byte) bool {
				ids = append(ids, lastNumber(key))
				return len(ids) < maxBatch
			})
			for _, id := range ids {
				if c, err := b.cold(id); err == nil && c.URI != "" {
					b.alias(seedlist.OldKey(c.URI, c.Hash), c.Hash)
				}
				last = id
			}
			if done = len(ids) < maxBatch; done {
				b.put(inMeta, aliasedKey, []byte{1})
			}
			return nil
		})
		if err != nil {
			return err
		}
		after = last
	}
	return nil
}
