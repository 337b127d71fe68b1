package export

import (
	"context"
	"slices"
	"strings"
	"time"

	"laundromat/seedlist"
)

// place is where a document is among others.
type place struct {
	uri     string
	entries []string
	time    time.Time
}

// place finds where a seed is: at its URI, or in an archive at one.
func (e *run) place(ctx context.Context, seed *seedlist.Seed) (*place, error) {
	if seed.Parent == "" {
		return &place{uri: seed.URI, time: seed.Retrieved}, nil
	}
	parent := e.roots[seed.Parent]
	if parent == nil {
		archive, err := e.seeds.Seed(ctx, seed.Parent)
		if err != nil {
			return nil, err
		}
		if parent, err = e.place(ctx, &archive); err != nil {
			return nil, err
		}
		if len(e.roots) >= placedRoots {
			clear(e.roots)
		}
		e.roots[seed.Parent] = parent
	}
	entry := ""
	if seed.Archive != nil {
		entry = seed.Archive.Entry
	}
	return &place{uri: parent.uri, entries: append(slices.Clone(parent.entries), entry), time: parent.time}, nil
}

// uriWith is the URI as the manifest has it.
func (at *place) uriWith(secrets bool) string {
	text := strings.Join(append([]string{at.uri}, at.entries...), "!/")
	if secrets {
		return text
	}
	return seedlist.ShownIn(text)
}
