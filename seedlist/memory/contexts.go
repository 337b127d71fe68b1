package memory

import (
	"context"
	"maps"
	"slices"

	"laundromat/seedlist"
)

// Context is what is known of a context.
func (s *Store) Context(ctx context.Context, iri string) (c seedlist.Context, err error) {
	err = s.read(ctx, func() error {
		var isKnown bool
		if c, isKnown = s.contexts[seedlist.ContextKey(iri)]; !isKnown {
			return seedlist.ErrNotFound
		}
		c.Text = slices.Clone(c.Text)
		return nil
	})
	return c, err
}

// EditContext changes a context.
func (s *Store) EditContext(ctx context.Context, iri string, change func(*seedlist.Context) bool) error {
	return s.read(ctx, func() error {
		c, isKnown := s.contexts[seedlist.ContextKey(iri)]
		if !isKnown {
			c.IRI = iri
		}
		if !change(&c) {
			return nil
		}
		if err := c.Check(); err != nil {
			return err
		}
		c.Text = slices.Clone(c.Text)
		s.contexts[seedlist.ContextKey(iri)] = c
		return nil
	})
}

// Contexts are those known, without their texts.
func (s *Store) Contexts(ctx context.Context, after string, limit int) (all []seedlist.Context, err error) {
	if after != "" {
		after = seedlist.ContextKey(after)
	}
	err = s.read(ctx, func() error {
		for _, key := range slices.Sorted(maps.Keys(s.contexts)) {
			if key > after && len(all) < limit {
				c := s.contexts[key]
				c.Text = nil
				all = append(all, c)
			}
		}
		return nil
	})
	return all, err
}
