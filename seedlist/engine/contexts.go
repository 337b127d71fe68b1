package engine

import (
	"context"

	"laundromat/seedlist"
)

// Context is what is known of a context of JSON-LD, with its text.
func (l *Moves) Context(ctx context.Context, iri string) (c seedlist.Context, err error) {
	err = l.read(ctx, func(s *Session) error {
		found, err := s.tx.Contexts([]string{seedlist.ContextKey(iri)}, "", 1, true)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return seedlist.ErrNotFound
		}
		c, err = seedlist.UnpackContext(found[0].Known, found[0].Text)
		return err
	})
	return c, err
}

// EditContext changes a context in one transaction.
func (l *Moves) EditContext(ctx context.Context, iri string, change func(*seedlist.Context) bool) error {
	key := seedlist.ContextKey(iri)
	return l.write(ctx, func(s *Session) error {
		found, err := s.tx.Contexts([]string{key}, "", 1, true)
		if err != nil {
			return err
		}
		c := seedlist.Context{IRI: iri}
		if len(found) > 0 {
			if c, err = seedlist.UnpackContext(found[0].Known, found[0].Text); err != nil {
				return err
			}
		}
		if !change(&c) {
			return nil
		}
		if err := c.Check(); err != nil {
			return err
		}
		row := Context{Key: key, IsNew: len(found) == 0}
		row.Known, row.Text, err = c.Pack()
		s.touched++
		s.next.Contexts = append(s.next.Contexts, row)
		return err
	})
}

// Contexts are those known, without their texts.
func (l *Moves) Contexts(ctx context.Context, after string, limit int) (all []seedlist.Context, err error) {
	if after != "" {
		after = seedlist.ContextKey(after)
	}
	err = l.read(ctx, func(s *Session) error {
		all = nil
		found, err := s.tx.Contexts(nil, after, max(limit, 0), false)
		for _, row := range found {
			c, err := seedlist.UnpackContext(row.Known, nil)
			if err != nil {
				return err
			}
			all = append(all, c)
		}
		return err
	})
	return all, err
}
