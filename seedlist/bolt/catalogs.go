package bolt

import (
	"encoding/binary"
	"encoding/hex"
	"slices"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// A stored catalog begins with what a search for the next one needs.
const catalogHead = 9

func encodeCatalog(c *seedlist.Catalog) ([]byte, error) {
	head := append(make([]byte, 0, catalogHead), byte(max(0, slices.Index(catalogStatuses, c.Status))))
	head = binary.BigEndian.AppendUint64(head, uint64(engine.Nanoseconds(c.Due)))
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
	c, err := readCatalog(key, t.get(inCatalogs, key))
	switch {
	case err == errAbsent:
		return c, seedlist.ErrNotFound
	case err != nil:
		return c, recordDamage(t.list, inCatalogs, id, err)
	}
	return c, nil
}

func (b *batch) putCatalog(id uint64, c *seedlist.Catalog) {
	data, err := encodeCatalog(c)
	b.fail(inCatalogs, err)
	key := appendNumber(nil, id)
	b.put(inCatalogs, key, withSum(inCatalogs, key, data))
}

// catalogStanding reads the head of a stored catalog.
func catalogStanding(value []byte) (seedlist.CatalogStatus, time.Time) {
	if len(value) < catalogHead || int(value[0]) >= len(catalogStatuses) {
		return "", time.Time{}
	}
	return catalogStatuses[value[0]], engine.TimeOf(int64(binary.BigEndian.Uint64(value[1:])))
}

var catalogStatuses = []seedlist.CatalogStatus{"", seedlist.CatalogWaiting, seedlist.CatalogHarvesting, seedlist.CatalogResting,
	seedlist.CatalogFailed}
