package database

import (
	"database/sql"
	"errors"
	"strings"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/prefix"
)

// The tables that say what of a seed list is in the database. They change in the transaction of the rows.
var feedLayout = []string{
	`CREATE TABLE IF NOT EXISTS laundromat_feeds (list TEXT PRIMARY KEY, revision BIGINT NOT NULL, mark TEXT NOT NULL, ` +
		`scanned BIGINT NOT NULL, is_scanning BIGINT NOT NULL, holder TEXT NOT NULL, held_until BIGINT NOT NULL)`,
	`CREATE TABLE IF NOT EXISTS laundromat_documents (seed TEXT PRIMARY KEY, recipe TEXT NOT NULL, form TEXT NOT NULL)`,
	`CREATE TABLE IF NOT EXISTS laundromat_log (id TEXT PRIMARY KEY, parser_name TEXT NOT NULL, parser_version TEXT, ` +
		`parser_runtime DOUBLE PRECISION NOT NULL, source_url TEXT NOT NULL, source_text TEXT, access_datetime TEXT NOT NULL, ` +
		`insert_count BIGINT NOT NULL, update_count BIGINT NOT NULL, lost_count BIGINT NOT NULL, result TEXT NOT NULL, traceback TEXT)`,
}

// Cursor says how far the changes of a seed list are in the database.
type Cursor struct {
	Revision uint64 // all changes up to this one are
	// Mark tells the change of that revision from one of another list, or of this list before it was restored.
	Mark string
	// IsScanning says that the list is read as a whole. Scanned is the number of the last seed that was.
	IsScanning bool
	Scanned    uint64
}

// Cursor is that of a list; the zero one of a list that is not known.
func (t *Tx) Cursor(list string) (c Cursor, err error) {
	err = t.query("SELECT revision, mark, scanned, is_scanning FROM laundromat_feeds WHERE list = "+t.of.is.place(1), []any{list},
		func(rows *sql.Rows) error {
			var revision, scanned, isScanning int64
			err := rows.Scan(&revision, &c.Mark, &scanned, &isScanning)
			c.Revision, c.Scanned, c.IsScanning = uint64(revision), uint64(scanned), isScanning != 0
			return err
		})
	return c, err
}

// SetCursor sets that of a list.
func (t *Tx) SetCursor(list string, c Cursor) error {
	isScanning := int64(0)
	if c.IsScanning {
		isScanning = 1
	}
	is := t.of.is
	return t.exec("UPDATE laundromat_feeds SET revision = "+is.place(1)+", mark = "+is.place(2)+", scanned = "+is.place(3)+
		", is_scanning = "+is.place(4)+" WHERE list = "+is.place(5), int64(c.Revision), c.Mark, int64(c.Scanned), isScanning, list)
}

// Hold makes a process the one that follows a list, for so long. It answers false where another one is. Until the
// transaction ends, others wait.
func (t *Tx) Hold(list, holder string, lease time.Duration) (isHeld bool, err error) {
	if err := t.lock("feed " + list); err != nil {
		return false, err
	}
	is, now := t.of.is, time.Now()
	if err := t.exec("INSERT INTO laundromat_feeds (list, revision, mark, scanned, is_scanning, holder, held_until) VALUES "+is.places(1, 7)+
		" ON CONFLICT (list) DO NOTHING", list, int64(0), "", int64(0), int64(0), holder, int64(0)); err != nil {
		return false, err
	}
	done, err := t.tx.ExecContext(t.ctx, "UPDATE laundromat_feeds SET holder = "+is.place(1)+", held_until = "+is.place(2)+
		" WHERE list = "+is.place(3)+" AND (holder = "+is.place(4)+" OR held_until < "+is.place(5)+")",
		holder, now.Add(lease).Unix(), list, holder, now.Unix())
	if err != nil {
		return false, t.of.trouble(err)
	}
	n, err := done.RowsAffected()
	return n > 0, t.of.trouble(err)
}

// Taken are the forms in which documents are in the database, by their seeds.
func (t *Tx) Taken(seeds ...string) (map[string]string, error) {
	forms := map[string]string{}
	if len(seeds) == 0 {
		return forms, nil
	}
	values := make([]any, len(seeds))
	for i, seed := range seeds {
		values[i] = seed
	}
	return forms, t.query("SELECT seed, form FROM laundromat_documents WHERE seed IN "+t.of.is.places(1, len(values)), values,
		func(rows *sql.Rows) error {
			var seed, form string
			err := rows.Scan(&seed, &form)
			forms[seed] = form
			return err
		})
}

// Take notes in which form a document is in the database.
func (t *Tx) Take(seed, recipe, form string) error {
	return t.exec("INSERT INTO laundromat_documents (seed, recipe, form) VALUES "+t.of.is.places(1, 3)+
		" ON CONFLICT (seed) DO UPDATE SET recipe = excluded.recipe, form = excluded.form", seed, recipe, form)
}

// Entry is the record of a run in the table laundromat_log, as --log of the command records has it.
type Entry struct {
	ID, Name, Version string
	Runtime           float64 // seconds
	URL, Text         string
	Accessed          string
	Inserted          int64 // new records
	Updated, Lost     int64
	Result, Traceback string
}

// Log adds an entry, unless it is there.
func (t *Tx) Log(e Entry) error {
	return t.exec("INSERT INTO laundromat_log (id, parser_name, parser_version, parser_runtime, source_url, source_text, access_datetime, "+
		"insert_count, update_count, lost_count, result, traceback) VALUES "+t.of.is.places(1, 12)+" ON CONFLICT (id) DO NOTHING",
		e.ID, e.Name, orNull(e.Version), e.Runtime, storedText(e.URL), orNull(e.Text), e.Accessed, e.Inserted, e.Updated, e.Lost, e.Result,
		orNull(storedText(e.Traceback)))
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// Try does something that can be undone without the rest of the transaction, and is where it fails by a fault of the
// records. An error of the database ends the transaction.
func (t *Tx) Try(do func() error) error {
	return t.undoing("laundromat_try", do, func(failed error) bool {
		if fault.CodeOf(failed) == fault.LocalDatabase {
			return false
		}
		t.tables = map[string]*Table{} // columns that they have may be gone
		return true
	})
}

// undoing does something, and undoes it alone where it fails in a way that can be lived with.
func (t *Tx) undoing(savepoint string, do func() error, isLight func(failed error) bool) error {
	if err := t.exec("SAVEPOINT " + savepoint); err != nil {
		return err
	}
	failed := do()
	if failed == nil {
		return t.exec("RELEASE SAVEPOINT " + savepoint)
	}
	if !isLight(failed) {
		return failed
	}
	if err := t.exec("ROLLBACK TO SAVEPOINT " + savepoint); err != nil {
		return errors.Join(err, failed)
	}
	return errors.Join(t.exec("RELEASE SAVEPOINT "+savepoint), failed)
}

// Rows puts the records of one document into a table, in a transaction with others.
type Rows struct {
	taking
	lost int64
}

// Rows opens a table for a document.
func (t *Tx) Rows(table string, shape Shape, opt SinkOptions) (*Rows, error) {
	return t.rows(table, rowPart, shape, opt)
}

func (t *Tx) rows(table string, of part, shape Shape, opt SinkOptions) (*Rows, error) {
	r := &Rows{}
	told := opt.Notices
	opt.Notices = func(n fault.Notice) {
		if n.Severity == fault.Drop {
			r.lost += int64(n.Lost)
		}
		if told != nil {
			told(n)
		}
	}
	if err := r.open(t, table, of, shape, opt); err != nil {
		return nil, err
	}
	r.table.counts = Counts{}
	return r, nil
}

// Close writes what waits. It says what became of the records, and how many had no place.
func (r *Rows) Close() (counts Counts, lost int64, err error) {
	defer r.finished()
	err = r.finish()
	return r.table.counts, r.lost, err
}

// TableOf is the name of a table for records of a name, which need not be that of a table.
func TableOf(name string) string {
	if checkTable(name) == nil {
		return name
	}
	return "records_" + strings.TrimLeft(prefix.Of(storedText(name), mostName-len(ofHistory)-len("records_")), "_")
}
