package storetest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"laundromat/seedlist"
)

// Nothing is claimed of what people hold, and all else is; it is at rest, and goes on when they let it.
func whatPeopleHoldIsNotClaimed(t *testing.T, open Opener) {
	for _, c := range []struct {
		name string
		part string
		none []seedlist.State // of these nothing is claimed
		idle bool
	}{
		{"nothing", "", nil, false},
		{"all", seedlist.HoldAll, seedlist.Stages(), true},
		{"a stage", string(seedlist.Downloading), []seedlist.State{seedlist.Downloading}, false},
		{"a later stage", string(seedlist.Unarchiving), []seedlist.State{seedlist.Unarchiving}, false},
		{"a source", seedlist.HoldOfSource("one"), seedlist.Stages(), false},
		{"another source", seedlist.HoldOfSource("other"), nil, false},
		{"harvests", seedlist.HoldHarvesting, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := open(t, seedlist.Options{HostDelay: -1, HostConnections: 9})
			Must[[]seedlist.Addition](t)(store.Add(t.Context(), []seedlist.NewSeed{{URI: "http://a.example/1", Source: "one"}}))
			update := func(r *seedlist.Record) { r.Content = ContentOf("1") }
			Complete(t, store, Claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed, Update: update})
			Must[[]seedlist.Addition](t)(store.Add(t.Context(), []seedlist.NewSeed{{URI: "http://b.example/2", Source: "one"}}))
			if c.part != "" {
				for _, want := range []bool{true, false} { // the second changes nothing
					if changed := Must[bool](t)(store.Hold(t.Context(), c.part, true)); changed != want {
						t.Errorf("changed: %v", changed)
					}
				}
				if held := Must[[]string](t)(store.Held(t.Context())); !slices.Equal(held, []string{c.part}) {
					t.Errorf("%q are held", held)
				}
			}
			if hosts := Must[[]seedlist.HostUse](t)(store.Hosts(t.Context())); len(hosts) > 0 {
				t.Errorf("a hold is among the hosts: %+v", hosts)
			}
			for _, stage := range []seedlist.State{seedlist.Downloading, seedlist.Unarchiving} {
				isNone := slices.Contains(c.none, stage)
				claims := Must[[]seedlist.Claim](t)(store.Claim(t.Context(), stage, "w", 9))
				if isNone != (len(claims) == 0) {
					t.Errorf("%s: %d claims", stage, len(claims))
				}
				for _, claim := range claims {
					if err := store.GiveBack(t.Context(), claim, seedlist.Return{}); err != nil {
						t.Fatal(err)
					}
				}
				if isNone {
					short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
					if err := store.Wait(short, stage); !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("%s: there is something to wait for: %v", stage, err)
					}
					cancel()
				}
			}
			if idle := Must[bool](t)(store.Idle(t.Context())); idle != c.idle {
				t.Errorf("idle: %v", idle)
			}
			if c.part == "" {
				return
			}
			if !Must[bool](t)(store.Hold(t.Context(), c.part, false)) || len(Must[[]string](t)(store.Held(t.Context()))) > 0 {
				t.Error("it is still held")
			}
			for _, stage := range []seedlist.State{seedlist.Downloading, seedlist.Unarchiving} {
				if err := store.Wait(t.Context(), stage); err != nil {
					t.Fatal(err)
				}
				Claim(t, store, stage)
			}
		})
	}
	store := open(t, seedlist.Options{})
	for _, part := range []string{"", "everything", "parsed", "source ", "sources"} {
		if _, err := store.Hold(t.Context(), part, true); err == nil {
			t.Errorf("%q is held", part)
		}
	}
}
