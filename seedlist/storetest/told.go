package storetest

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/seedlist"
)

// readWhole is the end of a harvest that read all of its catalog.
var readWhole = seedlist.HarvestEnd{HarvestFindings: seedlist.HarvestFindings{Complete: true}}

// plainCatalog adds a catalog without settings.
func plainCatalog(t *testing.T, store seedlist.List) seedlist.Catalog {
	t.Helper()
	c, _, err := store.AddCatalog(t.Context(), "http://catalog.example/", seedlist.CatalogSettings{}, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// told are the changes that a call makes, as states before and after; number is whether they come by number.
func told(t *testing.T, store seedlist.List, call func()) (changes []string, byNumber bool) {
	t.Helper()
	before := Must[uint64](t)(store.Revision(t.Context()))
	call()
	all := Must[[]seedlist.Change](t)(store.Changes(t.Context(), before, 1<<20))
	for _, c := range all {
		changes = append(changes, fmt.Sprintf("%s→%s", c.From, c.To))
	}
	return changes, slices.IsSortedFunc(all, func(a, b seedlist.Change) int { return int(int64(a.Number) - int64(b.Number)) })
}

func wantTold(t *testing.T, store seedlist.List, what string, call func(), want ...string) {
	t.Helper()
	got, byNumber := told(t, store, call)
	if !slices.Equal(got, want) {
		t.Errorf("%s tells %v, want %v", what, got, want)
	}
	if !byNumber {
		t.Errorf("%s tells of seeds in another order than that of their age", what)
	}
}

// aDueTimeThatPassesIsNoChange: what has come due no longer waits, whether or not something was claimed since; and
// nothing but what is claimed is told.
func aDueTimeThatPassesIsNoChange(t *testing.T, open Opener) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{HostConnections: 2, HostDelay: -1})
		defer store.Close()
		wantWaiting := func(when string, counted int64, later, ready int) {
			t.Helper()
			if c := Must[seedlist.Counts](t)(store.Counts(t.Context())); c.Waiting != counted {
				t.Errorf("%s %d are counted as waiting, want %d", when, c.Waiting, counted)
			}
			if w := Must[seedlist.Waits](t)(store.Waits(t.Context(), 9)); w.Later != later {
				t.Errorf("%s %d are due later, want %d", when, w.Later, later)
			}
			if use := Must[seedlist.HostUse](t)(store.Host(t.Context(), "a.example")); use.Waiting != ready {
				t.Errorf("%s %d can be claimed of the host, want %d", when, use.Waiting, ready)
			}
		}
		Add(t, store, "http://a.example/1", "http://a.example/2")
		for _, c := range Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 2)) {
			if err := store.GiveBack(t.Context(), c, seedlist.Return{Due: time.Now().Add(10 * time.Second)}); err != nil {
				t.Fatal(err)
			}
		}
		wantWaiting("given back,", 2, 2, 0)
		wantTold(t, store, "time that passes", func() { time.Sleep(11 * time.Second) })
		wantWaiting("due,", 0, 0, 2)
		var c seedlist.Claim
		wantTold(t, store, "a claim", func() { c = Claim(t, store, seedlist.Downloading) }, "added→downloading")
		wantWaiting("after a claim,", 0, 0, 1)
		Complete(t, store, c, seedlist.Outcome{Next: seedlist.Filed})
		unarchiving := Claim(t, store, seedlist.Unarchiving)
		if err := store.GiveBack(t.Context(), unarchiving, seedlist.Return{Due: time.Now().Add(10 * time.Second)}); err != nil {
			t.Fatal(err)
		}
		wantWaiting("at a later stage,", 1, 1, 1)
		time.Sleep(11 * time.Second)
		wantWaiting("due at a later stage,", 0, 0, 1)
		wantTold(t, store, "a claim of another stage", func() { Claim(t, store, seedlist.Downloading) }, "added→downloading")
		wantTold(t, store, "a claim of its stage", func() { Claim(t, store, seedlist.Unarchiving) }, "filed→unarchiving")
		Audit(t, store)
	})
}

// whatStaysTheSameIsNotTold: a call that finds nothing new tells nothing.
func whatStaysTheSameIsNotTold(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	c := plainCatalog(t, store)
	var seeds []seedlist.NewSeed
	var want []string
	for i := range 20 {
		claims := map[string]string{seedlist.ClaimedBy: c.Hash}
		seeds = append(seeds, seedlist.NewSeed{URI: fmt.Sprintf("http://a.example/%d", i), Claims: claims})
		want = append(want, "→added")
	}
	harvest := func(seeds []seedlist.NewSeed) func() {
		return func() {
			claim, ok, err := store.ClaimCatalogOf(t.Context(), c.Hash, "w")
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			Must[[]seedlist.Addition](t)(store.AddListed(t.Context(), claim, seeds))
			Must[[]seedlist.Addition](t)(store.AddListed(t.Context(), claim, seeds))
			Must[seedlist.Catalog](t)(store.EndHarvest(t.Context(), claim, readWhole))
		}
	}
	wantTold(t, store, "a first harvest", harvest(seeds), want...)
	wantTold(t, store, "a harvest that names the same", harvest(seeds))
	wantTold(t, store, "a harvest that names two fewer", harvest(seeds[2:]), "added→added", "added→added")
	wantTold(t, store, "one that names them again", harvest(seeds), "added→added", "added→added")

	store = open(t, seedlist.Options{})
	hash := Add(t, store, "http://a.example/a.zip")[0]
	Complete(t, store, Claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
	archive := Claim(t, store, seedlist.Unarchiving)
	file := func(entries ...string) func() {
		return func() {
			Must[seedlist.FiledChildren](t)(store.FileChildren(t.Context(), archive, Zip(entries...), nil))
		}
	}
	wantTold(t, store, "filing nothing", file())
	wantTold(t, store, "filing an entry", file("a.nt=1"), "unarchiving→unarchiving", "→filed")
	wantTold(t, store, "filing it again", file("a.nt=1"))
	wantTold(t, store, "setting nothing", func() { setPriority(t, store, hash, 0) })
	Audit(t, store)

	store = open(t, seedlist.Options{})
	hash = Add(t, store, "http://a.example/1")[0]
	Drive(t, store, seedlist.Parsed)
	wash := func() {
		if errs, err := store.Retry(t.Context(), "", hash); err != nil || errs[0] != nil {
			t.Fatal(errs, err)
		}
		c := Claim(t, store, seedlist.Downloading)
		err := store.CompleteAll(t.Context(), c, []seedlist.Outcome{
			{Next: seedlist.Filed}, {Next: seedlist.Unarchived}, {Next: seedlist.Guessed},
			{Next: seedlist.Parsed, Clean: &seedlist.Clean{Content: *ContentOf("clean " + hash)}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	wantTold(t, store, "a wash to the same clean file", wash, "parsed→added", "added→downloading", "downloading→parsed")
	Audit(t, store)
}

// whatATransactionChangesIsToldByAge: whoever follows the feed reads seeds in the order of their age.
func whatATransactionChangesIsToldByAge(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	hashes := Add(t, store, "http://a.example/1", "http://b.example/2", "http://c.example/3")
	for range 3 {
		Complete(t, store, Claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Failed})
	}
	wantTold(t, store, "a retry", func() {
		if errs, err := store.Retry(t.Context(), "", hashes[2], hashes[0], hashes[1]); err != nil || slices.ContainsFunc(errs, isError) {
			t.Fatal(errs, err)
		}
	}, "failed→added", "failed→added", "failed→added")
	setPriority(t, store, hashes[1], 1)
	setPriority(t, store, hashes[2], 2)
	wantTold(t, store, "a claim", func() {
		Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 3))
	}, "added→downloading", "added→downloading", "added→downloading")
	wantTold(t, store, "a removal", func() {
		if errs, err := store.Remove(t.Context(), hashes[1], hashes[0]); err != nil || slices.ContainsFunc(errs, isError) {
			t.Fatal(errs, err)
		}
	}, "downloading→", "downloading→")
	Audit(t, store)
}

// ofWhatACatalogNamesTwiceTheFirstSpeaks, also where both say other things than what is known.
func ofWhatACatalogNamesTwiceTheFirstSpeaks(t *testing.T, open Opener) {
	for _, c := range []struct {
		name  string
		sizes []string // that are claimed, one after another
		want  string
		again bool // it is fetched again
	}{
		{"as it was, then otherwise", []string{"1", "2"}, "1", false},
		{"otherwise, then as it was", []string{"2", "1"}, "2", true},
		{"otherwise twice", []string{"2", "3"}, "2", true},
		{"as it was twice", []string{"1", "1"}, "1", false},
		{"as it was, then otherwise twice", []string{"1", "2", "3"}, "1", false},
	} {
		for _, together := range []bool{true, false} {
			store := open(t, seedlist.Options{})
			catalog := plainCatalog(t, store)
			named := func(size string) seedlist.NewSeed {
				claims := map[string]string{seedlist.ClaimedBy: catalog.Hash, "size": size}
				return seedlist.NewSeed{URI: "http://a.example/1", Claims: claims}
			}
			harvest := func(sizes []string) {
				claim, ok, err := store.ClaimCatalogOf(t.Context(), catalog.Hash, "w")
				if err != nil || !ok {
					t.Fatal(ok, err)
				}
				var seeds []seedlist.NewSeed
				for _, size := range sizes {
					if seeds = append(seeds, named(size)); !together {
						Must[[]seedlist.Addition](t)(store.AddListed(t.Context(), claim, seeds))
						seeds = nil
					}
				}
				Must[[]seedlist.Addition](t)(store.AddListed(t.Context(), claim, seeds))
				Must[seedlist.Catalog](t)(store.EndHarvest(t.Context(), claim, seedlist.HarvestEnd{}))
			}
			harvest([]string{"1"})
			hash := seedlist.Key("http://a.example/1")
			Complete(t, store, Claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Failed})
			harvest(c.sizes)
			seed := Seed(t, store, hash)
			if isAgain := seed.Status == seedlist.Added; seed.Claims["size"] != c.want || isAgain != c.again {
				t.Errorf("%s, in one call %v: size %s, %s; want %s, fetched again %v",
					c.name, together, seed.Claims["size"], seed.Status, c.want, c.again)
			}
			Audit(t, store)
			store.Close()
		}
	}
}

// noCursorLeadsToNothing: a page that is the last says so, also if it is full.
func noCursorLeadsToNothing(t *testing.T, open Opener) {
	for _, n := range []int{1, 2, 3, 4, 5, 6} {
		store := open(t, seedlist.Options{})
		catalog := plainCatalog(t, store)
		var seeds []seedlist.NewSeed
		for i := range n {
			seeds = append(seeds, seedlist.NewSeed{URI: fmt.Sprintf("http://a.example/%d", i)})
		}
		for _, seeds := range [][]seedlist.NewSeed{seeds, seeds[n/2:]} {
			claim, ok, err := store.ClaimCatalogOf(t.Context(), catalog.Hash, "w")
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			Must[[]seedlist.Addition](t)(store.AddListed(t.Context(), claim, seeds))
			Must[seedlist.Catalog](t)(store.EndHarvest(t.Context(), claim, readWhole))
		}
		for _, gone := range []bool{true, false} {
			for limit := 1; limit <= n; limit++ {
				for cursor, pages := "", 0; ; pages++ {
					page, next, err := store.ListedBy(t.Context(), catalog.Hash, gone, cursor, limit)
					if err != nil {
						t.Fatal(err)
					}
					if len(page) == 0 && pages > 0 {
						t.Errorf("%d seeds, gone %v, %d a page: a cursor to an empty page", n, gone, limit)
					}
					if cursor = next; next == "" {
						break
					}
				}
			}
		}
		store.Close()
	}
}

// failuresInARowAreAllCounted, and a copy has as many.
func failuresInARowAreAllCounted(t *testing.T, open Opener) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{})
		defer store.Close()
		copier, ok := store.(seedlist.RowSource)
		if !ok {
			t.Skip("a list that can't be copied")
		}
		Add(t, store, "http://a.example/1")
		for range 70 {
			Complete(t, store, Claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Failed, Again: time.Second})
			time.Sleep(101 * 24 * time.Hour)
		}
		rows := Must[[]seedlist.Row](t)(copier.Rows(t.Context(), seedlist.PartSeeds, seedlist.Place{}, 10))
		if len(rows) != 1 || rows[0].Moves.Failures != 70 {
			t.Errorf("%+v, want 70 failures", rows)
		}
	})
}
