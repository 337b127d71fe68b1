package storetest

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/seedlist"
)

const someCatalog = "http://catalog.example/void.ttl"

func addCatalog(t *testing.T, store seedlist.List, uri string, settings seedlist.CatalogSettings) seedlist.Catalog {
	t.Helper()
	c, _, err := store.AddCatalog(t.Context(), uri, settings, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func claimCatalog(t *testing.T, store seedlist.List) seedlist.HarvestClaim {
	t.Helper()
	c, ok, err := store.ClaimCatalog(t.Context(), "test")
	if err != nil || !ok {
		t.Fatalf("nothing to harvest: %v, %v", ok, err)
	}
	return c
}

// list is a harvest that names these URIs.
func list(t *testing.T, store seedlist.List, claim seedlist.HarvestClaim, uris ...string) (added int) {
	t.Helper()
	var seeds []seedlist.NewSeed
	for _, uri := range uris {
		seeds = append(seeds, seedlist.NewSeed{URI: uri, Source: "catalog:" + claim.Catalog.URI,
			Claims: map[string]string{seedlist.ClaimedBy: claim.Catalog.Hash}})
	}
	for _, a := range Must[[]seedlist.Addition](t)(store.AddListed(t.Context(), claim, seeds)) {
		if a.Err != nil {
			t.Fatal(a.Err)
		}
		if a.New {
			added++
		}
	}
	return added
}

func end(t *testing.T, store seedlist.List, claim seedlist.HarvestClaim, e seedlist.HarvestEnd) seedlist.Catalog {
	t.Helper()
	c, err := store.EndHarvest(t.Context(), claim, e)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var wholeHarvest = seedlist.HarvestEnd{HarvestFindings: seedlist.HarvestFindings{Complete: true}}

func vanishedEntriesAreMarkedAndKept(t *testing.T, open Opener) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{})
		defer store.Close()
		a, b, c := "http://example.org/a.nt", "http://example.org/b.nt", "http://example.org/c.nt"
		first := addCatalog(t, store, someCatalog, seedlist.CatalogSettings{Interval: 60})
		addCatalog(t, store, "http://other.example/", seedlist.CatalogSettings{})
		claim := claimCatalog(t, store)
		if claim.Fence != 1 || claim.Catalog.Hash != first.Hash {
			t.Fatalf("%+v", claim)
		}
		if n := list(t, store, claim, a, b, b, c); n != 3 {
			t.Errorf("%d are new", n)
		}
		got := end(t, store, claim, wholeHarvest)
		if got.Listed != 3 || got.Gone != 0 || got.Status != seedlist.CatalogResting || !got.Due.Equal(time.Now().UTC().Add(time.Minute)) {
			t.Errorf("%+v", got)
		}
		other := claimCatalog(t, store)
		list(t, store, other, c)
		end(t, store, other, wholeHarvest)
		Audit(t, store)
		if _, ok, _ := store.ClaimCatalog(t.Context(), "test"); ok {
			t.Error("claimed before its interval has passed")
		}

		if err := store.WaitCatalog(t.Context()); err != nil {
			t.Fatal(err)
		}
		claim = claimCatalog(t, store)
		list(t, store, claim, a)
		Audit(t, store)
		got = end(t, store, claim, seedlist.HarvestEnd{})
		if got.Gone != 0 || got.Listed != 3 {
			t.Errorf("an incomplete harvest found something gone: %+v", got)
		}
		time.Sleep(time.Minute)
		claim = claimCatalog(t, store)
		list(t, store, claim, a)
		if got = end(t, store, claim, wholeHarvest); got.Gone != 2 || got.Listed != 1 || got.Vanished != 2 || got.Fence != 3 {
			t.Errorf("%+v", got)
		}
		Audit(t, store)
		for uri, gone := range map[string]bool{a: false, b: true, c: false} { // the other catalog still has c
			s := Must[seedlist.Seed](t)(Find(t.Context(), store, uri))
			if is := s.Gone != nil && *s.Gone; is != gone {
				t.Errorf("%s: gone is %v, %+v", uri, is, s.Catalogs)
			}
		}
		seeds, _, err := store.ListedBy(t.Context(), first.Hash, true, "", 1)
		if err != nil || len(seeds) != 1 || seeds[0].URI != b {
			t.Errorf("%v, %v", seeds, err)
		}

		time.Sleep(time.Minute)
		claim = claimCatalog(t, store)
		if n := list(t, store, claim, a, b); n != 0 {
			t.Errorf("%d are new", n)
		}
		if got = end(t, store, claim, wholeHarvest); got.Gone != 1 || got.Listed != 2 {
			t.Errorf("%+v", got)
		}
		if s := Must[seedlist.Seed](t)(Find(t.Context(), store, b)); s.Gone != nil {
			t.Error("b is back and called gone")
		}
		Audit(t, store)
		for _, err := range Must[[]error](t)(store.Remove(t.Context(), seedlist.Key(a), seedlist.Key(c))) {
			if err != nil {
				t.Error(err)
			}
		}
		Audit(t, store)
		if err := store.RemoveCatalog(t.Context(), first.Hash); err != nil {
			t.Fatal(err)
		}
		Audit(t, store)
		if _, err := store.Catalog(t.Context(), first.Hash); !errors.Is(err, seedlist.ErrNotFound) {
			t.Error(err)
		}
		if _, err := Find(t.Context(), store, b); err != nil {
			t.Errorf("the seed went with its catalog: %v", err)
		}
	})
}

// A harvest is an attempt in the log as any other, also where the catalog is a seed
// itself.
func harvestIsAnAttempt(t *testing.T, open Opener) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{})
		defer store.Close()
		c := addCatalog(t, store, someCatalog, seedlist.CatalogSettings{})
		claim := claimCatalog(t, store)
		list(t, store, claim, someCatalog) // it names itself, as VoID does
		due := time.Now().Add(time.Minute)
		got := end(t, store, claim, seedlist.HarvestEnd{
			HarvestFindings: seedlist.HarvestFindings{Error: &seedlist.Error{Message: "503"}},
			Retry:           due,
			Attempt: seedlist.Attempt{ParserName: "catalog/void", ParserVersion: "7", InsertCount: 1, Result: "http/status",
				Kind: "remote"},
		})
		if got.Tries != 1 || got.Status != seedlist.CatalogWaiting || !got.Due.Equal(due) {
			t.Errorf("%+v", got)
		}
		work := Claim(t, store, seedlist.Downloading)
		Must[struct{}](t)(struct{}{}, store.Complete(t.Context(), work, seedlist.Outcome{Next: seedlist.Failed}))
		log := Must[[]seedlist.Attempt](t)(store.Attempts(t.Context(), c.Hash))
		if len(log) != 2 || log[0].Seed != c.Hash || log[0].Fence != 1 || log[0].ParserName != "catalog/void" ||
			log[0].SourceURL != someCatalog ||
			log[0].InsertCount != 1 || log[1].ParserName != "downloading" {
			t.Errorf("%+v", log)
		}
		Audit(t, store)
	})
}

func claimThatSpeaksOfOtherBytesFetchesAgain(t *testing.T, open Opener) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{HostDelay: -1})
		defer store.Close()
		c := addCatalog(t, store, someCatalog, seedlist.CatalogSettings{})
		uri, mine := "http://example.org/a.nt", "http://example.org/mine.nt"
		Add(t, store, mine)
		name := func(size string) {
			t.Helper()
			claim, ok, err := store.ClaimCatalogOf(t.Context(), c.Hash, "test")
			if err != nil || !ok {
				t.Fatal(err)
			}
			var seeds []seedlist.NewSeed
			for _, uri := range []string{uri, mine} {
				seeds = append(seeds, seedlist.NewSeed{URI: uri, Title: "T", Claims: map[string]string{seedlist.ClaimedBy: c.Hash,
					"size": size}})
			}
			Must[[]seedlist.Addition](t)(store.AddListed(t.Context(), claim, seeds))
			end(t, store, claim, wholeHarvest)
			Audit(t, store)
		}
		name("1")
		for range 2 {
			Complete(t, store, Claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Failed})
		}
		name("1")
		if s := Must[seedlist.Seed](t)(Find(t.Context(), store, uri)); s.Status != seedlist.Failed || s.Claims["size"] != "1" {
			t.Errorf("%+v", s)
		}
		name("2")
		for _, uri := range []string{uri, mine} {
			if s := Must[seedlist.Seed](t)(Find(t.Context(), store, uri)); s.Status != seedlist.Added || s.Claims["size"] != "2" {
				t.Errorf("%+v", s)
			}
		}
		// Another catalog has another opinion, which is not asked for.
		other := addCatalog(t, store, "http://other.example/", seedlist.CatalogSettings{})
		claim, _, err := store.ClaimCatalogOf(t.Context(), other.Hash, "test")
		if err != nil {
			t.Fatal(err)
		}
		list(t, store, claim, uri)
		if s := Must[seedlist.Seed](t)(Find(t.Context(), store, uri)); s.Claims["size"] != "2" || len(s.Catalogs) != 2 {
			t.Errorf("%+v", s)
		}
		Audit(t, store)
	})
}

func lateHarvestIsRefused(t *testing.T, open Opener) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{})
		defer store.Close()
		c := addCatalog(t, store, someCatalog, seedlist.CatalogSettings{})
		old := claimCatalog(t, store)
		if _, ok, err := store.ClaimCatalogOf(t.Context(), c.Hash, "another"); ok || err != nil {
			t.Errorf("claimed twice: %v, %v", ok, err)
		}
		if idle := Must[bool](t)(store.Idle(t.Context())); idle {
			t.Error("idle while a catalog is harvested")
		}
		due := time.Now().Add(time.Minute)
		if err := store.GiveBackHarvest(t.Context(), old, due, seedlist.Attempt{}); err != nil {
			t.Fatal(err)
		}
		if err := store.WaitCatalog(t.Context()); err != nil || time.Now().Before(due) {
			t.Errorf("woken before it was due: %v", err)
		}
		again := claimCatalog(t, store)
		if again.Fence != old.Fence+1 || again.Try != 1 {
			t.Errorf("%+v", again)
		}
		late := func(claim seedlist.HarvestClaim) {
			t.Helper()
			_, listed := store.AddListed(t.Context(), claim, []seedlist.NewSeed{{URI: "http://example.org/a"}})
			_, ended := store.EndHarvest(t.Context(), claim, wholeHarvest)
			for i, err := range []error{listed, ended, store.GiveBackHarvest(t.Context(), claim, time.Time{}, seedlist.Attempt{})} {
				if !errors.Is(err, seedlist.ErrLost) {
					t.Errorf("%d: %v", i, err)
				}
			}
		}
		late(old)
		end(t, store, again, wholeHarvest)
		late(again)
		if idle := Must[bool](t)(store.Idle(t.Context())); !idle {
			t.Error("not idle at rest")
		}
		if err := store.HarvestNow(t.Context(), c.Hash, false); err != nil {
			t.Fatal(err)
		}
		last := claimCatalog(t, store)
		if err := store.RemoveCatalog(t.Context(), c.Hash); err != nil {
			t.Fatal(err)
		}
		late(last)
		Audit(t, store)
	})
}

func catalogsAreListedAndFollowed(t *testing.T, open Opener) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{})
		defer store.Close()
		interval := int64(60)
		const spec = `{"select":{"uri":"a","title":"b"}}`
		first := addCatalog(t, store, someCatalog, seedlist.CatalogSettings{Kind: "records", Interval: interval, Priority: 3, Spec: spec})
		if _, _, err := store.AddCatalog(t.Context(), "relative", seedlist.CatalogSettings{}, time.Time{}); err == nil {
			t.Error("a relative reference is a catalog")
		}
		for round := range 2 {
			added, err := store.FollowCatalog(t.Context(), &first, "http://followed.example/")
			if err != nil || added != (round == 0) {
				t.Fatal(added, err)
			}
		}
		followed := Must[seedlist.Catalog](t)(store.Catalog(t.Context(), seedlist.Key("http://followed.example/")))
		if followed.Kind != "" || followed.Spec != "" || followed.Interval != interval || followed.Priority != 3 || followed.Depth != 1 ||
			followed.Source != "catalog:"+first.Hash {
			t.Errorf("%+v", followed)
		}
		var all []string
		for cursor, more := "", true; more; {
			page, next, err := store.Catalogs(t.Context(), cursor, 1)
			if err != nil || len(page) > 1 {
				t.Fatal(page, err)
			}
			for _, c := range page {
				all = append(all, c.Hash)
			}
			cursor, more = next, next != ""
		}
		if !slices.Equal(all, []string{first.Hash, followed.Hash}) {
			t.Errorf("%v", all)
		}
		claim := claimCatalog(t, store)
		if claim.Catalog.Spec != spec {
			t.Errorf("the spec is %q", claim.Catalog.Spec)
		}
		list(t, store, claim, "http://example.org/1", "http://example.org/2", "http://example.org/3")
		refused := wholeHarvest
		refused.Refusals = []byte(`[{"uri":"x"}]`)
		end(t, store, claim, refused)
		if got := Must[[]byte](t)(store.Refusals(t.Context(), first.Hash)); string(got) != string(refused.Refusals) {
			t.Errorf("%s", got)
		}
		var named []string
		for cursor, more := "", true; more; {
			page, next, err := store.ListedBy(t.Context(), first.Hash, false, cursor, 2)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range page {
				named = append(named, s.URI)
			}
			cursor, more = next, next != ""
		}
		if len(named) != 3 || named[0] != "http://example.org/1" {
			t.Errorf("%v", named)
		}
		nobody := seedlist.Key("http://nobody.example/")
		_, _, listed := store.ListedBy(t.Context(), nobody, false, "", 0)
		_, refusals := store.Refusals(t.Context(), nobody)
		_, _, claimed := store.ClaimCatalogOf(t.Context(), nobody, "w")
		_, known := store.Catalog(t.Context(), nobody)
		for i, err := range []error{listed, refusals, claimed, known, store.HarvestNow(t.Context(), nobody, false),
			store.RemoveCatalog(t.Context(), nobody)} {
			if !errors.Is(err, seedlist.ErrNotFound) {
				t.Errorf("%d: %v", i, err)
			}
		}
		Audit(t, store)
	})
}

func aSeedIsGoneWhenNoCatalogNamesIt(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	const uri = "http://example.org/x"
	catalogs := []string{"http://a.example/", "http://b.example/"}
	for _, catalog := range catalogs {
		addCatalog(t, store, catalog, seedlist.CatalogSettings{})
	}
	// harvest is a whole harvest of one catalog that names these.
	harvest := func(catalog string, uris ...string) (gone bool) {
		t.Helper()
		claim, ok, err := store.ClaimCatalogOf(t.Context(), seedlist.Key(catalog), "test")
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		list(t, store, claim, uris...)
		end(t, store, claim, wholeHarvest)
		s := Seed(t, store, seedlist.Key(uri))
		return s.Gone != nil && *s.Gone
	}
	for _, order := range [][2]string{{catalogs[0], catalogs[1]}, {catalogs[1], catalogs[0]}} {
		harvest(catalogs[0], uri)
		harvest(catalogs[1], uri)
		if harvest(order[0]) {
			t.Errorf("gone, but only %s dropped it", order[0])
		}
		if !harvest(order[1]) {
			t.Error("not gone, and nobody names it")
		}
	}
	Audit(t, store)
}
