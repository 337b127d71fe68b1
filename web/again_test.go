package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"laundromat/seedlist"
	"laundromat/web"
)

// acted sends a request for many seeds and returns the answers.
func (h *house) acted(path, body string) (reply web.Acted) {
	h.t.Helper()
	response, text := h.ask("POST", path, body)
	if err := json.Unmarshal([]byte(text), &reply); err != nil || response.StatusCode != 200 {
		h.t.Fatalf("%s %s: %s %s", path, body, response.Status, text)
	}
	return reply
}

func TestManySeedsAreActedOnAPageAtATime(t *testing.T) {
	h := newHouse(t, true)
	for n := range 5 {
		h.washed(fmt.Sprint("http://example.org/", n), fmt.Sprint("dirty", n), fmt.Sprint("clean", n, "\n"))
	}
	if _, err := h.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: "../relative"}}); err != nil {
		t.Fatal(err)
	}
	pages, marked, cursor := 0, 0, ""
	for more := true; more; more = cursor != "" {
		reply := h.acted("/api/v1/seeds/rewash", fmt.Sprintf(`{"filter":{"source":"test"},"limit":2,"cursor":%q,"dry_run":true}`, cursor))
		if !reply.DryRun {
			t.Errorf("%+v", reply)
		}
		for _, one := range reply.Seeds {
			if one.Error != "" || one.Begins != seedlist.Filed || !strings.HasPrefix(one.URI, "http://example.org/") {
				t.Errorf("%+v", one)
			}
			marked++
		}
		pages, cursor = pages+1, reply.Next
	}
	if marked != 5 || pages != 3 {
		t.Errorf("%d seeds in %d pages", marked, pages)
	}
	if c, _ := h.seeds.Counts(t.Context()); c.States[seedlist.Parsed] != 5 {
		t.Errorf("a dry run changed %+v", c.States)
	}
	first := seedlist.Key("http://example.org/0")
	reply := h.acted("/api/v1/seeds/retry", `{"force":true,"hashes":["`+first+`","`+strings.Repeat("0", 32)+`","`+
		seedlist.Key("../relative")+`"]}`)
	why := map[string]string{}
	for _, one := range reply.Seeds {
		why[one.Hash] = string(one.Begins) + one.Error
	}
	if why[first] != "added" || why[strings.Repeat("0", 32)] != seedlist.ErrNotFound.Error() ||
		why[seedlist.Key("../relative")] != seedlist.ErrNoURI.Error() {
		t.Errorf("%+v", why)
	}
	// Clean files go with what they were washed from, unless they are meant.
	if reply := h.acted("/api/v1/seeds/remove", `{"filter":{"format":"N-Quads"}}`); len(reply.Seeds) != 0 {
		t.Errorf("%+v", reply)
	}
	if reply := h.acted("/api/v1/seeds/remove", `{"filter":{"state":"cleaned"}}`); len(reply.Seeds) != 5 ||
		reply.Seeds[0].Error != seedlist.ErrDerived.Error() {
		t.Errorf("%+v", reply)
	}
	if reply := h.acted("/api/v1/seeds/remove", `{"filter":{}}`); len(reply.Seeds) != 6 || !reply.Seeds[5].Removed {
		t.Errorf("%+v", reply)
	}
	if c, _ := h.seeds.Counts(t.Context()); c.Seeds != 0 {
		t.Errorf("%d are left", c.Seeds)
	}
}

func TestSelectionsThatMakeNoSenseAreRefused(t *testing.T) {
	h := newHouse(t, true)
	h.washed("http://example.org/x", "dirty", "clean\n")
	for body, want := range map[string]string{
		`{}`: "either hashes or a filter", `{"hashes":["` + strings.Repeat("0", 32) + `"],"filter":{}}`: "either hashes or a filter",
		`{"filter":{"state":"parsd"}}`:             "did you mean parsed?",
		`{"filter":{"notice":"iri/spcae"}}`:        "did you mean iri/space?",
		`{"filter":{"host":"http://example.org"}}`: "did you mean example.org?",
		`{"filter":{"washer":"2.0"}}`:              "no seed was washed by the version 2.0",
		`{"filter":{"hots":"example.org"}}`:        "unexpected property",
		`{"filter":{},"force":true}`:               "unexpected property",
	} {
		if reply, text := h.ask("POST", "/api/v1/seeds/rewash", body); reply.StatusCode != 422 || !strings.Contains(text, want) {
			t.Errorf("%s: %s %s, want %s", body, reply.Status, text, want)
		}
	}
	if reply, text := h.ask("POST", "/api/v1/seeds/retry", `{"filter":{},"force":true,"from":"parsing"}`); reply.StatusCode != 422 {
		t.Errorf("%s %s", reply.Status, text)
	}
	read := newHouse(t, false)
	for _, path := range []string{"/api/v1/seeds/rewash", "/api/v1/seeds/retry", "/api/v1/seeds/remove", "/api/v1/verify/repair"} {
		if reply, text := read.ask("POST", path, `{"filter":{}}`); reply.StatusCode != 404 && reply.StatusCode != 405 {
			t.Errorf("%s, where it only reads: %s %s", path, reply.Status, text)
		}
	}
}
