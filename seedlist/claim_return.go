package seedlist

import (
	"context"
	"fmt"
	"time"
)

// Return says how a claim is given back.
type Return struct {
	// CountTry counts the try that ended; else the claim cost nothing.
	CountTry bool
	// Due is when the seed may be claimed again. The zero time: at once, in the place
	// that it had.
	Due time.Time
	// Error is shown in the record until the stage succeeds. nil for work that was
	// stopped by us.
	Error *Error
	// Attempt is the log's entry. What is left out of it, the store fills in.
	Attempt Attempt
	// Load is what the host showed; only from downloading.
	Load Load
}

// GiveBack puts a claimed seed back into the ready state it came from: for a
// retry, when a lease ran out, or when the work was stopped. [ErrLost] means that
// it was no longer held.
func (s *Store) GiveBack(ctx context.Context, c Claim, r Return) error {
	if !c.Stage.IsWorking() {
		return fmt.Errorf("give back: %q is no working state", c.Stage)
	}
	now := time.Now()
	result := "given back"
	if r.CountTry {
		result = "retry"
	}
	for {
		var p *preparation
		if r.Error != nil {
			var err error
			if p, err = s.prepare(ctx, &c, func(record *Record) { record.Error = r.Error }); err != nil {
				return err
			}
		}
		attempt, err := r.Attempt.encode(&c, c.Seed.place(), result, now)
		if err != nil {
			return err
		}
		err = s.do(ctx, func(b *batch) error { return b.giveBack(&c, &r, p, attempt) })
		if err != errRevised {
			return err
		}
	}
}

func (b *batch) giveBack(c *Claim, r *Return, p *preparation, attempt []byte) error {
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
		b.putCold(c.id, p.data, p.change)
	}
	b.save(c.id, &was, &is)
	b.log(c.id, attempt)
	b.endLease(c.id, r.Load)
	return nil
}

// recover gives back every seed that was being worked on when the process ended
// that held the store before. It counts no try, but a crash.
func (s *Store) recover(ctx context.Context) (int, error) {
	recovered := 0
	for _, stage := range Stages() {
		for more := true; more; {
			found := 0
			err := s.do(ctx, func(b *batch) error {
				found = 0
				var ids []uint64
				b.scan(inStates, []byte{stage.number()}, nil, func(key, _ []byte) bool {
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
					is.crashes = uint8(min(int(was.crashes)+1, 255))
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
