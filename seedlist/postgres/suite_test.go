package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/postgres"
	"laundromat/seedlist/storetest"
)

func TestTheLawsOfHostLeases(t *testing.T) {
	server := need(t)
	storetest.RunHosts(t, storetest.Processes{
		Open: func(t testing.TB, options seedlist.Options, n int) (lists []seedlist.List) {
			address := server.schema(t)
			for range n {
				lists = append(lists, begin(t, address, options))
			}
			return lists
		},
		Cut: func(list seedlist.List) { list.(*postgres.Store).Cut() },
	})
}

func TestTheLawsOfDeaths(t *testing.T) {
	server := need(t)
	storetest.RunDeaths(t, func(t *testing.T, options seedlist.Options) (list seedlist.List, die func() seedlist.List) {
		address := server.schema(t)
		alive := open(t, address, options)
		return alive, func() seedlist.List {
			dead := alive
			alive = open(t, address, options)
			server.exec(t, fmt.Sprintf("UPDATE %s.holders SET lease = 1 WHERE holder = '%s'", nameOf(address), dead.Holder()))
			alive.Live()
			return alive
		}
	})
}

func TestTheLawsOfAList(t *testing.T) {
	server := need(t)
	storetest.Run(t, func(t testing.TB, options seedlist.Options) seedlist.List {
		list := open(t, server.schema(t), options)
		t.Cleanup(func() { wantSound(t, list) })
		return list
	})
}

// wantSound has a list say what is wrong within; one that a law has closed says nothing.
func wantSound(t testing.TB, list *postgres.Store) {
	t.Helper()
	_, err := list.Inspect(context.Background(), func(d *seedlist.Damage) error {
		t.Error(d.Finding())
		return nil
	})
	if err != nil && !errors.Is(err, seedlist.ErrClosed) {
		t.Error(err)
	}
}
