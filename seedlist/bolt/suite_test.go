package bolt_test

import (
	"slices"
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/storetest"
)

func TestTheLawsOfAList(t *testing.T) {
	storetest.Run(t, func(t testing.TB, options seedlist.Options) seedlist.List { return open(t, options) })
}

// One process has all hosts, whoever asks for them.
func TestTheLawsOfHostLeases(t *testing.T) {
	storetest.RunHosts(t, storetest.Processes{Open: func(t testing.TB, options seedlist.Options, n int) []seedlist.List {
		store := open(t, options)
		return slices.Repeat([]seedlist.List{store}, n)
	}})
}
