package content

// levels is in how many steps the scores at which main content may begin are looked at.
const levels = 50

// Choose says from which score on blocks are main content, so that the expected F of their words is the best, and
// what that F is in thousandths if each block stands by itself, which comes nearest to what it turns out to be.
//
// What is expected depends on whether the blocks of a page are right or wrong together. If each stands by itself, the
// words that are right are the mean. If they go together, main content is all that is above some score, and a block is
// in it as often as its score says. Three parts of the second and one of the first came nearest to pages that were not
// learnt from.
func (t *Table) Choose(scores []int32) (from, expected int32) {
	var words [1002]int64 // of blocks with at least a score
	all := int64(0)       // words that are right, in thousandths
	for i, s := range scores {
		w := int64(t.blocks[i].words)
		words[s] += w
		all += w * int64(s)
	}
	if all == 0 {
		return 500, 0
	}
	for s := 1000; s >= 0; s-- {
		words[s] += words[s+1]
	}
	best, hit := int64(-1), int64(0)
	from = 1000
	for s := int64(1000); s > 0; s-- {
		chosen := words[s]
		if chosen == words[s+1] {
			continue
		}
		hit += (chosen - words[s+1]) * s
		together := int64(0)
		for level := range int64(levels) {
			main := words[(2*level+1)*1000/(2*levels)]
			together += 2000 * min(chosen, main) / (chosen + main)
		}
		alone := 2000 * hit / (1000*chosen + all)
		if f := 3*together/levels + alone; f > best {
			best, from, expected = f, int32(s), int32(alone)
		}
	}
	return from, expected
}
