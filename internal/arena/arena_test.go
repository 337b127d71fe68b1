package arena_test

import (
	"testing"

	"laundromat/internal/arena"
)

// What is given out is zero, whatever was written there before, and no two share memory.
func TestWhatIsGivenOutIsZeroAndApart(t *testing.T) {
	var a arena.Arena[int]
	for round := range 3 {
		var all [][]int
		for n := range 100 {
			all = append(all, a.Slice(n))
		}
		for i, list := range all {
			for j := range list {
				if list[j] != 0 {
					t.Fatalf("round %d: %d is in a list of %d", round, list[j], i)
				}
				list[j] = i
			}
			all[i] = append(list, -1)
		}
		if *a.Next() != 0 {
			t.Fatalf("round %d: the next value is not zero", round)
		}
		for i, list := range all {
			for j, n := range list {
				if j < i && n != i {
					t.Fatalf("round %d: %d is in the list of %d", round, n, i)
				}
			}
		}
		a.Reset()
	}
}
