package bolt_test

import (
	"slices"
	"testing"
	"testing/synctest"

	"laundromat/seedlist"
)

func TestOneCleanFileIsSharedAndGoesWithItsLast(t *testing.T) {
	store := open(t, seedlist.Options{})
	hashes := add(t, store, "http://example.org/1", "http://example.org/2", "http://example.org/3")
	wash := func(text string) string {
		t.Helper()
		file := contentOf(text)
		drive(t, store, seedlist.Guessed)
		complete(t, store, claim(t, store, seedlist.Parsing), seedlist.Outcome{Next: seedlist.Parsed, Clean: &seedlist.Clean{Content: *file}})
		return file.MD5
	}
	clean := wash("shared")
	for range 2 {
		wash("shared")
	}
	s := seed(t, store, clean)
	if s.Dirty != hashes[0] || !slices.Equal(s.AlsoDirty, hashes[1:]) || *s.AlsoDirtyTotal != 2 {
		t.Fatalf("%+v", s.Links)
	}
	counts := must[seedlist.Counts](t)(store.Counts(t.Context()))
	if counts.Clean.Files != 1 || counts.Clean.Lines != 10 {
		t.Errorf("%+v", counts.Clean)
	}
	audit(t, store)

	// One is washed to something else, one is removed: the third keeps the file.
	if errs, err := store.Retry(t.Context(), "", hashes[0]); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	other := wash("other")
	if errs, err := store.Remove(t.Context(), hashes[1], clean); err != nil || errs[0] != nil || errs[1] != seedlist.ErrDerived {
		t.Fatal(errs, err)
	}
	if s := seed(t, store, clean); s.Dirty != hashes[2] || len(s.AlsoDirty) != 0 || *s.AlsoDirtyTotal != 0 {
		t.Errorf("%+v", s.Links)
	}
	audit(t, store)
	if errs, err := store.Remove(t.Context(), hashes[2]); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	if _, err := store.Seed(t.Context(), clean); err != seedlist.ErrNotFound {
		t.Errorf("a clean seed that nothing names: %v", err)
	}
	orphans := must[[]string](t)(store.Orphans(t.Context(), 10))
	if want := []string{hashes[1], hashes[2], clean}; len(orphans) != 3 || !slices.Contains(orphans, want[0]) || !slices.Contains(orphans, want[1]) || !slices.Contains(orphans, want[2]) {
		t.Errorf("%v", orphans)
	}
	if err := store.Swept(t.Context(), hashes[1]); err != nil {
		t.Fatal(err)
	}
	add(t, store, "http://example.org/3")
	if orphans := must[[]string](t)(store.Orphans(t.Context(), 10)); !slices.Equal(orphans, []string{clean}) {
		t.Errorf("%v", orphans)
	}
	wantState(t, store, other, seedlist.Cleaned)
	audit(t, store)
}

func TestACleanFileIsSharedOnlyIfItsBytesAreEqual(t *testing.T) {
	store := open(t, seedlist.Options{})
	add(t, store, "http://example.org/1", "http://example.org/2")
	file := *contentOf("a")
	drive(t, store, seedlist.Guessed)
	complete(t, store, claim(t, store, seedlist.Parsing), seedlist.Outcome{Next: seedlist.Parsed, Clean: &seedlist.Clean{Content: file}})
	file.SHA256 = contentOf("b").SHA256
	drive(t, store, seedlist.Guessed)
	c := claim(t, store, seedlist.Parsing)
	if err := store.Complete(t.Context(), c, seedlist.Outcome{Next: seedlist.Parsed, Clean: &seedlist.Clean{Content: file}}); err != seedlist.ErrCollision {
		t.Errorf("%v", err)
	}
	complete(t, store, c, seedlist.Outcome{Next: seedlist.Failed})
	audit(t, store)
}

// TestWhatIsMadeAgainInTheSameTransactionIsNoOrphan: the last that names a clean file is
// removed, and in the same transaction another is washed to the same; a seed is removed
// and added. Were their hashes orphans, their files would be removed.
func TestWhatIsMadeAgainInTheSameTransactionIsNoOrphan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{})
		file := contentOf("shared")
		washed := seedlist.Outcome{Next: seedlist.Parsed, Clean: &seedlist.Clean{Content: *file}}
		first := add(t, store, "http://example.org/1")[0]
		drive(t, store, seedlist.Guessed)
		complete(t, store, claim(t, store, seedlist.Parsing), washed)
		add(t, store, "http://example.org/2")
		drive(t, store, seedlist.Guessed)
		second := claim(t, store, seedlist.Parsing)
		remove := func() {
			if errs, err := store.Remove(t.Context(), first); err != nil || errs[0] != nil {
				t.Error(errs, err)
			}
		}
		store.Together(remove,
			func() { complete(t, store, second, washed) },
			func() { add(t, store, "http://example.org/1") })
		audit(t, store)
		if orphans := must[[]string](t)(store.Orphans(t.Context(), 10)); len(orphans) > 0 {
			t.Errorf("%v, of %s and %s", orphans, first, file.MD5)
		}

		// Removed and swept at once, the list holds nothing.
		store.Together(remove, func() {
			if err := store.Swept(t.Context(), first); err != nil {
				t.Error(err)
			}
		})
		if orphans := must[[]string](t)(store.Orphans(t.Context(), 10)); len(orphans) > 0 {
			t.Errorf("%v", orphans)
		}

		// What an older version left on the list is no orphan either, until it is removed.
		if err := store.Orphan(file.MD5); err != nil {
			t.Fatal(err)
		}
		if orphans := must[[]string](t)(store.Orphans(t.Context(), 10)); len(orphans) > 0 {
			t.Errorf("%v is the hash of a record", orphans)
		}
		if errs, err := store.Remove(t.Context(), second.Seed.Hash); err != nil || errs[0] != nil {
			t.Fatal(errs, err)
		}
		if orphans := must[[]string](t)(store.Orphans(t.Context(), 10)); len(orphans) != 2 {
			t.Errorf("%v", orphans)
		}
		store.Close()
	})
}
