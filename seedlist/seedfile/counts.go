package seedfile

import (
	"context"
	"errors"
	"io/fs"
	"sync"

	"laundromat/internal/files"
	"laundromat/rdf/statistics"
)

// Counts hold what small clean files say, from when they are written: those who search documents, and who list them by
// what they use, follow the list by a second, and need not read the files again. What is forgotten is read from them.
// The zero value is ready; nil holds nothing. What it gives is shared, and must not be changed.
type Counts struct {
	mu          sync.Mutex
	now, before map[string]*statistics.Terms // by the key of the clean file
	size        int                          // of now, in bytes, about
}

// MostHeld is how many bytes are held of each of the two parts: a second of small files has some two megabytes.
const MostHeld = 4 << 20

// Keep takes what a clean file says that was just written.
func (c *Counts) Keep(clean string, terms *statistics.Terms) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now[clean] != nil {
		return
	}
	if c.now == nil || c.size > MostHeld {
		c.before, c.now, c.size = c.now, map[string]*statistics.Terms{}, 0
	}
	c.now[clean] = terms
	c.size += terms.Size()
}

// Lately is what a clean file says; nil if that isn't held.
func (c *Counts) Lately(clean string) *statistics.Terms {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if terms := c.now[clean]; terms != nil {
		return terms
	}
	return c.before[clean]
}

// Of is what a clean file says: as it is held, or is stored beside it, or else counted.
func (c *Counts) Of(ctx context.Context, store files.Opener, clean string) (*statistics.Terms, error) {
	if terms := c.Lately(clean); terms != nil {
		return terms, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	is, err := Statistics(store, clean)
	if errors.Is(err, fs.ErrNotExist) {
		is, err = CountStatistics(store, clean, statistics.New())
	}
	if err != nil {
		return nil, err
	}
	return is.Terms(), nil
}
