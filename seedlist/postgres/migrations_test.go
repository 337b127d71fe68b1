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

// TestTablesOfLayout1AreBroughtUpToDate, with what they hold: hosts have settings, and claims of a daemon that is gone.
func TestTablesOfLayout1AreBroughtUpToDate(t *testing.T) {
	server := need(t)
	name := fmt.Sprint("first", time.Now().UnixNano())
	server.exec(t, fmt.Sprintf("CREATE SCHEMA %[1]s; SET search_path = %[1]s; ", name)+postgres.FirstSchema()+
		`INSERT INTO hosts (host, turn, due, claims, connections, settings) VALUES
		('a.example', nextval('turns'), 0, 3, 2, '{"host":"a.example","paused":false,"connections":2,"delay":0.25}'),
		('b.example', nextval('turns'), 0, 1, 0, '')`)
	store := begin(t, server.Address+"&search_path="+name, seedlist.Options{})
	storetest.Add(t, store, "http://a.example/1", "http://b.example/1")
	use := storetest.Must[seedlist.HostUse](t)(store.Host(t.Context(), "a.example"))
	if use.Busy != 0 || use.Connections != 2 || use.Delay == nil || *use.Delay != 0.25 {
		t.Errorf("%+v", use)
	}
	if claims := storetest.Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 9)); len(claims) != 2 {
		t.Errorf("%d claims", len(claims))
	}
	lease, err := store.LeaseHost(t.Context(), "a.example", time.Minute)
	if err != nil || lease.Stays != 62500*time.Microsecond {
		t.Errorf("a host with a delay of 250 ms stays for %v, %v", lease.Stays, err)
	}
}

// TestPagesOfLayout5AreCountedUnderTheirSyntaxes, of what is served: a page counts as before while it is washed again.
func TestPagesOfLayout5AreCountedUnderTheirSyntaxes(t *testing.T) {
	server := need(t)
	name := fmt.Sprint("fifth", time.Now().UnixNano())
	address := server.Address + "&search_path=" + name
	server.exec(t, "CREATE SCHEMA "+name)
	store := open(t, address, seedlist.Options{HostDelay: -1})
	storetest.Pages(t, store)
	storetest.Add(t, store, "http://e.example/5")
	storetest.Drive(t, store, seedlist.Unarchived)
	storetest.Complete(t, store, storetest.Claim(t, store, seedlist.Guessing), seedlist.Outcome{Next: seedlist.Guessed,
		Update: func(r *seedlist.Record) {
			r.Format, r.Sources = "HTML", map[string]int64{"Turtle": 3}
		}})
	c := storetest.Claim(t, store, seedlist.Parsing)
	storetest.Complete(t, store, c, seedlist.Outcome{Next: seedlist.Parsed, Clean: &seedlist.Clean{Content: *storetest.ContentOf("clean")}})
	if _, err := store.WashAgain(t.Context(), seedlist.Again{Asked: seedlist.Force, To: seedlist.Added}, c.Seed.Hash); err != nil {
		t.Fatal(err)
	}
	c = storetest.Claim(t, store, seedlist.Downloading)
	storetest.Complete(t, store, c, seedlist.Outcome{Next: seedlist.Filed, Update: (*seedlist.Record).ForgetReading})
	want := storetest.Must[seedlist.Counts](t)(store.Counts(t.Context())).Formats
	store.Close()
	server.exec(t, "SET search_path = "+name+"; "+postgres.ForgetSyntaxes("RDFa", "JSON-LD", "Microdata", "Turtle")+
		"INSERT INTO counts VALUES ('format:RDFa', 3, 1)") // one document that is RDFa itself
	store = open(t, address, seedlist.Options{})
	if got := storetest.Must[seedlist.Counts](t)(store.Counts(t.Context())).Formats; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	storetest.Audit(t, store)
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
