package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"laundromat/seedlist"
)

// Of writes that know the same record, one alone is done: the others come to another record.
func TestOfWritesWithOneTagOneIsDone(t *testing.T) {
	h := newHouse(t, true)
	if _, err := h.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: "http://a.example/"}}); err != nil {
		t.Fatal(err)
	}
	path := "/api/v1/seeds/" + seedlist.Key("http://a.example/")
	reply, _ := h.ask("GET", path, "")
	tag := reply.Header.Get("ETag")
	var done, refused atomic.Int64
	var all sync.WaitGroup
	for n := range 20 {
		all.Go(func() {
			switch reply, text := h.ask("PATCH", path, fmt.Sprintf(`{"interval":%d}`, 1000+n), "If-Match", tag); reply.StatusCode {
			case 200:
				done.Add(1)
			case 412:
				refused.Add(1)
			default:
				t.Errorf("%s %s", reply.Status, text)
			}
		})
	}
	all.Wait()
	if done.Load() != 1 || refused.Load() != 19 {
		t.Errorf("%d done, %d refused", done.Load(), refused.Load())
	}
}

func TestSettingsOfASeedAreChanged(t *testing.T) {
	h := newHouse(t, true)
	seed := h.washed("http://a.example/", "dirty", "clean\n")
	path := "/api/v1/seeds/" + seed.Hash
	reply, text := h.ask("PATCH", path, `{"priority":4,"interval":60,"keep_versions":3}`)
	var now seedlist.Seed
	if err := json.Unmarshal([]byte(text), &now); err != nil || now.Priority != 4 || *now.Interval != 60 || *now.KeepVersions != 3 ||
		now.Due.IsZero() {
		t.Errorf("%s %v %s", reply.Status, err, text)
	}
	for _, row := range []struct {
		path, body string
		status     int
	}{
		{path, `{}`, 422},
		{path, `{"priority":"high"}`, 422},
		{path, `{"state":"parsed"}`, 422},
		{path, `{"keep_versions":50}`, 422},
		{"/api/v1/seeds/" + strings.Repeat("0", 32), `{"priority":1}`, 404},
		{"/api/v1/seeds/" + now.Clean, `{"priority":1}`, 409},
		{path + "/retry", `{"force":true}`, 412},
	} {
		method, headers := "PATCH", []string{}
		if row.status == 412 {
			method, headers = "POST", []string{"If-Match", `"0"`}
		}
		if reply, text := h.ask(method, row.path, row.body, headers...); reply.StatusCode != row.status {
			t.Errorf("%s %s: %s %s", row.path, row.body, reply.Status, text)
		}
	}
	acted := h.acted("/api/v1/seeds/set", `{"filter":{"state":"parsed"},"set":{"priority":8}}`)
	if len(acted.Seeds) != 1 || acted.Seeds[0].Error != "" {
		t.Errorf("%+v", acted)
	}
	if now, _ := h.seeds.Seed(t.Context(), seed.Hash); now.Priority != 8 || *now.Interval != 60 {
		t.Errorf("%+v", now)
	}
}
