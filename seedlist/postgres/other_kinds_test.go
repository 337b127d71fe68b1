package postgres_test

import (
	"path/filepath"
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/memory"
	"laundromat/seedlist/postgres"
)

// otherKinds open empty lists of other kinds.
var otherKinds = map[string]func(t *testing.T, options seedlist.Options) seedlist.List{
	"bolt": func(t *testing.T, options seedlist.Options) seedlist.List {
		list, err := bolt.Open(filepath.Join(t.TempDir(), "seeds.db"), options)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { list.Close() })
		return list
	},
	"memory": func(_ *testing.T, options seedlist.Options) seedlist.List { return memory.New(options) },
}

// postgresOpen opens a list as a daemon does.
func postgresOpen(t *testing.T, address string) (*postgres.Store, error) {
	list, err := postgres.Open(t.Context(), address, seedlist.Options{})
	if err == nil {
		t.Cleanup(func() { list.Close() })
	}
	return list, err
}
