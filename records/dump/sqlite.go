//go:build !lean

package dump

import (
	"context"
	"database/sql/driver"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"modernc.org/sqlite"

	"laundromat/internal/fault"
	"laundromat/internal/fileurl"
	"laundromat/records"
)

// sqliteParameters is about how many values are given at once.
const sqliteParameters = 256

// A sqliteTable writes a table of a new SQLite database, in one transaction. The database
// needs no journal: until it is whole it has no name.
type sqliteTable struct {
	to      *target
	was     *originals
	columns []*column
	conn    driver.Conn
	many    driver.StmtExecContext // of as many rows as there is room for in values
	into    string
	values  []driver.NamedValue
	filled  int
}

// sqliteTypes are the declared types. None but those of numbers changes what is stored.
var sqliteTypes = [...]string{shapeText: "TEXT", shapeInteger: "INTEGER", shapeNumber: "REAL", shapeBoolean: "BOOLEAN",
	shapeDate: "TEXT", shapeTime: "TEXT", shapeJSON: "TEXT"}

func openSQLite(o *output, t *table) (rowWriter, error) {
	path, err := o.target.name()
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return nil, err
	}
	conn, err := (&sqlite.Driver{}).Open(fileurl.Of(path).String())
	if err != nil {
		return nil, err
	}
	w := &sqliteTable{to: o.target, was: o.was, columns: t.columns, conn: conn}
	if err := w.begin(t); err != nil {
		conn.Close()
		return nil, err
	}
	return w, nil
}

// begin creates the table and prepares its rows.
func (w *sqliteTable) begin(t *table) error {
	definitions := make([]string, len(w.columns))
	for i, name := range sqliteNames(t) {
		definitions[i] = name + " " + sqliteTypes[w.columns[i].shape]
	}
	name := sqliteName(t.name)
	for _, statement := range []string{
		"PRAGMA page_size=8192", "PRAGMA journal_mode=OFF", "PRAGMA synchronous=OFF", "PRAGMA locking_mode=EXCLUSIVE",
		"PRAGMA cache_size=-8192", "BEGIN", "CREATE TABLE " + name + " (" + strings.Join(definitions, ", ") + ")",
	} {
		if err := w.exec(statement); err != nil {
			return err
		}
	}
	w.into = "INSERT INTO " + name + " VALUES "
	rows := max(1, sqliteParameters/len(w.columns))
	w.values = make([]driver.NamedValue, rows*len(w.columns))
	for i := range w.values {
		w.values[i].Ordinal = i + 1
	}
	statement, err := w.prepare(rows)
	w.many = statement
	return err
}

func (w *sqliteTable) exec(statement string) error {
	_, err := w.conn.(driver.ExecerContext).ExecContext(context.Background(), statement, nil)
	return err
}

// prepare makes the statement that inserts so many rows.
func (w *sqliteTable) prepare(rows int) (driver.StmtExecContext, error) {
	one := "(" + strings.TrimSuffix(strings.Repeat("?,", len(w.columns)), ",") + "),"
	statement, err := w.conn.Prepare(w.into + strings.TrimSuffix(strings.Repeat(one, rows), ","))
	if err != nil {
		return nil, err
	}
	return statement.(driver.StmtExecContext), nil
}

func sqliteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// sqliteNames are the names of the columns, each different from the others for SQLite, which
// takes small and capital letters of ASCII for the same.
func sqliteNames(t *table) []string {
	names := make([]string, len(t.columns))
	taken := map[string]bool{}
	for _, c := range t.columns {
		taken[c.name] = true
	}
	folded := map[string]bool{}
	for i, c := range t.columns {
		base := strings.ReplaceAll(c.name, "\x00", "\uFFFD")
		name := base
		for n := 2; folded[asciiLower(name)] || name != c.name && taken[name]; n++ {
			name = base + "_" + strconv.Itoa(n)
		}
		if name != c.name {
			t.notices(fault.Notice{Code: fault.DumpColumnName, Severity: fault.Note, Field: c.name,
				Message: fmt.Sprintf("the column %q is %q in SQLite", c.name, name)})
		}
		folded[asciiLower(name)] = true
		names[i] = sqliteName(name)
	}
	return names
}

func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

func (w *sqliteTable) row(r *row) error {
	if err := w.was.keep(r); err != nil {
		return err
	}
	for i, c := range w.columns {
		var value driver.Value
		if i < len(r.cells) && r.cells[i].kind > null {
			var err error
			if value, err = sqliteValue(c.shape, &r.cells[i]); err != nil {
				return err
			}
		}
		w.values[w.filled].Value = value
		w.filled++
	}
	if w.filled < len(w.values) {
		return nil
	}
	w.filled = 0
	_, err := w.many.ExecContext(context.Background(), w.values)
	return err
}

// sqliteValue is a cell as a value of its column's type.
func sqliteValue(s shape, c *cell) (driver.Value, error) {
	switch s {
	case shapeInteger:
		return strconv.ParseInt(c.text, 10, 64)
	case shapeNumber:
		return strconv.ParseFloat(c.text, 64)
	case shapeBoolean:
		return c.text == "true", nil
	case shapeJSON:
		if c.kind == text {
			return string(records.AppendJSONText(nil, c.text)), nil
		}
	}
	return c.text, nil
}

func (w *sqliteTable) close() error {
	if w.filled > 0 {
		last, err := w.prepare(w.filled / len(w.columns))
		if err != nil {
			return err
		}
		if _, err := last.ExecContext(context.Background(), w.values[:w.filled]); err != nil {
			return err
		}
		if err := last.(driver.Stmt).Close(); err != nil {
			return err
		}
	}
	if err := w.many.(driver.Stmt).Close(); err != nil {
		return err
	}
	if err := w.exec("COMMIT"); err != nil {
		return err
	}
	err := w.conn.Close()
	w.conn = nil
	return err
}

// Close lets go of the database, of a table that failed too.
func (w *sqliteTable) Close() error {
	if w.conn == nil {
		return nil
	}
	return w.conn.Close()
}

// name is the path of a file that a library writes by its name. It becomes the target's.
func (t *target) name() (string, error) {
	if t.path != "" {
		return t.file.Name(), nil
	}
	file, err := os.CreateTemp(t.dir, "laundromat-records-*")
	if err != nil {
		return "", err
	}
	t.whole = file.Name()
	return t.whole, file.Close()
}
