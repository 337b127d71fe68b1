package seedlist_test

import (
	"fmt"
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/memory"
)

func TestAnAdderAddsAllAndNamesWhatIsRefused(t *testing.T) {
	for _, n := range []int{0, 1, 999, 1000, 1001, 2500} {
		list := memory.New(seedlist.Options{})
		refused := 0
		adder := seedlist.NewAdder(list, func(error) { refused++ })
		for i := range n {
			uri := fmt.Sprintf("http://a/%d", i)
			if i%500 == 1 {
				uri = "http://[a/" // no URI
			}
			if err := adder.Add(t.Context(), seedlist.NewSeed{URI: uri}); err != nil {
				t.Fatal(err)
			}
		}
		if err := adder.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		counts, err := list.Counts(t.Context())
		if err != nil || counts.Seeds+int64(refused) != int64(n) || refused != (n+498)/500 {
			t.Errorf("of %d: %d added, %d refused, %v", n, counts.Seeds, refused, err)
		}
		list.Close()
	}
}
