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
		t.scan(inTurns, nil, nil, func(_, key []byte) bool {
			if s.hosts.slots(binary.BigEndian.Uint64(key), now) > 0 {
				return true
			}
			if w.HostsTotal++; len(w.Hosts) < limit {
				if host, found := t.waitFor(&s.hosts, bytes.Clone(key), now); found {
					w.Hosts = append(w.Hosts, host)
				}
			}
			return true
		})
		for _, stage := range seedlist.Stages() {
			prefix := []byte{stage.Ready().Number()}
			t.scan(inWaiting, prefix, nil, func(key, _ []byte) bool {
				at := time.Unix(0, readTime(key[len(prefix):])).UTC()
				if !at.After(now) {
					return true // it is ready in a moment
				}
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

// waitFor is the wait for the host of a key; not found if its first seed can't be read.
func (t *tables) waitFor(hosts *hostTable, key []byte, now time.Time) (w seedlist.HostWait, found bool) {
	name, waiting := "", 0
	t.scan(inHosted, key, nil, func(seed, _ []byte) bool {
		if name == "" {
			if c, err := t.cold(lastNumber(seed)); err == nil {
				if uri, err := seedlist.ParseURI(c.URI); err == nil {
					name = uri.Host
				}
			}
		}
		waiting++
		return waiting < seedlist.MostCounted
	})
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
