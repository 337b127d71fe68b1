package bolt

import (
	"context"
	"fmt"
	"time"

	"laundromat/seedlist"
)

// GiveBack puts a claimed seed back into its ready state: for a retry, when a lease ran
// out, or when the work was stopped. It returns [seedlist.ErrLost] if the claim was no
// longer held.
func (s *Store) GiveBack(ctx context.Context, c seedlist.Claim, r seedlist.Return) error {
	if !c.Stage.IsWorking() {
		return fmt.Errorf("give back: %q isn't a working state", c.Stage)
	}
	defer s.endLost(&c)
	now := time.Now()
	result := "given back"
	if r.CountTry {
		result = "retry"
	}
	for {
		var p *preparation
		if r.Error != nil {
			var err error
			if p, err = s.prepare(ctx, &c, func(record *seedlist.Record) { record.Error = r.Error }); err != nil {
				return err
			}
		}
		attempt, err := r.Attempt.Encode(&c, c.Seed.Place(), result, now)
		if err != nil {
			return err
		}
		err = s.do(ctx, func(b *batch) error { return b.giveBack(&c, &r, p, attempt) })
		if err != errRevised {
			return err
		}
	}
}

func (b *batch) giveBack(c *seedlist.Claim, r *seedlist.Return, p *preparation, attempt []byte) error {
	was, err := b.held(c, p)
	if err != nil {
		return err
	}
	is := was
	if r.CountTry {
		is.tries = addTries(was.tries, 1)
	}
	due := was.due
	if !r.Due.IsZero() {
		due = r.Due.UnixNano()
	} else if due > b.now.UnixNano() {
		due = b.now.UnixNano() // it was claimed, so that only a clock that ran ahead can have said that
	}
	is.makeReady(c.Stage.Ready(), due, b.now.UnixNano())
	if p != nil {
		is.revision++
		b.putCold(c.Number, p.data, p.change)
	}
	b.save(c.Number, &was, &is)
	b.log(c.Number, attempt)
	b.endLease(c.Number, r.Load)
	return nil
}

// recover gives back every seed that was being worked on when the process ended
// that held the store before. It counts no try, but makes suspects of them.
func (s *Store) recover(ctx context.Context) (int, error) {
	recovered := 0
	for _, stage := range seedlist.Stages() {
		for more := true; more; {
			found := 0
			err := s.do(ctx, func(b *batch) error {
				found = 0
				var ids []uint64
				b.scan(inStates, []byte{stage.Number()}, nil, func(key, _ []byte) bool {
					ids = append(ids, lastNumber(key))
					return len(ids) < maxBatch
				})
				for _, id := range ids {
					was, ok := b.hot(id)
					if !ok {
						continue
					}
					is := was
					is.makeReady(stage.Ready(), was.due, b.now.UnixNano())
					is.suspect(stage)
					b.save(id, &was, &is)
					found++
				}
				return nil
			})
			if err != nil {
				return recovered, err
			}
			recovered += found
			more = found == maxBatch
		}
	}
	return recovered, nil
}

// suspect marks a seed that was at work in a stage when the process died. A suspect is
// washed alone: if the process died then, that speaks against it. A download blames nobody,
// but what is washed on the way at the end of one is seen by nobody else.
func (h *hot) suspect(stage seedlist.State) {
	if h.crashes == 0 || stage != seedlist.Downloading {
		h.crashes = uint8(min(int(h.crashes)+1, 255))
	}
}

// WaitSuspect returns when ClaimSuspect would find a seed.
func (s *Store) WaitSuspect(ctx context.Context) error {
	for {
		woken := s.wakers.channel(suspectsWait)
		var at time.Time
		found := false
		err := s.view(ctx, func(t *tables) error {
			found = t.first(inReady, []byte{suspects}) != nil
			if key := t.first(inWaiting, []byte{suspects}); key != nil {
				at = timeOf(readTime(key[1:]))
			}
			return nil
		})
		if err != nil || found || !at.IsZero() && !at.After(time.Now()) {
			return err
		}
		if err := s.sleep(ctx, woken, at); err != nil {
			return err
		}
	}
}

// suspectsWait is who waits for suspects, where the names of ready states are.
const suspectsWait seedlist.State = "suspect"

// ClaimSuspect takes one ready suspect into the working state of its stage.
func (s *Store) ClaimSuspect(ctx context.Context, worker string) (c seedlist.Claim, found bool, err error) {
	var claims []seedlist.Claim
	err = s.do(ctx, func(b *batch) error {
		claims = nil
		b.promote(suspects)
		key := b.first(inReady, []byte{suspects})
		if key == nil || !b.isInPlace(inReady, key) {
			return nil
		}
		id := lastNumber(key)
		if h, ok := b.hot(id); ok {
			claims = b.take(h.state.Working(), worker, []uint64{id})
		}
		return nil
	})
	if err == nil {
		claims, err = s.readClaimed(ctx, claims)
	}
	if err != nil || len(claims) == 0 {
		return seedlist.Claim{}, false, err
	}
	return claims[0], true, nil
}
