package daemon_test

import (
	"fmt"
	"maps"
	"net/http"
	"sync"
	"testing"
	"time"

	"laundromat/seedlist"
)

// tally is a meter that adds up.
type tally struct {
	mu     sync.Mutex
	counts map[string]int64
}

func (m *tally) add(name string, n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.counts == nil {
		m.counts = map[string]int64{}
	}
	m.counts[name] += n
}

func (m *tally) Claimed(seedlist.State, int) {}
func (m *tally) Ended(stage seedlist.State, outcome, kind string, _ time.Duration) {
	m.add(fmt.Sprint(stage, " ", outcome, " ", kind), 1)
}
func (m *tally) Fetched(bytes int64)                          { m.add("bytes", bytes) }
func (m *tally) Paused(stage seedlist.State, _ time.Duration) { m.add(fmt.Sprint(stage, " pause"), 1) }

func (m *tally) now() map[string]int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.counts)
}

// Each stage of each document is counted once: of what is washed at once after its download, of what has claims of its
// own, and of what fails.
func TestEachStageOfADocumentIsCountedOnce(t *testing.T) {
	long := nt("long")
	for len(long) < 100<<10 { // too long for all stages at once
		long += nt(fmt.Sprint("s", len(long)))
	}
	for _, row := range []struct {
		name string
		body string
		want map[string]int64
	}{
		{"a small document", nt("one"), map[string]int64{
			"downloading done ": 1, "unarchiving done ": 1, "guessing done ": 1, "parsing done ": 1,
		}},
		{"a long document", long, map[string]int64{
			"downloading done ": 1, "unarchiving done ": 1, "guessing done ": 1, "parsing done ": 1,
		}},
		{"no data", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", map[string]int64{
			"downloading done ": 1, "unarchiving done ": 1, "guessing failed data": 1,
		}},
		{"not there", "404", map[string]int64{"downloading failed refused": 1}},
		{"an archive", string(zipOf(t, "a.nt", nt("a"), "b.nt", nt("b"))), map[string]int64{
			"downloading done ": 1, "unarchiving done ": 3, "guessing done ": 2, "parsing done ": 2,
		}},
		{"a server that fails at first", "503", map[string]int64{
			"downloading retried remote": 2, "downloading failed remote": 1,
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			w.fetch.IgnoreRobots = true
			p := w.page("/x", []byte(row.body))
			var bytes int64
			switch row.body {
			case "404":
				p.set(http.StatusNotFound, nil)
			case "503":
				p.set(http.StatusServiceUnavailable, nil)
			default:
				bytes = int64(len(row.body))
			}
			meter := &tally{}
			w.opt.Meter = meter
			w.add("/x")
			w.run()
			got := meter.now()
			if got["bytes"] != bytes {
				t.Errorf("%d bytes, want %d", got["bytes"], bytes)
			}
			delete(got, "bytes")
			if !maps.Equal(got, row.want) {
				t.Errorf("%v, want %v", got, row.want)
			}
		})
	}
}
