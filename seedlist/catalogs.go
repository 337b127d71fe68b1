package seedlist

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// Catalog is a place that names seeds, and what is known of it.
type Catalog struct {
	Hash   string        `json:"hash"` // the key of its URI
	URI    string        `json:"uri"`  // as first given; MarshalJSON hides its user info
	Status CatalogStatus `json:"status"`
	CatalogSettings
	Added     time.Time `json:"added,omitzero"`
	Due       time.Time `json:"due,omitzero"`       // when it is harvested next; absent: only when asked for
	Harvested time.Time `json:"harvested,omitzero"` // the end of the last harvest
	Fence     uint64    `json:"fence"`              // the number of the harvest; rises with each
	Tries     int       `json:"tries"`              // that ended in an error, since the last success
	Worker    string    `json:"worker,omitempty"`
	Crashes   int       `json:"crashes,omitempty"` // harvests that ended with the whole process, since the last end
	// Source is "catalog:" and the hash of the catalog that names it, if no person does. Depth
	// is how many catalogs led to it.
	Source string `json:"source,omitempty"`
	Depth  int    `json:"depth,omitempty"`

	// Listed are the seeds that it names, Gone those that it named once.
	Listed int64 `json:"listed"`
	Gone   int64 `json:"gone"`
	HarvestFindings
}

// CatalogSettings are what people say of a catalog.
type CatalogSettings struct {
	Kind string `json:"kind,omitempty"` // "": its content tells
	// Interval is the time between harvests in seconds; 0: only when asked for.
	Interval int64 `json:"interval"`
	// All takes also what the catalog says to be no RDF.
	All bool `json:"all,omitempty"`
	// Priority and SeedInterval (in seconds) are those of its new seeds; without
	// SeedInterval they have the store's.
	Priority     int    `json:"priority,omitempty"`
	SeedInterval *int64 `json:"seed_interval,omitempty"`
	// KeepVersions is how many older versions of its new seeds are kept; nil: as the store says.
	KeepVersions *int `json:"keep_versions,omitempty" minimum:"0" maximum:"49"`
}

// HarvestFindings are what the last harvest found.
type HarvestFindings struct {
	Found    string           `json:"found,omitempty"` // the kind that it proved to be
	Pages    int64            `json:"pages"`
	Entries  int64            `json:"entries"`  // documents that it named, each as often as it did
	New      int64            `json:"new"`      // that were no seeds before
	Vanished int64            `json:"vanished"` // that the harvest before had found
	Refused  map[string]int64 `json:"refused,omitempty"`
	// Complete says that all of it was read: only then is what it does not name gone.
	Complete bool   `json:"complete"`
	Error    *Error `json:"error,omitempty"`
}

// CatalogStatus says where a catalog stands.
type CatalogStatus string

const (
	CatalogWaiting    CatalogStatus = "waiting"    // to be harvested: new, asked for, or to be tried again
	CatalogHarvesting CatalogStatus = "harvesting" // being read
	CatalogResting    CatalogStatus = "resting"    // until its interval has passed
	CatalogFailed     CatalogStatus = "failed"     // the same, after an error
)

var catalogStatuses = []CatalogStatus{"", CatalogWaiting, CatalogHarvesting, CatalogResting, CatalogFailed}

// Listing is a seed's place in a catalog.
type Listing struct {
	Catalog string `json:"catalog"` // its hash
	Harvest uint64 `json:"harvest"` // the last one that found the seed there
	Gone    bool   `json:"gone"`    // a later, complete one did not
}

// plainCatalog is a Catalog without MarshalJSON.
type plainCatalog Catalog

// MarshalJSON writes the catalog as people see it.
func (c Catalog) MarshalJSON() ([]byte, error) {
	shown := plainCatalog(c)
	shown.URI = Shown(c.URI)
	return encodeJSON(shown)
}

// A stored catalog begins with what a search for the next one needs.
const catalogHead = 9

func (c *Catalog) encode() ([]byte, error) {
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
	stored := plainCatalog(*c)
	if stored.Error != nil {
		e := *stored.Error
		e.Message = cut(e.Message, 4<<10)
		stored.Error = &e
	}
	data, err := encodeJSON(stored)
	return append(head, data...), err
}

func decodeCatalog(data []byte) (c Catalog, err error) {
	if len(data) < catalogHead {
		return c, ErrNotFound
	}
	var plain plainCatalog
	err = json.Unmarshal(data[catalogHead:], &plain)
	return Catalog(plain), err
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

func (t *tables) catalog(id uint64) (Catalog, error) {
	return decodeCatalog(t.get(inCatalogs, appendNumber(nil, id)))
}

func (b *batch) putCatalog(id uint64, c *Catalog) {
	data, err := c.encode()
	if err != nil {
		if b.err == nil {
			b.err = err
		}
		return
	}
	b.put(inCatalogs, appendNumber(nil, id), data)
}

// AddCatalog puts a catalog into the list, to be harvested now (at: later), or gives
// one that is there other settings. It answers whether it is new.
func (s *Store) AddCatalog(ctx context.Context, uri string, settings CatalogSettings, at time.Time) (c Catalog, added bool, err error) {
	u, err := catalogURI(uri)
	if err != nil {
		return Catalog{}, false, err
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
		c.CatalogSettings = settings
		if c.Status == CatalogResting || c.Status == CatalogFailed {
			c.Due = timeOf(after(c.Harvested, &settings.Interval))
		}
		b.putCatalog(id, &c)
		b.woken[catalogsWake] = true
		return nil
	})
	return c, added, err
}

// catalogURI is the URI of a catalog, which is absolute.
func catalogURI(uri string) (URI, error) {
	u, err := ParseURI(uri)
	if err == nil && u.Relative {
		err = &URIError{Line: hidden(uri), Reason: "a catalog needs an absolute URI"}
	}
	return u, err
}

// newCatalog makes a catalog that is harvested at that time. It is not yet put.
func (b *batch) newCatalog(u URI, at time.Time) (id uint64, c Catalog) {
	id = b.next(inHot)
	raw, _ := hex.DecodeString(u.Hash())
	b.put(inCatalogKeys, raw, appendNumber(nil, id))
	return id, Catalog{Hash: u.Hash(), URI: u.Given, Status: CatalogWaiting, Added: b.now.UTC(), Due: at.UTC()}
}

// FollowCatalog puts a catalog into the list that another one names, to be harvested now,
// with the settings of that one but its kind. One that is there stays as it is. It answers
// whether it is new.
func (s *Store) FollowCatalog(ctx context.Context, from *Catalog, uri string) (added bool, err error) {
	u, err := catalogURI(uri)
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
const catalogsWake State = "catalogs"

// Catalog returns the catalog of a hash; [ErrNotFound] if there is none.
func (s *Store) Catalog(ctx context.Context, hash string) (c Catalog, err error) {
	err = s.view(ctx, func(t *tables) error {
		id := t.catalogNumber(hash)
		if id == 0 {
			return ErrNotFound
		}
		c, err = t.catalog(id)
		return err
	})
	return c, err
}

// Catalogs returns catalogs, oldest first, and the cursor that the next call goes on
// from; "" at the end.
func (s *Store) Catalogs(ctx context.Context, cursor string, limit int) (all []Catalog, next string, err error) {
	after := uint64(0)
	if cursor != "" {
		if after, err = readCursor(cursor); err != nil {
			return nil, "", err
		}
	}
	if limit <= 0 || limit > maxRows {
		limit = maxRows
	}
	err = s.view(ctx, func(t *tables) error {
		var failure error
		t.scan(inCatalogs, nil, appendNumber(nil, after+1), func(key, value []byte) bool {
			if len(all) == limit {
				next = cursorOf(after)
				return false
			}
			c, err := decodeCatalog(value)
			if err != nil {
				failure = fmt.Errorf("catalog %d: %w", lastNumber(key), err)
				return false
			}
			all, after = append(all, c), lastNumber(key)
			return true
		})
		return failure
	})
	return all, next, err
}

// HarvestNow lets a catalog be harvested as soon as may be. One that is being
// harvested stays as it is.
func (s *Store) HarvestNow(ctx context.Context, hash string) error {
	return s.do(ctx, func(b *batch) error {
		id := b.catalogNumber(hash)
		if id == 0 {
			return ErrNotFound
		}
		c, err := b.catalog(id)
		if err != nil || c.Status == CatalogHarvesting {
			return err
		}
		c.Status, c.Due, c.Tries, c.Crashes = CatalogWaiting, b.now.UTC(), 0, 0
		b.putCatalog(id, &c)
		b.woken[catalogsWake] = true
		return nil
	})
}

// RemoveCatalog takes a catalog out of the list, with its attempts. Its seeds stay.
// A harvest at work ends in [ErrLost].
func (s *Store) RemoveCatalog(ctx context.Context, hash string) error {
	for done := false; !done; {
		err := s.do(ctx, func(b *batch) error {
			id := b.catalogNumber(hash)
			if id == 0 {
				return ErrNotFound
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
	}
	if len(seeds) == maxBatch {
		// Until all is gone nothing may add to it.
		if c, err := b.catalog(id); err == nil && c.Status == CatalogHarvesting {
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
// [HarvestEnd] has it; nil if there is none.
func (s *Store) Refusals(ctx context.Context, hash string) (refusals []byte, err error) {
	err = s.view(ctx, func(t *tables) error {
		id := t.catalogNumber(hash)
		if id == 0 {
			return ErrNotFound
		}
		refusals = bytes.Clone(t.get(inRefusals, appendNumber(nil, id)))
		return nil
	})
	return refusals, err
}

// ListedBy returns the seeds that a catalog names, or with gone those that it named
// once, oldest first, and the cursor that the next call goes on from; "" at the end.
func (s *Store) ListedBy(ctx context.Context, hash string, gone bool, cursor string, limit int) (seeds []Seed, next string, err error) {
	after := uint64(0)
	if cursor != "" {
		if after, err = readCursor(cursor); err != nil {
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
				return ErrNotFound
			}
			prefix := appendNumber(nil, id)
			var failure error
			t.scan(inListings, prefix, appendNumber(bytes.Clone(prefix), after+1), func(key, value []byte) bool {
				if len(seeds) == limit {
					next = cursorOf(after)
					return false
				}
				rows++
				after = lastNumber(key)
				if len(value) == 9 && (value[8] != 0) == gone {
					var seed Seed
					if seed, failure = t.seed(after); failure != nil {
						return false
					}
					s.attend(after, &seed)
					seeds = append(seeds, seed)
				}
				return rows < maxRows
			})
			return failure
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
			rest = status != CatalogWaiting && status != CatalogHarvesting && (due.IsZero() || due.After(time.Now()))
			return rest
		})
		return nil
	})
	return rest, err
}

// catalogStanding reads the head of a stored catalog.
func catalogStanding(value []byte) (CatalogStatus, time.Time) {
	if len(value) < catalogHead || int(value[0]) >= len(catalogStatuses) {
		return "", time.Time{}
	}
	return catalogStatuses[value[0]], timeOf(int64(binary.BigEndian.Uint64(value[1:])))
}
