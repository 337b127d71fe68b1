package daemon_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"laundromat/seedlist"
)

// levels are how many lines the log has of each level.
func levels(t *testing.T, w *world) map[string]int {
	t.Helper()
	n := map[string]int{}
	for line := range strings.Lines(w.log.String()) {
		var one struct{ Level string }
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		n[one.Level]++
	}
	return n
}

// A document that is not there is no work for an operator. A short disk is one error for all stages, and a host that
// turned is one warning for all its documents.
func TestTheLogSaysOnceWhatAnOperatorMustKnow(t *testing.T) {
	t.Run("not found", func(t *testing.T) {
		w := newWorld(t, seedlist.Options{})
		w.add("/none.nt", "/neither.nt")
		w.run()
		if n := levels(t, w); n["error"]+n["warn"] > 0 || n["info"] < 2 {
			t.Errorf("%v: %s", n, w.log.String())
		}
	})
	t.Run("a short disk", func(t *testing.T) {
		w := newWorld(t, seedlist.Options{})
		w.page("/x.nt", []byte(nt("one")))
		w.files.KeepFree(1 << 62)
		if w.files.Short() == nil {
			t.Skip("what is free is not known here")
		}
		w.opt.ProbeEvery = 20 * time.Millisecond
		w.add("/x.nt")
		stop := w.start()
		w.await("a pause", func() bool { return strings.Contains(w.log.String(), "to be kept free") })
		time.Sleep(300 * time.Millisecond)
		w.files.KeepFree(0)
		w.await("room", func() bool { return w.seed("/x.nt").Status == seedlist.Parsed })
		stop()
		if n := levels(t, w); n["error"] != 1 || n["warn"] > 0 {
			t.Errorf("%v: %s", n, w.log.String())
		}
	})
	t.Run("a host that turned", func(t *testing.T) {
		w := newWorld(t, seedlist.Options{})
		w.fetch.IgnoreRobots = true
		var paths []string
		var pages []*page
		for i := range 5 {
			paths = append(paths, fmt.Sprint("/", i))
			pages = append(pages, w.page(paths[i], []byte(nt(fmt.Sprint("good", i)))))
		}
		w.add(paths...)
		w.run()
		for _, p := range pages {
			p.set(200, []byte(loginPage))
		}
		w.retry(paths...)
		w.run()
		if n := levels(t, w); n["error"] > 0 || n["warn"] != 1 || w.hostNow().Turned == nil {
			t.Errorf("%v: %s", n, w.log.String())
		}
	})
}
