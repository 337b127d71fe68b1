package seedlist

import (
	"encoding/hex"
	"encoding/json"
	"errors"
)

// ErrCollision says that a clean file has the hash of another whose bytes differ.
var ErrCollision = errors.New("another clean file has the same MD5 and other bytes")

func decodeCold(data []byte) (c cold, err error) {
	err = json.Unmarshal(data, &c)
	return c, err
}

// findClean finds the clean seed of a file; 0 if there is none yet.
func (b *batch) findClean(clean *Clean) (uint64, error) {
	if clean == nil {
		return 0, nil
	}
	id := b.number(clean.Content.MD5)
	if id == 0 {
		return 0, nil
	}
	h, _ := b.hot(id)
	c, err := b.cold(id)
	if err != nil {
		return 0, err
	}
	if !h.is(isClean) || c.Content == nil || c.Content.SHA256 != clean.Content.SHA256 || c.Content.NumberOfBytes != clean.Content.NumberOfBytes {
		return 0, ErrCollision
	}
	return id, nil
}

// link makes the clean seed of a dirty one what its record says. old is the hash
// that the record named before; clean is the seed of file, 0 if it is new.
func (b *batch) link(dirty uint64, record *cold, old string, file *Clean, clean uint64) {
	if record.Clean != "" && file != nil {
		if clean == 0 {
			clean = b.createClean(file)
		}
		key := appendNumber(appendNumber(nil, clean), dirty)
		if b.get(inDirty, key) == nil {
			raw, _ := hex.DecodeString(record.Hash)
			b.put(inDirty, key, raw)
			b.add(inDirty, appendNumber(nil, clean), +1, false)
		}
	}
	if old != "" && old != record.Clean {
		b.unlink(dirty, old)
	}
}

func (b *batch) createClean(file *Clean) uint64 {
	c := cold{Hash: file.Content.MD5, Record: Record{Added: b.now, Content: &file.Content, Format: "N-Quads"}}
	n := newRecord{hash: c.Hash, hot: hot{state: Cleaned, flags: isClean}, counts: make(map[string]int64)}
	c.tallyClean(n.counts, +1)
	var err error
	n.cold, err = c.encode()
	b.fail(inCold, err)
	return b.create(n)
}

// unlink ends the link of a dirty seed with a clean one, which goes with its last.
func (b *batch) unlink(dirty uint64, hash string) {
	clean := b.number(hash)
	key := appendNumber(appendNumber(nil, clean), dirty)
	if clean == 0 || b.get(inDirty, key) == nil {
		return
	}
	b.delete(inDirty, key)
	if b.add(inDirty, appendNumber(nil, clean), -1, false) == 0 {
		b.erase(clean)
	}
}
