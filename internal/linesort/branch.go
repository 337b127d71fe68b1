package linesort

import (
	"bytes"
	"encoding/binary"
	"sort"

	"laundromat/internal/commonprefix"
)

// branch finds the place of a line among splitters that agree before depth. They are compared by the eight bytes that
// come after what all have in common. Those that agree in these too make a branch of their own.
type branch struct {
	depth     int
	splitters [][]byte
	from      int      // the number of the first
	common    []byte   // what all have from depth on
	words     []uint64 // strictly rising
	// For each word, bounds has the number of the first splitter that has it, and at last that after all.
	// A next is the branch of those that have it. It is nil where one of them ends within it, or is alone.
	bounds []int
	next   []*branch
}

func newBranch(splitters [][]byte, from, depth int) *branch {
	b := &branch{depth: depth, splitters: splitters, from: from}
	if len(splitters) > 0 {
		end := commonprefix.Common(splitters[0], splitters[len(splitters)-1], depth) // they are in order
		b.common = splitters[0][depth:end]
		depth = end
	}
	for i := 0; i < len(splitters); {
		word, end, deeper := wordAt(splitters[i], depth), i, true
		for ; end < len(splitters) && wordAt(splitters[end], depth) == word; end++ {
			deeper = deeper && len(splitters[end]) >= depth+8
		}
		var next *branch
		if deeper && end > i+1 {
			next = newBranch(splitters[i:end], from+i, depth+8)
		}
		b.words, b.bounds, b.next = append(b.words, word), append(b.bounds, from+i), append(b.next, next)
		i = end
	}
	b.bounds = append(b.bounds, from+len(splitters))
	return b
}

// wordAt is the eight bytes of text from depth on, zeros where it has ended.
func wordAt(text []byte, depth int) (word uint64) {
	if len(text) >= depth+8 {
		return binary.BigEndian.Uint64(text[depth:])
	}
	for i := range 8 {
		word <<= 8
		if depth+i < len(text) {
			word |= uint64(text[depth+i])
		}
	}
	return word
}

// find counts the splitters that are not after line, which agrees with those of b before depth.
func (b *branch) find(line []byte) int {
	for {
		depth := b.depth + len(b.common)
		if len(line) < depth || string(line[b.depth:depth]) != string(b.common) {
			if bytes.Compare(line[b.depth:], b.common) < 0 {
				return b.from
			}
			return b.bounds[len(b.words)]
		}
		word := wordAt(line, depth)
		low, n := 0, len(b.words) // the first word that is not below is in low to low+n
		for n > 0 {
			half := n >> 1
			if b.words[low+half] < word {
				low += half + 1
				n -= half + 1
			} else {
				n = half
			}
		}
		if low == len(b.words) || b.words[low] != word {
			return b.bounds[low]
		}
		if b.next[low] == nil || len(line) < depth+8 {
			among := b.splitters[b.bounds[low]-b.from : b.bounds[low+1]-b.from]
			return b.bounds[low] + sort.Search(len(among), func(i int) bool { return bytes.Compare(among[i], line) > 0 })
		}
		b = b.next[low]
	}
}
