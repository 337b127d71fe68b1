//go:build unix

package logfile_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"laundromat/internal/logfile"
)

// Only a plain file is renamed when it is full: what else a name may stand for stays where it is, and is written to.
func TestOnlyAPlainFileIsRenamed(t *testing.T) {
	link := func(to string) func(t *testing.T, name string) {
		return func(t *testing.T, name string) {
			if err := os.Symlink(to, name); err != nil {
				t.Fatal(err)
			}
		}
	}
	pipe := func(t *testing.T, name string) {
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Fatal(err)
		}
		reader, err := os.OpenFile(name, os.O_RDWR, 0) // which does not wait for a writer
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { reader.Close() })
	}
	device := func(t *testing.T, name string) {
		if err := syscall.Mknod(name, syscall.S_IFCHR|0o600, 1<<8|3); err != nil { // /dev/null of Linux
			t.Skip(err)
		}
	}
	for _, c := range []struct {
		name  string
		make  func(t *testing.T, name string)
		keep  int
		said  int    // that it could not be renamed
		wrote string // a file that holds all lines
	}{
		{"a device", device, 2, 0, ""},
		{"a device, none kept", device, 0, 0, ""},
		{"a link to a device", link(os.DevNull), 2, 0, ""},
		{"a link to a link to a device", func(t *testing.T, name string) {
			link("between")(t, name)
			link(os.DevNull)(t, filepath.Join(filepath.Dir(name), "between"))
		}, 2, 0, ""},
		{"a pipe", pipe, 2, 0, ""},
		{"a pipe, none kept", pipe, 0, 0, ""},
		{"a link to a pipe", func(t *testing.T, name string) {
			link("pipe")(t, name)
			pipe(t, filepath.Join(filepath.Dir(name), "pipe"))
		}, 2, 0, ""},
		{"a link to a file", link("real"), 2, 1, "real"},
		{"a link to a file, none kept", link("real"), 0, 1, "real"},
		{"a link to a link to a file", func(t *testing.T, name string) {
			link("between")(t, name)
			link("real")(t, filepath.Join(filepath.Dir(name), "between"))
		}, 1, 1, "real"},
		{"an absolute link to a file", func(t *testing.T, name string) { link(filepath.Join(filepath.Dir(name), "real"))(t, name) }, 3, 1,
			"real"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			name := filepath.Join(dir, "log")
			c.make(t, name)
			before, err := os.Lstat(name)
			if err != nil {
				t.Fatal(err)
			}
			said := 0
			f, err := logfile.OpenFile(name, 20, c.keep, func(error) { said++ })
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			for range 30 {
				if _, err := io.WriteString(f, "ten bytes\n"); err != nil {
					t.Fatal(err)
				}
			}
			after, err := os.Lstat(name)
			if err != nil || !os.SameFile(before, after) {
				t.Errorf("it was renamed: %v", err)
			}
			if _, err := os.Lstat(name + ".1"); err == nil {
				t.Error("there is a log.1")
			}
			if said != c.said {
				t.Errorf("said %d times, want %d", said, c.said)
			}
			if c.wrote != "" {
				if text, err := os.ReadFile(filepath.Join(dir, c.wrote)); string(text) != strings.Repeat("ten bytes\n", 30) {
					t.Errorf("%d bytes, %v", len(text), err)
				}
			}
		})
	}
}

// A name that is made a link or a device while the log is open is not renamed either.
func TestANameThatBecameALinkStays(t *testing.T) {
	for _, to := range []string{"elsewhere", os.DevNull} {
		dir := t.TempDir()
		name := filepath.Join(dir, "log")
		said := 0
		f, err := logfile.OpenFile(name, 20, 1, func(error) { said++ })
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		fmt.Fprint(f, "ten bytes\n")
		if err := os.Rename(name, name+".old"); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, name); err != nil {
			t.Fatal(err)
		}
		for range 5 {
			fmt.Fprint(f, "ten bytes\n")
		}
		if got, err := os.Readlink(name); got != to || said != 1 {
			t.Errorf("%s: %q, %v; said %d times", to, got, err, said)
		}
	}
}
