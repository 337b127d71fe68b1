package bolt

import (
	"bytes"
	"encoding/hex"

	"laundromat/seedlist"
)

// alike is the place of a record among those whose wash holds for any URI with the same
// bytes; nil: it does not.
func alike(r *seedlist.Record) []byte {
	if !r.Shareable() {
		return nil
	}
	return alikeKey(r.Content.SHA256)
}

// alikeKey is half of the SHA-256 of bytes; nil if that is not known.
func alikeKey(sha256 string) []byte {
	sum, err := hex.DecodeString(sha256)
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
