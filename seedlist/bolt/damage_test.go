package bolt_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/storetest"
)

func TestADamagedRecordCostsItselfAlone(t *testing.T) {
	for _, part := range []string{"hot", "cold"} {
		t.Run(part, func(t *testing.T) {
			store := open(t, seedlist.Options{})
			hashes := storetest.Add(t, store, "http://a.example/1", "http://a.example/2", "http://b.example/3")
			if err := store.Spoil(part, hashes[0]); err != nil {
				t.Fatal(err)
			}
			var told []string
			seeds, next, err := store.List(t.Context(), seedlist.Filter{Damaged: func(d *seedlist.Damage) { told = append(told, d.Hash) }})
			if err != nil || next != "" || len(seeds) != 2 || len(told) != 1 || told[0] != hashes[0] {
				t.Errorf("%d seeds, %v, told of %v", len(seeds), err, told)
			}
			var damage *seedlist.Damage
			if _, err := store.Seed(t.Context(), hashes[0]); !errors.As(err, &damage) || damage.Hash != hashes[0] ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf("%v", err)
			}
			if answers, err := store.Remove(t.Context(), hashes[0]); err != nil || !errors.As(answers[0], &damage) {
				t.Errorf("removed: %v %v", answers, err)
			}
			// It does not stand before the others.
			for range 4 {
				claims := storetest.Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 1))
				for _, c := range claims {
					storetest.Complete(t, store, c, seedlist.Outcome{Next: seedlist.Failed})
				}
			}
			for _, hash := range hashes[1:] {
				storetest.WantState(t, store, hash, seedlist.Failed)
			}
			if idle, err := store.Idle(t.Context()); err != nil || !idle {
				t.Errorf("idle is %v, %v", idle, err)
			}
			if counts := storetest.Must[seedlist.Counts](t)(store.Counts(t.Context())); counts.Damaged != 1 {
				t.Errorf("%d are counted as damaged", counts.Damaged)
			}
		})
	}
}

func TestTheCatalogsOfASeedAreHeldAgainstTheirKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seeds.db")
	washed(t, path, 20)
	store := storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{}))
	var found []string
	note := func(d *seedlist.Damage) error {
		found = append(found, d.Place)
		return nil
	}
	if _, err := store.Inspect(t.Context(), note); err != nil || len(found) != 0 {
		t.Fatal(found, err)
	}
	if err := store.SpoilListed(); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Inspect(t.Context(), note); err != nil || len(found) != 1 || found[0] != "the index listed" {
		t.Error(found, err)
	}
	store.Close()
	if err := bolt.Sound(t.Context(), path); err == nil || !strings.Contains(err.Error(), "the index listed") {
		t.Errorf("%v", err)
	}
}

func TestADamagedEntryGoesWithItsArchive(t *testing.T) {
	for _, part := range []string{"hot", "cold"} {
		store := open(t, seedlist.Options{})
		parent := storetest.Add(t, store, "http://example.org/a.zip")[0]
		storetest.Deplete(t, store, storetest.Zip("a=1", "b=2", "c=3"))
		if err := store.Spoil(part, seedlist.ChildKey(parent, "b", 1)); err != nil {
			t.Fatal(err)
		}
		if answers, err := store.Remove(t.Context(), parent); err != nil || answers[0] != nil {
			t.Fatal(answers, err)
		}
		if seeds, _, err := store.List(t.Context(), seedlist.Filter{}); err != nil || len(seeds) != 0 {
			t.Errorf("%s: %d are left: %v", part, len(seeds), err)
		}
		if orphans := storetest.Must[[]string](t)(store.Orphans(t.Context(), 10)); len(orphans) != 4 {
			t.Errorf("%s: %d orphans", part, len(orphans))
		}
	}
}

func TestOpeningTellsOfTheFileOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seeds.db")
	washed(t, path, 20)
	for _, readOnly := range []bool{false, true} {
		store, err := bolt.Open(path, seedlist.Options{ReadOnly: readOnly, Damaged: func(d *seedlist.Damage) { t.Error(d) }})
		if err != nil {
			t.Fatal(err)
		}
		store.Close()
	}
}

// washed makes a store with seeds in many states: an archive with entries, clean files, a
// failure, names in a document, a catalog.
func washed(t testing.TB, path string, documents int) (hashes []string) {
	t.Helper()
	store := storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{HostConnections: 1 << 20, HostDelay: -1}))
	defer store.Close()
	return storetest.Populate(t, store, documents)
}
