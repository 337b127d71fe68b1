package bolt_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"laundromat/internal/digest"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
)

// open opens a store in a folder of the test's own. Downloads need not be polite,
// unless the test says so.
func open(t testing.TB, options seedlist.Options) *bolt.Store {
	t.Helper()
	if options.HostConnections == 0 && options.HostDelay == 0 {
		options.HostConnections, options.HostDelay = 1<<20, -1
	}
	store, err := bolt.Open(filepath.Join(t.TempDir(), "seeds"), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func ExampleStore() {
	dir, _ := os.MkdirTemp("", "seeds")
	defer os.RemoveAll(dir)
	store, err := bolt.Open(filepath.Join(dir, "seeds"), seedlist.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	ctx := context.Background()
	added, _ := store.Add(ctx, []seedlist.NewSeed{{URI: "http://example.org/data.nt"}, {URI: "example.org/data.nt"}})
	fmt.Println(added[0].Hash, added[0].New)
	fmt.Println(added[1].Err)
	claims, _ := store.Claim(ctx, seedlist.Downloading, "worker-1", 10)
	for _, c := range claims {
		err := store.Complete(ctx, c, seedlist.Outcome{
			Next:   seedlist.Filed,
			Update: func(r *seedlist.Record) { r.Content = &digest.Content{NumberOfBytes: 12} },
		})
		fmt.Println(c.Seed.URI, err)
	}
	seed, _ := store.Seed(ctx, seedlist.Key("HTTP://example.org/data.nt"))
	fmt.Println(seed.Status, seed.Content.NumberOfBytes)
	// Output:
	// 1a9d8f745d51669123914fa675f66195 true
	// example.org/data.nt: no scheme (did you mean http://example.org/data.nt?)
	// http://example.org/data.nt <nil>
	// filed 12
}
