package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"time"

	"laundromat/seedlist"
)

// Waits are what can't be claimed now, with up to limit hosts.
func (s *Store) Waits(ctx context.Context, limit int) (w seedlist.Waits, err error) {
	w.Hosts = []seedlist.HostWait{}
	now := time.Now()
	err = s.view(ctx, func(t *tables) error {
		due := t.dueByHost(now)
		t.scan(inTurns, nil, nil, func(_, key []byte) bool {
			host := binary.BigEndian.Uint64(key)
			if s.hosts.slots(host, now) > 0 || len(due[host]) == 0 && t.first(inHosted, key) == nil {
				return true
			}
			if w.HostsTotal++; len(w.Hosts) < limit {
				if host, found := t.waitFor(&s.hosts, bytes.Clone(key), due[host], now); found {
					w.Hosts = append(w.Hosts, host)
				}
			}
			return true
		})
		for _, part := range waitingParts() {
			t.scan(inWaiting, []byte{part}, appendTime([]byte{part}, now.UnixNano()+1), func(key, _ []byte) bool {
				at := timeOf(readTime(key[1:]))
				if w.Next.IsZero() || at.Before(w.Next) {
					w.Next = at
				}
				w.Later++
				return w.Later < seedlist.MostCounted
			})
		}
		return nil
	})
	return w, err
}

// dueByHost are the seeds that have come due, and that no claim has made ready yet.
func (t *tables) dueByHost(now time.Time) map[uint64][]uint64 {
	due := map[uint64][]uint64{}
	t.scanDue(seedlist.Added.Number(), now, func(id uint64) {
		if h, ok := t.hot(id); ok {
			due[h.host] = append(due[h.host], id)
		}
	})
	return due
}

// scanDue visits what has come due of a part of inWaiting, and is still there.
func (t *tables) scanDue(part byte, now time.Time, visit func(id uint64)) {
	t.scan(inWaiting, []byte{part}, nil, func(key, _ []byte) bool {
		if readTime(key[1:]) > now.UnixNano() {
			return false
		}
		visit(lastNumber(key))
		return true
	})
}

// waitFor is the wait for the host of a key; not found if its first seed can't be read. due are those of its seeds
// that have come due and are not in inHosted yet.
func (t *tables) waitFor(hosts *hostTable, key []byte, due []uint64, now time.Time) (w seedlist.HostWait, found bool) {
	name, waiting := "", 0
	count := func(id uint64) bool {
		if name == "" {
			if c, err := t.cold(id); err == nil {
				name = c.HostName()
			}
		}
		waiting++
		return waiting < seedlist.MostCounted
	}
	t.scan(inHosted, key, nil, func(seed, _ []byte) bool { return count(lastNumber(seed)) })
	for _, id := range due {
		if waiting >= seedlist.MostCounted || !count(id) {
			break
		}
	}
	if name == "" {
		return w, false
	}
	settings, err := t.hostSettings(name)
	if err != nil {
		return w, false
	}
	use := hosts.use(settings)
	use.Waiting = waiting
	return seedlist.WaitFor(use, now), true
}
