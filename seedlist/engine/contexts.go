package engine

import (
	"bytes"
	"context"
	"slices"

	"laundromat/seedlist"
)

// Context is what is known of a context of JSON-LD, with its text.
func (l *Moves) Context(ctx context.Context, iri string) (c seedlist.Context, err error) {
	err = l.read(ctx, func(s *Session) error {
		found, err := s.tx.Items(ItemQuery{Keys: []string{seedlist.ContextKey(iri)}, Most: 1, Texts: true})
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return seedlist.ErrNotFound
		}
		c, err = seedlist.UnpackContext(found[0].Data, found[0].Text)
		return err
	})
	return c, err
}

// EditContext changes a context in one transaction. Its text is compressed before that: others wait while it lasts.
func (l *Moves) EditContext(ctx context.Context, iri string, change func(*seedlist.Context) bool) error {
	if l.options.ReadOnly {
		return seedlist.ErrReadOnly
	}
	key := []string{seedlist.ContextKey(iri)}
	for {
		var found []Item
		err := l.read(ctx, func(s *Session) (err error) {
			found, err = s.tx.Items(ItemQuery{Keys: key, Most: 1, Texts: true})
			return err
		})
		if err != nil {
			return err
		}
		row, err := changedContext(iri, found, change)
		if err != nil || row == nil {
			return err
		}
		err = l.write(ctx, func(s *Session) error {
			now, err := s.tx.Items(ItemQuery{Keys: key, Most: 1})
			if err == nil && !slices.EqualFunc(now, found, func(a, b Item) bool { return bytes.Equal(a.Data, b.Data) }) {
				err = errRevised
			}
			if err == nil {
				s.touched++
				s.next.Items = append(s.next.Items, *row)
			}
			return err
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
func (l *Moves) Contexts(ctx context.Context, after string, limit int) (all []seedlist.Context, err error) {
	if after != "" {
		after = seedlist.ContextKey(after)
	}
	err = l.read(ctx, func(s *Session) error {
		all = nil
		found, err := s.tx.Items(ItemQuery{After: after, Most: max(limit, 0)})
		for _, row := range found {
			c, err := seedlist.UnpackContext(row.Data, nil)
			if err != nil {
				return err
			}
			all = append(all, c)
		}
		return err
	})
	return all, err
}
