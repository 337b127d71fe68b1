package bolt

import (
	"crypto/md5"
	"encoding/binary"
)

// Downloads take turns by host: the free host that has waited longest comes
// first, so that one host with a million seeds delays nobody. Which hosts have seeds, and
// their turns, is in the file. How many connections each has now, and when it may be asked
// again, is in memory.

// hostKey names a host in the indices. Two hosts that share a key (one pair in
// some four billion hosts) share their turns, and that is all.
func hostKey(host string) uint64 {
	if host == "" {
		return 0
	}
	sum := md5.Sum([]byte(host))
	return binary.BigEndian.Uint64(sum[:8])
}

// A host has a turn as long as it has a seed that is added, also one that is due later.

// hostGained ensures that a host with a seed has a turn. later is 1 if the seed is due later.
func (b *batch) hostGained(host uint64, later int64) {
	key := appendNumber(nil, host)
	turn, was := readTurn(b.get(inHosts, key))
	if turn == 0 {
		b.setTurn(key, later)
	} else if later != 0 {
		b.put(inHosts, key, turnValue(turn, was+later))
	}
}

// hostLost ends the turns of a host that has no seed any more. later is 1 if the one that it lost was
// due later.
func (b *batch) hostLost(host uint64, later int64) {
	key := appendNumber(nil, host)
	isDue := b.first(inHosted, key) != nil
	if isDue && later == 0 {
		return
	}
	turn, was := readTurn(b.get(inHosts, key))
	left := max(0, was-later) // a list of an older version has counted none
	switch {
	case turn == 0:
	case isDue || left > 0:
		if left != was {
			b.put(inHosts, key, turnValue(turn, left))
		}
	default:
		b.delete(inTurns, appendNumber(nil, turn))
		b.delete(inHosts, key)
	}
}

// served sends a host to the end of the queue.
func (b *batch) served(host uint64) {
	key := appendNumber(nil, host)
	if turn, later := readTurn(b.get(inHosts, key)); turn != 0 {
		b.delete(inTurns, appendNumber(nil, turn))
		b.setTurn(key, later)
	}
}

// setTurn gives a host the last turn. Turns are numbered: two in one instant, or
// a clock that was set back, change no order.
func (b *batch) setTurn(host []byte, later int64) {
	turn := b.next(inTurns)
	b.put(inHosts, host, turnValue(turn, later))
	b.put(inTurns, appendNumber(nil, turn), host)
}

// turnValue is what is stored of the turn of a host, of which so many seeds are due later.
func turnValue(turn uint64, later int64) []byte {
	value := appendNumber(make([]byte, 0, 16), turn)
	if later > 0 {
		value = appendNumber(value, uint64(later))
	}
	return value
}

// readTurn is the opposite of turnValue; 0 for a host that has no turn.
func readTurn(value []byte) (turn uint64, later int64) {
	if len(value) >= 8 {
		turn = binary.BigEndian.Uint64(value)
	}
	if len(value) >= 16 {
		later = int64(binary.BigEndian.Uint64(value[8:]))
	}
	return turn, later
}
