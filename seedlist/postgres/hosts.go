package postgres

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

const hostColumns = "host, settings, claims, rest, pace, holder, lease, crawl, wish, wished"

func scanHost(row pgx.CollectableRow) (*engine.Host, error) {
	h := new(engine.Host)
	var text string
	var rest int64
	err := row.Scan(&h.Key, &text, &h.Claims, &rest, &h.Pace, &h.Holder, &h.Lease, &h.Crawl, &h.Wish, &h.Wished)
	h.Rest = engine.TimeOf(rest)
	if h.Settings.Host = h.Key; err == nil && text != "" {
		if err = json.Unmarshal([]byte(text), &h.Settings); err != nil {
			err = fmt.Errorf("settings of %s: %w", h.Key, err)
		}
	}
	return h, err
}

// Hosts reads hosts by their names.
func (t *tx) Hosts(keys []string, count int) (hosts []*engine.Host, err error) {
	const from = "SELECT " + hostColumns + " FROM hosts WHERE "
	if keys == nil {
		hosts, err = query(t, scanHost, from+"settings <> '' ORDER BY host COLLATE \"C\""+t.locking())
	} else if hosts, err = query(t, scanHost, from+"host = ANY($1) ORDER BY host"+t.locking(), keys); err == nil {
		for _, key := range keys {
			if !slices.ContainsFunc(hosts, func(h *engine.Host) bool { return h.Key == key }) {
				hosts = append(hosts, &engine.Host{Key: key, Settings: seedlist.HostSettings{Host: key}})
			}
		}
	}
	if err == nil && count > 0 {
		err = t.countWaiting(hosts, t.store.now(), count)
	}
	return hosts, err
}

// countWaiting counts the seeds of hosts that are due.
func (t *tx) countWaiting(hosts []*engine.Host, at time.Time, most int) error {
	if len(hosts) == 0 {
		return nil
	}
	of := map[string]*engine.Host{}
	var names []string
	for _, h := range hosts {
		of[h.Key], names = h, append(names, h.Key)
	}
	counted, err := query(t, scanNumbered, `SELECT u.host, (SELECT count(*) FROM (SELECT FROM hot h WHERE h.host = u.host AND h.queue = 1
		AND h.due <= $2 LIMIT $3) w) FROM unnest($1::text[]) AS u (host)`, names, at.UnixNano(), min(most, math.MaxInt32))
	for _, n := range counted {
		of[n.Name].Waiting = int(n.Number)
	}
	return err
}

// Turns are the free hosts. Whoever holds a host's row has all of its seeds to choose from.
func (t *tx) Turns(at time.Time, most int) (turns []engine.Turn, err error) {
	for range 8 {
		free, err := query(t, scanHost, "SELECT "+hostColumns+" FROM hosts WHERE "+isFree+
			" ORDER BY turn LIMIT @limit FOR UPDATE SKIP LOCKED",
			t.store.ours(at, pgx.NamedArgs{"limit": most}))
		if err != nil || len(free) == 0 {
			return nil, err
		}
		var names []string
		var slots []int32
		first := map[string][]*engine.Seed{}
		for _, h := range free {
			if t.store.isStrange(h, at) {
				h.Claims = 0
			}
			names, slots = append(names, h.Key), append(slots, int32(min(t.store.Slots(h, at), most)))
		}
		seeds, err := t.seeds(`JOIN (SELECT s.id AS first FROM unnest($1::text[], $2::int[]) AS u (host, slots), LATERAL
			(SELECT id FROM hot WHERE hot.host = u.host AND queue = 1 AND due <= $3 ORDER BY priority DESC, due, id LIMIT u.slots) s) f
			ON f.first = h.id FOR UPDATE OF h SKIP LOCKED`, names, slots, at.UnixNano())
		if err != nil {
			return nil, err
		}
		slices.SortFunc(seeds, engine.QueueHosts.Order)
		for _, r := range seeds {
			first[r.Host] = append(first[r.Host], r)
		}
		for _, h := range free {
			if all := first[h.Key]; len(all) > 0 {
				turns = append(turns, engine.Turn{Host: h, Seeds: all})
			}
		}
		if len(turns) > 0 {
			return turns, nil
		}
		var b pgx.Batch // their seeds are gone, or due later
		t.queueServed(&b, nil, names, at)
		if err := t.send(&b); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// Blocked are the hosts that keep their seeds waiting.
func (t *tx) Blocked(at time.Time, most int) ([]*engine.Host, int, error) {
	waiting, err := query(t, scanHost, `SELECT `+hostColumns+` FROM hosts WHERE due > 0 AND due <= @now AND NOT (`+isFree+`)
		AND EXISTS (SELECT FROM hot WHERE hot.host = hosts.host AND queue = 1 AND hot.due <= @now)
		ORDER BY turn`, t.store.ours(at, nil))
	if err != nil {
		return nil, 0, err
	}
	total := len(waiting)
	waiting = waiting[:min(total, most)]
	return waiting, total, t.countWaiting(waiting, at, seedlist.MostCounted)
}

// canDownload says whether a claim for downloads would find a seed; if not, when one may.
func (t *tx) canDownload(at time.Time) (bool, int64, error) {
	now := at.UnixNano()
	is, err := t.is("SELECT EXISTS (SELECT FROM hosts WHERE "+isFree+")", t.store.ours(at, nil))
	if is || err != nil {
		return is, 0, err
	}
	// Of a host that is another's, when that has let it go. Of one in use, nobody knows when.
	next, err := t.number("SELECT coalesce(min(greatest(due, rest)), 0) FROM hosts WHERE due > 0 AND NOT paused AND greatest(due, rest) > @now "+
		"AND holder IN ('', @holder) AND NOT ("+isBusy+")", t.store.ours(at, nil))
	if err != nil {
		return false, 0, err
	}
	left, err := t.number("SELECT coalesce(min(greatest(due, rest)), 0) FROM hosts WHERE due > 0 AND NOT paused AND greatest(due, rest) > "+
		"$1::bigint - $3::bigint AND holder NOT IN ('', $2) AND claims = 0", now, t.store.holder, int64(stays))
	if left != 0 {
		next = engine.Sooner(next, max(left, now)+int64(stays))
	}
	return false, next, err
}

// hostRows are the columns of several hosts.
type hostRows struct {
	host, settings, holder, wish            []string
	rest, pace, lease, delay, crawl, wished []int64
	claims, connections                     []int32
	paused                                  []bool
}

func (c *hostRows) add(h *engine.Host) error {
	text, delay := "", int64(-1)
	if engine.IsOwn(&h.Settings) {
		data, err := seedlist.EncodeJSON(h.Settings)
		if err != nil {
			return err
		}
		text = string(data)
	}
	if h.Settings.Delay != nil {
		delay = int64(*h.Settings.Delay * float64(time.Second))
	}
	c.host, c.settings, c.holder, c.wish = append(c.host, h.Key), append(c.settings, text),
		append(c.holder, h.Holder), append(c.wish, h.Wish)
	c.rest, c.pace, c.lease = append(c.rest, engine.Nanoseconds(h.Rest)), append(c.pace, int64(h.Pace)), append(c.lease, h.Lease)
	c.delay, c.crawl, c.wished = append(c.delay, delay), append(c.crawl, int64(h.Crawl)), append(c.wished, h.Wished)
	c.claims, c.connections = append(c.claims, int32(h.Claims)), append(c.connections, int32(h.Settings.Connections))
	c.paused = append(c.paused, h.Settings.Paused)
	return nil
}

const upsertHosts = `INSERT INTO hosts
	(host, turn, due, rest, pace, claims, connections, paused, settings, holder, lease, delay, crawl, wish, wished)
	SELECT host, nextval('turns'), 0, rest, pace, claims, connections, paused, settings, holder, lease, delay, crawl, wish, wished
	FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::int[], $5::int[], $6::bool[], $7::text[], $8::text[], $9::bigint[], $10::bigint[],
	$11::bigint[], $12::text[], $13::bigint[])
	AS u (host, rest, pace, claims, connections, paused, settings, holder, lease, delay, crawl, wish, wished)
	ON CONFLICT (host) DO UPDATE SET rest = excluded.rest, pace = excluded.pace, claims = excluded.claims, connections = excluded.connections,
	paused = excluded.paused, settings = excluded.settings, holder = excluded.holder, lease = excluded.lease, delay = excluded.delay,
	crawl = excluded.crawl, wish = excluded.wish, wished = excluded.wished`

// queueHosts queues what was changed of hosts, and their turns.
func (t *tx) queueHosts(b *pgx.Batch, w *engine.Writes) error {
	var c hostRows
	for _, h := range w.Hosts {
		if err := c.add(h); err != nil {
			return err
		}
	}
	if len(c.host) > 0 {
		b.Queue(upsertHosts, c.host, c.rest, c.pace, c.claims, c.connections, c.paused, c.settings, c.holder, c.lease, c.delay,
			c.crawl, c.wish, c.wished)
	}
	var gained, lost []string
	due := map[string]int64{}
	for _, waits := range w.Waits {
		if waits.Due == 0 {
			lost = append(lost, waits.Host)
			continue
		}
		if due[waits.Host] == 0 {
			gained = append(gained, waits.Host)
		}
		due[waits.Host] = engine.Sooner(due[waits.Host], waits.Due)
	}
	if len(gained) > 0 {
		var when []int64
		for _, name := range gained {
			when = append(when, due[name])
		}
		// Turns are given in the order in which the hosts were met, and rows are locked in that of their names.
		b.Queue(`INSERT INTO hosts (host, turn, due) SELECT host, turn, due FROM (SELECT host, due, nextval('turns') AS turn FROM
			(SELECT * FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS u (host, due, n) ORDER BY n OFFSET 0) AS met OFFSET 0) AS v ORDER BY host
			ON CONFLICT (host) DO UPDATE SET due = excluded.due, turn = CASE WHEN hosts.due = 0 THEN excluded.turn ELSE hosts.turn END
			WHERE hosts.due = 0 OR hosts.due > excluded.due`, gained, when)
	}
	t.queueServed(b, w.Served, lost, w.Now)
	return nil
}

// queueServed queues that hosts go to the end of the queue, and that it is found out when a seed of those that lost
// one is due.
func (t *tx) queueServed(b *pgx.Batch, served, lost []string, now time.Time) {
	names := slices.Clone(served)
	for _, name := range lost {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return
	}
	isServed := make([]bool, len(names))
	for i := range served {
		isServed[i] = true
	}
	if len(lost) > 0 {
		b.Queue("SELECT FROM hosts WHERE host = ANY($1) ORDER BY host FOR UPDATE", names)
	}
	b.Queue(`UPDATE hosts SET turn = coalesce(v.turn, hosts.turn), due = coalesce((
		SELECT CASE WHEN f.due <= $3 THEN f.due ELSE (SELECT min(h.due) FROM hot h WHERE h.host = hosts.host AND h.queue = 1) END
		FROM (SELECT h.due FROM hot h WHERE h.host = hosts.host AND h.queue = 1 ORDER BY h.priority DESC, h.due, h.id LIMIT 1) f), 0)
		FROM (SELECT host, CASE WHEN served THEN nextval('turns') END AS turn FROM
			(SELECT * FROM unnest($1::text[], $2::bool[]) WITH ORDINALITY AS u (host, served, n) ORDER BY n OFFSET 0) AS met OFFSET 0) AS v
		WHERE hosts.host = v.host`, names, isServed, now.UnixNano())
}

// HostKey is the name of a host itself.
func (s *Store) HostKey(name string) string { return name }

// isStrange says that the claims of a host are another's, which are over, or of a lease of ours that has run out.
func (s *Store) isStrange(h *engine.Host, now time.Time) bool {
	_, delay := s.Bounds(h)
	return h.Key != seedlist.FileHost && (h.Holder != s.holder || h.Lease+int64(max(delay, h.Pace, h.Crawl)) <= now.UnixNano())
}

// Take takes or prolongs the lease of a host with the claim of a seed.
func (s *Store) Take(h *engine.Host, r *engine.Seed, began time.Time) (after func()) {
	now := s.now()
	if s.isStrange(h, now) {
		h.Claims = 0
	}
	if h.Key == seedlist.FileHost {
		return func() {}
	}
	_, delay := s.Bounds(h)
	h.Holder, h.Lease, h.Wish, h.Wished = s.holder, now.Add(s.options.HostLease).UnixNano(), "", 0
	until, number, fence := s.hostUntil(began), r.Number, r.Fence
	return func() { s.grants.useFor(number, fence, s.grants.use(h.Key, until, staysFor(delay))) }
}

// IsCounted says that the claim of a seed is among those of its host. It is not where the lease of the host has
// run out, and another has taken it, or we have again.
func (s *Store) IsCounted(h *engine.Host, r *engine.Seed) bool {
	switch {
	case h.Key == seedlist.FileHost:
		return true
	case r.Holder == s.holder:
		return h.Holder == r.Holder && s.grants.holdsFor(r.Number)
	default:
		return h.Holder == r.Holder
	}
}

// Left ends the use of a host for a seed.
func (s *Store) Left(seed uint64) { s.grants.endFor(seed) }
