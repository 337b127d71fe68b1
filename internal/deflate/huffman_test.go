package deflate

import "testing"

// kraft is Kraft's sum in units of the longest code: 1<<limit if each sequence of bits has a meaning.
func kraft(lengths []uint8, limit int) (sum int) {
	for _, n := range lengths {
		if n > 0 {
			sum += 1 << (limit - int(n))
		}
	}
	return sum
}

func TestCodesAreCompleteAndNoneIsTooLong(t *testing.T) {
	fibonacci := make([]uint32, 40)
	for i := range fibonacci {
		fibonacci[i] = 1
		if i > 1 {
			fibonacci[i] = fibonacci[i-1] + fibonacci[i-2]
		}
	}
	even := make([]uint32, 286)
	for i := range even {
		even[i] = 7
	}
	for name, c := range map[string]struct {
		counts []uint32
		limit  int
	}{
		"none":         {make([]uint32, 30), 15},
		"one":          {[]uint32{0, 0, 5, 0}, 15},
		"two":          {[]uint32{1, 0, 5}, 15},
		"three":        {[]uint32{1, 1, 100000}, 15},
		"too deep":     {fibonacci, 15},
		"far too deep": {fibonacci[:19], 7},
		"even":         {even, 15},
	} {
		var h huffman
		lengths := make([]uint8, len(c.counts))
		h.lengths(lengths, c.counts, c.limit)
		if got := kraft(lengths, c.limit); got != 1<<c.limit {
			t.Errorf("%s: Kraft's sum is %d of %d: %d", name, got, 1<<c.limit, lengths)
		}
		for s, n := range c.counts {
			if n > 0 && lengths[s] == 0 || int(lengths[s]) > c.limit {
				t.Errorf("%s: symbol %d, which stands %d times, has %d bits", name, s, n, lengths[s])
			}
			for other, m := range c.counts {
				if n > m && m > 0 && lengths[s] > lengths[other] {
					t.Errorf("%s: symbol %d stands more often than %d, and its code is longer", name, s, other)
				}
			}
		}
	}
}
