package content

import "laundromat/text"

// Table is all that is known of the blocks of a page, before anything learnt is applied.
type Table struct {
	Rows    int
	Columns [][]uint8 // the features: a column each, with a row for each block
	// BlockHashes are the words of the blocks, and NodeHashes the parts of the classes and ids of elements.
	// PageHashes are of the URL, the generator and the like, for the page as a whole.
	BlockHashes, NodeHashes, PageHashes []Hash
	Page                                []uint8 // the features of the page

	blocks []blockFacts
	nodes  []node
	shapes []group
	within []int32
	base   int32 // the story: see there
}

// blockFacts is what is known of a block by itself.
type blockFacts struct {
	counts
	weights
	from, to           int32 // of BlockHashes
	links, digits      int32
	upper, long        int32
	first, last, marks uint8
	same               int32 // blocks of the page with the same text
	inBody             uint8 // how many of its words are in articleBody
	heading            int32 // the heading before it; -1 for none
	above              int32 // the heading that is above that one; -1 for none
	kind               text.Kind
	h1                 bool
}

// counts are what is counted in a block, and in all blocks of an element.
type counts struct{ blocks, words, chars, linked, prose, ends, commas int32 }

func (c *counts) add(o *counts) {
	c.blocks, c.words, c.chars, c.linked = c.blocks+o.blocks, c.words+o.words, c.chars+o.chars, c.linked+o.linked
	c.prose, c.ends, c.commas = c.prose+o.prose, c.ends+o.ends, c.commas+o.commas
}

// weights are those of the words of a block.
type weights struct{ mean, sum, least int16 }

// The marks of a block.
const (
	hasPrice uint8 = 1 << iota
	hasYear
	hasAt
	hasCopyright
)

// From here on the features are named; the columns of learnt weights follow those of counts.
const (
	fWords = iota
	fChars
	fLinked
	fLinks
	fKind
	fLevel
	fName
	fCommas
	fEnds
	fFirst
	fLast
	fDigits
	fUpper
	fLong
	fMarks
	fGapBefore
	fGapAfter
	fAt
	fAtChars
	fFromStart
	fFromEnd
	fDepth
	fFlags // the next are each for one kind of element around it
)
const (
	fSame    = fFlags + 17 + iota
	fHeading // blocks since the heading
	fHeadingLevel
	fH1 // blocks since the first heading of level 1
	fSectionWords
	fSectionLinked
	fStory // whether it is in the story, and how deep
	fStoryBefore
	fShapeBlocks
	fShapeWords
	fShapeLinked
	fShapeShare
	fShapeNodes
	fUp // of the node, and the three around it: words, links, blocks, share of the page, prose, ends
)
const (
	fNear      = fUp + 4*6 // of the blocks at -2, -1, 1, 2: words, links, kind
	fWindow    = fNear + 4*3
	fWindowEnd = fWindow + 4
	fPage      = fWindowEnd
)
const (
	fPageWords = fPage + iota
	fPageLinked
	fPageBlocks
	fPageProse
	fPageStory
	fPageHeadings
	fPageTypes
	fLearnt // the features made of weights that were learnt
)
const (
	fTextMean = fLearnt + iota
	fTextSum
	fTextLeast
	fClass
	fClassUp
	fClassUp2
	fClassLeast
	fClassMost
	fClassSum
	fClassLast
	fHeadingMean
	fNearMean                   // at -2, -1, 1, 2
	fNearClass  = fNearMean + 4 // at -1, 1
	fStoryClass = fNearClass + 2
	fUpMean     = fStoryClass + 1
	fLinear     = fUpMean + 1 // what the linear model says: in all, and by each kind of terms
	fLinearNear = fLinear + 1 + Terms
	fLinearUp   = fLinearNear + 2
	fLinearRank = fLinearUp + 3   // the share of words for which it says more
	fKindScore  = fLinearRank + 1 // of each kind of pages
	fStage      = fKindScore + 7
)
const (
	fScore      = fStage + iota
	fScoreNear  // at -3 to 3 but for itself
	fScoreMean3 = fScoreNear + 6
	fScoreMean8 = fScoreMean3 + 1
	fScoreUp    = fScoreMean8 + 1 // of the node and the three around it
	fScoreShape = fScoreUp + 4
	fScoreHead  = fScoreShape + 1
	fScorePage  = fScoreHead + 1
	fScoreStory = fScorePage + 1
	// Features is how many there are.
	Features = fScoreStory + 1
)

// First and Second are how many features the trees of the first and second stage see.
const (
	First  = fStage
	Second = Features
)

// Read makes the table of a page.
func Read(p *Page) *Table {
	t := &Table{Rows: len(p.Blocks), within: p.Within}
	t.makeColumns()
	t.readNodes(p)
	t.readBlocks(p)
	t.fillNodes(p)
	t.base = t.story()
	t.own(p)
	t.places(p)
	t.containers()
	t.neighbours()
	t.page(p)
	return t
}

// makeColumns makes columns of zeros. Each has room for whole lanes; see answer.
func (t *Table) makeColumns() {
	stride := padded(t.Rows)
	all := make([]uint8, Features*stride)
	t.Columns = make([][]uint8, Features)
	for f := range t.Columns {
		t.Columns[f] = all[f*stride : f*stride+t.Rows : (f+1)*stride]
	}
}

// readBlocks counts what is in each block.
func (t *Table) readBlocks(p *Page) {
	t.blocks = make([]blockFacts, len(p.Blocks))
	t.BlockHashes = make([]Hash, 0, len(p.Text)/5)
	var c scan
	body := known(&c, p.Facts.Body)
	link := 0
	firsts := make(map[string]int32, len(p.Blocks)) // the first block of each text
	twins := make([]int32, len(p.Blocks))
	heading := int32(-1)
	var outline []int32 // the headings that are open, each of a deeper level than the one before
	for i := range p.Blocks {
		b, f := &p.Blocks[i], &t.blocks[i]
		s := p.Text[b.Start:b.End]
		c.read(s)
		f.from = int32(len(t.BlockHashes))
		t.BlockHashes = append(t.BlockHashes, c.hashes...)
		f.to = int32(len(t.BlockHashes))
		f.counts = counts{blocks: 1, words: int32(c.words), chars: int32(c.chars), commas: int32(c.commas), ends: int32(c.ends)}
		f.digits, f.upper = int32(c.digits), int32(c.upper)
		f.long = int32(c.long)
		f.first, f.last = charClass(c.first), charClass(c.last)
		f.marks = c.marks
		for link < len(p.Links) && p.Links[link].End <= b.Start {
			link++
		}
		for j := link; j < len(p.Links) && p.Links[j].Start < b.End; j++ {
			f.links++
			f.linked += int32(max(0, min(b.End, p.Links[j].End)-max(b.Start, p.Links[j].Start)))
		}
		f.linked = min(f.linked, f.chars) // offsets count bytes and spaces, too
		if isProse(b, c.words, c.chars, int(f.linked)) {
			f.prose = f.chars - f.linked
		}
		f.kind = b.Kind
		f.h1 = b.Kind == text.Heading && b.Level == 1
		f.inBody = body.share(c.hashes)
		f.heading, f.above = heading, -1
		if n := len(outline); n > 1 {
			f.above = outline[n-2]
		}
		if b.Kind == text.Heading {
			heading = int32(i)
			for n := len(outline); n > 0 && p.Blocks[outline[n-1]].Level >= b.Level; n-- {
				outline = outline[:n-1]
			}
			outline = append(outline, heading)
		}
		first, ok := firsts[s]
		if !ok {
			first = int32(i)
			firsts[s] = first
		}
		twins[i] = first
		t.blocks[first].same++
	}
	for i := range t.blocks {
		t.blocks[i].same = t.blocks[twins[i]].same
	}
}

// own fills what a block says by itself.
func (t *Table) own(p *Page) {
	c := t.Columns
	for i := range t.blocks {
		b := &t.blocks[i]
		n := &t.nodes[p.Within[i]]
		c[fWords][i], c[fChars][i] = lg(int(b.words)), lg(int(b.chars))
		c[fLinked][i] = share(int(b.linked), int(b.chars))
		c[fLinks][i] = lg(int(b.links))
		c[fKind][i], c[fLevel][i], c[fName][i] = uint8(b.kind), uint8(p.Blocks[i].Level), n.name
		c[fCommas][i], c[fEnds][i] = share(8*int(b.commas), int(b.words)), share(8*int(b.ends), int(b.words))
		c[fFirst][i], c[fLast][i] = b.first, b.last
		c[fDigits][i], c[fUpper][i] = share(int(b.digits), int(b.chars)), share(2*int(b.upper), int(b.chars))
		c[fLong][i] = share(int(b.long), int(b.words))
		c[fMarks][i] = b.marks
		c[fDepth][i] = n.depth
		for f := range 17 {
			c[fFlags+f][i] = uint8(n.flags >> f & 1)
		}
		c[fSame][i] = lg(int(b.same) - 1)
	}
}

// places fills where a block stands.
func (t *Table) places(p *Page) {
	c := t.Columns
	total, h1 := 0, -1
	for i := range t.blocks {
		total += int(t.blocks[i].chars)
		if h1 < 0 && t.blocks[i].h1 {
			h1 = i
		}
	}
	at := 0
	for i := range t.blocks {
		b := &p.Blocks[i]
		before, after := b.Bytes.Start, 0
		if i > 0 {
			before -= p.Blocks[i-1].Bytes.End
		}
		if i+1 < len(p.Blocks) {
			after = p.Blocks[i+1].Bytes.Start - b.Bytes.End
		}
		c[fGapBefore][i], c[fGapAfter][i] = lg(before), lg(after)
		c[fAt][i], c[fAtChars][i] = share(i, t.Rows), share(at, total)
		at += int(t.blocks[i].chars)
		c[fFromStart][i], c[fFromEnd][i] = lg(i), lg(t.Rows-1-i)
		if h1 >= 0 {
			d := i - h1
			if d >= 0 {
				c[fH1][i] = 128 + lg(d)/2
			} else {
				c[fH1][i] = 127 - lg(-d)/2
			}
		}
		if h := t.blocks[i].heading; h >= 0 {
			c[fHeading][i], c[fHeadingLevel][i] = lg(i-int(h)), uint8(p.Blocks[h].Level)
		} else {
			c[fHeading][i] = 255
		}
	}
	for i := 0; i < t.Rows; { // sections: from a heading to before the next
		end := i + 1
		words, chars, linked := int(t.blocks[i].words), int(t.blocks[i].chars), int(t.blocks[i].linked)
		for ; end < t.Rows && t.blocks[end].kind != text.Heading; end++ {
			words, chars, linked = words+int(t.blocks[end].words), chars+int(t.blocks[end].chars), linked+int(t.blocks[end].linked)
		}
		for ; i < end; i++ {
			c[fSectionWords][i], c[fSectionLinked][i] = lg(words), share(linked, chars)
		}
	}
}

// containers fills what the elements around a block hold.
func (t *Table) containers() {
	c := t.Columns
	all := &t.nodes[0]
	base := &t.nodes[t.base]
	inside := make([]uint8, len(t.nodes)) // how deep in the story each node is
	inside[t.base] = 1
	for i := int(t.base) + 1; i < len(t.nodes); i++ {
		if around := inside[t.nodes[i].parent]; around > 0 {
			inside[i] = min(254, around) + 1
		}
	}
	for i := range t.blocks {
		n := &t.nodes[t.within[i]]
		c[fStory][i] = inside[t.within[i]]
		g := &t.shapes[n.shape]
		c[fShapeBlocks][i], c[fShapeWords][i] = lg(int(g.blocks)), lg(int(g.words/max(1, g.blocks)))
		c[fShapeLinked][i], c[fShapeShare][i], c[fShapeNodes][i] = share(int(g.linked), int(g.chars)), share(int(g.chars),
			int(all.chars)), lg(int(g.nodes))
		for up := range 4 {
			f := fUp + 6*up
			c[f][i], c[f+1][i], c[f+2][i] = lg(int(n.words)), share(int(n.linked), int(n.chars)), lg(int(n.blocks))
			c[f+3][i], c[f+4][i], c[f+5][i] = share(int(n.chars), int(all.chars)), share(int(n.prose), int(all.prose)),
				share(8*int(n.ends), int(n.words))
			n = &t.nodes[n.parent]
		}
		switch {
		case base.first < 0 || int32(i) < base.first:
			c[fStoryBefore][i] = 1
		case int32(i) > base.lastBlock:
			c[fStoryBefore][i] = 2
		}
	}
}

var nearby = [4]int{-2, -1, 1, 2}

// neighbours fills what the blocks before and after are.
func (t *Table) neighbours() {
	c := t.Columns
	for i := range t.blocks {
		for k, d := range nearby {
			f := fNear + 3*k
			if j := i + d; j >= 0 && j < t.Rows {
				c[f][i], c[f+1][i], c[f+2][i] = c[fWords][j], c[fLinked][j], 1+c[fKind][j]
			}
		}
		for k, side := range [2][2]int{{-5, -1}, {1, 5}} {
			words, chars, linked := 0, 0, 0
			for j := max(0, i+side[0]); j <= i+side[1] && j < t.Rows; j++ {
				b := &t.blocks[j]
				words, chars, linked = words+int(b.words), chars+int(b.chars), linked+int(b.linked)
			}
			c[fWindow+2*k][i], c[fWindow+2*k+1][i] = lg(words), share(linked, chars)
		}
	}
}

// learnt fills the features that weights make.
func (t *Table) learnt(words, classes []int8) {
	c := t.Columns
	t.weigh(classes)
	for i := range t.blocks {
		b := &t.blocks[i]
		sum, least, count := 0, 0, 0
		for _, h := range t.BlockHashes[b.from:b.to] {
			if w := int(words[h]); w != 0 {
				sum += w
				least = min(least, w)
				count++
			}
		}
		b.weights = weights{int16(sum / max(1, count)), int16(max(-4000, min(4000, sum))), int16(least)}
	}
	for i := range t.blocks {
		b := &t.blocks[i]
		n := &t.nodes[t.within[i]]
		up := &t.nodes[n.parent]
		c[fTextMean][i], c[fTextSum][i], c[fTextLeast][i] = around(int(b.mean)), around(int(b.sum)/8), around(int(b.least))
		c[fClass][i], c[fClassUp][i], c[fClassUp2][i] = around(int(n.weight)/2), around(int(up.weight)/2),
			around(int(t.nodes[up.parent].weight)/2)
		c[fClassLeast][i], c[fClassMost][i], c[fClassSum][i], c[fClassLast][i] = around(int(n.least)/2),
			around(int(n.most)/2), around(int(n.sum)/8), around(int(n.last)/2)
		c[fStoryClass][i] = around(int(t.nodes[t.base].sum) / 8)
		c[fHeadingMean][i] = 128
		if b.heading >= 0 {
			c[fHeadingMean][i] = around(int(t.blocks[b.heading].mean))
		}
		for k, d := range nearby {
			c[fNearMean+k][i] = 128
			if j := i + d; j >= 0 && j < t.Rows {
				c[fNearMean+k][i] = around(int(t.blocks[j].mean))
			}
		}
		for k, d := range [2]int{-1, 1} {
			c[fNearClass+k][i] = 128
			if j := i + d; j >= 0 && j < t.Rows {
				c[fNearClass+k][i] = around(int(t.nodes[t.within[j]].sum) / 8)
			}
		}
		sum, count := 0, 0
		if up.first >= 0 {
			for j := up.first; j <= up.lastBlock && j < up.first+12; j++ {
				sum += int(t.blocks[j].mean)
				count++
			}
		}
		c[fUpMean][i] = around(sum / max(1, count))
	}
}

// kinds fills how likely each kind of page is, in 255ths.
func (t *Table) kinds(scores [len(Kinds)]uint8) {
	for k, s := range scores {
		column := t.Columns[fKindScore+k]
		for i := range column {
			column[i] = s
		}
	}
}

// scored fills the features of the second stage from the scores of the first, in thousandths.
func (t *Table) scored(scores []int32) {
	c := t.Columns
	sums, weights := make([]int64, len(t.nodes)), make([]int64, len(t.nodes))
	shapeSums, shapeWeights := make([]int64, len(t.shapes)), make([]int64, len(t.shapes))
	for i, s := range scores {
		w := int64(min(1+t.blocks[i].words, 1000))
		sums[t.within[i]] += int64(s) * w
		weights[t.within[i]] += w
		shape := t.nodes[t.within[i]].shape
		shapeSums[shape] += int64(s) * w
		shapeWeights[shape] += w
	}
	for i := len(t.nodes) - 1; i > 0; i-- {
		sums[t.nodes[i].parent] += sums[i]
		weights[t.nodes[i].parent] += weights[i]
	}
	mean := func(sum, weight int64) uint8 { return uint8(sum / max(1, weight) / 4) }
	for i, s := range scores {
		c[fScore][i] = uint8(s / 4)
		k := 0
		for d := -3; d <= 3; d++ {
			if d == 0 {
				continue
			}
			if j := i + d; j >= 0 && j < len(scores) {
				c[fScoreNear+k][i] = 1 + uint8(scores[j]/4)
			} else {
				c[fScoreNear+k][i] = 0
			}
			k++
		}
		for k, reach := range [2]int{3, 8} {
			sum, weight := int64(0), int64(0)
			for j := max(0, i-reach); j <= i+reach && j < len(scores); j++ {
				w := int64(min(1+t.blocks[j].words, 1000))
				sum += int64(scores[j]) * w
				weight += w
			}
			c[fScoreMean3+k][i] = mean(sum, weight)
		}
		n := t.within[i]
		for k := range 4 {
			c[fScoreUp+k][i] = mean(sums[n], weights[n])
			n = t.nodes[n].parent
		}
		shape := t.nodes[t.within[i]].shape
		c[fScoreShape][i] = mean(shapeSums[shape], shapeWeights[shape])
		if h := t.blocks[i].heading; h >= 0 {
			c[fScoreHead][i] = 1 + uint8(scores[h]/4)
		} else {
			c[fScoreHead][i] = 0
		}
		c[fScorePage][i] = mean(sums[0], weights[0])
		c[fScoreStory][i] = mean(sums[t.base], weights[t.base])
	}
}
