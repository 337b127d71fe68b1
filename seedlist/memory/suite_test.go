package memory_test

import (
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
