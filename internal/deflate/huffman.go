package deflate

import (
	"math/bits"
	"slices"
)

// codeLimit is how many bits a code has at most (RFC 1951 §3.2.7).
const codeLimit = 15

// huffman makes lengths of codes.
type huffman struct {
	leaves []uint64 // how often, above 16 bits of the symbol
	nodes  []node
}

type node struct {
	weight uint64
	parent int32
}

// lengths sets the length of each symbol's code, none over limit, or 0 for a symbol that
// does not occur. They are those of Huffman's codes, shortened at the expense of others
// where one would be longer. There are always two codes at least.
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
		lengths[0], lengths[1] = 1, 1 // not used; some readers refuse codes that leave bits without a meaning
		return
	case 1:
		s := h.leaves[0] & 0xffff
		lengths[s] = 1
		lengths[s^1] = 1 // likewise
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
	// the longest is hung next to one that is less deep.
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
