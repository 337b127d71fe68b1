package main

import (
	"fmt"

	"laundromat/text/content"
)

// groups are the groups of features that may be left out. choices are what else may be: the scores from which blocks
// are main content, which are another on each page; the weights of words, which are more where a page has few; equal
// blocks, which are learnt as equal; and the number and the depth of the trees.
var (
	groups  = []string{"text", "class", "linear", "kind", "place", "container", "shape", "near", "heading", "path", "page", "stage"}
	choices = []string{"choice", "weights", "twins", "trees", "depth"}
)

// plan is how to learn and to choose.
type plan struct {
	first, second settings
	isFixed       bool // whether blocks count from 0.5 on, on each page
	isEven        bool // whether a word weighs the same on each page
	hasTwins      bool // whether blocks with the same text are told apart
}

// quick is a plan with fewer trees, for what is only compared.
func (o plan) quick() plan {
	for _, s := range []*settings{&o.first, &o.second} {
		s.trees, s.rate = s.trees*2/5, s.rate*5/2
	}
	return o
}

// without is the plan without some groups and choices.
func without(names []string) (plan, error) {
	o := plan{first: firstStage, second: secondStage}
	out := map[int]bool{}
	for _, name := range names {
		features := content.Group(name)
		for _, f := range features {
			out[f] = true
		}
		switch {
		case len(features) > 0:
		case name == "choice":
			o.isFixed = true
		case name == "weights":
			o.isEven = true
		case name == "twins":
			o.hasTwins = true
		case name == "trees":
			o.first.trees, o.second.trees = o.first.trees/2, o.second.trees/2
		case name == "depth":
			o.first.depth, o.second.depth = o.first.depth-2, o.second.depth-2
		default:
			return o, fmt.Errorf("nothing is called %q", name)
		}
	}
	o.first.leave = func(f int) bool { return out[f] }
	o.second.leave = o.first.leave
	return o, nil
}
