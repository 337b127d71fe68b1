//go:build unix

package daemon_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"laundromat/internal/commands"
	"laundromat/seedlist"
)

// quiet is a log of commands that keeps nothing.
type quiet struct{}

func (quiet) Ended(commands.Event, commands.Run) {}
func (quiet) Unreported(commands.Event, int64)   {}

// items are those that the commands of an event read.
func items(t *testing.T, dir string, event commands.Event) (all []map[string]any) {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, string(event)))
	if err != nil {
		return nil
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var report struct {
			Event    commands.Event
			Happened int
			Items    []map[string]any
		}
		if err := json.Unmarshal(lines.Bytes(), &report); err != nil || report.Event != event || report.Happened != len(report.Items) {
			t.Fatalf("%v: %s", err, lines.Text())
		}
		all = append(all, report.Items...)
	}
	return all
}

// Each event has a command run, with the keys that are documented.
func TestWhatHappensIsReported(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	dir := t.TempDir()
	events := commands.New(quiet{})
	var list []commands.Command
	for _, e := range commands.Events() {
		list = append(list, commands.Command{Event: e, Line: "cat >> " + filepath.Join(dir, string(e))})
	}
	events.Set(list, 10*time.Second)
	w.opt.Events, w.opt.Retries.Tries, w.fetch.IgnoreRobots = events, 1, true
	w.opt.ProbeEvery = 50 * time.Millisecond
	a := w.page("/a.nt", []byte(nt("one")))
	b := w.page("/b.nt", []byte(nt("same")))
	w.page("/none.txt", nil).set(404, nil)
	w.add("/a.nt", "/b.nt")
	w.run()
	if got := items(t, dir, commands.Changed); got != nil {
		t.Errorf("a first wash changed something: %v", got)
	}
	a.set(200, []byte(nt("one")+nt("two")))
	b.set(200, []byte(nt("same")+nt("same")))
	w.retry("/a.nt", "/b.nt")
	catalog := w.catalog("/none.txt", seedlist.CatalogSettings{Interval: 3600})
	w.run()
	temp := filepath.Join(w.dir, "blobs", "temp")
	if err := os.Rename(temp, temp+"-away"); err != nil {
		t.Fatal(err)
	}
	a.set(404, []byte("none"))
	b.set(404, []byte("none"))
	w.retry("/a.nt", "/b.nt")
	stop := w.start()
	w.await("a pause", func() bool { return strings.Contains(w.log.String(), "pausing") })
	if err := os.Rename(temp+"-away", temp); err != nil {
		t.Fatal(err)
	}
	w.await("the host to turn", func() bool { return w.hostNow().Turned != nil })
	w.await("the rest", func() bool { return len(items(t, dir, commands.Idle)) > 2 })
	stop()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	events.Close(ctx)

	keys := map[commands.Event][]string{
		commands.Failed:  {"code", "kind", "message", "seed", "stage", "uri"},
		commands.Changed: {"added", "from", "removed", "seed", "to", "uri"},
		commands.Paused:  {"code", "message", "part", "since"},
		commands.Turned:  {"asked", "documents", "host", "since"},
		commands.Catalog: {"catalog", "code", "entries", "message", "uri"},
		commands.Idle:    {"done"},
	}
	for event, want := range keys {
		got := items(t, dir, event)
		if len(got) == 0 {
			t.Errorf("%s: no command was run", event)
		}
		for _, item := range got {
			var has []string
			for key := range item {
				has = append(has, key)
			}
			if slices.Sort(has); !slices.Equal(has, want) {
				t.Errorf("%s: %v", event, item)
			}
		}
	}
	got := items(t, dir, commands.Changed)
	if len(got) != 1 || got[0]["uri"] != w.uri("/a.nt") || got[0]["added"] != 1.0 || got[0]["removed"] != 0.0 {
		t.Errorf("changed: %v", got)
	}
	for _, item := range items(t, dir, commands.Failed) {
		if item["stage"] != "downloading" || item["code"] != "http/status" || item["kind"] != "refused" {
			t.Errorf("failed: %v", item)
		}
	}
	if n := len(items(t, dir, commands.Failed)); n != 2 {
		t.Errorf("%d failures", n)
	}
	if got := items(t, dir, commands.Catalog); len(got) != 1 || got[0]["catalog"] != catalog.Hash || got[0]["code"] != "http/status" {
		t.Errorf("catalog: %v", got)
	}
	if n := len(items(t, dir, commands.Turned)); n != 1 {
		t.Errorf("the host turned %d times", n)
	}
	if n := len(items(t, dir, commands.Paused)); n != 1 {
		t.Errorf("%d pauses", n)
	}
}
