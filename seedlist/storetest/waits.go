package storetest

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/seedlist"
)

// whatWaitsIsSaid: for which host seeds wait, why and until when, in a bounded number; and how many are
// tried again later.
func whatWaitsIsSaid(t *testing.T, open Opener) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{HostDelay: 10 * time.Second, HostConnections: 1})
		for _, uri := range []string{"a.example/1", "a.example/2", "a.example/3", "b.example/1", "b.example/2", "c.example/1"} {
			Add(t, store, "http://"+uri)
		}
		waits := func(limit int) seedlist.Waits { return Must[seedlist.Waits](t)(store.Waits(t.Context(), limit)) }
		if w := waits(5); len(w.Hosts) != 0 || w.HostsTotal != 0 || w.Later != 0 {
			t.Errorf("nothing waits but for a worker: %+v", w)
		}
		Must[seedlist.HostUse](t)(store.SetHost(t.Context(), "c.example", func(s *seedlist.HostSettings) { s.Paused = true }))
		claims := Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 10))
		if len(claims) != 2 {
			t.Fatalf("%d claims", len(claims))
		}
		rests := time.Now().Add(10 * time.Second).UTC()
		want := []seedlist.HostWait{
			{Host: "a.example", Seeds: 2, Why: seedlist.HostResting, Until: rests},
			{Host: "b.example", Seeds: 1, Why: seedlist.HostResting, Until: rests},
			{Host: "c.example", Seeds: 1, Why: seedlist.HostPaused},
		}
		holds := func(w seedlist.Waits, want []seedlist.HostWait) {
			t.Helper()
			slices.SortFunc(w.Hosts, func(a, b seedlist.HostWait) int { return int(a.Host[0]) - int(b.Host[0]) })
			if !slices.Equal(w.Hosts, want) || w.HostsTotal != 3 {
				t.Errorf("waits: %+v, want %+v", w, want)
			}
		}
		holds(waits(5), want)
		if w := waits(1); len(w.Hosts) != 1 || w.HostsTotal != 3 {
			t.Errorf("of three, one: %+v", w)
		}
		time.Sleep(11 * time.Second) // a reply takes that long
		want[0].Why, want[0].Until = seedlist.HostBusy, time.Time{}
		want[1].Why, want[1].Until = seedlist.HostBusy, time.Time{}
		holds(waits(5), want)
		due := time.Now().Add(time.Minute).UTC()
		for _, claim := range claims {
			back := seedlist.Return{CountTry: true, Due: due}
			if err := store.GiveBack(t.Context(), claim, back); err != nil {
				t.Fatal(err)
			}
			due = due.Add(time.Minute)
		}
		w := waits(0)
		if w.Later != 2 || !w.Next.Equal(due.Add(-2*time.Minute)) || len(w.Hosts) != 0 {
			t.Errorf("two are tried again, the first at %v: %+v", due.Add(-2*time.Minute), w)
		}
	})
}
