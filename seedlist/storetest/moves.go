package storetest

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"laundromat/seedlist"
)

func noSeedIsClaimedTwice(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	const n = 10_000
	seeds := make([]seedlist.NewSeed, n)
	for i := range seeds {
		seeds[i].URI = fmt.Sprintf("http://h%d.example/%d", i%50, i)
	}
	if _, err := store.Add(t.Context(), seeds); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	seen := make(map[string]int)
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for {
				claims, err := store.Claim(t.Context(), seedlist.Downloading, "w", 7)
				if err != nil || len(claims) == 0 {
					if err != nil {
						t.Error(err)
					}
					return
				}
				mu.Lock()
				for _, c := range claims {
					seen[c.Seed.Hash]++
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(seen) != n {
		t.Errorf("%d of %d claimed", len(seen), n)
	}
	for hash, times := range seen {
		if times != 1 {
			t.Errorf("%s claimed %d times", hash, times)
		}
	}
	Audit(t, store)
}

// noOutcomeButThoseOfTheTable tries every outcome from every state.
func noOutcomeButThoseOfTheTable(t *testing.T, open Opener) {
	for _, stage := range seedlist.Stages() {
		for _, next := range append(seedlist.States(), "", "nonsense") {
			store := open(t, seedlist.Options{})
			hash := Add(t, store, "http://example.org/")[0]
			c := Drive(t, store, stage)
			err := store.Complete(t.Context(), c, seedlist.Outcome{Next: next})
			if lawful := slices.Contains(stage.Next(), next); (err == nil) != lawful {
				t.Errorf("%s → %q: %v", stage, next, err)
			} else if lawful {
				WantState(t, store, hash, next)
			} else {
				WantState(t, store, hash, stage)
			}
			Audit(t, store)
			store.Close()
		}
	}
}

// everyStateCanBeLeftOnlyAsTheDesignSays tries, from every state, the moves
// that no worker makes.
func everyStateCanBeLeftOnlyAsTheDesignSays(t *testing.T, open Opener) {
	failedIn := map[seedlist.State]seedlist.State{}
	for _, stage := range seedlist.Stages() {
		failedIn["failed in "+stage] = stage
	}
	states := slices.DeleteFunc(seedlist.States(), func(s seedlist.State) bool { return s == seedlist.Failed || s == seedlist.Cleaned })
	for s := range failedIn {
		states = append(states, s)
	}
	for _, state := range states {
		for _, from := range append([]seedlist.State{""}, seedlist.States()...) {
			store := open(t, seedlist.Options{})
			hash := Add(t, store, "http://example.org/")[0]
			stage, failed := failedIn[state]
			if failed {
				Complete(t, store, Drive(t, store, stage), seedlist.Outcome{Next: seedlist.Failed})
			} else {
				Drive(t, store, state)
			}
			before := Seed(t, store, hash).Status
			errs, err := store.Retry(t.Context(), from, hash)
			refused := err != nil || errs[0] != nil
			want := before
			switch {
			case from == "" && before.IsFinal():
				want = seedlist.Added
			case failed && from == stage.Ready():
				want = from
			}
			if got := Seed(t, store, hash).Status; got != want || refused != (want == before) {
				t.Errorf("%s, retry from %q: %s, want %s (%v, %v)", state, from, got, want, errs, err)
			}
			Audit(t, store)
			store.Close()
		}
	}
}

func unchangedLeadsToTheLastFinalState(t *testing.T, open Opener) {
	for _, last := range []seedlist.State{seedlist.Parsed, seedlist.Depleted, seedlist.Failed} {
		store := open(t, seedlist.Options{})
		hash := Add(t, store, "http://example.org/")[0]
		c := Claim(t, store, seedlist.Downloading)
		if err := store.Complete(t.Context(), c, seedlist.Outcome{Unchanged: true}); err == nil {
			t.Fatal("unchanged, but never washed")
		}
		if err := store.GiveBack(t.Context(), c, seedlist.Return{}); err != nil {
			t.Fatal(err)
		}
		Drive(t, store, last)
		before := Seed(t, store, hash)
		if errs, err := store.Retry(t.Context(), "", hash); err != nil || errs[0] != nil {
			t.Fatal(errs, err)
		}
		c = Claim(t, store, seedlist.Downloading)
		if c.Last != last {
			t.Fatalf("last %q, want %q", c.Last, last)
		}
		Complete(t, store, c, seedlist.Outcome{Unchanged: true})
		after := Seed(t, store, hash)
		if after.Status != last || after.Clean != before.Clean || !after.Processed.After(before.Processed) ||
			after.Retrieved != before.Retrieved {
			t.Errorf("%+v\n%+v", before, after)
		}
		Audit(t, store)
		store.Close()
	}
}
