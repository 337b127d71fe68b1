package bolt

import (
	"encoding/binary"
	"errors"
)

// A damaged record must cost itself alone. One that stood first among those that wait would be taken
// again and again, and nothing behind it ever.

// inPlace are the numbers of those keys of one of the indices of what waits that are those of their seeds. A key that
// is not is taken out of the index: its record is damaged, or the index is.
func (b *batch) inPlace(which int, keys [][]byte) (ids []uint64) {
	for _, key := range keys {
		id := lastNumber(key)
		h, ok := b.hot(id)
		w, k, waits := h.indexKey(id)
		switch {
		case !ok:
			if which != inRecheck {
				b.deltas[countDamaged]++ // it is still counted as waiting
			}
			b.store.met(b.damageOf(inHot, id, errors.New("can't be read, and the seed is not worked on")))
		case waits && w == which && string(k) == string(key):
			ids = append(ids, id)
			continue
		case waits && b.get(w, k) == nil:
			b.put(w, k, nil) // where it must be
			b.indexed(w, &h)
		}
		b.delete(which, key)
		if which == inHosted && len(key) >= 8 {
			b.hostLost(binary.BigEndian.Uint64(key), 0)
		}
	}
	return ids
}

// setAside takes a seed whose larger record can't be read out of those that wait. It stays in its
// state, and is counted apart, until the list is salvaged.
func (b *batch) setAside(id uint64, was *hot, damage error) {
	is := *was
	is.set(isDamaged, true)
	b.save(id, was, &is)
	b.store.metError(damage)
}
