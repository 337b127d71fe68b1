package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"laundromat/internal/files"
	"laundromat/internal/files/blobtest"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/storetest"
)

// washedFolder is a data folder with documents, an archive, settings of a host and a catalog.
func washedFolder(t *testing.T) string {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	output(t, serving(data, "--until-idle", "--seeds", mixedSite(t))...)
	output(t, "host", "pause", "waiting.example", "--data", data)
	output(t, "seed", "add", "http://waiting.example/later.nt", "http://waiting.example/onto#thing", "--data", data)
	output(t, "catalog", "add", "http://waiting.example/catalog.ttl", "--data", data)
	return data
}

// wantSameList holds the seed lists of two data folders against each other.
func wantSameList(t *testing.T, a, b string) {
	t.Helper()
	var lists []seedlist.List
	for _, dir := range []string{a, b} {
		list, err := bolt.Open(filepath.Join(dir, storeFile), seedlist.Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		defer list.Close()
		lists = append(lists, list)
	}
	storetest.WantSameRows(t, lists[0], lists[1])
	if one, other := storetest.Everything(t, lists[0]), storetest.Everything(t, lists[1]); one != other {
		t.Errorf("one list says\n%s, the other\n%s", one, other)
	}
}

// laundryBucket is the address of an empty bucket.
func laundryBucket(t *testing.T, name string) string {
	t.Helper()
	store := blobtest.Server(t, name)
	return "s3://" + name + "/files?endpoint=" + store.Endpoint
}

// A list and its files that are moved to a database and a bucket, and back, are what they were.
func TestMigrationThereAndBackLeavesEqualRecordsAndFiles(t *testing.T) {
	address, bucket := database(t).Address, laundryBucket(t, "laundry")
	data := washedFolder(t)
	away := filepath.Join(t.TempDir(), "away")
	said := output(t, "store", "migrate", "--from", data, "--to", address, "--to", bucket, "--to", away)
	if !strings.Contains(said, "equal on both sides") || !strings.Contains(said, "whole on both sides") {
		t.Errorf("%s", said)
	}
	wantFiles(t, filesOf(t, away), filesOf(t, data))
	output(t, "verify", "--data", away)
	if said := output(t, "host", "show", "waiting.example", "--data", away); !strings.Contains(said, "paused") {
		t.Errorf("%s", said)
	}

	back := filepath.Join(t.TempDir(), "back")
	output(t, "store", "migrate", "--from", address, "--from", bucket, "--to", back)
	wantFiles(t, filesOf(t, back), filesOf(t, data))
	output(t, "verify", "--data", back)
	wantSameList(t, data, back)
}

// What was washed into a bucket keeps the names that its records say, wherever it goes in between.
func TestFencesOutlastAMigrationThroughAFolder(t *testing.T) {
	store := blobtest.Server(t, "one-laundry", "other-laundry")
	one, other := "s3://one-laundry?endpoint="+store.Endpoint, "s3://other-laundry/in/it?endpoint="+store.Endpoint
	data := filepath.Join(t.TempDir(), "data")
	output(t, serving(data, "--until-idle", "--seeds", mixedSite(t), "--blobs", one)...)
	folder := filepath.Join(t.TempDir(), "folder")
	output(t, "store", "migrate", "--from", data, "--to", folder)
	wantFiles(t, filesOf(t, folder), filesOf(t, data))
	output(t, "verify", "--data", folder)
	if said := output(t, "gc", "--data", folder, "--older", "0s"); !strings.Contains(said, " 0 files without a record") {
		t.Errorf("%s", said)
	}
	again := filepath.Join(t.TempDir(), "again")
	output(t, "store", "migrate", "--from", folder, "--to", again, "--to", other)
	wantSameList(t, data, again)
	if a, b := keysOf(t, data), keysOf(t, again); !slices.Equal(a, b) ||
		!slices.ContainsFunc(a, func(key string) bool { return strings.Contains(key, "/") }) {
		t.Errorf("the bucket had\n%s, the other has\n%s", a, b)
	}
}

// keysOf are the names of all files of a data folder.
func keysOf(t *testing.T, data string) (keys []string) {
	t.Helper()
	store, err := openBlobsToRead(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	err = store.Walk(t.Context(), func(key string, suffix files.Suffix, _ int64) error {
		keys = append(keys, key+string(suffix))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(keys)
	return keys
}

// A copy that is ended at any point goes on there.
func TestAMigrationThatIsEndedGoesOn(t *testing.T) {
	address := database(t).Address
	data, back := washedFolder(t), filepath.Join(t.TempDir(), "back")
	migrate := func(ctx context.Context, from, to []string) error {
		u := &ui{out: io.Discard, err: io.Discard, quiet: true}
		root := rootCommand(u)
		args := []string{"store", "migrate"}
		for _, place := range from {
			args = append(args, "--from", place)
		}
		for _, place := range to {
			args = append(args, "--to", place)
		}
		root.SetArgs(args)
		return root.ExecuteContext(ctx)
	}
	ended, isTried := 0, false
	for _, way := range []struct{ from, to []string }{
		{[]string{data}, []string{address, filepath.Join(t.TempDir(), "there")}},
		{[]string{address, data}, []string{back}},
	} {
		for n := int64(4); ; n *= 2 {
			left := new(atomic.Int64)
			left.Store(n)
			err := migrate(endsAfter{t.Context(), left}, way.from, way.to)
			if err == nil {
				break
			}
			if ended++; left.Load() > 0 {
				t.Fatal(err)
			}
			if isTried || n < 20 {
				continue
			}
			isTried = true
			said, err := process(t, t.TempDir(), serving(filepath.Join(t.TempDir(), "new"), "--until-idle", "--store",
				address)...).CombinedOutput()
			if code := exitCodeOf(t, err); code == 0 || !strings.Contains(string(said), "not whole yet") {
				t.Errorf("a list that is not whole: exit %d: %s", code, said)
			}
		}
	}
	if ended < 10 {
		t.Errorf("it was ended %d times only", ended)
	}
	wantFiles(t, filesOf(t, back), filesOf(t, data))
	wantSameList(t, data, back)
}

// endsAfter is a context that ends when it was asked so often whether it has.
type endsAfter struct {
	context.Context
	left *atomic.Int64
}

func (e endsAfter) Err() error {
	if e.left.Add(-1) <= 0 {
		return context.Canceled
	}
	return e.Context.Err()
}

// A copy whose process is killed goes on.
func TestAMigrationThatIsKilledGoesOn(t *testing.T) {
	data, to := washedFolder(t), filepath.Join(t.TempDir(), "to")
	for _, line := range []string{"the seed list is copied", "the files are copied", "--to: every file is read"} {
		command := process(t, t.TempDir(), "store", "migrate", "--from", data, "--to", to)
		messages, err := command.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		isMet := false
		for lines := bufio.NewScanner(messages); !isMet && lines.Scan(); {
			isMet = strings.Contains(lines.Text(), line)
		}
		command.Process.Kill()
		command.Wait()
		if !isMet {
			t.Fatalf("%q was not said", line)
		}
		if _, err := os.Stat(filepath.Join(to, storeFile)); err == nil {
			t.Fatal("a list that is not whole has its name")
		}
	}
	output(t, "store", "migrate", "--from", data, "--to", to)
	wantFiles(t, filesOf(t, to), filesOf(t, data))
	wantSameList(t, data, to)
}

// Bad places are told in plain words, and nothing is changed.
func TestMigrationRefusesWhatItCantCopy(t *testing.T) {
	address, bucket := database(t).Address, laundryBucket(t, "laundry")
	data, full := washedFolder(t), filepath.Join(t.TempDir(), "full")
	output(t, serving(full, "--until-idle")...)
	before := filesOf(t, data)
	migrate := func(args ...string) []string { return append([]string{"store", "migrate"}, args...) }
	empty := t.TempDir()
	for _, row := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"no place", migrate("--from", data), exitUsage, "wants --to"},
		{"a scheme that is not known", migrate("--from", data, "--to", "mysql://h/db"), exitUsage, "mysql:// is no place"},
		{"two of a kind", migrate("--from", data, "--to", "postgres://a/b", "--to", "postgres://c/d"), exitUsage, "two places of one kind"},
		{"a bad bucket", migrate("--from", data, "--to", "s3://A_B"), exitUsage, "no name of a bucket"},
		{"the source is away", migrate("--from", filepath.Join(empty, "none"), "--to", address), exitUsage, "no data folder"},
		{"the source has no list", migrate("--from", empty, "--to", address), exitFailed, "no seed list"},
		{"the source's database is away", migrate("--from", "postgres://u@127.0.0.1:1/db", "--to", filepath.Join(empty, "x")), exitFailed,
			"127.0.0.1:1"},
		{"files without a list", migrate("--from", bucket, "--to", filepath.Join(empty, "x")), exitUsage, "no seed list is named"},
		{"the same place", migrate("--from", data, "--to", data), exitUsage, "is where it is"},
		{"a folder that holds a list", migrate("--from", data, "--to", full), exitFailed, "holds a seed list"},
		{"a bucket that is away", migrate("--from", data, "--to", strings.Replace(bucket, "laundry", "other", 1)), exitFailed,
			"no such bucket"},
		{"a bucket with no folder", migrate("--from", address, "--from", bucket, "--to", strings.Replace(bucket, "files", "more", 1)),
			exitUsage, "through a folder"},
		{"a database without a list", migrate("--from", address, "--to", filepath.Join(empty, "x")), exitFailed, "there is no seed list"},
	} {
		said, err := process(t, t.TempDir(), row.args...).CombinedOutput()
		if code := exitCodeOf(t, err); code != row.code || !strings.Contains(string(said), row.want) ||
			strings.Contains(string(said), "goroutine") {
			t.Errorf("%s: exit %d, want %d and %q: %s", row.name, code, row.code, row.want, said)
		}
	}
	output(t, "store", "migrate", "--from", data, "--to", address)
	said, err := process(t, t.TempDir(), migrate("--from", data, "--to", address)...).CombinedOutput()
	if code := exitCodeOf(t, err); code != exitFailed || !strings.Contains(string(said), "name an empty database") {
		t.Errorf("a database that holds a list: exit %d: %s", code, said)
	}

	startDaemon(t, data)
	said, err = process(t, t.TempDir(), migrate("--from", data, "--to", filepath.Join(empty, "y"))...).CombinedOutput()
	if code := exitCodeOf(t, err); code != exitLocked || !strings.Contains(string(said), "stop it first") {
		t.Errorf("a daemon works: exit %d: %s", code, said)
	}
	wantFiles(t, filesOf(t, data), before)
}
