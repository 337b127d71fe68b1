package bolt_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/storetest"
)

func TestLateHarvestIsRefusedAfterACrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := t.TempDir() + "/seeds.db"
		store := storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{}))
		if _, _, err := store.AddCatalog(t.Context(), "http://catalog.example/void.ttl", seedlist.CatalogSettings{},
			time.Time{}); err != nil {
			t.Fatal(err)
		}
		old, ok, err := store.ClaimCatalog(t.Context(), "test")
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		store.Close() // as a crash does
		store = storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{}))
		defer store.Close()
		again, ok, err := store.ClaimCatalog(t.Context(), "test")
		if !ok || err != nil || again.Fence != old.Fence+1 || again.Crashes != 1 {
			t.Errorf("%+v, %v, %v", again, ok, err)
		}
		if _, err := store.AddListed(t.Context(), old, []seedlist.NewSeed{{URI: "http://example.org/a"}}); !errors.Is(err,
			seedlist.ErrLost) {
			t.Errorf("listed late: %v", err)
		}
		whole := seedlist.HarvestEnd{HarvestFindings: seedlist.HarvestFindings{Complete: true}}
		if _, err := store.EndHarvest(t.Context(), old, whole); !errors.Is(err, seedlist.ErrLost) {
			t.Errorf("ended late: %v", err)
		}
		if _, err := store.EndHarvest(t.Context(), again, whole); err != nil {
			t.Error(err)
		}
		storetest.Audit(t, store)
	})
}
