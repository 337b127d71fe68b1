package web_test

import (
	"strings"
	"testing"

	"laundromat/internal/files"
	"laundromat/seedlist"
)

// TestStatisticsAreCountedWhereNoneAreKept, and otherwise those that are kept are given.
func TestStatisticsAreCountedWhereNoneAreKept(t *testing.T) {
	h := newHouse(t, false)
	lines := "<http://a/s> <http://v/p> \"x\"@en .\n<http://a/s> <http://v/p> <http://b/o> .\n"
	seed := h.washed("http://a.example/", "dirty", lines)
	h.put(seed.Clean, files.Clean, lines, true)
	ask := func(want string) {
		t.Helper()
		for _, hash := range []string{seed.Hash, seed.Clean} {
			if reply, text := h.ask("GET", "/api/v1/seeds/"+hash+"/statistics", ""); !strings.Contains(text, want) {
				t.Errorf("%s %s, want %s", reply.Status, text, want)
			}
		}
	}
	ask(`"hosts":[{"name":"b","triples":1}]`)
	h.put(seed.Clean, files.Statistics, `{"statements":77}`, true)
	ask(`"statements":77`)

	other := h.washed("http://b.example/", "dirty", "one\n")
	h.put(other.Clean, files.Clean, "one\n", true)
	if reply, text := h.ask("GET", "/api/v1/seeds/"+other.Hash+"/statistics", ""); reply.StatusCode != 500 {
		t.Errorf("of a file that is no N-Quads: %s %s", reply.Status, text)
	}
	if reply, text := h.ask("GET", "/api/v1/seeds/"+seedlist.Key("http://c.example/")+"/statistics", ""); reply.StatusCode != 404 {
		t.Errorf("of a seed that isn't there: %s %s", reply.Status, text)
	}
}
