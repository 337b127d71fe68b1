package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
)

// Context is what is known of a context of JSON-LD, with its text.
func (s *Store) Context(ctx context.Context, iri string) (c seedlist.Context, err error) {
	err = s.read(ctx, func(t *tx) error {
		found, err := t.contexts("SELECT data, body FROM contexts WHERE key = $1", seedlist.ContextKey(iri))
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return seedlist.ErrNotFound
		}
		c = found[0]
		return nil
	})
	return c, err
}

func (t *tx) contexts(sql string, arguments ...any) ([]seedlist.Context, error) {
	return query(t, func(row pgx.CollectableRow) (c seedlist.Context, err error) {
		var known string
		var text []byte
		if err := row.Scan(&known, &text); err != nil {
			return c, err
		}
		return seedlist.UnpackContext([]byte(known), text)
	}, sql, arguments...)
}

// EditContext changes a context in one transaction.
func (s *Store) EditContext(ctx context.Context, iri string, change func(*seedlist.Context) bool) error {
	key := seedlist.ContextKey(iri)
	return s.write(ctx, func(t *tx) error {
		found, err := t.contexts("SELECT data, body FROM contexts WHERE key = $1 FOR UPDATE", key)
		if err != nil {
			return err
		}
		c := seedlist.Context{IRI: iri}
		if len(found) > 0 {
			c = found[0]
		}
		if !change(&c) {
			return nil
		}
		if err := c.Check(); err != nil {
			return err
		}
		known, text, err := c.Pack()
		switch {
		case err != nil:
			return err
		case len(found) > 0:
			return t.exec("UPDATE contexts SET data = $2, body = $3 WHERE key = $1", key, string(known), text)
		}
		return t.exec("INSERT INTO contexts VALUES ($1, $2, $3)", key, string(known), text)
	})
}

// Contexts are those known, without their texts.
func (s *Store) Contexts(ctx context.Context, after string, limit int) (all []seedlist.Context, err error) {
	if after != "" {
		after = seedlist.ContextKey(after)
	}
	err = s.read(ctx, func(t *tx) (err error) {
		all, err = t.contexts("SELECT data, NULL::bytea FROM contexts WHERE key > $1 ORDER BY key LIMIT $2", after, limit)
		return err
	})
	return all, err
}
