package memory_test

import (
	"slices"
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/memory"
	"laundromat/seedlist/storetest"
)

func TestTheLawsOfAList(t *testing.T) {
	storetest.Run(t, func(t testing.TB, options seedlist.Options) seedlist.List {
		store := memory.New(options)
		t.Cleanup(func() { store.Close() })
		return store
	})
}

// One process has all hosts, whoever asks for them.
func TestTheLawsOfHostLeases(t *testing.T) {
	storetest.RunHosts(t, storetest.Processes{Open: func(t testing.TB, options seedlist.Options, n int) []seedlist.List {
		store := memory.New(options)
		t.Cleanup(func() { store.Close() })
		return slices.Repeat([]seedlist.List{store}, n)
	}})
}
