//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"
)

// The health check of the image holds a daemon of each role as healthy, and one that hangs as not.
func TestTheHealthCheckOfTheImageTellsADaemonThatHangs(t *testing.T) {
	dockerfile := readFile(t, filepath.Join("..", "..", "deploy", "Dockerfile"))
	found := regexp.MustCompile(`(?m)^HEALTHCHECK .*--timeout=(\S+) .*CMD (\[.*\])$`).FindSubmatch(dockerfile)
	if found == nil {
		t.Fatal("the Dockerfile has no HEALTHCHECK with a timeout")
	}
	patience, err := time.ParseDuration(string(found[1]))
	if err != nil || patience > 30*time.Second {
		t.Fatalf("its timeout is %s", found[1])
	}
	var command []string
	if err := json.Unmarshal(found[2], &command); err != nil || command[0] != "/bin/laundromat" {
		t.Fatalf("%v: %s", err, found[2])
	}
	for _, role := range []string{"", "api", "worker"} {
		t.Run("role "+role, func(t *testing.T) {
			data := filepath.Join(t.TempDir(), "data")
			flags := []string{"serve", "-q", "--listen", "127.0.0.1:0", "--data", data}
			if role != "" {
				flags = append(flags, "--role", role, "--store", database(t).Address, "--blobs", bucketOf(t))
			}
			daemon := process(t, t.TempDir(), flags...)
			if err := daemon.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				daemon.Process.Signal(syscall.SIGCONT)
				daemon.Process.Signal(os.Interrupt)
				waitFor(t, daemon, longestStop)
			})
			check := func(patience time.Duration) bool {
				asked := process(t, t.TempDir(), command[1:]...)
				asked.Env = append(asked.Env, "LAUNDROMAT_DATA="+data)
				return endsWell(t, asked, patience)
			}
			for end := time.Now().Add(longestStop); !check(patience); time.Sleep(100 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("a daemon that works is not healthy")
				}
			}
			daemon.Process.Signal(syscall.SIGSTOP)
			if check(2 * time.Second) {
				t.Error("a daemon that hangs is healthy")
			}
		})
	}
}

// endsWell says that a command ends with 0 in time; it is killed then.
func endsWell(t *testing.T, command *exec.Cmd, patience time.Duration) bool {
	t.Helper()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(patience, func() { command.Process.Kill() })
	defer late.Stop()
	return command.Wait() == nil
}
