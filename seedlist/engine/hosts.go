package engine

import (
	"context"
	"reflect"
	"time"

	"laundromat/seedlist"
)

// Downloads take turns by host: the free host that has waited longest comes first, so that one host with a million
// seeds delays nobody.

// loadHosts reads hosts, those that were not read before.
func (s *Session) loadHosts(keys ...string) {
	var missing []string
	for _, key := range distinct(keys) {
		if s.hosts[key] == nil && key != "" {
			missing = append(missing, key)
		}
	}
	if len(missing) == 0 {
		return
	}
	for _, h := range s.hostsOf(missing, 0) {
		s.keepHost(h)
	}
}

// keepHost puts a host among those of the session. Of one that is there already, that is returned.
func (s *Session) keepHost(h *Host) *Host {
	if known := s.hosts[h.Key]; known != nil {
		known.Waiting = h.Waiting
		return known
	}
	put(&s.hosts, h.Key, h)
	return h
}

// host is that of a key, as good as new where the store does not say.
func (s *Session) host(key string) *Host {
	if s.loadHosts(key); s.hosts[key] == nil {
		return new(Host)
	}
	return s.hosts[key]
}

// putHost has a host written.
func (s *Session) putHost(h *Host) {
	s.touched++
	if !h.changed {
		h.changed = true
		s.next.Hosts = append(s.next.Hosts, h)
	}
}

// Bounds are the connections and the delay of a host.
func (l *Moves) Bounds(h *Host) (connections int, delay time.Duration) {
	connections, delay = l.options.Pace.Now()
	if h.Key == l.store.HostKey(seedlist.FileHost) {
		connections, delay = seedlist.FileConnections, 0
	}
	if h.Settings.Connections > 0 {
		connections = h.Settings.Connections
	}
	if h.Settings.Delay != nil {
		delay = time.Duration(*h.Settings.Delay * float64(time.Second))
	}
	return connections, delay
}

// Slots is the number of seeds of a host that may be claimed now: it is free where that is above 0.
func (l *Moves) Slots(h *Host, now time.Time) int {
	connections, delay := l.Bounds(h)
	switch free := connections - h.Claims; {
	case h.Settings.Paused || h.Rest.After(now):
		return 0
	case delay > 0 || h.Settings.Turned != nil:
		return max(0, min(free, 1))
	default:
		return max(0, free)
	}
}

// FreeAt is when a host that is not free may be; the zero time where only the end of a request, or a person, frees
// it.
func (l *Moves) FreeAt(h *Host) time.Time {
	if connections, _ := l.Bounds(h); h.Settings.Paused || h.Claims >= connections {
		return time.Time{}
	}
	return h.Rest
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// begin begins a request to a host for a seed.
func (s *Session) begin(h *Host, r *Seed) {
	_, delay := s.list.Bounds(h)
	if s.list.sharer != nil {
		s.after = append(s.after, s.list.sharer.Take(h, r, s.began))
	}
	h.Claims++
	h.Rest = later(h.Rest, s.now.Add(max(delay, h.Settings.Turned.PauseTime())))
	s.putHost(h)
}

// showed notes what a request showed.
func (s *Session) showed(h *Host, load seedlist.Load) {
	_, delay := s.list.Bounds(h)
	h.Pace = seedlist.PaceAfter(h.Pace, delay, load)
	if load.Delay > 0 {
		h.Crawl = load.Delay
	}
	h.Rest = later(h.Rest, s.now.Add(max(delay, h.Pace, load.Delay, load.Rest, h.Settings.Turned.PauseTime())))
	s.putHost(h)
}

// leave ends the request of a claim to its host.
func (s *Session) leave(r *Seed, load seedlist.Load) {
	if !r.Asking {
		return
	}
	h := s.host(r.Host)
	s.touch(r)
	r.Asking = false
	if s.list.sharer == nil || s.list.sharer.IsCounted(h, r) {
		h.Claims = max(0, h.Claims-1)
	}
	s.frees |= OfDownloads
	if h.Claims == 0 || s.isFiles(h) { // others may take it
		s.next.News |= OfDownloads
	}
	s.showed(h, load)
	if number := r.Number; s.list.sharer != nil {
		s.after = append(s.after, func() { s.list.sharer.Left(number) })
	}
}

func (s *Session) isFiles(h *Host) bool { return h.Key == s.list.store.HostKey(seedlist.FileHost) }

// leaveLost lets the host of a seed that goes be asked until the work finds out: see [Moves.endLost].
func (s *Session) leaveLost(r *Seed) {
	if !r.Asking || r.Host == s.list.store.HostKey(seedlist.FileHost) {
		return
	}
	s.touch(r)
	r.Asking = false
	if s.list.sharer == nil {
		number, is := r.Number, lostUse{r.Fence, r.Host}
		s.after = append(s.after, func() { s.list.leases.under(func() { s.list.leases.lost[number] = is }) })
	}
}

// SetHost changes the settings of a host.
func (l *Moves) SetHost(ctx context.Context, name string, change func(*seedlist.HostSettings)) (use seedlist.HostUse, err error) {
	name, err = seedlist.HostOf(name)
	if err != nil {
		return use, err
	}
	return setHost(ctx, l, name, change)
}

// setHost is SetHost for a name as the list has it.
func setHost(ctx context.Context, l *Moves, name string, change func(*seedlist.HostSettings)) (use seedlist.HostUse, err error) {
	key := l.store.HostKey(name)
	for {
		was, err := found(ctx, l.read, func(s *Session) (seedlist.HostSettings, error) { return s.host(key).Settings, nil })
		if err != nil {
			return use, err
		}
		is := copySettings(was)
		is.Host = name
		change(&is)
		if err := is.Check(); err != nil {
			return use, err
		}
		is.Host = name
		err = l.write(ctx, func(s *Session) error {
			h := s.countedHost(key)
			if !isSameSettings(h.Settings, was) {
				return errRevised
			}
			_, delay := l.Bounds(h)
			h.Rest = seedlist.RestAfter(h.Rest, h.Settings.Turned, is.Turned, max(delay, h.Pace), s.now)
			h.Settings = copySettings(is)
			s.putHost(h)
			s.next.News |= OfDownloads
			use = s.use(h)
			return nil
		})
		if err != errRevised {
			return use, err
		}
	}
}

// isSameSettings compares settings; their host may not be filled in.
func isSameSettings(a, b seedlist.HostSettings) bool {
	a.Host, b.Host = "", ""
	return reflect.DeepEqual(a, b)
}

// IsOwn says that settings say something of their host.
func IsOwn(settings *seedlist.HostSettings) bool {
	return *settings != seedlist.HostSettings{Host: settings.Host}
}

// copySettings are settings that share nothing.
func copySettings(settings seedlist.HostSettings) seedlist.HostSettings {
	if settings.Delay != nil {
		delay := *settings.Delay
		settings.Delay = &delay
	}
	return settings
}

// countedHost is a host with the number of seeds that wait for it.
func (s *Session) countedHost(key string) *Host {
	for _, h := range s.hostsOf([]string{key}, seedlist.MostCounted) {
		return s.keepHost(h)
	}
	return new(Host)
}

// Host is a host as it is now.
func (l *Moves) Host(ctx context.Context, name string) (use seedlist.HostUse, err error) {
	name, err = seedlist.HostOf(name)
	if err != nil {
		return use, err
	}
	return found(ctx, l.read, func(s *Session) (seedlist.HostUse, error) {
		h := s.countedHost(l.store.HostKey(name))
		h.Settings.Host = name
		return s.use(h), nil
	})
}

// Hosts are those with settings of their own, by name.
func (l *Moves) Hosts(ctx context.Context) ([]seedlist.HostUse, error) {
	return found(ctx, l.read, func(s *Session) ([]seedlist.HostUse, error) {
		all := []seedlist.HostUse{}
		for _, h := range s.hostsOf(nil, seedlist.MostCounted) {
			if !isHold(h) {
				all = append(all, s.use(h))
			}
		}
		return all, nil
	})
}

// askAtOnce ends the rest of hosts that turned: who asks for documents of them wants to know.
func (s *Session) askAtOnce(keys []string) {
	s.loadHosts(keys...)
	for _, key := range distinct(keys) {
		if h := s.hosts[key]; h != nil && h.Settings.Turned != nil && h.Rest.After(s.now) {
			h.Rest = s.now
			s.putHost(h)
		}
	}
}

func (s *Session) use(h *Host) seedlist.HostUse {
	use := seedlist.HostUse{
		HostSettings: copySettings(h.Settings), Waiting: min(h.Waiting, seedlist.MostCounted), Busy: h.Claims, Pace: h.Pace.Seconds(),
	}
	if h.Rest.After(s.now) {
		use.Rests = utc(h.Rest)
	}
	return use
}

// Manners are how a host may be asked now.
func (l *Moves) Manners(ctx context.Context, name string) (seedlist.Manners, error) {
	if host, err := seedlist.HostOf(name); err == nil {
		name = host
	}
	return found(ctx, l.ask, func(s *Session) (m seedlist.Manners, err error) {
		h := s.host(l.store.HostKey(name))
		m.Connections, m.Delay = l.Bounds(h)
		m.Delay, m.Paused = max(m.Delay, h.Pace), h.Settings.Paused
		return m, nil
	})
}

// Showed notes what a host showed that was asked for something else.
func (l *Moves) Showed(ctx context.Context, name string, load seedlist.Load) error {
	name, err := seedlist.HostOf(name)
	if err != nil {
		return nil
	}
	return l.write(ctx, func(s *Session) error {
		s.showed(s.host(l.store.HostKey(name)), load)
		return nil
	})
}

// Waits are what can't be claimed now, with up to limit hosts.
func (l *Moves) Waits(ctx context.Context, limit int) (seedlist.Waits, error) {
	return found(ctx, l.read, func(s *Session) (seedlist.Waits, error) {
		w := seedlist.Waits{Hosts: []seedlist.HostWait{}}
		blocked := answer(&s.asking, func(tx Tx) (all []*Host, err error) {
			all, w.HostsTotal, err = tx.Blocked(s.now, max(0, limit))
			return all, err
		})
		for _, h := range blocked {
			w.Hosts = append(w.Hosts, seedlist.WaitFor(s.use(h), s.now))
		}
		next := s.outlook(QueueReady, s.now, seedlist.MostCounted)
		w.Later, w.Next = next.Later, TimeOf(next.First)
		return w, nil
	})
}

// OldestDue is since when the seed is due that has been due longest; zero: none is.
func (l *Moves) OldestDue(ctx context.Context) (time.Time, error) {
	return found(ctx, l.read, func(s *Session) (time.Time, error) {
		if due := TimeOf(s.outlook(QueueDue, s.now, 0).First); !due.After(s.now) {
			return due, nil
		}
		return time.Time{}, nil
	})
}

// ClaimedHost is the lease of a host where one process has all hosts.
func (l *Moves) ClaimedHost(string) seedlist.HostLease { return seedlist.HostLease{} }

// LeaseHost is the same. Who asks hosts knows how long others rest; one that turned is left alone until its pause ends.
func (l *Moves) LeaseHost(ctx context.Context, name string, within time.Duration) (lease seedlist.HostLease, err error) {
	if host, err := seedlist.HostOf(name); err == nil && !seedlist.IsAddressName(name) {
		name = host
	}
	rests := time.Duration(0)
	err = l.ask(ctx, func(s *Session) error {
		if h := s.host(l.store.HostKey(name)); h.Settings.Turned != nil {
			lease.NotBefore, rests = h.Rest, h.Rest.Sub(s.now)
		}
		return nil
	})
	if err == nil && rests > within {
		return seedlist.HostLease{}, seedlist.RestingHost(name, rests)
	}
	return lease, err
}
