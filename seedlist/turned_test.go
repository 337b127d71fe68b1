package seedlist_test

import (
	"testing"
	"time"

	"laundromat/seedlist"
)

// A host has turned if three documents have, and a tenth of those that were asked for. So it has if three have one
// text, or if all have of a host of one or two.
func TestWhenAHostHasTurned(t *testing.T) {
	for _, c := range []struct {
		day  seedlist.HostDay
		want bool
	}{
		{seedlist.HostDay{}, false},
		{seedlist.HostDay{Has: 1, Asked: 1, Turned: 1}, true},
		{seedlist.HostDay{Has: 2, Asked: 1, Turned: 1}, false},
		{seedlist.HostDay{Has: 2, Asked: 2, Turned: 2}, true},
		{seedlist.HostDay{Has: 2, Asked: 9, Turned: 2}, true},
		{seedlist.HostDay{Has: 3, Asked: 2, Turned: 2}, false},
		{seedlist.HostDay{Has: 3, Asked: 3, Turned: 3}, true},
		{seedlist.HostDay{Asked: 30, Turned: 3}, true},
		{seedlist.HostDay{Asked: 31, Turned: 3}, false},
		{seedlist.HostDay{Asked: 31, Turned: 4}, true},
		{seedlist.HostDay{Asked: 1000, Turned: 99}, false},
		{seedlist.HostDay{Asked: 1000, Turned: 100}, true},
		{seedlist.HostDay{Asked: 1000, Turned: 3, Alike: 3}, true},
		{seedlist.HostDay{Asked: 1000, Turned: 3, Alike: 2}, false},
		{seedlist.HostDay{Turned: 3}, true}, // what was asked for before the daemon began is not known
	} {
		if got := seedlist.NewTurned(c.day, time.Now()); (got != nil) != c.want {
			t.Errorf("%+v: %+v", c.day, got)
		}
	}
}

// A host that has turned is asked after an hour, then after two, up to a day. What was on its way says nothing new.
func TestAHostThatTurnedIsLeftAloneLongerEachTime(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	turned := seedlist.NewTurned(seedlist.HostDay{Has: 1, Turned: 1}, now)
	for i, want := range []time.Duration{1, 2, 4, 8, 16, 24, 24} {
		want *= time.Hour
		if got := turned.PauseTime(); got != want || !turned.Until.Equal(now.Add(want)) {
			t.Errorf("%d: %v until %v", i, got, turned.Until)
		}
		if turned.Again(now.Add(want-1)) != turned {
			t.Errorf("%d: what was on its way makes the pause longer", i)
		}
		now = turned.Until
		turned = turned.Again(now)
	}
}
