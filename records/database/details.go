package database

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/fault"
)

// A record may name a page that has more of its fields. The records of such pages are in a table of their own, beside
// that of the records that name them, and a view joins the two. So each is inserted and replaced by itself, whichever
// comes first.
var detailLayout = []string{
	`CREATE TABLE IF NOT EXISTS laundromat_joined (table_name TEXT PRIMARY KEY, view_name TEXT NOT NULL, definition TEXT NOT NULL)`,
}

// DetailField is the field with the address of a record's page of details. The record of that page has it, too.
const DetailField = "_detail"

// ofJoined ends the name of the view.
const ofJoined = "_joined"

// DetailRows opens the table of the records of pages of details, beside the table of those that name them.
func (t *Tx) DetailRows(table string, shape Shape, opt SinkOptions) (*Rows, error) {
	shape.Key, shape.KeyOrPage = []string{DetailField}, false
	return t.rows(table, detailPart, shape, opt)
}

// join makes the view in which each row has the fields of its page of details. The row's own come first. The record of
// a page that no row names is a row of its own.
func (t *Tx) join(table string) error {
	rows, err := t.there(table)
	if err != nil || rows == nil || rows.byField[DetailField] == nil {
		return err
	}
	details, err := t.there(detailPart.of(table))
	if err != nil || details == nil {
		return err
	}
	relation, before, err := t.joined(table)
	if err != nil {
		return err
	}
	definition := joinOf(rows, details)
	if definition == before {
		return nil
	}
	err = t.undoing("laundromat_join", func() error { return t.rejoin(table, relation, definition) }, isOfOthers)
	if isOfOthers(err) {
		return nil // it stays as it was, without the new columns
	}
	if err == nil && definition == "" {
		rows.notices(fault.Notice{Code: fault.LimitColumns, Severity: fault.Warning,
			Message: fmt.Sprintf("the table and that of its pages of details have more than %d columns together: no view joins them", mostColumns)})
	}
	return err
}

// isOfOthers says that an error of PostgreSQL is that views of others depend on ours.
func isOfOthers(err error) bool {
	var refused interface{ SQLState() string }
	return errors.As(err, &refused) && refused.SQLState() == "2BP01"
}

// rejoin gives the view another definition; "": it goes. Without a name it is new.
func (t *Tx) rejoin(table, relation, definition string) error {
	if err := t.unjoin(table); err != nil || definition == "" {
		return err
	}
	if relation == "" {
		taken, err := t.relations()
		if err != nil {
			return err
		}
		relation = freeName(table+ofJoined, func(lower string) bool { return taken[lower] })
	}
	if err := t.exec("CREATE VIEW " + quoted(relation) + " AS " + definition); err != nil {
		return err
	}
	return t.exec("INSERT INTO laundromat_joined (table_name, view_name, definition) VALUES "+t.of.is.places(1, 3)+
		" ON CONFLICT (table_name) DO UPDATE SET view_name = excluded.view_name, definition = excluded.definition", table, relation, definition)
}

// unjoin removes the view, as databases change no column that a view has.
func (t *Tx) unjoin(table string) error {
	relation, definition, err := t.joined(table)
	if err != nil || definition == "" {
		return err
	}
	if err := t.exec("DROP VIEW IF EXISTS " + quoted(relation)); err != nil {
		return err
	}
	return t.exec("UPDATE laundromat_joined SET definition = '' WHERE table_name = "+t.of.is.place(1), table)
}

// joined is the view of a table, and how it is defined; "" where it is removed.
func (t *Tx) joined(table string) (relation, definition string, err error) {
	return relation, definition, t.query("SELECT view_name, definition FROM laundromat_joined WHERE table_name = "+t.of.is.place(1),
		[]any{table}, func(rows *sql.Rows) error { return rows.Scan(&relation, &definition) })
}

// there is a table as it is; nil without one.
func (t *Tx) there(name string) (*Table, error) {
	if table := t.tables[name]; table != nil {
		return table, nil
	}
	table := &Table{tx: t, byField: map[string]*column{}, notices: func(fault.Notice) {}}
	var err error
	if table.name, err = t.relationOf(name); err != nil || table.name == "" {
		return nil, err
	}
	return table, table.load()
}

// joinOf is the definition of the view; "" where it has too many columns.
func joinOf(rows, details *Table) string {
	const r, d = "r", "d"
	of := func(alias string, c *column) string { return alias + "." + quoted(c.name) }
	as := func(alias string, c *column, holds columnType) string {
		if c.holds == holds {
			return of(alias, c)
		}
		return asText(of(alias, c), c.holds)
	}
	is := rows.tx.of.is
	// Of each column the name, and what it is in a row and in a page that no row names.
	names, inRow, inPage := []string{keyColumn}, []string{r + "." + keyColumn}, []string{d + "." + keyColumn}
	add := func(name, row, page string) {
		names, inRow, inPage = append(names, name), append(inRow, row), append(inPage, page)
	}
	isTaken := func(lower string) bool {
		return slices.Contains(ownColumns, lower) || slices.ContainsFunc(names, func(n string) bool { return strings.ToLower(n) == lower })
	}
	for _, c := range rows.columns {
		page := details.byField[c.field]
		switch {
		case page == nil:
			add(c.name, of(r, c), "CAST(NULL AS "+is.typeName(c.holds)+")")
		case page.holds == c.holds:
			add(c.name, "COALESCE("+of(r, c)+", "+of(d, page)+")", of(d, page))
		default:
			add(c.name, "COALESCE("+as(r, c, textColumn)+", "+as(d, page, textColumn)+")", as(d, page, textColumn))
		}
	}
	for _, c := range details.columns {
		if rows.byField[c.field] == nil {
			add(freeName(c.name, isTaken), of(d, c), of(d, c))
		}
	}
	add(sourceColumn, r+"."+sourceColumn, d+"."+sourceColumn)
	add(addedColumn, r+"."+addedColumn, d+"."+addedColumn)
	add(changedColumn, fmt.Sprintf("CASE WHEN %[2]s.%[3]s > %[1]s.%[3]s THEN %[2]s.%[3]s ELSE %[1]s.%[3]s END", r, d, changedColumn),
		d+"."+changedColumn)
	if len(names) > mostColumns {
		return ""
	}
	for i := range names {
		inRow[i] += " AS " + quoted(names[i])
	}
	same := of(r, rows.byField[DetailField]) + " = " + of(d, details.byField[DetailField])
	return fmt.Sprintf("SELECT %s FROM %s %s LEFT JOIN %s %s ON %s UNION ALL SELECT %s FROM %s %s WHERE NOT EXISTS (SELECT 1 FROM %s %s WHERE %s)",
		strings.Join(inRow, ", "), quoted(rows.name), r, quoted(details.name), d, same,
		strings.Join(inPage, ", "), quoted(details.name), d, quoted(rows.name), r, same)
}
