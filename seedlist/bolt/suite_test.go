package bolt_test

import (
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/storetest"
)

func TestTheLawsOfAList(t *testing.T) {
	storetest.Run(t, func(t testing.TB, options seedlist.Options) seedlist.List { return open(t, options) })
}
