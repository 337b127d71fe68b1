package postgres_test

import (
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/storetest"
)

func TestTheLawsOfAList(t *testing.T) {
	server := need(t)
	storetest.Run(t, func(t testing.TB, options seedlist.Options) seedlist.List {
		return open(t, server.schema(t), options)
	})
}
