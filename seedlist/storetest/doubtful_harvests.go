package storetest

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// A harvest that is not believed marks nothing, is in the log as what it is, and is due in a day. What
// is believed at last marks what none of the row named.
func aHarvestThatNamesFarLessMarksNothing(t *testing.T, open Opener) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{})
		defer store.Close()
		var all []string
		for i := range 20 {
			all = append(all, fmt.Sprintf("http://example.org/%d.nt", i))
		}
		c := addCatalog(t, store, someCatalog, seedlist.CatalogSettings{Interval: 7 * 24 * 3600})
		harvest := func(kind string, uris ...string) seedlist.Catalog {
			t.Helper()
			claim, ok, err := store.ClaimCatalogOf(t.Context(), c.Hash, "test")
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			list(t, store, claim, uris...)
			e := wholeHarvest
			e.Found, e.Empty = kind, len(uris) == 0
			got := end(t, store, claim, e)
			Audit(t, store)
			return got
		}
		check := func(got seedlist.Catalog, listed, gone, vanished int64, code fault.Code) {
			t.Helper()
			var is fault.Code
			if got.Error != nil {
				is = got.Error.Code
			}
			if got.Listed != listed || got.Gone != gone || got.Vanished != vanished || is != code {
				t.Errorf("want %d listed, %d gone, %d vanished, %q: %+v", listed, gone, vanished, code, got)
			}
			if in := time.Until(got.Due); (code != "") != (in == 24*time.Hour) || got.Tries > 0 && code == "" {
				t.Errorf("due in %v: %+v", in, got)
			}
			log := Must[[]seedlist.Attempt](t)(store.Attempts(t.Context(), c.Hash))
			if last := log[len(log)-1]; last.Result != string(code) && (code != "" || last.Result != "success") {
				t.Errorf("logged as %q", last.Result)
			}
		}
		check(harvest("list", all...), 20, 0, 0, "")
		check(harvest("html"), 20, 0, 0, fault.CatalogOther)
		check(harvest("list", all[:9]...), 20, 0, 0, fault.CatalogShrunk)
		time.Sleep(24 * time.Hour)
		check(harvest("list"), 20, 0, 0, fault.CatalogEmpty)
		time.Sleep(24 * time.Hour)
		check(harvest("list", all[9:15]...), 15, 5, 5, "") // 0 to 14 were named by one of the three
		if s := Must[seedlist.Seed](t)(Find(t.Context(), store, all[19])); s.Gone == nil || !*s.Gone {
			t.Errorf("%+v", s)
		}
		check(harvest("list", all...), 20, 0, 0, "")

		// A person believes it, whether it is asked for or at work.
		if err := store.HarvestNow(t.Context(), c.Hash, true); err != nil {
			t.Fatal(err)
		}
		check(harvest("list", all[:3]...), 3, 17, 17, "")
		check(harvest("list", all...), 20, 0, 0, "")
		check(harvest("list", all[:3]...), 20, 0, 0, fault.CatalogShrunk)
		claim, _, err := store.ClaimCatalogOf(t.Context(), c.Hash, "test")
		if err != nil {
			t.Fatal(err)
		}
		if err := store.HarvestNow(t.Context(), c.Hash, true); err != nil {
			t.Fatal(err)
		}
		list(t, store, claim, all[:3]...)
		e := wholeHarvest
		e.Found = "list"
		check(end(t, store, claim, e), 3, 17, 17, "")
		Audit(t, store)
	})
}
