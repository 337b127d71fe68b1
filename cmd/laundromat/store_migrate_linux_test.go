package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A disk that is full ends a migration in plain words, and the same call goes on when it has room.
func TestAMigrationToAFullDiskGoesOn(t *testing.T) {
	data, small := washedFolder(t), t.TempDir()
	if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=67108864"); err != nil {
		t.Skipf("no small disk can be mounted: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(small, syscall.MNT_DETACH) })
	ballast, to := filepath.Join(small, "ballast"), filepath.Join(small, "to")
	if err := os.WriteFile(ballast, make([]byte, 65_400<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := process(t, t.TempDir(), "store", "migrate", "--from", data, "--to", to).CombinedOutput()
	if code := exitCodeOf(t, err); code != exitFailed || !strings.Contains(string(said), "no space left") ||
		strings.Contains(string(said), "goroutine") {
		t.Errorf("exit %d: %s", code, said)
	}
	if _, err := os.Stat(filepath.Join(to, storeFile)); err == nil {
		t.Error("a list that is not whole has its name")
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	output(t, "store", "migrate", "--from", data, "--to", to)
	wantFiles(t, filesOf(t, to), filesOf(t, data))
	wantSameList(t, data, to)
}
