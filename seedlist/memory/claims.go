package memory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"laundromat/seedlist"
)

// lease says that a claim is held.
type lease struct {
	claim    seedlist.Claim // without its seed
	host     *host          // nil if it is asked no more
	renewed  time.Time
	progress *seedlist.Progress
}

// maxClaims is the number of seeds that one claim takes at most.
const maxClaims = 1000

// Wait returns when a claim of stage would find a seed.
func (s *Store) Wait(ctx context.Context, stage seedlist.State) error {
	return s.wait(ctx, func(now time.Time) (bool, time.Time) { return s.ready(stage.Ready(), now) })
}

// ready says whether a claim of seeds in a ready state would find any. If not, it says when
// one may become due; the zero time means that none is waiting.
func (s *Store) ready(state seedlist.State, now time.Time) (bool, time.Time) {
	var at time.Time
	for r := range s.since(0) {
		isAgain := state == seedlist.Added && s.fetchedAgain(r)
		if r.state != state && !isAgain || r.relative || r.fragment {
			continue
		}
		switch {
		case r.due.After(now):
			at = sooner(at, r.due)
		case state != seedlist.Added, !r.waits:
			return true, at
		}
	}
	if state != seedlist.Added {
		return false, at
	}
	for _, h := range s.queue() {
		if s.slots(h, now) > 0 {
			return true, at
		}
		if connections, _ := s.bounds(h); h.claims < connections && !h.settings.Paused {
			at = sooner(at, h.rest)
		}
	}
	return false, at
}

// fetchedAgain says that a seed rests until its due time.
func (s *Store) fetchedAgain(r *record) bool {
	return r.state.IsEnd() && !r.due.IsZero() && (r.fetchable || r.state == seedlist.Failed) && s.atRest(r)
}

// WaitSuspect waits for ever: no process can have ended before.
func (s *Store) WaitSuspect(ctx context.Context) error {
	return s.wait(ctx, func(time.Time) (bool, time.Time) { return false, time.Time{} })
}

// ClaimSuspect finds none.
func (s *Store) ClaimSuspect(context.Context, string) (c seedlist.Claim, found bool, err error) {
	return seedlist.Claim{}, false, nil
}

// Claim takes up to limit ready seeds into a working state.
func (s *Store) Claim(ctx context.Context, stage seedlist.State, worker string, limit int) (claims []seedlist.Claim, err error) {
	if !stage.IsWorking() {
		return nil, fmt.Errorf("claim: %q is no working state", stage)
	}
	err = s.write(ctx, func(now time.Time) error {
		var picked []*record
		if stage == seedlist.Downloading {
			s.promote(now)
			picked = s.pick(min(limit, maxClaims), now)
		} else {
			picked = s.first(stage.Ready(), min(limit, maxClaims), now)
		}
		var served []*host
		for _, r := range picked {
			claims = append(claims, s.claim(r, stage, worker, now))
			if h := r.lease.host; h != nil && !slices.Contains(served, h) {
				served = append(served, h)
			}
		}
		for _, h := range served {
			if h.turn > 0 {
				s.lastTurn(h)
			}
		}
		return nil
	})
	return claims, err
}

// promote makes ready what is to be fetched again, and gives turns to what has come due.
func (s *Store) promote(now time.Time) {
	for r := range s.since(0) {
		if s.fetchedAgain(r) && !r.due.After(now) {
			switch {
			case r.fetchable:
				r.restart(seedlist.Added, r.due)
			case archivesRest(r):
				r.restart(r.stage.Ready(), r.due)
			default:
				r.due = now.Add(time.Hour) // its archive is at work, and may replace its bytes
			}
		}
		s.index(r, now)
	}
}

// first are the seeds of a ready state that come first.
func (s *Store) first(state seedlist.State, limit int, now time.Time) (seeds []*record) {
	for r := range s.since(0) {
		if r.state == state && r.claimable(now) {
			seeds = append(seeds, r)
		}
	}
	slices.SortFunc(seeds, byTurn)
	return seeds[:max(0, min(limit, len(seeds)))]
}

// pick chooses seeds to download: rounds over the free hosts in the order of their
// turns, one seed a host a round.
func (s *Store) pick(limit int, now time.Time) (picked []*record) {
	waiting := map[string][]*record{}
	for r := range s.since(0) {
		if r.waits {
			waiting[r.host] = append(waiting[r.host], r)
		}
	}
	var rounds [][]*record // of each free host what may be claimed
	for _, h := range s.queue() {
		if slots := s.slots(h, now); slots > 0 && len(rounds) < limit {
			seeds := waiting[h.name]
			slices.SortFunc(seeds, byTurn)
			rounds = append(rounds, seeds[:min(slots, len(seeds))])
		}
	}
	for round := 0; ; round++ {
		before := len(picked)
		for _, seeds := range rounds {
			if round < len(seeds) && len(picked) < limit {
				picked = append(picked, seeds[round])
			}
		}
		if len(picked) == before {
			return picked
		}
	}
}

func (s *Store) claim(r *record, stage seedlist.State, worker string, now time.Time) seedlist.Claim {
	r.state = stage
	r.fence++
	s.index(r, now)
	c := seedlist.Claim{
		Stage: stage, Fence: r.fence, Worker: worker, Since: now.UTC(), Try: r.tries + 1, Last: r.last, Number: r.number,
	}
	r.lease = &lease{claim: c, renewed: now}
	if stage == seedlist.Downloading {
		r.lease.host = s.host(r.host)
		s.take(r.lease.host, now)
	}
	c.Seed = s.seed(r)
	c.Seed.Worker = worker
	return c
}

// held is the seed of a claim; nil if that is lost.
func (s *Store) held(c *seedlist.Claim) *record {
	if r := s.seeds[c.Number]; r != nil && r.fence == c.Fence && r.state == c.Stage {
		return r
	}
	return nil
}

// leased is the lease of a claim, foreseen or not; nil if that is lost.
func (s *Store) leased(c *seedlist.Claim) *lease {
	if r := s.seeds[c.Number]; r != nil && r.lease != nil && r.lease.claim.Fence == c.Lease() {
		return r.lease
	}
	return nil
}

// endLease ends a claim, and frees its host.
func (s *Store) endLease(r *record, now time.Time, load seedlist.Load) {
	if r.lease != nil && r.lease.host != nil {
		r.lease.host.claims--
		s.showed(r.lease.host, now, load)
	}
	r.lease = nil
}

// GiveBack puts a claimed seed back into the ready state that it came from.
func (s *Store) GiveBack(ctx context.Context, c seedlist.Claim, back seedlist.Return) error {
	if !c.Stage.IsWorking() {
		return fmt.Errorf("give back: %q is no working state", c.Stage)
	}
	return s.write(ctx, func(now time.Time) error {
		r := s.held(&c)
		if r == nil {
			return seedlist.ErrLost
		}
		data, result := r.data, "given back"
		var err error
		if back.Error != nil {
			stored := r.stored()
			stored.Error = back.Error
			if data, err = stored.Encode(); err != nil {
				return err
			}
		}
		if back.CountTry {
			result = "retry"
		}
		entry, err := back.Attempt.Encode(&c, c.Seed.Place(), result, now)
		if err != nil {
			return err
		}
		due := r.due
		if !back.Due.IsZero() {
			due = back.Due
		} else if due.After(now) {
			due = now
		}
		if back.CountTry {
			r.tries++
		}
		r.data = data
		r.makeReady(c.Stage.Ready(), due)
		s.index(r, now)
		s.log(&r.attempts, entry)
		s.endLease(r, now, back.Load)
		return nil
	})
}

// Foresee is [seedlist.Foresee] with the options of the list.
func (s *Store) Foresee(c seedlist.Claim, outcome seedlist.Outcome) (seedlist.Claim, error) {
	return seedlist.Foresee(c, outcome, &s.options)
}

// Rest lets the host of a claimed seed be asked by others.
func (s *Store) Rest(ctx context.Context, c seedlist.Claim, load seedlist.Load) error {
	return s.read(ctx, func() error {
		if l := s.leased(&c); l != nil && l.host != nil {
			l.host.claims--
			s.showed(l.host, time.Now(), load)
			l.host = nil
			s.wake()
		}
		return nil
	})
}

// Holds says whether a claim still holds its seed.
func (s *Store) Holds(ctx context.Context, c seedlist.Claim) (holds bool, err error) {
	err = s.read(ctx, func() error {
		holds = s.held(&c) != nil
		return nil
	})
	return holds, err
}

// Progress renews the lease of a claim.
func (s *Store) Progress(ctx context.Context, c seedlist.Claim, p seedlist.Progress) error {
	return s.read(ctx, func() error {
		if l := s.leased(&c); l != nil {
			l.renewed, l.progress = time.Now(), &p
		}
		return nil
	})
}

// Overdue are the claims without a sign of life for longer than the lease.
func (s *Store) Overdue(ctx context.Context) (overdue []seedlist.Claim, err error) {
	err = s.read(ctx, func() error {
		for r := range s.since(0) {
			if r.lease != nil && time.Since(r.lease.renewed) > s.options.Lease {
				c := r.lease.claim
				c.Seed.Hash, c.Seed.URI = r.hash, r.stored().URI
				overdue = append(overdue, c)
			}
		}
		return nil
	})
	return overdue, err
}
