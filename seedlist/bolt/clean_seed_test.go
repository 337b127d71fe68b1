package bolt_test

import (
	"testing"
	"testing/synctest"

	"laundromat/seedlist"
	"laundromat/seedlist/storetest"
)

// TestWhatIsMadeAgainInTheSameTransactionIsNoOrphan has two cases. The last seed that names
// a clean file is removed, and in the same transaction another is washed to the same. A
// seed is removed and added. Were their hashes orphans, their files would be removed.
func TestWhatIsMadeAgainInTheSameTransactionIsNoOrphan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{})
		file := storetest.ContentOf("shared")
		washed := seedlist.Outcome{Next: seedlist.Parsed, Clean: &seedlist.Clean{Content: *file}}
		first := storetest.Add(t, store, "http://example.org/1")[0]
		storetest.Drive(t, store, seedlist.Guessed)
		storetest.Complete(t, store, storetest.Claim(t, store, seedlist.Parsing), washed)
		storetest.Add(t, store, "http://example.org/2")
		storetest.Drive(t, store, seedlist.Guessed)
		second := storetest.Claim(t, store, seedlist.Parsing)
		remove := func() {
			if errs, err := store.Remove(t.Context(), first); err != nil || errs[0] != nil {
				t.Error(errs, err)
			}
		}
		store.Together(remove,
			func() { storetest.Complete(t, store, second, washed) },
			func() { storetest.Add(t, store, "http://example.org/1") })
		storetest.Audit(t, store)
		if orphans := storetest.Must[[]string](t)(store.Orphans(t.Context(), 10)); len(orphans) > 0 {
			t.Errorf("%v, of %s and %s", orphans, first, file.MD5)
		}

		// Removed and swept at once, the list holds nothing.
		store.Together(remove, func() {
			if err := store.Swept(t.Context(), first); err != nil {
				t.Error(err)
			}
		})
		if orphans := storetest.Must[[]string](t)(store.Orphans(t.Context(), 10)); len(orphans) > 0 {
			t.Errorf("%v", orphans)
		}

		// What an older version left on the list is no orphan either, until it is removed.
		if err := store.Orphan(file.MD5); err != nil {
			t.Fatal(err)
		}
		if orphans := storetest.Must[[]string](t)(store.Orphans(t.Context(), 10)); len(orphans) > 0 {
			t.Errorf("%v is the hash of a record", orphans)
		}
		if errs, err := store.Remove(t.Context(), second.Seed.Hash); err != nil || errs[0] != nil {
			t.Fatal(errs, err)
		}
		if orphans := storetest.Must[[]string](t)(store.Orphans(t.Context(), 10)); len(orphans) != 2 {
			t.Errorf("%v", orphans)
		}
		store.Close()
	})
}
