package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"laundromat/internal/ordered"
	"laundromat/seedlist"
)

// Tables are the tables of the schema that views are kept in, by their names without the view_ before them. They
// are good until the list is closed.
func (s *Store) Tables(names []string) ordered.Tables {
	v := &viewTables{store: s}
	for _, name := range names {
		v.names = append(v.names, pgx.Identifier{"view_" + name}.Sanitize())
	}
	return v
}

type viewTables struct {
	store *Store
	names []string
}

func (v *viewTables) Shared() bool { return true }

func (v *viewTables) Close() error { return nil }

// View sees all tables as they are at one moment.
func (v *viewTables) View(ctx context.Context, look func(ordered.Tx) error) error {
	return v.store.read(ctx, func(t *tx) error {
		tx := v.begin(ctx, t.sql)
		return errors.Join(look(tx), tx.err)
	})
}

// Update lets one process at a time change them.
func (v *viewTables) Update(ctx context.Context, change func(ordered.Tx) error) error {
	s := v.store
	if s.options.ReadOnly {
		return seedlist.ErrReadOnly
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	return s.trouble("postgres.Update", s.db.inTransaction(ctx, func(sql pgx.Tx) error {
		var isOurs bool
		if err := sql.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))", s.channel+"/views").Scan(
			&isOurs); err != nil {
			return err
		}
		if !isOurs {
			return ordered.ErrBusy
		}
		tx := v.begin(ctx, sql)
		if err := change(tx); err != nil {
			return err
		}
		tx.flush()
		return tx.err
	}))
}

func (v *viewTables) begin(ctx context.Context, sql statements) *viewTx {
	t := &viewTx{ctx: ctx, sql: sql, names: v.names, known: make([]map[string][]byte, len(v.names)),
		changed: make([]map[string][]byte, len(v.names))}
	for i := range v.names {
		t.known[i], t.changed[i] = map[string][]byte{}, map[string][]byte{}
	}
	return t
}

// viewTx is a transaction. What it changes is written at its end.
type viewTx struct {
	ctx     context.Context
	sql     statements
	names   []string
	known   []map[string][]byte // of each table, what was read; nil: there is no such key
	changed []map[string][]byte // nil: it is deleted
	err     error               // the first
}

func (t *viewTx) IsFar() bool { return true }

// pair is a row.
type pair struct{ Key, Value []byte }

func (t *viewTx) rows(sql string, args ...any) []pair {
	if t.err != nil {
		return nil
	}
	pairs, err := query(&tx{ctx: t.ctx, sql: t.sql}, pgx.RowToStructByPos[pair], sql, args...)
	t.err = err
	return pairs
}

func (t *viewTx) Get(table ordered.Table, key []byte) []byte {
	if value, ok := t.changed[table][string(key)]; ok {
		return value
	}
	value, ok := t.known[table][string(key)]
	if !ok {
		for _, row := range t.rows("SELECT key, value FROM "+t.names[table]+" WHERE key = $1", key) {
			value = row.Value
		}
		t.known[table][string(key)] = value
	}
	return value
}

// mostFetched is how many keys one statement asks for.
const mostFetched = 5000

func (t *viewTx) Prefetch(table ordered.Table, keys [][]byte) {
	var missing [][]byte
	for _, key := range keys {
		if _, ok := t.known[table][string(key)]; !ok {
			t.known[table][string(key)] = nil
			missing = append(missing, key)
		}
	}
	for len(missing) > 0 && t.err == nil {
		n := min(len(missing), mostFetched)
		for _, row := range t.rows("SELECT key, value FROM "+t.names[table]+" WHERE key = ANY($1)", missing[:n]) {
			t.known[table][string(row.Key)] = row.Value
		}
		missing = missing[n:]
	}
}

// A walk fetches few rows at first, for it may end soon, and then more and more.
const (
	fewRows  = 16
	mostRows = 4096
)

func (t *viewTx) Walk(table ordered.Table, prefix, from []byte, descending bool) func() (key, value []byte) {
	t.flush()
	w := viewWalk{tx: t, table: t.names[table], prefix: prefix, at: from, descending: descending, isFirst: true, size: fewRows}
	return w.next
}

// viewWalk goes through a table.
type viewWalk struct {
	tx         *viewTx
	table      string
	prefix     []byte
	at         []byte // the last key that was fetched, or at first where it begins
	descending bool
	isFirst    bool
	size       int // of the next stretch; 0: there is none
	rows       []pair
}

func (w *viewWalk) next() (key, value []byte) {
	if len(w.rows) == 0 && w.size > 0 {
		w.rows = w.stretch()
		if w.isFirst = false; len(w.rows) < w.size {
			w.size = 0
		} else {
			w.size, w.at = min(4*w.size, mostRows), w.rows[len(w.rows)-1].Key
		}
	}
	if len(w.rows) == 0 {
		return nil, nil
	}
	key, value = w.rows[0].Key, w.rows[0].Value
	w.rows = w.rows[1:]
	return key, value
}

// stretch are the next rows, behind a key or, at first, from it on.
func (w *viewWalk) stretch() []pair {
	var where []string
	args := []any{w.size}
	hold := func(operator string, key []byte) {
		if len(key) > 0 {
			args = append(args, key)
			where = append(where, fmt.Sprintf("key %s $%d", operator, len(args)))
		}
	}
	hold(">=", w.prefix)
	hold("<", ordered.End(w.prefix))
	operator, order := ">", " ORDER BY key LIMIT $1"
	if w.descending {
		operator, order = "<", " ORDER BY key DESC LIMIT $1"
	}
	if w.isFirst {
		operator += "="
	}
	hold(operator, w.at)
	sql := "SELECT key, value FROM " + w.table
	if len(where) > 0 {
		sql += " WHERE " + strings.Join(where, " AND ")
	}
	return w.tx.rows(sql+order, args...)
}

func (t *viewTx) Put(table ordered.Table, key, value []byte) {
	t.changed[table][string(key)] = value[:len(value):len(value)]
}

func (t *viewTx) Delete(table ordered.Table, key []byte) { t.changed[table][string(key)] = nil }

func (t *viewTx) Clear(table ordered.Table) {
	clear(t.changed[table])
	clear(t.known[table])
	t.exec("DELETE FROM " + t.names[table])
}

func (t *viewTx) exec(sql string, args ...any) {
	if t.err == nil {
		_, t.err = t.sql.Exec(t.ctx, sql, args...)
	}
}

// mostWritten is how many rows one statement writes.
const mostWritten = 5000

// flush writes what was changed.
func (t *viewTx) flush() {
	for table, changed := range t.changed {
		var gone, keys, values [][]byte
		for key, value := range changed {
			if t.known[table][key] = value; value == nil {
				gone = append(gone, []byte(key))
			} else {
				keys, values = append(keys, []byte(key)), append(values, value)
			}
		}
		if len(gone) > 0 {
			t.exec("DELETE FROM "+t.names[table]+" WHERE key = ANY($1)", gone)
		}
		for len(keys) > 0 && t.err == nil {
			n := min(len(keys), mostWritten)
			t.exec("INSERT INTO "+t.names[table]+` SELECT * FROM unnest($1::bytea[], $2::bytea[]) AS u (key, value) ORDER BY key
				ON CONFLICT (key) DO UPDATE SET value = excluded.value`, keys[:n], values[:n])
			keys, values = keys[n:], values[n:]
		}
		clear(changed)
	}
}
