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

	holder string        // the process that asks it, or asked it last
	lease  int64         // until when it is the holder's, while that has claims
	crawl  time.Duration // the delay that its robots.txt asks for
	wish   string        // the process that has it next
	wished int64         // until when that wish holds
}

const hostColumns = "host, settings, claims, rest, pace, due, holder, lease, crawl, wish, wished"

func scanHost(row pgx.CollectableRow) (*host, error) {
	h := new(host)
	if err := row.Scan(&h.name, &h.text, &h.claims, &h.rest, &h.pace, &h.due, &h.holder, &h.lease, &h.crawl, &h.wish,
		&h.wished); err != nil {
		return nil, err
	}
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
	var c hostRows
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
		h.text = text
		c.add(h)
	}
	if len(c.host) > 0 {
		b.Queue(upsertHosts, c.host, c.rest, c.pace, c.claims, c.connections, c.paused, c.settings, c.holder, c.lease, c.delay, c.crawl,
			c.wish, c.wished)
	}
	return nil
}

// hostRows are the columns of several hosts.
type hostRows struct {
	host, settings, holder, wish            []string
	rest, pace, lease, delay, crawl, wished []int64
	claims, connections                     []int32
	paused                                  []bool
}

func (c *hostRows) add(h *host) {
	delay := int64(-1)
	if h.settings.Delay != nil {
		delay = int64(*h.settings.Delay * float64(time.Second))
	}
	c.host, c.settings, c.holder, c.wish = append(c.host, h.name), append(c.settings, h.text), append(c.holder, h.holder),
		append(c.wish, h.wish)
	c.rest, c.pace, c.lease = append(c.rest, h.rest), append(c.pace, int64(h.pace)), append(c.lease, h.lease)
	c.delay, c.crawl, c.wished = append(c.delay, delay), append(c.crawl, int64(h.crawl)), append(c.wished, h.wished)
	c.claims, c.connections = append(c.claims, int32(h.claims)), append(c.connections, int32(h.settings.Connections))
	c.paused = append(c.paused, h.settings.Paused)
}

const upsertHosts = `INSERT INTO hosts (host, turn, due, rest, pace, claims, connections, paused, settings, holder, lease, delay, crawl, wish, wished)
	SELECT host, nextval('turns'), 0, rest, pace, claims, connections, paused, settings, holder, lease, delay, crawl, wish, wished
	FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::int[], $5::int[], $6::bool[], $7::text[], $8::text[], $9::bigint[], $10::bigint[],
	$11::bigint[], $12::text[], $13::bigint[]) AS u (host, rest, pace, claims, connections, paused, settings, holder, lease, delay, crawl, wish, wished)
	ON CONFLICT (host) DO UPDATE SET rest = excluded.rest, pace = excluded.pace, claims = excluded.claims, connections = excluded.connections,
	paused = excluded.paused, settings = excluded.settings, holder = excluded.holder, lease = excluded.lease, delay = excluded.delay,
	crawl = excluded.crawl, wish = excluded.wish, wished = excluded.wished`

// queueWaits gives hosts a turn that have got a seed which waits, and finds out when something is due of those of
// which such a seed was removed. Rows are locked in the order of names.
func (t *tx) queueWaits(b *pgx.Batch, waits map[string]int64) {
	if len(t.left) > 0 {
		b.Queue("SELECT FROM hosts WHERE host = ANY($1) ORDER BY host FOR UPDATE", t.left)
		b.Queue("UPDATE hosts SET due = "+nextDue+" WHERE host = ANY($1)", t.left, t.now.UnixNano())
		t.left = nil
	}
	if len(waits) == 0 {
		return
	}
	var names []string
	var due []int64
	for _, name := range once(slices.Concat(t.met, slices.Sorted(maps.Keys(waits)))) {
		if at, is := waits[name]; is {
			names, due = append(names, name), append(due, at)
		}
	}
	b.Queue(`WITH met AS MATERIALIZED (SELECT host, nextval('turns') AS turn, due FROM unnest($1::text[], $2::bigint[]) AS u (host, due))
		INSERT INTO hosts (host, turn, due) SELECT host, turn, due FROM met ORDER BY host
		ON CONFLICT (host) DO UPDATE SET due = excluded.due, turn = CASE WHEN hosts.due = 0 THEN excluded.turn ELSE hosts.turn END
		WHERE hosts.due = 0 OR hosts.due > excluded.due`, names, due)
}

// nextDue is when a seed of a host is due, as far as claims have to know: before $2 it is not said exactly. It is 0
// where the host has none.
const nextDue = `coalesce((
	SELECT CASE WHEN f.due <= $2 THEN f.due ELSE (
		SELECT min(h.due) FROM hot h WHERE h.host = hosts.host AND h.state = 1 AND NOT h.relative AND NOT h.fragment) END
	FROM (SELECT h.due FROM hot h WHERE h.host = hosts.host AND h.state = 1 AND NOT h.relative AND NOT h.fragment
		ORDER BY h.priority DESC, h.due, h.id LIMIT 1) f), 0)`

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

// isStrange says that the claims of a host are another's, which are over, or of a lease of ours that has run out.
func (t *tx) isStrange(h *host) bool {
	_, delay := t.store.bounds(h)
	return h.name != seedlist.FileHost && (h.holder != t.store.holder || h.lease+int64(max(delay, h.pace, h.crawl)) <= t.now.UnixNano())
}

// slots is the number of seeds of a host that may be claimed now. It was chosen as one that is free.
func (t *tx) slots(h *host) int {
	connections, delay := t.store.bounds(h)
	claims := h.claims
	if t.isStrange(h) {
		claims = 0
	}
	switch free := connections - claims; {
	case h.settings.Paused || h.rest > t.now.UnixNano():
		return 0
	case delay > 0 || h.settings.Turned != nil:
		return max(0, min(free, 1))
	default:
		return max(0, free)
	}
}

// take begins a request to a host for a seed, and takes or prolongs its lease.
func (t *tx) take(h *host, r *record) {
	_, delay := t.store.bounds(h)
	if t.isStrange(h) {
		h.claims = 0
	}
	if h.name != seedlist.FileHost {
		h.holder, h.lease, h.wish, h.wished = t.store.holder, t.now.Add(t.store.options.HostLease).UnixNano(), "", 0
		until := t.store.hostUntil(t.began)
		number, fence, grants := r.number, r.fence, &t.store.grants
		t.after = append(t.after, func() { grants.useFor(number, fence, grants.use(h.name, until, staysFor(delay))) })
	}
	h.claims++
	h.rest = max(h.rest, t.now.Add(max(delay, h.settings.Turned.PauseTime())).UnixNano())
	h.changed = true
}

// showed notes what a request showed.
func (t *tx) showed(h *host, load seedlist.Load) {
	_, delay := t.store.bounds(h)
	h.pace = seedlist.PaceAfter(h.pace, delay, load)
	if load.Delay > 0 {
		h.crawl = load.Delay
	}
	h.rest = max(h.rest, t.now.Add(max(delay, h.pace, load.Delay, load.Rest, h.settings.Turned.PauseTime())).UnixNano())
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
	if t.isCounted(h, r) {
		h.claims = max(0, h.claims-1)
	}
	t.frees |= ofDownloads
	if h.claims == 0 || h.name == seedlist.FileHost { // others may take it
		t.tells |= ofDownloads
	}
	t.showed(h, load)
	number := r.number
	t.after = append(t.after, func() { t.store.grants.endFor(number) })
	return nil
}

// isCounted says that the claim of a seed is among those of its host. It is not where the lease of the host has
// run out, and another has taken it, or we have again.
func (t *tx) isCounted(h *host, r *record) bool {
	switch {
	case h.name == seedlist.FileHost:
		return true
	case r.holder == t.store.holder:
		return h.holder == r.holder && t.store.grants.holdsFor(r.number)
	default:
		return h.holder == r.holder
	}
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
			_, delay := s.bounds(h)
			h.rest = nanoseconds(seedlist.RestAfter(timeOf(h.rest), h.settings.Turned, is.Turned, max(delay, h.pace), t.now))
			h.settings, h.changed = is, true
			t.tells |= ofDownloads
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

// askAtOnce ends the rest of hosts that turned: who asks for documents of them wants to know.
func (t *tx) askAtOnce(names []string) error {
	if len(names) == 0 {
		return nil
	}
	return t.exec("UPDATE hosts SET rest = $2 WHERE host = ANY($1) AND rest > $2 AND "+hasTurned, distinct(names), t.now.UnixNano())
}

// hasTurned says that a host gives something else in the place of its data.
const hasTurned = `CASE WHEN settings = '' THEN false ELSE settings::json->'turned' IS NOT NULL END`

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
	err = s.ask(ctx, func(t *tx) error {
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
		waiting, err := query(t, scanHost, `SELECT `+hostColumns+` FROM hosts WHERE due > 0 AND due <= @now AND NOT (`+isFree+`)
			AND EXISTS (SELECT FROM hot WHERE hot.host = hosts.host AND state = 1 AND NOT relative AND NOT fragment AND hot.due <= @now)
			ORDER BY turn`, s.ours(t.now, nil))
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
		err = t.sql.QueryRow(t.ctx, "SELECT count(*), coalesce(min(due), 0) FROM (SELECT due FROM hot WHERE later AND due > $1 ORDER BY "+
			"due LIMIT $2) l",
			now, seedlist.MostCounted).Scan(&w.Later, &next)
		w.Next = timeOf(next)
		return err
	})
	return w, err
}
