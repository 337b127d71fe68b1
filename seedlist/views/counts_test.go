package views_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/memory"
	"laundromat/seedlist/storetest"
	"laundromat/seedlist/views"
)

// TestTheLargestCountsAreThoseOfAll asks for few and for many, in any order, before and after a change.
func TestTheLargestCountsAreThoseOfAll(t *testing.T) {
	list := memory.New(seedlist.Options{})
	var uris []string
	for host := range 300 {
		for i := range 1 + host*host%17 {
			uris = append(uris, fmt.Sprintf("http://h%d.example/%d", host, i))
		}
	}
	storetest.Add(t, list, uris...)
	v := open(t, filepath.Join(t.TempDir(), "views.db"), list)
	defer v.Close()
	largest := int64(17)
	for range 2 {
		upToDate(t, v, list)
		for _, by := range [][]views.Facet{{views.Host}, {views.State, views.Host}, {views.Host, views.State}} {
			all, err := v.Count(t.Context(), by, 10_000)
			if err != nil || len(all.Counts) != 300 || all.Total != 300 || all.IsCut {
				t.Fatalf("%v: %d of %d counts, %v", by, len(all.Counts), all.Total, err)
			}
			for _, limit := range []int{3, 150, 0, 1, 299, 100, 101} {
				some, err := v.Count(t.Context(), by, limit)
				if err != nil || len(some.Counts) != limit || some.Total != 300 || some.AsOf != all.AsOf {
					t.Fatalf("%v, %d: %d of %d counts as of %v, %v", by, limit, len(some.Counts), some.Total, some.AsOf, err)
				}
				for i, c := range some.Counts {
					isOne := func(other views.Count) bool { return c.Seeds == other.Seeds && slices.Equal(c.Values, other.Values) }
					if c.Seeds != all.Counts[i].Seeds || !slices.ContainsFunc(all.Counts, isOne) {
						t.Errorf("%v, %d: %v at %d", by, limit, c, i)
					}
				}
				slices.Reverse(some.Counts) // the answer is of who asked
			}
			if n := all.Counts[0].Seeds; n < largest {
				t.Errorf("the largest count is %d, want %d at least", n, largest)
			}
		}
		for i := range 20 {
			storetest.Add(t, list, fmt.Sprintf("http://h7.example/more/%d", i))
		}
		largest = 20
	}
}
