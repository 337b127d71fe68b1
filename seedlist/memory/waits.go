package memory

import (
	"context"
	"time"

	"laundromat/seedlist"
)

// Waits are what can't be claimed now, with up to limit hosts.
func (s *Store) Waits(ctx context.Context, limit int) (w seedlist.Waits, err error) {
	w.Hosts = []seedlist.HostWait{}
	err = s.read(ctx, func() error {
		now := time.Now()
		for _, h := range s.queue() {
			if s.slots(h, now) > 0 {
				continue
			}
			if w.HostsTotal++; len(w.Hosts) < limit {
				w.Hosts = append(w.Hosts, seedlist.WaitFor(s.use(h, now), now))
			}
		}
		for _, r := range s.seeds {
			if !r.state.IsReady() || r.relative || r.fragment || !r.due.After(now) || w.Later == seedlist.MostCounted {
				continue
			}
			w.Later++
			if at := wall(r.due); w.Next.IsZero() || at.Before(w.Next) {
				w.Next = at
			}
		}
		return nil
	})
	return w, err
}
