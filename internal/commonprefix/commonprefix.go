// Package commonprefix compares the beginnings of texts.
package commonprefix

import (
	"encoding/binary"
	"math/bits"
)

// Common is the length of the common prefix of a and b, in bytes, of which n are known to be equal.
func Common(a, b []byte, n int) int {
	least := min(len(a), len(b))
	for n+16 <= least {
		// Two words at once, since where the first difference is can't be foreseen.
		x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:])
		y := binary.LittleEndian.Uint64(a[n+8:]) ^ binary.LittleEndian.Uint64(b[n+8:])
		if x|y != 0 {
			at := bits.TrailingZeros64(x) / 8
			behind := 8 + bits.TrailingZeros64(y)/8
			if x == 0 {
				at = behind
			}
			return n + at
		}
		n += 16
	}
	for n < least && a[n] == b[n] {
		n++
	}
	return n
}
