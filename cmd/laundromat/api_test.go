package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laundromat/internal/demo"
	"laundromat/seedlist"
	"laundromat/storage"
)

// TestPortOnlyReads asks a daemon over TCP. It shows what is there, refuses what would change the
// store, and answers what is wrong with a problem document.
func TestPortOnlyReads(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	output(t, "serve", "--demo", "--until-idle", "--listen", "127.0.0.1:0", "--data", data)
	base := "http://" + startDaemon(t, data)
	uri, err := seedlist.ParseURI("http://" + demo.Host + "/clean.nt")
	if err != nil {
		t.Fatal(err)
	}
	seed := "/api/v1/seeds/" + uri.Hash()
	const jsonType, problemType = "application/json", "application/problem+json"
	for _, test := range []struct {
		method, path string
		status       int
		mediaType    string
		body         string // that the reply's contains
	}{
		{"GET", "/healthz", 200, jsonType, `"ok"`},
		{"GET", "/api/v1/stats", 200, jsonType, `"parsed":24`},
		{"GET", "/api/v1/seeds?state=parsed&limit=1", 200, jsonType, `"next"`},
		{"GET", "/api/v1/seeds?state=asleep", 422, problemType, "asleep"},
		{"GET", "/api/v1/seeds?limit=0", 422, problemType, "limit"},
		{"GET", seed, 200, jsonType, `"status":"parsed"`},
		{"GET", seed + "/attempts", 200, jsonType, `"parser_name"`},
		{"GET", seed + "/clean.nq.gz", 200, "application/gzip", "\x1f\x8b"},
		{"GET", seed + "/dirty", 200, "application/octet-stream", "The town library"},
		{"GET", seed + "/repairs", 404, problemType, "nothing in http://demo.laundromat.test/clean.nt was repaired"},
		{"GET", "/api/v1/seeds/" + seedlist.Key("http://"+demo.Host+"/dirty.nt") + "/repairs", 200, "text/x-diff", "\n--- http"},
		{"GET", seed + "/notices", 200, "application/x-ndjson", ""},
		{"GET", seed + "/notices?samples=x", 422, problemType, "samples"},
		{"GET", "/api/v1/seeds/00000000000000000000000000000000", 404, problemType, "no seed"},
		{"GET", "/api/v1/seeds/00000000000000000000000000000000/dirty", 404, problemType, "no seed"},
		{"GET", "/api/v1/catalogs", 200, jsonType, `"catalogs":[]`},
		{"GET", "/api/v1/catalogs?limit=0", 422, problemType, "limit"},
		{"GET", "/api/v1/catalogs/00000000000000000000000000000000", 404, problemType, "no catalog"},
		{"GET", "/api/v1/catalogs/00000000000000000000000000000000/seeds", 404, problemType, "no catalog"},
		{"GET", "/nowhere", 404, problemType, "nowhere"},
		{"DELETE", seed, 401, problemType, "token"},
		{"POST", "/api/v1/seeds", 401, problemType, "token"},
		{"POST", seed + "/retry", 401, problemType, "token"},
		{"POST", "/api/v1/catalogs", 401, problemType, "token"},
		{"DELETE", "/api/v1/catalogs/00000000000000000000000000000000", 401, problemType, "token"},
		{"POST", "/api/v1/catalogs/00000000000000000000000000000000/harvest", 401, problemType, "token"},
		{"GET", "/api/v1/verify", 404, problemType, ""},
	} {
		request, err := http.NewRequest(test.method, base+test.path, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", jsonType)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			t.Errorf("%s %s: %v", test.method, test.path, err)
		}
		if response.StatusCode != test.status || test.mediaType != "" && response.Header.Get("Content-Type") != test.mediaType ||
			!strings.Contains(string(body), test.body) {
			t.Errorf("%s %s: %d %s %.300s\nwant %d %s %s", test.method, test.path, response.StatusCode, response.Header.Get("Content-Type"),
				body, test.status, test.mediaType, test.body)
		}
	}
	if seeds := output(t, "stats", "--data", data, "--json"); !strings.Contains(seeds, `"seeds":51`) {
		t.Errorf("the store changed: %s", seeds)
	}
}

// startDaemon starts a daemon that ends with the test, and returns its address.
func startDaemon(t *testing.T, data string, flags ...string) (address string) {
	t.Helper()
	daemon := process(t, t.TempDir(), append([]string{"serve", "-q", "--listen", "127.0.0.1:0", "--data", data}, flags...)...)
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		daemon.Process.Signal(os.Interrupt)
		waitFor(t, daemon, longestStop)
	})
	for end := time.Now().Add(longestStop); address == ""; time.Sleep(5 * time.Millisecond) {
		text, _ := os.ReadFile(filepath.Join(data, storage.AddressFile))
		address = strings.TrimSpace(string(text))
		if time.Now().After(end) {
			t.Fatal("no address was written")
		}
	}
	return address
}
