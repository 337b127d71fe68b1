package bolt

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"time"

	"laundromat/seedlist"
)

// A value of the feed holds changes with consecutive revisions of one transaction. It begins with
// the time of that; each change follows as number, state before, state after, and if it was
// removed the hash, and after that the name if it has one. One value for many changes costs a transaction little.
const (
	// removedNamed is in place of the state after of a seed that was removed and has a name.
	removedNamed = 0xFF
	changesHead  = 8
	changeSize   = 10
	hashSize     = 16
	// maxChanges keeps a value small beside a page.
	maxChanges = 100
)

// writeChanges writes what was noted, and forgets the oldest changes.
func (b *batch) writeChanges() {
	all := distinctChanges(b.feed)
	if len(all) == 0 || b.err != nil {
		return
	}
	last := b.bucket(inChanges).Sequence()
	for some := range slices.Chunk(all, maxChanges) {
		value := binary.BigEndian.AppendUint64(make([]byte, 0, changesHead+changeSize*len(some)), uint64(b.now.UnixNano()))
		for _, c := range some {
			value = append(appendNumber(value, c.Number), c.From.Number(), c.To.Number())
			if c.To == "" {
				var hash [hashSize]byte // zeros if the record could not be read
				raw, _ := hex.DecodeString(c.Hash)
				copy(hash[:], raw)
				if c.Name != "" {
					value[len(value)-1] = removedNamed
				}
				if value = append(value, hash[:]...); c.Name != "" {
					value = append(binary.AppendUvarint(value, uint64(len(c.Name))), c.Name...)
				}
			}
		}
		last += uint64(len(some))
		b.put(inChanges, appendNumber(nil, last), value)
	}
	b.fail(inChanges, b.bucket(inChanges).SetSequence(last))
	b.trimChanges(last)
}

// distinctChanges are changes by the numbers of their seeds. Those of one seed are one, from the first state to the
// last.
func distinctChanges(all []seedlist.Change) (distinct []seedlist.Change) {
	slices.SortStableFunc(all, func(a, b seedlist.Change) int { return cmp.Compare(a.Number, b.Number) })
	for _, c := range all {
		if last := len(distinct) - 1; last >= 0 && distinct[last].Number == c.Number {
			c.From = distinct[last].From
			distinct = distinct[:last]
		}
		distinct = append(distinct, c)
	}
	return slices.DeleteFunc(distinct, func(c seedlist.Change) bool { return c.From == "" && c.To == "" })
}

// trimChanges deletes the values whose changes are all older than those that are kept.
func (b *batch) trimChanges(last uint64) {
	keep := uint64(b.store.options.KeepChanges)
	if last <= keep {
		return
	}
	b.deleteKeys(inChanges, b.keys(inChanges, nil, math.MaxInt, func(key []byte) bool { return lastNumber(key) <= last-keep }))
}

// lastRevision is 0 also where a store that is only read has no feed yet.
func (t *tables) lastRevision() uint64 {
	if t.bucket(inChanges) == nil {
		return 0
	}
	return t.bucket(inChanges).Sequence()
}

// readChanges appends the changes of a value.
func readChanges(all []seedlist.Change, key, value []byte) []seedlist.Change {
	if len(value) < changesHead {
		return all
	}
	begin := len(all)
	at := time.Unix(0, int64(binary.BigEndian.Uint64(value))).UTC()
	for value = value[changesHead:]; len(value) >= changeSize; value = value[changeSize:] {
		c := seedlist.Change{
			Time: at, Number: binary.BigEndian.Uint64(value),
			From: seedlist.StateOf(value[8]), To: seedlist.StateOf(value[9]),
		}
		if c.To == "" && len(value) >= changeSize+hashSize {
			isNamed := value[9] == removedNamed
			c.Hash = hex.EncodeToString(value[changeSize : changeSize+hashSize])
			value = value[hashSize:]
			if isNamed {
				length, size := binary.Uvarint(value[changeSize:])
				name := value[changeSize+max(size, 0):]
				c.Name = string(name[:min(length, uint64(len(name)))])
				value = value[max(size, 0)+len(c.Name):]
			}
		}
		all = append(all, c)
	}
	first := lastNumber(key) + 1 - uint64(len(all)-begin)
	for i := range all[begin:] {
		all[begin+i].Revision = first + uint64(i)
	}
	return all
}
