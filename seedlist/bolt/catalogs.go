package bolt

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
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
	c, err := readCatalog(key, t.get(inCatalogs, key))
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

// catalogStanding reads the head of a stored catalog.
func catalogStanding(value []byte) (seedlist.CatalogStatus, time.Time) {
	if len(value) < catalogHead || int(value[0]) >= len(catalogStatuses) {
		return "", time.Time{}
	}
	return catalogStatuses[value[0]], engine.TimeOf(int64(binary.BigEndian.Uint64(value[1:])))
}

var catalogStatuses = []seedlist.CatalogStatus{"", seedlist.CatalogWaiting, seedlist.CatalogHarvesting, seedlist.CatalogResting,
	seedlist.CatalogFailed}
