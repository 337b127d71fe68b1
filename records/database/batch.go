package database

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/schema"
)

// Put is what is put into a table with a record.
type Put struct {
	Source string    // the document
	At     time.Time // when that was fetched
	// Order decides between forms of one record: a form of a smaller one does not take the place of one of a larger.
	Order string
}

// Order is that of a form which was fetched then, and of others of that moment by a name of the document.
func Order(at time.Time, name string) string {
	return at.UTC().Format("2006-01-02T15:04:05.000000000Z") + " " + name
}

// batch are records that are written together, each of another key.
type batch struct {
	rows  []row
	bytes int
}

// row is a record that waits to be written.
type row struct {
	key, sum, record string
	values           []*records.Value // by column
	put              Put
}

const (
	batchRows  = 400
	batchBytes = 4 << 20
	// mostValues is how many values a statement has: SQLite takes 32,766, PostgreSQL 65,535.
	mostValues = 30_000
)

// put puts a record into the table, by its key, which must not come twice before the next Flush.
func (t *Table) put(r *records.Record, w row) error {
	w, err := t.rowOf(r, w)
	if err != nil {
		return err
	}
	t.batch.rows = append(t.batch.rows, w)
	t.batch.bytes += 3 * len(w.record)
	if len(t.batch.rows) >= batchRows || t.batch.bytes >= batchBytes {
		return t.Flush()
	}
	return nil
}

// rowOf makes a row of a record, and columns of its fields that have none.
func (t *Table) rowOf(r *records.Record, w row) (row, error) {
	w.key, w.record = storedText(w.key), string(r.AppendJSON(nil))
	w.values = make([]*records.Value, len(t.columns))
	for i := range r.Fields {
		f := &r.Fields[i]
		name := storedText(f.Name)
		if t.byField[name] == nil {
			if err := t.addColumn(name, textColumn); err != nil {
				return w, err
			}
			w.values = append(w.values, nil)
		}
		value := f.Value.Clone()
		w.values[t.byField[name].at] = &value
	}
	return w, nil
}

// sumOf is a hash of what a record says.
func (t *Table) sumOf(r *records.Record) string {
	fields := r.Fields
	if len(t.shape.Fleeting) > 0 {
		fields = slices.DeleteFunc(slices.Clone(fields), func(f records.Field) bool { return slices.Contains(t.shape.Fleeting, f.Name) })
	}
	return schema.SumOf(fields)
}

// stored is what the table holds of a key.
type stored struct{ sum, added, order string }

// Flush writes what waits.
func (t *Table) Flush() error {
	rows := t.batch.rows
	if len(rows) == 0 {
		return nil
	}
	t.batch = batch{}
	there, err := t.stored(rows)
	if err != nil {
		return err
	}
	var writes []row
	var changed []any // keys
	added := make([]string, 0, len(rows))
	for i := range rows {
		w := &rows[i]
		at := stamp(w.put.At)
		is, known := there[w.key]
		switch {
		case !known:
			t.counts.New++
		case is.sum == w.sum:
			t.counts.Same++
			continue
		case w.put.Order < is.order:
			t.counts.Older++
			continue
		default:
			t.counts.Changed++
			changed, at = append(changed, w.key), is.added
		}
		writes, added = append(writes, *w), append(added, at)
	}
	if err := t.moveToHistory(changed, writes); err != nil {
		return err
	}
	return t.insert(writes, added)
}

func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339) }

func (t *Table) stored(rows []row) (map[string]stored, error) {
	keys := make([]any, len(rows))
	for i := range rows {
		keys[i] = rows[i].key
	}
	there := make(map[string]stored, len(rows))
	statement := fmt.Sprintf("SELECT %s, %s, %s, %s FROM %s WHERE %s IN %s", keyColumn, sumColumn, addedColumn, orderColumn, quoted(t.name),
		keyColumn, t.tx.of.is.places(1, len(keys)))
	return there, t.tx.query(statement, keys, func(found *sql.Rows) error {
		var key string
		var is stored
		err := found.Scan(&key, &is.sum, &is.added, &is.order)
		there[key] = is
		return err
	})
}

// moveToHistory keeps the present forms of records that new ones take the place of.
func (t *Table) moveToHistory(keys []any, writes []row) error {
	if len(keys) == 0 {
		return nil
	}
	until := map[string][]any{} // by the time of the new form
	for i := range writes {
		if slices.Contains(keys, any(writes[i].key)) {
			at := stamp(writes[i].put.At)
			until[at] = append(until[at], writes[i].key)
		}
	}
	for at, some := range until {
		in := t.tx.of.is.marks(2, len(some))
		moved := strings.Join([]string{keyColumn, recordColumn, sourceColumn, changedColumn}, ", ")
		err := t.tx.exec(fmt.Sprintf("INSERT INTO %s (%s, %s) SELECT %s, CAST(%s AS TEXT) FROM %s WHERE %s IN (%s)", quoted(t.name+ofHistory),
			moved, untilColumn, moved, t.tx.of.is.place(1), quoted(t.name), keyColumn, in), append([]any{at}, some...)...)
		if err != nil {
			return err
		}
	}
	return t.tx.exec(fmt.Sprintf("DELETE FROM %s WHERE %s IN %s", quoted(t.name), keyColumn, t.tx.of.is.places(1, len(keys))), keys...)
}

// insert writes rows, as many at a time as a statement has values for.
func (t *Table) insert(rows []row, added []string) error {
	if err := t.fit(rows); err != nil {
		return err
	}
	if err := t.tell(len(rows)); err != nil {
		return err
	}
	each := len(ownColumns) + len(t.columns)
	names := slices.Clone(ownColumns)
	for _, c := range t.columns {
		names = append(names, quoted(c.name))
	}
	for len(rows) > 0 {
		n := min(len(rows), mostValues/each)
		values := make([]any, 0, n*each)
		for i := range rows[:n] {
			w := &rows[i]
			values = append(values, w.key, w.record, w.sum, storedText(w.put.Source), added[i], stamp(w.put.At), w.put.Order)
			for at, c := range t.columns {
				values = append(values, t.cellOf(w, at, c))
			}
		}
		err := t.tx.exec("INSERT INTO "+quoted(t.name)+" ("+strings.Join(names, ", ")+") VALUES "+t.tx.of.is.places(n, each), values...)
		if err != nil {
			return err
		}
		rows, added = rows[n:], added[n:]
	}
	return nil
}

// tell raises the revision of the table, once in a transaction.
func (t *Table) tell(rows int) error {
	if rows == 0 || t.isTold || t.part != rowPart {
		return nil
	}
	t.isTold = true
	return t.tx.exec("INSERT INTO laundromat_revisions (table_name, revision) VALUES "+t.tx.of.is.places(1, 2)+
		" ON CONFLICT (table_name) DO UPDATE SET revision = laundromat_revisions.revision + 1", t.of, int64(1))
}

// fit makes columns of text of those that do not hold what comes.
func (t *Table) fit(rows []row) error {
	for at, c := range t.columns {
		for i := range rows {
			if c.holds == textColumn || at >= len(rows[i].values) {
				continue
			}
			v := rows[i].values[at]
			if _, fits := c.cell(v); fits {
				continue
			}
			n := fault.Notice{Code: fault.DumpColumnType, Severity: fault.Warning, Field: c.field,
				Excerpt: fault.Excerpt([]byte(textOf(v))),
				Message: fmt.Sprintf("a value is no %s: the column holds text from now on", c.holds)}
			if v.Kind == records.Number && c.holds == numberColumn {
				n.Code, n.Severity = fault.DumpNumber, fault.Note
				n.Message = "a number has more digits than the column holds: it holds text from now on"
			}
			t.notices(n)
			if err := t.widen(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// cellOf is the value of a row in a column.
func (t *Table) cellOf(w *row, at int, c *column) any {
	if at >= len(w.values) {
		return nil // the column came after the row
	}
	cell, _ := c.cell(w.values[at])
	text, isText := cell.(string)
	if !isText {
		return cell
	}
	text, isSound := sound(text)
	if !isSound {
		t.notices(fault.Notice{Code: fault.DumpCell, Severity: fault.Warning, Field: c.field, Excerpt: fault.Excerpt([]byte(text)),
			Message: "a text has a zero byte, which is U+FFFD in the column; " + recordColumn + " has the text as it is"})
	}
	return text
}
