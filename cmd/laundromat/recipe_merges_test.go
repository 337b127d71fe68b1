package main

import (
	"encoding/csv"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"laundromat/internal/testkit/entities"
	"laundromat/seedlist/postgres/pgtest"
)

// registry is a site with tables of persons, some of whom are there twice.
type registry struct {
	*httptest.Server
	tables  map[string]string // by path
	folder  string
	recipes []string
}

const membersRecipe = `name: members
match: {uri: "*/members/*"}
products: [records]
spec:
  reconcile: {id: id}
`

const guestsRecipe = `name: guests
match: {uri: "*/guests/*"}
products: [records]
spec:
  reconcile: {id: id, recipe: members}
`

func newRegistry(t *testing.T, recipes ...string) *registry {
	t.Helper()
	r := &registry{tables: map[string]string{}, folder: t.TempDir()}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/csv")
		fmt.Fprint(w, r.tables[q.URL.Path])
	}))
	t.Cleanup(r.Close)
	for i, text := range recipes {
		path := filepath.Join(r.folder, fmt.Sprintf("%d.yaml", i))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r.recipes = append(r.recipes, "--recipe", path)
	}
	return r
}

// put makes tables of so many rows each.
func (r *registry) put(folder string, header []string, rows [][]string, each int) (paths []string) {
	for i := 0; i < len(rows); i += each {
		var text strings.Builder
		out := csv.NewWriter(&text)
		out.Write(header)
		out.WriteAll(rows[i:min(i+each, len(rows))])
		path := fmt.Sprintf("/%s/%d.csv", folder, i/each)
		r.tables[path] = text.String()
		paths = append(paths, path)
	}
	return paths
}

// run is a run of the daemon over some of the tables.
func (r *registry) run(t *testing.T, data, into string, paths ...string) []string {
	t.Helper()
	seeds := filepath.Join(r.folder, "seeds.txt")
	if err := os.WriteFile(seeds, []byte(r.URL+strings.Join(paths, "\n"+r.URL)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return append(serving(data, "--until-idle", "--seeds", seeds, "--records-into", into), r.recipes...)
}

// mergesIn are the merges of tables in a database, apart from times.
func mergesIn(t *testing.T, address string, server *pgtest.Server, tables ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range tables {
		all[name] = strings.Join(askTable(t, address, server, "SELECT _key, _record, _sum, _source FROM "+name+" ORDER BY _key"), "\n")
	}
	all["merges"] = strings.Join(askTable(t, address, server,
		"SELECT table_name, merge_key, pairs FROM laundromat_merges ORDER BY table_name, merge_key"), "\n")
	all["merged"] = strings.Join(askTable(t, address, server,
		"SELECT table_name, member_table, member_key, merge_key FROM laundromat_merged ORDER BY table_name, member_table, member_key"), "\n")
	return all
}

// TestMergesDependOnTheRowsAndNotOnTheirOrder takes the same documents at once, and one after another in another order.
// The rows stay as they are.
func TestMergesDependOnTheRowsAndNotOnTheirOrder(t *testing.T) {
	r := newRegistry(t, membersRecipe, guestsRecipe)
	set := entities.Persons(60, 7, 1)
	paths := r.put("members", set.Header[0], set.Rows[0], 30)
	other := entities.Papers(30, 20, 20, 7, 1)
	paths = append(paths, r.put("guests", other.Header[1], other.Rows[1], 25)...)
	at := func(name string) string { return "sqlite:" + filepath.Join(r.folder, name) }
	output(t, r.run(t, filepath.Join(r.folder, "once"), at("once.db"), paths...)...)
	want := mergesIn(t, at("once.db"), nil, "members", "members_merged", "guests")
	if strings.Count(want["members_merged"], "\n") < 5 || strings.Contains(want["members"], "_merge") {
		t.Fatalf("merges: %v", want)
	}
	data := filepath.Join(r.folder, "later")
	for i := range paths {
		output(t, r.run(t, data, at("later.db"), paths[len(paths)-1-i])...)
	}
	if got := mergesIn(t, at("later.db"), nil, "members", "members_merged", "guests"); !maps.Equal(got, want) {
		t.Errorf("in another order:\n%s", differences(got, want))
	}
}

// TestRecordsOfTwoRecipesAreMergedOneToOne merges what one recipe made with what another did.
func TestRecordsOfTwoRecipesAreMergedOneToOne(t *testing.T) {
	r := newRegistry(t, membersRecipe, guestsRecipe)
	set := entities.Papers(60, 20, 20, 5, 1)
	paths := r.put("members", set.Header[0], set.Rows[0], 50)
	paths = append(paths, r.put("guests", set.Header[1], set.Rows[1], 50)...)
	address := "sqlite:" + filepath.Join(r.folder, "r.db")
	output(t, r.run(t, filepath.Join(r.folder, "data"), address, paths...)...)
	right, all := 0, 0
	for _, line := range askTable(t, address, nil, "SELECT a.member_id, b.member_id FROM laundromat_merged a JOIN laundromat_merged b "+
		"ON a.table_name = b.table_name AND a.merge_key = b.merge_key WHERE a.table_name = 'guests' AND a.member_table = 'members' "+
		"AND b.member_table = 'guests'") {
		a, b, _ := strings.Cut(line, "|")
		if all++; set.Pairs[[2]string{a, b}] {
			right++
		}
	}
	if right < 55 || all > 65 {
		t.Errorf("%d of %d pairs are right", right, all)
	}
}

// TestAMergeThatIsUndoneStaysSo undoes a merge, with and without a daemon.
func TestAMergeThatIsUndoneStaysSo(t *testing.T) {
	r := newRegistry(t, membersRecipe)
	set := entities.Persons(60, 7, 1)
	paths := r.put("members", set.Header[0], set.Rows[0], 100)
	data, address := filepath.Join(r.folder, "data"), "sqlite:"+filepath.Join(r.folder, "r.db")
	run := func() { output(t, r.run(t, data, address, paths...)...) }
	run()
	keys := askTable(t, address, nil, "SELECT _key FROM members_merged ORDER BY _key")
	merged := func() map[string]string { return mergesIn(t, address, nil, "members_merged") }
	before := merged()
	rows := askTable(t, address, nil, "SELECT * FROM members ORDER BY _key")
	output(t, "recipe", "merges", "members", "--records-into", address, "--undo", keys[0])
	for range 2 {
		if got := askTable(t, address, nil, "SELECT count(*) FROM members_merged WHERE _key = '"+keys[0]+"'"); got[0] != "0" {
			t.Fatalf("the merge %s is there: %v", keys[0], got)
		}
		run()
	}
	output(t, "recipe", "merges", "members", "--records-into", address, "--redo", keys[0])
	run()
	if got := merged(); !maps.Equal(got, before) {
		t.Errorf("after it is taken back:\n%s", differences(got, before))
	}
	if after := askTable(t, address, nil, "SELECT * FROM members ORDER BY _key"); strings.Join(after, "\n") != strings.Join(rows, "\n") {
		t.Error("the rows changed")
	}
	log := askTable(t, address, nil,
		"SELECT what, count(*) FROM laundromat_merge_log WHERE merge_key = '"+keys[0]+"' GROUP BY what ORDER BY what")
	if strings.Join(log, " ") != "merged|2 parted|1" {
		t.Errorf("the log: %v", log)
	}
}

// TestAMergeOfManyRecordsIsUndoneWhole undoes a merge of more records than all their pairs could be said of, and takes
// that back, in both databases.
func TestAMergeOfManyRecordsIsUndoneWhole(t *testing.T) {
	const many = 400
	r := newRegistry(t, membersRecipe)
	set := entities.Persons(1500, 7, 1)
	rows := set.Rows[0]
	for i := range many {
		rows = append(rows, []string{fmt.Sprintf("same-%03d", i),
			"Zebulon", "Quuxley", "7", "Long Lane", "Farville", "98765", "099 123456", "1931-05-06"})
	}
	paths := r.put("members", set.Header[0], rows, 1000)
	server := database(t)
	for _, address := range []string{"sqlite:" + filepath.Join(r.folder, "r.db"), server.Address} {
		ask := func(query string) string { return strings.Join(askTable(t, address, server, query), " ") }
		data := filepath.Join(t.TempDir(), "data")
		output(t, r.run(t, data, address, paths...)...)
		const largest = "SELECT merge_key, count(*) FROM laundromat_merged GROUP BY merge_key ORDER BY count(*) DESC LIMIT 1"
		key, size, _ := strings.Cut(ask(largest), "|")
		if size != strconv.Itoa(many) {
			t.Fatalf("the largest merge is of %s records", size)
		}
		merges := ask("SELECT count(*) FROM members_merged")
		all := func() string { return ask("SELECT count(*) FROM laundromat_merged WHERE member_id LIKE 'same-%'") }
		output(t, "recipe", "merges", "members", "--records-into", address, "--same", "same-001", "same-002")
		got := output(t, "recipe", "merges", "members", "--records-into", address, "--undo", key)
		if !strings.Contains(got, "400 records are given back") {
			t.Errorf("%s: %s", address, got)
		}
		for range 2 {
			if n := all(); n != "0" {
				t.Fatalf("%s: %s of the records are merged", address, n)
			}
			if n := ask("SELECT 1 + count(*) FROM members_merged"); n != merges {
				t.Errorf("%s: there were %s merges, and now one more than are left makes %s", address, merges, n)
			}
			if n := ask("SELECT count(*) FROM laundromat_undone"); n != strconv.Itoa(many) {
				t.Errorf("%s: it takes %s rows to say so", address, n)
			}
			output(t, r.run(t, data, address, paths...)...)
		}
		// An answer about two of them counts more than what was said of all.
		output(t, "recipe", "merges", "members", "--records-into", address, "--same", "same-003", "same-004")
		output(t, r.run(t, data, address, paths...)...)
		if n := all(); n != "2" {
			t.Errorf("%s: after an answer about two, %s are merged", address, n)
		}
		output(t, "recipe", "merges", "members", "--records-into", address, "--forget", "same-003", "same-004")
		output(t, "recipe", "merges", "members", "--records-into", address, "--redo", key)
		output(t, r.run(t, data, address, paths...)...)
		if n := ask("SELECT count(*) FROM members_merged"); all() != strconv.Itoa(many) || n != merges {
			t.Errorf("%s: %s of the records are merged again, and there are %s merges, not %s", address, all(), n, merges)
		}
	}
}

// TestMergesAreThoseOfAnUndisturbedRunWhateverIsKilled kills the daemon in the middle.
func TestMergesAreThoseOfAnUndisturbedRunWhateverIsKilled(t *testing.T) {
	takesLong(t)
	r := newRegistry(t, membersRecipe)
	set := entities.Persons(1500, 9, 1)
	paths := r.put("members", set.Header[0], set.Rows[0], 60)
	undisturbed := "sqlite:" + filepath.Join(r.folder, "undisturbed.db")
	began := time.Now()
	output(t, r.run(t, filepath.Join(r.folder, "undisturbed"), undisturbed, paths...)...)
	longest := time.Since(began)
	want := mergesIn(t, undisturbed, nil, "members", "members_merged")
	server := database(t)
	for i, address := range []string{"sqlite:" + filepath.Join(r.folder, "killed.db"), server.Address} {
		random := rand.New(rand.NewPCG(uint64(i), 3))
		data, hit := filepath.Join(t.TempDir(), "data"), 0
		for range kills(t) {
			if killAt(t, t.TempDir(), time.Duration(random.Int64N(int64(longest))), r.run(t, data, address, paths...)...) {
				hit++
			}
		}
		output(t, r.run(t, data, address, paths...)...)
		if got := mergesIn(t, address, server, "members", "members_merged"); !maps.Equal(got, want) {
			t.Errorf("%s: it differs from an undisturbed run:\n%.3000s", address, differences(got, want))
		}
		t.Logf("%s: %d kills came before the end", address, hit)
	}
}
