package database

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/schema"
)

// The tables that say which rows were found to be the same. What is merged is in a table beside that of the rows, which
// stay as they are. All change in one transaction.
var mergeLayout = []string{
	`CREATE TABLE IF NOT EXISTS laundromat_revisions (table_name TEXT PRIMARY KEY, revision BIGINT NOT NULL)`,
	`CREATE TABLE IF NOT EXISTS laundromat_reconciled (table_name TEXT PRIMARY KEY, form TEXT NOT NULL, model TEXT, ` +
		`keeps_model BIGINT NOT NULL, answers BIGINT NOT NULL, at TEXT NOT NULL, seconds DOUBLE PRECISION NOT NULL, records BIGINT NOT NULL, ` +
		`merged BIGINT NOT NULL, merges BIGINT NOT NULL, pairs BIGINT NOT NULL, ` + `precision_expected DOUBLE PRECISION, trouble TEXT)`,
	`CREATE TABLE IF NOT EXISTS laundromat_merges (table_name TEXT NOT NULL, merge_key TEXT NOT NULL, sum TEXT NOT NULL, ` +
		`pairs_sum TEXT NOT NULL, pairs TEXT NOT NULL, PRIMARY KEY (table_name, merge_key))`,
	`CREATE TABLE IF NOT EXISTS laundromat_merged (table_name TEXT NOT NULL, member_table TEXT NOT NULL, member_key TEXT NOT NULL, ` +
		`member_id TEXT NOT NULL, source TEXT NOT NULL, merge_key TEXT NOT NULL, PRIMARY KEY (table_name, member_table, member_key))`,
	`CREATE INDEX IF NOT EXISTS laundromat_merged_merge ON laundromat_merged (table_name, merge_key)`,
	`CREATE INDEX IF NOT EXISTS laundromat_merged_source ON laundromat_merged (source)`,
	`CREATE TABLE IF NOT EXISTS laundromat_answers (table_name TEXT NOT NULL, a TEXT NOT NULL, b TEXT NOT NULL, same BIGINT NOT NULL, ` +
		`said_by TEXT NOT NULL, said_at TEXT NOT NULL, PRIMARY KEY (table_name, a, b))`,
	`CREATE TABLE IF NOT EXISTS laundromat_merge_log (table_name TEXT NOT NULL, merge_key TEXT NOT NULL, what TEXT NOT NULL, ` +
		`members TEXT NOT NULL, at TEXT NOT NULL, said_by TEXT)`,
	`CREATE INDEX IF NOT EXISTS laundromat_merge_log_at ON laundromat_merge_log (table_name, at)`,
	undoneLayout,
}

// Reconciled says how far the rows of a table are reconciled.
type Reconciled struct {
	// Form tells what the merges were found from: of the same form they are the same.
	Form  string
	Model string // what was learned, as JSON; "" if nothing was
	// KeepsModel says that nothing is learned anew.
	KeepsModel bool
	Answers    int64 // how often a person's answers changed
	At         time.Time
	Seconds    float64
	Records    int64 // all that were looked at
	Merged     int64 // those of them that others are the same as
	Merges     int64
	Pairs      int64
	Precision  *float64 // expected of the pairs; nil where they are too few to say
	Trouble    string   // why the merges are those of before
}

// Revision is how often the rows of a table have changed.
func (t *Tx) Revision(table string) (revision int64, err error) {
	return revision, t.query("SELECT revision FROM laundromat_revisions WHERE table_name = "+t.of.is.place(1), []any{table},
		func(rows *sql.Rows) error { return rows.Scan(&revision) })
}

// Reconciled says how far a table is reconciled; the zero value if it never was.
func (t *Tx) Reconciled(table string) (r Reconciled, err error) {
	return r, t.query("SELECT form, model, keeps_model, answers, at, seconds, records, merged, merges, pairs, precision_expected, trouble "+
		"FROM laundromat_reconciled WHERE table_name = "+t.of.is.place(1), []any{table},
		func(rows *sql.Rows) error {
			var model, trouble sql.NullString
			var keeps int64
			var at string
			var precision sql.NullFloat64
			err := rows.Scan(&r.Form, &model, &keeps, &r.Answers, &at, &r.Seconds, &r.Records, &r.Merged, &r.Merges, &r.Pairs, &precision,
				&trouble)
			r.Model, r.Trouble, r.KeepsModel = model.String, trouble.String, keeps != 0
			r.At, _ = time.Parse(time.RFC3339, at) // the zero time before the first run
			if precision.Valid {
				r.Precision = &precision.Float64
			}
			return err
		})
}

// SetReconciled notes how far a table is reconciled.
func (t *Tx) SetReconciled(table string, r Reconciled) error {
	keeps := int64(0)
	if r.KeepsModel {
		keeps = 1
	}
	var precision any
	if r.Precision != nil {
		precision = *r.Precision
	}
	at := ""
	if !r.At.IsZero() {
		at = stamp(r.At)
	}
	names := []string{"form", "model", "keeps_model", "answers", "at", "seconds", "records", "merged", "merges", "pairs",
		"precision_expected", "trouble"}
	set := make([]string, len(names))
	for i, name := range names {
		set[i] = name + " = excluded." + name
	}
	return t.exec("INSERT INTO laundromat_reconciled (table_name, "+strings.Join(names, ", ")+") VALUES "+t.of.is.places(1, 13)+
		" ON CONFLICT (table_name) DO UPDATE SET "+strings.Join(set, ", "), table, r.Form, orNull(r.Model), keeps, r.Answers, at,
		r.Seconds, r.Records, r.Merged, r.Merges, r.Pairs, precision, orNull(storedText(r.Trouble)))
}

// AllReconciled are the names of the tables that are, or were, reconciled.
func (t *Tx) AllReconciled() (names []string, err error) {
	return names, t.query("SELECT table_name FROM laundromat_reconciled ORDER BY table_name", nil, func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		names = append(names, name)
		return err
	})
}

// Row is a record of a table.
type Row struct {
	Key, Source string
	Record      string // as JSON
	Changed     time.Time
}

// RowsAfter are the rows of a table whose keys come after one, in the order of keys, up to limit. A table that is not
// there has none.
func (t *Tx) RowsAfter(table, key string, limit int) (all []Row, err error) {
	relation, err := t.relationOf(table)
	if err != nil || relation == "" {
		return nil, err
	}
	statement := fmt.Sprintf("SELECT %s, %s, %s, %s FROM %s WHERE %s > %s ORDER BY %s LIMIT %d", keyColumn, recordColumn, sourceColumn,
		changedColumn, quoted(relation), keyColumn, t.of.is.place(1), keyColumn, limit)
	return all, t.query(statement, []any{key}, func(rows *sql.Rows) error {
		var r Row
		var changed string
		err := rows.Scan(&r.Key, &r.Record, &r.Source, &changed)
		r.Changed, _ = time.Parse(time.RFC3339, changed) // as we wrote it
		all = append(all, r)
		return err
	})
}

// CountRows is how many rows a table has; a table that is not there has none.
func (t *Tx) CountRows(table string) (n int64, err error) {
	relation, err := t.relationOf(table)
	if err != nil || relation == "" {
		return 0, err
	}
	return n, t.query("SELECT count(*) FROM "+quoted(relation), nil, func(rows *sql.Rows) error { return rows.Scan(&n) })
}

func (t *Tx) relationOf(table string) (relation string, err error) {
	return relation, t.query("SELECT table_name FROM laundromat_tables WHERE name = "+t.of.is.place(1), []any{table},
		func(rows *sql.Rows) error { return rows.Scan(&relation) })
}

// TableOfMerged is the table, as the database calls it, of what was merged of the rows of another; "" without one.
func (t *Tx) TableOfMerged(table string) (relation string, err error) {
	return t.relationOf(mergedPart.of(table))
}

// Member is a row that others are the same as.
type Member struct {
	Table  string `json:"table"`
	Key    string `json:"key"`
	ID     string `json:"id"`
	Source string `json:"source"`
}

// Merge is a record that was merged of several.
type Merge struct {
	Key     string
	Record  *records.Record
	Source  string
	Changed time.Time
	Members []Member
	Pairs   string // as JSON
}

// What the log says of merges.
const (
	loggedMerged  = "merged"
	loggedChanged = "changed"
	loggedParted  = "parted"
)

// merging puts merges in the place of those that are there.
type merging struct {
	*Tx
	table  string
	at     time.Time
	merged *Table
	there  map[string]mergeSums
	batch  []Merge
	sums   []mergeSums
	bytes  int
}

// mergeSums are hashes of what is said of a merge.
type mergeSums struct{ record, pairs string }

// ReplaceMerges puts merges, each of another key, in the place of those of a table. What changes is logged.
func (t *Tx) ReplaceMerges(table string, shape Shape, at time.Time, all func(put func(Merge) error) error) error {
	m := &merging{Tx: t, table: table, at: at, there: map[string]mergeSums{}}
	err := t.query("SELECT merge_key, sum, pairs_sum FROM laundromat_merges WHERE table_name = "+t.of.is.place(1), []any{table},
		func(rows *sql.Rows) error {
			var key string
			var is mergeSums
			err := rows.Scan(&key, &is.record, &is.pairs)
			m.there[key] = is
			return err
		})
	if err != nil {
		return err
	}
	if m.merged, err = t.table(table, mergedPart, shape, func(fault.Notice) {}); err != nil {
		return err
	}
	if err := all(m.put); err != nil {
		return err
	}
	if err := m.flush(); err != nil {
		return err
	}
	gone := make([]string, 0, len(m.there))
	for key := range m.there {
		gone = append(gone, key)
	}
	slices.Sort(gone)
	return m.part(gone, "")
}

func (m *merging) put(one Merge) error {
	one.Key = storedText(one.Key)
	pairs := sha256.Sum256([]byte(one.Pairs))
	sums := mergeSums{schema.SumOf(one.Record.Fields), hex.EncodeToString(pairs[:16])}
	is, known := m.there[one.Key]
	if known && is == sums {
		delete(m.there, one.Key)
		return nil
	}
	m.batch, m.sums = append(m.batch, one), append(m.sums, sums)
	m.bytes += len(one.Pairs) + 1000*len(one.Members)
	if len(m.batch) < batchRows && m.bytes < batchBytes {
		return nil
	}
	return m.flush()
}

// flush writes the merges that wait.
func (m *merging) flush() error {
	batch, sums := m.batch, m.sums
	m.batch, m.sums, m.bytes = nil, nil, 0
	if len(batch) == 0 {
		return nil
	}
	var writes []row
	var added []string
	var replaced []any // keys
	for i := range batch {
		one := &batch[i]
		is, known := m.there[one.Key]
		delete(m.there, one.Key)
		if known && is.record == sums[i].record {
			continue
		}
		w, err := m.merged.rowOf(one.Record, row{key: one.Key, sum: sums[i].record, put: Put{Source: one.Source, At: one.Changed}})
		if err != nil {
			return err
		}
		what := loggedMerged
		if known {
			what, replaced = loggedChanged, append(replaced, w.key)
		}
		writes, added = append(writes, w), append(added, stamp(one.Changed))
		if err := m.log(one.Key, what, one.Members, ""); err != nil {
			return err
		}
	}
	if err := m.merged.moveToHistory(replaced, writes); err != nil {
		return err
	}
	if err := m.drop("laundromat_merged", replaced); err != nil {
		return err
	}
	if err := m.merged.insert(writes, added); err != nil {
		return err
	}
	return m.note(batch, sums, writes)
}

// note notes the pairs of merges, and the members of those that were written.
func (m *merging) note(batch []Merge, sums []mergeSums, writes []row) error {
	values := make([]any, 0, 5*len(batch))
	for i := range batch {
		values = append(values, m.table, batch[i].Key, sums[i].record, sums[i].pairs, storedText(batch[i].Pairs))
	}
	err := m.exec("INSERT INTO laundromat_merges (table_name, merge_key, sum, pairs_sum, pairs) VALUES "+m.of.is.places(len(batch), 5)+
		" ON CONFLICT (table_name, merge_key) DO UPDATE SET sum = excluded.sum, pairs_sum = excluded.pairs_sum, pairs = excluded.pairs", values...)
	if err != nil {
		return err
	}
	written := map[string]bool{}
	for i := range writes {
		written[writes[i].key] = true
	}
	values = values[:0]
	for i := range batch {
		if !written[batch[i].Key] {
			continue
		}
		for _, member := range batch[i].Members {
			values = append(values, m.table, member.Table, storedText(member.Key), storedText(member.ID),
				storedText(member.Source), batch[i].Key)
		}
	}
	// A row that another merge had before belongs to this one now, whether that was written before or comes later.
	const each = 6
	for len(values) > 0 {
		n := min(len(values), mostValues/each*each)
		err := m.exec("INSERT INTO laundromat_merged (table_name, member_table, member_key, member_id, source, merge_key) VALUES "+
			m.of.is.places(n/each, each)+" ON CONFLICT (table_name, member_table, member_key) DO UPDATE SET member_id = excluded.member_id, "+
			"source = excluded.source, merge_key = excluded.merge_key", values[:n]...)
		if err != nil {
			return err
		}
		values = values[n:]
	}
	return nil
}

// drop removes what a table says of merges.
func (m *merging) drop(from string, keys []any) error {
	if len(keys) == 0 {
		return nil
	}
	return m.exec("DELETE FROM "+from+" WHERE table_name = "+m.of.is.place(1)+" AND merge_key IN ("+m.of.is.marks(2, len(keys))+")",
		append([]any{m.table}, keys...)...)
}

// part takes merges away. Their rows are as they were.
func (m *merging) part(keys []string, by string) error {
	for some := range slices.Chunk(keys, batchRows) {
		var all []any
		var writes []row // which take their place in no table
		for _, key := range some {
			members, err := m.members(m.table, key, mostLogged)
			if err != nil {
				return err
			}
			if err := m.log(key, loggedParted, members, by); err != nil {
				return err
			}
			all, writes = append(all, key), append(writes, row{key: key, put: Put{At: m.at}})
		}
		if err := m.merged.moveToHistory(all, writes); err != nil {
			return err
		}
		if err := m.drop("laundromat_merged", all); err != nil {
			return err
		}
		if err := m.drop("laundromat_merges", all); err != nil {
			return err
		}
	}
	return nil
}

// PartAll takes all merges of a table away.
func (t *Tx) PartAll(table string, at time.Time) error {
	m := &merging{Tx: t, table: table, at: at}
	var keys []string
	err := t.query("SELECT merge_key FROM laundromat_merges WHERE table_name = "+t.of.is.place(1)+" ORDER BY merge_key", []any{table},
		func(rows *sql.Rows) error {
			var key string
			err := rows.Scan(&key)
			keys = append(keys, key)
			return err
		})
	if err != nil || len(keys) == 0 {
		return err
	}
	if m.merged, err = t.mergedTable(table); err != nil {
		return err
	}
	return m.part(keys, "")
}

// mostLogged is how many members of a merge an entry of the log names, the first of them.
const mostLogged = 1000

func (m *merging) log(key, what string, members []Member, by string) error {
	text, err := json.Marshal(members[:min(len(members), mostLogged)])
	if err != nil {
		return err
	}
	return m.exec("INSERT INTO laundromat_merge_log (table_name, merge_key, what, members, at, said_by) VALUES "+m.of.is.places(1, 6),
		m.table, key, what, storedText(string(text)), stamp(m.at), orNull(by))
}

// Members are the rows of a merge.
func (t *Tx) Members(table, key string) ([]Member, error) {
	return t.members(table, key, math.MaxInt32)
}

// members are the first rows of a merge, up to limit.
func (t *Tx) members(table, key string, limit int) (all []Member, err error) {
	return all, t.query("SELECT member_table, member_key, member_id, source FROM laundromat_merged WHERE table_name = "+t.of.is.place(1)+
		" AND merge_key = "+t.of.is.place(2)+" ORDER BY member_table, member_key LIMIT "+strconv.Itoa(limit), []any{table, key},
		func(rows *sql.Rows) error {
			var one Member
			err := rows.Scan(&one.Table, &one.Key, &one.ID, &one.Source)
			all = append(all, one)
			return err
		})
}
