package bolt

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"sync"
	"time"

	"laundromat/seedlist"

	"go.etcd.io/bbolt"
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

// pick chooses up to limit seeds to download: rounds over the free hosts in the order of
// their turns, one seed a host a round. Hosts of which nothing is due are passed over.
func (b *batch) pick(limit int) []uint64 {
	type turn struct {
		cursor *bbolt.Cursor
		host   []byte
		key    []byte // of its next seed; nil if it has no more
		slots  int
	}
	var turns []*turn
	b.scan(inTurns, nil, nil, func(_, key []byte) bool {
		host := bytes.Clone(key)
		if slots := b.store.hosts.slots(binary.BigEndian.Uint64(host), b.now); slots > 0 {
			cursor := b.bucket(inHosted).Cursor()
			if first, _ := cursor.Seek(host); bytes.HasPrefix(first, host) {
				turns = append(turns, &turn{cursor, host, first, slots})
			}
		}
		return len(turns) < limit
	})
	var keys [][]byte
	for len(turns) > 0 && len(keys) < limit {
		left := turns[:0]
		for _, t := range turns {
			if len(keys) == limit {
				break
			}
			if !bytes.HasPrefix(t.key, t.host) {
				continue
			}
			keys = append(keys, bytes.Clone(t.key))
			if t.slots--; t.slots > 0 {
				t.key, _ = t.cursor.Next()
				left = append(left, t)
			}
		}
		turns = left
	}
	return b.inPlace(inHosted, keys)
}

// nextHost says whether a host is free that has a seed which is due; if none is, when the
// first of those that only rest will be. The zero time: only the end of a
// download frees one.
func (t *tables) nextHost(hosts *hostTable, now time.Time) (free bool, at time.Time) {
	t.scan(inTurns, nil, nil, func(_, key []byte) bool {
		host := binary.BigEndian.Uint64(key)
		if hosts.slots(host, now) > 0 {
			free = t.first(inHosted, key) != nil
			return !free
		}
		if ends := hosts.restEnds(host); !ends.IsZero() && (at.IsZero() || ends.Before(at)) {
			at = ends
		}
		return true
	})
	return free, at
}

// hostTable holds the hosts that are being asked or rest after it.
type hostTable struct {
	connections int           // at most, a host
	delay       time.Duration // between two requests to a host

	mu    sync.Mutex
	hosts map[uint64]*hostUse
	// settings are those of hosts that have their own.
	settings map[uint64]seedlist.HostSettings
	swept    int // the size of hosts after the last sweep
}

type hostUse struct {
	claims int
	rest   time.Time // not before this
	// pace is the delay that the host's replies call for, if that is more than the one that
	// was set. It grows where the host has too much to do, and shrinks again.
	pace time.Duration
}

// slots is the number of seeds of a host that may be claimed now.
func (t *hostTable) slots(host uint64, now time.Time) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	free, delay := t.bounds(host)
	if t.settings[host].Paused {
		return 0
	}
	if use := t.hosts[host]; use != nil {
		if use.rest.After(now) {
			return 0
		}
		free -= use.claims
	}
	if delay > 0 || t.settings[host].Turned != nil {
		free = min(free, 1)
	}
	return free
}

// restEnds is when a host may be asked again; the zero time if it is not resting,
// or all its connections are in use.
func (t *hostTable) restEnds(host uint64) time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	use := t.hosts[host]
	if connections, _ := t.bounds(host); use == nil || use.claims >= connections || t.settings[host].Paused {
		return time.Time{}
	}
	return use.rest
}

// at is the use of a host; a new one if it is not known. t.mu is held.
func (t *hostTable) at(host uint64, now time.Time) *hostUse {
	use := t.hosts[host]
	if use == nil {
		t.sweep(now)
		use = new(hostUse)
		t.hosts[host] = use
	}
	return use
}

func (t *hostTable) take(host uint64, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	use := t.at(host, now)
	use.claims++
	_, delay := t.bounds(host)
	use.rest = latest(use.rest, now.Add(max(delay, t.settings[host].Turned.PauseTime())))
}

// untake takes back a take whose transaction failed. The rest stays.
func (t *hostTable) untake(host uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if use := t.hosts[host]; use != nil {
		use.claims--
	}
}

// release ends a request, which showed how much its host has to do.
func (t *hostTable) release(host uint64, now time.Time, load seedlist.Load) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if use := t.hosts[host]; use != nil {
		use.claims--
		_, delay := t.bounds(host)
		use.pace = seedlist.PaceAfter(use.pace, delay, load)
		use.rest = latest(use.rest, now.Add(max(delay, use.pace, load.Delay, load.Rest, t.settings[host].Turned.PauseTime())))
	}
}

// lose ends a request of which nobody knows what it showed.
func (t *hostTable) lose(host uint64, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if use := t.hosts[host]; use != nil {
		use.claims--
		_, delay := t.bounds(host)
		use.rest = latest(use.rest, now.Add(max(delay, use.pace)))
	}
}

// showed notes what a host showed in a request that no claim of its seeds was for.
func (t *hostTable) showed(host uint64, now time.Time, load seedlist.Load) {
	t.mu.Lock()
	defer t.mu.Unlock()
	use := t.at(host, now)
	_, delay := t.bounds(host)
	use.pace = seedlist.PaceAfter(use.pace, delay, load)
	use.rest = latest(use.rest, now.Add(max(delay, use.pace, load.Delay, load.Rest, t.settings[host].Turned.PauseTime())))
}

// askAtOnce ends the rest of a host that turned: who asks for a document of it wants to know.
func (t *hostTable) askAtOnce(host uint64, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if use := t.hosts[host]; use != nil && t.settings[host].Turned != nil {
		use.rest = now
	}
}

// isLeftAlone says that the seeds of a host keep nothing from its rest: it is paused, or rests since it turned.
func (t *hostTable) isLeftAlone(settings seedlist.HostSettings, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	use := t.hosts[hostKey(settings.Host)]
	return settings.Paused || settings.Turned != nil && use != nil && use.rest.After(now)
}

// sweep forgets hosts that are free, when the table has doubled since it last did.
func (t *hostTable) sweep(now time.Time) {
	if len(t.hosts) < max(1024, 2*t.swept) {
		return
	}
	for host, use := range t.hosts {
		if use.claims <= 0 && !use.rest.Add(use.pace).After(now) {
			delete(t.hosts, host)
		}
	}
	t.swept = len(t.hosts)
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
