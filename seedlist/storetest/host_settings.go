package storetest

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/seedlist"
)

func aHostHasItsOwnConnectionsAndDelay(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{HostDelay: -1})
	for i := range 10 {
		Add(t, store, fmt.Sprintf("http://a.example/%d", i), fmt.Sprintf("http://b.example/%d", i))
	}
	Must[seedlist.HostUse](t)(store.SetHost(t.Context(), "a.example", func(s *seedlist.HostSettings) { s.Connections = 4 }))
	if claims := Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 20)); len(claims) != 5 {
		t.Errorf("%d claims, want 4 of one host and 1 of the other", len(claims))
	}
	for _, c := range []struct {
		host   string
		change func(*seedlist.HostSettings)
		err    error
	}{
		{"", nil, seedlist.ErrHost}, {"a b", nil, seedlist.ErrHost}, {"mailto:x", nil, seedlist.ErrHost},
		{"a.example", func(s *seedlist.HostSettings) { s.Connections = -1 }, seedlist.ErrHostSettings},
		{"a.example", func(s *seedlist.HostSettings) { x := 1e9; s.Delay = &x }, seedlist.ErrHostSettings},
	} {
		if _, err := store.SetHost(t.Context(), c.host, c.change); !errors.Is(err, c.err) {
			t.Errorf("%q: error %v", c.host, err)
		}
	}
}

// aHostWithTooMuchToDoIsAskedLessOften: the pause doubles with each refusal, and
// shrinks again; a slow reply is paid for with a pause as long.
func aHostWithTooMuchToDoIsAskedLessOften(t *testing.T, open Opener) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{HostDelay: time.Second, HostConnections: 1})
		for i := range 20 {
			Add(t, store, fmt.Sprintf("http://a.example/%d", i))
		}
		ask := func(load seedlist.Load) time.Duration {
			claims := Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 10))
			if len(claims) != 1 {
				t.Fatalf("%d claims", len(claims))
			}
			Complete(t, store, claims[0], seedlist.Outcome{Next: seedlist.Failed, Load: load})
			start := time.Now()
			if err := store.Wait(t.Context(), seedlist.Downloading); err != nil {
				t.Fatal(err)
			}
			return time.Since(start)
		}
		busy, fine := seedlist.Load{Busy: true}, seedlist.Load{Latency: time.Millisecond}
		for i, c := range []struct {
			load seedlist.Load
			want time.Duration
		}{
			{fine, time.Second}, {busy, 2 * time.Second}, {busy, 4 * time.Second}, {busy, 8 * time.Second}, {fine, 4 * time.Second},
			{fine, 2 * time.Second}, {fine, time.Second}, {seedlist.Load{Latency: 5 * time.Second}, 5 * time.Second},
			{fine, 2500 * time.Millisecond},
			{seedlist.Load{Delay: 7 * time.Second}, 7 * time.Second}, {seedlist.Load{Rest: time.Hour, Busy: true}, time.Hour},
			{busy, 5 * time.Second}, {busy, 10 * time.Second}, {busy, 20 * time.Second}, {busy, 40 * time.Second}, {busy, time.Minute},
			{busy, time.Minute},
		} {
			if got := ask(c.load); got != c.want {
				t.Errorf("%d: %v after %+v, want %v", i, got, c.load, c.want)
			}
		}
	})
}

func aPausedHostIsNotAsked(t *testing.T, open Opener) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{HostDelay: -1})
		defer store.Close()
		Add(t, store, "http://a.example/1", "http://a.example/2", "http://b.example/1")
		pause := func(paused bool) func(*seedlist.HostSettings) {
			return func(s *seedlist.HostSettings) { s.Paused = paused }
		}
		use := Must[seedlist.HostUse](t)(store.SetHost(t.Context(), "http://A.example/1", pause(true)))
		if use.Host != "a.example" || !use.Paused || use.Waiting != 2 {
			t.Errorf("%+v", use)
		}
		if m := Must[seedlist.Manners](t)(store.Manners(t.Context(), "a.example")); !m.Paused {
			t.Error("it may be asked")
		}
		claims := Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 10))
		if len(claims) != 1 || claims[0].Seed.URI != "http://b.example/1" {
			t.Fatalf("%+v", claims)
		}
		Complete(t, store, claims[0], seedlist.Outcome{Next: seedlist.Failed})
		if !Must[bool](t)(store.Idle(t.Context())) {
			t.Error("seeds of a paused host keep the list from its rest")
		}
		if hosts := Must[[]seedlist.HostUse](t)(store.Hosts(t.Context())); len(hosts) != 1 || hosts[0].Host != "a.example" {
			t.Errorf("%+v", hosts)
		}
		woken := make(chan error, 1)
		go func() { woken <- store.Wait(t.Context(), seedlist.Downloading) }()
		synctest.Wait()
		Must[seedlist.HostUse](t)(store.SetHost(t.Context(), "a.example", pause(false)))
		if err := <-woken; err != nil {
			t.Error(err)
		}
		if hosts := Must[[]seedlist.HostUse](t)(store.Hosts(t.Context())); len(hosts) != 0 {
			t.Errorf("settings that say nothing are kept: %+v", hosts)
		}
		// A reply to something else than a seed of its own makes its seeds wait.
		if err := store.Showed(t.Context(), "a.example", seedlist.Load{Rest: time.Minute}); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if err := store.Wait(t.Context(), seedlist.Downloading); err != nil || time.Since(start) != time.Minute {
			t.Errorf("woken after %v, %v", time.Since(start), err)
		}
		Audit(t, store)
	})
}

// aHostThatTurnedIsAskedForOneDocument: it is left alone for as long as is kept with it, and then asked for one
// document alone. Who asks for a document by hand is not kept waiting, and it keeps no list from its rest.
func aHostThatTurnedIsAskedForOneDocument(t *testing.T, open Opener) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{HostDelay: -1, HostConnections: 8})
		defer store.Close()
		Add(t, store, "http://a.example/1", "http://a.example/2", "http://a.example/3", "http://a.example/4")
		claim := func() []seedlist.Claim {
			return Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 10))
		}
		turned := seedlist.NewTurned(seedlist.HostDay{Asked: 4, Turned: 3}, time.Now())
		set := func(turned *seedlist.Turned) seedlist.HostUse {
			return Must[seedlist.HostUse](t)(store.SetHost(t.Context(), "a.example", func(s *seedlist.HostSettings) { s.Turned = turned }))
		}
		if use := set(turned); use.Turned == nil || !use.Rests.Equal(turned.Until) || use.Turned.Documents != 3 {
			t.Errorf("%+v", use)
		}
		if hosts := Must[[]seedlist.HostUse](t)(store.Hosts(t.Context())); len(hosts) != 1 || hosts[0].Turned == nil {
			t.Errorf("%+v", hosts)
		}
		if claims := claim(); len(claims) != 0 {
			t.Fatalf("%d claims", len(claims))
		}
		if !Must[bool](t)(store.Idle(t.Context())) {
			t.Error("seeds of a host that turned keep the list from its rest")
		}
		start := time.Now()
		if err := store.Wait(t.Context(), seedlist.Downloading); err != nil || time.Since(start).Round(time.Second) != time.Hour {
			t.Errorf("woken after %v, %v", time.Since(start), err)
		}
		if Must[bool](t)(store.Idle(t.Context())) {
			t.Error("its time has come")
		}
		claims := claim()
		if len(claims) != 1 || len(claim()) != 0 {
			t.Fatalf("%d claims", len(claims))
		}
		if m := Must[seedlist.Manners](t)(store.Manners(t.Context(), "a.example")); m.Delay != 0 {
			t.Errorf("its robots.txt would be waited for: %v", m.Delay)
		}
		Complete(t, store, claims[0], seedlist.Outcome{Next: seedlist.Failed})
		if set(turned.Again(time.Now())); len(claim()) != 0 {
			t.Error("it is asked while it is left alone")
		}
		// By hand it is asked at once, for one document.
		if answers, err := store.Retry(t.Context(), "", claims[0].Seed.Hash); err != nil || answers[0] != nil {
			t.Fatal(answers, err)
		}
		if claims = claim(); len(claims) != 1 || len(claim()) != 0 {
			t.Fatalf("%d claims", len(claims))
		}
		Complete(t, store, claims[0], seedlist.Outcome{Next: seedlist.Filed})
		// Once one is well, it is asked as before.
		if use := set(nil); use.Turned != nil || use.Rests.After(time.Now()) {
			t.Errorf("%+v", use)
		}
		if claims = claim(); len(claims) != 3 {
			t.Errorf("%d claims", len(claims))
		}
		Audit(t, store)
	})
}
