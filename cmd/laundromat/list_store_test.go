package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"laundromat/internal/files/blobtest"
	"laundromat/seedlist/postgres/pgtest"
)

// database is the address of an empty database; the test is skipped where there is no server.
func database(t *testing.T) *pgtest.Server {
	t.Helper()
	return pgtest.ForTest(t, true)
}

// wantFiles compares the files of two folders, wherever these keep them.
func wantFiles(t *testing.T, got, want map[string]string) {
	t.Helper()
	if len(want) < 60 {
		t.Fatalf("only %d files", len(want))
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s: %d bytes, and %d others", name, len(text), len(got[name]))
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is there as well", name)
		}
	}
}

// What one daemon makes with its list in a database is, file by file, what it makes with one in its folder. The
// other verbs find the list there.
func TestAListInADatabaseMakesTheFilesOfOneInAFolder(t *testing.T) {
	address := database(t).Address
	seeds := mixedSite(t)
	folder, data := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "data")
	output(t, serving(folder, "--until-idle", "--seeds", seeds)...)
	output(t, serving(data, "--until-idle", "--seeds", seeds, "--store", address)...)
	wantFiles(t, filesOf(t, data), filesOf(t, folder))
	output(t, "verify", "--data", data)
	for _, seed := range seedsOf(t, folder) {
		if seed.Clean != "" && output(t, "get", seed.Hash, "--data", folder) != output(t, "get", seed.Hash, "--data", data) {
			t.Errorf("get %s: other bytes", seed.Hash)
		}
	}
	wantStatements(t, data, folder)
	if a, b := len(seedsOf(t, folder)), len(seedsOf(t, data)); a != b {
		t.Errorf("%d seeds, and %d in the database", a, b)
	}
	output(t, serving(data, "--until-idle")...) // the address is known from then on
	for _, row := range []struct {
		args []string
		want string
	}{
		{serving(data, "--until-idle", "--store", address+"&search_path=other"), "leave the flag out"},
		{serving(folder, "--until-idle", "--store", address), "store migrate"},
		{serving(filepath.Join(t.TempDir(), "new"), "--until-idle", "--store", "mysql://h/db"), "want postgres://"},
		{[]string{"backup", filepath.Join(t.TempDir(), "b"), "--data", data}, "pg_dump"},
		{[]string{"salvage", "--data", data}, "PostgreSQL's own tools"},
		{[]string{"restore", folder, "--data", data}, "pg_restore"},
	} {
		said, err := process(t, t.TempDir(), row.args...).CombinedOutput()
		if code := exitCodeOf(t, err); code != exitUsage || !strings.Contains(string(said), row.want) {
			t.Errorf("%v: exit %d: %s", row.args, code, said)
		}
	}
	if schema := output(t, "store", "schema"); !strings.Contains(schema, "CREATE TABLE hot") {
		t.Errorf("%s", schema)
	}
}

// Two daemons that share a database and a bucket make what one makes.
func TestTwoDaemonsMakeTheFilesOfOne(t *testing.T) {
	address := database(t).Address
	store := blobtest.Server(t, "laundry")
	seeds := mixedSite(t)
	folder := filepath.Join(t.TempDir(), "data")
	output(t, serving(folder, "--until-idle", "--seeds", seeds)...)
	workers := []string{filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")}
	var all sync.WaitGroup
	for _, data := range workers {
		all.Go(func() {
			command := process(t, t.TempDir(), serving(data, "--until-idle", "--seeds", seeds, "--store", address, "--blobs",
				"s3://laundry?endpoint="+store.Endpoint)...)
			if said, err := command.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, said)
			}
		})
	}
	all.Wait()
	wantFiles(t, filesOf(t, workers[0]), filesOf(t, folder))
	output(t, "verify", "--data", workers[1])
	if a, b := len(seedsOf(t, folder)), len(seedsOf(t, workers[0])); a != b {
		t.Errorf("%d seeds, and %d in the database", a, b)
	}
}

// While the database is away nothing fails; when it is back the work goes on.
func TestADatabaseThatGoesAwayFailsNoSeed(t *testing.T) {
	server := database(t)
	var requests atomic.Int32
	var one sync.Mutex // restart at a time
	restarted := make(chan error, 2)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n := requests.Add(1); n == 20 || n == 40 { // with some of the work to be written down
			one.Lock()
			server.Stop()
			restarted <- server.Again()
			one.Unlock()
		}
		manyDocuments(w, r)
	}))
	t.Cleanup(site.Close)
	var seeds strings.Builder
	for i := range 60 {
		fmt.Fprintf(&seeds, "%s/%d\n", site.URL, i+10)
	}
	name, data := filepath.Join(t.TempDir(), "seeds.txt"), filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(name, []byte(seeds.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	output(t, serving(data, "--until-idle", "--seeds", name, "--store", server.Address)...)
	for range 2 {
		if err := <-restarted; err != nil {
			t.Fatal(err)
		}
	}
	all := seedsOf(t, data)
	if len(all) < 60 {
		t.Errorf("%d seeds", len(all))
	}
	for _, seed := range all {
		if !seed.Status.IsFinal() || seed.Error != nil && strings.HasPrefix(string(seed.Error.Code), "local/") {
			t.Errorf("%s%s is %s: %+v", seed.URI, seed.Hash, seed.Status, seed.Error)
		}
	}
	output(t, "verify", "--data", data)
}

// wantStatements compares the statements that are found in two folders.
func wantStatements(t *testing.T, got, want string) {
	t.Helper()
	for _, terms := range [][]string{{"-o", `"café"@en`}, {"-p", "http://e.org/p"}, {"-s", "http://e.org/a"}} {
		all := [2][]string{}
		for i, data := range []string{got, want} {
			text := output(t, append([]string{"statements", "--data", data}, terms...)...)
			all[i] = strings.Split(text, "\n")
			slices.Sort(all[i]) // the documents are in the order of the list, which may be another
		}
		if len(all[1]) < 3 || !slices.Equal(all[0], all[1]) {
			t.Errorf("statements %v: %d lines, and %d", terms, len(all[0]), len(all[1]))
		}
	}
}
