package bolt

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"laundromat/seedlist"
)

// Claim takes up to limit ready seeds into the working state stage, in one
// transaction; none if none is ready now. For [seedlist.Downloading] these are of the free
// hosts, in the order of their turns. Of one host, and in all other stages, the seed of the
// largest priority comes first. Then come the earliest due time and age.
func (s *Store) Claim(ctx context.Context, stage seedlist.State, worker string, limit int) ([]seedlist.Claim, error) {
	if !stage.IsWorking() {
		return nil, fmt.Errorf("claim: %q isn't a working state", stage)
	}
	// Asking costs nothing, a transaction an fsync.
	if ready, _, err := s.ready(ctx, stage.Ready()); err != nil || !ready {
		return nil, err
	}
	var claims []seedlist.Claim
	err := s.doLate(ctx, func(b *batch) error {
		b.promote(stage.Ready().Number())
		claims = b.claim(stage, worker, min(limit, maxBatch))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.readClaimed(ctx, claims)
}

// readClaimed fills in the records, after the commit and outside of it.
func (s *Store) readClaimed(ctx context.Context, claims []seedlist.Claim) ([]seedlist.Claim, error) {
	kept := claims[:0]
	err := s.view(context.WithoutCancel(ctx), func(t *tables) error {
		for _, c := range claims {
			seed, err := t.seed(c.Number)
			if err != nil {
				continue // removed since
			}
			seed.Status, seed.Fence, seed.Worker = c.Stage, c.Fence, c.Worker
			c.Seed = seed
			kept = append(kept, c)
		}
		return nil
	})
	return kept, err
}

func (b *batch) claim(stage seedlist.State, worker string, limit int) []seedlist.Claim {
	var ids []uint64
	if stage == seedlist.Downloading {
		ids = b.pick(limit)
	} else if limit > 0 {
		var keys [][]byte
		b.scan(inReady, []byte{stage.Ready().Number()}, nil, func(key, _ []byte) bool {
			keys = append(keys, bytes.Clone(key))
			return len(keys) < limit
		})
		ids = b.inPlace(inReady, keys)
	}
	return b.take(stage, worker, ids)
}

// take claims the seeds of these numbers, as far as they are in the ready state of stage.
func (b *batch) take(stage seedlist.State, worker string, ids []uint64) []seedlist.Claim {
	claims := make([]seedlist.Claim, 0, len(ids))
	var served []uint64 // hosts, in order
	for _, id := range ids {
		was, ok := b.hot(id)
		if !ok || !seedlist.ByClaim.Allows(was.state, stage) {
			continue
		}
		if err := b.checkCold(id); err != nil {
			b.setAside(id, &was, err)
			continue
		}
		is := was
		is.state, is.fence = stage, was.fence+1
		b.save(id, &was, &is)
		c := seedlist.Claim{
			Stage: stage, Fence: is.fence, Worker: worker, Since: b.now.UTC(),
			Try: int(was.tries) + 1, Crashes: int(was.crashes), Last: was.last, Number: id,
		}
		claims = append(claims, c)
		l := &lease{claim: c, renewed: b.now}
		if stage == seedlist.Downloading {
			l.host = was.host
			if !slices.Contains(served, l.host) {
				served = append(served, l.host)
			}
			b.store.hosts.take(l.host, b.now)
			b.undo = append(b.undo, func() { b.store.hosts.untake(l.host) })
		}
		b.done = append(b.done, func() { b.store.leases.add(l) })
	}
	for _, host := range served {
		b.served(host)
	}
	return claims
}

// maxPromoted is the number of seeds that come due in one transaction.
const maxPromoted = 1000

// promote makes ready what has come due: of a ready state, or suspects, what is to be tried again, and
// for the first stage the seeds whose interval has passed.
func (b *batch) promote(part byte) {
	now := b.now.UnixNano()
	var keys [][]byte
	due := func(key, _ []byte) bool {
		if readTime(key[len(key)-16:]) > now {
			return false
		}
		keys = append(keys, bytes.Clone(key))
		return len(keys) < maxPromoted
	}
	b.scan(inWaiting, []byte{part}, nil, due)
	ids := b.inPlace(inWaiting, keys)
	keys = nil
	if part == seedlist.Added.Number() && len(ids) < maxPromoted {
		b.scan(inRecheck, nil, nil, due)
	}
	for _, id := range append(ids, b.inPlace(inRecheck, keys)...) {
		was, ok := b.hot(id)
		if !ok {
			continue
		}
		is := was
		switch {
		case was.state.IsReady():
			is.makeReady(was.state, was.due, now)
		case was.isTriedFromItsStage():
			if !b.archivesRest(&was) {
				is.due = now + int64(time.Hour) // its archive is at work, and may replace its bytes
				break
			}
			is.restart(was.stage.Ready(), was.due, now)
		case seedlist.ByInterval.Allows(was.state, seedlist.Added):
			is.restart(seedlist.Added, was.due, now)
		}
		b.save(id, &was, &is)
	}
}

// restart puts h in a ready state for a new round of tries. A suspect remains one.
func (h *hot) restart(ready seedlist.State, due, now int64) {
	h.makeReady(ready, due, now)
	h.tries = 0
}

// ready says whether a claim of seeds in a ready state would find any. If not, it says when
// one may become due; the zero time means that none is waiting.
func (s *Store) ready(ctx context.Context, state seedlist.State) (ready bool, at time.Time, err error) {
	now := time.Now()
	sooner := func(t time.Time) {
		if !t.IsZero() && (at.IsZero() || t.Before(at)) {
			at = t
		}
	}
	err = s.view(ctx, func(t *tables) error {
		if key := t.first(inWaiting, []byte{state.Number()}); key != nil {
			sooner(timeOf(readTime(key[1:])))
		}
		if state == seedlist.Added {
			if key := t.first(inRecheck, nil); key != nil {
				sooner(timeOf(readTime(key)))
			}
			free, rested := t.nextHost(&s.hosts, now)
			ready = free
			sooner(rested)
		} else {
			ready = t.first(inReady, []byte{state.Number()}) != nil
		}
		return nil
	})
	ready = ready || !at.IsZero() && !at.After(now)
	return ready, at, err
}

// addTries keeps a count within its 16 bits.
func addTries(tries uint16, n int) uint16 { return uint16(min(int(tries)+n, math.MaxUint16)) }
