package daemon

import (
	"errors"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// Retries say how often and when a stage is tried again.
type Retries struct {
	Tries int           // at most so many tries of a stage; default 5
	First time.Duration // the pause before the second; it doubles each time; default 10 s
	Most  time.Duration // the longest pause, also where a server asks for more; default 1 h
}

func (r Retries) applyDefaults() Retries {
	if r.Tries <= 0 {
		r.Tries = 5
	}
	if r.First <= 0 {
		r.First = 10 * time.Second
	}
	if r.Most <= 0 {
		r.Most = time.Hour
	}
	return r
}

// againRemote is the first pause before a failure that was the other side's trouble is tried again
// by itself.
const againRemote = 24 * time.Hour

// again is when a seed that failed with err is tried again sooner than its interval says. With 0 it is not. The
// failure means for the last good wash what was decided.
func again(err error, decided seedlist.Decision) time.Duration {
	switch {
	case fault.CodeOf(err) == fault.BugProcessDied:
		return againDied
	case fault.KindOf(err) == fault.Remote:
		return againRemote
	}
	return decided.Again
}

// verdict is what becomes of a claim.
type verdict uint8

const (
	succeeded verdict = iota // the work is done: the move that the work names
	failed                   // the seed moves to failed
	retried                  // given back, with a counted try and a due time
	givenBack                // given back as if it had not been claimed
	paused                   // given back, and the stage's pool pauses
)

// settle decides what becomes of a claim whose work ended with err, and how long after that it may
// be claimed again. This stage was tried tries times before. If we are being asked to stop,
// stopping is true. It decides only: it does no I/O and looks at no clock.
func settle(err error, tries int, stopping bool, retries Retries) (verdict, time.Duration) {
	if err == nil {
		return succeeded, 0
	}
	retries = retries.applyDefaults()
	switch fault.KindOf(err) {
	case fault.Stopped:
		var e *fault.Error
		if errors.As(err, &e) && !stopping {
			return givenBack, min(e.After, retries.Most) // the turn of its host comes later
		}
		return givenBack, 0
	case fault.Local:
		return paused, 0
	case fault.Remote:
		var asked time.Duration // by the server
		var e *fault.Error
		if errors.As(err, &e) {
			asked = e.After
		}
		if stopping { // what the server asks for holds for whoever comes next, too
			return givenBack, min(asked, retries.Most)
		}
		if tries+1 >= retries.Tries {
			return failed, 0
		}
		return retried, min(max(retries.First<<min(tries, 20), asked), retries.Most)
	}
	if errors.Is(err, seedlist.ErrLost) {
		return givenBack, 0 // whoever holds the claim is another's affair, and never the document's fault
	}
	return failed, 0
}
