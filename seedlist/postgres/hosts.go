package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
)

// host is what is known of a host, in a transaction.
type host struct {
	name     string
	settings seedlist.HostSettings
	text     string // the settings as the table has them
	claims   int
	rest     int64 // not before this
	pace     time.Duration
	due      int64
	changed  bool
}

const hostColumns = "host, settings, claims, rest, pace, due"

func scanHost(row pgx.CollectableRow) (*host, error) {
	h := new(host)
	var pace int64
	if err := row.Scan(&h.name, &h.text, &h.claims, &h.rest, &pace, &h.due); err != nil {
		return nil, err
	}
	h.pace = time.Duration(pace)
	var err error
	h.settings, err = settingsOf(h.name, h.text)
	return h, err
}

func settingsOf(name, text string) (seedlist.HostSettings, error) {
	settings := seedlist.HostSettings{Host: name}
	if text != "" {
		if err := json.Unmarshal([]byte(text), &settings); err != nil {
			return settings, fmt.Errorf("settings of %s: %w", name, err)
		}
	}
	return settings, nil
}

// loadHosts reads hosts, those that were not read before.
func (t *tx) loadHosts(names ...string) error {
	missing := slices.DeleteFunc(distinct(names), func(name string) bool { return t.hosts[name] != nil })
	if len(missing) == 0 {
		return nil
	}
	sql := "SELECT " + hostColumns + " FROM hosts WHERE host = ANY($1) ORDER BY host"
	if t.writes {
		sql += " FOR UPDATE"
	}
	found, err := query(t, scanHost, sql, missing)
	if err != nil {
		return err
	}
	for _, h := range found {
		t.hosts[h.name] = h
	}
	for _, name := range missing {
		if t.hosts[name] == nil {
			t.hosts[name] = &host{name: name, settings: seedlist.HostSettings{Host: name}}
		}
	}
	return nil
}

func (t *tx) host(name string) (*host, error) {
	err := t.loadHosts(name)
	return t.hosts[name], err
}

// queueHosts queues what was changed of hosts.
func (t *tx) queueHosts(b *pgx.Batch) error {
	for _, name := range slices.Sorted(maps.Keys(t.hosts)) {
		h := t.hosts[name]
		if !h.changed {
			continue
		}
		h.changed = false
		text := ""
		if h.settings != (seedlist.HostSettings{Host: name}) {
			data, err := seedlist.EncodeJSON(h.settings)
			if err != nil {
				return err
			}
			text = string(data)
		}
		h.text, t.disturbed = text, true
		b.Queue(`INSERT INTO hosts (host, turn, due, rest, pace, claims, connections, paused, settings) VALUES ($1, nextval('turns'), 0, $2, $3, $4, $5, $6, $7)
			ON CONFLICT (host) DO UPDATE SET rest = $2, pace = $3, claims = $4, connections = $5, paused = $6, settings = $7`,
			name, h.rest, int64(h.pace), h.claims, h.settings.Connections, h.settings.Paused, text)
	}
	return nil
}

// queueWaits gives hosts a turn that have got a seed which waits.
func (t *tx) queueWaits(b *pgx.Batch, waits map[string]int64) {
	if len(waits) == 0 {
		return
	}
	names := slices.Sorted(maps.Keys(waits))
	due := make([]int64, len(names))
	for i, name := range names {
		due[i] = waits[name]
	}
	b.Queue(`INSERT INTO hosts (host, turn, due) SELECT host, nextval('turns'), due FROM unnest($1::text[], $2::bigint[]) AS u (host, due)
		ON CONFLICT (host) DO UPDATE SET due = excluded.due, turn = CASE WHEN hosts.due = 0 THEN excluded.turn ELSE hosts.turn END
		WHERE hosts.due = 0 OR hosts.due > excluded.due`, names, due)
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

// isFree is what the columns of a host say of whether it may be asked at $1. Without a number of its own
// it has $2 connections.
var isFree = fmt.Sprintf(`due > 0 AND NOT paused AND claims < CASE WHEN connections > 0 THEN connections WHEN host = '%s' THEN %d ELSE $2 END
	AND due <= $1 AND rest <= $1`, seedlist.FileHost, seedlist.FileConnections)

// slots is the number of seeds of a host that may be claimed now.
func (t *tx) slots(h *host) int {
	connections, delay := t.store.bounds(h)
	switch free := connections - h.claims; {
	case h.settings.Paused || h.rest > t.now.UnixNano():
		return 0
	case delay > 0:
		return max(0, min(free, 1))
	default:
		return max(0, free)
	}
}

// take begins a request to a host.
func (t *tx) take(h *host) {
	_, delay := t.store.bounds(h)
	h.claims++
	h.rest = max(h.rest, t.now.Add(delay).UnixNano())
	h.changed = true
}

// showed notes what a request showed.
func (t *tx) showed(h *host, load seedlist.Load) {
	_, delay := t.store.bounds(h)
	h.pace = seedlist.PaceAfter(h.pace, delay, load)
	h.rest = max(h.rest, t.now.Add(max(delay, h.pace, load.Delay, load.Rest)).UnixNano())
	h.changed = true
}

// leave ends the request of a claim to its host.
func (t *tx) leave(r *record, load seedlist.Load) error {
	if !r.asking {
		return nil
	}
	h, err := t.host(r.host)
	if err != nil {
		return err
	}
	r.asking = false
	h.claims = max(0, h.claims-1)
	t.showed(h, load)
	return nil
}

// SetHost changes the settings of a host.
func (s *Store) SetHost(ctx context.Context, name string, change func(*seedlist.HostSettings)) (use seedlist.HostUse, err error) {
	name, err = seedlist.HostOf(name)
	if err != nil {
		return use, err
	}
	for {
		var is seedlist.HostSettings
		var was string
		err := s.read(ctx, func(t *tx) error {
			h, err := t.host(name)
			if err == nil {
				was = h.text
				is, err = settingsOf(name, was)
			}
			return err
		})
		if err != nil {
			return use, err
		}
		change(&is)
		if err := is.Check(); err != nil {
			return use, err
		}
		is.Host = name
		err = s.write(ctx, func(t *tx) error {
			h, err := t.host(name)
			switch {
			case err != nil:
				return err
			case h.text != was:
				return errRevised
			}
			h.settings, h.changed = is, true
			use, err = t.use(h)
			return err
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
	err = s.read(ctx, func(t *tx) error {
		h, err := t.host(name)
		if err == nil {
			use, err = t.use(h)
		}
		return err
	})
	return use, err
}

// Hosts are those with settings of their own, by name.
func (s *Store) Hosts(ctx context.Context) ([]seedlist.HostUse, error) {
	all := []seedlist.HostUse{}
	err := s.read(ctx, func(t *tx) error {
		hosts, err := query(t, scanHost, "SELECT "+hostColumns+" FROM hosts WHERE settings <> '' ORDER BY host COLLATE \"C\"")
		for _, h := range hosts {
			if err == nil {
				var use seedlist.HostUse
				use, err = t.use(h)
				all = append(all, use)
			}
		}
		return err
	})
	return all, err
}

func (t *tx) use(h *host) (seedlist.HostUse, error) {
	waiting, err := t.number(`SELECT count(*) FROM (SELECT FROM hot WHERE host = $1 AND state = 1 AND NOT relative AND NOT fragment
		AND due <= $2 LIMIT $3) w`, h.name, t.now.UnixNano(), seedlist.MostCounted)
	use := seedlist.HostUse{HostSettings: h.settings, Waiting: int(waiting), Busy: h.claims, Pace: h.pace.Seconds()}
	if h.rest > t.now.UnixNano() {
		use.Rests = timeOf(h.rest)
	}
	return use, err
}

// Manners are how a host may be asked now.
func (s *Store) Manners(ctx context.Context, name string) (m seedlist.Manners, err error) {
	if host, err := seedlist.HostOf(name); err == nil {
		name = host
	}
	err = s.read(ctx, func(t *tx) error {
		h, err := t.host(name)
		if err == nil {
			m.Connections, m.Delay = s.bounds(h)
			m.Delay, m.Paused = max(m.Delay, h.pace), h.settings.Paused
		}
		return err
	})
	return m, err
}

// Showed notes what a host showed that was asked for something else.
func (s *Store) Showed(ctx context.Context, name string, load seedlist.Load) error {
	name, err := seedlist.HostOf(name)
	if err != nil {
		return nil
	}
	return s.write(ctx, func(t *tx) error {
		h, err := t.host(name)
		if err == nil {
			t.showed(h, load)
		}
		return err
	})
}

// Waits are what can't be claimed now, with up to limit hosts.
func (s *Store) Waits(ctx context.Context, limit int) (w seedlist.Waits, err error) {
	w.Hosts = []seedlist.HostWait{}
	err = s.read(ctx, func(t *tx) error {
		now := t.now.UnixNano()
		waiting, err := query(t, scanHost, `SELECT `+hostColumns+` FROM hosts WHERE due > 0 AND due <= $1 AND NOT (`+isFree+`)
			AND EXISTS (SELECT FROM hot WHERE hot.host = hosts.host AND state = 1 AND NOT relative AND NOT fragment AND hot.due <= $1)
			ORDER BY turn`, now, s.options.HostConnections)
		if err != nil {
			return err
		}
		w.HostsTotal = len(waiting)
		for _, h := range waiting[:max(0, min(len(waiting), limit))] {
			use, err := t.use(h)
			if err != nil {
				return err
			}
			w.Hosts = append(w.Hosts, seedlist.WaitFor(use, t.now))
		}
		var next int64
		err = t.sql.QueryRow(t.ctx, "SELECT count(*), coalesce(min(due), 0) FROM (SELECT due FROM hot WHERE later AND due > $1 ORDER BY due LIMIT $2) l",
			now, seedlist.MostCounted).Scan(&w.Later, &next)
		w.Next = timeOf(next)
		return err
	})
	return w, err
}
