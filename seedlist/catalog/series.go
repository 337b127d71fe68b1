package catalog

import "hash/maphash"

// series is what is known of pages that follow one another, as those of a search.
type series struct {
	// records is how many records the pages of a search held so far, with those that it began after.
	// One of them held at most most. If they are counted, counting is true.
	records, most int64
	counting      bool
	short         bool // it was reported already that fewer came than the catalog counts

	idle int  // pages in a row, up to the last, that named nothing new
	over bool // no further page is asked for
}

// maxIdle is how many pages in a row of a series may name nothing new. Some servers ignore the number
// of the page that is asked for, and lead on for ever.
const maxIdle = 3

// maxKnown is how many names a harvest remembers; what is after them counts as new. They
// take some 40 MB.
const maxKnown = 1 << 20

// news distinguishes what was named before from what was not.
type news struct {
	seed  maphash.Seed
	known map[uint64]struct{}
}

func newNews() news { return news{maphash.MakeSeed(), map[uint64]struct{}{}} }

// see says that a name is new, and remembers it.
func (n *news) see(name string) bool {
	key := maphash.String(n.seed, name)
	if _, ok := n.known[key]; ok {
		return false
	}
	if len(n.known) < maxKnown {
		n.known[key] = struct{}{}
	}
	return true
}
