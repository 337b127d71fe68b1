package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"laundromat/internal/files/blobtest"
	"laundromat/seedlist"
	"laundromat/seedlist/postgres"
	"laundromat/web"
)

// answerAt is the status and the body at an address.
func answerAt(t *testing.T, at string) (int, string) {
	t.Helper()
	reply, err := http.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply.StatusCode, string(text)
}

// awaitAnswer asks until an answer is as wanted.
func awaitAnswer(t *testing.T, at string, want func(status int, text string) bool) string {
	t.Helper()
	for end := time.Now().Add(longestStop); ; time.Sleep(50 * time.Millisecond) {
		status, text := answerAt(t, at)
		if want(status, text) {
			return text
		}
		if time.Now().After(end) {
			t.Fatalf("%s: %d %s", at, status, text)
		}
	}
}

// bucketOf is the address of an empty bucket.
func bucketOf(t *testing.T) string {
	t.Helper()
	store := blobtest.Server(t, "laundry")
	return "s3://laundry?endpoint=" + store.Endpoint
}

// One process serves and works on nothing, two work and serve nothing, and what comes out is what one daemon makes.
func TestRolesMakeTogetherWhatOneDaemonMakes(t *testing.T) {
	server, blobs := database(t), bucketOf(t)
	seeds, folder := mixedSite(t), filepath.Join(t.TempDir(), "data")
	output(t, serving(folder, "--until-idle", "--seeds", seeds)...)
	want := len(seedsOf(t, folder))

	shared := []string{"--store", server.Address, "--blobs", blobs, "--allow-private", "--ignore-robots", "--host-connections", "64",
		"--host-delay", "0s"}
	apiFolder := filepath.Join(t.TempDir(), "api")
	api := "http://" + startDaemon(t, apiFolder, append(shared, "--role", "api", "--seeds", seeds)...)
	awaitAnswer(t, api+"/readyz", func(status int, _ string) bool { return status == http.StatusOK })
	// It answers before its list of seeds is added.
	awaitAnswer(t, api+"/api/v1/stats", func(_ int, text string) bool {
		var counts web.Stats
		if err := json.Unmarshal([]byte(text), &counts); err != nil || counts.States[seedlist.Parsed] > 0 {
			t.Fatalf("before there is a worker: %s %v", text, err)
		}
		return counts.States[seedlist.Added] > 0
	})
	var workers []string
	for _, name := range []string{"a", "b"} {
		worker := "http://" + startDaemon(t, filepath.Join(t.TempDir(), name), append(shared, "--role", "worker")...)
		awaitAnswer(t, worker+"/readyz", func(status int, _ string) bool { return status == http.StatusOK })
		for path, status := range map[string]int{"/healthz": 200, "/metrics": 200, "/": 404, "/api/v1/stats": 404, "/api/v1/seeds": 404} {
			if got, text := answerAt(t, worker+path); got != status || status == 404 && !strings.Contains(text, "--role api") {
				t.Errorf("a worker answers %s with %d %s", path, got, text)
			}
		}
		workers = append(workers, worker)
	}
	awaitAnswer(t, api+"/api/v1/stats", func(_ int, text string) bool {
		var c web.Stats
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			t.Fatal(err)
		}
		return c.Seeds == int64(want) && c.States[seedlist.Parsed] > 0 &&
			!slices.ContainsFunc(seedlist.States(), func(s seedlist.State) bool {
				return !s.IsFinal() && s != seedlist.Cleaned &&
					c.States[s] > 0
			})
	})
	// Lists, orders and counts come from the database: the folder of the process that serves them holds none.
	// It holds the words of the search.
	page := awaitAnswer(t, api+"/api/v1/counts?by=state", func(_ int, text string) bool { return strings.Contains(text, "parsed") })
	if !strings.Contains(page, `"as_of"`) {
		t.Error(page)
	}
	bodyAt(t, api+"/api/v1/seeds?sort=-size")
	bodyAt(t, api+"/seeds?state=parsed")
	if left, _ := filepath.Glob(filepath.Join(apiFolder, "*.db")); len(left) != 1 || filepath.Base(left[0]) != "search.db" {
		t.Errorf("the folder holds %v, not the words of the search alone", left)
	}
	awaitAnswer(t, api+"/api/v1/search?q=http", func(_ int, text string) bool { return strings.Contains(text, `"field":"property"`) })
	wantFiles(t, filesOf(t, apiFolder), filesOf(t, folder))
	if len(workers) != 2 {
		t.Fatal(workers)
	}
}

// A worker that is stopped in the midst gives back what it holds at once.
func TestAWorkerThatStopsGivesBackWhatItHolds(t *testing.T) {
	server, blobs := database(t), bucketOf(t)
	asked := make(chan struct{}, 1000)
	site := slowSite(t, asked)
	name := filepath.Join(t.TempDir(), "seeds.txt")
	if err := os.WriteFile(name, []byte(site+"/1\n"+site+"/2\n"+site+"/3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(t.TempDir(), "data")
	worker := process(t, t.TempDir(), serving(data, "--role", "worker", "--seeds", name, "--store", server.Address, "--blobs", blobs)...)
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	worker.Process.Signal(os.Interrupt)
	waitFor(t, worker, longestStop)
	list, err := postgres.Open(t.Context(), server.Address, seedlist.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	counts, err := list.Counts(t.Context())
	if err != nil || counts.States[seedlist.Added] != 3 || counts.States[seedlist.Downloading] != 0 {
		t.Errorf("%+v %v", counts.States, err)
	}
}

// slowSite is a server that answers nothing until the test ends.
func slowSite(t *testing.T, asked chan<- struct{}) string {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(site.Close)
	return site.URL
}

// A part of the work is refused where no other process could do the rest.
func TestARoleThatCannotBeIsRefused(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	output(t, "serve", "--demo", "--until-idle", "-q", "--listen", "127.0.0.1:0", "--data", data)
	for _, row := range []struct {
		args []string
		want string
	}{
		{[]string{"--data", data, "--role", "api"}, "which one process works on alone"},
		{[]string{"--data", data, "--role", "worker"}, "which one process works on alone"},
		{[]string{"--data", filepath.Join(t.TempDir(), "new"), "--role", "worker"}, "which one process works on alone"},
		{[]string{"--data", filepath.Join(t.TempDir(), "new"), "--role", "api", "--store", "postgres://h/db"}, "--blobs s3://"},
		{[]string{"--data", data, "--role", "boss"}, "api"},
		{[]string{"--data", data, "--role", "api", "--until-idle"}, "never idle"},
	} {
		said, err := process(t, t.TempDir(), append([]string{"serve", "-q", "--listen", "127.0.0.1:0"}, row.args...)...).CombinedOutput()
		if code := exitCodeOf(t, err); code != exitUsage || !strings.Contains(string(said), row.want) {
			t.Errorf("%v: exit %d: %s", row.args, code, said)
		}
	}
}

// What a process waits for is said to monitors, each thing by its name.
func TestReadinessSaysWhatIsWaitedFor(t *testing.T) {
	server := database(t)
	store := blobtest.Server(t, "laundry")
	target, err := url.Parse(store.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	var isAway atomic.Bool
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Host = r.In.Host }}
	door := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isAway.Load() {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(door.Close)
	shared := []string{"--store", server.Address, "--blobs", "s3://laundry?endpoint=" + door.URL}
	for _, role := range []string{"api", "worker"} {
		at := "http://" + startDaemon(t, filepath.Join(t.TempDir(), "data"), append(shared, "--role", role)...) + "/readyz"
		isReady := func(status int, text string) bool {
			return status == http.StatusOK && strings.Contains(text, `"ready"`)
		}
		awaitAnswer(t, at, isReady)
		isAway.Store(true)
		awaitAnswer(t, at, func(status int, text string) bool {
			return status == http.StatusServiceUnavailable && strings.Contains(text, `"part":"bucket"`) &&
				strings.Contains(text, "local/bucket")
		})
		isAway.Store(false)
		awaitAnswer(t, at, isReady)
		server.Stop()
		awaitAnswer(t, at, func(status int, text string) bool {
			return status == http.StatusServiceUnavailable && strings.Contains(text, `"part":"store"`)
		})
		if err := server.Again(); err != nil {
			t.Fatal(err)
		}
		awaitAnswer(t, at, isReady)
	}
}
