package storetest

import (
	"errors"
	"testing"
	"time"

	"laundromat/seedlist"
)

// priority is the setting of a priority.
func priority(n int) seedlist.SeedSettings { return seedlist.SeedSettings{Priority: &n} }

// set changes settings of one seed and returns the answer.
func set(t testing.TB, store seedlist.List, settings seedlist.SeedSettings, hash string) error {
	t.Helper()
	return Must[[]error](t)(store.Set(t.Context(), settings, hash))[0]
}

// A seed that rests is due by the interval that is set, counted from its last end. One that waits for that
// is woken.
func settingsChangeWhenASeedIsDue(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{Interval: 100 * time.Hour})
	hash := Add(t, store, "http://example.org/a.nt")[0]
	wash(t, store, seedlist.Downloading)
	before := Seed(t, store, hash)
	hour, never, asTheList, keep := int64(3600), int64(0), int64(-1), 3
	for _, row := range []struct {
		settings seedlist.SeedSettings
		due      time.Time
		interval int64
		adapts   bool
	}{
		{seedlist.SeedSettings{Interval: &hour}, before.Processed.Add(time.Hour), 3600, false},
		{seedlist.SeedSettings{Interval: &never}, time.Time{}, 0, false},
		{seedlist.SeedSettings{Interval: &asTheList, KeepVersions: &keep}, before.Processed.Add(100 * time.Hour), 360000, true},
	} {
		if err := set(t, store, row.settings, hash); err != nil {
			t.Fatal(err)
		}
		s := Seed(t, store, hash)
		if !s.Due.Equal(row.due) || *s.Interval != row.interval || s.IntervalAdapts != row.adapts {
			t.Errorf("due %v, want %v; interval %d, adapts %v", s.Due, row.due, *s.Interval, s.IntervalAdapts)
		}
	}
	if s := Seed(t, store, hash); *s.KeepVersions != 3 || s.Clean != before.Clean || s.Status != seedlist.Parsed {
		t.Errorf("%+v", s)
	}
	long := int64(4)
	if err := set(t, store, seedlist.SeedSettings{Interval: &long, KeepVersions: new(-1)}, hash); err != nil {
		t.Fatal(err)
	}
	if err := store.Wait(t.Context(), seedlist.Downloading); err != nil {
		t.Fatal(err)
	}
	if c := Claim(t, store, seedlist.Downloading); c.Seed.Hash != hash || c.Seed.KeepVersions != nil {
		t.Errorf("%+v", c.Seed)
	}
}

// What can't be set is refused, and then nothing of a seed is set.
func whatCantBeSetIsSaid(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	hashes := Add(t, store, "http://example.org/a.nt", "../relative", "http://example.org/b.nt#it")
	wash(t, store, seedlist.Downloading)
	clean := Seed(t, store, hashes[0]).Clean
	hour, five := int64(3600), 5
	both := seedlist.SeedSettings{Interval: &hour, Priority: &five}
	for hash, want := range map[string]error{hashes[0]: nil, hashes[1]: seedlist.ErrNoURI, hashes[2]: nil, clean: seedlist.ErrClean,
		seedlist.Key("none"): seedlist.ErrNotFound} {
		if err := set(t, store, both, hash); err != want {
			t.Errorf("%v, want %v", err, want)
		}
	}
	if s := Seed(t, store, hashes[1]); s.Priority != 0 {
		t.Error("a part was set of what was refused")
	}
	if s := Seed(t, store, seedlist.Key("http://example.org/b.nt")); s.Priority != 5 || *s.Interval != 3600 {
		t.Errorf("a name did not stand for its document: %+v", s)
	}
}

var errCondition = errors.New("not as it was")

// A condition gets the seed as it is read, and what it refuses is not done.
func aConditionIsOfTheTransactionThatWrites(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	hash := Add(t, store, "http://example.org/a.nt")[0]
	name := Add(t, store, "http://example.org/a.nt#it")[0]
	wash(t, store, seedlist.Downloading)
	read := func(hash string) string {
		seed := Seed(t, store, hash)
		if err := store.FillOutcomes(t.Context(), &seed); err != nil {
			t.Fatal(err)
		}
		text, _ := seed.MarshalJSON()
		return string(text)
	}
	for _, hash := range []string{hash, name} {
		was := read(hash)
		unchanged := func(seed seedlist.Seed) error {
			if text, _ := seed.MarshalJSON(); string(text) != was {
				t.Errorf("got %s, read %s", text, was)
				return errCondition
			}
			return nil
		}
		refuses := func(seedlist.Seed) error { return errCondition }
		again := force
		again.If = refuses
		if err := refused(t, store, again, hash); err != errCondition {
			t.Error(err)
		}
		settings := priority(4)
		settings.If = refuses
		if err := set(t, store, settings, hash); err != errCondition {
			t.Error(err)
		}
		if err := store.RemoveIf(t.Context(), refuses, hash); err != errCondition {
			t.Error(err)
		}
		if now := read(hash); now != was {
			t.Errorf("what was refused changed %s to %s", was, now)
		}
		settings.If = unchanged
		if err := set(t, store, settings, hash); err != nil {
			t.Error(err)
		}
		was = read(hash)
		again.If = unchanged
		if err := refused(t, store, again, hash); err != nil {
			t.Error(err)
		}
		was = read(hash)
		wash(t, store, seedlist.Downloading)
		was = read(hash)
	}
	if err := store.RemoveIf(t.Context(), func(seedlist.Seed) error { return nil }, hash); err != nil {
		t.Error(err)
	}
	if err := store.RemoveIf(t.Context(), nil, hash); err != seedlist.ErrNotFound {
		t.Error(err)
	}
}
