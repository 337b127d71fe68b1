package reconcile

import "math/bits"

// jaroWinkler is the likeness of two texts by Jaro and Winkler, 0 to 1: the characters that they have in common
// near the same place, their order, and up to four that both begin with.
func jaroWinkler(a, b string) float64 {
	if a == b {
		return 1
	}
	if isASCII(a) && isASCII(b) {
		return jaroWinklerOf([]byte(a), []byte(b))
	}
	return jaroWinklerOf([]rune(a), []rune(b))
}

// likelierThan says whether the likeness of two texts by Jaro and Winkler may be as large as least: it can't be where
// too many letters of one are not in the other.
func likelierThan(a, b string, least float64) bool {
	if a == "" || b == "" {
		return false
	}
	var inA, inB uint64
	for i := range len(a) {
		if a[i] >= 0x80 {
			return true // its characters are no bytes
		}
		inA |= 1 << (a[i] & 63)
	}
	for i := range len(b) {
		if b[i] >= 0x80 {
			return true
		}
		inB |= 1 << (b[i] & 63)
	}
	la, lb := float64(len(a)), float64(len(b))
	common := min(la-float64(bits.OnesCount64(inA&^inB)), lb-float64(bits.OnesCount64(inB&^inA)))
	if common <= 0 {
		return false
	}
	prefix := 0
	for prefix < min(4, len(a), len(b)) && a[prefix] == b[prefix] {
		prefix++
	}
	jaro := (common/la + common/lb + 1) / 3
	return jaro+0.1*float64(prefix)*(1-jaro) >= least-1e-9
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func jaroWinklerOf[C byte | rune](a, b []C) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	reach := max(0, max(len(a), len(b))/2-1)
	var buffer [128]bool
	seen := buffer[:]
	if len(a)+len(b) > len(buffer) {
		seen = make([]bool, len(a)+len(b))
	}
	inA, inB := seen[:len(a)], seen[len(a):len(a)+len(b)]
	common := 0
	for i := range a {
		for j := max(0, i-reach); j < min(len(b), i+reach+1); j++ {
			if !inB[j] && a[i] == b[j] {
				inA[i], inB[j] = true, true
				common++
				break
			}
		}
	}
	if common == 0 {
		return 0
	}
	moved, j := 0, 0
	for i := range a {
		if !inA[i] {
			continue
		}
		for !inB[j] {
			j++
		}
		if a[i] != b[j] {
			moved++
		}
		j++
	}
	m := float64(common)
	jaro := (m/float64(len(a)) + m/float64(len(b)) + (m-float64(moved/2))/m) / 3
	prefix := 0
	for prefix < min(4, len(a), len(b)) && a[prefix] == b[prefix] {
		prefix++
	}
	return jaro + 0.1*float64(prefix)*(1-jaro)
}

// edits is the number of edits between two texts: a character inserted, deleted or changed, or two neighbours that
// changed places (Damerau and Levenshtein, restricted). It is most+1 where there are more than most.
func edits(a, b string, most int) int {
	if a == b {
		return 0
	}
	if isASCII(a) && isASCII(b) {
		return editsOf([]byte(a), []byte(b), most)
	}
	return editsOf([]rune(a), []rune(b), most)
}

func editsOf[C byte | rune](a, b []C, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	var buffer [3 * 64]int
	rows := buffer[:]
	width := len(b) + 1
	if 3*width > len(rows) {
		rows = make([]int, 3*width)
	}
	before, last, now := rows[:width], rows[width:2*width], rows[2*width:3*width]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		now[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(last[j]+1, now[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			now[j] = d
			least = min(least, d)
		}
		if least > most {
			return most + 1
		}
		before, last, now = last, now, before
	}
	return min(last[len(b)], most+1)
}
