package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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
		{"a source", seedlist.HoldOfSource("one"), seedlist.Stages(), true},
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

// What waits for people to let it go on keeps nothing from its rest, however it is held; anything else does.
func whatPeopleHoldIsAtRest(t *testing.T, open Opener) {
	one, two := seedlist.HoldOfSource("one"), seedlist.HoldOfSource("two")
	const download = string(seedlist.Downloading)
	for _, c := range []struct {
		name   string
		seeds  []string // source, host
		hold   []string
		paused string // a host
		idle   bool
	}{
		{"all of the one source", []string{"one a", "one b"}, []string{one}, "", true},
		{"one of another source", []string{"one a", "two a"}, []string{one}, "", false},
		{"first one of another source", []string{"two a", "one a"}, []string{one}, "", false},
		{"one of no source", []string{"one a", " a"}, []string{one}, "", false},
		{"two sources", []string{"one a", "two b"}, []string{one, two}, "", true},
		{"a source and the other's host", []string{"one a", "two b"}, []string{one}, "b.example", true},
		{"a source and its own host, beside another", []string{"one a", "two b"}, []string{one}, "a.example", false},
		{"a source, its own host, and a second of the host", []string{"one a", "two a"}, []string{one}, "a.example", true},
		{"a source and a stage", []string{"one a", "two b"}, []string{one, download}, "", true},
		{"a source and a later stage", []string{"one a", "two b"}, []string{one, string(seedlist.Parsing)}, "", false},
		{"a source without seeds", []string{"one a"}, []string{two}, "", false},
		{"a name in a document of the source", []string{"one a#x"}, []string{one}, "", true},
		{"nothing that is held has seeds", nil, []string{one}, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := open(t, seedlist.Options{HostDelay: -1, HostConnections: 9})
			for i, seed := range c.seeds {
				source, host, _ := strings.Cut(seed, " ")
				host, fragment, _ := strings.Cut(host, "#")
				uri := fmt.Sprintf("http://%s.example/%d", host, i)
				if fragment != "" {
					uri += "#" + fragment
				}
				Must[[]seedlist.Addition](t)(store.Add(t.Context(), []seedlist.NewSeed{{URI: uri, Source: source}}))
			}
			for _, part := range c.hold {
				Must[bool](t)(store.Hold(t.Context(), part, true))
			}
			if c.paused != "" {
				Must[seedlist.HostUse](t)(store.SetHost(t.Context(), c.paused, func(s *seedlist.HostSettings) { s.Paused = true }))
			}
			for range 2 { // before and after what is held was put off
				if idle := Must[bool](t)(store.Idle(t.Context())); idle != c.idle {
					t.Errorf("idle: %v", idle)
				}
				if c.idle {
					for _, claim := range Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 9)) {
						t.Errorf("%s is claimed", claim.Seed.URI)
					}
				}
			}
			for _, part := range c.hold {
				Must[bool](t)(store.Hold(t.Context(), part, false))
			}
			if c.paused == "" && len(c.seeds) > 0 && Must[bool](t)(store.Idle(t.Context())) {
				t.Error("it rests, and nothing is held")
			}
		})
	}
	for _, c := range []struct {
		part string
		idle bool
	}{
		{seedlist.HoldAll, true}, {seedlist.HoldHarvesting, true}, {seedlist.HoldOfSource("catalog:http://c.example/"), true},
		{seedlist.HoldOfSource("catalog:http://d.example/"), false}, {download, false},
	} {
		store := open(t, seedlist.Options{})
		if _, _, err := store.AddCatalog(t.Context(), "http://c.example/", seedlist.CatalogSettings{Interval: 60}, time.Now()); err != nil {
			t.Fatal(err)
		}
		Must[bool](t)(store.Hold(t.Context(), c.part, true))
		if idle := Must[bool](t)(store.Idle(t.Context())); idle != c.idle {
			t.Errorf("%s, and a catalog that is due: idle: %v", c.part, idle)
		}
	}
}
