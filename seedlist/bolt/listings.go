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

// listingValue is what is stored of a seed's place in a catalog.
func listingValue(fence uint64, gone bool) []byte {
	value := binary.BigEndian.AppendUint64(nil, fence)
	if gone {
		return append(value, 1)
	}
	return append(value, 0)
}
