package content

import (
	"math/rand/v2"
	"testing"
)

// TestAnswersAreThoseOfEachRow: rows that are asked together have the leaves that each has by itself.
func TestAnswersAreThoseOfEachRow(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for rows := range 40 {
		table := &Table{Rows: rows}
		table.makeColumns()
		row := make([][]uint8, rows)
		for i := range row {
			row[i] = make([]uint8, Features)
			for f := range row[i] {
				row[i][f] = uint8(random.Uint32())
				table.Columns[f][i] = row[i][f]
			}
		}
		forest := Forest{Base: 7}
		for range 20 {
			tree := Tree{}
			for range 1 + random.IntN(6) {
				tree.Features = append(tree.Features, uint8(random.IntN(Features)))
				tree.Cuts = append(tree.Cuts, uint8(random.Uint32()))
			}
			for range 1 << len(tree.Features) {
				tree.Leaves = append(tree.Leaves, int16(random.Uint32()))
			}
			forest.Trees = append(forest.Trees, tree)
		}
		for i, sum := range forest.Score(table.Columns, rows) {
			if alone := forest.one(row[i]); sum != alone {
				t.Errorf("%d rows: row %d has %d, by itself %d", rows, i, sum, alone)
			}
		}
	}
}
