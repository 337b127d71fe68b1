package seedlist

import "time"

// Turned says that a host gives something else in the place of what was data. A portal does so whose pages are
// behind a login now. It is kept until one of the host's documents is well.
type Turned struct {
	Since     time.Time `json:"since"`
	Documents int       `json:"documents"` // that had turned within a day
	Asked     int       `json:"asked"`     // of so many that were asked for
	// Pause is how long the host is left alone between two documents, in seconds.
	Pause float64   `json:"pause"`
	Until time.Time `json:"until"` // when the next may be asked for
}

const (
	firstTurnedPause = time.Hour
	mostTurnedPause  = 24 * time.Hour
	turnedTogether   = 3  // documents that turn make one event of it
	turnedPart       = 10 // if they are so large a part of those that were asked for: one of ten
)

// HostDay is what a host gave within a day.
type HostDay struct {
	Has    int // documents of the host in the list, counted up to three
	Asked  int // documents that were asked for
	Turned int // those of them that were data, and are something else
	Alike  int // the most of these that came with one text
}

// NewTurned is the event that a day makes; nil if it makes none.
func NewTurned(day HostDay, now time.Time) *Turned {
	isSmall := day.Has > 0 && day.Has < turnedTogether
	switch {
	case isSmall && day.Turned >= day.Has:
	case day.Alike >= turnedTogether:
	case day.Turned >= turnedTogether && day.Turned*turnedPart >= day.Asked:
	default:
		return nil
	}
	now = now.Round(0).UTC()
	return &Turned{
		Since: now, Documents: day.Turned, Asked: max(day.Asked, day.Turned), Pause: firstTurnedPause.Seconds(),
		Until: now.Add(firstTurnedPause),
	}
}

// Again is the event after one more document that is not well. What was on its way before the pause began says
// nothing new.
func (t *Turned) Again(now time.Time) *Turned {
	if now.Before(t.Until) {
		return t
	}
	next := *t
	pause := min(2*t.PauseTime(), mostTurnedPause)
	next.Pause, next.Until = pause.Seconds(), now.Add(pause).Round(0).UTC()
	return &next
}

// PauseTime is the pause between two documents; 0 of a host that has not turned.
func (t *Turned) PauseTime() time.Duration {
	if t == nil {
		return 0
	}
	return time.Duration(t.Pause * float64(time.Second))
}

// RestAfter is until when a host rests whose event was one and is another. Without one any more, it rests no
// longer than its delay.
func RestAfter(rest time.Time, was, is *Turned, delay time.Duration, now time.Time) time.Time {
	switch {
	case is == nil && was == nil:
	case is == nil:
		if soon := now.Add(delay); rest.After(soon) {
			return soon
		}
	case (was == nil || !was.Until.Equal(is.Until)) && is.Until.After(rest):
		return is.Until
	}
	return rest
}
