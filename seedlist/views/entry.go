package views

import (
	"encoding/binary"
	"slices"

	"laundromat/seedlist/quality"
)

// entry is what the file holds of a seed: the numbers of its values. By them its places in
// the lists are known when it changes.
type entry struct {
	ids   []uint32        // the values of all facets, one facet after another, those of each rising
	ends  [facetCount]int // where the values of a facet end in ids
	order [sortCount]uint64
	// findings are how often the document has each of its notices, in the order of their numbers.
	findings []int64
	sums     quality.Sums
	steps    []quality.Step
	left     []departure // from values that the document has no longer
	mark     uint64      // of the clean file whose terms the entry has; 0: none
	relative bool
	unread   bool // the record can't be read: only its state is known
}

// values are those of a facet. The slice is part of the entry.
func (e *entry) values(f Facet) []uint32 {
	begin := 0
	if f > 0 {
		begin = e.ends[f-1]
	}
	return e.ids[begin:e.ends[f]]
}

// reset makes the entry that of no seed. Its memory is kept.
func (e *entry) reset() { *e = entry{ids: e.ids[:0], findings: e.findings[:0], left: e.left[:0]} }

// numberSize is the length of a seed's number in keys: room for a trillion.
const (
	numberSize  = 5
	largestSeed = 1<<(8*numberSize) - 1
)

// What an entry begins with.
const (
	flagRelative = 1 << iota
	flagUnread
	flagMark // a mark of eight bytes follows
	flagLeft // departures stand before the steps
)

// append appends the entry as it is stored.
func (e *entry) append(b []byte) []byte {
	flags := byte(0)
	if e.relative {
		flags |= flagRelative
	}
	if e.unread {
		flags |= flagUnread
	}
	if len(e.left) > 0 {
		flags |= flagLeft
	}
	if e.mark == 0 {
		b = append(b, flags)
	} else {
		b = binary.BigEndian.AppendUint64(append(b, flags|flagMark), e.mark)
	}
	for f := range facetCount {
		values := e.values(f)
		b = binary.AppendUvarint(b, uint64(len(values)))
		for _, id := range values {
			b = binary.AppendUvarint(b, uint64(id))
		}
	}
	for s := BySize; s < sortCount; s++ {
		b = binary.AppendUvarint(b, e.order[s])
	}
	for _, n := range e.findings {
		b = binary.AppendVarint(b, n)
	}
	b = e.sums.Append(b)
	if len(e.left) > 0 {
		b = binary.AppendUvarint(b, uint64(len(e.left)))
	}
	for i := range e.left {
		b = e.left[i].append(b)
	}
	for i := range e.steps {
		b = e.steps[i].Append(binary.AppendVarint(b, e.steps[i].Day))
	}
	return b
}

// decode reads a stored entry, and copies all it needs. One that is cut short is one without
// the rest.
func (e *entry) decode(b []byte) {
	e.reset()
	if len(b) == 0 {
		return
	}
	e.relative, e.unread = isRelative(b), b[0]&flagUnread != 0
	e.mark = storedMark(b)
	hasLeft := b[0]&flagLeft != 0
	b = afterMark(b)
	next := func() uint64 {
		n, size := binary.Uvarint(b)
		b = b[max(size, 0):]
		return n
	}
	for f := range facetCount {
		for range min(next(), uint64(len(b))) {
			e.ids = append(e.ids, uint32(next()))
		}
		e.ends[f] = len(e.ids)
	}
	for s := BySize; s < sortCount; s++ {
		e.order[s] = next()
	}
	for range e.values(Notice) {
		n, size := binary.Varint(b)
		b = b[max(size, 0):]
		e.findings = append(e.findings, n)
	}
	if b = e.sums.Decode(b); hasLeft {
		for range min(next(), uint64(len(b))) {
			var d departure
			b = d.decode(b)
			e.left = append(e.left, d)
		}
	}
	for len(b) > 0 {
		var step quality.Step
		day, size := binary.Varint(b)
		step.Day = day
		b = step.Decode(b[max(size, 0):])
		e.steps = append(e.steps, step)
	}
}

// isRelative says of a stored entry that it is one of a relative reference.
func isRelative(stored []byte) bool { return len(stored) > 0 && stored[0]&flagRelative != 0 }

// storedMark is the mark of a stored entry; 0 for none.
func storedMark(stored []byte) uint64 {
	if len(stored) < 9 || stored[0]&flagMark == 0 {
		return 0
	}
	return binary.BigEndian.Uint64(stored[1:])
}

// afterMark is what follows the mark of a stored entry, which is not empty.
func afterMark(stored []byte) []byte {
	if len(stored) >= 9 && stored[0]&flagMark != 0 {
		return stored[9:]
	}
	return stored[1:]
}

func (e *entry) has(f Facet, id uint32) bool {
	_, found := slices.BinarySearch(e.values(f), id)
	return found
}

func appendSeed(key []byte, number uint64) []byte {
	return append(key, byte(number>>32), byte(number>>24), byte(number>>16), byte(number>>8), byte(number))
}

// lastSeed is the seed's number at the end of a key.
func lastSeed(key []byte) (number uint64) {
	for _, b := range key[len(key)-numberSize:] {
		number = number<<8 | uint64(b)
	}
	return number
}

// appendValue appends what the keys of a value begin with.
func appendValue(key []byte, f Facet, id uint32) []byte {
	return binary.BigEndian.AppendUint32(append(key, byte(f)), id)
}

// appendOrder appends what the keys of a place in an order begin with. It takes as few bytes as
// the place has, so that larger ones sort later.
func appendOrder(key []byte, s Sort, n uint64) []byte {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], n)
	digits := b[:]
	for len(digits) > 0 && digits[0] == 0 {
		digits = digits[1:]
	}
	return append(append(key, byte(s), byte(len(digits))), digits...)
}

// blockSize is the length of the number of a block, in which the keys of lists end.
const blockSize = 4

func appendBlock(key []byte, at uint32) []byte { return binary.BigEndian.AppendUint32(key, at) }

func lastBlock(key []byte) uint32 { return binary.BigEndian.Uint32(key[len(key)-blockSize:]) }

// orderIn is the place in the key of an order.
func orderIn(key []byte) (n uint64) {
	for _, b := range key[2 : len(key)-blockSize] {
		n = n<<8 | uint64(b)
	}
	return n
}
