package main

import (
	"crypto/md5"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/storage"
	"laundromat/web/client"
)

// TestVerbsThatReadWriteNothing: no file and no folder of the data changes, so that they
// wait for no disk, and work on one that can't be written.
func TestVerbsThatReadWriteNothing(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	output(t, "serve", "--demo", "--until-idle", "-q", "--listen", "127.0.0.1:0", "--data", data)
	var washed, entry string
	for _, seed := range seedsOf(t, data) {
		switch {
		case seed.Status == seedlist.Parsed && seed.Parent == "" && len(seed.Notices) > 0:
			washed = seed.Hash
		case seed.Status == seedlist.Parsed && seed.Parent != "":
			entry = seed.Hash
		}
	}
	before := treeOf(t, data)
	for _, args := range [][]string{
		{"stats"}, {"datasets"}, {"verify"}, {"seed", "list"}, {"catalog", "list"}, {"host", "list"},
		{"host", "show", "example.org"}, {"show", washed}, {"why", washed}, {"notices"}, {"notices", washed},
		{"get", washed}, {"get", "--dirty", entry}, {"get", "--notices", washed}, {"get", "--subject", "http://example.org/", washed},
		{"diff", washed, entry}, {"export", filepath.Join(t.TempDir(), "export")},
	} {
		command := process(t, t.TempDir(), append(args, "--data", data)...)
		if out, err := command.CombinedOutput(); err != nil && (args[0] != "diff" || exitCodeOf(t, err) != exitFailed) {
			t.Errorf("%v: %v: %s", args, err, out)
		}
		if after := treeOf(t, data); after != before {
			t.Fatalf("%v changed the folder from\n%s\nto\n%s", args, before, after)
		}
	}
}

// treeOf lists what lies in a folder: when each was changed, and what it holds.
func treeOf(t *testing.T, folder string) string {
	t.Helper()
	var tree strings.Builder
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		sum := [md5.Size]byte{}
		if !entry.IsDir() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			sum = md5.Sum(text)
		}
		fmt.Fprintf(&tree, "%s %v %v %x\n", path, info.Mode(), info.ModTime(), sum)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree.String()
}

// TestSeveralReadAtOnce: who reads does not wait for others that do.
func TestSeveralReadAtOnce(t *testing.T) {
	dir := t.TempDir()
	output(t, "seed", "add", "--init", "--data", dir, "http://example.org/")
	for range 3 {
		_, folder, err := client.Reach(t.Context(), dir, storage.Look)
		if err != nil {
			t.Fatal(err)
		}
		defer folder.Close()
		if !folder.OnlyRead {
			t.Error("a list that is in order is opened to be written")
		}
	}
	if seeds := seedsOf(t, dir); len(seeds) != 1 {
		t.Errorf("%d seeds", len(seeds))
	}
	if code := exitCodeOf(t, process(t, t.TempDir(), "seed", "add", "--data", dir, "http://example.org/2").Run()); code != exitLocked {
		t.Errorf("a list that is being read is written: exit code %d", code)
	}
}

// TestWhoReadsAfterAKillSeesNothingAtWork: a list that is left as the killed process had it is
// put in order first. Where it can't be written it is read as it is.
func TestWhoReadsAfterAKillSeesNothingAtWork(t *testing.T) {
	live := filepath.Join(t.TempDir(), "seeds.db")
	store, err := bolt.Open(live, seedlist.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if _, err := store.Add(t.Context(), []seedlist.NewSeed{{URI: "http://example.org/"}}); err != nil {
		t.Fatal(err)
	}
	if claims, err := store.Claim(t.Context(), seedlist.Downloading, "w", 1); err != nil || len(claims) != 1 {
		t.Fatal(claims, err)
	}
	left, err := os.ReadFile(live) // what a killed process leaves
	if err != nil {
		t.Fatal(err)
	}
	for _, writable := range []bool{true, false} {
		dir, want := t.TempDir(), seedlist.Added
		if err := os.WriteFile(filepath.Join(dir, storage.ListFile), left, 0o600); err != nil {
			t.Fatal(err)
		}
		if !writable {
			if os.Geteuid() <= 0 {
				continue // who may write everywhere, or where modes say little
			}
			want = seedlist.Downloading
			if err := errors.Join(os.Chmod(filepath.Join(dir, storage.ListFile), 0o400), os.Chmod(dir, 0o500)); err != nil {
				t.Fatal(err)
			}
			defer os.Chmod(dir, 0o700)
		}
		for range 2 {
			if is := seedsOf(t, dir); len(is) != 1 || is[0].Status != want {
				t.Errorf("writable %v: %v", writable, is)
			}
		}
	}
}
