package seedlist

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// HostSettings are what the operator says of one host, in place of what holds for all.
type HostSettings struct {
	Host        string   `json:"host"` // as in [URI.Host]: host[:port], lower case
	Paused      bool     `json:"paused"`
	Connections int      `json:"connections,omitempty"` // at once; 0: as for all
	Delay       *float64 `json:"delay,omitempty"`       // seconds between two downloads; nil: as for all
}

// HostUse is a host as it stands now.
type HostUse struct {
	HostSettings
	Waiting int `json:"waiting"` // seeds that could be claimed, counted up to 10,000
	Busy    int `json:"busy"`    // downloads now
	// Pace is the delay between two downloads, in seconds, that the host's replies call
	// for; absent if that of the settings is enough.
	Pace float64 `json:"pace,omitempty"`
	// Rests is until when it is left alone.
	Rests time.Time `json:"rests,omitzero"`
}

// ErrHost refuses what names no host.
var ErrHost = errors.New("this is no host: want NAME or NAME:PORT, or a URI")

const (
	maxHostDelay       = 24 * 60 * 60 // seconds
	maxHostConnections = 1000
	mostCounted        = 10_000
)

// HostOf is the host that name stands for: itself, or that of a URI.
func HostOf(name string) (string, error) {
	if !strings.Contains(name, "://") {
		name = "http://" + name + "/"
	}
	u, err := ParseURI(name)
	if err != nil || u.Host == "" || u.Relative {
		return "", ErrHost
	}
	return u.Host, nil
}

// SetHost changes the settings of a host; change gets those that it has. Settings
// that say nothing are forgotten. What is being downloaded goes on.
func (s *Store) SetHost(ctx context.Context, name string, change func(*HostSettings)) (HostUse, error) {
	host, err := HostOf(name)
	if err != nil {
		return HostUse{}, err
	}
	err = s.do(ctx, func(b *batch) error {
		is, err := b.hostSettings(host)
		if err != nil {
			return err
		}
		change(&is)
		if is.Connections < 0 || is.Connections > maxHostConnections {
			return fmt.Errorf("%w: connections are 0 (as for all) to %d", ErrHostSettings, maxHostConnections)
		}
		if is.Delay != nil && !(*is.Delay >= 0 && *is.Delay <= maxHostDelay) {
			return fmt.Errorf("%w: the delay is 0 to %d seconds", ErrHostSettings, maxHostDelay)
		}
		is.Host = host
		if is == (HostSettings{Host: host}) {
			b.delete(inHostSettings, []byte(host))
		} else {
			data, err := encodeJSON(is)
			if err != nil {
				return err
			}
			b.put(inHostSettings, []byte(host), data)
		}
		b.done = append(b.done, func() {
			s.hosts.set(is)
			s.wake(table[0].ready)
		})
		return nil
	})
	if err != nil {
		return HostUse{}, err
	}
	return s.Host(ctx, host)
}

// ErrHostSettings refuses settings that are out of their bounds.
var ErrHostSettings = errors.New("out of bounds")

// Host is a host as it stands.
func (s *Store) Host(ctx context.Context, name string) (use HostUse, err error) {
	host, err := HostOf(name)
	if err != nil {
		return use, err
	}
	err = s.view(ctx, func(t *tables) error {
		settings, err := t.hostSettings(host)
		use = s.hosts.use(settings)
		t.scan(inHosted, appendNumber(nil, hostKey(host)), nil, func(_, _ []byte) bool {
			use.Waiting++
			return use.Waiting < mostCounted
		})
		return err
	})
	return use, err
}

// Hosts are those with settings of their own, by name.
func (s *Store) Hosts(ctx context.Context) ([]HostUse, error) {
	all := []HostUse{}
	for _, settings := range s.hosts.configured() {
		use, err := s.Host(ctx, settings.Host)
		if err != nil {
			return nil, err
		}
		all = append(all, use)
	}
	return all, nil
}

// Manners are how a host may be asked now: requests at once, the delay between two of
// them, which may be longer by what its replies call for, and whether not at all.
func (s *Store) Manners(name string) (connections int, delay time.Duration, paused bool) {
	host, err := HostOf(name)
	if err != nil {
		host = name
	}
	s.hosts.mu.Lock()
	defer s.hosts.mu.Unlock()
	key := hostKey(host)
	connections, delay = s.hosts.bounds(key)
	if use := s.hosts.hosts[key]; use != nil {
		delay = max(delay, use.pace)
	}
	return connections, delay, s.hosts.settings[key].Paused
}

// Showed notes what a host showed that was asked for something else than a claimed seed
// of its own: where a redirect led, or for a page of a catalog. Its seeds wait
// accordingly.
func (s *Store) Showed(name string, load Load) {
	if host, err := HostOf(name); err == nil {
		s.hosts.showed(hostKey(host), time.Now(), load)
	}
}

func (t *tables) hostSettings(host string) (HostSettings, error) {
	settings := HostSettings{Host: host}
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
			var settings HostSettings
			if err = json.Unmarshal(data, &settings); err == nil {
				s.hosts.set(settings)
			}
			return err == nil
		})
		return err
	})
}

// paused is the number of seeds that only wait for their hosts to be resumed.
func (s *Store) paused(ctx context.Context) (n int64, err error) {
	err = s.view(ctx, func(t *tables) error {
		for _, settings := range s.hosts.configured() {
			if settings.Paused {
				t.scan(inHosted, appendNumber(nil, hostKey(settings.Host)), nil, func(_, _ []byte) bool { n++; return true })
			}
		}
		return nil
	})
	return n, err
}

// set puts the settings of a host in force.
func (t *hostTable) set(settings HostSettings) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := hostKey(settings.Host)
	if settings == (HostSettings{Host: settings.Host}) {
		delete(t.settings, key)
		return
	}
	if t.settings == nil {
		t.settings = map[uint64]HostSettings{}
	}
	t.settings[key] = settings
}

func (t *hostTable) configured() []HostSettings {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := make([]HostSettings, 0, len(t.settings))
	for _, settings := range t.settings {
		all = append(all, settings)
	}
	slices.SortFunc(all, func(a, b HostSettings) int { return cmp.Compare(a.Host, b.Host) })
	return all
}

func (t *hostTable) use(settings HostSettings) HostUse {
	t.mu.Lock()
	defer t.mu.Unlock()
	is := HostUse{HostSettings: settings}
	if use := t.hosts[hostKey(settings.Host)]; use != nil {
		is.Busy, is.Pace = use.claims, use.pace.Seconds()
		if use.rest.After(time.Now()) {
			is.Rests = use.rest.UTC()
		}
	}
	return is
}

// fileConnections is how many files of this machine are read at once.
const fileConnections = 16

var fileKey = hostKey(FileHost)

// bounds are the connections and the delay of a host; the lock is held.
func (t *hostTable) bounds(host uint64) (connections int, delay time.Duration) {
	settings := t.settings[host]
	connections, delay = t.connections, t.delay
	if host == fileKey {
		connections, delay = fileConnections, 0 // there is nobody to be polite to
	}
	if settings.Connections > 0 {
		connections = settings.Connections
	}
	if settings.Delay != nil {
		delay = time.Duration(*settings.Delay * float64(time.Second))
	}
	return connections, delay
}
