package postgres_test

import (
	"path/filepath"
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/memory"
	"laundromat/seedlist/storetest"
)

// Without a server it compares the other two.
func TestListsOfAllKindsAreAlike(t *testing.T) {
	kinds := []storetest.Kind{
		{Name: "memory", Open: func(t testing.TB, options seedlist.Options) seedlist.List {
			store := memory.New(options)
			t.Cleanup(func() { store.Close() })
			return store
		}},
		{Name: "bolt", Open: func(t testing.TB, options seedlist.Options) seedlist.List {
			store, err := bolt.Open(filepath.Join(t.TempDir(), "seedlist.db"), options)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { store.Close() })
			return store
		}},
	}
	if shared != nil {
		kinds = append(kinds, storetest.Kind{Name: "postgres", Open: func(t testing.TB, options seedlist.Options) seedlist.List {
			return open(t, shared.schema(t), options)
		}})
	}
	storetest.RunAlike(t, kinds...)
}
