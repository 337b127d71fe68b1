package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laundromat/seedlist"
)

// readOnlyRoot runs a command where nothing but one folder can be written to, as in a container.
const readOnlyRoot = `mount --make-rprivate / && mount --bind / / && cd / && mount --bind "$0" "$0" && mount -o remount,ro,bind / &&
! touch /tmp/probe 2>/dev/null || exit 99; exec "$@"`

// Where only the data folder can be written to, the daemon starts, works, and is found by the other verbs.
func TestTheDataFolderAloneNeedsToBeWritten(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(manyDocuments))
	defer server.Close()
	for _, name := range []string{"some data", "data with ž", strings.Repeat("long-name-", 15)} {
		t.Run(name[:5], func(t *testing.T) {
			data := filepath.Join(t.TempDir(), name)
			if err := os.Mkdir(data, 0o700); err != nil {
				t.Fatal(err)
			}
			inside := func(args ...string) *exec.Cmd {
				command := process(t, "/tmp", args...)
				command.Args = append([]string{"unshare", "-m", "sh", "-c", readOnlyRoot, data}, append([]string{command.Path}, args...)...)
				command.Path = "/usr/bin/unshare"
				return command
			}
			out, err := inside("seed", "add", "--init", "--data", data, server.URL+"/1", server.URL+"/2").CombinedOutput()
			if command, isExit := err.(*exec.ExitError); err != nil && (!isExit || command.ExitCode() == 99 ||
				strings.Contains(string(out), "ermitted") || strings.Contains(string(out), "denied")) {
				t.Skipf("no root of one's own here: %v: %s", err, out)
			}
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			daemon := inside("serve", "-q", "--data", data, "--listen", "127.0.0.1:0", "--allow-private", "--ignore-robots", "--host-delay",
				"0s")
			var said strings.Builder
			daemon.Stderr = &said
			if err := daemon.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				daemon.Process.Signal(os.Interrupt)
				waitFor(t, daemon, longestStop)
			})
			awaitText(t, filepath.Join(data, "socket"), data)
			awaitWashed(t, data, 2)
			if out, err := inside("seed", "add", "--data", data, server.URL+"/3").CombinedOutput(); err != nil {
				t.Errorf("a verb beside the daemon: %v: %s", err, out)
			}
			awaitWashed(t, data, 3)
			if said.Len() > 0 {
				t.Errorf("the daemon says %s", said.String())
			}
		})
	}
}

// awaitWashed waits until so many documents are washed.
func awaitWashed(t *testing.T, data string, want int) {
	t.Helper()
	for end := time.Now().Add(longestStop); ; time.Sleep(20 * time.Millisecond) {
		n := 0
		for _, seed := range seedsOf(t, data) {
			if seed.Status == seedlist.Parsed {
				n++
			}
		}
		if n == want {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d of %d documents are washed", n, want)
		}
	}
}
