package main

import (
	"slices"
	"testing"

	"laundromat/text"
)

// pageOf is a page of blocks with these texts and labels, of four words each.
func pageOf(texts []string, labels []int32) *page {
	p := &page{labels: labels}
	for _, s := range texts {
		start := len(p.text)
		p.text += s
		p.blocks = append(p.blocks, text.Block{Span: text.Span{Start: start, End: len(p.text)}})
		p.words = append(p.words, 4)
	}
	return p
}

// TestEqualBlocksAreTheSameToTheFirstStage, and to the second the one that the first likes best is the right one.
func TestEqualBlocksAreTheSameToTheFirstStage(t *testing.T) {
	p := pageOf([]string{"one", "two", "one", "three", "one"}, []int32{0, 1000, 0, 0, 900})
	if even := p.even(plan{}); !slices.Equal(even, []int32{300, 1000, 300, 0, 300}) {
		t.Errorf("the first stage learns %v", even)
	}
	if best := p.best([]int32{5, 100, 700, 2, 600}, plan{}); !slices.Equal(best, []int32{0, 1000, 900, 0, 0}) {
		t.Errorf("the second stage learns %v", best)
	}
	for _, targets := range [][]int32{p.even(plan{hasTwins: true}), p.best([]int32{5, 100, 700, 2, 600}, plan{hasTwins: true})} {
		if !slices.Equal(targets, p.labels) {
			t.Errorf("without the choice %v is learnt", targets)
		}
	}
}
