package content

import "iter"

// WordsOf are the words of a block, each once for each time it stands there.
func (t *Table) WordsOf(i int) iter.Seq[Hash] {
	return func(yield func(Hash) bool) {
		for _, h := range t.BlockHashes[t.blocks[i].from:t.blocks[i].to] {
			if !yield(h) {
				return
			}
		}
	}
}

// NamesAround are the parts of the classes and ids of the elements around a block.
func (t *Table) NamesAround(i int) iter.Seq[Hash] {
	return func(yield func(Hash) bool) {
		for n := t.within[i]; n > 0; n = t.nodes[n].parent {
			for _, h := range t.NodeHashes[t.nodes[n].from:t.nodes[n].to] {
				if !yield(h) {
					return
				}
			}
		}
	}
}

// Group are the features of a group: what the training leaves out to show what a group earns.
func Group(name string) (features []int) {
	from := func(first, last int) {
		for f := first; f < last; f++ {
			features = append(features, f)
		}
	}
	switch name {
	case "text":
		from(fTextMean, fTextLeast+1)
		from(fNearMean, fNearMean+4)
		from(fUpMean, fUpMean+1)
		from(fHeadingMean, fHeadingMean+1)
	case "class":
		from(fClass, fClassLast+1)
		from(fNearClass, fStoryClass+1)
	case "linear":
		from(fLinear, fLinearRank+1)
	case "kind":
		from(fKindScore, fKindScore+len(Kinds))
	case "place":
		from(fGapBefore, fFromEnd+1)
	case "container":
		from(fUp, fNear)
		from(fStory, fStoryBefore+1)
	case "shape":
		from(fShapeBlocks, fShapeNodes+1)
		from(fSame, fSame+1)
	case "near":
		from(fNear, fWindowEnd)
	case "heading":
		from(fHeading, fSectionLinked+1)
	case "path":
		from(fDepth, fFlags+17)
		from(fName, fName+1)
	case "page":
		from(fPage, fLearnt)
	case "stage":
		from(fStage, Features)
	}
	return features
}
