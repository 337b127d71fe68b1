package engine

import (
	"bytes"
	"context"
	"slices"

	"laundromat/seedlist"
)

// Context is what is known of a context of JSON-LD, with its text.
func (l *Moves) Context(ctx context.Context, iri string) (seedlist.Context, error) {
	return found(ctx, l.read, func(s *Session) (c seedlist.Context, err error) {
		for _, row := range s.items(ItemQuery{Keys: []string{seedlist.ContextKey(iri)}, Most: 1, Texts: true}) {
			return seedlist.UnpackContext(row.Data, row.Text)
		}
		return c, seedlist.ErrNotFound
	})
}

// EditContext changes a context in one transaction. Its text is compressed before that: others wait while it lasts.
func (l *Moves) EditContext(ctx context.Context, iri string, change func(*seedlist.Context) bool) error {
	if l.options.ReadOnly {
		return seedlist.ErrReadOnly
	}
	key := []string{seedlist.ContextKey(iri)}
	for {
		was, err := found(ctx, l.read, func(s *Session) ([]Item, error) {
			return s.items(ItemQuery{Keys: key, Most: 1, Texts: true}), nil
		})
		if err != nil {
			return err
		}
		row, err := changedContext(iri, was, change)
		if err != nil || row == nil {
			return err
		}
		err = l.write(ctx, func(s *Session) error {
			now := s.items(ItemQuery{Keys: key, Most: 1})
			if !slices.EqualFunc(now, was, func(a, b Item) bool { return bytes.Equal(a.Data, b.Data) }) {
				return errRevised
			}
			s.touched++
			s.next.Items = append(s.next.Items, *row)
			return nil
		})
		if err != errRevised {
			return err
		}
	}
}

// changedContext is the row of a context, changed; nil if it is not to be written. found is the row that is there.
func changedContext(iri string, found []Item, change func(*seedlist.Context) bool) (row *Item, err error) {
	c := seedlist.Context{IRI: iri}
	if len(found) > 0 {
		if c, err = seedlist.UnpackContext(found[0].Data, found[0].Text); err != nil {
			return nil, err
		}
	}
	if !change(&c) {
		return nil, nil
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	row = &Item{Key: seedlist.ContextKey(iri), IsNew: len(found) == 0}
	row.Data, row.Text, err = c.Pack()
	return row, err
}

// Contexts are those known, without their texts.
func (l *Moves) Contexts(ctx context.Context, after string, limit int) ([]seedlist.Context, error) {
	if after != "" {
		after = seedlist.ContextKey(after)
	}
	return found(ctx, l.read, func(s *Session) (all []seedlist.Context, err error) {
		for _, row := range s.items(ItemQuery{After: after, Most: max(limit, 0)}) {
			c, err := seedlist.UnpackContext(row.Data, nil)
			s.fail(err)
			all = append(all, c)
		}
		return all, nil
	})
}
