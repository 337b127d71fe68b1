package clean

import "encoding/binary"

// recent is a table of what came last, by the last eight letters of an IRI. It begins
// small, since most documents are, and becomes large where much is looked for without success.
type recent[T any] struct {
	slots  []T // none, fewSlots or manySlots
	misses int
}

const (
	fewSlots  = 32
	manySlots = 256
)

// slot is where what belongs to iri is, if it is there; iri has eight letters at least.
func (r *recent[T]) slot(iri []byte) *T {
	if r.slots == nil {
		r.slots = make([]T, fewSlots)
	}
	hash := binary.LittleEndian.Uint64(iri[len(iri)-8:]) * 0x9E3779B97F4A7C15 >> 56
	return &r.slots[int(hash)&(len(r.slots)-1)]
}

// miss says that slot held something else, and gives the slot that is to hold what
// belongs to iri now. The table may forget all it held.
func (r *recent[T]) miss(iri []byte) *T {
	if r.misses++; r.misses == fewSlots {
		r.slots = make([]T, manySlots)
	}
	return r.slot(iri)
}
