package views

import (
	"encoding/binary"
	"slices"
)

// entry is what the file holds of a seed: the numbers of its values. By them its places in
// the lists are known when it changes.
type entry struct {
	values   [facetCount][]uint32 // rising
	order    [sortCount]uint64
	relative bool
}

// numberSize is the length of a seed's number in keys: room for a trillion.
const (
	numberSize  = 5
	largestSeed = 1<<(8*numberSize) - 1
)

func (e *entry) encode() []byte {
	b := make([]byte, 1, 48)
	if e.relative {
		b[0] = 1
	}
	for f := range facetCount {
		b = binary.AppendUvarint(b, uint64(len(e.values[f])))
		for _, id := range e.values[f] {
			b = binary.AppendUvarint(b, uint64(id))
		}
	}
	for s := BySize; s < sortCount; s++ {
		b = binary.AppendUvarint(b, e.order[s])
	}
	return b
}

// decodeEntry copies all it needs. An entry that is cut short is one without the rest.
func decodeEntry(b []byte) (e entry) {
	if len(b) == 0 {
		return e
	}
	e.relative = b[0] == 1
	b = b[1:]
	next := func() uint64 {
		n, size := binary.Uvarint(b)
		b = b[max(size, 0):]
		return n
	}
	for f := range facetCount {
		for range min(next(), uint64(len(b))) {
			e.values[f] = append(e.values[f], uint32(next()))
		}
	}
	for s := BySize; s < sortCount; s++ {
		e.order[s] = next()
	}
	return e
}

// packedEntry is an entry as it is stored.
type packedEntry []byte

func (p packedEntry) isRelative() bool { return len(p) > 0 && p[0] == 1 }

// has says that a facet has a value; of one that is cut short nothing is known behind the cut.
func (p packedEntry) has(f Facet, id uint32) bool {
	if len(p) == 0 {
		return false
	}
	rest := p[1:]
	next := func() uint64 {
		n, size := binary.Uvarint(rest)
		rest = rest[max(size, 0):]
		return n
	}
	for at := range facetCount {
		isWanted := at == f
		for range min(next(), uint64(len(rest))) {
			if n := next(); isWanted && n == uint64(id) {
				return true
			}
		}
		if isWanted {
			return false
		}
	}
	return false
}

func (e *entry) has(f Facet, id uint32) bool {
	_, found := slices.BinarySearch(e.values[f], id)
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

// valueKey is where the seeds with a value are, in order of age.
func valueKey(f Facet, id uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{byte(f)}, id)
}

// appendOrdered appends n in as few bytes as it has, so that larger ones sort later.
func appendOrdered(key []byte, n uint64) []byte {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], n)
	digits := b[:]
	for len(digits) > 0 && digits[0] == 0 {
		digits = digits[1:]
	}
	return append(append(key, byte(len(digits))), digits...)
}

// orderKey is the place of a seed in an order.
func orderKey(s Sort, n, number uint64) []byte {
	return appendSeed(appendOrdered([]byte{byte(s)}, n), number)
}
