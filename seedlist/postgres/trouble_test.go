package postgres_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/postgres"
	"laundromat/seedlist/postgres/pgtest"
)

// TestAServerThatIsStoppedLosesNothing restarts the server while two workers wash.
func TestAServerThatIsStoppedLosesNothing(t *testing.T) {
	need(t)
	server, err := startServer(pgtest.Folder(t), true)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	stores := []*postgres.Store{begin(t, server.Address, quick), begin(t, server.Address, quick)}
	addMany(t, stores[0], 300)
	restarted := make(chan error, 1)
	go func() {
		for range 2 {
			// Once some are washed, the server dies without a word.
			for {
				c, err := stores[0].Counts(context.Background())
				if err == nil && c.States[seedlist.Parsed] > 0 {
					break
				}
				time.Sleep(20 * time.Millisecond)
			}
			server.Stop()
			if err := server.Again(); err != nil {
				restarted <- err
				return
			}
		}
		restarted <- nil
	}()
	parsed := washAll(t, stores, 8)
	if err := <-restarted; err != nil {
		t.Fatal(err)
	}
	wantEachOnce(t, stores[0], parsed, 300)
}

// TestTroubleIsSaidInOneLine: what is wrong, where, and what to do.
func TestTroubleIsSaidInOneLine(t *testing.T) {
	server := need(t)
	server.exec(t, "DROP SCHEMA IF EXISTS later, other, full_of CASCADE; DROP ROLE IF EXISTS reader, single")
	server.exec(t, "CREATE SCHEMA later; CREATE TABLE later.layout (version integer); INSERT INTO later.layout VALUES (99)")
	server.exec(t, "CREATE SCHEMA full_of; CREATE TABLE full_of.things (n integer)")
	server.exec(t, "CREATE ROLE reader LOGIN; CREATE ROLE single LOGIN CONNECTION LIMIT 0; CREATE SCHEMA other; GRANT USAGE ON SCHEMA other TO reader")
	as := func(user string) string { return strings.Replace(server.Address, "postgres@", user+"@", 1) }
	for _, test := range []struct{ name, address, want string }{
		{"nobody listens", "postgres://postgres@127.0.0.1:1/postgres?sslmode=disable", "can't be reached"},
		{"no such database", strings.Replace(server.Address, "/postgres?", "/none?", 1), "createdb"},
		{"no such user", as("nobody"), "the server refuses the user"},
		{"no rights", as("reader") + "&search_path=other", "lacks rights"},
		{"no connection left", as("single"), "no connection left"},
		{"no such schema", server.Address + "&search_path=none", "CREATE SCHEMA"},
		{"tables of something else", server.Address + "&search_path=full_of", "holds tables of something else"},
		{"a later layout", server.Address + "&search_path=later", "layout 99"},
		{"only read", server.Address + "&default_transaction_read_only=on&search_path=other", "only reads"},
	} {
		store, err := postgres.Open(t.Context(), test.address, seedlist.Options{})
		if err == nil {
			store.Close()
			t.Errorf("%s: it is opened", test.name)
			continue
		}
		if text := err.Error(); !strings.Contains(text, test.want) || strings.Contains(text, "\n") ||
			fault.CodeOf(err) != fault.LocalDatabase {
			t.Errorf("%s: %s", test.name, text)
		}
	}
	if _, err := postgres.Open(t.Context(), server.Address+"&search_path=other",
		seedlist.Options{ReadOnly: true}); err != seedlist.ErrNoStore {
		t.Errorf("nothing to read: %v", err)
	}
}

func TestPasswordsAreNotShown(t *testing.T) {
	for address, want := range map[string]string{
		"postgres://user:secret@h:5432/db?sslpassword=secret&sslmode=require": "postgres://user@h:5432/db?sslmode=require",
		"postgres://h/db?password=secret":                                     "postgres://h/db",
		"host=h password=secret":                                              "the address of the database",
		"postgres://user:sec%ret@h/db":                                        "the address of the database",
	} {
		if got := postgres.Shown(address); got != want {
			t.Errorf("%s is shown as %s", address, got)
		}
	}
}

// TestTheSchemaThatIsPrintedIsTheOneThatIsMade opens a list in tables that were made by hand.
func TestTheSchemaThatIsPrintedIsTheOneThatIsMade(t *testing.T) {
	server := need(t)
	server.exec(t, "DROP SCHEMA IF EXISTS by_hand CASCADE; CREATE SCHEMA by_hand; SET search_path = by_hand; "+postgres.Schema())
	store := open(t, server.Address+"&search_path=by_hand", quick)
	addMany(t, store, 3)
}
