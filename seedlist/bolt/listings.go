package bolt

import (
	"context"
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

// unlist takes a seed that is removed out of the catalogs.
func (b *batch) unlist(id uint64) {
	var catalogs []uint64
	b.scan(inListed, appendNumber(nil, id), nil, func(key, _ []byte) bool {
		catalogs = append(catalogs, lastNumber(key))
		return true
	})
	for _, catalog := range catalogs {
		key := appendNumber(appendNumber(nil, catalog), id)
		if value := b.get(inListings, key); len(value) == 9 {
			if c, err := b.catalog(catalog); err == nil {
				if value[8] != 0 {
					c.Gone--
				} else {
					c.Listed--
				}
				b.putCatalog(catalog, &c)
			}
		}
		b.delete(inListings, key)
		b.delete(inListed, appendNumber(appendNumber(nil, id), catalog))
	}
}

// eachListing walks the listings of a catalog, in several transactions. After each, do gets what
// keep chose of it.
func (s *Store) eachListing(ctx context.Context, claim *seedlist.HarvestClaim, keep func(harvest uint64, gone bool) bool,
	do func(seeds []uint64) error) error {
	prefix := appendNumber(nil, claim.Number)
	from := prefix
	for from != nil {
		var seeds []uint64
		rows := 0
		next := []byte(nil)
		err := s.view(ctx, func(t *tables) error {
			t.scan(inListings, prefix, from, func(key, value []byte) bool {
				if rows++; rows > maxRows {
					next = append([]byte(nil), key...)
					return false
				}
				if len(value) == 9 && keep(binary.BigEndian.Uint64(value), value[8] != 0) {
					seeds = append(seeds, lastNumber(key))
				}
				return true
			})
			return nil
		})
		if err == nil && len(seeds) > 0 {
			err = do(seeds)
		}
		if err != nil {
			return err
		}
		from = next
	}
	return nil
}

// namedBy is how many seeds a harvest has named.
func (s *Store) namedBy(ctx context.Context, claim *seedlist.HarvestClaim) (named int64, err error) {
	err = s.eachListing(ctx, claim, func(harvest uint64, _ bool) bool { return harvest == claim.Fence }, func(seeds []uint64) error {
		named += int64(len(seeds))
		return nil
	})
	return named, err
}

// markVanished marks the seeds that no harvest from a number on has named.
func (s *Store) markVanished(ctx context.Context, claim *seedlist.HarvestClaim, unnamed uint64) (vanished int64, err error) {
	err = s.eachListing(ctx, claim, func(harvest uint64, gone bool) bool { return !gone && harvest < unnamed }, func(seeds []uint64) error {
		vanished += int64(len(seeds))
		return s.do(ctx, func(b *batch) error {
			c, err := b.heldCatalog(claim)
			if err != nil {
				return err
			}
			for _, seed := range seeds {
				key := appendNumber(appendNumber(nil, claim.Number), seed)
				value := b.get(inListings, key)
				if len(value) != 9 || value[8] != 0 {
					continue
				}
				b.put(inListings, key, listingValue(binary.BigEndian.Uint64(value), true))
				b.setSeedGone(seed)
				b.relinked(seed)
				c.Listed--
				c.Gone++
			}
			b.putCatalog(claim.Number, &c)
			return nil
		})
	})
	return vanished, err
}

// listingValue is what is stored of a seed's place in a catalog.
func listingValue(fence uint64, gone bool) []byte {
	value := binary.BigEndian.AppendUint64(nil, fence)
	if gone {
		return append(value, 1)
	}
	return append(value, 0)
}
