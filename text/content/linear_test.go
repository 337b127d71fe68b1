package content

import (
	"math/rand/v2"
	"testing"

	"laundromat/text"
)

// TestTheLinearModelSaysWhatItsTermsWeigh: the feature of a block is the bias and the weight of each of its terms as
// often as it counts, as far as a feature reaches.
func TestTheLinearModelSaysWhatItsTermsWeigh(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	p := &Page{Text: "Boats for sale Red boats are the best of all that sail on the river. Cookies"}
	for _, end := range []int{14, 68, 76} {
		start := 0
		if n := len(p.Blocks); n > 0 {
			start = p.Blocks[n-1].End + 1
		}
		p.Blocks = append(p.Blocks, text.Block{Span: text.Span{Start: start, End: end}, Kind: text.Paragraph})
		p.Within = append(p.Within, 0)
	}
	p.Blocks[0].Kind, p.Blocks[0].Level = text.Heading, 1
	for range 50 {
		l := &Linear{Bias: int16(random.IntN(64))}
		for k := range l.Weights {
			for range TermEntries(k) {
				l.Weights[k] = append(l.Weights[k], int8(random.IntN(9)-4))
			}
		}
		table := Read(p)
		table.FillLinear(l)
		for i := range p.Blocks {
			var sums [Terms]int32
			n := 0
			table.EachTerm(i, func(kind int, h Hash, value int32) {
				sums[kind] += int32(l.Weights[kind][h]) * value
				n++
			})
			want := int32(l.Bias)
			for _, s := range sums {
				want += s / 256
			}
			if n < fLearnt {
				t.Fatalf("block %d has %d terms", i, n)
			}
			if got := table.Columns[fLinear][i]; got != around(int(max(-512, min(508, want))/4)) {
				t.Errorf("block %d has %d, its terms weigh %d", i, got, want)
			}
		}
	}
}
