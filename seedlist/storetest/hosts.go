package storetest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/seedlist"
)

func hostsTakeTurns(t *testing.T, open Opener) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{HostConnections: 1, HostDelay: time.Second})
		defer store.Close()
		var seeds []seedlist.NewSeed
		for i := range 10_000 {
			seeds = append(seeds, seedlist.NewSeed{URI: fmt.Sprintf("http://large.example/%d", i), Priority: 100})
		}
		for i := range 300 {
			seeds = append(seeds, seedlist.NewSeed{URI: fmt.Sprintf("http://h%d.example/%d", i%100, i), Priority: i % 3})
		}
		if _, err := store.Add(t.Context(), seeds); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		var mu sync.Mutex
		var small []string
		large, mostAtOnce, atOnce := 0, 0, map[string]int{}
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for time.Since(start) < 300*time.Second {
					if store.Wait(t.Context(), seedlist.Downloading) != nil {
						return
					}
					claims, err := store.Claim(t.Context(), seedlist.Downloading, "w", 1)
					if err != nil {
						t.Error(err)
						return
					}
					for _, c := range claims {
						host, _, _ := strings.Cut(strings.TrimPrefix(c.Seed.URI, "http://"), "/")
						mu.Lock()
						atOnce[host]++
						mostAtOnce = max(mostAtOnce, atOnce[host])
						if host == "large.example" {
							if time.Since(start) < 300*time.Second {
								large++
							}
						} else {
							small = append(small, c.Seed.URI)
						}
						mu.Unlock()
						if host == "large.example" {
							time.Sleep(20 * time.Second) // it is slow as well
						} else {
							time.Sleep(100 * time.Millisecond)
						}
						mu.Lock()
						atOnce[host]--
						mu.Unlock()
						if err := store.Complete(t.Context(), c, seedlist.Outcome{Next: seedlist.Filed}); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
		for range 20 {
			time.Sleep(time.Second)
			mu.Lock()
			done := len(small)
			mu.Unlock()
			if done == 300 {
				break
			}
		}
		mu.Lock()
		if len(small) != 300 {
			t.Errorf("%d of 300 small hosts' seeds in %v", len(small), time.Since(start))
		}
		// Eight workers note their claims in any order, so the last eight may be mixed.
		for i, uri := range small[:92] {
			host := strings.Split(uri, "/")[2]
			if slices.ContainsFunc(small[:i], func(other string) bool { return strings.Split(other, "/")[2] == host }) {
				t.Errorf("%s had a second turn before all others had one", host)
			}
		}
		if mostAtOnce != 1 {
			t.Errorf("%d connections to one host", mostAtOnce)
		}
		mu.Unlock()
		wg.Wait()
		if large != 15 {
			t.Errorf("%d seeds of the large host in 300 s, of 20 s and 1 s of rest each", large)
		}
	})
}

func aHostsSeedsComeByPriorityDueAndAge(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	var seeds []seedlist.NewSeed
	for i, p := range []int{0, 5, 0, 5, -1} {
		seeds = append(seeds, seedlist.NewSeed{URI: fmt.Sprintf("http://a.example/%d", i), Priority: p})
	}
	seeds = append(seeds, seedlist.NewSeed{URI: "http://b.example/5"})
	if _, err := store.Add(t.Context(), seeds); err != nil {
		t.Fatal(err)
	}
	var order string
	for range 3 {
		for _, c := range Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 2)) {
			order += c.Seed.URI[len(c.Seed.URI)-1:]
		}
	}
	// Which host comes first is open; after that they take turns.
	if order != "153024" && order != "513024" {
		t.Errorf("order %s", order)
	}
}

func oneHostMayHaveSeveralConnections(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{HostConnections: 3, HostDelay: -1})
	var uris []string
	for i := range 10 {
		uris = append(uris, fmt.Sprintf("http://a.example/%d", i))
	}
	Add(t, store, uris...)
	claims := Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 10))
	if len(claims) != 3 {
		t.Fatalf("%d claims", len(claims))
	}
	Complete(t, store, claims[1], seedlist.Outcome{Next: seedlist.Filed})
	if claims := Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 10)); len(claims) != 1 {
		t.Fatalf("%d claims", len(claims))
	}
	Audit(t, store)
}
