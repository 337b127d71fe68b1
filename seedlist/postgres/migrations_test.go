package postgres_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/postgres"
	"laundromat/seedlist/storetest"
)

// Tables of an older layout are refused with what reads them; nothing is changed.
func TestOlderLayoutsAreRefused(t *testing.T) {
	server := need(t)
	for is := 1; is < 8; is++ {
		build := "77c1325e"
		if is == 7 {
			build = "26eed662"
		}
		name := fmt.Sprint("older", is, "_", time.Now().UnixNano())
		server.exec(t, fmt.Sprintf("CREATE SCHEMA %[1]s; CREATE TABLE %[1]s.layout (version integer); INSERT INTO %[1]s.layout VALUES (%[2]d)", name, is))
		_, err := postgresOpen(t, server.Address+"&search_path="+name)
		for _, want := range []string{fmt.Sprintf("of layout %d", is), "knows 8 alone", "with a build up to " + build,
			"store migrate"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("layout %d: %v lacks %q", is, err, want)
			}
		}
	}
}

// TestColumnsOfSeedsMayBeInAnyOrder works on a list whose table has its columns the other way round: those of older
// lists are in another order.
func TestColumnsOfSeedsMayBeInAnyOrder(t *testing.T) {
	server := need(t)
	name := fmt.Sprint("turned", time.Now().UnixNano())
	server.exec(t, fmt.Sprintf("CREATE SCHEMA %[1]s; SET search_path = %[1]s; ", name)+turned(t, postgres.Schema(), "hot"))
	store := open(t, server.Address+"&search_path="+name, seedlist.Options{})
	hash := storetest.Add(t, store, "http://a.example/1")[0]
	storetest.Drive(t, store, seedlist.Parsed)
	if seed := storetest.Seed(t, store, hash); seed.Status != seedlist.Parsed || seed.URI != "http://a.example/1" || len(seed.Clean) != 32 {
		t.Errorf("%+v", seed)
	}
	wantSound(t, store)
}

// turned is the text of a schema in which a table has its columns the other way round.
func turned(t *testing.T, schema, table string) string {
	t.Helper()
	before, rest, found := strings.Cut(schema, "CREATE TABLE "+table+" (\n")
	columns, rest, ends := strings.Cut(rest, "\n)")
	if !found || !ends {
		t.Fatalf("the schema makes no table %s", table)
	}
	var all []string
	for line := range strings.Lines(regexp.MustCompile(`,?\s*(--.*)?(\n|$)`).ReplaceAllString(columns, "\n")) {
		all = append(all, strings.TrimSpace(line))
	}
	slices.Reverse(all)
	return before + "CREATE TABLE " + table + " (\n" + strings.Join(all, ",\n") + "\n)" + rest
}
