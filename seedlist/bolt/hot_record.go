package bolt

import (
	"encoding/binary"
	"errors"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// hot is the small record of a seed: all that a claim reads and writes. It is kept by the
// seed's number, which rises with its age. Seeds that came together are therefore next to
// each other, and a batch touches few pages.
type hot struct {
	state    seedlist.State
	last     seedlist.State // the last final state; "" before the first
	stage    seedlist.State // the working state that failed last; kept until another end
	flags    uint8
	crashes  uint8 // as in [seedlist.Claim]: above 0 the seed is a suspect
	failures uint8 // ends in failed in a row that were tried again by themselves
	tries    uint16
	fence    uint64
	due      int64 // nanoseconds since 1970; 0: no due time

	priority int32
	revision uint32 // rises with every write of the cold record
	host     uint64 // the key of the host; 0 without one
	parent   uint64 // the number of the archive; 0 without one
	open     uint32 // children that are not at rest, see atRest
}

const (
	isRelative  = 1 << iota
	isWaiting   // ready, but due later: is in the order of due times
	isFetchable // has a URI that can be fetched
	isClean
	isGone
	isFragment // names a thing in the document of another seed
	isDamaged  // its larger record can't be read
	isServed   // has a clean file that is served; may lack of one that is parsed
)

const hotSize = 52

// encode has room for a sum behind it.
func (h *hot) encode() []byte {
	b := make([]byte, hotSize, hotSize+sumSize)
	b[0], b[1], b[2], b[3] = h.state.Number(), h.flags, h.last.Number(), h.stage.Number()
	binary.LittleEndian.PutUint16(b[4:], h.tries)
	b[6], b[7] = h.crashes, h.failures
	binary.LittleEndian.PutUint64(b[8:], h.fence)
	binary.LittleEndian.PutUint64(b[16:], uint64(h.due))
	binary.LittleEndian.PutUint32(b[24:], uint32(h.priority))
	binary.LittleEndian.PutUint32(b[28:], h.revision)
	binary.LittleEndian.PutUint64(b[32:], h.host)
	binary.LittleEndian.PutUint64(b[40:], h.parent)
	binary.LittleEndian.PutUint32(b[48:], h.open)
	return b
}

// decodeHot copies all it needs: b dies with its transaction.
func decodeHot(b []byte) (h hot, err error) {
	if len(b) != hotSize || seedlist.StateOf(b[0]) == "" {
		return hot{}, errors.New("it is of no known form")
	}
	return hot{
		state: seedlist.StateOf(b[0]), flags: b[1], last: seedlist.StateOf(b[2]), stage: seedlist.StateOf(b[3]),
		tries: binary.LittleEndian.Uint16(b[4:]), crashes: b[6], failures: b[7],
		fence:    binary.LittleEndian.Uint64(b[8:]),
		due:      int64(binary.LittleEndian.Uint64(b[16:])),
		priority: int32(binary.LittleEndian.Uint32(b[24:])),
		revision: binary.LittleEndian.Uint32(b[28:]),
		host:     binary.LittleEndian.Uint64(b[32:]),
		parent:   binary.LittleEndian.Uint64(b[40:]),
		open:     binary.LittleEndian.Uint32(b[48:]),
	}, nil
}

func (h *hot) is(flag uint8) bool { return h.flags&flag != 0 }

func (h *hot) set(flag uint8, on bool) {
	if on {
		h.flags |= flag
	} else {
		h.flags &^= flag
	}
}

// atRest says that neither the seed nor anything below it will move by itself.
// An archive is fetched again only when it is at rest. The entries of the new one must not
// meet work on those of the old.
func (h *hot) atRest() bool { return h.state.IsFinal() && h.open == 0 }

// moves is the record as the engine has it, but for what only the larger record or the memory knows, and the host.
func (h *hot) moves() engine.Hot {
	return engine.Hot{
		State: h.state, Last: h.last, Stage: h.stage, Fence: h.fence, Parent: h.parent, Due: h.due, Revision: int64(h.revision),
		Tries: int(h.tries), Failures: int(h.failures), Crashes: int(h.crashes), Priority: h.priority,
		Relative: h.is(isRelative), Fragment: h.is(isFragment), Fetchable: h.is(isFetchable), Clean: h.is(isClean), Gone: h.is(isGone),
	}
}

// appendDesc appends n so that larger numbers sort first.
func appendDesc(key []byte, n int32) []byte {
	return binary.BigEndian.AppendUint32(key, ^(uint32(n) ^ 1<<31))
}

// appendTime appends n so that earlier times sort first.
func appendTime(key []byte, n int64) []byte {
	return binary.BigEndian.AppendUint64(key, uint64(n)^1<<63)
}

func readTime(key []byte) int64 {
	return int64(binary.BigEndian.Uint64(key) ^ 1<<63)
}

func appendNumber(key []byte, n uint64) []byte { return binary.BigEndian.AppendUint64(key, n) }

// lastNumber is the seed's number at the end of an index key.
func lastNumber(key []byte) uint64 { return binary.BigEndian.Uint64(key[len(key)-8:]) }
