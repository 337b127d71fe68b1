package bolt

import (
	"context"

	"laundromat/seedlist"
)

// A URI with a fragment names a thing that a document speaks of. What is fetched and washed is the
// document: a seed of its own, the URI without the fragment. The record of the URI stays added,
// is never claimed, and is counted apart; twenty names in one vocabulary are one request.

// ofDocument makes of a new record that of a name in a document, which goes with it.
func (s *Store) ofDocument(n *newRecord, c *seedlist.Stored, document seedlist.URI, seed seedlist.NewSeed) error {
	seed.Title = "" // of the thing, not of the document
	made, err := s.newSeed(document, seed, c.Added)
	if err != nil {
		return err
	}
	n.document = &made
	n.hot.flags, n.hot.due = isFragment, 0
	return nil
}

// createDocument makes the document that a record names a thing in, if there is none.
func (b *batch) createDocument(n *newRecord) {
	if n.document != nil && b.number(n.document.hash) == 0 {
		b.create(*n.document)
	}
}

// documentOf is the number of the document that the record of a fragment names; that of
// the record itself if it names none.
func (t *tables) documentOf(id uint64, h *hot) uint64 {
	if !h.is(isFragment) {
		return id
	}
	c, err := t.cold(id)
	if err != nil {
		return id
	}
	return t.number(c.Document)
}

// FillOutcomes fills in, of seeds that name things in documents, what became of these: their state
// as Outcome, and what was fetched, read and found. Nothing of it is stored with them.
func (s *Store) FillOutcomes(ctx context.Context, seeds ...*seedlist.Seed) error {
	return s.view(ctx, func(t *tables) error {
		for _, seed := range seeds {
			t.fillOutcome(seed)
		}
		return nil
	})
}

func (t *tables) fillOutcome(seed *seedlist.Seed) {
	if seed.Document == "" {
		return
	}
	id := t.number(seed.Document)
	h, ok := t.hot(id)
	if !ok {
		return // removed
	}
	c, err := t.cold(id)
	if err != nil {
		return // the list tells of the document itself
	}
	own := seed.Record
	seed.Record = c.Record
	seed.Added, seed.Interval, seed.IntervalAdapts = own.Added, own.Interval, own.IntervalAdapts
	seed.Source, seed.Title, seed.Claims, seed.Depth = own.Source, own.Title, own.Claims, own.Depth
	seed.KeepVersions, seed.Document = own.KeepVersions, own.Document
	seed.Outcome = h.state
	if total, ok := t.total(inChildren, id); ok {
		seed.ChildrenTotal, seed.Children = &total, t.links(inChildren, id, seedlist.MaxLinks)
	}
}
