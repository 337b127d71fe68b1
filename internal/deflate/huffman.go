package deflate

import (
	"math/bits"
	"slices"
)

// huffman makes lengths of codes.
type huffman struct {
	leaves []uint64 // how often, above 16 bits of the symbol
	nodes  []node
}

type node struct {
	weight uint64
	parent int32
}

// lengths sets the length of each symbol's code, 0 for a symbol that does not stand, none
// over limit: those of Huffman's codes, shortened at the expense of the rarest where one
// would be longer.
func (h *huffman) lengths(lengths []uint8, counts []uint32, limit int) {
	clear(lengths)
	h.leaves = h.leaves[:0]
	for s, n := range counts {
		if n > 0 {
			h.leaves = append(h.leaves, uint64(n)<<16|uint64(s))
		}
	}
	switch len(h.leaves) {
	case 0:
		return
	case 1:
		lengths[h.leaves[0]&0xffff] = 1
		return
	}
	slices.Sort(h.leaves)
	// Two queues: the leaves, and the nodes above them in the order in which they are made.
	n := len(h.leaves)
	h.nodes = slices.Grow(h.nodes[:0], 2*n)
	for _, l := range h.leaves {
		h.nodes = append(h.nodes, node{weight: l >> 16})
	}
	leaf, inner := 0, n
	least := func() int {
		if leaf < n && (inner == len(h.nodes) || h.nodes[leaf].weight <= h.nodes[inner].weight) {
			leaf++
			return leaf - 1
		}
		inner++
		return inner - 1
	}
	for len(h.nodes) < 2*n-1 {
		a, b := least(), least()
		top := int32(len(h.nodes))
		h.nodes[a].parent, h.nodes[b].parent = top, top
		h.nodes = append(h.nodes, node{weight: h.nodes[a].weight + h.nodes[b].weight})
	}
	// Depths, from the root down; how many leaves have each.
	var at [codeLimit + 1]int
	h.nodes[2*n-2].weight = 0
	for i := 2*n - 3; i >= 0; i-- {
		depth := h.nodes[h.nodes[i].parent].weight + 1
		h.nodes[i].weight = depth
		if i < n {
			at[min(int(depth), limit)]++
		}
	}
	// Kraft's sum, in units of the longest code. Where cutting made it too large, a leaf of
	// the longest is hung beside one that is less deep.
	sum := 0
	for depth := 1; depth <= limit; depth++ {
		sum += at[depth] << (limit - depth)
	}
	for sum > 1<<limit {
		depth := limit - 1
		for at[depth] == 0 {
			depth--
		}
		at[depth]--
		at[depth+1] += 2
		at[limit]--
		sum--
	}
	// The rarest get the longest.
	i := 0
	for depth := limit; depth > 0; depth-- {
		for range at[depth] {
			lengths[h.leaves[i]&0xffff] = uint8(depth)
			i++
		}
	}
}

// canonical sets the codes that belong to lengths (RFC 1951 §3.2.2), the first bit lowest.
func canonical(codes []uint16, lengths []uint8) {
	var next [codeLimit + 2]uint16
	for _, l := range lengths {
		if l > 0 {
			next[l+1]++
		}
	}
	for l := 1; l < len(next); l++ {
		next[l] = (next[l] + next[l-1]) << 1
	}
	for s, l := range lengths {
		if l > 0 {
			codes[s] = bits.Reverse16(next[l]) >> (16 - l)
			next[l]++
		}
	}
}

// The order in which lengths of code lengths are written (RFC 1951 §3.2.7).
var codeOrder = [codeCodes]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// How many bits say how often the last three repeat.
var codeExtra = [codeCodes]uint8{16: 2, 17: 3, 18: 7}

// describe writes the lengths of the codes of a block.
func (w *blockWriter) describe() {
	used := func(lengths []uint8, least int) int {
		n := len(lengths)
		for n > least && lengths[n-1] == 0 {
			n--
		}
		return n
	}
	nLiterals, nDistances := used(w.lengths[:literals], 257), used(w.lengths[literals:], 1)
	var sequence [literals + distances]uint8
	all := append(append(sequence[:0], w.lengths[:nLiterals]...), w.lengths[literals:literals+nDistances]...)

	// Runs: 16 repeats the last 3 to 6 times, 17 and 18 give 3 to 10 and 11 to 138 zeros.
	// What is repeated stands above 5 bits.
	w.described = w.described[:0]
	var counts [codeCodes]uint32
	add := func(symbol, extra int) {
		w.described = append(w.described, uint16(symbol|extra<<5))
		counts[symbol]++
	}
	for i := 0; i < len(all); {
		v, n := all[i], 1
		for i+n < len(all) && all[i+n] == v {
			n++
		}
		i += n
		if v != 0 {
			add(int(v), 0)
			n--
			for ; n >= 3; n -= min(n, 6) {
				add(16, min(n, 6)-3)
			}
		} else {
			for ; n >= 11; n -= min(n, 138) {
				add(18, min(n, 138)-11)
			}
			if n >= 3 {
				add(17, n-3)
				n = 0
			}
		}
		for ; n > 0; n-- {
			add(int(v), 0)
		}
	}
	var lengths [codeCodes]uint8
	var codes [codeCodes]uint16
	w.huffman.lengths(lengths[:], counts[:], 7)
	canonical(codes[:], lengths[:])
	n := codeCodes
	for n > 4 && lengths[codeOrder[n-1]] == 0 {
		n--
	}
	w.put(uint64(nLiterals-257)|uint64(nDistances-1)<<5|uint64(n-4)<<10, 14)
	for _, s := range codeOrder[:n] {
		w.put(uint64(lengths[s]), 3)
	}
	for _, d := range w.described {
		s := d & 31
		w.put(uint64(codes[s])|uint64(d>>5)<<lengths[s], uint(lengths[s]+codeExtra[s]))
	}
}
