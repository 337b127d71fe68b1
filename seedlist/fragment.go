package seedlist

import (
	"context"
	"slices"
	"strings"
)

// A URI with a fragment names a thing that a document tells of. What is fetched and washed is the
// document: a seed of its own, the URI without the fragment. The record of the URI stays added,
// is never claimed, and is counted apart; twenty names in one vocabulary are one request.

// Document is the URI of the document that u names a thing in; false if u has no fragment.
func (u URI) Document() (URI, bool) {
	given, _, found := strings.Cut(u.Given, "#")
	if !found || u.Relative {
		return u, false
	}
	normal, _, _ := strings.Cut(u.Normal, "#")
	return URI{Given: given, Normal: normal, Host: u.Host}, true
}

// ofDocument makes of a new record that of a name in a document, which goes with it.
func (s *Store) ofDocument(n *newRecord, c *cold, document URI, seed NewSeed) error {
	seed.Title = "" // of the thing, not of the document
	made, err := s.newSeed(document, seed, c.Added)
	if err != nil {
		return err
	}
	n.document = &made
	c.Document = made.hash
	n.hot.flags, n.hot.due = isFragment, 0
	return nil
}

// withDocuments adds to what a catalog names the documents that it names things in: what it claims is
// claimed of them.
func withDocuments(seeds []NewSeed) []NewSeed {
	all := slices.Clone(seeds)
	met := map[string]bool{}
	for _, seed := range seeds {
		u, err := ParseURI(seed.URI)
		if err != nil {
			continue
		}
		if document, ok := u.Document(); ok && !met[document.Normal] {
			met[document.Normal] = true
			seed.URI, seed.Title = document.Given, ""
			all = append(all, seed)
		}
	}
	return all
}

// createDocument makes the document that a record names a thing in, if there is none.
func (b *batch) createDocument(n *newRecord) {
	if n.document != nil && b.number(n.document.hash) == 0 {
		b.create(*n.document)
	}
}

// documentOf is the number of the document that the record of a fragment names; that of
// the record itself if it names none.
func (b *batch) documentOf(id uint64, h *hot) uint64 {
	if !h.is(isFragment) {
		return id
	}
	c, err := b.cold(id)
	if err != nil {
		return id
	}
	return b.number(c.Document)
}

// FillOutcomes fills in, of seeds that name things in documents, what became of these: their state
// as Outcome, and what was fetched, read and found. Nothing of it is stored with them.
func (s *Store) FillOutcomes(ctx context.Context, seeds ...*Seed) error {
	return s.view(ctx, func(t *tables) error {
		for _, seed := range seeds {
			if seed.Document == "" {
				continue
			}
			id := t.number(seed.Document)
			h, ok := t.hot(id)
			if !ok {
				continue // removed
			}
			c, err := t.cold(id)
			if err != nil {
				return err
			}
			own := seed.Record
			seed.Record = c.Record
			seed.Added, seed.Interval, seed.IntervalAdapts = own.Added, own.Interval, own.IntervalAdapts
			seed.Source, seed.Title, seed.Claims, seed.Depth = own.Source, own.Title, own.Claims, own.Depth
			seed.KeepVersions, seed.Document = own.KeepVersions, own.Document
			seed.Outcome = h.state
			if total, ok := t.total(inChildren, id); ok {
				seed.ChildrenTotal, seed.Children = &total, t.links(inChildren, id, MaxLinks)
			}
		}
		return nil
	})
}
