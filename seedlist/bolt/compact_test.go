package bolt_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/storetest"
)

// A list that is copied while it is worked on is the same list, in a smaller file; nothing that was written is lost.
func TestAListIsCompactedWhileItIsWorkedOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seeds")
	store := storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{HostConnections: 1 << 20, HostDelay: -1}))
	defer store.Close()
	for i := range 3000 {
		storetest.Add(t, store, fmt.Sprintf("http://h%d.example/%d", i%50, i))
	}
	hashes := []string{}
	seeds, _, err := store.List(t.Context(), seedlist.Filter{Limit: 2500})
	if err != nil {
		t.Fatal(err)
	}
	for _, seed := range seeds {
		hashes = append(hashes, seed.Hash)
	}
	if _, err := store.Remove(t.Context(), hashes...); err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	for worker := range 4 {
		work.Go(func() {
			for i := range 100 {
				uri := fmt.Sprintf("http://w%d.example/%d", worker, i)
				if answers, err := store.Add(t.Context(), []seedlist.NewSeed{{URI: uri}}); err != nil || answers[0].Err != nil {
					t.Error(err, answers)
				}
				if _, err := store.Seed(t.Context(), seedlist.Key(uri)); err != nil {
					t.Errorf("%s was written, and is not there: %v", uri, err)
				}
				if _, err := store.Counts(t.Context()); err != nil {
					t.Error(err)
				}
				claims, err := store.Claim(t.Context(), seedlist.Downloading, "w", 1)
				if err != nil {
					t.Error(err)
				}
				for _, claim := range claims {
					if err := store.GiveBack(t.Context(), claim, seedlist.Return{}); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	for i := range 5 {
		before, after, err := store.Compact(t.Context())
		if err != nil || i == 0 && after >= before || after <= 0 {
			t.Errorf("%d bytes before, %d after: %v", before, after, err)
		}
	}
	work.Wait()
	check := func() {
		t.Helper()
		if counts := storetest.Must[seedlist.Counts](t)(store.Counts(t.Context())); counts.Seeds != 900 {
			t.Errorf("%d seeds", counts.Seeds)
		}
		records, err := store.Inspect(t.Context(), func(d *seedlist.Damage) error { return d })
		if err != nil || records != 900 {
			t.Errorf("%d records: %v", records, err)
		}
	}
	check()
	if _, err := bolt.Open(path, seedlist.Options{LockWait: 1}); err == nil {
		t.Error("another process could open the new file")
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := store.Compact(t.Context()); err == nil {
		t.Error("a closed list is copied")
	}
	// What a kill leaves beside the list goes.
	if err := os.WriteFile(path+".compact", []byte("half of it"), 0o600); err != nil {
		t.Fatal(err)
	}
	store = storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{}))
	check()
	if _, err := os.Stat(path + ".compact"); err == nil {
		t.Error("half a copy is left")
	}
	numbers := storetest.Add(t, store, "http://after.example/")
	if len(numbers) != 1 {
		t.Error("nothing can be added any more")
	}
}
