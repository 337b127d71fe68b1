package seedlist

import (
	"fmt"
	"time"
)

// Following is the claim of the stage that begins in a ready state, without the record.
func (c Claim) Following(ready State) Claim {
	if c.leased == 0 {
		c.leased = c.Fence
	}
	c.Stage, c.Fence, c.Try = ready.Working(), c.Fence+1, 1
	return c
}

// Foreseen says that nothing was written of this claim yet: see [Foresee].
func (c *Claim) Foreseen() bool { return c.leased != 0 }

// Lease is the fence of the claim that the lease is of.
func (c *Claim) Lease() uint64 {
	if c.leased != 0 {
		return c.leased
	}
	return c.Fence
}

// Claim is the right to work on a seed. It is held until it is completed or
// given back; then, or when its lease ran out, all done with it gives [ErrLost].
type Claim struct {
	Seed    Seed  // the record as it was when it was claimed
	Stage   State // the working state it is in
	Fence   uint64
	Worker  string
	Since   time.Time
	Try     int   // of this stage, from 1
	Crashes int   // 0, or 1 for a suspect, and one more for each time that the process died while it was washed alone
	Last    State // the last final state, which [Outcome.Unchanged] leads back to; "" before the first

	// Number is the store's own of the seed. It means nothing to others.
	Number uint64

	leased uint64 // the fence of the claim that the lease is of, if that is another: see Foresee
}

// Return says how a claim is given back.
type Return struct {
	// CountTry counts the try that ended; else the claim cost nothing.
	CountTry bool
	// Due is when the seed may be claimed again. The zero time: at once, in the place
	// that it had.
	Due time.Time
	// Error is shown in the record until the stage succeeds. nil for work that was
	// stopped by us, and for a short wait for the turn of a host.
	Error *Error
	// Attempt is the log's entry. What is left out of it, the store fills in.
	Attempt Attempt
	// Load is what the host showed; only from downloading.
	Load Load
}

// Foresee is the claim of the stage that would follow. It follows if outcome, which must
// lead to a ready state, is completed and the seed claimed again at once. Nothing is
// written. What it gives is good for work and for Foresee alone: the lease, and what
// [Completer.Complete] is called with, remain the first claim's.
func Foresee(c Claim, outcome Outcome, options *Options) (Claim, error) {
	if err := outcome.Check(&c); err != nil {
		return Claim{}, err
	}
	if !outcome.Next.IsReady() {
		return Claim{}, fmt.Errorf("foresee: %s isn't a ready state", outcome.Next)
	}
	now := time.Now()
	next := c.Following(outcome.Next)
	next.Since = now.UTC()
	outcome.Change(&c, outcome.Next, now, options)(&next.Seed.Record)
	next.Seed.Status, next.Seed.Fence = next.Stage, next.Fence
	return next, nil
}
