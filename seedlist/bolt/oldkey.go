package bolt

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"

	"laundromat/seedlist"
)

// In 2018 seeds were known by the MD5 of their URI as it was given, without the steps
// of [seedlist.URI.Hash]. Such identifiers lead to the seed, as long as no seed has the same
// for its own.

// alias lets an old key lead to the seed of a hash. The first to have it keeps it.
func (b *batch) alias(old, hash []byte) {
	if old == nil || hash == nil || b.get(inOldKeys, old) != nil && b.find(hex.EncodeToString(old)) != 0 {
		return
	}
	b.put(inOldKeys, old, hash)
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
