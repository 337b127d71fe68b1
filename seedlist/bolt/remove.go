package bolt

import (
	"math"

	"laundromat/seedlist/engine"
)

// deleteAttempts deletes the attempts of a seed or catalog, by its number.
func (b *batch) deleteAttempts(key []byte) {
	entries := b.keys(inAttempts, key, math.MaxInt, nil)
	for _, entry := range entries {
		b.delete(inLog, entry[8:])
	}
	b.deleteKeys(inAttempts, entries)
}

// removeEntry deletes an entry of the log.
func (t *tx) removeEntry(e *engine.Entry) {
	b := t.batch
	id := b.number(e.Hash)
	if e.OfCatalog {
		id = b.catalogNumber(e.Hash)
	}
	b.delete(inLog, appendNumber(nil, e.Number))
	b.delete(inAttempts, appendNumber(appendNumber(nil, id), e.Number))
}
