package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"laundromat/seedlist/engine"
)

// tx is a transaction, or a connection for one question. It reads and writes rows for the engine.
type tx struct {
	ctx    context.Context
	store  *Store
	sql    statements
	writes bool
	id     string // of the transaction, once it has written the last
	told   engine.News
}

var _ engine.Tx = (*tx)(nil)

// statements are those of a transaction, or of no transaction: then each sees the list as it is at its own moment.
type statements interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// query collects the rows of a query.
func query[T any](t *tx, scan pgx.RowToFunc[T], sql string, args ...any) ([]T, error) {
	rows, err := t.sql.Query(t.ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scan)
}

// number is the one number that a query gives.
func (t *tx) number(sql string, args ...any) (n int64, err error) {
	err = t.sql.QueryRow(t.ctx, sql, args...).Scan(&n)
	return n, err
}

func (t *tx) is(sql string, args ...any) (is bool, err error) {
	err = t.sql.QueryRow(t.ctx, sql, args...).Scan(&is)
	return is, err
}

func (t *tx) exec(sql string, args ...any) error {
	_, err := t.sql.Exec(t.ctx, sql, args...)
	return err
}

func (t *tx) send(b *pgx.Batch) error {
	if b.Len() == 0 {
		return nil
	}
	return t.sql.SendBatch(t.ctx, b).Close()
}

// locking is what a query ends with whose rows are to be locked in a transaction that writes.
func (t *tx) locking() string {
	if t.writes {
		return " FOR UPDATE"
	}
	return ""
}

// read looks at the list as it is at one moment.
func (s *Store) read(ctx context.Context, look func(t *tx) error) error {
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	sql, err := s.db.transaction(ctx, oneMoment)
	if err != nil {
		return s.trouble("postgres.read", err)
	}
	defer sql.Rollback(context.WithoutCancel(ctx))
	return s.trouble("postgres.read", look(&tx{ctx: ctx, store: s, sql: sql}))
}

// View looks at the rows. Without a transaction there are two round trips fewer.
func (s *Store) View(ctx context.Context, inOne bool, look func(engine.Tx) error) error {
	if inOne {
		return s.read(ctx, func(t *tx) error { return look(t) })
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	return s.trouble("postgres.ask", s.db.once(ctx, func(sql statements) error {
		return look(&tx{ctx: ctx, store: s, sql: sql})
	}))
}

// transact runs operations in one transaction, which is begun again where another stood in its way.
func (s *Store) transact(ctx context.Context, ops ...*engine.Op) error {
	ctx = context.WithoutCancel(ctx) // the caller must know whether it was written
	for try := 0; ; try++ {
		err := s.tryOnce(ctx, ops)
		if try < mostTries && isConflict(err) {
			time.Sleep(time.Duration(try+1) * time.Millisecond)
			continue
		}
		return s.trouble("postgres.write", err)
	}
}

// mostTries bounds how often a transaction is begun again.
const mostTries = 50

func (s *Store) tryOnce(ctx context.Context, ops []*engine.Op) error {
	sql, err := s.db.transaction(ctx, readCommitted)
	if err != nil {
		return err
	}
	defer sql.Rollback(ctx)
	t := &tx{ctx: ctx, store: s, sql: sql, writes: true}
	session := s.Begin(t)
	if err := session.Gather(ops...); err != nil {
		return err
	}
	for _, o := range ops {
		if err := session.Run(o); err != nil {
			return err
		}
	}
	signed := int64(0)
	if session.HasClaimed() {
		if signed, err = t.showLife(session.Now()); err != nil {
			return err
		}
	}
	isWritten, err := session.Finish()
	if err != nil {
		return err
	}
	if isWritten {
		if err := sql.Commit(ctx); err != nil && !s.wasCommitted(ctx, t.id, err) {
			return err
		}
	}
	if signed != 0 {
		s.signs.till.Store(signed)
	}
	session.Committed()
	return nil
}

// wasCommitted asks what became of a transaction whose connection broke while it was committed.
func (s *Store) wasCommitted(ctx context.Context, id string, broken error) bool {
	if refusal(broken) != "" {
		return false
	}
	var status string
	for try := 0; try < 20 && s.ctx.Err() == nil; try++ {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		err := s.db.scan(ctx, &status, "SELECT coalesce(pg_xact_status($1::text::xid8), '')", id)
		cancel()
		if err == nil && status != "in progress" {
			return status == "committed"
		}
		_ = s.pause(s.ctx, 500*time.Millisecond) // the loop asks whether that has ended
	}
	return false
}
