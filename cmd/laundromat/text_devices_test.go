//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestDevicesAreWrittenInPlace: a device or pipe stays what it is, and what it can't take is an error.
func TestDevicesAreWrittenInPlace(t *testing.T) {
	folder := t.TempDir()
	page, pipe, link, out := filepath.Join(folder, "a.html"), filepath.Join(folder, "pipe"), filepath.Join(folder, "link"),
		filepath.Join(folder, "out")
	if err := os.WriteFile(page, []byte("<p>a"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(out, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(out, link); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no pipes here: ", err)
	}
	command := process(t, t.TempDir(), "text", page, "-q", "--as", "text", "-o", pipe)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, pipe); string(got) != "a\n" {
		t.Errorf("through the pipe: %q", got)
	}
	if err := command.Wait(); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(pipe); err != nil || info.Mode().IsRegular() {
		t.Errorf("the pipe is replaced: %v, %v", info, err)
	}
	if err := process(t, t.TempDir(), "text", page, "-q", "--as", "text", "-o", link).Run(); err != nil {
		t.Error(err)
	}
	if got, err := os.Readlink(link); err != nil || got != out || string(readFile(t, out)) != "a\n" {
		t.Errorf("%v: %s, %q", err, got, readFile(t, out))
	}
	if file, err := os.OpenFile("/dev/full", os.O_WRONLY, 0); err == nil {
		defer file.Close()
		command := process(t, t.TempDir(), "text", page, "-q")
		command.Stdout = file
		if command.Run(); command.ProcessState.ExitCode() != exitFailed {
			t.Errorf("a full disk ends with %d", command.ProcessState.ExitCode())
		}
	}
}
