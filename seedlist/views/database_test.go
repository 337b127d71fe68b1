package views_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/internal/ordered"
	"laundromat/seedlist"
	"laundromat/seedlist/memory"
	"laundromat/seedlist/postgres"
	"laundromat/seedlist/postgres/pgtest"
	"laundromat/seedlist/storetest"
	"laundromat/seedlist/views"
)

// database is a server; the test is skipped where there is none.
func database(t testing.TB) *pgtest.Server {
	t.Helper()
	return pgtest.ForTest(t, false)
}

// inDatabase opens the database once more, as another process would.
func inDatabase(t testing.TB, address string, readOnly bool) *postgres.Store {
	t.Helper()
	store, err := postgres.Open(context.Background(), address, seedlist.Options{ReadOnly: readOnly})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// Three processes share the tables: two follow the list, in turn, and one only looks.
func TestViewsInADatabaseAreWhatAScanFinds(t *testing.T) {
	address := database(t).Address
	// The test's clock stands still while one of its goroutines waits for the network, as those that listen do. So
	// the lists are opened before it begins, with all the connections that they will have.
	address += "&pool_max_conns=3&pool_min_conns=3"
	stores := []*postgres.Store{inDatabase(t, address, false), inDatabase(t, address, false), inDatabase(t, address, true)}
	for _, store := range stores {
		defer store.Close()
		tables := store.Tables(views.TableNames())
		if err := tables.View(t.Context(), func(ordered.Tx) error {
			return tables.View(t.Context(), func(ordered.Tx) error {
				return tables.View(t.Context(), func(ordered.Tx) error { return nil })
			})
		}); err != nil {
			t.Fatal(err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(5, 13))
		list := memory.New(seedlist.Options{Interval: 30 * time.Minute, HostConnections: 2, KeepChanges: 300})
		defer list.Close()
		begin := func(store *postgres.Store) *views.Views {
			v, err := views.In(store.Tables(views.TableNames()), list, terms, func(err error) { t.Error(err) })
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		one, two := begin(stores[0]), begin(stores[1])
		defer func() { one.Close() }()
		defer two.Close()
		looking := views.Look(stores[2].Tables(views.TableNames()), list, func(err error) { t.Error(err) })
		defer looking.Close()
		history := storetest.History{Store: list, Random: random}
		for step := range 80 {
			history.Step(t)
			if step%40 != 39 {
				continue
			}
			if random.IntN(2) == 0 { // others go on, or one comes that finds more than the list tells
				one.Close()
				for range random.IntN(400) {
					history.Step(t)
				}
				one = begin(stores[0])
			}
			for _, v := range []*views.Views{one, two, looking} {
				upToDate(t, v, list)
			}
			compare(t, []*views.Views{one, two, looking}[random.IntN(3)], list, random)
		}
	})
}

// What one process writes, another finds by the same words.
func TestTablesInADatabaseAreInOrder(t *testing.T) {
	address := database(t).Address
	one, two := inDatabase(t, address, false), inDatabase(t, address, false)
	defer one.Close()
	defer two.Close()
	tables, others := one.Tables(views.TableNames()), two.Tables(views.TableNames())
	const table = 3
	keys := []string{"\x00", "a", "a\x00", "ab", "ab\xff", "b", "\xff", "\xff\xff"}
	if err := tables.Update(t.Context(), func(tx ordered.Tx) error {
		if err := others.Update(t.Context(), func(ordered.Tx) error { return nil }); !errors.Is(err, ordered.ErrBusy) {
			t.Errorf("two change them at once: %v", err)
		}
		for _, key := range keys {
			tx.Put(table, []byte(key), []byte("of "+key))
		}
		tx.Put(table, []byte("none"), []byte{})
		tx.Delete(table, []byte("none"))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		prefix, from string
		descending   bool
		want         string
	}{
		{"", "", false, "\x00,a,a\x00,ab,ab\xff,b,\xff,\xff\xff,"},
		{"", "", true, "\xff\xff,\xff,b,ab\xff,ab,a\x00,a,\x00,"},
		{"a", "", false, "a,a\x00,ab,ab\xff,"},
		{"a", "ab", false, "ab,ab\xff,"},
		{"a", "aa", true, "a\x00,a,"},
		{"a", "ab", true, "ab,a\x00,a,"},
		{"\xff", "", true, "\xff\xff,\xff,"},
		{"c", "", false, ""},
	} {
		if err := others.View(t.Context(), func(tx ordered.Tx) error {
			var from []byte
			if test.from != "" {
				from = []byte(test.from)
			}
			got := ""
			next := tx.Walk(table, []byte(test.prefix), from, test.descending)
			for key, value := next(); key != nil; key, value = next() {
				if got += string(key) + ","; string(value) != "of "+string(key) {
					t.Errorf("%q has the value %q", key, value)
				}
			}
			if got != test.want {
				t.Errorf("%+v: %q", test, got)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
}
