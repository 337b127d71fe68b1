//go:build !lean

package database_test

import (
	"database/sql"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/records/database"
	"laundromat/records/dump"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// TestRowsAreJoinedWithTheRecordsOfTheirPages puts rows and the records of their pages into a database in either order,
// while columns come, and while some come to hold text.
func TestRowsAreJoinedWithTheRecordsOfTheirPages(t *testing.T) {
	shape := database.Shape{KeyOrPage: true, Fields: fields("id", "integer", "title", "string", "size", "number", "open", "boolean")}
	const lists = `{"id":1,"title":"Flood","_detail":"http://h/1"}
{"title":"Ebb","open":true,"_detail":"http://h/2"}
{"id":3,"title":"Calm"}
{"title":"Lost"}
`
	const pages = `{"title":"Flood, in full","size":1.5,"open":false,"_detail":"http://h/1"}
{"place":"Oosterpunt","size":"large","open":false,"_detail":"http://h/2"}
{"title":"Of none","_detail":"http://h/9"}
`
	want := []string{
		"1|1|Flood|1.5|false|http://h/1|NULL|2024-03-02T00:00:00Z",
		"3|3|Calm|NULL|NULL|NULL|NULL|2024-03-01T00:00:00Z",
		"http://h/2|NULL|Ebb|large|true|http://h/2|Oosterpunt|2024-03-02T00:00:00Z",
		"http://h/9|NULL|Of none|NULL|NULL|http://h/9|NULL|2024-03-02T00:00:00Z",
	}
	stores(t, func(t *testing.T, address string, query func(string) []string) {
		db := opened(t, address)
		defer db.Close()
		put := func(table, day string, isPage bool, lines string) (unkept int64) {
			t.Helper()
			err := db.Update(t.Context(), func(tx *database.Tx) error {
				open := tx.Rows
				if isPage {
					open = tx.DetailRows
				}
				at, _ := time.Parse(time.DateOnly, day)
				rows, err := open(table, shape, database.SinkOptions{Put: database.Put{Source: "s", At: at, Order: database.Order(at, "s")},
					Notices: func(fault.Notice) {}})
				if err != nil {
					return err
				}
				err = dump.ReadLines(strings.NewReader(lines), nil, lost{rows})
				_, n, failed := rows.Close()
				unkept = n
				return errors.Join(err, failed)
			})
			if err != nil {
				t.Fatal(err)
			}
			return unkept
		}
		execute := func(statement string) {
			t.Helper()
			config, err := pgx.ParseConfig(address)
			if err != nil {
				t.Fatal(err)
			}
			own := sql.OpenDB(stdlib.GetConnector(*config))
			defer own.Close()
			if _, err := own.Exec(statement); err != nil {
				t.Fatal(err)
			}
		}
		const joined = `SELECT _key, id, title, size, open, _detail, place, _changed FROM "%_joined" ORDER BY _key`
		for table, pagesFirst := range map[string]bool{"rows_first": false, "pages_first": true} {
			if pagesFirst {
				put(table, "2024-03-02", true, pages)
			}
			if lost := put(table, "2024-03-01", false, lists); lost != 1 {
				t.Errorf("%d records without a key are lost", lost)
			}
			if !pagesFirst {
				for line := range strings.Lines(pages) {
					put(table, "2024-03-02", true, line)
				}
			}
			got := query(strings.ReplaceAll(joined, "%", table))
			for i := range got { // a boolean that is a number in SQLite
				got[i] = strings.NewReplacer("|0|http", "|false|http", "|1|http", "|true|http").Replace(got[i])
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s:\n%s\nwant\n%s", table, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
		if strings.HasPrefix(address, "postgres") { // a view of somebody else's keeps ours as it was, and no record out
			execute(`CREATE VIEW of_others AS SELECT title FROM rows_first_joined`)
			put("rows_first", "2024-03-03", false, `{"id":4,"title":"Storm","wind":9}`)
			if got := query(`SELECT title, wind FROM rows_first WHERE _key = '4'`); !slices.Equal(got, []string{"Storm|9"}) {
				t.Errorf("a row under a view of others: %q", got)
			}
			if got := query(`SELECT title FROM of_others WHERE title = 'Storm'`); len(got) != 1 {
				t.Errorf("the view of others: %q", got)
			}
			execute(`DROP VIEW of_others`)
		}
		put("rows_first", "2024-03-03", false, `{"id":1,"title":"Flood","open":"perhaps","new":[1],"_detail":"http://h/1"}`)
		got := query(`SELECT title, open, new, _changed FROM "rows_first_joined" WHERE _key = '1'`)
		if want := []string{"Flood|perhaps|[1]|2024-03-03T00:00:00Z"}; !slices.Equal(got, want) {
			t.Errorf("after its columns have changed: %q", got)
		}
	})
}
