package bolt_test

import (
	"path/filepath"
	"slices"
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/storetest"
)

func TestTheLawsOfAList(t *testing.T) {
	storetest.Run(t, func(t testing.TB, options seedlist.Options) seedlist.List { return open(t, options) })
}

func TestTheLawsOfDeaths(t *testing.T) {
	storetest.RunDeaths(t, func(t *testing.T, options seedlist.Options) (list seedlist.List, die func() seedlist.List) {
		path := filepath.Join(t.TempDir(), "seeds")
		var store *bolt.Store
		live := func() seedlist.List {
			store = storetest.Must[*bolt.Store](t)(bolt.Open(path, options))
			return store
		}
		t.Cleanup(func() { store.Close() })
		return live(), func() seedlist.List {
			if err := store.Close(); err != nil { // claims stay as they are
				t.Fatal(err)
			}
			return live()
		}
	})
}

// One process has all hosts, whoever asks for them.
func TestTheLawsOfHostLeases(t *testing.T) {
	storetest.RunHosts(t, storetest.Processes{Open: func(t testing.TB, options seedlist.Options, n int) []seedlist.List {
		store := open(t, options)
		return slices.Repeat([]seedlist.List{store}, n)
	}})
}
