package bolt

import "laundromat/seedlist/engine"

// deleteAttempts deletes the attempts of a seed or catalog; key is its number.
func (b *batch) deleteAttempts(id uint64, key []byte) {
	var entries []uint64
	b.scan(inAttempts, key, nil, func(key, _ []byte) bool {
		entries = append(entries, lastNumber(key))
		return true
	})
	for _, n := range entries {
		b.delete(inLog, appendNumber(nil, n))
		b.delete(inAttempts, append(appendNumber(nil, id), appendNumber(nil, n)...))
	}
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
