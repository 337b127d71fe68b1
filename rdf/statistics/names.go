package statistics

import (
	"strings"

	"github.com/cespare/xxhash/v2"
)

// names is a table of names with two counts each.
type names struct {
	// slots have the index of an entry and one in their low bits, and the upper bits of its hash. 0 is free.
	slots   []uint32
	entries []entry
	held    strings.Builder // the texts of the entries that came last
	recent  []string        // texts of datasets before, by their hashes, which the next ones share
	rows    []row           // for inOrder
	room    *int            // bytes of names that may still be held, of all tables
	last    int32

	waiting  []waiting // names that are looked up together
	resolved []int32   // the numbers of those that waited last
	touched  int

	leftOut distinct // names that are not held
	lost    [2]int64 // what was to be counted for them
}

type entry struct {
	text   string
	counts [2]int64
	next   int32  // the name that followed when this one was looked up
	hash   uint32 // the upper half
}

// waiting is a name that will be looked up. Its text is the caller's.
type waiting struct {
	name   []byte
	hash   uint64
	slot   uint32
	counts [2]int64
}

const (
	// indexBits of a slot are the index: MaxDistinct fits.
	indexBits = 17
	indexMask = 1<<indexBits - 1

	// firstTexts and mostTexts are bytes of names that are allocated at once, where there are more than a few.
	firstTexts, mostTexts, fewNames = 4 << 10, 64 << 10, 100

	// recentTexts is how many texts are kept for the next datasets, a power of two, and longestRecent the longest.
	recentTexts, longestRecent = 64, 256
)

// unheld is the number of a name that isn't held. A smaller one is that of a name that waits.
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
	at := n.find(name, xxhash.Sum64(name))
	if at != unheld {
		n.entries[n.last].next = at // which will be guessed then
		n.last = at
	}
	return at
}

// find is the number of a name by its hash, as number is.
func (n *names) find(name []byte, hash uint64) int32 {
	if len(n.entries) >= len(n.slots)/2 {
		n.grow()
	}
	half := uint32(hash >> 32)
	mask := uint32(len(n.slots) - 1)
	i := half & mask
	for slot := n.slots[i]; slot != 0; slot = n.slots[i] {
		if (slot^half)>>indexBits == 0 {
			at := slot&indexMask - 1
			if n.entries[at].text == string(name) {
				return int32(at)
			}
		}
		i = (i + 1) & mask
	}
	if len(n.entries) == MaxDistinct || *n.room < len(name) {
		n.leftOut.add(hash)
		return unheld
	}
	*n.room -= len(name)
	n.entries = append(n.entries, entry{text: n.hold(name, hash), hash: half, next: int32(len(n.entries))})
	n.slots[i] = uint32(len(n.entries)) | half&^indexMask
	return int32(len(n.entries) - 1)
}

// hold copies a name: after the first ones, to a text that holds many. The first may outlive the table. Datasets of a
// source use the same names, of which one text is enough.
func (n *names) hold(name []byte, hash uint64) string {
	switch {
	case len(n.entries) >= fewNames:
	case len(n.recent) == 0 || len(name) > longestRecent:
		return string(name)
	default:
		text := &n.recent[hash%recentTexts]
		if *text != string(name) {
			*text = string(name)
		}
		return *text
	}
	if len(name) > n.held.Cap()-n.held.Len() {
		size := max(firstTexts, len(name), min(mostTexts, 2*n.held.Cap()))
		n.held = strings.Builder{} // the names in it have it
		n.held.Grow(size)
	}
	n.held.Write(name)
	return n.held.String()[n.held.Len()-len(name):]
}

// wait is a number for a name until it is looked up with others: so the memory of many is waited for at once.
func (n *names) wait(name []byte) int32 {
	n.waiting = append(n.waiting, waiting{name: name, hash: xxhash.Sum64(name)})
	return unheld - int32(len(n.waiting))
}

// lookUp looks up the names that wait.
func (n *names) lookUp() {
	n.touch()
	n.resolved = n.resolved[:0]
	for i := range n.waiting {
		w := &n.waiting[i]
		at := n.find(w.name, w.hash)
		n.add(at, w.counts[0], w.counts[1])
		n.resolved = append(n.resolved, at)
	}
	clear(n.waiting)
	n.waiting = n.waiting[:0]
}

// touch reads what lookUp will probably need. Nothing depends on what is read, so that the processor does not wait
// for one read after the other.
func (n *names) touch() {
	mask := uint32(len(n.slots) - 1)
	for i := range n.waiting {
		w := &n.waiting[i]
		w.slot = n.slots[uint32(w.hash>>32)&mask]
	}
	for i := range n.waiting {
		if at := n.waiting[i].slot & indexMask; at != 0 {
			n.touched += len(n.entries[at-1].text)
		}
	}
}

// resolve is the number of a name that may have waited before the last lookUp.
func (n *names) resolve(number int32) int32 {
	if number < unheld {
		return n.resolved[unheld-1-number]
	}
	return number
}

// add adds to the two counts of a name by its number, or of the names that aren't held.
func (n *names) add(number int32, first, second int64) {
	counts := &n.lost
	switch {
	case number >= 0:
		counts = &n.entries[number].counts
	case number < unheld:
		counts = &n.waiting[unheld-1-number].counts
	}
	counts[0] += first
	counts[1] += second
}

func (n *names) grow() {
	n.slots = make([]uint32, max(64, 2*len(n.slots)))
	mask := uint32(len(n.slots) - 1)
	for at := range n.entries {
		half := n.entries[at].hash
		i := half & mask
		for n.slots[i] != 0 {
			i = (i + 1) & mask
		}
		n.slots[i] = uint32(at+1) | half&^indexMask
	}
}

// reset empties the table. The texts of its first names are kept for the next dataset.
func (n *names) reset() {
	if len(n.slots) > mostKept {
		n.slots, n.entries, n.waiting, n.resolved = nil, nil, nil, nil
	}
	if cap(n.rows) > mostKept {
		n.rows = nil
	}
	if n.recent == nil {
		n.recent = make([]string, recentTexts)
	}
	clear(n.slots)
	clear(n.entries)
	*n = names{slots: n.slots, entries: n.entries[:0], recent: n.recent, rows: n.rows[:0], room: n.room, waiting: n.waiting[:0],
		resolved: n.resolved[:0]}
}

// namespace is an IRI up to its last #, or else its last /, or else its last colon.
func namespace(iri string) string {
	for _, end := range []byte(namespaceEnds) {
		if i := strings.LastIndexByte(iri, end); i >= 0 {
			return iri[:i+1]
		}
	}
	return ""
}

// namespaceEnds are what namespaces end with, in the order in which they are looked for.
const namespaceEnds = "#/:"

// isIn says whether the namespace of an IRI is this one, if that can be seen with a glance.
func isIn(iri, space string) bool {
	return len(space) > 0 && strings.HasPrefix(iri, space) && !strings.ContainsAny(iri[len(space):], namespaceEnds)
}
