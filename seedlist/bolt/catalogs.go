package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"time"

	"laundromat/seedlist"
)

// A stored catalog begins with what a search for the next one needs.
const catalogHead = 9

func encodeCatalog(c *seedlist.Catalog) ([]byte, error) {
	head := make([]byte, 1, catalogHead)
	for i, status := range catalogStatuses {
		if status == c.Status {
			head[0] = byte(i)
		}
	}
	due := int64(0)
	if !c.Due.IsZero() {
		due = c.Due.UnixNano()
	}
	head = binary.BigEndian.AppendUint64(head, uint64(due))
	data, err := c.Encode()
	return append(head, data...), err
}

func decodeCatalog(data []byte) (c seedlist.Catalog, err error) {
	if len(data) < catalogHead {
		return c, seedlist.ErrNotFound
	}
	return seedlist.DecodeCatalog(data[catalogHead:])
}

// catalogNumber finds the catalog of a hash; 0 if there is none.
func (t *tables) catalogNumber(hash string) uint64 {
	raw, err := hex.DecodeString(hash)
	if err != nil || len(raw) == 0 {
		return 0
	}
	if value := t.get(inCatalogKeys, raw); len(value) == 8 {
		return binary.BigEndian.Uint64(value)
	}
	return 0
}

func (t *tables) catalog(id uint64) (seedlist.Catalog, error) {
	key := appendNumber(nil, id)
	c, err := readCatalog(key, t.get(inCatalogs, key), t.mayLackSums)
	switch {
	case err == errAbsent:
		return c, seedlist.ErrNotFound
	case err != nil:
		return c, t.catalogDamage(id, err)
	}
	return c, nil
}

// catalogDamage is what an error of the record of a catalog means for who reads.
func (t *tables) catalogDamage(id uint64, why error) *seedlist.Damage {
	return &seedlist.Damage{List: t.list, Place: fmt.Sprintf("catalog %d", id), Why: why.Error(), Lost: "what is known of a catalog"}
}

func (b *batch) putCatalog(id uint64, c *seedlist.Catalog) {
	data, err := encodeCatalog(c)
	if err != nil {
		if b.err == nil {
			b.err = err
		}
		return
	}
	key := appendNumber(nil, id)
	b.put(inCatalogs, key, withSum(inCatalogs, key, data))
}

// AddCatalog puts a catalog into the list, to be harvested now (at: later), or gives
// one that is there other settings. It answers whether it is new.
func (s *Store) AddCatalog(ctx context.Context, uri string, settings seedlist.CatalogSettings, at time.Time) (c seedlist.Catalog,
	added bool, err error) {
	u, err := seedlist.CatalogURI(uri)
	if err != nil {
		return seedlist.Catalog{}, false, err
	}
	settings.Interval = max(0, settings.Interval)
	if at.IsZero() {
		at = time.Now()
	}
	err = s.do(ctx, func(b *batch) error {
		id := b.catalogNumber(u.Hash())
		if added = id == 0; added {
			id, c = b.newCatalog(u, at)
		} else if c, err = b.catalog(id); err != nil {
			return err
		}
		c.Set(settings)
		b.putCatalog(id, &c)
		b.woken[catalogsWake] = true
		return nil
	})
	return c, added, err
}

// newCatalog makes a catalog that is harvested at that time. It is not yet put.
func (b *batch) newCatalog(u seedlist.URI, at time.Time) (id uint64, c seedlist.Catalog) {
	id = b.next(inHot)
	raw, _ := hex.DecodeString(u.Hash())
	b.put(inCatalogKeys, raw, appendNumber(nil, id))
	return id, seedlist.Catalog{Hash: u.Hash(), URI: u.Given, Status: seedlist.CatalogWaiting, Added: b.now.UTC(), Due: at.UTC()}
}

// FollowCatalog puts a catalog into the list that another one names, to be harvested now,
// with the settings of that one but its kind. One that is there stays as it is. It answers
// whether it is new.
func (s *Store) FollowCatalog(ctx context.Context, from *seedlist.Catalog, uri string) (added bool, err error) {
	u, err := seedlist.CatalogURI(uri)
	if err != nil {
		return false, err
	}
	err = s.do(ctx, func(b *batch) error {
		if added = b.catalogNumber(u.Hash()) == 0; !added {
			return nil
		}
		id, c := b.newCatalog(u, b.now)
		c.CatalogSettings = from.CatalogSettings
		c.Kind, c.Source, c.Depth = "", "catalog:"+from.Hash, from.Depth+1
		b.putCatalog(id, &c)
		b.woken[catalogsWake] = true
		return nil
	})
	return added, err
}

// catalogsWake is what those wait for who harvest.
const catalogsWake seedlist.State = "catalogs"

// Catalog returns the catalog of a hash; [seedlist.ErrNotFound] if there is none.
func (s *Store) Catalog(ctx context.Context, hash string) (c seedlist.Catalog, err error) {
	err = s.view(ctx, func(t *tables) error {
		id := t.catalogNumber(hash)
		if id == 0 {
			return seedlist.ErrNotFound
		}
		c, err = t.catalog(id)
		return err
	})
	return c, err
}

// Catalogs returns catalogs, oldest first, and the cursor that the next call goes on
// from; "" at the end.
func (s *Store) Catalogs(ctx context.Context, cursor string, limit int) (all []seedlist.Catalog, next string, err error) {
	after := uint64(0)
	if cursor != "" {
		if after, err = seedlist.ReadCursor(cursor); err != nil {
			return nil, "", err
		}
	}
	if limit <= 0 || limit > maxRows {
		limit = maxRows
	}
	err = s.view(ctx, func(t *tables) error {
		t.scan(inCatalogs, nil, appendNumber(nil, after+1), func(key, value []byte) bool {
			if len(all) == limit {
				next = seedlist.CursorAfter(after)
				return false
			}
			c, err := readCatalog(key, value, t.mayLackSums)
			if err != nil {
				s.met(t.catalogDamage(lastNumber(key), err))
			} else {
				all = append(all, c)
			}
			after = lastNumber(key)
			return true
		})
		return nil
	})
	return all, next, err
}

// HarvestNow lets a catalog be harvested as soon as may be.
func (s *Store) HarvestNow(ctx context.Context, hash string, accept bool) error {
	return s.do(ctx, func(b *batch) error {
		id := b.catalogNumber(hash)
		if id == 0 {
			return seedlist.ErrNotFound
		}
		c, err := b.catalog(id)
		if err != nil {
			return err
		}
		c.AskNow(accept, b.now)
		b.putCatalog(id, &c)
		b.woken[catalogsWake] = true
		return nil
	})
}

// RemoveCatalog takes a catalog out of the list, with its attempts. Its seeds stay.
// A harvest at work ends in [seedlist.ErrLost].
func (s *Store) RemoveCatalog(ctx context.Context, hash string) error {
	for done := false; !done; {
		err := s.do(ctx, func(b *batch) error {
			id := b.catalogNumber(hash)
			if id == 0 {
				return seedlist.ErrNotFound
			}
			done = b.removeCatalog(id, hash)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// removeCatalog removes as much as one transaction may; done says that it was all.
func (b *batch) removeCatalog(id uint64, hash string) (done bool) {
	key := appendNumber(nil, id)
	var seeds []uint64
	b.scan(inListings, key, nil, func(key, _ []byte) bool {
		seeds = append(seeds, lastNumber(key))
		return len(seeds) < maxBatch
	})
	for _, seed := range seeds {
		b.delete(inListings, appendNumber(appendNumber(nil, id), seed))
		b.delete(inListed, appendNumber(appendNumber(nil, seed), id))
		b.setSeedGone(seed)
		b.relinked(seed)
	}
	if len(seeds) == maxBatch {
		// Until all is gone nothing may add to it.
		if c, err := b.catalog(id); err == nil && c.Status == seedlist.CatalogHarvesting {
			c.Fence++
			b.putCatalog(id, &c)
		}
		return false
	}
	b.deleteAttempts(id, key)
	raw, _ := hex.DecodeString(hash)
	b.delete(inCatalogKeys, raw)
	b.delete(inRefusals, key)
	b.delete(inCatalogs, key)
	return true
}

// Refusals is JSON of what the last harvest of a catalog refused: the first of it, as
// [seedlist.HarvestEnd] has it; nil if there is none.
func (s *Store) Refusals(ctx context.Context, hash string) (refusals []byte, err error) {
	err = s.view(ctx, func(t *tables) error {
		id := t.catalogNumber(hash)
		if id == 0 {
			return seedlist.ErrNotFound
		}
		refusals = bytes.Clone(t.get(inRefusals, appendNumber(nil, id)))
		return nil
	})
	return refusals, err
}

// ListedBy returns the seeds that a catalog names, or with gone those that it once named,
// oldest first. It returns the cursor that the next call goes on from; "" at the end.
func (s *Store) ListedBy(ctx context.Context, hash string, gone bool, cursor string, limit int) (seeds []seedlist.Seed, next string,
	err error) {
	after := uint64(0)
	if cursor != "" {
		if after, err = seedlist.ReadCursor(cursor); err != nil {
			return nil, "", err
		}
	}
	if limit <= 0 {
		limit = 100
	}
	for rows := maxRows; rows == maxRows; {
		rows = 0
		err := s.view(ctx, func(t *tables) error {
			id := t.catalogNumber(hash)
			if id == 0 {
				return seedlist.ErrNotFound
			}
			prefix := appendNumber(nil, id)
			t.scan(inListings, prefix, appendNumber(bytes.Clone(prefix), after+1), func(key, value []byte) bool {
				if len(value) == 9 && (value[8] != 0) == gone {
					if len(seeds) == limit {
						next = seedlist.CursorAfter(after)
						return false
					}
					seed, err := t.seed(lastNumber(key))
					if err != nil {
						s.metError(err)
					} else {
						s.attend(lastNumber(key), &seed)
						seeds = append(seeds, seed)
					}
				}
				rows++
				after = lastNumber(key)
				return rows < maxRows
			})
			return nil
		})
		if err != nil || next != "" {
			return seeds, next, err
		}
	}
	return seeds, "", nil
}

// catalogsRest says that no catalog is at work or to be harvested now.
func (s *Store) catalogsRest(ctx context.Context) (rest bool, err error) {
	rest = true
	err = s.view(ctx, func(t *tables) error {
		t.scan(inCatalogs, nil, nil, func(_, value []byte) bool {
			status, due := catalogStanding(value)
			rest = status != seedlist.CatalogWaiting && status != seedlist.CatalogHarvesting && (due.IsZero() || due.After(time.Now()))
			return rest
		})
		return nil
	})
	return rest, err
}

// catalogStanding reads the head of a stored catalog.
func catalogStanding(value []byte) (seedlist.CatalogStatus, time.Time) {
	if len(value) < catalogHead || int(value[0]) >= len(catalogStatuses) {
		return "", time.Time{}
	}
	return catalogStatuses[value[0]], timeOf(int64(binary.BigEndian.Uint64(value[1:])))
}

var catalogStatuses = []seedlist.CatalogStatus{"", seedlist.CatalogWaiting, seedlist.CatalogHarvesting, seedlist.CatalogResting,
	seedlist.CatalogFailed}
