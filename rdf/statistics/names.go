package statistics

import (
	"strings"

	"github.com/cespare/xxhash/v2"
)

// names is a table of names with two counts each.
type names struct {
	slots   []int32 // index in entries and one; 0 is free
	entries []entry
	room    *int // bytes of names that may still be held, of all tables
	last    int32

	leftOut distinct // names that are not held
	lost    [2]int64 // what was to be counted for them
}

type entry struct {
	text   string
	hash   uint64
	next   int32 // the name that followed when this one was looked up
	counts [2]int64
}

// unheld is the number of a name that isn't held.
const unheld = -1

// number is the number of a name, which is taken in if there is room; else unheld.
func (n *names) number(name []byte) int32 {
	if len(n.entries) > 0 {
		e := &n.entries[n.last]
		if n.entries[e.next].text == string(name) {
			n.last = e.next
			return n.last
		}
	}
	hash := xxhash.Sum64(name)
	if len(n.entries) >= len(n.slots)/2 {
		n.grow()
	}
	mask := uint64(len(n.slots) - 1)
	i := hash & mask
	for ; n.slots[i] != 0; i = (i + 1) & mask {
		at := n.slots[i] - 1
		if e := &n.entries[at]; e.hash == hash && e.text == string(name) {
			n.follow(at)
			return at
		}
	}
	if len(n.entries) == MaxDistinct || *n.room < len(name) {
		n.leftOut.add(hash)
		return unheld
	}
	*n.room -= len(name)
	at := int32(len(n.entries))
	n.entries = append(n.entries, entry{text: string(name), hash: hash, next: at})
	n.slots[i] = at + 1
	n.follow(at)
	return at
}

// add adds to one of the two counts of a name by its number, or of the names that aren't held.
func (n *names) add(number int32, which int, by int64) {
	if number == unheld {
		n.lost[which] += by
		return
	}
	n.entries[number].counts[which] += by
}

// follow notes that a name came after the one before, which will be guessed then.
func (n *names) follow(at int32) {
	n.entries[n.last].next = at
	n.last = at
}

func (n *names) grow() {
	n.slots = make([]int32, max(64, 2*len(n.slots)))
	mask := uint64(len(n.slots) - 1)
	for at := range n.entries {
		i := n.entries[at].hash & mask
		for n.slots[i] != 0 {
			i = (i + 1) & mask
		}
		n.slots[i] = int32(at + 1)
	}
}

// reset empties the table.
func (n *names) reset() {
	if len(n.slots) > mostKept {
		n.slots, n.entries = nil, nil
	}
	clear(n.slots)
	clear(n.entries)
	*n = names{slots: n.slots, entries: n.entries[:0], room: n.room}
}

// namespace is an IRI up to its last #, or else its last /, or else its last colon.
func namespace(iri string) string {
	for _, end := range []byte("#/:") {
		if i := strings.LastIndexByte(iri, end); i >= 0 {
			return iri[:i+1]
		}
	}
	return ""
}
