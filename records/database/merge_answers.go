package database

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"laundromat/internal/fault"
)

// StoredMerge is a merge as it is kept.
type StoredMerge struct {
	Key     string
	Record  string // the merged record, as JSON
	Pairs   string // as JSON
	Members []Member
}

// MergesQuery says which merges are asked for. Of what is "" all are.
type MergesQuery struct {
	After  string // the key before the first
	Source string // those with a row of this document
	ID     string // that of the record with this id
	Limit  int
}

// Merges are those of a table, in the order of their keys.
func (t *Tx) Merges(table string, q MergesQuery) (all []StoredMerge, err error) {
	relation, err := t.TableOfMerged(table)
	if err != nil || relation == "" {
		return nil, err
	}
	values := []any{table, q.After}
	where := ""
	among := func(column, value string) {
		if value != "" {
			values = append(values, value)
			where += fmt.Sprintf(" AND m.merge_key IN (SELECT merge_key FROM laundromat_merged WHERE table_name = m.table_name AND %s = %s)",
				column, t.of.is.place(len(values)))
		}
	}
	among("source", q.Source)
	among("member_id", q.ID)
	statement := fmt.Sprintf("SELECT m.merge_key, m.pairs, r.%s FROM laundromat_merges m JOIN %s r ON r.%s = m.merge_key "+
		"WHERE m.table_name = %s AND m.merge_key > %s%s ORDER BY m.merge_key LIMIT %d", recordColumn, quoted(relation), keyColumn,
		t.of.is.place(1), t.of.is.place(2), where, q.Limit)
	err = t.query(statement, values, func(rows *sql.Rows) error {
		var one StoredMerge
		err := rows.Scan(&one.Key, &one.Pairs, &one.Record)
		all = append(all, one)
		return err
	})
	for i := range all {
		if err == nil {
			all[i].Members, err = t.Members(table, all[i].Key)
		}
	}
	return all, err
}

// MergesOfSource is how many merges of a table have a row of a document.
func (t *Tx) MergesOfSource(table, source string) (n int64, err error) {
	return n, t.query("SELECT count(DISTINCT merge_key) FROM laundromat_merged WHERE table_name = "+t.of.is.place(1)+" AND source = "+
		t.of.is.place(2), []any{table, source}, func(rows *sql.Rows) error { return rows.Scan(&n) })
}

// LoggedMerge is an entry of the log of merges.
type LoggedMerge struct {
	Key     string    `json:"key"`
	What    string    `json:"what"` // merged, changed or parted
	Members string    `json:"-"`    // as JSON
	At      time.Time `json:"at"`
	By      string    `json:"by,omitempty"` // who said so; "" if it was found
}

// MergeLog are the last entries of the log of a table, the latest first.
func (t *Tx) MergeLog(table string, limit int) (all []LoggedMerge, err error) {
	statement := fmt.Sprintf("SELECT merge_key, what, members, at, said_by FROM laundromat_merge_log WHERE table_name = %s "+
		"ORDER BY at DESC, merge_key, what LIMIT %d", t.of.is.place(1), limit)
	return all, t.query(statement, []any{table}, func(rows *sql.Rows) error {
		var one LoggedMerge
		var at string
		var by sql.NullString
		err := rows.Scan(&one.Key, &one.What, &one.Members, &at, &by)
		one.At, _ = time.Parse(time.RFC3339, at) // as we wrote it
		one.By = by.String
		all = append(all, one)
		return err
	})
}

// Answer is a person's, to whether the records of two ids are the same.
type Answer struct {
	A, B string
	Same bool
	By   string
	At   time.Time
}

// Answers are all of a table, in the order of their ids.
func (t *Tx) Answers(table string) (all []Answer, err error) {
	return all, t.query("SELECT a, b, same, said_by, said_at FROM laundromat_answers WHERE table_name = "+t.of.is.place(1)+" ORDER BY a, b",
		[]any{table}, func(rows *sql.Rows) error {
			var one Answer
			var same int64
			var at string
			err := rows.Scan(&one.A, &one.B, &same, &one.By, &at)
			one.Same = same != 0
			one.At, _ = time.Parse(time.RFC3339, at) // as we wrote it
			all = append(all, one)
			return err
		})
}

// Answer keeps answers. A merge whose records are said to be others is parted at once; what else follows from the
// answers is found when the table is reconciled next. An answer in place of another counts.
func (t *Tx) Answer(table string, answers []Answer) error {
	m := &merging{Tx: t, table: table, at: time.Now()}
	var parted []string
	for _, a := range answers {
		same := int64(0)
		if a.Same {
			same = 1
		}
		if err := t.exec("INSERT INTO laundromat_answers (table_name, a, b, same, said_by, said_at) VALUES "+t.of.is.places(1, 6)+
			" ON CONFLICT (table_name, a, b) DO UPDATE SET same = excluded.same, said_by = excluded.said_by, said_at = excluded.said_at",
			table, storedText(a.A), storedText(a.B), same, storedText(a.By), stamp(a.At)); err != nil {
			return err
		}
		if a.Same {
			continue
		}
		keys, err := t.mergesOf(table, a.A, a.B)
		if err != nil {
			return err
		}
		for _, key := range keys {
			if !slices.Contains(parted, key) {
				parted = append(parted, key)
			}
		}
	}
	if len(parted) > 0 {
		var err error
		if m.merged, err = t.mergedTable(table); err != nil {
			return err
		}
		by := ""
		if len(answers) > 0 {
			by = answers[0].By
		}
		if err := m.part(parted, by); err != nil {
			return err
		}
	}
	return t.answered(table, len(parted))
}

// mergedTable opens the table of what was merged as it is.
func (t *Tx) mergedTable(table string) (*Table, error) {
	var key string
	err := t.query("SELECT key_fields FROM laundromat_tables WHERE name = "+t.of.is.place(1), []any{mergedPart.of(table)},
		func(rows *sql.Rows) error { return rows.Scan(&key) })
	if err != nil {
		return nil, err
	}
	shape := Shape{}
	if err := json.Unmarshal([]byte(key), &shape.Key); err != nil {
		return nil, fmt.Errorf("the key of the table %s: %w", mergedPart.of(table), err)
	}
	return t.table(table, mergedPart, shape, func(fault.Notice) {})
}

// ForgetAnswers forgets what was said of two ids; ErrNoAnswer if nothing was.
func (t *Tx) ForgetAnswers(table, a, b string) error {
	is := t.of.is
	n, err := t.removed("DELETE FROM laundromat_answers WHERE table_name = "+is.place(1)+" AND a = "+is.place(2)+" AND b = "+is.place(3),
		table, storedText(a), storedText(b))
	switch {
	case err != nil:
		return err
	case n == 0:
		return ErrNoAnswer
	}
	return t.answered(table, 0)
}

// removed executes a statement, and says how many rows it removed.
func (t *Tx) removed(statement string, values ...any) (n int64, err error) {
	done, err := t.tx.ExecContext(t.ctx, statement, values...)
	if err == nil {
		n, err = done.RowsAffected()
	}
	if err != nil {
		return 0, t.of.trouble(err)
	}
	return n, nil
}

// ErrNoAnswer says that nobody said whether two records are the same.
var ErrNoAnswer = errors.New("nobody said whether these two records are the same")

// answered notes that the answers are others now, and that some merges are no more.
func (t *Tx) answered(table string, parted int) error {
	r, err := t.Reconciled(table)
	if err != nil {
		return err
	}
	r.Answers++
	r.Merges = max(0, r.Merges-int64(parted))
	return t.SetReconciled(table, r)
}

// mergesOf are the merges that have rows of both ids.
func (t *Tx) mergesOf(table, a, b string) (keys []string, err error) {
	is := t.of.is
	statement := strings.Join([]string{"SELECT DISTINCT x.merge_key FROM laundromat_merged x JOIN laundromat_merged y",
		"ON y.table_name = x.table_name AND y.merge_key = x.merge_key",
		"AND (y.member_table <> x.member_table OR y.member_key <> x.member_key)",
		"WHERE x.table_name = " + is.place(1), "AND x.member_id = " + is.place(2), "AND y.member_id = " + is.place(3),
		"ORDER BY x.merge_key"}, " ")
	return keys, t.query(statement, []any{table, storedText(a), storedText(b)}, func(rows *sql.Rows) error {
		var key string
		err := rows.Scan(&key)
		keys = append(keys, key)
		return err
	})
}
