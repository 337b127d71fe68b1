package database

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/prefix"
)

// Table is a table of records, within a transaction.
type Table struct {
	tx      *Tx
	name    string // in the database
	base    string // what the table is asked for by, or that which it is a part of
	of      string // as base, with what it holds of that
	part    part
	isTold  bool   // the revision was raised in this transaction
	isNew   bool   // its columns have changed since the view that joins it was looked at
	key     string // its fields, as JSON
	shape   Shape
	columns []*column
	byField map[string]*column
	notices func(fault.Notice)
	counts  Counts
	batch   batch
}

// Counts say what became of records.
type Counts struct {
	New     int64 `json:"new"`
	Changed int64 `json:"changed"` // whose old form is kept
	Same    int64 `json:"same"`
	// Older are those of which a later form is there.
	Older int64 `json:"older"`
}

// Add adds other counts.
func (c *Counts) Add(d Counts) {
	c.New += d.New
	c.Changed += d.Changed
	c.Same += d.Same
	c.Older += d.Older
}

// The columns of a table that are ours.
const (
	keyColumn     = "_key"
	recordColumn  = "_record"
	sumColumn     = "_sum"
	sourceColumn  = "_source"
	addedColumn   = "_added"
	changedColumn = "_changed"
	orderColumn   = "_order"
	untilColumn   = "_until"
)

// ownColumns are those of a table. The first comes before its fields, the others after those that are known at first.
var ownColumns = []string{keyColumn, recordColumn, sumColumn, sourceColumn, addedColumn, changedColumn, orderColumn}

// mostColumns is how many fields a table has: PostgreSQL has 1,600 columns.
const mostColumns = 1500

// Table opens the table of a name, and makes it if it is not there. Whoever opens it waits for others that have.
func (t *Tx) Table(name string, shape Shape, notices func(fault.Notice)) (*Table, error) {
	return t.table(name, rowPart, shape, notices)
}

// part is what a table holds beside the records of documents. The name of the table ends in it.
type part string

const (
	rowPart    part = ""
	mergedPart part = "_merged"  // what was merged of the rows
	detailPart part = "_details" // the records of pages that rows name
)

// of is how the part of a table is asked for: no recipe has such a name.
func (p part) of(table string) string {
	if p == rowPart {
		return table
	}
	return table + " (" + string(p[1:]) + ")"
}

// table opens a table, or a part of it.
func (t *Tx) table(base string, is part, shape Shape, notices func(fault.Notice)) (*Table, error) {
	name := is.of(base)
	wanted, err := json.Marshal(shape.key())
	if err != nil {
		return nil, err
	}
	if table := t.tables[name]; table != nil && table.key == string(wanted) {
		table.shape, table.notices = shape, notices
		return table, table.declare()
	}
	if err := t.lock("table " + name); err != nil {
		return nil, err
	}
	table := &Table{tx: t, base: base, of: name, part: is, key: string(wanted), shape: shape, notices: notices,
		byField: map[string]*column{}}
	var key string
	err = t.query("SELECT table_name, key_fields FROM laundromat_tables WHERE name = "+t.of.is.place(1), []any{name},
		func(rows *sql.Rows) error { return rows.Scan(&table.name, &key) })
	if err != nil {
		return nil, err
	}
	switch {
	case table.name == "":
		err = table.create(base + string(is))
	case key != table.key:
		return nil, &OtherTableError{fmt.Sprintf("the table %s holds records by the key %s, and the key of these is %s: name another table",
			name, key, wanted)}
	default:
		err = table.load()
	}
	if err != nil {
		return nil, err
	}
	t.tables[name] = table
	return table, table.declare()
}

// OtherTableError says that a table of this name is there for something else.
type OtherTableError struct{ message string }

func (e *OtherTableError) Error() string { return e.message }

// create makes the table, and the one of old forms.
func (t *Table) create(name string) error {
	taken, err := t.tx.relations()
	if err != nil {
		return err
	}
	t.name = freeName(prefix.Of(name, mostName-len(ofHistory)), func(lower string) bool {
		return len(lower) > mostName-len(ofHistory) || taken[lower] || taken[lower+ofHistory]
	})
	if taken[strings.ToLower(name)] && t.part == rowPart {
		isOurs := false
		err := t.tx.query("SELECT 1 FROM laundromat_tables WHERE lower(table_name) = "+t.tx.of.is.place(1), []any{strings.ToLower(name)},
			func(*sql.Rows) error { isOurs = true; return nil })
		if err != nil {
			return err
		}
		if !isOurs {
			return &OtherTableError{fmt.Sprintf("the table %s is there and was not made by this program for records: name another", name)}
		}
	}
	t.isNew = true
	definitions := []string{keyColumn + " TEXT PRIMARY KEY"}
	for _, f := range t.shape.Fields {
		if name := storedText(f.Name); t.byField[name] == nil {
			c, err := t.newColumn(name, typeOf(f.Type))
			if err != nil {
				return err
			}
			definitions = append(definitions, t.definition(c))
		}
	}
	for _, name := range ownColumns[1:] {
		definitions = append(definitions, name+" TEXT NOT NULL")
	}
	for _, statement := range []string{
		"CREATE TABLE " + quoted(t.name) + " (" + strings.Join(definitions, ", ") + ")",
		fmt.Sprintf("CREATE TABLE %s (%s TEXT NOT NULL, %s TEXT NOT NULL, %s TEXT NOT NULL, %s TEXT NOT NULL, %s TEXT NOT NULL)",
			quoted(t.name+ofHistory), keyColumn, recordColumn, sourceColumn, changedColumn, untilColumn),
		fmt.Sprintf("CREATE INDEX %s ON %s (%s)", quoted(t.name+ofHistory+"_key"), quoted(t.name+ofHistory), keyColumn),
	} {
		if err := t.tx.exec(statement); err != nil {
			return err
		}
	}
	for _, c := range t.columns {
		if err := t.note(c); err != nil {
			return err
		}
	}
	return t.tx.exec("INSERT INTO laundromat_tables (name, table_name, key_fields) VALUES "+t.tx.of.is.places(1, 3), t.of, t.name, t.key)
}

// relations are the tables and indexes that there are, in small letters.
func (t *Tx) relations() (map[string]bool, error) {
	from := "SELECT lower(name) FROM sqlite_master"
	if t.of.is.isServer {
		from = "SELECT lower(relname) FROM pg_class WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
	}
	all := map[string]bool{}
	return all, t.query(from, nil, func(rows *sql.Rows) error {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		all[name] = true
		return nil
	})
}

// load reads which columns there are.
func (t *Table) load() error {
	return t.tx.query("SELECT field, column_name, holds FROM laundromat_columns WHERE table_name = "+t.tx.of.is.place(1)+
		" ORDER BY position", []any{t.name}, func(rows *sql.Rows) error {
		c := &column{}
		if err := rows.Scan(&c.field, &c.name, &c.holds); err != nil {
			return err
		}
		t.append(c)
		return nil
	})
}

// declare makes the columns of the fields that are known. A column whose field has another type by now holds text.
func (t *Table) declare() error {
	for _, f := range t.shape.Fields {
		holds, name := typeOf(f.Type), storedText(f.Name)
		c := t.byField[name]
		var err error
		switch {
		case c == nil:
			err = t.addColumn(name, holds)
		case f.Type != "" && f.Type != "any" && c.holds != holds && c.holds != textColumn:
			err = t.widen(c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *Table) addColumn(field string, holds columnType) error {
	c, err := t.newColumn(field, holds)
	if err != nil {
		return err
	}
	t.isNew = true
	if err := t.tx.exec("ALTER TABLE " + quoted(t.name) + " ADD COLUMN " + t.definition(c)); err != nil {
		return err
	}
	return t.note(c)
}

func (t *Table) definition(c *column) string {
	return quoted(c.name) + " " + t.tx.of.is.typeName(c.holds)
}

// note notes which field a column is for.
func (t *Table) note(c *column) error {
	return t.tx.exec("INSERT INTO laundromat_columns (table_name, position, field, column_name, holds) VALUES "+t.tx.of.is.places(1, 5),
		t.name, c.at, c.field, c.name, string(c.holds))
}

// newColumn finds a name for the column of a field.
func (t *Table) newColumn(field string, holds columnType) (*column, error) {
	if len(t.columns) == mostColumns {
		return nil, fault.New("database", fault.Limit, fault.LimitColumns, "a table of records has at most %d columns", mostColumns)
	}
	c := &column{field: field, holds: holds}
	c.name = freeName(field, func(lower string) bool {
		return slices.Contains(ownColumns, lower) || lower == widening ||
			slices.ContainsFunc(t.columns, func(c *column) bool { return strings.ToLower(c.name) == lower })
	})
	if c.name != field {
		t.notices(fault.Notice{Code: fault.DumpColumnName, Severity: fault.Note, Field: field,
			Message: fmt.Sprintf("the column %q is %q in the database", field, c.name)})
	}
	t.append(c)
	return c, nil
}

func (t *Table) append(c *column) {
	c.at = len(t.columns)
	t.columns = append(t.columns, c)
	t.byField[c.field] = c
}

// storedText is a text as every database holds it.
func storedText(text string) string {
	text, _ = sound(text)
	return text
}

// asText is what a column holds, as text.
func asText(column string, holds columnType) string {
	if holds == booleanColumn {
		return fmt.Sprintf("CASE WHEN %[1]s THEN 'true' WHEN NOT %[1]s THEN 'false' END", column)
	}
	return "CAST(" + column + " AS TEXT)"
}

// widening is the name of a column for a moment.
const widening = "_widening"

// widen makes a column one of text, with what it holds.
func (t *Table) widen(c *column) error {
	t.isNew = true
	if err := t.tx.unjoin(t.base); err != nil {
		return err
	}
	table := quoted(t.name)
	for _, statement := range []string{
		"ALTER TABLE " + table + " ADD COLUMN " + widening + " TEXT",
		"UPDATE " + table + " SET " + widening + " = " + asText(quoted(c.name), c.holds),
		"ALTER TABLE " + table + " DROP COLUMN " + quoted(c.name),
		"ALTER TABLE " + table + " RENAME COLUMN " + widening + " TO " + quoted(c.name),
	} {
		if err := t.tx.exec(statement); err != nil {
			return err
		}
	}
	c.holds = textColumn
	is := t.tx.of.is
	return t.tx.exec("UPDATE laundromat_columns SET holds = "+is.place(1)+" WHERE table_name = "+is.place(2)+
		" AND column_name = "+is.place(3), string(textColumn), t.name, c.name)
}
