package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// inspectedRows is how many records are read at once. Between two reads the server sees that the transaction lives.
const inspectedRows = 2000

// Inspect reads the whole list, as it is at one moment, and tells of all that is wrong within. These are records
// that can't be read, tables that do not fit each other, and counts that are not those of the records. It returns
// the number of records that can be read. What the server's own files have lost is for its tools to find.
func (s *Store) Inspect(ctx context.Context, found func(*seedlist.Damage) error) (records int64, err error) {
	err = s.read(context.WithValue(ctx, mayTakeLong{}, true), func(t *tx) error {
		i := inspection{tx: t, found: found, counts: map[string]int64{}}
		// What reads all of a large table takes longer than any other statement.
		i.err = t.exec("SET LOCAL statement_timeout = '1h'")
		i.records()
		i.tables()
		i.sums()
		records = i.read
		return i.err
	})
	return records, err
}

// inspection is one look at all of a list.
type inspection struct {
	*tx
	counts map[string]int64 // of all records
	found  func(*seedlist.Damage) error
	read   int64
	// isDamaged says that some records can't be read: the counts can't be compared then.
	isDamaged bool
	err       error // the first, which ends it
}

func (i *inspection) tell(place, format string, args ...any) {
	i.report(&seedlist.Damage{List: inDatabase, Place: place, Why: fmt.Sprintf(format, args...)})
}

func (i *inspection) report(d *seedlist.Damage) {
	if i.err == nil {
		i.err = i.found(d)
	}
}

// rowsOf are the rows of a query; none after an error.
func rowsOf[T any](i *inspection, scan pgx.RowToFunc[T], sql string, args ...any) (rows []T) {
	if i.err == nil {
		rows, i.err = query(i.tx, scan, sql, args...)
	}
	return rows
}

// inDatabase is what the list is called where its damage is told.
const inDatabase = "database"

// tellOf tells what is wrong with a record, which may be lost by that.
func (i *inspection) tellOf(r *inspected, isLost bool, why string) {
	d := &seedlist.Damage{List: inDatabase, Place: fmt.Sprintf("record %d", r.Number), Why: why}
	if isLost {
		d.Hash, i.isDamaged = r.Hash, true
	} else {
		d.Place += " (" + r.Hash + ")"
	}
	i.report(d)
}

// records reads every record, and holds what is derived from one against it.
func (i *inspection) records() {
	for after := int64(0); ; {
		found := rowsOf(i, scanInspected,
			`SELECT h.id, h.hash, h.state, h.stage, h.queue, h.crashes, h.due, h.host, h.relative, h.fragment, h.fetchable, h.clean,
				h.parent, h.holder, h.revision, c.revision, c.data::text, c.alike
			FROM hot h LEFT JOIN cold c USING (id) WHERE h.id > $1 ORDER BY h.id LIMIT $2`, after, inspectedRows)
		if len(found) == 0 {
			return
		}
		var dirty []int64
		var names []string
		for _, r := range found {
			stored, why := r.check()
			if why != "" {
				i.tellOf(r, stored == nil, why)
			}
			if stored == nil {
				continue
			}
			i.read++
			engine.Tally(i.counts, &r.Hot, stored)
			for _, clean := range stored.Cleans() {
				names, dirty = append(names, clean), append(dirty, int64(r.Number))
			}
		}
		unlinked := rowsOf(i, scanNumbered, `SELECT u.clean, u.dirty FROM unnest($1::text[], $2::bigint[]) AS u (clean, dirty)
			JOIN hot h ON h.hash = u.clean AND h.clean WHERE NOT EXISTS (SELECT FROM links l WHERE l.clean = h.id AND l.dirty = u.dirty)`,
			names, dirty)
		for _, link := range unlinked {
			i.tell(fmt.Sprintf("record %d", link.Number), "names the clean seed %s, and is not linked with it", link.Name)
		}
		after = int64(found[len(found)-1].Number)
	}
}

// inspected is a record as the tables have it.
type inspected struct {
	scanned
	alike string
}

func scanInspected(row pgx.CollectableRow) (*inspected, error) {
	r := &inspected{scanned: scanned{Seed: new(engine.Seed)}}
	var id, parent int64
	var state, stage, queue int16
	var revision *int64
	var data, alike *string
	err := row.Scan(&id, &r.Hash, &state, &stage, &queue, &r.Crashes, &r.Due, &r.Host,
		&r.Relative, &r.Fragment, &r.Fetchable, &r.Clean, &parent,
		&r.Holder, &r.Revision, &revision, &data, &alike)
	r.Number, r.State, r.Stage, r.Queue, r.Parent = uint64(id), stateOf(state), stateOf(stage), engine.Queue(queue), uint64(parent)
	if data != nil {
		r.Data, r.alike, r.revision = []byte(*data), *alike, *revision
	}
	return r, err
}

// check says what is wrong with a record, and reads its document; nil if that can't be read.
func (r *inspected) check() (stored *seedlist.Stored, why string) {
	if r.Data == nil {
		return nil, "has no document"
	}
	c, err := seedlist.DecodeStored(r.Data)
	if err != nil {
		return nil, fmt.Sprintf("can't be decoded: %v", err)
	}
	switch {
	case c.Hash != r.Hash:
		why = fmt.Sprintf("is that of %s, and its document that of %s", r.Hash, c.Hash)
	case r.Clean && c.Content == nil:
		return nil, "is of a clean file, and does not say what that holds"
	case r.State == "":
		return nil, "is in no state that is known"
	case r.State.IsWorking() != (r.Holder != ""):
		why = fmt.Sprintf("is %s, and held by %q", r.State, r.Holder)
	case r.Queue != engine.QueueOf(&r.Hot):
		why = fmt.Sprintf("is in the queue %d, and belongs into %d", r.Queue, engine.QueueOf(&r.Hot))
	case r.revision != r.Revision:
		why = fmt.Sprintf("is of revision %d, and its document of %d", r.Revision, r.revision)
	case engine.AlikeOf(&c, r.Clean) != r.alike:
		why = "is in the index of bytes in another place than its document says"
	case r.Host != c.HostName() && !r.Relative:
		why = fmt.Sprintf("is of the host %q, and its URI of %q", r.Host, c.HostName())
	}
	return &c, why
}

// tables holds the tables against each other.
func (i *inspection) tables() {
	for _, law := range []struct{ place, sql, why string }{
		{"document", "SELECT '', id FROM cold WHERE NOT EXISTS (SELECT FROM hot WHERE hot.id = cold.id)", "is of no record"},
		{"record", "SELECT hash, id FROM hot WHERE parent > 0 AND NOT EXISTS (SELECT FROM hot p WHERE p.id = hot.parent AND p.is_archive)",
			"is an entry of no archive"},
		{"clean record", "SELECT '', clean FROM links WHERE NOT EXISTS (SELECT FROM hot WHERE id = links.clean AND hot.clean) OR NOT " +
			"EXISTS (SELECT FROM hot WHERE id = links.dirty)", "is linked with a record that is not there, or is none"},
		{"listing of catalog", "SELECT '', catalog FROM listings WHERE NOT EXISTS (SELECT FROM hot WHERE id = listings.seed) OR NOT " +
			"EXISTS (SELECT FROM catalogs WHERE id = listings.catalog)", "names a seed or a catalog that is not there"},
		{"attempt", "SELECT hash, number FROM attempts a WHERE NOT of_catalog AND NOT EXISTS (SELECT FROM hot WHERE hash = a.hash) OR " +
			"of_catalog AND NOT EXISTS (SELECT FROM catalogs WHERE hash = a.hash)", "is of no record"},
		{"identifier of 2018 of record", "SELECT old, id FROM old_keys WHERE NOT EXISTS (SELECT FROM hot WHERE hot.id = old_keys.id)",
			"leads to nothing"},
		{"host", `SELECT DISTINCT h.host, 0::bigint FROM hot h LEFT JOIN hosts USING (host) WHERE h.queue = 1 AND coalesce(hosts.due, 0) = 0`,
			"has seeds that wait, and no turn: they would never be claimed"},
	} {
		for _, w := range rowsOf(i, scanNumbered, law.sql+" LIMIT 1000") {
			place := law.place
			if w.Number > 0 {
				place += fmt.Sprintf(" %d", w.Number)
			} else {
				place += " " + w.Name
			}
			i.tell(place, "%s", law.why)
		}
	}
	for _, c := range rowsOf(i, scanNumbered, "SELECT data::text, id FROM catalogs ORDER BY id") {
		if _, wrong := seedlist.DecodeCatalog([]byte(c.Name)); wrong != nil {
			i.tell(fmt.Sprintf("catalog %d", c.Number), "can't be decoded: %v", wrong)
		}
	}
}

// sums holds the counts against those of all records.
func (i *inspection) sums() {
	if i.err != nil || i.isDamaged {
		return
	}
	is, err := i.Counts()
	i.err = err
	delete(is, engine.CountUnchanged) // no record holds it
	maps.DeleteFunc(is, func(name string, _ int64) bool { return strings.HasPrefix(name, engine.CountRemoved) })
	names := slices.Collect(maps.Keys(is))
	for name, n := range i.counts {
		if n != 0 {
			names = append(names, name)
		}
	}
	for _, name := range distinct(names) {
		if is[name] != i.counts[name] {
			i.tell("count "+name, "is %d, and a count of all records gives %d", is[name], i.counts[name])
		}
	}
}
