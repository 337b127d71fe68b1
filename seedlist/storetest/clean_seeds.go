package storetest

import (
	"slices"
	"testing"

	"laundromat/seedlist"
)

func oneCleanFileIsSharedAndGoesWithItsLast(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	hashes := Add(t, store, "http://example.org/1", "http://example.org/2", "http://example.org/3")
	wash := func(text string) string {
		t.Helper()
		file := ContentOf(text)
		Drive(t, store, seedlist.Guessed)
		Complete(t, store, Claim(t, store, seedlist.Parsing),
			seedlist.Outcome{Next: seedlist.Parsed, Clean: &seedlist.Clean{Content: *file}})
		return file.MD5
	}
	clean := wash("shared")
	for range 2 {
		wash("shared")
	}
	s := Seed(t, store, clean)
	if s.Dirty != hashes[0] || !slices.Equal(s.AlsoDirty, hashes[1:]) || *s.AlsoDirtyTotal != 2 {
		t.Fatalf("%+v", s.Links)
	}
	counts := Must[seedlist.Counts](t)(store.Counts(t.Context()))
	if counts.Clean.Files != 1 || counts.Clean.Lines != 10 {
		t.Errorf("%+v", counts.Clean)
	}
	Audit(t, store)

	// One is washed to something else, one is removed: the third keeps the file.
	if errs, err := store.Retry(t.Context(), "", hashes[0]); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	other := wash("other")
	if errs, err := store.Remove(t.Context(), hashes[1], clean); err != nil || errs[0] != nil || errs[1] != seedlist.ErrDerived {
		t.Fatal(errs, err)
	}
	if s := Seed(t, store, clean); s.Dirty != hashes[2] || len(s.AlsoDirty) != 0 || *s.AlsoDirtyTotal != 0 {
		t.Errorf("%+v", s.Links)
	}
	Audit(t, store)
	if errs, err := store.Remove(t.Context(), hashes[2]); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	if _, err := store.Seed(t.Context(), clean); err != seedlist.ErrNotFound {
		t.Errorf("a clean seed that nothing names: %v", err)
	}
	orphans := Must[[]string](t)(store.Orphans(t.Context(), 10))
	if want := []string{hashes[1], hashes[2], clean}; len(orphans) != 3 || !slices.Contains(orphans, want[0]) ||
		!slices.Contains(orphans, want[1]) || !slices.Contains(orphans, want[2]) {
		t.Errorf("%v", orphans)
	}
	if err := store.Swept(t.Context(), hashes[1]); err != nil {
		t.Fatal(err)
	}
	Add(t, store, "http://example.org/3")
	if orphans := Must[[]string](t)(store.Orphans(t.Context(), 10)); !slices.Equal(orphans, []string{clean}) {
		t.Errorf("%v", orphans)
	}
	WantState(t, store, other, seedlist.Cleaned)
	Audit(t, store)
}

func aCleanFileIsSharedOnlyIfItsBytesAreEqual(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	Add(t, store, "http://example.org/1", "http://example.org/2")
	file := *ContentOf("a")
	Drive(t, store, seedlist.Guessed)
	Complete(t, store, Claim(t, store, seedlist.Parsing), seedlist.Outcome{Next: seedlist.Parsed, Clean: &seedlist.Clean{Content: file}})
	file.SHA256 = ContentOf("b").SHA256
	Drive(t, store, seedlist.Guessed)
	c := Claim(t, store, seedlist.Parsing)
	if err := store.Complete(t.Context(), c,
		seedlist.Outcome{Next: seedlist.Parsed, Clean: &seedlist.Clean{Content: file}}); err != seedlist.ErrCollision {
		t.Errorf("%v", err)
	}
	Complete(t, store, c, seedlist.Outcome{Next: seedlist.Failed})
	Audit(t, store)
}

func orphansHaveNoRecord(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	hashes := Add(t, store, "http://example.org/1", "http://example.org/2")
	nobody := seedlist.Key("http://example.org/nobody")
	if err := store.Disown(t.Context(), nobody, hashes[0], "no hash"); err != nil {
		t.Fatal(err)
	}
	if orphans := Must[[]string](t)(store.Orphans(t.Context(), 10)); !slices.Equal(orphans, []string{nobody}) {
		t.Errorf("%v", orphans)
	}
	if _, err := store.Remove(t.Context(), hashes...); err != nil {
		t.Fatal(err)
	}
	if orphans := Must[[]string](t)(store.Orphans(t.Context(), 2)); len(orphans) != 2 {
		t.Errorf("%v of 3, where 2 are asked for", orphans)
	}
	Add(t, store, "http://example.org/1")
	if err := store.Swept(t.Context(), nobody, nobody); err != nil {
		t.Fatal(err)
	}
	if orphans := Must[[]string](t)(store.Orphans(t.Context(), 10)); !slices.Equal(orphans, hashes[1:]) {
		t.Errorf("%v", orphans)
	}
	Audit(t, store)
}

func alikeAreThoseWhoseWashHoldsForAnyURI(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	bytes := ContentOf("the same bytes")
	// wash washes a seed of those bytes, which used its base and blank nodes or not.
	lines := int64(1)
	records := seedlist.Product{Name: seedlist.ProductRecords, SHA256: ContentOf("records").SHA256, Fence: 1,
		Bytes: &lines, Written: &lines}
	wash := func(uri string, base, blank bool, products ...seedlist.Product) string {
		t.Helper()
		hash := Add(t, store, uri)[0]
		Complete(t, store, Claim(t, store, seedlist.Downloading),
			seedlist.Outcome{Next: seedlist.Filed, Update: func(r *seedlist.Record) { r.Content = bytes }})
		Complete(t, store, Claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Unarchived})
		Complete(t, store, Claim(t, store, seedlist.Guessing), seedlist.Outcome{Next: seedlist.Guessed})
		made := seedlist.Outcome{Next: seedlist.Parsed, Products: products,
			Update: func(r *seedlist.Record) { r.BaseUsed, r.BlankNodes = &base, &blank }}
		if len(products) == 0 {
			made.Clean = &seedlist.Clean{Content: *ContentOf("clean")}
		}
		Complete(t, store, Claim(t, store, seedlist.Parsing), made)
		return hash
	}
	alike := func(limit int) (hashes []string) {
		t.Helper()
		for _, s := range Must[[]seedlist.Seed](t)(store.Alike(t.Context(), bytes, limit)) {
			hashes = append(hashes, s.Hash)
		}
		return hashes
	}
	if got := alike(10); len(got) > 0 {
		t.Errorf("%v", got)
	}
	first := wash("http://example.org/1", false, false)
	wash("http://example.org/base", true, false)
	wash("http://example.org/blank", false, true)
	last := wash("http://example.org/2", false, false)
	table := wash("http://example.org/table", false, false, records)
	wash("http://example.org/article", true, false, records)
	wash("http://example.org/none", false, false, seedlist.Product{Name: seedlist.ProductRecords, None: true})
	if got := alike(10); !slices.Equal(got, []string{first, last, table}) {
		t.Errorf("%v, want %s, %s and %s", got, first, last, table)
	}
	if got := alike(1); len(got) != 1 {
		t.Errorf("%v, where one is asked for", got)
	}
	if got := Must[[]seedlist.Seed](t)(store.Alike(t.Context(), ContentOf("others"), 10)); len(got) > 0 {
		t.Errorf("%v", got)
	}
	if _, err := store.Remove(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if got := alike(10); !slices.Equal(got, []string{last, table}) {
		t.Errorf("%v", got)
	}
	Audit(t, store)
}
