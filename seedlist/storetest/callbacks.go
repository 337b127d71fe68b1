package storetest

import (
	"testing"

	"laundromat/seedlist"
)

// functionsOfTheCallerHoldNobodyUp changes what a function was given while that is at work. The
// list must neither wait for the function nor lose the other change.
func functionsOfTheCallerHoldNobodyUp(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	hash := Add(t, store, "http://example.org/a.zip")[0]
	// meanwhile does something on another goroutine, the first time that it is called.
	meanwhile := func(do func()) func() int {
		calls := 0
		return func() int {
			if calls++; calls == 1 {
				done := make(chan struct{})
				go func() {
					defer close(done)
					do()
				}()
				<-done
			}
			return calls
		}
	}

	calls := meanwhile(func() {
		Must[seedlist.HostUse](t)(store.SetHost(t.Context(), "a.example", func(s *seedlist.HostSettings) { s.Connections = 7 }))
	})
	use := Must[seedlist.HostUse](t)(store.SetHost(t.Context(), "a.example", func(s *seedlist.HostSettings) {
		calls()
		s.Paused = true
	}))
	if !use.Paused || use.Connections != 7 {
		t.Errorf("one of two settings is lost: %+v", use.HostSettings)
	}

	Complete(t, store, Claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
	c := Claim(t, store, seedlist.Unarchiving)
	calls = meanwhile(func() {
		if _, err := store.FileChildren(t.Context(), c, Zip("a=1"), func(r *seedlist.Record) { r.Washer = "inner" }); err != nil {
			t.Error(err)
		}
	})
	_, err := store.FileChildren(t.Context(), c, Zip("b=1"), func(r *seedlist.Record) {
		calls()
		r.Format = "outer"
	})
	if s := Seed(t, store, hash); err != nil || s.Washer != "inner" || s.Format != "outer" || *s.ChildrenTotal != 2 {
		t.Errorf("%v: %q, %q, %d children", err, s.Washer, s.Format, *s.ChildrenTotal)
	}

	calls = meanwhile(func() {
		if _, err := store.FileChildren(t.Context(), c, Zip("c=1"), func(r *seedlist.Record) { r.Washer = "again" }); err != nil {
			t.Error(err)
		}
	})
	Complete(t, store, c, seedlist.Outcome{Next: seedlist.Failed, Update: func(r *seedlist.Record) {
		calls()
		r.Format = "end"
	}})
	if s := Seed(t, store, hash); s.Washer != "again" || s.Format != "end" {
		t.Errorf("%q, %q", s.Washer, s.Format)
	}
	Audit(t, store)
}
