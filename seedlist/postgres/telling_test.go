package postgres

import (
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/postgres/pgtest"
)

// Of the processes that may speak for a list one does, the one that began first; after its end the next does.
func TestOneProcessSpeaksForTheList(t *testing.T) {
	server := pgtest.ForTest(t, false)
	var all []*Store
	for range 3 {
		s, err := Open(t.Context(), server.Address, seedlist.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if speaks, err := s.Speaks(t.Context()); speaks || err != nil {
			t.Errorf("one that may not speaks: %v, %v", speaks, err)
		}
		all = append(all, s)
	}
	for _, i := range []int{1, 0, 2} {
		if err := all[i].Speak(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []int{1, 0, 2} {
		for i, s := range all {
			if s == nil {
				continue
			}
			if speaks, err := s.Speaks(t.Context()); err != nil || speaks != (i == want) {
				t.Errorf("%d speaks: %v, %v; %d should", i, speaks, err, want)
			}
		}
		all[want].Close()
		all[want] = nil
	}
}
