package logfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/internal/logfile"
)

// logs are the files of a folder, by name.
func logs(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil && !e.IsDir() {
			t.Fatal(err)
		}
		all[e.Name()] = string(text)
	}
	return all
}

func open(t *testing.T, name string, most int64, keep int) *logfile.File {
	t.Helper()
	f, err := logfile.OpenFile(name, most, keep, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// A log that is full is renamed, and no more files stay than are asked for. No line is divided.
func TestAFullFileIsRenamed(t *testing.T) {
	for _, c := range []struct {
		most int64
		keep int
		want map[string]string
	}{
		{0, 2, map[string]string{"log": "line 1\nline 2\nline 3\nline 4\nline 5\nline 6\nline 7\n"}},
		{15, 2, map[string]string{"log": "line 7\n", "log.1": "line 5\nline 6\n", "log.2": "line 3\nline 4\n"}},
		{15, 0, map[string]string{"log": "line 7\n"}},
		{1, 1, map[string]string{"log": "line 7\n", "log.1": "line 6\n"}},
	} {
		dir := t.TempDir()
		f := open(t, filepath.Join(dir, "log"), c.most, c.keep)
		for n := range 7 {
			if _, err := fmt.Fprintf(f, "line %d\n", n+1); err != nil {
				t.Fatal(err)
			}
		}
		if got := logs(t, dir); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("at most %d bytes, %d kept: %q, want %q", c.most, c.keep, got, c.want)
		}
	}
}

// A log is gone on with, and after another program renamed it a new one of its name is begun.
func TestAFileIsOpenedAgain(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "log")
	for _, line := range []string{"one\n", "two\n"} {
		f := open(t, name, 100, 1)
		f.Write([]byte(line))
		f.Close()
	}
	f := open(t, name, 100, 1)
	if err := os.Rename(name, name+".old"); err != nil {
		t.Fatal(err)
	}
	f.Write([]byte("three\n"))
	if err := f.Reopen(); err != nil {
		t.Fatal(err)
	}
	f.Write([]byte("four\n"))
	want := map[string]string{"log": "four\n", "log.old": "one\ntwo\nthree\n"}
	if got := logs(t, dir); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q, want %q", got, want)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
}

// A log that can't be renamed goes on to grow, and says why, but not with each line.
func TestAFileThatCantBeRenamedGoesOn(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "log")
	if err := os.MkdirAll(filepath.Join(name+".1", "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	failures := 0
	f, err := logfile.OpenFile(name, 100, 1, func(error) { failures++ })
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	line := []byte("ten bytes\n")
	for range 30 {
		if _, err := f.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	if text := logs(t, dir)["log"]; text != strings.Repeat(string(line), 30) {
		t.Errorf("%d bytes", len(text))
	}
	if failures == 0 || failures > 20 {
		t.Errorf("said %d times", failures)
	}
}

// A full disk loses lines and costs no more: what is written of a line is ended before the next.
func TestAFullDiskIsAnErrorOfTheLine(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full here")
	}
	f := open(t, "/dev/full", 0, 0)
	for range 3 {
		if _, err := f.Write([]byte("lost\n")); err == nil {
			t.Fatal("it was written")
		}
	}
}

// A log that its writer or another program cut short has room again: its size is that on the disk.
func TestAFileThatWasCutShortIsNotRenamed(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "log")
	f := open(t, name, 25, 2)
	fmt.Fprint(f, "ten bytes\nten bytes\n")
	if err := os.Truncate(name, 0); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, "ten bytes\n")
	if got := logs(t, dir); len(got) != 1 || got["log"] != "ten bytes\n" {
		t.Errorf("%q", got)
	}
}
