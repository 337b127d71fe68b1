package postgres_test

import (
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

func TestTheLawsOfAList(t *testing.T) {
	server := need(t)
	storetest.Run(t, func(t testing.TB, options seedlist.Options) seedlist.List {
		return open(t, server.schema(t), options)
	})
}
