package content

import (
	_ "embed"
	"encoding/binary"
	"sync"
)

// Model is all that was learnt.
type Model struct {
	Words, Classes []int8 // weights by entry
	Linear         *Linear
	PageWords      [][]int8 // one for each kind of page
	KindTrees      []Forest // one for each kind of page
	Stages         [2]Forest
	Sigmoid        []uint16 // the probability in thousandths of a logit, in steps of 1/64 from -8
}

// steps is how many probabilities a model holds.
const steps = 1024

// Probability is that of a sum of leaves, in thousandths.
func (m *Model) Probability(sum int32) int32 {
	return int32(m.Sigmoid[max(0, min(steps-1, (sum+8*1024)>>4))])
}

// Encode writes a model as it is embedded.
func (m *Model) Encode() (out []byte) {
	weights := func(w []int8) {
		for _, v := range w {
			out = append(out, byte(v))
		}
	}
	weights(m.Words)
	weights(m.Classes)
	out = binary.BigEndian.AppendUint16(out, uint16(m.Linear.Bias))
	for _, w := range m.Linear.Weights {
		weights(w)
	}
	for _, w := range m.PageWords {
		weights(w)
	}
	for _, s := range m.Sigmoid {
		out = binary.BigEndian.AppendUint16(out, s)
	}
	forest := func(f *Forest) {
		out = binary.BigEndian.AppendUint32(out, uint32(f.Base))
		out = binary.BigEndian.AppendUint16(out, uint16(len(f.Trees)))
		for i := range f.Trees {
			t := &f.Trees[i]
			out = append(out, byte(len(t.Features)))
			out = append(append(out, t.Features...), t.Cuts...)
			for _, v := range t.Leaves {
				out = binary.BigEndian.AppendUint16(out, uint16(v))
			}
		}
	}
	for i := range m.KindTrees {
		forest(&m.KindTrees[i])
	}
	for i := range m.Stages {
		forest(&m.Stages[i])
	}
	return out
}

// Decode reads what Encode wrote.
func Decode(from string) *Model {
	take := func(n int) string {
		taken := from[:n]
		from = from[n:]
		return taken
	}
	weights := func(n int) []int8 {
		w := make([]int8, n)
		for i, c := range []byte(take(len(w))) {
			w[i] = int8(c)
		}
		return w
	}
	number := func() int { return int(binary.BigEndian.Uint16([]byte(take(2)))) }
	m := &Model{Words: weights(1 << lexiconBits), Classes: weights(1 << lexiconBits)}
	m.Linear = &Linear{Bias: int16(number())}
	for k := range m.Linear.Weights {
		m.Linear.Weights[k] = weights(TermEntries(k))
	}
	for range Kinds {
		m.PageWords = append(m.PageWords, weights(PageEntries))
	}
	for range steps {
		m.Sigmoid = append(m.Sigmoid, uint16(number()))
	}
	forest := func() Forest {
		f := Forest{Base: int32(binary.BigEndian.Uint32([]byte(take(4))))}
		f.Trees = make([]Tree, number())
		for i := range f.Trees {
			depth := int(take(1)[0])
			t := Tree{Features: []uint8(take(depth)), Cuts: []uint8(take(depth))}
			for range 1 << depth {
				t.Leaves = append(t.Leaves, int16(number()))
			}
			f.Trees[i] = t
		}
		return f
	}
	for range Kinds {
		m.KindTrees = append(m.KindTrees, forest())
	}
	m.Stages = [2]Forest{forest(), forest()}
	return m
}

// Learn fills the features that weights make; nil leaves them as they are.
func (t *Table) Learn(words, classes []int8, pageWords [][]int8) {
	t.learnt(words, classes)
	t.kindWeights(pageWords)
}

// FillKinds fills how likely each kind of page is, in thousandths.
func (t *Table) FillKinds(scores [len(Kinds)]int32) {
	var small [len(Kinds)]uint8
	for k, s := range scores {
		small[k] = uint8(s / 4)
	}
	t.kinds(small)
}

// FillScores fills the features of the second stage from the scores of the first, in thousandths.
func (t *Table) FillScores(scores []int32) { t.scored(scores) }

// KindScores says how likely each kind of page is, in thousandths.
func (m *Model) KindScores(page []uint8) (scores [len(Kinds)]int32) {
	sum := int32(0)
	for k := range m.KindTrees {
		scores[k] = m.Probability(m.KindTrees[k].one(page))
		sum += scores[k]
	}
	for k := range scores {
		scores[k] = scores[k] * 1000 / max(1, sum)
	}
	return scores
}

// Scores are the probabilities, in thousandths, that the blocks are main content.
func (m *Model) Scores(t *Table) (scores []int32, kinds [len(Kinds)]int32) {
	t.Learn(m.Words, m.Classes, m.PageWords)
	t.FillLinear(m.Linear)
	kinds = m.KindScores(t.Page)
	t.FillKinds(kinds)
	for stage := range m.Stages {
		if stage == 1 {
			t.FillScores(scores)
		}
		scores = m.Stages[stage].Score(t.Columns, t.Rows)
		for i := range scores {
			scores[i] = m.Probability(scores[i])
		}
	}
	return scores, kinds
}

//go:embed model.bin
var embedded string

var model = sync.OnceValue(func() *Model { return Decode(embedded) })
