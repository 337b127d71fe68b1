package main

import (
	"bufio"
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"laundromat/internal/files"
	"laundromat/internal/files/blobtest"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/postgres"
	"laundromat/seedlist/storetest"
	"laundromat/storage"
)

// washedFolder is a data folder with documents, an archive, settings of a host and a catalog.
func washedFolder(t *testing.T) string {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	output(t, serving(data, "--until-idle", "--seeds", mixedSite(t))...)
	output(t, "seed", "add", "http://waiting.example/later.nt", "http://waiting.example/onto#thing", "--data", data)
	output(t, "host", "pause", "waiting.example", "--data", data)
	output(t, "catalog", "add", "http://waiting.example/catalog.ttl", "--data", data)
	return data
}

// wantSameList holds the seed list of a data folder against that in a database.
func wantSameList(t *testing.T, data, address string) {
	t.Helper()
	file, err := bolt.Open(filepath.Join(data, storage.ListFile), seedlist.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	list, err := postgres.Open(t.Context(), address, seedlist.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	if one, other := storetest.Everything(t, file), storetest.Everything(t, list); one != other {
		t.Errorf("one list says\n%s, the other\n%s", one, other)
	}
}

// begun is a new data folder whose list and files are elsewhere.
func begun(t *testing.T, address, bucket string) (data string) {
	t.Helper()
	data = t.TempDir()
	startDaemon(t, data, "--store", address, "--blobs", bucket)
	return data
}

// laundryBucket is the address of an empty bucket.
func laundryBucket(t *testing.T, name string) string {
	t.Helper()
	store := blobtest.Server(t, name)
	return "s3://" + name + "/files?endpoint=" + store.Endpoint
}

// A list and its files that are moved to a database and a bucket are what they were, and work goes on with them.
func TestAMigrationLeavesEqualRecordsAndFiles(t *testing.T) {
	address, bucket := database(t).Address, laundryBucket(t, "laundry")
	data := washedFolder(t)
	said := output(t, "store", "migrate", "--from", data, "--to", address, "--to", bucket)
	if !strings.Contains(said, "equal on both sides") || !strings.Contains(said, "whole on both sides") {
		t.Errorf("%s", said)
	}
	wantSameList(t, data, address)
	away := begun(t, address, bucket)
	wantFiles(t, filesOf(t, away), filesOf(t, data))
	output(t, "verify", "--data", away)
	if said := output(t, "host", "show", "waiting.example", "--data", away); !strings.Contains(said, "paused") {
		t.Errorf("%s", said)
	}
}

// Files that were washed into a bucket keep the names that their records say in another one.
func TestFencesOutlastAMigration(t *testing.T) {
	store := blobtest.Server(t, "one-laundry", "other-laundry")
	one, other := "s3://one-laundry?endpoint="+store.Endpoint, "s3://other-laundry/in/it?endpoint="+store.Endpoint
	address, data := database(t).Address, filepath.Join(t.TempDir(), "data")
	output(t, serving(data, "--until-idle", "--seeds", mixedSite(t), "--blobs", one)...)
	output(t, "store", "migrate", "--from", data, "--to", address, "--to", other)
	wantSameList(t, data, address)
	away := begun(t, address, other)
	hasFence := func(key string) bool { return strings.Contains(key, "/") }
	if a, b := keysOf(t, data), keysOf(t, away); !slices.Equal(a, b) || !slices.ContainsFunc(a, hasFence) {
		t.Errorf("the bucket had\n%s, the other has\n%s", a, b)
	}
	if said := output(t, "gc", "--data", away, "--older", "0s"); !strings.Contains(said, " 0 files without a record") {
		t.Errorf("%s", said)
	}
}

// keysOf are the names of all files of a data folder.
func keysOf(t *testing.T, data string) (keys []string) {
	t.Helper()
	store, err := storage.OpenFilesToRead(t.Context(), data)
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
	address, bucket, data := database(t).Address, laundryBucket(t, "laundry"), washedFolder(t)
	ended := 0
	for n := int64(4); ; n *= 2 {
		root := rootCommand(&ui{out: io.Discard, err: io.Discard, quiet: true})
		root.SetArgs([]string{"store", "migrate", "--from", data, "--to", address, "--to", bucket})
		left := new(atomic.Int64)
		left.Store(n)
		err := root.ExecuteContext(endsAfter{t.Context(), left})
		if err == nil {
			break
		}
		if ended++; left.Load() > 0 {
			t.Fatal(err)
		}
		if n != 32 {
			continue
		}
		serve := serving(filepath.Join(t.TempDir(), "new"), "--until-idle", "--store", address)
		said, err := process(t, t.TempDir(), serve...).CombinedOutput()
		if code := exitCodeOf(t, err); code == 0 || !strings.Contains(string(said), "not whole yet") {
			t.Errorf("a list that is not whole: exit %d: %s", code, said)
		}
	}
	if ended < 5 {
		t.Errorf("it was ended %d times only", ended)
	}
	wantSameList(t, data, address)
	wantFiles(t, filesOf(t, begun(t, address, bucket)), filesOf(t, data))
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

// A copy of files whose process is killed goes on. That of a list is known to be over only when its lease has run out.
func TestAMigrationThatIsKilledGoesOn(t *testing.T) {
	bucket, data := laundryBucket(t, "laundry"), washedFolder(t)
	for _, line := range []string{"the files are copied", "--from: every file is read", "--to: every file is read"} {
		command := process(t, t.TempDir(), "store", "migrate", "--from", data, "--to", bucket)
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
	}
	address := database(t).Address
	output(t, "store", "migrate", "--from", data, "--to", address, "--to", bucket)
	wantSameList(t, data, address)
	wantFiles(t, filesOf(t, begun(t, address, bucket)), filesOf(t, data))
}

// Bad places are told in plain words, and nothing is changed.
func TestMigrationRefusesWhatItCantCopy(t *testing.T) {
	address, bucket := database(t).Address, laundryBucket(t, "laundry")
	data := washedFolder(t)
	before := filesOf(t, data)
	migrate := func(args ...string) []string { return append([]string{"store", "migrate"}, args...) }
	empty := t.TempDir()
	for _, row := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"no source", migrate("--to", address), exitUsage, "wants --from"},
		{"no place", migrate("--from", data), exitUsage, "wants --to"},
		{"a scheme that is not known", migrate("--from", data, "--to", "mysql://h/db"), exitUsage, "isn't a place that is known"},
		{"a folder as a place", migrate("--from", data, "--to", empty), exitUsage, empty + " is a folder or a name"},
		{"two of a kind", migrate("--from", data, "--to", "postgres://a/b", "--to", "postgres://c/d"), exitUsage, "two places of one kind"},
		{"a bad bucket", migrate("--from", data, "--to", "s3://A_B"), exitUsage, "isn't a name of a bucket"},
		{"the source is away", migrate("--from", filepath.Join(empty, "none"), "--to", address), exitUsage, "isn't a data folder"},
		{"the source is a database", migrate("--from", address, "--to", bucket), exitUsage, "isn't a data folder"},
		{"the source has no list", migrate("--from", empty, "--to", address), exitFailed, "no seed list"},
		{"a database that is away", migrate("--from", data, "--to", "postgres://u@127.0.0.1:1/db"), exitFailed, "127.0.0.1:1"},
		{"a bucket that is away", migrate("--from", data, "--to", strings.Replace(bucket, "laundry", "other", 1)), exitFailed,
			"no such bucket"},
	} {
		said, err := process(t, t.TempDir(), row.args...).CombinedOutput()
		code, text := exitCodeOf(t, err), string(said)
		if code != row.code || !strings.Contains(text, row.want) || strings.Contains(text, "goroutine") {
			t.Errorf("%s: exit %d, want %d and %q: %s", row.name, code, row.code, row.want, said)
		}
	}
	output(t, "store", "migrate", "--from", data, "--to", address)
	said, err := process(t, t.TempDir(), migrate("--from", data, "--to", address)...).CombinedOutput()
	if code := exitCodeOf(t, err); code != exitFailed || !strings.Contains(string(said), "name an empty database") {
		t.Errorf("a database that holds a list: exit %d: %s", code, said)
	}
	away := begun(t, address, bucket)
	said, err = process(t, t.TempDir(), migrate("--from", away, "--to", address)...).CombinedOutput()
	if code := exitCodeOf(t, err); code != exitUsage || !strings.Contains(string(said), "is in a database") {
		t.Errorf("a list that is in a database: exit %d: %s", code, said)
	}

	startDaemon(t, data)
	said, err = process(t, t.TempDir(), migrate("--from", data, "--to", bucket)...).CombinedOutput()
	if code := exitCodeOf(t, err); code != exitLocked || !strings.Contains(string(said), "stop it first") {
		t.Errorf("a daemon works: exit %d: %s", code, said)
	}
	wantFiles(t, filesOf(t, data), before)
}
