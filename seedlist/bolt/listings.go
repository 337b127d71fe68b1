package bolt

import (
	"encoding/binary"
	"encoding/hex"

	"laundromat/seedlist"
)

// listings are the catalogs that name a seed, or did.
func (t *tables) listings(id uint64) (all []seedlist.Listing) {
	t.scan(inListed, appendNumber(nil, id), nil, func(key, hash []byte) bool {
		value := t.get(inListings, appendNumber(appendNumber(nil, lastNumber(key)), id))
		if len(value) == 9 {
			all = append(all, seedlist.Listing{Catalog: hex.EncodeToString(hash), Harvest: binary.BigEndian.Uint64(value),
				Gone: value[8] != 0})
		}
		return len(all) < seedlist.MaxLinks
	})
	return all
}

// setSeedGone marks a seed that every catalog has dropped which named it, and unmarks
// one that some catalog names again.
func (b *batch) setSeedGone(id uint64) {
	was, ok := b.hot(id)
	if !ok || was.parent != 0 {
		return
	}
	listings := b.listings(id)
	gone := len(listings) > 0
	for _, l := range listings {
		gone = gone && l.Gone
	}
	if was.is(isGone) == gone {
		return
	}
	is := was
	is.set(isGone, gone)
	b.save(id, &was, &is)
}

// listingValue is what is stored of a seed's place in a catalog.
func listingValue(fence uint64, gone bool) []byte {
	value := binary.BigEndian.AppendUint64(nil, fence)
	if gone {
		return append(value, 1)
	}
	return append(value, 0)
}
