package main

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/postgres"
	"laundromat/seedlist/postgres/pgtest"
	"laundromat/web"
)

// Lists and statistics come from the replica, which says how far it is. Where it is away, that is said.
func TestListsComeFromAReplica(t *testing.T) {
	primary, blobs := database(t), bucketOf(t)
	seeds, data := mixedSite(t), filepath.Join(t.TempDir(), "data")
	shared := []string{"--store", primary.Address, "--blobs", blobs}
	output(t, serving(data, append(shared, "--until-idle", "--seeds", seeds)...)...)
	replica, err := primary.Replica(pgtest.Folder(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(replica.Stop)

	api := "http://" + startDaemon(t, data, "--role", "api", "--store-read", replica.Address)
	awaitAnswer(t, api+"/readyz", func(status int, _ string) bool { return status == http.StatusOK })
	for _, path := range []string{"/api/v1/seeds", "/api/v1/seeds?sort=-size", "/api/v1/counts?by=state", "/api/v1/stats"} {
		awaitAnswer(t, api+path, func(status int, text string) bool {
			return status == http.StatusOK && strings.Contains(text, `"replica":true`) && strings.Contains(text, `"parsed"`)
		})
	}
	if page := bodyAt(t, api+"/seeds"); !strings.Contains(page, "from a replica") {
		t.Error("a page does not say that it comes from a replica")
	}

	replica.Stop()
	for _, path := range []string{"/api/v1/seeds", "/api/v1/seeds?sort=-size", "/api/v1/counts?by=state", "/api/v1/stats", "/seeds"} {
		awaitAnswer(t, api+path, func(status int, text string) bool {
			return status == http.StatusServiceUnavailable && strings.Contains(text, "--store-read")
		})
	}
	list, err := postgres.Open(t.Context(), primary.Address, seedlist.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	if _, err := list.Add(t.Context(), []seedlist.NewSeed{{URI: "http://h.example/new"}}); err != nil {
		t.Fatal(err)
	}
	awaitAnswer(t, api+"/api/v1/seeds/"+seedlist.Key("http://h.example/new"),
		func(status int, _ string) bool { return status == http.StatusOK })

	if err := replica.Again(); err != nil {
		t.Fatal(err)
	}
	awaitAnswer(t, api+"/api/v1/stats", func(status int, text string) bool {
		var stats web.Stats
		return status == http.StatusOK && json.Unmarshal([]byte(text), &stats) == nil && stats.States[seedlist.Added] > 0 &&
			stats.AsOf != nil && stats.AsOf.Behind == 0
	})
}
