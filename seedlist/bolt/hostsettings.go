package bolt

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"laundromat/seedlist"
)

// SetHost changes the settings of a host; change gets those that it has. Settings
// that say nothing are forgotten. What is being downloaded goes on.
func (s *Store) SetHost(ctx context.Context, name string, change func(*seedlist.HostSettings)) (seedlist.HostUse, error) {
	host, err := seedlist.HostOf(name)
	if err != nil {
		return seedlist.HostUse{}, err
	}
	for {
		if err = s.setHost(ctx, host, change); err != errRevised {
			break
		}
	}
	if err != nil {
		return seedlist.HostUse{}, err
	}
	return s.Host(ctx, host)
}

// setHost is one try; errRevised says that the settings were changed by another meanwhile.
func (s *Store) setHost(ctx context.Context, host string, change func(*seedlist.HostSettings)) error {
	var is seedlist.HostSettings
	var was []byte
	err := s.view(ctx, func(t *tables) (err error) {
		was = bytes.Clone(t.get(inHostSettings, []byte(host)))
		is, err = t.hostSettings(host)
		return err
	})
	if err != nil {
		return err
	}
	change(&is)
	if err := is.Check(); err != nil {
		return err
	}
	is.Host = host
	var data []byte // nil: they say nothing
	if is != (seedlist.HostSettings{Host: host}) {
		if data, err = seedlist.EncodeJSON(is); err != nil {
			return err
		}
	}
	return s.do(ctx, func(b *batch) error {
		if !bytes.Equal(b.get(inHostSettings, []byte(host)), was) {
			return errRevised
		}
		if data == nil {
			b.delete(inHostSettings, []byte(host))
		} else {
			b.put(inHostSettings, []byte(host), data)
		}
		b.done = append(b.done, func() {
			s.hosts.set(is)
			s.wake(seedlist.Added)
		})
		return nil
	})
}

// Host is a host as it is now.
func (s *Store) Host(ctx context.Context, name string) (use seedlist.HostUse, err error) {
	host, err := seedlist.HostOf(name)
	if err != nil {
		return use, err
	}
	err = s.view(ctx, func(t *tables) error {
		settings, err := t.hostSettings(host)
		use = s.hosts.use(settings)
		use.Waiting = len(t.dueByHost(time.Now())[hostKey(host)])
		t.scan(inHosted, appendNumber(nil, hostKey(host)), nil, func(_, _ []byte) bool {
			use.Waiting++
			return use.Waiting < seedlist.MostCounted
		})
		use.Waiting = min(use.Waiting, seedlist.MostCounted)
		return err
	})
	return use, err
}

// Hosts are those with settings of their own, by name.
func (s *Store) Hosts(ctx context.Context) ([]seedlist.HostUse, error) {
	all := []seedlist.HostUse{}
	for _, settings := range s.hosts.configured() {
		use, err := s.Host(ctx, settings.Host)
		if err != nil {
			return nil, err
		}
		all = append(all, use)
	}
	return all, nil
}

// Manners are how a host may be asked now.
func (s *Store) Manners(ctx context.Context, name string) (m seedlist.Manners, err error) {
	if err := ctx.Err(); err != nil {
		return m, err
	}
	host, err := seedlist.HostOf(name)
	if err != nil {
		host = name
	}
	s.hosts.mu.Lock()
	defer s.hosts.mu.Unlock()
	key := hostKey(host)
	m.Connections, m.Delay = s.hosts.bounds(key)
	if use := s.hosts.hosts[key]; use != nil {
		m.Delay = max(m.Delay, use.pace)
	}
	m.Paused = s.hosts.settings[key].Paused
	return m, nil
}

// Showed notes what a host showed that was asked for something else than a claimed seed of
// its own. That is where a redirect led, or a page of a catalog. Its seeds wait
// accordingly.
func (s *Store) Showed(ctx context.Context, name string, load seedlist.Load) error {
	if host, err := seedlist.HostOf(name); err == nil && ctx.Err() == nil {
		s.hosts.showed(hostKey(host), time.Now(), load)
	}
	return ctx.Err()
}

func (t *tables) hostSettings(host string) (seedlist.HostSettings, error) {
	settings := seedlist.HostSettings{Host: host}
	if data := t.get(inHostSettings, []byte(host)); data != nil {
		if err := json.Unmarshal(data, &settings); err != nil {
			return settings, fmt.Errorf("settings of %s: %w", host, err)
		}
	}
	return settings, nil
}

// loadHosts reads all settings into the memory, where claims look at them.
func (s *Store) loadHosts(ctx context.Context) error {
	return s.view(ctx, func(t *tables) error {
		var err error
		t.scan(inHostSettings, nil, nil, func(key, data []byte) bool {
			var settings seedlist.HostSettings
			if err = json.Unmarshal(data, &settings); err == nil {
				s.hosts.set(settings)
			}
			return err == nil
		})
		return err
	})
}

// paused is the number of seeds that only wait for their hosts to be resumed, or to be asked again since they turned.
func (s *Store) paused(ctx context.Context) (n int64, err error) {
	err = s.view(ctx, func(t *tables) error {
		for _, settings := range s.hosts.configured() {
			if s.hosts.isLeftAlone(settings, time.Now()) {
				t.scan(inHosted, appendNumber(nil, hostKey(settings.Host)), nil, func(_, _ []byte) bool { n++; return true })
			}
		}
		return nil
	})
	return n, err
}

// set puts the settings of a host in force.
func (t *hostTable) set(settings seedlist.HostSettings) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := hostKey(settings.Host)
	if was := t.settings[key].Turned; was != nil || settings.Turned != nil {
		now := time.Now()
		use := t.at(key, now)
		_, delay := t.bounds(key)
		use.rest = seedlist.RestAfter(use.rest, was, settings.Turned, max(delay, use.pace), now)
	}
	if settings == (seedlist.HostSettings{Host: settings.Host}) {
		delete(t.settings, key)
		return
	}
	if t.settings == nil {
		t.settings = map[uint64]seedlist.HostSettings{}
	}
	t.settings[key] = settings
}

func (t *hostTable) configured() []seedlist.HostSettings {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := make([]seedlist.HostSettings, 0, len(t.settings))
	for _, settings := range t.settings {
		all = append(all, settings)
	}
	slices.SortFunc(all, func(a, b seedlist.HostSettings) int { return cmp.Compare(a.Host, b.Host) })
	return all
}

func (t *hostTable) use(settings seedlist.HostSettings) seedlist.HostUse {
	t.mu.Lock()
	defer t.mu.Unlock()
	is := seedlist.HostUse{HostSettings: settings}
	if use := t.hosts[hostKey(settings.Host)]; use != nil {
		is.Busy, is.Pace = use.claims, use.pace.Seconds()
		if use.rest.After(time.Now()) {
			is.Rests = use.rest.UTC()
		}
	}
	return is
}

var fileKey = hostKey(seedlist.FileHost)

// bounds are the connections and the delay of a host; the lock is held.
func (t *hostTable) bounds(host uint64) (connections int, delay time.Duration) {
	settings := t.settings[host]
	connections, delay = t.connections, t.delay
	if host == fileKey {
		connections, delay = seedlist.FileConnections, 0 // there is nobody to be polite to
	}
	if settings.Connections > 0 {
		connections = settings.Connections
	}
	if settings.Delay != nil {
		delay = time.Duration(*settings.Delay * float64(time.Second))
	}
	return connections, delay
}
