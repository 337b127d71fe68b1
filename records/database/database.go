package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"laundromat/internal/fault"
)

// Database is one that tables of records are in.
type Database struct {
	db    *sql.DB
	is    dialect
	shown string
}

// dialect is how SQL differs from one database to another.
type dialect struct{ isServer bool } // PostgreSQL, not SQLite

// place is the mark of the nth value of a statement, from 1.
func (d dialect) place(n int) string {
	if d.isServer {
		return "$" + strconv.Itoa(n)
	}
	return "?"
}

// marks are those of n values from the nth one on, with commas between.
func (d dialect) marks(from, n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = d.place(from + i)
	}
	return strings.Join(all, ",")
}

// places are the marks of rows of so many values each.
func (d dialect) places(rows, each int) string {
	all := make([]string, rows)
	for row := range all {
		all[row] = "(" + d.marks(row*each+1, each) + ")"
	}
	return strings.Join(all, ",")
}

func (d dialect) typeName(t columnType) string {
	switch t {
	case numberColumn:
		return "NUMERIC"
	case booleanColumn:
		return "BOOLEAN"
	}
	return "TEXT"
}

// layout makes the tables in which we note what others are for.
var layout = []string{
	`CREATE TABLE IF NOT EXISTS laundromat_tables (name TEXT PRIMARY KEY, table_name TEXT NOT NULL UNIQUE, key_fields TEXT NOT NULL)`,
	`CREATE TABLE IF NOT EXISTS laundromat_columns (table_name TEXT NOT NULL, position INTEGER NOT NULL, field TEXT NOT NULL, ` +
		`column_name TEXT NOT NULL, holds TEXT NOT NULL, PRIMARY KEY (table_name, position))`,
}

// Open opens a database. The file of one of SQLite is made if it is not there.
func Open(ctx context.Context, a Address) (*Database, error) {
	d := &Database{}
	d.shown = Address{File: a.File, Server: a.Server}.String()
	var err error
	if d.db, d.is, err = connect(ctx, a); err != nil {
		return nil, err
	}
	if err := d.layOut(ctx); err != nil {
		d.db.Close()
		return nil, err
	}
	return d, nil
}

// OpenThere opens a database that is there: a file of SQLite is not made.
func OpenThere(ctx context.Context, a Address) (*Database, error) {
	if a.File != "" {
		if _, err := os.Stat(a.File); err != nil {
			return nil, err
		}
	}
	return Open(ctx, a)
}

// layOut makes our tables. Two that do so at once wait for each other.
func (d *Database) layOut(ctx context.Context) error {
	return d.Update(ctx, func(tx *Tx) error {
		if err := tx.lock("layout"); err != nil {
			return err
		}
		for _, statement := range slices.Concat(layout, feedLayout, mergeLayout, detailLayout) {
			if err := tx.exec(statement); err != nil {
				return err
			}
		}
		return nil
	})
}

// Close closes the connections.
func (d *Database) Close() error { return d.db.Close() }

// Update does something in one transaction: all of it, or nothing where it fails.
func (d *Database) Update(ctx context.Context, do func(*Tx) error) error {
	tx, err := d.begin(ctx)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		tx.rollback()
		return err
	}
	return tx.commit()
}

// Tx is a transaction.
type Tx struct {
	of     *Database
	tx     *sql.Tx
	ctx    context.Context // of this transaction alone
	tables map[string]*Table
}

func (d *Database) begin(ctx context.Context) (*Tx, error) {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, d.trouble(err)
	}
	return &Tx{of: d, tx: tx, ctx: ctx, tables: map[string]*Table{}}, nil
}

func (t *Tx) commit() error { return t.of.trouble(t.tx.Commit()) }

// rollback undoes it. An error says that the connection is gone, with which the database does so itself.
func (t *Tx) rollback() { _ = t.tx.Rollback() }

func (t *Tx) exec(statement string, values ...any) error {
	_, err := t.tx.ExecContext(t.ctx, statement, values...)
	return t.of.trouble(err)
}

// query gives each row that a statement finds to scan.
func (t *Tx) query(statement string, values []any, scan func(*sql.Rows) error) error {
	rows, err := t.tx.QueryContext(t.ctx, statement, values...)
	if err != nil {
		return t.of.trouble(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return t.of.trouble(err)
		}
	}
	return t.of.trouble(rows.Err())
}

// Ask asks the database, and returns the rows as lines, with | between columns.
func (d *Database) Ask(ctx context.Context, statement string) (lines []string, err error) {
	return lines, d.Update(ctx, func(tx *Tx) error {
		return tx.query(statement, nil, func(rows *sql.Rows) error {
			names, err := rows.Columns()
			if err != nil {
				return err
			}
			cells, into := make([]sql.NullString, len(names)), make([]any, len(names))
			for i := range cells {
				into[i] = &cells[i]
			}
			if err := rows.Scan(into...); err != nil {
				return err
			}
			texts := make([]string, len(cells))
			for i := range cells {
				texts[i] = cells[i].String
			}
			lines = append(lines, strings.Join(texts, "|"))
			return nil
		})
	})
}

// lock holds others up that lock the same name, until the transaction ends. In SQLite any transaction does.
func (t *Tx) lock(name string) error {
	if !t.of.is.isServer {
		return nil
	}
	return t.exec(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, "laundromat "+name)
}

// trouble is an error of the database.
func (d *Database) trouble(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &fault.Error{Op: "database", Kind: fault.Local, Code: fault.LocalDatabase, Err: fmt.Errorf("%s: %w", d.shown, err)}
}
