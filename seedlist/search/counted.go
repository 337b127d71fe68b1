package search

import (
	"sync"

	"laundromat/rdf/statistics"
)

// counted holds what small clean files say, from when they are written: so the index need not read them again. What
// is forgotten is read from the files.
type counted struct {
	mu          sync.Mutex
	now, before map[string]*statistics.Terms // by the key of the clean file
	size        int                          // of now, in bytes, about
}

// mostHeld is how many bytes are held of each of the two parts: a second of small files has some two megabytes.
const mostHeld = 4 << 20

// Counted tells the index what a clean file says that was just written, counted with the labels of [Options].
func (s *Search) Counted(clean string, terms *statistics.Terms) {
	c := &s.counted
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now[clean] != nil {
		return
	}
	if c.now == nil || c.size > mostHeld {
		c.before, c.now, c.size = c.now, map[string]*statistics.Terms{}, 0
	}
	c.now[clean] = terms
	c.size += sizeOf(terms)
}

// of is what a clean file says; nil if that isn't held.
func (c *counted) of(clean string) *statistics.Terms {
	c.mu.Lock()
	defer c.mu.Unlock()
	if terms := c.now[clean]; terms != nil {
		return terms
	}
	return c.before[clean]
}

func sizeOf(terms *statistics.Terms) int {
	const each = 24 // of a string and what the map needs for it
	size := 200
	for _, all := range [...][]string{terms.Classes, terms.Properties} {
		for _, text := range all {
			size += len(text) + each
		}
	}
	for i := range terms.Labels {
		size += len(terms.Labels[i].Property) + len(terms.Labels[i].Text) + 2*each
	}
	return size
}
