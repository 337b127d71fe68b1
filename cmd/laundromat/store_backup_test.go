package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"laundromat/internal/files/blobtest"
	"laundromat/seedlist"
	"laundromat/seedlist/postgres/pgtest"
)

// changingSite gives out documents that are others every few requests, so that a daemon that fetches them again each
// second always writes, replaces and removes files.
func changingSite(t *testing.T, n int) (seeds string, asked *atomic.Int64) {
	t.Helper()
	asked = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/n-triples")
		fmt.Fprintf(w, "<http://e%s> <http://e/p> \"%d\" .\n<http://e%[1]s> <http://e/p> \"broken .\n", r.URL.Path, asked.Add(1)/3)
	}))
	t.Cleanup(server.Close)
	return seedFile(t, server.URL, n), asked
}

// copyNew copies what is in a bucket and not in the copy, and removes nothing.
func copyNew(t *testing.T, from, to string) {
	t.Helper()
	if err := os.MkdirAll(to, 0o700); err != nil {
		t.Fatal(err)
	}
	// A file may go while it is copied, as an object does.
	out, err := exec.Command("cp", "-a", "-n", from+"/.", to).CombinedOutput()
	if err != nil && !strings.Contains(string(out), "No such file") {
		t.Fatalf("%v: %s", err, out)
	}
}

// TestADatabaseAndABucketAreRestoredToFit backs both up in either way that docs/scale.md has, while a daemon runs,
// destroys both, and restores them. The list and the files fit, and the daemon goes on.
func TestADatabaseAndABucketAreRestoredToFit(t *testing.T) {
	takesLong(t)
	for _, c := range []struct {
		name    string
		backUp  func(t *testing.T, data string, copyFiles, dump func())
		mayLack bool // what was replaced between the copies may be missing
	}{
		{"at rest", func(t *testing.T, data string, copyFiles, dump func()) {
			output(t, "drain", "--data", data)
			dump()
			copyFiles()
			output(t, "resume", "--data", data)
		}, false},
		{"at work", func(t *testing.T, data string, copyFiles, dump func()) {
			copyFiles()
			dump()
			copyFiles()
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			database, store := database(t), blobtest.Server(t, "laundry")
			if store.Buckets == "" {
				t.Skip("the object store keeps its buckets otherwise than in folders")
			}
			seeds, asked := changingSite(t, 40)
			flags := []string{"--store", database.Address, "--blobs", "s3://laundry/files?endpoint=" + store.Endpoint}
			data, dir := filepath.Join(t.TempDir(), "data"), pgtest.Folder(t)
			daemon := process(t, t.TempDir(), append(serving(data, "--seeds", seeds, "--interval", "1s", "--interval-min", "1s",
				"--interval-max", "1s"), flags...)...)
			if err := daemon.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { daemon.Process.Kill() })
			awaitAsked(t, asked, 200)

			bucket := filepath.Join(store.Buckets, "laundry")
			copied, dumped := filepath.Join(dir, "files"), filepath.Join(dir, "list.dump")
			c.backUp(t, data, func() { copyNew(t, bucket, copied) }, func() {
				if err := database.Dump(dumped); err != nil {
					t.Fatal(err)
				}
			})
			awaitAsked(t, asked, asked.Load()+200)
			daemon.Process.Kill()
			daemon.Wait()

			if err := database.Destroy(); err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{bucket, data} {
				if err := os.RemoveAll(path); err != nil {
					t.Fatal(err)
				}
			}
			if err := database.Load(dumped); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command("cp", "-a", copied, bucket).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}

			// A new data folder leads to both.
			startDaemon(t, data, append(flags, "--allow-private", "--ignore-robots", "--host-delay", "0s", "--host-connections", "64")...)
			said := verified(t, data)
			if !strings.Contains(said, " 0 damaged or missing") {
				if !c.mayLack {
					t.Fatalf("verify: %s", said)
				}
				process(t, t.TempDir(), "verify", "--repair", "--data", data).Run()
			}
			for end := time.Now().Add(5 * time.Minute); ; time.Sleep(300 * time.Millisecond) {
				said = verified(t, data)
				if strings.Contains(said, " 0 damaged or missing") {
					break
				}
				if time.Now().After(end) {
					t.Fatalf("verify, after --repair: %s", said)
				}
			}
			output(t, "resume", "--data", data) // one that was drained was saved so
			before := asked.Load()
			output(t, "seed", "retry", "--force", "--state", "washed", "-q", "--data", data)
			awaitAsked(t, asked, before+40)
			for _, seed := range seedsOf(t, data) {
				if seed.URI != "" && seed.Status != seedlist.Parsed && seed.Status.IsFinal() {
					t.Errorf("%s: %s, %+v", seed.URI, seed.Status, seed.Error)
				}
			}
		})
	}
}

func verified(t *testing.T, data string) string {
	t.Helper()
	said, err := process(t, t.TempDir(), "verify", "--data", data).CombinedOutput()
	if !bytes.Contains(said, []byte("damaged or missing")) {
		t.Fatalf("verify: %v: %s", err, said)
	}
	return string(said)
}

// awaitAsked waits until a site was asked so often.
func awaitAsked(t *testing.T, asked *atomic.Int64, n int64) {
	t.Helper()
	for end := time.Now().Add(time.Minute); asked.Load() < n; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d requests, and %d are awaited", asked.Load(), n)
		}
	}
}
