// Package spelling says how far a name is from one that it may have been meant for.
package spelling

// MaxCompared is the longest name, in bytes, that is compared letter by letter.
const MaxCompared = 64

// Distance is how many letters must be inserted, deleted, changed, or swapped with the next to make one name of the
// other. The case of Latin letters does not count. If one name is longer than MaxCompared, the result is MaxCompared.
// It counts bytes, and is the optimal string alignment distance: no stretch is changed twice.
func Distance(a, b []byte) int {
	var before, above, row [MaxCompared + 1]int
	if max(len(a), len(b)) > MaxCompared {
		return MaxCompared
	}
	for j := range b {
		above[j+1] = j + 1
	}
	same := func(x, y byte) bool {
		return x == y || x|0x20 == y|0x20 && 'a' <= x|0x20 && x|0x20 <= 'z'
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			d := above[j]
			if !same(a[i], b[j]) {
				d++
			}
			d = min(d, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && same(a[i], b[j-1]) && same(a[i-1], b[j]) {
				d = min(d, before[j-1]+1)
			}
			row[j+1] = d
		}
		before, above = above, row
	}
	return above[len(b)]
}

// Nearly says that name is known except for capitals and one letter.
func Nearly(name []byte, known string) bool {
	if d := len(name) - len(known); d > 1 || d < -1 {
		return false
	}
	return Distance(name, []byte(known)) <= 1
}
