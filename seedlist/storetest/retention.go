package storetest

import (
	"testing"
	"time"

	"laundromat/seedlist"
)

// What is not kept is taken off the records of seeds that rest, and counted; of the log the last entry of each stays.
func whatIsNotKeptIsTakenOffTheList(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{Interval: time.Hour})
	hash := Add(t, store, "http://example.org/a.nt")[0]
	wash(t, store, seedlist.Downloading)
	waits := Add(t, store, "http://other.example/b.nt")[0]
	kept := seedlist.Retention{Dirty: seedlist.DirtyKept{Which: "none"}, Notices: 1}
	before := Seed(t, store, hash)
	all := Must[[]seedlist.Retained](t)(store.Retain(t.Context(), kept, true, hash, waits))
	want := seedlist.Trimmed{Dirty: 1, DirtyBytes: before.Content.NumberOfBytes, Notices: 1}
	if len(all) != 1 || all[0].Trimmed != want ||
		!all[0].Before.HasDirty() || all[0].After.HasDirty() || all[0].After.HasNotices() {
		t.Fatalf("%+v", all)
	}
	if s := Seed(t, store, hash); !s.HasDirty() || Must[seedlist.Counts](t)(store.Counts(t.Context())).Removed != (seedlist.Trimmed{}) {
		t.Fatalf("a dry run has written: %+v", s.Removed)
	}
	for range 2 { // the second finds nothing to do
		Must[[]seedlist.Retained](t)(store.Retain(t.Context(), kept, false, hash, waits, before.Clean, "00000000000000000000000000000000"))
	}
	s := Seed(t, store, hash)
	if s.HasDirty() || s.HasNotices() || s.Status != seedlist.Parsed ||
		s.Clean != before.Clean || s.Content.SHA256 != before.Content.SHA256 {
		t.Errorf("%+v", s)
	}
	if got := Must[seedlist.Counts](t)(store.Counts(t.Context())).Removed; got != want {
		t.Errorf("%+v were removed, want %+v", got, want)
	}
	if err := refused(t, store, rewash, hash); err != seedlist.ErrRemoved {
		t.Errorf("bytes that were removed are washed again: %v", err)
	}
	entries := len(Must[[]seedlist.Attempt](t)(store.Attempts(t.Context(), hash)))
	removed, _, err := store.RetainAttempts(t.Context(), 1, true, 0)
	if err != nil || removed != int64(entries-1) {
		t.Fatal(removed, entries, err)
	}
	if removed, _, err = store.RetainAttempts(t.Context(), seedlist.Age(time.Hour), false, 0); err != nil || removed != 0 {
		t.Error(removed, err)
	}
	for next := uint64(0); ; {
		removed, after, err := store.RetainAttempts(t.Context(), 1, false, next)
		if want.Attempts += removed; err != nil {
			t.Fatal(err)
		}
		if next = after; next == 0 {
			break
		}
	}
	if left := Must[[]seedlist.Attempt](t)(store.Attempts(t.Context(), hash)); len(left) != 1 || want.Attempts != int64(entries-1) {
		t.Errorf("%d of %d entries are left, %d removed", len(left), entries, want.Attempts)
	}
	if got := Must[seedlist.Counts](t)(store.Counts(t.Context())).Removed; got != want {
		t.Errorf("%+v were removed, want %+v", got, want)
	}
	// Fetched again, it is whole again.
	if root := Again(t, store, force, hash); root != hash {
		t.Fatal(root)
	}
	Again(t, store, force, hash)
	if s = Seed(t, store, hash); s.Status != seedlist.Added || s.HasDirty() {
		t.Errorf("%s %+v", s.Status, s.Removed)
	}
}
