package content

// Linear is a logistic regression over many terms of a block. It has a table of weights for each kind of term, in
// units of 1/64 of a logit.
type Linear struct {
	Bias    int16
	Weights [Terms][]int8
}

// The kinds of terms.
const (
	TermWords    = iota // the words of the block
	TermClasses         // the parts of classes and ids around it
	TermLabels          // the words of what names the part of the page that it is in
	TermShapes          // the kind of the block with the elements around it, and with its length
	TermFeatures        // the values of its features
	TermKinds           // the same with the kind of the block
	// Terms is how many kinds of terms there are.
	Terms
)

// termUnit is how much a term counts that counts once.
const termUnit = 256

const (
	featureStep  = 16 // values of a feature that are one term
	featureTerms = 256 / featureStep
	blockKinds   = 16 // there are fewer
)

// farthest is the largest that the classes around a block may say, however deep it is.
const farthest = 1 << 22

// TermEntries is how many weights the terms of a kind have.
func TermEntries(kind int) int {
	switch kind {
	case TermFeatures:
		return fLearnt * featureTerms
	case TermKinds:
		return fLearnt * featureTerms * blockKinds
	}
	return 1 << lexiconBits
}

// mix is the entry of two numbers.
func mix(a, b uint32) Hash {
	h := (a+1)*0x9E3779B1 ^ (b+7)*0x85EBCA6B
	h ^= h >> 15
	h *= 0x2C1B3C6D
	return entry(h ^ h>>13)
}

// termReader reads the terms of a table's blocks.
type termReader struct {
	table  *Table
	labels []int32
	// Each is called with each term of a block, and how much it counts, in units of 1/termUnit.
	each func(kind int, h Hash, value int32)
}

// EachTerm calls each with each term of a block, and how much it counts, in units of 1/256.
func (t *Table) EachTerm(i int, each func(kind int, h Hash, value int32)) {
	r := &termReader{table: t, each: each}
	r.words(i)
	r.classes(i)
	r.names(i)
	r.shapes(i)
	r.features(i)
}

// words reads those of a block. They count the less, the more of them there are.
func (r *termReader) words(i int) {
	b := &r.table.blocks[i]
	words := r.table.BlockHashes[b.from:b.to]
	for _, h := range words {
		r.each(TermWords, h, wordValue(len(words)))
	}
}

// wordValue is how much each of so many words of a block counts.
func wordValue(words int) int32 { return int32(4 * termUnit / (words + 3)) }

// classes reads those of all elements around a block.
func (r *termReader) classes(i int) {
	t := r.table
	for n := t.within[i]; n > 0; n = t.nodes[n].parent {
		for _, h := range t.NodeHashes[t.nodes[n].from:t.nodes[n].to] {
			r.each(TermClasses, h, termUnit)
		}
	}
}

// names reads the words of what names the part of the page that a block is in.
func (r *termReader) names(i int) {
	t := r.table
	r.labels = t.labelsOf(i, r.labels)
	for _, j := range r.labels {
		words := t.BlockHashes[t.blocks[j].from:t.blocks[j].to]
		for _, h := range words {
			r.each(TermLabels, h, termUnit/int32(len(words)))
		}
	}
}

// features reads the terms that are values of the features of a block.
func (r *termReader) features(i int) {
	for f := range fLearnt {
		at := f*featureTerms + int(r.table.Columns[f][i])/featureStep
		r.each(TermFeatures, Hash(at), termUnit)
		r.each(TermKinds, Hash(at*blockKinds+int(r.table.blocks[i].kind)), termUnit/2)
	}
}

// linearFeatures is what the values of features weigh in each block, alone and with its kind. It goes through them
// feature by feature, as the weights of one are together.
func (t *Table) linearFeatures(l *Linear) (alone, withKind []int32) {
	alone, withKind = make([]int32, t.Rows), make([]int32, t.Rows)
	kinds := make([]uint8, t.Rows)
	for i := range kinds {
		kinds[i] = uint8(t.blocks[i].kind)
	}
	for f := range fLearnt {
		column := t.Columns[f][:len(kinds)]
		weights := (*[featureTerms]int8)(l.Weights[TermFeatures][f*featureTerms:])
		ofKinds := (*[featureTerms * blockKinds]int8)(l.Weights[TermKinds][f*featureTerms*blockKinds:])
		for i, kind := range kinds {
			at := column[i] / featureStep
			alone[i] += int32(weights[at])
			withKind[i] += int32(ofKinds[at*blockKinds+kind])
		}
	}
	for i := range kinds {
		alone[i] *= termUnit
		withKind[i] *= termUnit / 2
	}
	return alone, withKind
}

// shapes reads what goes with the kind of a block.
func (r *termReader) shapes(i int) {
	t := r.table
	b := &t.blocks[i]
	kind := uint32(b.kind)
	r.each(TermShapes, mix(kind, 1), termUnit)
	n := t.within[i]
	for up := range uint32(4) {
		around := &t.nodes[n]
		named := kind*64 + uint32(around.name)
		r.each(TermShapes, mix(named, 10+up), termUnit)
		if around.to > around.from {
			r.each(TermShapes, mix(named, 1000+uint32(t.NodeHashes[around.from])), termUnit)
		}
		n = around.parent
	}
	length := uint32(lg(int(b.words)) / 8)
	r.each(TermShapes, mix(length, 20+kind), termUnit)
	r.each(TermShapes, mix(uint32(t.Columns[fLinked][i]/64), 400+kind*32+length), termUnit)
}

// FillLinear fills the features that a linear model makes.
func (t *Table) FillLinear(l *Linear) {
	classes := make([]int32, len(t.nodes)) // what those of each node and around it say: a block may be deep
	for i := 1; i < len(t.nodes); i++ {
		n := &t.nodes[i]
		said := classes[n.parent]
		for _, h := range t.NodeHashes[n.from:n.to] {
			said += int32(l.Weights[TermClasses][h]) * termUnit
		}
		classes[i] = max(-farthest, min(farthest, said))
	}
	totals := make([]int32, t.Rows)
	nodes, weights := make([]int64, len(t.nodes)), make([]int64, len(t.nodes))
	var rank [257]int64 // words of blocks with at least so much
	var sums [Terms]int32
	r := termReader{table: t, each: func(kind int, h Hash, value int32) { sums[kind] += int32(l.Weights[kind][h]) * value }}
	c := t.Columns
	alone, withKind := t.linearFeatures(l)
	for i := range t.blocks {
		sums = [Terms]int32{TermClasses: classes[t.within[i]], TermFeatures: alone[i], TermKinds: withKind[i]}
		words := t.BlockHashes[t.blocks[i].from:t.blocks[i].to]
		for _, h := range words {
			sums[TermWords] += int32(l.Weights[TermWords][h])
		}
		sums[TermWords] *= wordValue(len(words))
		r.names(i)
		r.shapes(i)
		total := int32(l.Bias)
		for k, s := range sums {
			c[fLinear+1+k][i] = around(int(s / termUnit / 4))
			total += s / termUnit
		}
		totals[i] = max(-512, min(508, total))
		c[fLinear][i] = around(int(totals[i] / 4))
		w := int64(min(1+t.blocks[i].words, 1000))
		nodes[t.within[i]] += int64(totals[i]) * w
		weights[t.within[i]] += w
		rank[c[fLinear][i]] += int64(t.blocks[i].words)
	}
	for v := 255; v >= 0; v-- {
		rank[v] += rank[v+1]
	}
	for i := len(t.nodes) - 1; i > 0; i-- {
		nodes[t.nodes[i].parent] += nodes[i]
		weights[t.nodes[i].parent] += weights[i]
	}
	for i := range t.blocks {
		for k, d := range [2]int{-1, 1} {
			c[fLinearNear+k][i] = 128
			if j := i + d; j >= 0 && j < t.Rows {
				c[fLinearNear+k][i] = around(int(totals[j] / 4))
			}
		}
		n := t.within[i]
		for k := range 3 {
			c[fLinearUp+k][i] = around(int(nodes[n] / max(1, weights[n]) / 4))
			n = t.nodes[n].parent
		}
		c[fLinearRank][i] = share(int(rank[int(c[fLinear][i])+1]), int(rank[0]))
	}
}
