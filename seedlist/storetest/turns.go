package storetest

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/seedlist"
)

// hostsHaveTheirTurnsInTheOrderInWhichTheyCame: a host has a turn from its first seed on, due or not, and
// goes to the end of the queue when it is served, and only then.
func hostsHaveTheirTurnsInTheOrderInWhichTheyCame(t *testing.T, open Opener) {
	for _, c := range []struct {
		name string
		do   func(t *testing.T, store seedlist.List)
		want string // the hosts of the next claim
	}{
		{"added in one call", func(t *testing.T, store seedlist.List) {
			Add(t, store, "http://b.example/1", "http://a.example/1")
		}, "b a"},
		{"added in one call, one of them twice", func(t *testing.T, store seedlist.List) {
			Add(t, store, "http://b.example/1", "http://a.example/1", "http://b.example/2", "http://0.example/1")
		}, "b a 0"},
		{"added in several calls", func(t *testing.T, store seedlist.List) {
			Add(t, store, "http://c.example/1")
			Add(t, store, "http://a.example/1", "http://c.example/2")
			Add(t, store, "http://b.example/1")
		}, "c a b"},
		{"with a thing in a document", func(t *testing.T, store seedlist.List) {
			Add(t, store, "http://b.example/1#it", "http://a.example/1")
		}, "b a"},
		{"served together", func(t *testing.T, store seedlist.List) {
			Add(t, store, "http://d.example/1", "http://b.example/1", "http://c.example/1", "http://a.example/1")
			Add(t, store, "http://a.example/2", "http://b.example/2", "http://c.example/2", "http://d.example/2")
			endAll(t, store, 4)
		}, "d b c a"},
		{"some of them served", func(t *testing.T, store seedlist.List) {
			Add(t, store, "http://d.example/1", "http://b.example/1", "http://c.example/1", "http://a.example/1")
			Add(t, store, "http://a.example/2", "http://b.example/2", "http://c.example/2", "http://d.example/2")
			endAll(t, store, 2)
		}, "c a d b"},
		{"its only seed is due later", func(t *testing.T, store seedlist.List) {
			Add(t, store, "http://a.example/1")
			later(t, store)
			Add(t, store, "http://b.example/1")
			time.Sleep(time.Minute)
		}, "a b"},
		{"its only seed is not due yet", func(t *testing.T, store seedlist.List) {
			Add(t, store, "http://a.example/1")
			later(t, store)
			Add(t, store, "http://b.example/1", "http://c.example/1")
		}, "b c"},
		{"one of its seeds is due later", func(t *testing.T, store seedlist.List) {
			Add(t, store, "http://a.example/1")
			later(t, store)
			Add(t, store, "http://b.example/1", "http://a.example/2")
		}, "a b"},
		{"its only seed has another priority", func(t *testing.T, store seedlist.List) {
			hash := Add(t, store, "http://a.example/1")[0]
			Add(t, store, "http://b.example/1")
			setPriority(t, store, hash, 7)
		}, "a b"},
		{"its only seed is removed, and another comes", func(t *testing.T, store seedlist.List) {
			hash := Add(t, store, "http://a.example/1")[0]
			Add(t, store, "http://b.example/1")
			remove(t, store, hash)
			Add(t, store, "http://a.example/2")
		}, "b a"},
		{"one of its seeds is removed", func(t *testing.T, store seedlist.List) {
			hash := Add(t, store, "http://a.example/1", "http://a.example/2")[0]
			Add(t, store, "http://b.example/1")
			remove(t, store, hash)
		}, "a b"},
		{"asked for again in one call", func(t *testing.T, store seedlist.List) {
			hashes := Add(t, store, "http://a.example/1", "http://b.example/1", "http://c.example/1")
			endAll(t, store, 3)
			errs, err := store.Retry(t.Context(), "", hashes[2], hashes[0], hashes[1])
			if err != nil || slices.ContainsFunc(errs, isError) {
				t.Fatal(errs, err)
			}
		}, "c a b"},
		{"due again after their intervals", func(t *testing.T, store seedlist.List) {
			hashes := Add(t, store, "http://a.example/1", "http://b.example/1")
			long, short := int64(60), int64(30)
			endAll(t, store, 2)
			for i, seconds := range []*int64{&long, &short} {
				if errs, err := store.Set(t.Context(), seedlist.SeedSettings{Interval: seconds}, hashes[i]); err != nil || errs[0] != nil {
					t.Fatal(errs, err)
				}
			}
			time.Sleep(2 * time.Minute)
		}, "b a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := open(t, seedlist.Options{HostConnections: 1, HostDelay: -1})
				defer store.Close()
				c.do(t, store)
				var hosts []string
				for _, claim := range Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 10)) {
					host, _, _ := strings.Cut(strings.TrimPrefix(claim.Seed.URI, "http://"), ".")
					hosts = append(hosts, host)
				}
				if got := strings.Join(hosts, " "); got != c.want {
					t.Errorf("turns %s, want %s", got, c.want)
				}
				Audit(t, store)
			})
		})
	}
}

func isError(err error) bool { return err != nil }

// endAll claims so many downloads, and lets all of them end.
func endAll(t *testing.T, store seedlist.List, n int) {
	t.Helper()
	claims := Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", n))
	if len(claims) != n {
		t.Fatalf("%d claims, want %d", len(claims), n)
	}
	for _, c := range claims {
		Complete(t, store, c, seedlist.Outcome{Next: seedlist.Failed})
	}
}

// later gives back the one download, due in ten seconds.
func later(t *testing.T, store seedlist.List) {
	t.Helper()
	err := store.GiveBack(t.Context(), Claim(t, store, seedlist.Downloading), seedlist.Return{Due: time.Now().Add(10 * time.Second)})
	if err != nil {
		t.Fatal(err)
	}
}

func setPriority(t *testing.T, store seedlist.List, hash string, priority int) {
	t.Helper()
	if errs, err := store.Set(t.Context(), seedlist.SeedSettings{Priority: &priority}, hash); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
}

func remove(t *testing.T, store seedlist.List, hash string) {
	t.Helper()
	if errs, err := store.Remove(t.Context(), hash); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
}

// aHostIsAskedUntilTheWorkOnItEnds: a seed that is removed while it is downloaded, or whose outcome is refused,
// leaves its host to nobody else before whoever asks it has found out.
func aHostIsAskedUntilTheWorkOnItEnds(t *testing.T, open Opener) {
	outcome := seedlist.Outcome{Next: seedlist.Filed}
	for _, c := range []struct {
		name string
		end  func(store seedlist.List, c seedlist.Claim) error
		want error
	}{
		{"given back", func(store seedlist.List, c seedlist.Claim) error {
			return store.GiveBack(t.Context(), c, seedlist.Return{})
		}, seedlist.ErrLost},
		{"completed", func(store seedlist.List, c seedlist.Claim) error {
			return store.Complete(t.Context(), c, outcome)
		}, seedlist.ErrLost},
		{"completed with what follows", func(store seedlist.List, c seedlist.Claim) error {
			return store.CompleteAll(t.Context(), c, []seedlist.Outcome{outcome, {Next: seedlist.Unarchived}})
		}, seedlist.ErrLost},
		{"rested", func(store seedlist.List, c seedlist.Claim) error { return store.Rest(t.Context(), c, seedlist.Load{}) }, nil},
		{"given back late, with a retry", func(store seedlist.List, c seedlist.Claim) error {
			return store.GiveBack(t.Context(), c, seedlist.Return{CountTry: true, Due: time.Now().Add(time.Hour)})
		}, seedlist.ErrLost},
	} {
		store := open(t, seedlist.Options{HostConnections: 1, HostDelay: -1})
		hash := Add(t, store, "http://a.example/1", "http://a.example/2")[0]
		claim := Claim(t, store, seedlist.Downloading)
		remove(t, store, hash)
		if more := Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 1)); len(more) > 0 {
			t.Errorf("%s: two requests to a host of one connection", c.name)
		}
		if use := Must[seedlist.HostUse](t)(store.Host(t.Context(), "a.example")); use.Busy != 1 {
			t.Errorf("%s: %d requests are shown", c.name, use.Busy)
		}
		if err := c.end(store, claim); err != c.want {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		Claim(t, store, seedlist.Downloading)
		Audit(t, store)
		store.Close()
	}

	// A clean file that another has under its name: the claim is still held, and so is the host.
	store := open(t, seedlist.Options{HostConnections: 1, HostDelay: -1})
	Add(t, store, "http://b.example/1")
	Drive(t, store, seedlist.Parsed)
	taken := *ContentOf("clean " + seedlist.Key("http://b.example/1"))
	taken.SHA256 = ContentOf("other bytes").SHA256
	Add(t, store, "http://a.example/1", "http://a.example/2")
	claim := Claim(t, store, seedlist.Downloading)
	err := store.CompleteAll(t.Context(), claim, []seedlist.Outcome{
		outcome, {Next: seedlist.Unarchived}, {Next: seedlist.Guessed}, {Next: seedlist.Parsed, Clean: &seedlist.Clean{Content: taken}},
	})
	if err != seedlist.ErrCollision {
		t.Errorf("a clean file of other bytes: %v", err)
	}
	if more := Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 1)); len(more) > 0 {
		t.Error("an outcome that is refused leaves the host to others")
	}
	Complete(t, store, claim, seedlist.Outcome{Next: seedlist.Failed})
	Claim(t, store, seedlist.Downloading)
	Audit(t, store)
}

// whatComesDueWaitsForItsHost: who waits is woken when the host has rested, and doesn't look at the list again and
// again before. In the bubble the clock would stand still then.
func whatComesDueWaitsForItsHost(t *testing.T, open Opener) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{HostConnections: 1, HostDelay: time.Minute})
		defer store.Close()
		Add(t, store, "http://a.example/1")
		later(t, store)
		begin := time.Now()
		if err := store.Wait(t.Context(), seedlist.Downloading); err != nil || time.Since(begin) < time.Minute {
			t.Errorf("woken after %v: %v", time.Since(begin), err)
		}
		Claim(t, store, seedlist.Downloading)
		Audit(t, store)
	})
}
