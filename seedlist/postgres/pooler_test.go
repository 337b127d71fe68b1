package postgres_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
	"laundromat/seedlist/postgres"
	"laundromat/seedlist/storetest"
)

// database makes an empty database, and returns an address with its name in place of that of the server's.
func (s *server) database(t testing.TB, address, name, options string) string {
	t.Helper()
	s.exec(t, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
	s.exec(t, "CREATE DATABASE "+name+" "+options)
	return strings.Replace(address, "/postgres?", "/"+name+"?", 1)
}

// tables counts the tables of each schema of a database, as the server itself says.
func (s *server) tables(t testing.TB, name string) map[string]int {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), strings.Replace(s.Address, "/postgres?", "/"+name+"?", 1))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	rows, err := conn.Query(context.Background(),
		"SELECT schemaname::text, count(*)::int FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema') GROUP BY 1")
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	var schema string
	var n int
	if _, err := pgx.ForEachRow(rows, []any{&schema, &n}, func() error { counts[schema] = n; return nil }); err != nil {
		t.Fatal(err)
	}
	return counts
}

// A list works by way of a pooler, whatever that does with connections. Its tables are in the schema that the
// address says. Nothing is left on the connections, which other programs use too.
func TestAListWorksBehindAPooler(t *testing.T) {
	server := need(t)
	ignore := "ignore_startup_parameters = search_path, options, extra_float_digits"
	for i, test := range []struct {
		name, mode, more string
		lines            []string
		want             string // the schema
	}{
		{"transactions", "transaction", "", nil, "public"},
		{"sessions", "session", "", nil, "public"},
		{"a schema", "transaction", "&search_path=wash", nil, "wash"},
		{"a schema, by sessions", "session", "&search_path=wash", nil, "wash"},
		{"a schema, which the pooler would ignore", "transaction", "&search_path=wash", []string{ignore}, "wash"},
		{"a schema of two", "transaction", "&search_path=wash,public", []string{ignore}, "wash"},
		{"a schema in options", "transaction", "&options=-c%20search_path%3Dwash", []string{ignore}, "wash"},
		{"a schema in long options", "transaction", "&options=--search-path%3Dwash", nil, "wash"},
		{"a schema whose name needs quotation marks", "transaction", "&search_path=%22It's%20a,b%22", nil, "It's a,b"},
		{"a schema in capitals", "transaction", "&search_path=WASH", nil, "wash"},
		{"a pool of two", "transaction", "", []string{"default_pool_size = 2"}, "public"},
		{"the driver's own mode", "transaction", "&default_query_exec_mode=exec", nil, "public"},
		{"the driver's simple mode", "transaction", "&default_query_exec_mode=simple_protocol", nil, "public"},
	} {
		t.Run(test.name, func(t *testing.T) {
			name := fmt.Sprint("pooled", i)
			address := server.database(t, server.Pooler(t, test.mode, test.lines...), name, "")
			inside, err := pgx.Connect(t.Context(), strings.Replace(server.Address, "/postgres?", "/"+name+"?", 1))
			if err != nil {
				t.Fatal(err)
			}
			defer inside.Close(context.Background())
			if _, err := inside.Exec(t.Context(), `CREATE SCHEMA wash; CREATE SCHEMA "It's a,b"`); err != nil {
				t.Fatal(err)
			}
			stores := []*postgres.Store{begin(t, address+test.more, quick), begin(t, address+test.more, quick)}
			addMany(t, stores[0], 60)
			wantEachOnce(t, stores[1], washAll(t, stores, 4), 60)
			if got := server.tables(t, name); len(got) != 1 || got[test.want] == 0 {
				t.Errorf("tables by schema: %v", got)
			}
			if test.mode == "transaction" {
				wantUntouched(t, address)
			}
		})
	}
}

// wantUntouched looks at connections of a pooler as another program would find them.
func wantUntouched(t *testing.T, address string) {
	t.Helper()
	for range 8 {
		config, err := pgx.ParseConfig(address)
		if err != nil {
			t.Fatal(err)
		}
		config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
		conn, err := pgx.ConnectConfig(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(context.Background())
		var changed, prepared, listening int64
		err = conn.QueryRow(t.Context(),
			`SELECT (SELECT count(*) FROM pg_settings WHERE source = 'session' AND name IN ('statement_timeout', 'lock_timeout',
			'idle_in_transaction_session_timeout', 'search_path', 'default_transaction_isolation')), (SELECT count(*) FROM pg_prepared_statements),
			(SELECT count(*) FROM pg_listening_channels())`).Scan(&changed, &prepared, &listening)
		if err != nil || changed+prepared+listening != 0 {
			t.Errorf("%v: %d settings, %d prepared statements, %d channels were left on a connection", err, changed, prepared, listening)
		}
	}
}

// Another program that changes the search_path of the connections that it shares with us does us no harm.
func TestASharedConnectionMayHaveAnotherPath(t *testing.T) {
	server := need(t)
	address := server.database(t, server.Pooler(t, "transaction", "default_pool_size = 3"), "poisoned", "")
	store := begin(t, address, quick)
	addMany(t, store, 30)
	for range 10 {
		config, err := pgx.ParseConfig(address)
		if err != nil {
			t.Fatal(err)
		}
		config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
		conn, err := pgx.ConnectConfig(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(context.Background())
		if _, err := conn.Exec(t.Context(), "SELECT set_config('search_path', '', false)"); err != nil {
			t.Fatal(err)
		}
	}
	wantEachOnce(t, store, washAll(t, []*postgres.Store{store, begin(t, address, quick)}, 4), 30)
}

// What a pooler refuses is said with what to do about it.
func TestWhatAPoolerRefusesIsSaid(t *testing.T) {
	server := need(t)
	for _, test := range []struct{ name, mode, more, want string }{
		{"no transactions", "statement", "", "pool_mode"},
		{"a setting", "transaction", "&work_mem=64MB", "settings from an address"},
		{"options", "transaction", "&options=-c%20work_mem%3D64MB", "settings from an address"},
	} {
		wantRefused(t, test.name, server.Pooler(t, test.mode)+test.more, test.want)
	}
}

// The first schema that an address names is there, or the list is refused: its tables never come into another.
func TestTheSchemaIsThatOfTheAddress(t *testing.T) {
	server := need(t)
	server.exec(t, `DROP SCHEMA IF EXISTS named, "Named One" CASCADE; CREATE SCHEMA named; CREATE SCHEMA "Named One"`)
	pooled := server.Pooler(t, "transaction", "ignore_startup_parameters = search_path, options")
	for _, address := range []string{server.Address, pooled} {
		for path, want := range map[string]string{
			"named":                     "",
			"NAMED":                     "",
			"%22named%22":               "",
			"%22Named%20One%22":         "",
			"named,public":              "",
			"%20named%20,%20pg_catalog": "",
			"none":                      "no schema none",
			"none,public":               "no schema none",
			"none,named":                "no schema none",
			"%22NAMED%22,named":         "no schema NAMED",
			"%22a%22%22b%22,public":     `no schema a"b`,
		} {
			if want != "" {
				wantRefused(t, path, address+"&search_path="+path, want)
				wantRefused(t, "options "+path, address+"&options=-csearch_path%3D"+strings.ReplaceAll(path, "%20", "%5C%20"), want)
				continue
			}
			store := begin(t, address+"&search_path="+path, seedlist.Options{})
			storetest.Must[seedlist.Counts](t)(store.Counts(t.Context()))
		}
	}
}

// An encoding that lacks characters is refused at the start.
func TestAnEncodingThatLacksCharactersIsRefused(t *testing.T) {
	server := need(t)
	for encoding, isGood := range map[string]bool{
		"UTF8": true, "SQL_ASCII": true, "EUC_JP": false, "LATIN1": false, "LATIN9": false, "WIN1252": false, "EUC_KR": false,
		"KOI8R": false, "EUC_CN": false,
	} {
		address := server.database(t, server.Address, "encoded", "ENCODING '"+encoding+"' LOCALE 'C' TEMPLATE template0")
		if !isGood {
			wantRefused(t, encoding, address, "encoded in "+encoding)
			continue
		}
		store := begin(t, address, quick)
		storetest.Add(t, store, "http://h.example/žluťoučký-日本")
		store.Close()
	}
}

// Two first starts at once both succeed, and what follows too, however the server isolates transactions.
func TestFirstStartsSucceedInAnyIsolation(t *testing.T) {
	server := need(t)
	for i, level := range []string{"serializable", "repeatable read", "read committed", "read uncommitted"} {
		name := fmt.Sprint("isolated", i)
		for range 3 {
			address := server.database(t, server.Address, name, "")
			server.exec(t, fmt.Sprintf("ALTER DATABASE %s SET default_transaction_isolation = '%s'", name, level))
			opened := make(chan *postgres.Store)
			const starts = 4
			for range starts {
				go func() {
					store, err := postgres.Open(context.Background(), address, quick)
					if err != nil {
						t.Errorf("%s: %v", level, err)
					}
					opened <- store
				}()
			}
			var stores []*postgres.Store
			for range starts {
				if store := <-opened; store != nil {
					t.Cleanup(func() { store.Close() })
					stores = append(stores, store)
				}
			}
			if len(stores) < starts {
				return
			}
			addMany(t, stores[0], 30)
			wantEachOnce(t, stores[0], washAll(t, stores[:2], 4), 30)
		}
	}
}
