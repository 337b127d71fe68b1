package storetest

import (
	"testing"
	"testing/synctest"
	"time"

	"laundromat/seedlist"
)

func lateCompletionIsRefused(t *testing.T, open Opener) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{Lease: time.Minute})
		defer store.Close()
		hash := Add(t, store, "http://example.org/a.nt")[0]
		old := Claim(t, store, seedlist.Downloading)
		time.Sleep(50 * time.Second)
		ShowProgress(t, store, old, seedlist.Progress{Bytes: 1})
		time.Sleep(50 * time.Second)
		if overdue := Must[[]seedlist.Claim](t)(store.Overdue(t.Context())); len(overdue) != 0 {
			t.Fatal("overdue in spite of a sign of life")
		}
		time.Sleep(11 * time.Second)
		overdue := Must[[]seedlist.Claim](t)(store.Overdue(t.Context()))
		if len(overdue) != 1 || overdue[0].Fence != old.Fence || overdue[0].Seed.Hash != hash {
			t.Fatalf("%+v", overdue)
		}
		if err := store.GiveBack(t.Context(), overdue[0], seedlist.Return{CountTry: true}); err != nil {
			t.Fatal(err)
		}
		if err := store.Complete(t.Context(), old, seedlist.Outcome{Next: seedlist.Filed}); err != seedlist.ErrLost {
			t.Errorf("before the next claim: %v", err)
		}
		again := Claim(t, store, seedlist.Downloading)
		if again.Fence <= old.Fence || again.Try != 2 {
			t.Errorf("%+v", again)
		}
		if err := store.Complete(t.Context(), old, seedlist.Outcome{Next: seedlist.Filed}); err != seedlist.ErrLost {
			t.Errorf("after the next claim: %v", err)
		}
		if err := store.GiveBack(t.Context(), old, seedlist.Return{}); err != seedlist.ErrLost {
			t.Errorf("given back: %v", err)
		}
		ShowProgress(t, store, old, seedlist.Progress{Message: "late"})
		if s := Seed(t, store, hash); s.Progress != nil {
			t.Error("late progress is shown")
		}
		Complete(t, store, again, seedlist.Outcome{Next: seedlist.Filed})
		if err := store.Complete(t.Context(), again, seedlist.Outcome{Next: seedlist.Filed}); err != seedlist.ErrLost {
			t.Errorf("twice: %v", err)
		}
		WantState(t, store, hash, seedlist.Filed)
	})
}

func whatIsGivenBackKeepsItsPlaceAndItsTries(t *testing.T, open Opener) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{})
		defer store.Close()
		hashes := Add(t, store, "http://example.org/a", "http://example.org/b")
		c := Claim(t, store, seedlist.Downloading)
		if err := store.GiveBack(t.Context(), c, seedlist.Return{}); err != nil {
			t.Fatal(err)
		}
		c = Claim(t, store, seedlist.Downloading)
		if c.Seed.Hash != hashes[0] || c.Try != 1 || c.Fence != 2 {
			t.Fatalf("%+v", c)
		}
		due := time.Now().Add(time.Hour)
		remote := &seedlist.Error{Stage: seedlist.Downloading, Kind: 1, Code: "transport/timeout", Message: "timed out"}
		if err := store.GiveBack(t.Context(), c, seedlist.Return{CountTry: true, Due: due, Error: remote}); err != nil {
			t.Fatal(err)
		}
		s := Seed(t, store, hashes[0])
		if s.Tries != 1 || !s.Due.Equal(due) || s.Error == nil || s.Error.Code != "transport/timeout" {
			t.Fatalf("%+v", s)
		}
		counts := Must[seedlist.Counts](t)(store.Counts(t.Context()))
		if counts.Waiting != 1 || counts.Errors["transport/timeout"] != 1 {
			t.Errorf("%+v", counts)
		}
		if c = Claim(t, store, seedlist.Downloading); c.Seed.Hash != hashes[1] {
			t.Fatal("claimed before it was due")
		}
		Complete(t, store, c, seedlist.Outcome{Next: seedlist.Failed})
		if idle := Must[bool](t)(store.Idle(t.Context())); idle {
			t.Error("idle, but a retry is waiting")
		}
		start := time.Now()
		if err := store.Wait(t.Context(), seedlist.Downloading); err != nil || time.Since(start) != time.Hour {
			t.Errorf("woken after %v, %v", time.Since(start), err)
		}
		if c = Claim(t, store, seedlist.Downloading); c.Seed.Hash != hashes[0] || c.Try != 2 {
			t.Fatalf("%+v", c)
		}
		Complete(t, store, c, seedlist.Outcome{Next: seedlist.Filed})
		if s := Seed(t, store, hashes[0]); s.Tries != 0 || s.Error != nil {
			t.Errorf("after success: %+v", s)
		}
	})
}

func seedsAreFetchedAgainAfterTheirInterval(t *testing.T, open Opener) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{Interval: 24 * time.Hour, IntervalMin: 24 * time.Hour, IntervalMax: 24 * time.Hour})
		defer store.Close()
		hash := Add(t, store, "http://example.org/a")[0]
		if _, err := store.Add(t.Context(), []seedlist.NewSeed{{URI: "http://example.org/never", Interval: -1, Priority: -1}}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			c := Claim(t, store, seedlist.Downloading)
			Complete(t, store, c, seedlist.Outcome{Next: seedlist.Failed})
		}
		time.Sleep(24*time.Hour - time.Second)
		if claims, err := store.Claim(t.Context(), seedlist.Downloading, "w", 10); len(claims) > 0 || err != nil {
			t.Fatal("fetched within its window", claims, err)
		}
		start := time.Now()
		if err := store.Wait(t.Context(), seedlist.Downloading); err != nil || time.Since(start) != time.Second {
			t.Fatalf("woken after %v, %v", time.Since(start), err)
		}
		c := Claim(t, store, seedlist.Downloading)
		if c.Seed.Hash != hash || c.Last != seedlist.Failed || c.Try != 1 {
			t.Fatalf("%+v", c)
		}
		Complete(t, store, c, seedlist.Outcome{Unchanged: true})
		s := Seed(t, store, hash)
		if s.Status != seedlist.Failed || time.Until(s.Due) != 24*time.Hour {
			t.Errorf("%+v", s)
		}
		counts := Must[seedlist.Counts](t)(store.Counts(t.Context()))
		if counts.Unchanged != 1 {
			t.Errorf("%+v", counts)
		}
		time.Sleep(1000 * time.Hour)
		if claims := Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 10)); len(claims) != 1 ||
			claims[0].Seed.Hash != hash {
			t.Errorf("%+v", claims)
		}
	})
}

func waitIsWokenByWhatBecomesReady(t *testing.T, open Opener) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{HostConnections: 1, HostDelay: time.Minute})
		defer store.Close()
		woken := make(chan error)
		go func() { woken <- store.Wait(t.Context(), seedlist.Downloading) }()
		synctest.Wait()
		Add(t, store, "http://example.org/1", "http://example.org/2")
		if err := <-woken; err != nil {
			t.Fatal(err)
		}
		c := Claim(t, store, seedlist.Downloading)
		if claims := Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 9)); len(claims) != 0 {
			t.Fatal("two downloads from one host")
		}
		go func() { woken <- store.Wait(t.Context(), seedlist.Downloading) }()
		go func() { woken <- store.Wait(t.Context(), seedlist.Unarchiving) }()
		time.Sleep(time.Hour)
		select {
		case <-woken:
			t.Fatal("woken, but the host is busy and nothing is filed")
		default:
		}
		start := time.Now()
		Complete(t, store, c, seedlist.Outcome{Next: seedlist.Filed, Load: seedlist.Load{Rest: 5 * time.Minute}})
		<-woken
		if time.Since(start) != 0 {
			t.Errorf("filed, but woken after %v", time.Since(start))
		}
		<-woken
		if time.Since(start) != 5*time.Minute {
			t.Errorf("the host asked for 5 minutes, and got %v", time.Since(start))
		}
	})
}

func whatIsDueFirstComesFirst(t *testing.T, open Opener) {
	for _, stage := range []seedlist.State{seedlist.Downloading, seedlist.Unarchiving} {
		synctest.Test(t, func(t *testing.T) {
			store := open(t, seedlist.Options{})
			defer store.Close()
			Add(t, store, "http://example.org/1", "http://example.org/2", "http://example.org/3")
			if stage == seedlist.Unarchiving {
				for range 3 {
					Complete(t, store, Claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
				}
			}
			var want [3]string // the first to be claimed is due last
			for i, c := range Must[[]seedlist.Claim](t)(store.Claim(t.Context(), stage, "w", 3)) {
				want[2-i] = c.Seed.Hash
				if err := store.GiveBack(t.Context(), c,
					seedlist.Return{Due: time.Now().Add(time.Duration(3-i) * time.Second)}); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(10 * time.Second)
			for i := range want {
				if c := Claim(t, store, stage); c.Seed.Hash != want[i] {
					t.Errorf("%s: %d is %s", stage, i, c.Seed.URI)
				}
			}
		})
	}
}

// A retry ends the wait of what was given back until later, in the state in which it waits. What may be claimed already
// is not at rest.
func aRetryEndsAWait(t *testing.T, open Opener) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{})
		defer store.Close()
		hash := Add(t, store, "http://example.org/a")[0]
		retry := func(from seedlist.State) error {
			t.Helper()
			return Must[[]error](t)(store.Retry(t.Context(), from, hash))[0]
		}
		for _, stage := range []seedlist.State{seedlist.Downloading, seedlist.Unarchiving, seedlist.Guessing, seedlist.Parsing} {
			ready := stage.Ready()
			if err := retry(""); err != seedlist.ErrNotAtRest {
				t.Errorf("%s, due already: %v", ready, err)
			}
			for _, from := range []seedlist.State{"", ready} {
				c := Claim(t, store, stage)
				due := time.Now().Add(time.Hour)
				if err := store.GiveBack(t.Context(), c, seedlist.Return{CountTry: true, Due: due}); err != nil {
					t.Fatal(err)
				}
				for _, other := range seedlist.States() {
					if other.IsReady() && other != ready {
						if err := retry(other); err != seedlist.ErrNotAtRest {
							t.Errorf("%s, from %s: %v", ready, other, err)
						}
					}
				}
				woken := make(chan error, 1)
				go func() { woken <- store.Wait(t.Context(), stage) }()
				synctest.Wait()
				if err := retry(from); err != nil {
					t.Fatalf("%s, from %q: %v", ready, from, err)
				}
				if err := <-woken; err != nil || !time.Now().Before(due) {
					t.Errorf("%s: woken at its due time, %v", ready, err)
				}
				if s := Seed(t, store, hash); s.Status != ready || s.Tries != 0 {
					t.Errorf("%+v", s)
				}
			}
			c := Claim(t, store, stage)
			Complete(t, store, c, Usual(c))
		}
		Audit(t, store)
	})
}
