package bolt

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// hostTable holds how hosts are being asked, and their settings, which claims look at. Settings are in the file too.
type hostTable struct {
	mu    sync.Mutex
	hosts map[uint64]engine.Host // those that are asked, rest after it, or have settings
	asked map[uint64]bool        // the seeds that their hosts are being asked for
	swept int                    // the size of hosts after the last sweep
}

func newHostTable() hostTable {
	return hostTable{hosts: map[uint64]engine.Host{}, asked: map[uint64]bool{}}
}

// host is a copy of what is known of a host.
func (t *hostTable) host(key uint64) *engine.Host {
	t.mu.Lock()
	defer t.mu.Unlock()
	h := t.hosts[key]
	h.Key = keyOfHost(key)
	return &h
}

// put changes what is known of a host. It returns what takes that back.
func (t *hostTable) put(h *engine.Host) (undo func()) {
	key := hostOfKey(h.Key)
	t.mu.Lock()
	defer t.mu.Unlock()
	was, known := t.hosts[key]
	if !known {
		t.sweep(time.Now())
	}
	is := *h
	is.Waiting = 0
	t.hosts[key] = is
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.hosts[key] = was; !known {
			delete(t.hosts, key)
		}
	}
}

// ask notes whether the host of a seed is being asked for it.
func (t *hostTable) ask(seed uint64, is bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if is {
		t.asked[seed] = true
	} else {
		delete(t.asked, seed)
	}
}

func (t *hostTable) isAsked(seed uint64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.asked[seed]
}

// configured are the hosts with settings of their own, by name.
func (t *hostTable) configured() (all []*engine.Host) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for key, h := range t.hosts {
		if engine.IsOwn(&h.Settings) {
			h.Key = keyOfHost(key)
			all = append(all, &h)
		}
	}
	slices.SortFunc(all, func(a, b *engine.Host) int { return strings.Compare(a.Settings.Host, b.Settings.Host) })
	return all
}

// sweep forgets hosts that are free, when the table has doubled since it last did. The lock is held.
func (t *hostTable) sweep(now time.Time) {
	if len(t.hosts) < max(1024, 2*t.swept) {
		return
	}
	for key, h := range t.hosts {
		if h.Claims <= 0 && !h.Rest.Add(h.Pace).After(now) && !engine.IsOwn(&h.Settings) {
			delete(t.hosts, key)
		}
	}
	t.swept = len(t.hosts)
}

// loadHosts reads all settings into the memory.
func (s *Store) loadHosts(ctx context.Context) error {
	return s.view(ctx, func(t *tables) error {
		var err error
		t.scan(inHostSettings, nil, nil, func(name, data []byte) bool {
			settings := seedlist.HostSettings{Host: string(name)}
			if err = json.Unmarshal(data, &settings); err == nil {
				h := &engine.Host{Key: s.HostKey(settings.Host), Settings: settings, Was: settings}
				if settings.Turned != nil {
					h.Rest = settings.Turned.Until // a new process leaves it alone, too
				}
				s.hosts.put(h)
			}
			return err == nil
		})
		return err
	})
}
