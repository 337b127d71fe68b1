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
// what they use, follow the list by a second, and need not read the files again. What both have asked for, and what is
// forgotten since it was too much, is read from the files. The zero value is ready; nil holds nothing. What it gives is
// shared, and must not be changed.
type Counts struct {
	mu          sync.Mutex
	now, before map[string]held // by the key of the clean file
	size        int             // of now, in bytes, about
}

// held is what a clean file says, and who has not asked for it yet.
type held struct {
	terms *statistics.Terms
	size  int
	left  Reader
}

// Reader is one of those who ask for each clean file once.
type Reader uint8

const (
	Lists Reader = 1 << iota // of documents by what they use
	Searches
)

// MostHeld is how many bytes are held of each of the two parts: a second of small files has some two megabytes.
const MostHeld = 4 << 20

// Keep takes what a clean file says that was just written.
func (c *Counts) Keep(clean string, terms *statistics.Terms) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now[clean].terms != nil {
		return
	}
	if c.now == nil || c.size > MostHeld {
		c.before, c.now, c.size = c.now, map[string]held{}, 0
	}
	is := held{terms, terms.Size(), Lists | Searches}
	c.now[clean] = is
	c.size += is.size
}

// Lately is what a clean file says, for one of the readers; nil if that isn't held. Once all have asked, it is held no
// more.
func (c *Counts) Lately(by Reader, clean string) *statistics.Terms {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	is, isNow := c.now[clean]
	in := c.now
	if !isNow {
		in, is = c.before, c.before[clean]
	}
	if is.left &^= by; is.terms == nil {
		return nil
	}
	if is.left != 0 {
		in[clean] = is
		return is.terms
	}
	if delete(in, clean); isNow {
		c.size -= is.size
	}
	return is.terms
}

// Of is what a clean file says, for one of the readers: as it is held, or is stored beside it, or else counted.
func (c *Counts) Of(ctx context.Context, by Reader, store files.Opener, clean string) (*statistics.Terms, error) {
	if terms := c.Lately(by, clean); terms != nil {
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
