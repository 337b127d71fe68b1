package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"laundromat/storage"
)

// stableLists are lists, sums and counts of documents that rest, in a store that [populated] made.
var stableLists = []string{
	"/publishers?by=host&find=host", "/publishers/host?value=host0.example", "/publishers/host?value=host3.example",
	"/compare?by=host&value=host2.example", "/compare?by=host&value=host4.example&since=2020-01-01",
	"/seeds?host=host1.example&sort=-size", "/seeds?host=host1.example&notice=iri/space&sort=statements",
	"/seeds?source=list+7&sort=-dropped", "/seeds?turn=broken&host=host5.example", "/seeds?score=syntax%21&host=host6.example&limit=3",
	"/seeds?host=host4.example&state=failed",
}

// listsOf asks for the lists, and returns them without what says how far they have come. The result whole is false
// while they are being made.
func listsOf(t *testing.T, api string) (all []string, revision float64, whole bool) {
	for _, path := range stableLists {
		reply, err := http.Get(api + path)
		if err != nil {
			return nil, 0, false // the daemon has ended
		}
		var answer map[string]any
		err = json.NewDecoder(reply.Body).Decode(&answer)
		reply.Body.Close()
		if reply.StatusCode == http.StatusServiceUnavailable {
			return nil, 0, false
		}
		if err != nil || reply.StatusCode != http.StatusOK {
			t.Errorf("%s: %s %v %v", path, reply.Status, answer, err)
			return nil, 0, false
		}
		asOf, _ := answer["as_of"].(map[string]any)
		if asOf["building"] == true {
			return nil, 0, false
		}
		revision, _ = asOf["revision"].(float64)
		for _, name := range []string{"as_of", "note", "removed_since"} {
			delete(answer, name)
		}
		text, err := json.Marshal(answer)
		if err != nil {
			t.Error(err)
		}
		all = append(all, path+" "+string(text))
	}
	return all, revision, true
}

// Where views.db is deleted while lists are asked for and seeds are washed, every answer is what it was before, but for
// how far the lists have come: in the daemon that is at work, after it was ended, and after it was killed.
func TestListsDeletedUnderLoadAnswerAsBefore(t *testing.T) {
	web := startDirtyWeb(t)
	data := filepath.Join(t.TempDir(), "data")
	populated(t, data, 200)
	token := strings.TrimSpace(output(t, "token", "add", "alice", "--scope", "add", "--data", data))
	var daemon *exec.Cmd
	api := ""
	start := func() {
		t.Helper()
		address := filepath.Join(data, storage.AddressFile)
		os.Remove(address) // of one that was killed
		daemon = process(t, t.TempDir(), "serve", "-q", "--listen", "127.0.0.1:0", "--data", data, "--allow-private", "--ignore-robots",
			"--host-delay", "0s", "--host-connections", "4", "--tries", "1")
		if err := daemon.Start(); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(6 * longestStop); ; time.Sleep(5 * time.Millisecond) {
			if text, _ := os.ReadFile(address); len(text) > 0 {
				api = "http://" + strings.TrimSpace(string(text)) + "/api/v1"
				return
			}
			if time.Now().After(end) {
				t.Fatal("no address was written")
			}
		}
	}
	var added, asked atomic.Int64
	add := func(api string) error { // some seeds more
		var seeds []string
		for range 5 {
			seeds = append(seeds, fmt.Sprintf(`{"uri":"%s/fresh%d.nt"}`, web.URL, added.Add(1)))
		}
		request, err := http.NewRequest(http.MethodPost, api+"/seeds", strings.NewReader(`{"seeds":[`+strings.Join(seeds, ",")+`]}`))
		if err != nil {
			return err
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Authorization", "Bearer "+token)
		reply, err := http.DefaultClient.Do(request)
		if err == nil {
			reply.Body.Close()
		}
		if err == nil && reply.StatusCode != http.StatusOK {
			err = fmt.Errorf("adding: %s", reply.Status)
		}
		return err
	}
	// whole asks until the lists are made, and answers what they say.
	whole := func() (all []string) {
		t.Helper()
		for end := time.Now().Add(6 * longestStop); ; time.Sleep(20 * time.Millisecond) {
			if all, _, isWhole := listsOf(t, api); isWhole {
				return all
			}
			if time.Now().After(end) {
				t.Fatal("the lists were not made")
			}
		}
	}
	same := func(when string, before, after []string) {
		for i := range after {
			if before[i] != after[i] {
				t.Errorf("%s: before\n%s\nafter\n%s", when, before[i], after[i])
			}
		}
	}
	// load asks and adds until it is stopped.
	load := func(before []string) (stop func()) {
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		api := api
		for range 3 {
			all.Go(func() {
				for last := 0.0; ctx.Err() == nil; {
					answers, revision, isWhole := listsOf(t, api)
					if !isWhole {
						continue
					}
					if same("under load", before, answers); revision < last {
						t.Errorf("the lists had come to %v, and have come to %v", last, revision)
					}
					last = revision
					asked.Add(1)
				}
			})
		}
		all.Go(func() {
			for ctx.Err() == nil {
				add(api) // which fails once the daemon ends
				time.Sleep(10 * time.Millisecond)
			}
		})
		return func() { cancel(); all.Wait() }
	}
	remove := func() {
		t.Helper()
		if err := os.Remove(filepath.Join(data, "views.db")); err != nil {
			t.Error(err)
		}
	}
	start()
	defer func() { daemon.Process.Kill(); daemon.Wait() }()
	before := whole()
	for _, end := range []os.Signal{syscall.SIGINT, syscall.SIGKILL} {
		stop := load(before)
		remove()
		already := asked.Load()
		// What comes after is followed, though the file is gone.
		if err := add(api); err != nil {
			t.Fatal(err)
		}
		host := strings.TrimPrefix(web.URL, "http://")
		awaitAnswer(t, api+"/seeds?sort=-size&state=parsed&limit=1000&host="+host, func(status int, text string) bool {
			return status == http.StatusOK && strings.Contains(text, "/fresh")
		})
		same("while the file was gone", before, whole())
		for until := time.Now().Add(6 * longestStop); asked.Load() < already+6 && time.Now().Before(until); {
			time.Sleep(5 * time.Millisecond)
		}
		if asked.Load() < already+6 {
			t.Error("nobody was answered while the file was gone")
		}
		daemon.Process.Signal(end)
		waitFor(t, daemon, 6*longestStop)
		stop()
		start()
		same(fmt.Sprint("after ", end), before, whole())
	}
}
