package bolt_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/storetest"
)

// TestDueTimesOfAWrongClockAreCutAtTheStart: the store is written at one time, and opened again at
// another. What is due later than a pause or an interval allows is due then; all else stays.
func TestDueTimesOfAWrongClockAreCutAtTheStart(t *testing.T) {
	const day, year = 24 * time.Hour, 365 * 24 * time.Hour
	for _, c := range []struct {
		name     string
		retry    time.Duration // the due time of a retry from the wrong now; 0: it was fetched
		interval time.Duration // its own; 0: that of the store, of 100 days
		ahead    time.Duration // what the clock ran ahead
		want     time.Duration // when it may be claimed, from the start on
	}{
		{"a retry, ten years ahead", 10 * time.Second, 0, 10 * year, time.Hour},
		{"a retry after an hour, ten years ahead", time.Hour, 0, 10 * year, time.Hour},
		{"a retry, an hour and a half ahead", time.Minute, 0, 90 * time.Minute, time.Hour},
		{"a retry, the clock is right", 10 * time.Second, 0, 0, 10 * time.Second},
		{"a retry after half an hour, the clock is right", 30 * time.Minute, 0, 0, 30 * time.Minute},
		{"a retry, a minute ahead", 10 * time.Second, 0, time.Minute, 70 * time.Second},
		{"fetched, ten years ahead", 0, 0, 10 * year, 100 * day},
		{"fetched, ten years ahead, once a day", 0, day, 10 * year, day},
		{"fetched, ten years ahead, once in two years", 0, 2 * year, 10 * year, 2 * year},
		{"fetched, the clock is right", 0, 0, 0, 100 * day},
		{"fetched, the clock is right, once in two years", 0, 2 * year, 0, 2 * year},
		{"fetched, a thousand years ahead", 0, day, 100 * year, day},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "seeds")
			options := seedlist.Options{HostConnections: 1 << 20, HostDelay: -1}
			inTime(t, c.ahead, func(t *testing.T) {
				store := storetest.Must[*bolt.Store](t)(bolt.Open(path, options))
				defer store.Close()
				storetest.Must[[]seedlist.Addition](t)(store.Add(t.Context(),
					[]seedlist.NewSeed{{URI: "http://a.test/x", Interval: c.interval}}))
				held := storetest.Claim(t, store, seedlist.Downloading)
				if c.retry > 0 {
					back := seedlist.Return{CountTry: true, Due: time.Now().Add(c.retry)}
					if err := store.GiveBack(t.Context(), held, back); err != nil {
						t.Fatal(err)
					}
					return
				}
				storetest.Complete(t, store, held, seedlist.Outcome{Next: seedlist.Failed})
			})
			inTime(t, 0, func(t *testing.T) {
				store := storetest.Must[*bolt.Store](t)(bolt.Open(path, options))
				defer store.Close()
				seed := storetest.Must[seedlist.Seed](t)(storetest.Find(t.Context(), store, "http://a.test/x"))
				if got := time.Until(seed.Due); got != c.want {
					t.Errorf("due in %v, want %v", got, c.want)
				}
				for _, wrong := range store.Audit() {
					t.Error(wrong)
				}
				time.Sleep(c.want + time.Second)
				storetest.Claim(t, store, seedlist.Downloading)
			})
		})
	}
}

// inTime runs f in a bubble, so long after the others begin.
func inTime(t *testing.T, after time.Duration, f func(*testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		for after > 0 {
			step := min(after, 50*365*24*time.Hour)
			time.Sleep(step)
			after -= step
		}
		f(t)
	})
}

func TestDueTimesOfManySeedsAreCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seeds")
	options := seedlist.Options{HostConnections: 1 << 20, HostDelay: -1}
	const n = 200
	inTime(t, 10*365*24*time.Hour, func(t *testing.T) {
		store := storetest.Must[*bolt.Store](t)(bolt.Open(path, options))
		defer store.Close()
		var seeds []seedlist.NewSeed
		for i := range n {
			seeds = append(seeds, seedlist.NewSeed{URI: fmt.Sprint("http://a.test/", i), Interval: time.Duration(1+i) * time.Hour})
		}
		storetest.Must[[]seedlist.Addition](t)(store.Add(t.Context(), seeds))
		for _, c := range storetest.Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "worker", n)) {
			storetest.Complete(t, store, c, seedlist.Outcome{Next: seedlist.Failed})
		}
	})
	inTime(t, 0, func(t *testing.T) {
		store := storetest.Must[*bolt.Store](t)(bolt.Open(path, options))
		defer store.Close()
		for i := range n {
			seed := storetest.Must[seedlist.Seed](t)(storetest.Find(t.Context(), store, fmt.Sprint("http://a.test/", i)))
			if got, want := time.Until(seed.Due), time.Duration(1+i)*time.Hour; got != want {
				t.Errorf("%d: due in %v, want %v", i, got, want)
			}
		}
	})
}
