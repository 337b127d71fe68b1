package content

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

// Score adds up the leaves of each row.
func (f *Forest) Score(columns [][]uint8, rows int) []int32 {
	sums := make([]int32, rows)
	at := make([]uint8, rows)
	for i := range sums {
		sums[i] = f.Base
	}
	for k := range f.Trees {
		t := &f.Trees[k]
		clear(at)
		for level, feature := range t.Features {
			column, cut := columns[feature][:len(at)], int32(t.Cuts[level])
			for i := range at {
				// The difference has its sign bit where the feature is less than the cut.
				at[i] = at[i]<<1 | uint8(^(int32(column[i])-cut)>>31&1)
			}
		}
		leaves := t.Leaves
		for i := range sums {
			sums[i] += int32(leaves[at[i]])
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
