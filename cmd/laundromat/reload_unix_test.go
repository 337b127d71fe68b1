//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// After SIGHUP the settings that can change while the daemon runs are in force, and the others are named.
func TestSettingsAreTakenOnAfterAHangup(t *testing.T) {
	dir := t.TempDir()
	data, log, file := filepath.Join(dir, "data"), filepath.Join(dir, "log"), filepath.Join(dir, "c.yaml")
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("tries: 3\nhost-delay: 7s\n")
	command := process(t, t.TempDir(), "serve", "--data", data, "--listen", "127.0.0.1:0", "--log-file", log, "--config", file)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	awaitText(t, log, "serving http://")
	for _, step := range []struct{ file, want string }{
		{"tries: 4\nhost-delay: 8s\nworkers: 3\n", "taken on at the next start: workers"},
		{"tries: 6\nhost-delay: 8s\n", "in force from now on: tries: 6"},
		{"trys: 6\n", "did you mean tries?"},
		{"host-connections: 2\nkeep-free: 1M\n", "in force from now on: host-connections: 2, host-delay: 1s, tries: 5, keep-free: 1M"},
	} {
		put(step.file)
		command.Process.Signal(syscall.SIGHUP)
		awaitText(t, log, step.want)
	}
	awaitText(t, log, "in force from now on: host-delay: 8s, tries: 4")
	command.Process.Signal(syscall.SIGTERM)
	if code := waitFor(t, command, longestStop); code != exitTerminate {
		t.Errorf("exit code %d", code)
	}
}
