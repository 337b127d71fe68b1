package content

import "encoding/binary"

// Forest is a sum of trees. A tree asks the same question of all nodes of a level, so that a row's leaf is a number
// made of the answers, a bit each.
type Forest struct {
	Base  int32
	Trees []Tree
}

// Tree is one of them. A row answers a question with 1 if the feature is at least the cut.
type Tree struct {
	Features, Cuts []uint8
	Leaves         []int16 // in units of 1/1024 of a logit
}

// lane is how many rows are asked at once: a byte each of a word.
const lane = 8

// padded is how many bytes a column of so many rows takes.
func padded(rows int) int { return (rows + lane - 1) / lane * lane }

const (
	ones  = 0x0101010101010101
	signs = ones << 7
)

// answer moves the bytes of at by a bit, and adds to each whether the byte of the column is at least the cut.
func answer(at, column []uint8, cut uint8) {
	all := uint64(cut) * ones
	low := all &^ signs
	// The sign of a byte of the difference is whether the low seven bits are at least those of the cut.
	if cut >= 1<<7 {
		for ; len(at) >= lane && len(column) >= lane; at, column = at[lane:], column[lane:] {
			x := binary.LittleEndian.Uint64(column)
			least := ((x | signs) - low) & x
			binary.LittleEndian.PutUint64(at, binary.LittleEndian.Uint64(at)<<1|least&signs>>7)
		}
		return
	}
	for ; len(at) >= lane && len(column) >= lane; at, column = at[lane:], column[lane:] {
		x := binary.LittleEndian.Uint64(column)
		least := ((x | signs) - low) | x
		binary.LittleEndian.PutUint64(at, binary.LittleEndian.Uint64(at)<<1|least&signs>>7)
	}
}

// Score adds up the leaves of each row. The columns are those of a table.
func (f *Forest) Score(columns [][]uint8, rows int) []int32 {
	sums := make([]int32, rows)
	at := make([]uint8, padded(rows))
	for i := range sums {
		sums[i] = f.Base
	}
	var leaves [256]int16 // as many as a byte has values, so that no index is out of range
	for k := range f.Trees {
		t := &f.Trees[k]
		clear(at)
		for level, feature := range t.Features {
			answer(at, columns[feature][:len(at)], t.Cuts[level])
		}
		copy(leaves[:], t.Leaves)
		for i, leaf := range at[:len(sums)] {
			sums[i] += int32(leaves[leaf])
		}
	}
	return sums
}

// one is the sum of the leaves of a single row.
func (f *Forest) one(row []uint8) int32 {
	sum := f.Base
	for k := range f.Trees {
		t := &f.Trees[k]
		at := 0
		for level, feature := range t.Features {
			at <<= 1
			if row[feature] >= t.Cuts[level] {
				at |= 1
			}
		}
		sum += int32(t.Leaves[at])
	}
	return sum
}
