package postgres

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
)

// maxClaims is the number of seeds that one claim takes at most.
const maxClaims = 1000

// Wait returns when a claim of stage would find a seed.
func (s *Store) Wait(ctx context.Context, stage seedlist.State) error {
	return s.wait(ctx, newsOf(stage), func(t *tx) (bool, int64, error) {
		if stage == seedlist.Downloading {
			return t.canDownload()
		}
		ready, now := numberOf(stage.Ready()), t.now.UnixNano()
		is, err := t.is("SELECT EXISTS (SELECT FROM hot WHERE state = $1 AND state IN (3, 5, 7) AND crashes = 0 AND due <= $2)", ready, now)
		if is || err != nil {
			return is, 0, err
		}
		at, err := t.number("SELECT coalesce(min(due), 0) FROM hot WHERE later AND state = $1 AND crashes = 0 AND due > $2", ready, now)
		return false, at, err
	})
}

// canDownload says whether a claim for downloads would find a seed; if not, when one may.
func (t *tx) canDownload() (bool, int64, error) {
	now := t.now.UnixNano()
	is, err := t.is("SELECT EXISTS (SELECT FROM hosts WHERE "+isFree+")", t.store.ours(t.now, nil))
	if is || err != nil {
		return is, 0, err
	}
	// Of a host that is another's, when that has let it go. Of one in use, nobody knows when.
	at, err := t.number("SELECT coalesce(min(greatest(due, rest)), 0) FROM hosts WHERE due > 0 AND NOT paused AND greatest(due, rest) > "+
		"@now AND holder IN ('', @holder) AND NOT ("+isBusy+")",
		t.store.ours(t.now, nil))
	if err != nil {
		return false, 0, err
	}
	left, err := t.number("SELECT coalesce(min(greatest(due, rest)), 0) FROM hosts WHERE due > 0 AND NOT paused AND greatest(due, rest) "+
		"> $1::bigint - $3::bigint AND holder NOT IN ('', $2) AND claims = 0",
		now, t.store.holder, int64(stays))
	if err != nil {
		return false, 0, err
	}
	if left != 0 {
		at = sooner(at, max(left, now)+int64(stays))
	}
	rests, err := query(t, pgx.RowTo[int64], "SELECT due FROM hot WHERE "+fetchedAgain+" ORDER BY due LIMIT 1")
	if err != nil || len(rests) == 0 {
		return false, at, err
	}
	return rests[0] <= now, sooner(at, rests[0]), nil
}

// fetchedAgain says that a seed rests until its due time.
const fetchedAgain = "state IN (9, 10, 11) AND due > 0 AND (fetchable OR state = 11) AND at_rest(id)"

// WaitSuspect is Wait for ClaimSuspect.
func (s *Store) WaitSuspect(ctx context.Context) error {
	return s.wait(ctx, ofSuspects, func(t *tx) (bool, int64, error) {
		due, err := query(t, pgx.RowTo[int64], "SELECT due FROM hot WHERE crashes > 0 AND state IN (3, 5, 7) ORDER BY due LIMIT 1")
		if err != nil || len(due) == 0 {
			return false, 0, err
		}
		return due[0] <= t.now.UnixNano(), due[0], nil
	})
}

// ClaimSuspect takes one ready suspect into the working state of its stage.
func (s *Store) ClaimSuspect(ctx context.Context, worker string) (c seedlist.Claim, found bool, err error) {
	err = s.writeClaims(ctx, func(t *tx) error {
		found = false
		ids, err := query(t, pgx.RowTo[int64], `SELECT id FROM hot WHERE crashes > 0 AND state IN (3, 5, 7) AND due <= $1
			ORDER BY crashes, due, id LIMIT 1 FOR UPDATE SKIP LOCKED`, t.now.UnixNano())
		if err != nil || len(ids) == 0 {
			return err
		}
		r, err := t.at(uint64(ids[0]))
		if err != nil || r == nil {
			return err
		}
		claims, err := t.claim([]*record{r}, r.state.Working(), worker)
		if err == nil {
			c, found = claims[0], true
		}
		return err
	})
	return c, found, err
}

// Claim takes up to limit ready seeds into a working state.
func (s *Store) Claim(ctx context.Context, stage seedlist.State, worker string, limit int) (claims []seedlist.Claim, err error) {
	if !stage.IsWorking() {
		return nil, fmt.Errorf("claim: %q is no working state", stage)
	}
	limit = max(0, min(limit, maxClaims))
	err = s.writeClaims(ctx, func(t *tx) error {
		claims = nil
		if stage != seedlist.Downloading {
			picked, err := t.first(stage.Ready(), limit)
			if err == nil {
				claims, err = t.claim(picked, stage, worker)
			}
			return err
		}
		if err := t.promote(); err != nil {
			return err
		}
		picked, names, err := t.pick(limit)
		if err != nil || len(picked) == 0 {
			return err
		}
		if claims, err = t.claim(picked, stage, worker); err != nil {
			return err
		}
		return t.serve(names, picked)
	})
	return claims, err
}

// promote makes ready what is to be fetched again.
func (t *tx) promote() error {
	ids, err := query(t, pgx.RowTo[int64], "SELECT id FROM hot WHERE "+fetchedAgain+" AND due <= $1 ORDER BY due, id LIMIT 1000 "+
		"FOR UPDATE SKIP LOCKED", t.now.UnixNano())
	if err != nil || len(ids) == 0 {
		return err
	}
	if err := t.load(unsigned(ids)...); err != nil {
		return err
	}
	for _, id := range ids {
		r := t.records[uint64(id)]
		if r == nil || !r.state.IsEnd() {
			continue
		}
		due := timeOf(r.due)
		if !r.isTriedFromItsStage() {
			r.restart(seedlist.Added, due)
			t.met = append(t.met, r.host)
			continue
		}
		rest, err := t.archivesRest(r)
		switch {
		case err != nil:
			return err
		case rest:
			r.restart(r.stage.Ready(), due)
		default:
			r.due = t.now.Add(time.Hour).UnixNano() // its archive is at work, and may replace its bytes
		}
	}
	return t.save()
}

// first are the seeds of a ready state that come first.
func (t *tx) first(state seedlist.State, limit int) ([]*record, error) {
	ids, err := query(t, pgx.RowTo[int64], `SELECT id FROM hot WHERE state = $1 AND state IN (3, 5, 7) AND crashes = 0 AND due <= $2
		ORDER BY priority DESC, due, id LIMIT $3 FOR UPDATE SKIP LOCKED`, numberOf(state), t.now.UnixNano(), limit)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	if err := t.load(unsigned(ids)...); err != nil {
		return nil, err
	}
	var seeds []*record
	for _, id := range ids {
		if r := t.records[uint64(id)]; r != nil && r.state == state {
			seeds = append(seeds, r)
		}
	}
	slices.SortFunc(seeds, byTurn)
	return seeds, nil
}

// turn is a seed of a host.
type turn struct {
	Host string
	ID   int64
}

// pick chooses seeds to download: rounds over the free hosts in the order of their turns, one
// seed a host a round. Whoever holds a host's row has all of its seeds to choose from. It also
// returns the hosts that it has looked at.
func (t *tx) pick(limit int) (picked []*record, names []string, err error) {
	for tries := 0; tries < 8 && limit > 0; tries++ {
		free, err := query(t, scanHost, "SELECT "+hostColumns+" FROM hosts WHERE "+isFree+" ORDER BY turn LIMIT @limit FOR UPDATE "+
			"SKIP LOCKED",
			t.store.ours(t.now, pgx.NamedArgs{"limit": limit}))
		if err != nil || len(free) == 0 {
			return nil, nil, err
		}
		names = nil
		var slots []int32
		for _, h := range free {
			t.hosts[h.name] = h
			names, slots = append(names, h.name), append(slots, int32(min(t.slots(h), limit)))
		}
		turns, err := query(t, pgx.RowToStructByPos[turn],
			`SELECT u.host, s.id FROM unnest($1::text[], $2::int[]) AS u (host, slots), LATERAL (
			SELECT id, priority, due FROM hot WHERE hot.host = u.host AND state = 1 AND NOT relative AND NOT fragment AND due <= $3
			ORDER BY priority DESC, due, id LIMIT u.slots) s ORDER BY s.priority DESC, s.due, s.id`, names, slots, t.now.UnixNano())
		if err != nil {
			return nil, nil, err
		}
		if picked, err = t.rounds(names, turns, limit); err != nil || len(picked) > 0 {
			return picked, names, err
		}
		if err := t.serve(names, nil); err != nil { // their seeds are gone, or due later
			return nil, nil, err
		}
	}
	return nil, nil, nil
}

// serve sends hosts from which seeds were taken to the end of the queue. Of each host that was looked
// at it finds out when a seed is due.
func (t *tx) serve(names []string, picked []*record) error {
	for _, r := range picked {
		t.take(t.hosts[r.host], r)
	}
	if err := t.save(); err != nil {
		return err
	}
	return t.exec(`WITH served AS MATERIALIZED (SELECT host, nextval('turns') AS turn FROM unnest($3::text[]) AS u (host))
		UPDATE hosts SET turn = coalesce((SELECT s.turn FROM served s WHERE s.host = hosts.host), turn), due = `+nextDue+`
		WHERE host = ANY($1)`, names, t.now.UnixNano(), hostsOf(picked))
}

// hostsOf are the hosts of seeds, each once, in the order in which they are met.
func hostsOf(records []*record) []string {
	names := make([]string, 0, len(records))
	for _, r := range records {
		names = append(names, r.host)
	}
	return once(names)
}

// once are texts, each where it comes first.
func once(all []string) []string {
	seen := make(map[string]bool, len(all))
	return slices.DeleteFunc(all, func(text string) bool {
		was := seen[text]
		seen[text] = true
		return was
	})
}

// rounds takes one seed a host a round, until there are enough.
func (t *tx) rounds(hosts []string, turns []turn, limit int) (picked []*record, err error) {
	queues := map[string][]uint64{}
	for _, u := range turns {
		queues[u.Host] = append(queues[u.Host], uint64(u.ID))
	}
	var ids []uint64
	for round := 0; len(ids) < limit; round++ {
		before := len(ids)
		for _, h := range hosts {
			if q := queues[h]; round < len(q) && len(ids) < limit {
				ids = append(ids, q[round])
			}
		}
		if len(ids) == before {
			break
		}
	}
	if err := t.load(ids...); err != nil {
		return nil, err
	}
	for _, id := range ids {
		if r := t.records[id]; r != nil && r.awaits() {
			picked = append(picked, r)
		}
	}
	return picked, nil
}

// claim gives seeds to a worker.
func (t *tx) claim(picked []*record, stage seedlist.State, worker string) (claims []seedlist.Claim, err error) {
	var leases []*lease
	for _, r := range picked {
		r.state, r.holder, r.worker, r.since = stage, t.store.holder, worker, t.now.UnixNano()
		r.asking = stage == seedlist.Downloading
		r.fence++
		leases = append(leases, &lease{revision: r.revision, data: r.data, claim: seedlist.Claim{
			Stage: stage, Fence: r.fence, Worker: worker, Since: t.now.UTC(), Try: r.tries + 1, Crashes: r.crashes, Last: r.last,
			Number: r.number,
		}})
	}
	seeds, err := t.whole(picked)
	if err != nil {
		return nil, err
	}
	for i, l := range leases {
		c := l.claim
		c.Seed = seeds[i]
		c.Seed.Worker = worker
		claims = append(claims, c)
	}
	t.claims = true
	t.after = append(t.after, func() { t.store.leases.add(leases) })
	return claims, nil
}

// held is the seed of a claim; nil if that is lost.
func (t *tx) held(c *seedlist.Claim) (*record, error) {
	r, err := t.at(c.Number)
	if err != nil || r == nil || r.fence != c.Fence || r.state != c.Stage || r.holder != t.store.holder {
		return nil, err
	}
	return r, nil
}

// endLease ends a claim, and frees its host.
func (t *tx) endLease(r *record, load seedlist.Load) error {
	err := t.leave(r, load)
	r.holder, r.worker, r.since = "", "", 0
	number := r.number
	t.after = append(t.after, func() { t.store.leases.end(number) })
	return err
}

// GiveBack puts a claimed seed back into the ready state that it came from.
func (s *Store) GiveBack(ctx context.Context, c seedlist.Claim, back seedlist.Return) (err error) {
	if !c.Stage.IsWorking() {
		return fmt.Errorf("give back: %q is no working state", c.Stage)
	}
	defer func() { s.endLost(&c, err) }()
	return s.inBatch(ctx, &operation{claim: &c, change: func(t *tx) error {
		r, err := t.held(&c)
		if err != nil {
			return err
		}
		if r == nil {
			return seedlist.ErrLost
		}
		return t.giveBack(r, &c, back)
	}})
}

func (t *tx) giveBack(r *record, c *seedlist.Claim, back seedlist.Return) error {
	result := "given back"
	if back.CountTry {
		result = "retry"
	}
	entry, err := back.Attempt.Encode(c, c.Seed.Place(), result, t.now)
	if err != nil {
		return err
	}
	if back.Error != nil {
		stored, err := r.stored()
		if err != nil {
			return err
		}
		stored.Error = back.Error
		data, err := stored.Encode()
		if err != nil {
			return err
		}
		r.put(data)
	}
	due := timeOf(r.due)
	if !back.Due.IsZero() {
		due = back.Due
	} else if due.After(t.now) {
		due = t.now
	}
	if back.CountTry {
		r.tries++
	}
	r.makeReady(c.Stage.Ready(), due)
	t.log(r.hash, entry)
	return t.endLease(r, back.Load)
}

// Foresee is [seedlist.Foresee] with the options of the list.
func (s *Store) Foresee(c seedlist.Claim, outcome seedlist.Outcome) (seedlist.Claim, error) {
	return seedlist.Foresee(c, outcome, &s.options)
}

// Rest lets the host of a claimed seed be asked by others.
func (s *Store) Rest(ctx context.Context, c seedlist.Claim, load seedlist.Load) (err error) {
	if c.Stage != seedlist.Downloading && !c.Foreseen() {
		return ctx.Err()
	}
	defer func() { s.endLost(&c, err) }()
	return s.inBatch(ctx, &operation{claim: &c, change: func(t *tx) error {
		r, err := t.at(c.Number)
		if err != nil || r == nil || !r.asking || r.fence != c.Lease() {
			return err
		}
		return t.leave(r, load)
	}})
}

// Holds says whether a claim still holds its seed.
func (s *Store) Holds(ctx context.Context, c seedlist.Claim) (holds bool, err error) {
	err = s.ask(ctx, func(t *tx) error {
		r, err := t.held(&c)
		holds = r != nil
		return err
	})
	return holds, err
}
