//go:build unix

package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"laundromat/seedlist"
)

// A reader of the log that goes, or stays and does not read, costs lines of the log. The daemon does
// all of its work, and ends.
func TestALogThatNobodyReadsCostsNothingElse(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(manyDocuments))
	defer server.Close()
	seeds := seedFile(t, server.URL, 300)
	for _, c := range []struct {
		name string
		read func(*os.File)
	}{
		{"gone", func(reader *os.File) { reader.Close() }},
		{"does not read", func(*os.File) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			reader, writer, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer reader.Close()
			data := filepath.Join(t.TempDir(), "data")
			args := serving(data, "--until-idle", "--seeds", seeds)
			command := process(t, t.TempDir(), append(args, "-q=false", "-v")...)
			command.Stderr = writer
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			writer.Close()
			c.read(reader)
			if code := waitFor(t, command, time.Minute); code != 0 {
				t.Errorf("exit code %d", code)
			}
			done := 0
			for _, seed := range seedsOf(t, data) {
				if seed.URI != "" && seed.Status.IsEnd() {
					done++
				}
			}
			if done != 300 {
				t.Errorf("%d documents of 300 are done", done)
			}
		})
	}
}

// After SIGHUP the daemon goes on, with a new file of the log's name.
func TestTheLogIsOpenedAnewAfterAHangup(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(manyDocuments))
	defer server.Close()
	dir := t.TempDir()
	data, log := filepath.Join(dir, "data"), filepath.Join(dir, "log")
	command := process(t, t.TempDir(), "serve", "--data", data, "--listen", "127.0.0.1:0", "--log-file", log,
		"--allow-private", "--ignore-robots", "--host-delay", "0s", "--log-events")
	messages, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := messages.Read(make([]byte, 1)); err != nil { // it says where it serves
		t.Fatal(err)
	}
	go io.Copy(io.Discard, messages)
	awaitText(t, log, "serving http://") // lines are written by a goroutine of the log's own
	if err := os.Rename(log, log+".old"); err != nil {
		t.Fatal(err)
	}
	command.Process.Signal(syscall.SIGHUP)
	awaitText(t, log, "opened anew")
	output(t, "seed", "add", "--data", data, server.URL+"/1")
	for end := time.Now().Add(longestStop); len(seedsOf(t, data)) < 2 && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	command.Process.Signal(syscall.SIGTERM)
	if code := waitFor(t, command, longestStop); code != exitTerminate {
		t.Errorf("exit code %d", code)
	}
	old, err := os.ReadFile(log + ".old")
	if err != nil || !strings.Contains(string(old), "serving http://") || strings.Contains(string(old), "washed") {
		t.Errorf("%v: the old log is %s", err, old)
	}
	text, err := os.ReadFile(log)
	if err != nil || !strings.Contains(string(text), "opened anew") || !strings.Contains(string(text), `"message":"washed"`) {
		t.Errorf("%v: the new log is %s", err, text)
	}
	if seeds := seedsOf(t, data); seeds[0].Status != seedlist.Parsed {
		t.Errorf("%+v", seeds[0])
	}
}
