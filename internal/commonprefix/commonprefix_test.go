package commonprefix

import (
	"bytes"
	"testing"
)

// All lengths around the words that are compared at once, with the difference at every place.
func TestCommonPrefixIsWhereTextsFirstDiffer(t *testing.T) {
	text := bytes.Repeat([]byte("<http://example.org/>"), 3)
	for length := range 50 {
		for other := range 50 {
			for at := range min(length, other) + 1 {
				a, b := bytes.Clone(text[:length]), bytes.Clone(text[:other])
				want := min(length, other)
				if at < want {
					b[at] ^= 0x80
					want = at
				}
				for known := range want + 1 {
					if got := Common(a, b, known); got != want {
						t.Fatalf("%d and %d bytes, %d known to be equal: %d, want %d", length, other, known, got, want)
					}
				}
			}
		}
	}
}
