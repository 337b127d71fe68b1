package views_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/memory"
	"laundromat/seedlist/storetest"
	"laundromat/seedlist/views"
)

// TestMembersFollowTheCatalogsOfTheirRoot has an archive of more members than are read at once, one of them an archive.
func TestMembersFollowTheCatalogsOfTheirRoot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list := memory.New(seedlist.Options{})
		defer list.Close()
		storetest.Add(t, list, "http://h1.example/a.zip", "http://h1.example/alone.nt")
		claim := storetest.Claim(t, list, seedlist.Downloading)
		storetest.Complete(t, list, claim, seedlist.Outcome{Next: seedlist.Filed})
		claim = storetest.Claim(t, list, seedlist.Unarchiving)
		const members = 9000
		names := []string{"inner.zip=1"}
		for i := range members {
			names = append(names, fmt.Sprintf("%d=1", i))
		}
		storetest.Complete(t, list, claim, seedlist.Outcome{Next: seedlist.Depleted, Children: storetest.Zip(names...)})
		claim = storetest.Claim(t, list, seedlist.Unarchiving)
		storetest.Complete(t, list, claim, seedlist.Outcome{Next: seedlist.Depleted, Children: storetest.Zip("deep=1", "deeper=1")})
		v := open(t, filepath.Join(t.TempDir(), "views.db"), list)
		defer v.Close()
		catalogs := func(want int) {
			t.Helper()
			upToDate(t, v, list)
			found, err := v.Count(t.Context(), []views.Facet{views.Catalog}, 10)
			n := 0
			for _, c := range found.Counts {
				n += int(c.Seeds)
			}
			if err != nil || n != want {
				t.Fatalf("%d members and seeds by catalog, want %d (%v)", n, want, err)
			}
			hosts, err := v.Count(t.Context(), []views.Facet{views.Host}, 10)
			if err != nil || len(hosts.Counts) != 1 || hosts.Counts[0].Seeds != members+5 {
				t.Fatalf("by host: %+v, %v", hosts.Counts, err)
			}
		}
		catalogs(0)
		harvest := func(uri string, names ...string) {
			t.Helper()
			c, _, err := list.AddCatalog(t.Context(), uri, seedlist.CatalogSettings{}, time.Time{})
			if err != nil {
				t.Fatal(err)
			}
			claim, ok, err := list.ClaimCatalogOf(t.Context(), c.Hash, "w")
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			var seeds []seedlist.NewSeed
			for _, name := range names {
				seeds = append(seeds, seedlist.NewSeed{URI: name})
			}
			if _, err := list.AddListed(t.Context(), claim, seeds); err != nil {
				t.Fatal(err)
			}
			_, err = list.EndHarvest(t.Context(), claim, seedlist.HarvestEnd{HarvestFindings: seedlist.HarvestFindings{Complete: true}})
			if err != nil {
				t.Fatal(err)
			}
		}
		harvest("http://catalog.example/1", "http://h1.example/a.zip", "http://h1.example/alone.nt")
		catalogs(members + 5)
		harvest("http://catalog.example/2", "http://h1.example/a.zip")
		catalogs(2*members + 9)
		harvest("http://catalog.example/1", "http://h1.example/alone.nt")
		harvest("http://catalog.example/2", "http://h1.example/a.zip", "http://h1.example/alone.nt")
		catalogs(members + 6)
	})
}
