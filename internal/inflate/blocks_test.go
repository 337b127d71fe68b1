package inflate_test

import (
	"math/bits"
	"math/rand/v2"
)

// writer writes bits, the first one lowest.
type writer struct {
	data []byte
	n    int
}

func (w *writer) put(value uint, n int) {
	for i := range n {
		if w.n%8 == 0 {
			w.data = append(w.data, 0)
		}
		w.data[w.n/8] |= byte(value>>i&1) << (w.n % 8)
		w.n++
	}
}

// anyLengths makes lengths of a complete code for n symbols, or now and then of one that is not.
func anyLengths(random *rand.Rand, n, most int) []uint8 {
	lengths := make([]uint8, n)
	used := min(1+random.IntN(n), 1<<most)
	leaves := []uint8{0}
	skewed := random.IntN(2) == 0
	for len(leaves) < used {
		at := random.IntN(len(leaves))
		if skewed {
			at = len(leaves) - 1
		}
		for int(leaves[at]) == most {
			at = random.IntN(len(leaves))
		}
		leaves[at]++
		leaves = append(leaves, leaves[at])
	}
	if used == 1 {
		leaves[0] = 1 // the single code that is allowed not to be complete
	}
	for i, at := range random.Perm(n)[:used] {
		lengths[at] = leaves[i]
	}
	if random.IntN(20) == 0 {
		lengths[random.IntN(n)] = uint8(random.IntN(most + 1))
	}
	return lengths
}

// codesOf are the codes of symbols (RFC 1951 §3.2.2), first bit lowest.
func codesOf(lengths []uint8) []uint {
	codes := make([]uint, len(lengths))
	code := uint(0)
	for n := uint8(1); n <= 15; n++ {
		for symbol, length := range lengths {
			if length == n {
				codes[symbol] = uint(bits.Reverse16(uint16(code))) >> (16 - n)
				code++
			}
		}
		code <<= 1
	}
	return codes
}

// anyBlocks writes blocks of random symbols, in random codes, many of which mean nothing.
func anyBlocks(random *rand.Rand, symbols int) []byte {
	w := new(writer)
	for blocks := random.IntN(4); blocks >= 0; blocks-- {
		last := uint(0)
		if blocks == 0 {
			last = 1
		}
		w.put(last, 1)
		w.put(2, 2)
		lit, dist := anyLengths(random, 257+random.IntN(30), 15), anyLengths(random, 1+random.IntN(30), 15)
		if lit[256] == 0 && random.IntN(8) != 0 {
			for i, n := range lit {
				if n > 0 {
					lit[i], lit[256] = 0, n
					break
				}
			}
		}
		w.put(uint(len(lit)-257), 5)
		w.put(uint(len(dist)-1), 5)
		w.put(15, 4)
		// All code lengths have codes of four bits.
		for _, symbol := range []uint{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15} {
			n := uint(4)
			if symbol > 15 {
				n = 0
			}
			w.put(n, 3)
		}
		for _, n := range append(append([]uint8{}, lit...), dist...) {
			w.put(uint(bits.Reverse8(n)>>4), 4)
		}
		var used []int
		for symbol, n := range lit {
			if n > 0 && (symbol < 256 || symbol > 256) {
				used = append(used, symbol)
			}
		}
		codes, distCodes := codesOf(lit), codesOf(dist)
		for range symbols {
			if len(used) == 0 {
				break
			}
			symbol := used[random.IntN(len(used))]
			w.put(codes[symbol], int(lit[symbol]))
			if symbol < 256 {
				continue
			}
			if 265 <= symbol && symbol < 285 {
				w.put(uint(random.Uint32()), (symbol-261)/4)
			}
			at := random.IntN(len(dist))
			for tries := 0; dist[at] == 0 && tries < 100; tries++ {
				at = random.IntN(len(dist))
			}
			if random.IntN(500) != 0 && at > 16 { // most copies reach not too far
				for at = range dist {
					if dist[at] > 0 {
						break
					}
				}
			}
			w.put(distCodes[at], int(dist[at]))
			if at >= 4 {
				w.put(uint(random.Uint32()), at/2-1)
			}
		}
		w.put(codes[256], int(lit[256]))
	}
	return append(w.data, "rest"...)
}
