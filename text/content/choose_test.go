package content

import (
	"math/rand/v2"
	"testing"
)

// tableOf is a table of blocks with so many words.
func tableOf(words []int32) *Table {
	t := &Table{Rows: len(words), blocks: make([]blockFacts, len(words))}
	for i, w := range words {
		t.blocks[i].words = w
	}
	return t
}

// TestTheChosenBlocksAreThoseExpectedToBeBest: no other score to begin at has a better expectation, whether blocks are
// right together or each by itself, as counted block by block.
func TestTheChosenBlocksAreThoseExpectedToBeBest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + random.IntN(30)
		words, scores := make([]int32, n), make([]int32, n)
		for i := range words {
			words[i], scores[i] = random.Int32N(40), 1+random.Int32N(999)
		}
		table := tableOf(words)
		expectation := func(from int32) (f, alone float64) {
			chosen, hit, all := 0.0, 0.0, 0.0
			for i, s := range scores {
				all += float64(words[i]) * float64(s) / 1000
				if s >= from {
					chosen += float64(words[i])
					hit += float64(words[i]) * float64(s) / 1000
				}
			}
			if chosen == 0 {
				return 0, 0
			}
			for level := range levels {
				least := int32(2*level+1) * 1000 / (2 * levels)
				main, both := 0.0, 0.0
				for i, s := range scores {
					if s >= least {
						main += float64(words[i])
						if s >= from {
							both += float64(words[i])
						}
					}
				}
				f += 0.75 * 2 * both / (chosen + main) / levels
			}
			alone = 2 * hit / (chosen + all)
			return f + 0.25*alone, alone
		}
		from, expected := table.Choose(scores)
		have, alone := expectation(from)
		if diff := alone - float64(expected)/1000; diff < -0.001 || diff > 0.002 {
			t.Errorf("from %d the expectation is %.4f, not %d", from, alone, expected)
		}
		for _, s := range scores {
			if other, _ := expectation(s); other > have+0.003 {
				t.Errorf("from %d the expectation is %.4f, from %d it is %.4f", from, have, s, other)
			}
		}
	}
}

// TestSureBlocksAreChosenAlone, and blocks without words and scores leave the choice as it is.
func TestSureBlocksAreChosenAlone(t *testing.T) {
	for name, c := range map[string]struct {
		words, scores  []int32
		from, expected int32
	}{
		"sure":           {[]int32{100, 100}, []int32{999, 1}, 999, 998},
		"all alike":      {[]int32{5, 7, 9}, []int32{600, 600, 600}, 600, 750},
		"no words":       {[]int32{0, 0}, []int32{900, 100}, 500, 0},
		"nothing at all": {nil, nil, 500, 0},
		"few of many":    {[]int32{50, 1000}, []int32{900, 20}, 900, 782},
	} {
		from, expected := tableOf(c.words).Choose(c.scores)
		if from != c.from || expected < c.expected-15 || expected > c.expected+15 {
			t.Errorf("%s: from %d, expected %d; want from %d, about %d", name, from, expected, c.from, c.expected)
		}
	}
}
