package content

import "slices"

// longLabel is how many words a text may have that names what follows it.
const longLabel = 8

// labelsOf gives the blocks that may name what a block belongs to: the heading before it, the one above that, and the
// first texts of the elements around it, from the nearest on.
func (t *Table) labelsOf(i int, found []int32) []int32 {
	found = found[:0]
	add := func(j int32) {
		if j >= 0 && j != int32(i) && t.blocks[j].words > 0 && t.blocks[j].words <= longLabel && !slices.Contains(found, j) {
			found = append(found, j)
		}
	}
	add(t.blocks[i].heading)
	add(t.blocks[i].above)
	n := t.within[i]
	for range 5 {
		add(t.nodes[n].first)
		n = t.nodes[n].parent
	}
	return found
}
