//go:build unix

package socket

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// A socket is a stray one if it is old and nobody listens there. What listens, is young, or holds
// something else, is left alone.
func TestOnlySocketsOfTheDeadAreStrays(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	old := time.Now().Add(-2 * time.Hour)
	make := func(name string, listens, isYoung bool, files ...string) string {
		folder := filepath.Join(temp, name)
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			path := filepath.Join(folder, file)
			if file != socketName {
				if err := os.WriteFile(path, nil, 0o600); err != nil {
					t.Fatal(err)
				}
				continue
			}
			listener, err := net.Listen("unix", path)
			if err != nil {
				t.Fatal(err)
			}
			if listens {
				t.Cleanup(func() { listener.Close() })
			} else {
				listener.(*net.UnixListener).SetUnlinkOnClose(false)
				listener.Close()
			}
		}
		if !isYoung {
			if err := os.Chtimes(folder, old, old); err != nil {
				t.Fatal(err)
			}
		}
		return folder
	}
	want := []string{
		make("laundromat-1", false, false, socketName),
		make("laundromat-2", false, false),
	}
	make("laundromat-3", true, false, socketName)
	make("laundromat-4", false, true, socketName)
	make("laundromat-5", false, false, socketName, "notes")
	make("laundromat-6", false, false, "notes")
	make("laundromat-spool-7", false, false)
	make("other-8", false, false, socketName)
	inTemp := func(before time.Time) (found []string) {
		for _, folder := range Strays(t.TempDir(), before) {
			if filepath.Dir(folder) == temp {
				found = append(found, folder)
			}
		}
		return found
	}
	if got := inTemp(time.Now()); !slices.Equal(got, want) {
		t.Errorf("strays: %v, want %v", got, want)
	}
	if got := inTemp(old.Add(-time.Hour)); got != nil {
		t.Errorf("of before that: %v", got)
	}
	for _, folder := range want {
		if err := RemoveStray(folder); err != nil {
			t.Error(err)
		}
	}
	if got := inTemp(time.Now()); got != nil {
		t.Errorf("left: %v", got)
	}
}
