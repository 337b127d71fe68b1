package database

import (
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// The merges that a person undid: no two of their rows are the same. One row of the table for each of theirs says so of
// all pairs, which are as many as the square.
const undoneLayout = `CREATE TABLE IF NOT EXISTS laundromat_undone (table_name TEXT NOT NULL, undone BIGINT NOT NULL, ` +
	`merge_key TEXT NOT NULL, member_table TEXT NOT NULL, member_id TEXT NOT NULL, said_by TEXT NOT NULL, said_at TEXT NOT NULL, ` +
	`PRIMARY KEY (table_name, undone, member_table, member_id))`

// Errors of undoing.
var (
	ErrNoMerge  = errors.New("there is no merge of this key")
	ErrNoUndone = errors.New("no merge of this key was undone")
)

// Undone is a merge that was undone.
type Undone struct {
	Key     string    `json:"key"`
	Records int64     `json:"records"`
	IDs     []string  `json:"ids" doc:"of the first of its records"`
	By      string    `json:"by,omitempty"`
	At      time.Time `json:"at"`
}

// Undo parts the merge of a key, and keeps that no two of its rows are the same, whatever was said of them before. It
// returns how many rows there are, or ErrNoMerge. It takes no memory for them.
func (t *Tx) Undo(table, key, by string, at time.Time) (n int64, err error) {
	is := t.of.is
	// ofMerge are the rows of the merge, where the nth value of a statement is the table.
	ofMerge := func(n int) string {
		return " FROM laundromat_merged WHERE table_name = " + is.place(n) + " AND merge_key = " + is.place(n+1)
	}
	count := func(rows *sql.Rows) error { return rows.Scan(&n) }
	if err := t.query("SELECT count(*)"+ofMerge(1), []any{table, key}, count); err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, ErrNoMerge
	}
	var number int64
	if err := t.query("SELECT coalesce(max(undone), 0) + 1 FROM laundromat_undone WHERE table_name = "+is.place(1), []any{table},
		func(rows *sql.Rows) error { return rows.Scan(&number) }); err != nil {
		return 0, err
	}
	err = t.exec("INSERT INTO laundromat_undone (undone, said_by, said_at, table_name, merge_key, member_table, member_id) "+
		"SELECT DISTINCT CAST("+is.place(1)+" AS BIGINT), CAST("+is.place(2)+" AS TEXT), CAST("+is.place(3)+" AS TEXT), "+
		"table_name, merge_key, member_table, member_id"+ofMerge(4), number, storedText(by), stamp(at), table, key)
	if err != nil {
		return 0, err
	}
	err = t.exec("DELETE FROM laundromat_answers WHERE table_name = "+is.place(1)+" AND same = 1 AND a IN (SELECT member_id"+ofMerge(2)+
		") AND b IN (SELECT member_id"+ofMerge(4)+")", table, table, key, table, key)
	if err != nil {
		return 0, err
	}
	m := &merging{Tx: t, table: table, at: at}
	if m.merged, err = t.mergedTable(table); err != nil {
		return 0, err
	}
	if err := m.part([]string{key}, by); err != nil {
		return 0, err
	}
	return n, t.answered(table, 1)
}

// Redo takes back that the merges of a key were undone; ErrNoUndone if none was.
func (t *Tx) Redo(table, key string) error {
	n, err := t.removed("DELETE FROM laundromat_undone WHERE table_name = "+t.of.is.place(1)+" AND merge_key = "+t.of.is.place(2),
		table, key)
	switch {
	case err != nil:
		return err
	case n == 0:
		return ErrNoUndone
	}
	return t.answered(table, 0)
}

// mostIDs is how many records of an undone merge are named.
const mostIDs = 10

// Undone are the merges of a table that were undone last, up to limit, the latest first.
func (t *Tx) Undone(table string, limit int) (all []Undone, err error) {
	is := t.of.is
	var numbers []int64
	err = t.query(fmt.Sprintf("SELECT undone, min(merge_key), count(*), min(said_by), min(said_at) FROM laundromat_undone "+
		"WHERE table_name = %s GROUP BY undone ORDER BY undone DESC LIMIT %d", is.place(1), limit), []any{table},
		func(rows *sql.Rows) error {
			var one Undone
			var number int64
			var at string
			err := rows.Scan(&number, &one.Key, &one.Records, &one.By, &at)
			one.At, _ = time.Parse(time.RFC3339, at) // as we wrote it
			all, numbers = append(all, one), append(numbers, number)
			return err
		})
	for i := range all {
		if err != nil {
			break
		}
		err = t.query(fmt.Sprintf("SELECT member_id FROM laundromat_undone WHERE table_name = %s AND undone = %s "+
			"ORDER BY member_table, member_id LIMIT %d", is.place(1), is.place(2), mostIDs), []any{table, numbers[i]},
			func(rows *sql.Rows) error {
				var id string
				err := rows.Scan(&id)
				all[i].IDs = append(all[i].IDs, id)
				return err
			})
	}
	return all, err
}

// EachUndone calls each with all rows of merges of a table that were undone, by the number of the merge.
func (t *Tx) EachUndone(table string, each func(number int64, memberTable, id string) error) error {
	return t.query("SELECT undone, member_table, member_id FROM laundromat_undone WHERE table_name = "+t.of.is.place(1)+
		" ORDER BY undone, member_table, member_id", []any{table}, func(rows *sql.Rows) error {
		var number int64
		var in, id string
		if err := rows.Scan(&number, &in, &id); err != nil {
			return err
		}
		return each(number, in, id)
	})
}
