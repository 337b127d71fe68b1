//go:build !lean

package database_test

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/database"
	"laundromat/records/dump"
	"laundromat/seedlist/postgres/pgtest"
)

// stores are the databases that a test goes over: an address of a fresh one, and how it is read.
func stores(t *testing.T, each func(t *testing.T, address string, query func(string) []string)) {
	t.Run("sqlite", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "it's a file %.db")
		each(t, "sqlite:"+file, func(statement string) []string {
			db, err := sql.Open("sqlite", "file:"+strings.NewReplacer("%", "%25", " ", "%20", "'", "%27").Replace(file))
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			return rowsOf(t, db, statement)
		})
	})
	t.Run("postgres", func(t *testing.T) {
		address := pgtest.ForTest(t, false).Address
		each(t, address, func(statement string) []string {
			config, err := pgx.ParseConfig(address)
			if err != nil {
				t.Fatal(err)
			}
			db := sql.OpenDB(stdlib.GetConnector(*config))
			defer db.Close()
			return rowsOf(t, db, statement)
		})
	})
}

func rowsOf(t *testing.T, db *sql.DB, statement string) (all []string) {
	t.Helper()
	rows, err := db.Query(statement)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	defer rows.Close()
	names, _ := rows.Columns()
	for rows.Next() {
		cells := make([]sql.NullString, len(names))
		into := make([]any, len(names))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		line := make([]string, len(cells))
		for i, c := range cells {
			line[i] = c.String
			if !c.Valid {
				line[i] = "NULL"
			}
		}
		all = append(all, strings.Join(line, "|"))
	}
	return all
}

// opened is the database of an address. It must be closed.
func opened(t *testing.T, address string) *database.Database {
	t.Helper()
	a, err := database.ParseAddress(address)
	if err != nil {
		t.Fatal(err)
	}
	db, err := database.Open(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// run puts records, a line of JSON each, into a table. What is lost is among the notices.
func run(t *testing.T, address, table string, shape database.Shape, order, lines string) (database.Counts, []string, error) {
	t.Helper()
	db := opened(t, address)
	defer db.Close()
	var codes []string
	at, _ := time.Parse(time.RFC3339, order)
	sink, err := db.Sink(t.Context(), table, shape, database.SinkOptions{Put: database.Put{At: at, Order: order, Source: "s"},
		Notices: func(n fault.Notice) { codes = append(codes, string(n.Code)) }})
	if err != nil {
		return database.Counts{}, nil, err
	}
	defer sink.Abort()
	if err := dump.ReadLines(strings.NewReader(lines), nil, lost{sink}); err != nil {
		return database.Counts{}, codes, err
	}
	if err := sink.Close(); err != nil {
		return database.Counts{}, codes, err
	}
	return sink.Counts(), codes, nil
}

// lost goes on where a record was not taken.
type lost struct{ records.Sink }

func (l lost) Record(r *records.Record) error {
	if err := l.Sink.Record(r); !errors.Is(err, records.ErrLost) {
		return err
	}
	return nil
}

func fields(pairs ...string) (all []database.Field) {
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, database.Field{Name: pairs[i], Type: pairs[i+1]})
	}
	return all
}

// TestOnlyWhatIsNewIsInserted gives runs, one after another, and what each counts: new, changed, the same, older.
func TestOnlyWhatIsNewIsInserted(t *testing.T) {
	alike := `{"id":1,"Id":2,"ID":3,"_key":4,"":5,"` + strings.Repeat("é", 40) + `":6,"` + strings.Repeat("é", 41) + `":7,` +
		`"a\"b":8,"order":9}`
	long := strings.Repeat("k", 5000)
	type step struct {
		order, lines string
		counts       [4]int64
		codes        string
	}
	const one, two, three = "2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z", "2024-01-03T00:00:00Z"
	cases := []struct {
		name    string
		shape   database.Shape
		steps   []step
		rows    int    // at the end
		history string // the old forms, by their records
	}{
		{name: "the same twice", steps: []step{
			{one, "{\"id\":1,\"a\":\"x\"}\n{\"id\":2,\"a\":\"y\"}\n", [4]int64{2}, ""},
			{two, "{\"id\":1,\"a\":\"x\"}\n{\"id\":2,\"a\":\"y\"}\n", [4]int64{0, 0, 2}, ""}}, rows: 2},
		{name: "the same in another order, of fields and of records", steps: []step{
			{one, "{\"id\":1,\"a\":{\"p\":1,\"q\":2}}\n{\"id\":2,\"a\":\"y\"}\n", [4]int64{2}, ""},
			{two, "{\"a\":\"y\",\"id\":2}\n{\"a\":{\"q\":2,\"p\":1.0},\"id\":1}\n", [4]int64{0, 0, 2}, ""}}, rows: 2},
		{name: "changed, and back", steps: []step{
			{one, `{"id":"a","v":1}`, [4]int64{1}, ""}, {two, `{"id":"a","v":2}`, [4]int64{0, 1}, ""},
			{three, `{"id":"a","v":1}`, [4]int64{0, 1}, ""}}, rows: 1, history: `{"id":"a","v":1} {"id":"a","v":2}`},
		{name: "an older form after a newer one", steps: []step{
			{two, `{"id":"a","v":2}`, [4]int64{1}, ""}, {one, `{"id":"a","v":1}`, [4]int64{0, 0, 0, 1}, ""},
			{two, `{"id":"a","v":3}`, [4]int64{0, 1}, ""}}, rows: 1, history: `{"id":"a","v":2}`},
		{name: "a number and its text are one key", steps: []step{
			{one, `{"id":1,"v":1}`, [4]int64{1}, ""}, {two, `{"id":"1","v":1}`, [4]int64{0, 1}, ""},
			{three, `{"id":1.0,"v":1}`, [4]int64{0, 1}, ""}}, rows: 1, history: `{"id":1,"v":1} {"id":"1","v":1}`},
		{name: "twice in a run", steps: []step{
			{one, "{\"id\":1,\"v\":1}\n{\"id\":1,\"v\":2}\n{\"id\":1,\"v\":1}\n", [4]int64{1, 0, 1}, "record/same-key"},
			{two, "{\"id\":1,\"v\":1}\n{\"id\":1,\"v\":2}\n{\"id\":1,\"v\":1}\n", [4]int64{0, 0, 2}, "record/same-key"}}, rows: 1},
		{name: "without a key", steps: []step{
			{one, "{\"id\":1}\n{\"v\":2}\n{\"id\":null}\n{\"id\":\"\"}\n", [4]int64{1},
				"record/no-key record/no-key record/no-key"}}, rows: 1},
		{name: "a key of two fields", shape: database.Shape{Key: []string{"a", "b"}}, steps: []step{
			{one, "{\"a\":\"x\",\"b\":\"yz\"}\n{\"a\":\"xy\",\"b\":\"z\"}\n{\"a\":\"x\"}\n", [4]int64{2}, "record/no-key"},
			{two, "{\"a\":\"x\",\"b\":\"yz\",\"c\":1}\n", [4]int64{0, 1}, ""}}, rows: 2, history: `{"a":"x","b":"yz"}`},
		{name: "a key that no index holds, and one with a zero byte", steps: []step{
			{one, `{"id":"` + long + "1\"}\n{\"id\":\"" + long + "2\"}\n{\"id\":\"a\\u0000\"}\n{\"id\":\"a\"}\n", [4]int64{4},
				"record/cell-changed"},
			{two, `{"id":"` + long + "1\"}\n{\"id\":\"a\\u0000\"}\n", [4]int64{0, 0, 2}, ""}}, rows: 4},
		{name: "times of access change nothing", shape: database.Shape{Fleeting: []string{"at"}}, steps: []step{
			{one, `{"id":1,"at":"1"}`, [4]int64{1}, ""}, {two, `{"id":1,"at":"2"}`, [4]int64{0, 0, 1}, ""},
			{three, `{"id":1,"at":"3","v":1}`, [4]int64{0, 1}, ""}}, rows: 1, history: `{"at":"1","id":1}`},
		{name: "names that databases do not tell apart", steps: []step{
			{one, alike, [4]int64{1}, "record/column-renamed record/column-renamed record/column-renamed record/column-renamed " +
				"record/column-renamed record/column-renamed"},
			{two, `{"ID":3,"Id":2,"id":1}`, [4]int64{0, 1}, ""}}, rows: 1,
			history: alike},
		{name: "what is not of the type of its column",
			shape: database.Shape{Fields: fields("id", "integer", "n", "number", "b", "boolean")},
			steps: []step{
				{one, "{\"id\":1,\"n\":1.5,\"b\":true}\n{\"id\":2,\"n\":null,\"b\":false}\n", [4]int64{2}, ""},
				{two, "{\"id\":3,\"n\":\"007\",\"b\":\"maybe\"}\n{\"id\":4,\"n\":[1],\"b\":null}\n", [4]int64{2},
					"record/column-type record/column-type"},
				{three, "{\"id\":1,\"n\":1.5,\"b\":true}\n{\"id\":5,\"n\":123456789012345678901234567890}\n", [4]int64{1, 0, 1}, ""}}, rows: 5},
		{name: "numbers that no column holds", shape: database.Shape{Fields: fields("id", "integer", "n", "number", "m", "number")},
			steps: []step{{one, `{"id":1,"n":1e999999,"m":0.1}`, [4]int64{1}, "record/number-as-text"},
				{two, `{"id":1,"n":1e999999,"m":0.10}`, [4]int64{0, 0, 1}, ""}}, rows: 1},
		{name: "an empty run", steps: []step{{one, "", [4]int64{}, ""}}},
	}
	stores(t, func(t *testing.T, address string, query func(string) []string) {
		for i, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				table := fmt.Sprintf("Table \"%d\"", i)
				for n, s := range c.steps {
					counts, codes, err := run(t, address, table, c.shape, s.order, s.lines)
					want := database.Counts{New: s.counts[0], Changed: s.counts[1], Same: s.counts[2], Older: s.counts[3]}
					if err != nil || counts != want || strings.Join(codes, " ") != s.codes {
						t.Fatalf("run %d: %+v %v %v, want %+v %s", n, counts, codes, err, want, s.codes)
					}
				}
				name := `"` + strings.ReplaceAll(table, `"`, `""`)
				if rows := query("SELECT * FROM " + name + `"`); len(rows) != c.rows {
					t.Errorf("%d rows, want %d: %v", len(rows), c.rows, rows)
				}
				history := query("SELECT _record FROM " + name + `_history" ORDER BY _changed`)
				if got := strings.Join(history, " "); got != c.history && !isReordered(got, c.history) {
					t.Errorf("old forms: %s, want %s", got, c.history)
				}
			})
		}
	})
}

// isReordered says that two texts have the same characters.
func isReordered(a, b string) bool {
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return string(x) == string(y)
}

// TestColumnsFollowTheSchema adds fields and changes types from run to run: what was there stays.
func TestColumnsFollowTheSchema(t *testing.T) {
	stores(t, func(t *testing.T, address string, query func(string) []string) {
		for i, step := range []struct {
			fields []database.Field
			lines  string
			want   string
		}{
			{fields("id", "integer", "ok", "boolean"), `{"id":1,"ok":true}`, "1|true"},
			{fields("id", "integer", "ok", "boolean", "n", "integer"), `{"id":2,"ok":false,"n":3}`, "1|true|NULL 2|false|3"},
			{fields("id", "string", "n", "integer"), `{"id":"3","n":4}`, "1|true|NULL 2|false|3 3|NULL|4"},
			{fields("id", "string", "ok", "string", "n", "integer"), `{"id":"4","ok":"who knows"}`,
				"1|true|NULL 2|false|3 3|NULL|4 4|who knows|NULL"},
		} {
			shape := database.Shape{Key: []string{"id"}, Fields: step.fields}
			if _, codes, err := run(t, address, "t", shape, "2024-01-01T00:00:00Z", step.lines); err != nil || codes != nil {
				t.Fatalf("step %d: %v %v", i, codes, err)
			}
			columns := "id, ok, n"
			if i == 0 {
				columns = "id, ok"
			}
			got := strings.Join(query("SELECT "+columns+" FROM t ORDER BY _key"), " ")
			got = strings.NewReplacer("|1|", "|true|", "|0|", "|false|").Replace(got) // booleans of SQLite
			got = strings.TrimSuffix(strings.ReplaceAll(got+" ", "|1 ", "|true "), " ")
			if got != step.want {
				t.Errorf("step %d: %s, want %s", i, got, step.want)
			}
		}
	})
}

// TestARunThatFailsChangesNothing ends runs in the middle, over rows that are there.
func TestARunThatFailsChangesNothing(t *testing.T) {
	many := &strings.Builder{}
	for i := range 1000 {
		fmt.Fprintf(many, "{\"id\":%d,\"v\":2}\n", i)
	}
	stores(t, func(t *testing.T, address string, query func(string) []string) {
		if _, _, err := run(t, address, "t", database.Shape{}, "2024-01-01T00:00:00Z", "{\"id\":1,\"v\":1}\n"); err != nil {
			t.Fatal(err)
		}
		before := query("SELECT * FROM t")
		for _, broken := range []string{many.String() + "no record\n", many.String() + "{\"id\":\"x\",\"new\":1}\n}"} {
			if _, _, err := run(t, address, "t", database.Shape{}, "2024-01-02T00:00:00Z", broken); err == nil {
				t.Error("it did not fail")
			}
			if after := query("SELECT * FROM t"); !slices.Equal(before, after) || len(query("SELECT * FROM t_history")) > 0 {
				t.Errorf("%v, want %v", after, before)
			}
		}
		counts, _, err := run(t, address, "t", database.Shape{}, "2024-01-02T00:00:00Z", many.String())
		if err != nil || counts != (database.Counts{New: 999, Changed: 1}) {
			t.Errorf("%+v %v", counts, err)
		}
	})
}

// TestTablesOfOthersAreLeftAlone refuses tables that are there, and tables with another key.
func TestTablesOfOthersAreLeftAlone(t *testing.T) {
	stores(t, func(t *testing.T, address string, query func(string) []string) {
		query("CREATE TABLE theirs (id INTEGER)")
		query("CREATE TABLE ours_history (id INTEGER)")
		if _, _, err := run(t, address, "theirs", database.Shape{}, "", `{"id":1}`); err == nil {
			t.Error("a table of others was taken")
		}
		if _, _, err := run(t, address, "ours", database.Shape{}, "", `{"id":1}`); err != nil {
			t.Error(err)
		}
		if _, _, err := run(t, address, "t", database.Shape{}, "", `{"id":1,"b":2}`); err != nil {
			t.Error(err)
		}
		if _, _, err := run(t, address, "t", database.Shape{Key: []string{"b"}}, "", `{"id":1,"b":2}`); err == nil {
			t.Error("another key was taken")
		}
		_, _, err := run(t, address, "keyless", database.Shape{}, "", `{"b":2}`)
		if !database.IsNoKey(err) {
			t.Errorf("without a key: %v", err)
		}
	})
}

func TestAddressesAreReadAndShownWithoutPasswords(t *testing.T) {
	for _, c := range []struct{ text, shown, table string }{
		{"sqlite:a.db#t", "sqlite:a.db#t", "t"}, {"sqlite:/x/a b.db", "sqlite:/x/a b.db", ""}, {"SQLite:a#b.db#c", "sqlite:a#b.db#c", "c"},
		{"postgres://u:geheim@h:1/d#t", "postgres://u@h:1/d#t", "t"},
		{"postgresql://h/d?sslmode=disable", "postgresql://h/d?sslmode=disable", ""},
		{"postgres:///d?host=/tmp#t", "postgres:///d?host=/tmp#t", "t"},
		{"sqlite:", "", ""}, {"a.db#t", "", ""}, {"postgres:d", "", ""}, {"sqlite:a.db#", "", ""}, {"mysql://u:geheim@h/d", "", ""},
		{"sqlite:a.db#laundromat_x", "", ""}, {"sqlite:a.db#sqlite_x", "", ""}, {"sqlite:a.db#" + strings.Repeat("a", 60), "", ""},
		{"sqlite:a.db?mode=ro#t", "", ""}, {"", "", ""}, {"postgres://u:geheim@h/d#", "", ""},
	} {
		a, err := database.ParseAddress(c.text)
		if (err != nil) != (c.shown == "") || err == nil && (a.String() != c.shown || a.Table != c.table) {
			t.Errorf("%q: %q %q %v", c.text, a.String(), a.Table, err)
		}
		if err != nil && strings.Contains(err.Error(), "geheim") {
			t.Errorf("the error has the password: %v", err)
		}
	}
}
