package memory

import (
	"context"
	"slices"
	"strings"
	"time"

	"laundromat/seedlist"
)

// host is what is known of a host: its settings, its place in the order of turns, and
// how it is being asked.
type host struct {
	name     string
	settings seedlist.HostSettings // with the name alone if it has none of its own
	waiting  int                   // seeds that can be claimed
	turn     uint64                // the smaller the sooner; 0 without a seed that waits

	claims int
	rest   time.Time // not before this
	pace   time.Duration
}

func (s *Store) host(name string) *host {
	h := s.hosts[name]
	if h == nil {
		h = &host{name: name, settings: seedlist.HostSettings{Host: name}}
		s.hosts[name] = h
	}
	return h
}

// index keeps the turns of the host of a seed. It is called after every change of it.
func (s *Store) index(r *record, now time.Time) {
	waits := r.state == seedlist.Added && r.claimable(now) && s.seeds[r.number] == r
	if waits == r.waits {
		return
	}
	r.waits = waits
	h := s.host(r.host)
	if !waits {
		if h.waiting--; h.waiting == 0 {
			h.turn = 0
		}
		return
	}
	if h.waiting++; h.turn == 0 {
		s.lastTurn(h)
	}
}

// lastTurn sends a host to the end of the queue.
func (s *Store) lastTurn(h *host) {
	s.turns++
	h.turn = s.turns
}

// queue are the hosts with seeds that wait, in the order of their turns.
func (s *Store) queue() (queue []*host) {
	for _, h := range s.hosts {
		if h.turn > 0 {
			queue = append(queue, h)
		}
	}
	slices.SortFunc(queue, func(a, b *host) int { return int(a.turn) - int(b.turn) })
	return queue
}

// bounds are the connections and the delay of a host.
func (s *Store) bounds(h *host) (connections int, delay time.Duration) {
	connections, delay = s.options.HostConnections, s.options.HostDelay
	if h.name == seedlist.FileHost {
		connections, delay = seedlist.FileConnections, 0
	}
	if h.settings.Connections > 0 {
		connections = h.settings.Connections
	}
	if h.settings.Delay != nil {
		delay = time.Duration(*h.settings.Delay * float64(time.Second))
	}
	return connections, delay
}

// slots is the number of seeds of a host that may be claimed now.
func (s *Store) slots(h *host, now time.Time) int {
	connections, delay := s.bounds(h)
	switch free := connections - h.claims; {
	case h.settings.Paused || h.rest.After(now):
		return 0
	case delay > 0 || h.settings.Turned != nil:
		return min(free, 1)
	default:
		return free
	}
}

// isLeftAlone says that the seeds of a host keep nothing from its rest: it is paused, or rests since it turned.
func (h *host) isLeftAlone(now time.Time) bool {
	return h.settings.Paused || h.settings.Turned != nil && h.rest.After(now)
}

// take begins a request to a host.
func (s *Store) take(h *host, now time.Time) {
	h.claims++
	_, delay := s.bounds(h)
	h.rest = latest(h.rest, now.Add(max(delay, h.settings.Turned.PauseTime())))
}

// showed notes what a request showed.
func (s *Store) showed(h *host, now time.Time, load seedlist.Load) {
	_, delay := s.bounds(h)
	h.pace = seedlist.PaceAfter(h.pace, delay, load)
	h.rest = latest(h.rest, now.Add(max(delay, h.pace, load.Delay, load.Rest, h.settings.Turned.PauseTime())))
}

// SetHost changes the settings of a host.
func (s *Store) SetHost(ctx context.Context, name string, change func(*seedlist.HostSettings)) (use seedlist.HostUse, err error) {
	name, err = seedlist.HostOf(name)
	if err != nil {
		return use, err
	}
	for {
		var was seedlist.HostSettings
		err := s.read(ctx, func() error {
			was = s.host(name).settings
			return nil
		})
		if err != nil {
			return use, err
		}
		settings := copySettings(was)
		change(&settings)
		if err := settings.Check(); err != nil {
			return use, err
		}
		settings.Host = name
		err = s.write(ctx, func(now time.Time) error {
			h := s.host(name)
			if h.settings != was {
				return errRevised
			}
			h.settings = copySettings(settings)
			_, delay := s.bounds(h)
			h.rest = seedlist.RestAfter(h.rest, was.Turned, settings.Turned, max(delay, h.pace), now)
			use = s.use(h, now)
			return nil
		})
		if err != errRevised {
			return use, err
		}
	}
}

// Host is a host as it is now.
func (s *Store) Host(ctx context.Context, name string) (use seedlist.HostUse, err error) {
	name, err = seedlist.HostOf(name)
	if err != nil {
		return use, err
	}
	err = s.read(ctx, func() error {
		use = s.use(s.host(name), time.Now())
		return nil
	})
	return use, err
}

// Hosts are those with settings of their own, by name.
func (s *Store) Hosts(ctx context.Context) ([]seedlist.HostUse, error) {
	all := []seedlist.HostUse{}
	err := s.read(ctx, func() error {
		for _, h := range s.hosts {
			if h.settings != (seedlist.HostSettings{Host: h.name}) {
				all = append(all, s.use(h, time.Now()))
			}
		}
		slices.SortFunc(all, func(a, b seedlist.HostUse) int { return strings.Compare(a.Host, b.Host) })
		return nil
	})
	return all, err
}

func (s *Store) use(h *host, now time.Time) seedlist.HostUse {
	use := seedlist.HostUse{
		HostSettings: copySettings(h.settings), Waiting: min(h.waiting, seedlist.MostCounted), Busy: h.claims, Pace: h.pace.Seconds(),
	}
	if h.rest.After(now) {
		use.Rests = wall(h.rest)
	}
	return use
}

// copySettings are settings that share nothing.
func copySettings(settings seedlist.HostSettings) seedlist.HostSettings {
	if settings.Delay != nil {
		delay := *settings.Delay
		settings.Delay = &delay
	}
	return settings
}

// Manners are how a host may be asked now.
func (s *Store) Manners(ctx context.Context, name string) (m seedlist.Manners, err error) {
	if host, err := seedlist.HostOf(name); err == nil {
		name = host
	}
	err = s.read(ctx, func() error {
		h := s.host(name)
		m.Connections, m.Delay = s.bounds(h)
		m.Delay, m.Paused = max(m.Delay, h.pace), h.settings.Paused
		return nil
	})
	return m, err
}

// Showed notes what a host showed that was asked for something else.
func (s *Store) Showed(ctx context.Context, name string, load seedlist.Load) error {
	name, err := seedlist.HostOf(name)
	if err != nil {
		return nil
	}
	return s.read(ctx, func() error {
		s.showed(s.host(name), time.Now(), load)
		return nil
	})
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
