package bolt

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"time"

	"laundromat/seedlist"
)

// feed collects what a batch did to seeds, until it is written at the end: of each seed
// the state before and after.
type feed struct {
	places  map[uint64]int // of a seed in changes
	changes []change
}

type change struct {
	number   uint64
	from, to seedlist.State
	hash     []byte // of a seed that was removed
	name     string // of the same
}

// note adds a change of a seed; that of one which changed before goes on from there.
func (f *feed) note(number uint64, from, to seedlist.State) {
	if f.places == nil {
		f.places = make(map[uint64]int)
		for at := range f.changes {
			f.places[f.changes[at].number] = at
		}
	}
	if at, ok := f.places[number]; ok {
		f.changes[at].to = to
		return
	}
	f.places[number] = len(f.changes)
	f.changes = append(f.changes, change{number: number, from: from, to: to})
}

// add notes the changes of a session, of which no two are of one seed.
func (f *feed) add(changes []seedlist.Change) {
	isFirst := len(f.changes) == 0
	for _, c := range changes {
		raw, _ := hex.DecodeString(c.Hash)
		if isFirst {
			f.changes = append(f.changes, change{number: c.Number, from: c.From, to: c.To, hash: raw, name: c.Name})
			continue
		}
		f.note(c.Number, c.From, c.To)
		if at := f.places[c.Number]; c.To == "" {
			f.changes[at].hash, f.changes[at].name = raw, c.Name
		}
	}
}

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
	all := slices.DeleteFunc(b.feed.changes, func(c change) bool { return c.from == "" && c.to == "" })
	if len(all) == 0 || b.err != nil {
		return
	}
	slices.SortFunc(all, func(a, b change) int { return cmp.Compare(a.number, b.number) })
	last := b.bucket(inChanges).Sequence()
	for some := range slices.Chunk(all, maxChanges) {
		value := binary.BigEndian.AppendUint64(make([]byte, 0, changesHead+changeSize*len(some)), uint64(b.now.UnixNano()))
		for _, c := range some {
			value = append(appendNumber(value, c.number), c.from.Number(), c.to.Number())
			if c.to == "" {
				var hash [hashSize]byte // zeros if the record could not be read
				copy(hash[:], c.hash)
				if c.name != "" {
					value[len(value)-1] = removedNamed
				}
				if value = append(value, hash[:]...); c.name != "" {
					value = append(binary.AppendUvarint(value, uint64(len(c.name))), c.name...)
				}
			}
		}
		last += uint64(len(some))
		b.put(inChanges, appendNumber(nil, last), value)
	}
	b.fail(inChanges, b.bucket(inChanges).SetSequence(last))
	b.trimChanges(last)
}

// trimChanges deletes the values whose changes are all older than those that are kept.
func (b *batch) trimChanges(last uint64) {
	keep := uint64(b.store.options.KeepChanges)
	if last <= keep {
		return
	}
	var old []uint64
	b.scan(inChanges, nil, nil, func(key, _ []byte) bool {
		if lastNumber(key) > last-keep {
			return false
		}
		old = append(old, lastNumber(key))
		return true
	})
	for _, key := range old {
		b.delete(inChanges, appendNumber(nil, key))
	}
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
