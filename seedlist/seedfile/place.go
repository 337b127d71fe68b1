package seedfile

import (
	"context"
	"slices"
	"strings"
	"time"

	"laundromat/seedlist"
)

// Place is where a document is: at a URI, or in archives that are in one another there.
type Place struct {
	URI     string
	Entries []string  // the names of the archives' entries, from the outermost on
	Time    time.Time // when the bytes of the URI came
}

// String is the URI with the entries, as a manifest has it.
func (at *Place) String() string {
	return strings.Join(append([]string{at.URI}, at.Entries...), "!/")
}

// Places finds where documents are. It is used from one goroutine.
type Places struct {
	// Record reads an archive.
	Record func(ctx context.Context, hash string) (seedlist.Seed, error)

	archives map[string]*Place
}

// mostPlaces is of how many archives the places are remembered.
const mostPlaces = 10_000

// Of finds where a seed is. What it returns is not to be changed.
func (p *Places) Of(ctx context.Context, seed *seedlist.Seed) (*Place, error) {
	if seed.Parent == "" {
		return &Place{URI: seed.URI, Time: seed.Retrieved}, nil
	}
	parent := p.archives[seed.Parent]
	if parent == nil {
		archive, err := p.Record(ctx, seed.Parent)
		if err != nil {
			return nil, err
		}
		if parent, err = p.Of(ctx, &archive); err != nil {
			return nil, err
		}
		if p.archives == nil || len(p.archives) >= mostPlaces {
			p.archives = map[string]*Place{}
		}
		p.archives[seed.Parent] = parent
	}
	entry := ""
	if seed.Archive != nil {
		entry = seed.Archive.Entry
	}
	return &Place{URI: parent.URI, Entries: append(slices.Clone(parent.Entries), entry), Time: parent.Time}, nil
}
