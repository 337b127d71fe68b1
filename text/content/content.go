// Package content says of each block of a page whether it is part of the main content, what else it is, and how sure
// that is. It says what kind of page it is, and how well the main content is likely to be found.
//
// Nothing is dropped. Small boosted trees over features of a block and of what stands around it give each block a
// score. They are trained by the program in train on pages whose main content was reviewed by people. All of it is
// integers, so that a page has the same scores on every machine, and wherever it is read.
package content

import (
	"laundromat/text"
	"laundromat/text/block"
)

// Page is a page whose blocks are to be judged.
type Page struct {
	Text   string
	Blocks []text.Block
	Links  []text.Span
	Nodes  []block.Node
	Within []int32 // the number of the innermost node around each block
	Facts  Facts
}

// Facts is what a page says of itself.
type Facts struct {
	// URL is where the page says that it is.
	URL, Title         string
	OpenGraph          string        // the type of Open Graph
	Generator          string        // the program that made the page
	Types              []string      // of JSON-LD
	Body               string        // articleBody of JSON-LD
	Told               [Tellings]int // how many texts, names and reviews it has
	HasDate, HasAuthor bool
}

// Told counts strings of JSON-LD: texts, names of things, and reviews.
const (
	ToldTexts = iota
	ToldNames
	ToldReviews
	// Tellings is how many kinds there are.
	Tellings
)

// Verdict is what is said of a page as a whole.
type Verdict struct {
	Kind string
	// Confidence is how well the words of the main part are likely to be those of the page's main content: the
	// expected F, in thousandths.
	Confidence int
}

// Kinds are the kinds of pages.
var Kinds = [...]string{"article", "service", "product", "collection", "forum", "listing", "documentation"}
