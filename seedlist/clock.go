package seedlist

import "time"

// ClockLook is how often those who wait for a time look at the clock. It may be set right meanwhile, which no timer
// knows of.
const ClockLook = 30 * time.Second

// clockSlack is how far the clock may be moved, bit by bit, by who keeps it right.
const clockSlack = 2 * time.Second

// ClockSet is by how much the clock was set between two looks at it: beside the time that passed. It is 0 where that is
// so little that it was only kept right.
func ClockSet(before, now time.Time) time.Duration {
	return clockSet(now.Round(0).Sub(before.Round(0)), now.Sub(before))
}

// clockSet compares what went by on the clock with the time that passed.
func clockSet(shown, passed time.Duration) time.Duration {
	if set := shown - passed; set.Abs() > clockSlack {
		return set
	}
	return 0
}
