package postgres_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
	"laundromat/seedlist/postgres"
	"laundromat/seedlist/postgres/pgtest"
)

// server is a server that a test has started.
type server struct{ *pgtest.Server }

func startServer(dir string, safe bool) (*server, error) {
	s, err := pgtest.Start(dir, safe)
	return &server{s}, err
}

// shared is that of all tests; nil where there is none, and missing says why.
var (
	shared  *server
	missing string
)

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "laundromat-postgres-")
	if err == nil {
		defer os.RemoveAll(dir)
		shared, err = startServer(dir, false)
	}
	if err != nil {
		shared, missing = nil, err.Error()
	} else {
		defer shared.Stop()
	}
	return m.Run()
}

// exec does something to the database.
func (s *server) exec(t testing.TB, sql string) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), s.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(context.Background(), sql); err != nil {
		t.Fatal(err)
	}
}

// free are schemas that a test has left: to empty one is quicker than to make one.
var free = make(chan string, 1000)

var schemas atomic.Int64

// schema is the address of an empty schema, which is used again after the test.
func (s *server) schema(t testing.TB) string {
	t.Helper()
	name := "s" + strconv.FormatInt(schemas.Add(1), 10)
	isMade := false
	if s == shared {
		select {
		case name = <-free:
			isMade = true
		default:
		}
		t.Cleanup(func() { free <- name })
	}
	if isMade { // by a test that may have made no list in it, or ended in the midst of a copy
		s.exec(t, fmt.Sprintf(
			"SET search_path = %[1]s; DO $$ BEGIN IF to_regclass('%[1]s.view_pairs') IS NOT NULL THEN %[2]s; END IF; END $$",
			name, empty))
	} else {
		s.exec(t, "CREATE SCHEMA "+name)
	}
	return s.Address + "&search_path=" + name
}

// empty takes everything out of a list.
const empty = `DELETE FROM hot; DELETE FROM cold; DELETE FROM links; DELETE FROM old_keys; DELETE FROM attempts; DELETE FROM hosts; DELETE FROM counts;
	DELETE FROM catalogs; DELETE FROM listings; DELETE FROM changes; DELETE FROM washed; DELETE FROM orphans; DELETE FROM holders; DELETE FROM contexts; DELETE FROM recipes; INSERT INTO recipes VALUES ('version', '0'); DELETE FROM copying; UPDATE feed SET last = 0;
	DELETE FROM view_meta; DELETE FROM view_values; DELETE FROM view_names; DELETE FROM view_entries; DELETE FROM view_rows; DELETE FROM view_orders;
	DELETE FROM view_counts; DELETE FROM view_pairs; ALTER SEQUENCE numbers RESTART; ALTER SEQUENCE turns RESTART`

// need skips a test where there is no server.
func need(t testing.TB) *server {
	t.Helper()
	if shared == nil {
		t.Skip(missing)
	}
	return shared
}

// open opens a list by the clock of the test.
func open(t testing.TB, address string, options seedlist.Options) *postgres.Store {
	t.Helper()
	store, err := postgres.OpenByTheClock(context.Background(), address, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func nameOf(address string) string {
	_, name, _ := strings.Cut(address, "search_path=")
	return name
}

// waiting is how many connections wait for a lock.
func (s *server) waiting(t testing.TB) (n int) {
	t.Helper()
	said, err := s.Ask("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
	if err != nil {
		t.Fatal(err)
	}
	n, err = strconv.Atoi(said)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
