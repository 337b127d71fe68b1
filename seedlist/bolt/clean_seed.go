package bolt

import (
	"encoding/hex"
	"slices"
	"time"

	"laundromat/seedlist"
)

// findClean finds the clean seed of a file; 0 if there is none yet.
func (b *batch) findClean(clean *seedlist.Clean) (uint64, error) {
	if clean == nil {
		return 0, nil
	}
	id := b.number(clean.Content.MD5)
	if id == 0 {
		return 0, nil
	}
	h, ok := b.hot(id)
	c, err := b.cold(id)
	if ok && h.is(isClean) && err != nil {
		// All that the damaged record said is known again.
		b.store.metError(err)
		n := newClean(clean, b.now)
		b.fail(inCold, n.err)
		b.putCold(id, n.cold, nil)
		c, err = n.stored, n.err
	}
	if err != nil {
		return 0, err
	}
	if !h.is(isClean) || c.Content == nil || c.Content.SHA256 != clean.Content.SHA256 ||
		c.Content.NumberOfBytes != clean.Content.NumberOfBytes {
		return 0, seedlist.ErrCollision
	}
	return id, nil
}

// link makes the clean seeds of a dirty one what its record says. The parameter old has the hashes that
// the record named before; clean is the seed of file, 0 if it is new.
func (b *batch) link(dirty uint64, record *seedlist.Stored, old []string, file *seedlist.Clean, clean uint64) {
	if record.Clean != "" && file != nil {
		if clean == 0 {
			clean = b.createClean(file)
		}
		key := appendNumber(appendNumber(nil, clean), dirty)
		if b.get(inDirty, key) == nil {
			raw, _ := hex.DecodeString(record.Hash)
			b.put(inDirty, key, raw)
			b.add(inDirty, appendNumber(nil, clean), +1, false)
			b.relinked(clean)
		}
	}
	b.unlinkOld(dirty, old, record)
}

// unlinkOld ends the links with clean seeds that a record no longer names.
func (b *batch) unlinkOld(dirty uint64, old []string, record *seedlist.Stored) {
	now := record.Cleans()
	for _, hash := range old {
		if !slices.Contains(now, hash) {
			b.unlink(dirty, hash)
		}
	}
}

func (b *batch) createClean(file *seedlist.Clean) uint64 {
	n := newClean(file, b.now)
	b.fail(inCold, n.err)
	return b.create(n.newRecord)
}

// cleanRecord is the record of a clean seed.
type cleanRecord struct {
	newRecord
	stored seedlist.Stored
	err    error
}

func newClean(file *seedlist.Clean, now time.Time) (n cleanRecord) {
	n.stored = seedlist.Stored{Hash: file.Content.MD5, Record: seedlist.Record{Added: now, Content: &file.Content, Format: "N-Quads"}}
	n.newRecord = newRecord{hash: n.stored.Hash, hot: hot{state: seedlist.Cleaned, flags: isClean}, counts: make(map[string]int64)}
	tallyClean(&n.stored, n.counts, +1)
	n.cold, n.err = n.stored.Encode()
	return n
}

// unlink ends the link of a dirty seed with a clean one, which goes with its last.
func (b *batch) unlink(dirty uint64, hash string) {
	clean := b.number(hash)
	key := appendNumber(appendNumber(nil, clean), dirty)
	if clean == 0 || b.get(inDirty, key) == nil {
		return
	}
	b.delete(inDirty, key)
	b.relinked(clean)
	if b.add(inDirty, appendNumber(nil, clean), -1, false) == 0 {
		b.erase(clean)
	}
}
