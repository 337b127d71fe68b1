package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	into "laundromat/records/database"
	"laundromat/seedlist/postgres/pgtest"
)

// market is a site with tables of goods and of shops, for which there are recipes, and with documents that no recipe
// is for. With the second version some are others.
type market struct {
	*httptest.Server
	version atomic.Int32
	recipes []string
	seeds   string
}

const goodsRecipe = `name: goods
match: {uri: "*/goods/*"}
products: [records]
spec:
  name: goods-of-a-market
  version: "3"
  schema:
    fields: [{name: id, type: integer}, {name: title, type: string}, {name: price, type: number}]
    primaryKey: id
`

const shopsRecipe = `name: Shops.of-today
match: {uri: "*/shops/*"}
products: [records]
spec:
  map: {"*": true}
`

func newMarket(t *testing.T) *market {
	t.Helper()
	m := &market{}
	m.Server = httptest.NewServer(http.HandlerFunc(m.answer))
	t.Cleanup(m.Close)
	folder := t.TempDir()
	for name, text := range map[string]string{"goods.yaml": goodsRecipe, "shops.yaml": shopsRecipe} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m.recipes = append(m.recipes, "--recipe", path)
	}
	var seeds strings.Builder
	for i := range 40 {
		fmt.Fprintf(&seeds, "%s/goods/%d.csv\n%s/shops/%d.json\n%s/other/%d.csv\n", m.URL, i, m.URL, i, m.URL, i)
	}
	fmt.Fprintf(&seeds, "%s/goods/all.zip\n", m.URL)
	m.seeds = filepath.Join(folder, "seeds.txt")
	if err := os.WriteFile(m.seeds, []byte(seeds.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *market) answer(w http.ResponseWriter, r *http.Request) {
	version := int(m.version.Load())
	var kind, ending string
	var n int
	parts := strings.FieldsFunc(r.URL.Path, func(r rune) bool { return r == '/' || r == '.' })
	if len(parts) == 3 {
		kind, ending = parts[0], parts[2]
		fmt.Sscan(parts[1], &n)
	}
	changed := 0
	if n%4 == 0 {
		changed = version
	}
	switch {
	case n%13 == 12 && (kind != "shops" || version > 0):
		http.NotFound(w, r)
	case ending == "zip":
		archive := zip.NewWriter(w)
		for i := range 5 {
			entry, _ := archive.Create(fmt.Sprintf("%d.csv", i))
			io.WriteString(entry, goodsTable(1000+i, changed))
		}
		archive.Close()
	case kind == "goods":
		w.Header().Set("Content-Type", "text/csv")
		io.WriteString(w, goodsTable(n, changed))
	case kind == "shops" && n == 7: // without a key
		io.WriteString(w, `[{"name":"A shop"}]`)
	case kind == "shops":
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `[{"id":"shop %d","name":"Shop %d","open":%t},{"id":"mall %d","tags":["a",%d]}`, n, n, changed == 0, n, changed)
		if version > 0 {
			fmt.Fprintf(w, `,{"id":"new %d","since":2024}`, n)
		}
		io.WriteString(w, "]")
	default:
		w.Header().Set("Content-Type", "text/csv")
		io.WriteString(w, "id,name\n1,x\n")
	}
}

// goodsTable is a table in which a row is broken, and one has the key of another.
func goodsTable(n, changed int) string {
	var b strings.Builder
	b.WriteString("id,title,price\n")
	for i := range 30 {
		fmt.Fprintf(&b, "%d,Thing %d,%d.5\n", n*100+i, i, i+changed*(i%3))
	}
	fmt.Fprintf(&b, "%d,Again,1\n%d,Broken,many\n", n*100, n*100+50)
	return b.String()
}

// run is a run of the daemon over the market.
func (m *market) run(data, into string, more ...string) []string {
	args := serving(data, "--until-idle", "--seeds", m.seeds, "--tries", "1", "--records-into", into)
	return append(append(args, m.recipes...), more...)
}

// again has everything fetched again, of the second version.
func (m *market) again(t *testing.T, data string, run func()) {
	t.Helper()
	m.version.Store(1)
	defer m.version.Store(0)
	output(t, "seed", "retry", "--force", "--state", "parsed", "--data", data)
	output(t, "seed", "retry", "--force", "--state", "depleted", "--data", data)
	run()
}

// tables are those of its recipes.
func (m *market) tables() []string { return []string{"goods", "Shops.of-today"} }

// tablesIn are the rows of a database, apart from times, and how many entries the log has of each source and result.
func tablesIn(t *testing.T, address string, server *pgtest.Server, names ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range names {
		for table, columns := range map[string]string{name: "_key, _record, _sum, _source", name + "_history": "_key, _record, _source"} {
			rows := askTable(t, address, server, "SELECT "+columns+` FROM "`+table+`" ORDER BY _key, _record`)
			all[table] = strings.Join(rows, "\n")
		}
	}
	all["columns"] = strings.Join(askTable(t, address, server, "SELECT table_name, field, column_name, holds FROM laundromat_columns "+
		"ORDER BY table_name, field"), "\n")
	all["log"] = strings.Join(askTable(t, address, server, "SELECT parser_name, source_url, result, count(*), sum(insert_count), "+
		"sum(update_count), sum(lost_count) FROM laundromat_log GROUP BY parser_name, source_url, result ORDER BY 1, 2, 3"), "\n")
	return all
}

func askTable(t *testing.T, address string, server *pgtest.Server, statement string) []string {
	t.Helper()
	if strings.HasPrefix(address, "postgres") {
		text, err := server.Ask(statement)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(text, "\n")
	}
	a, err := into.ParseAddress(address)
	if err != nil {
		t.Fatal(err)
	}
	db, err := into.Open(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Ask(t.Context(), statement)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestTheRecordsOfRecipesAreInTheDatabaseWhateverIsKilled kills the daemon in the middle, over two versions of a site.
// The rows, the old forms and the log are those of an undisturbed run, in SQLite as in PostgreSQL, and whichever the
// list is in.
func TestTheRecordsOfRecipesAreInTheDatabaseWhateverIsKilled(t *testing.T) {
	takesLong(t)
	m := newMarket(t)
	server := database(t)
	undisturbed := filepath.Join(t.TempDir(), "data")
	lite := "sqlite:" + filepath.Join(t.TempDir(), "undisturbed.db")
	began := time.Now()
	output(t, m.run(undisturbed, lite)...)
	longest := time.Since(began)
	first := tablesIn(t, lite, nil, m.tables()...)
	m.again(t, undisturbed, func() { output(t, m.run(undisturbed, lite)...) })
	second := tablesIn(t, lite, nil, m.tables()...)
	if rows := strings.Count(first["goods"], "\n") + 1; rows != 30*37+30*5 {
		t.Errorf("%d goods", rows)
	}
	if strings.Count(second["goods_history"], "\n") == 0 || strings.Contains(first["goods_history"], "{") ||
		!strings.Contains(second["Shops.of-today"], "new 1") || !strings.Contains(first["log"], "record/no-key") {
		t.Errorf("the second version: %v", second)
	}
	output(t, m.run(undisturbed, lite)...)
	if again := tablesIn(t, lite, nil, m.tables()...); !maps.Equal(again, second) {
		t.Errorf("a run without anything new changes:\n%s", differences(again, second))
	}
	for i, c := range []struct{ name, list, into string }{
		{"embedded, SQLite", "", "sqlite:" + filepath.Join(t.TempDir(), "killed.db")},
		{"embedded, PostgreSQL", "", server.Address},
		{"list in PostgreSQL, SQLite", database(t).Address, "sqlite:" + filepath.Join(t.TempDir(), "killed.db")},
	} {
		t.Run(c.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(i), 7))
			data := filepath.Join(t.TempDir(), "data")
			var more []string
			if c.list != "" {
				more = []string{"--store", c.list}
			}
			hit := 0
			run := func() {
				n := kills(t)
				if c.list != "" && os.Getenv("LAUNDROMAT_KILLS") == "" {
					n = 0 // what a killed process held is free after a minute
				}
				for range n {
					if killAt(t, t.TempDir(), time.Duration(random.Int64N(int64(longest))), m.run(data, c.into, more...)...) {
						hit++
					}
				}
				output(t, m.run(data, c.into, more...)...)
			}
			run()
			if got := tablesIn(t, c.into, server, m.tables()...); !maps.Equal(got, first) {
				t.Errorf("the first version differs from an undisturbed run:\n%s", differences(got, first))
			}
			m.again(t, data, run)
			if got := tablesIn(t, c.into, server, m.tables()...); !maps.Equal(got, second) {
				t.Errorf("the second version differs from an undisturbed run:\n%s", differences(got, second))
			}
			t.Logf("%d kills came before the end", hit)
		})
	}
}

// TestADatabaseOfRecordsThatIsAwayChangesNothingButTheTime stops it before, and in the middle of, the work.
func TestADatabaseOfRecordsThatIsAwayChangesNothingButTheTime(t *testing.T) {
	takesLong(t)
	m := newMarket(t)
	server := database(t)
	lite := "sqlite:" + filepath.Join(t.TempDir(), "undisturbed.db")
	output(t, m.run(filepath.Join(t.TempDir(), "data"), lite)...)
	want := tablesIn(t, lite, nil, m.tables()...)

	data := filepath.Join(t.TempDir(), "data")
	server.Stop()
	said, err := process(t, t.TempDir(), m.run(data, server.Address)...).CombinedOutput()
	if err != nil || !strings.Contains(string(said), "records do not get into") {
		t.Fatalf("%v: %s", err, said)
	}
	for _, seed := range seedsOf(t, data) {
		if !seed.Status.IsFinal() {
			t.Errorf("%s is %s", seed.URI, seed.Status)
		}
	}
	args := serving(data, "--records-into", server.Address)
	command := process(t, t.TempDir(), args...)
	var messages bytes.Buffer
	command.Stderr = &messages
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	defer command.Wait()
	defer command.Process.Kill()
	await := func(text string) {
		t.Helper()
		var stats string
		for range 600 {
			out, _ := process(t, t.TempDir(), "stats", "--data", data).Output()
			if stats = string(out); strings.Contains(stats, text) {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Fatalf("%q does not come: %s %s", text, stats, messages.String())
	}
	await("changes behind since ")
	for range 2 {
		if err := server.Again(); err != nil {
			t.Fatal(err)
		}
		await(": 0 changes behind; ")
		server.Stop()
	}
	if err := server.Again(); err != nil {
		t.Fatal(err)
	}
	if got := tablesIn(t, server.Address, server, m.tables()...); !maps.Equal(got, want) {
		t.Errorf("it differs from an undisturbed run:\n%s", differences(got, want))
	}
}
