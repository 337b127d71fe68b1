package bolt

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/seedlist"
)

// A clock that is set right ends a wait that the wrong one began. Set forward, it makes due what is due by it. Set
// back, it cuts what the one that ran ahead made due later than a pause or an interval allows.
func TestAClockThatIsSetRightEndsAWait(t *testing.T) {
	const day, year = 24 * time.Hour, 365 * 24 * time.Hour
	for _, c := range []struct {
		name string
		due  time.Duration // of a seed, from now
		set  time.Duration // the clock
		want time.Duration // when the seed is due then, from now
	}{
		{"it goes", 10 * time.Minute, 0, 10 * time.Minute},
		{"forward, not far enough", 10 * time.Minute, 9 * time.Minute, 10 * time.Minute},
		{"forward, to the time", 10 * time.Minute, 10 * time.Minute, 10 * time.Minute},
		{"forward, beyond", 10 * time.Minute, day, 10 * time.Minute},
		{"forward by years", 5 * year, 55 * year, 5 * year},
		{"back, a retry that was ten years ahead", 10 * year, -10 * year, time.Hour},
		{"back, a retry that was a day ahead", day, -day, time.Hour},
		{"back, a retry that may be so late", 30 * time.Minute, -time.Minute, 30 * time.Minute},
		{"back by seconds", 10 * time.Minute, -3 * time.Second, 10 * time.Minute},
		{"back by hours, a retry within the hour", time.Hour, -5 * time.Hour, time.Hour},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "seeds")
			synctest.Test(t, func(t *testing.T) {
				store, err := Open(path, seedlist.Options{HostConnections: 9, HostDelay: -1})
				if err != nil {
					t.Fatal(err)
				}
				defer store.Close()
				if _, err := store.Add(t.Context(), []seedlist.NewSeed{{URI: "http://a.test/x"}}); err != nil {
					t.Fatal(err)
				}
				claims, err := store.Claim(t.Context(), seedlist.Downloading, "w", 1)
				if err != nil || len(claims) != 1 {
					t.Fatal(claims, err)
				}
				begin := time.Now()
				if err := store.GiveBack(t.Context(), claims[0], seedlist.Return{CountTry: true, Due: begin.Add(c.due)}); err != nil {
					t.Fatal(err)
				}
				if err := store.clockSet(c.set); err != nil {
					t.Error(err)
				}
				seeds, _, err := store.List(t.Context(), seedlist.Filter{})
				if err != nil || len(seeds) != 1 {
					t.Fatal(seeds, err)
				}
				if got := seeds[0].Due.Sub(begin).Round(time.Second); got != c.want {
					t.Errorf("it is due in %v, want %v", got, c.want)
				}
			})
		})
	}
}

// Who waits long looks at the clock all the same, and wakes at the time itself.
func TestALongWaitEndsAtItsTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seeds")
	synctest.Test(t, func(t *testing.T) {
		store, err := Open(path, seedlist.Options{HostDelay: -1})
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		for _, wait := range []time.Duration{0, time.Second, seedlist.ClockLook, seedlist.ClockLook + time.Nanosecond, 10*time.Minute + 7,
			100 * 24 * time.Hour} {
			begin := time.Now()
			if _, err := store.Add(t.Context(), []seedlist.NewSeed{{URI: "http://a.test/" + wait.String()}}); err != nil {
				t.Fatal(err)
			}
			claims, err := store.Claim(t.Context(), seedlist.Downloading, "w", 1)
			if err != nil || len(claims) != 1 {
				t.Fatal(claims, err)
			}
			if err := store.GiveBack(t.Context(), claims[0], seedlist.Return{Due: begin.Add(wait)}); err != nil {
				t.Fatal(err)
			}
			if err := store.Wait(t.Context(), seedlist.Downloading); err != nil || time.Since(begin) != wait {
				t.Errorf("a wait of %v took %v: %v", wait, time.Since(begin), err)
			}
			if errs, err := store.Remove(t.Context(), claims[0].Seed.Hash); err != nil || errs[0] != nil {
				t.Fatal(errs, err)
			}
		}
	})
}
