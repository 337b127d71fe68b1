package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"laundromat/internal/files"
	"laundromat/internal/files/blobtest"
	"laundromat/storage"
)

// mixedSite serves documents of several kinds: clean, dirty, broken, one with an index, and an archive.
func mixedSite(t *testing.T) string {
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	for i := range 5 {
		entry, err := w.Create(fmt.Sprintf("folder/%d.ttl", i))
		if err != nil {
			t.Fatal(err)
		}
		for n := range 4000 * i {
			fmt.Fprintf(entry, "<http://e.org/%d> <http://e.org/p> [ <http://e.org/q> %d ] .\n", n, i)
		}
	}
	w.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/all.zip":
			w.Write(archive.Bytes())
		case "/0":
			io.WriteString(w, manyLines())
		case "/1":
			w.WriteHeader(http.StatusNotFound)
		case "/2":
			io.WriteString(w, "<http://e.org/a> <http://e.org/p> \"caf\\u00E9\"@EN .\n<http://e.org/a b> nonsense .\n")
		default:
			manyDocuments(w, r)
		}
	}))
	t.Cleanup(server.Close)
	var seeds strings.Builder
	fmt.Fprintln(&seeds, server.URL+"/all.zip")
	for i := range 30 {
		fmt.Fprintf(&seeds, "%s/%d\n", server.URL, i)
	}
	name := filepath.Join(t.TempDir(), "seeds.txt")
	if err := os.WriteFile(name, []byte(seeds.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// filesOf are the files of a --data folder, wherever it keeps them: all, or those of some suffixes. Fences are left out
// of their names.
func filesOf(t *testing.T, data string, suffixes ...files.Suffix) map[string]string {
	t.Helper()
	store, err := storage.OpenFilesToRead(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	all := map[string]string{}
	err = store.Walk(t.Context(), func(key string, suffix files.Suffix, _ int64) error {
		if len(suffixes) > 0 && !slices.Contains(suffixes, suffix) {
			return nil
		}
		blob, err := store.Open(key, suffix)
		if err != nil {
			return err
		}
		defer blob.Close()
		text, err := io.ReadAll(files.Sequential(blob))
		name := files.HashOf(key) + string(suffix)
		if _, isTwice := all[name]; isTwice {
			t.Errorf("%s: of two fences", name)
		}
		all[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// What a daemon puts into a bucket is, file by file, what it puts into a folder; every verb finds it there.
func TestFilesInABucketAreThoseOfAFolder(t *testing.T) {
	store := blobtest.Server(t, "laundry")
	seeds := mixedSite(t)
	folder, bucket := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "data")
	address := "s3://laundry/one?endpoint=" + store.Endpoint
	output(t, serving(folder, "--until-idle", "--seeds", seeds)...)
	output(t, serving(bucket, "--until-idle", "--seeds", seeds, "--blobs", address)...)

	want, got := filesOf(t, folder), filesOf(t, bucket)
	if len(want) < 60 {
		t.Fatalf("only %d files", len(want))
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s: %d bytes in the folder, %d others in the bucket", name, len(text), len(got[name]))
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is in the bucket alone", name)
		}
	}
	if storage.HasFiles(bucket) {
		t.Error("there are files in the folder, too")
	}
	output(t, "verify", "--data", bucket)
	wantStatements(t, bucket, folder)
	for i, seed := range seedsOf(t, folder) {
		if i%5 == 0 && seed.Clean != "" {
			if a, b := output(t, "get", seed.Hash, "--data", folder), output(t, "get", seed.Hash, "--data", bucket); a != b {
				t.Errorf("get %s: %d bytes and %d others", seed.Hash, len(a), len(b))
			}
		}
	}
	exported := t.TempDir()
	output(t, "export", exported, "--what", "both", "--data", bucket)
	output(t, "export", exported, "--what", "both", "--data", folder, "--copy")

	// A backup names the files and where they are; a restored list finds them there.
	saved, restored := filepath.Join(t.TempDir(), "saved.tar"), filepath.Join(t.TempDir(), "data")
	if said := output(t, "backup", saved, "--data", bucket); !strings.Contains(said, fmt.Sprint(len(want), " files")) {
		t.Errorf("backup says %q, and there are %d files", said, len(want))
	}
	if said := output(t, "restore", saved, "--data", restored); !strings.Contains(said, "0 that the backup names are not in it") {
		t.Errorf("restore says %q", said)
	}
	if err := os.Remove(filepath.Join(restored, storage.ListFile)); err != nil {
		t.Fatal(err)
	}
	if said, err := process(t, t.TempDir(), serving(restored, "--until-idle")...).CombinedOutput(); err == nil ||
		!strings.Contains(string(said), "salvage") {
		t.Errorf("a list is begun over the files of a bucket: %v: %s", err, said)
	}

	// The address is known from then on, and another is refused.
	output(t, serving(bucket, "--until-idle")...)
	output(t, serving(bucket, "--until-idle", "--blobs", address+"&region=us-east-1")...)
	for _, row := range []struct{ data, blobs, want string }{
		{bucket, "s3://laundry/two?endpoint=" + store.Endpoint, "store migrate"},
		{folder, address, "store migrate"},
		{filepath.Join(t.TempDir(), "new"), "laundry/two", "does not begin with s3:"},
	} {
		command := process(t, t.TempDir(), serving(row.data, "--until-idle", "--blobs", row.blobs)...)
		said, err := command.CombinedOutput()
		if code := exitCodeOf(t, err); code != exitUsage || !strings.Contains(string(said), row.want) {
			t.Errorf("--blobs %s: exit %d: %s", row.blobs, code, said)
		}
	}
}

// While the store of files is away nothing fails; when it is back the work goes on.
func TestAStoreThatGoesAwayFailsNoSeed(t *testing.T) {
	store := blobtest.Server(t, "laundry")
	target, err := url.Parse(store.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	var refused atomic.Int32
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = target.Scheme, target.Host, r.In.Host
	}}
	var puts atomic.Int32
	away := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut && puts.Add(1) > 20 && puts.Load() < 60 {
			refused.Add(1)
			panic(http.ErrAbortHandler)
		}
		proxy.ServeHTTP(w, r)
	}))
	defer away.Close()
	seeds, data := mixedSite(t), filepath.Join(t.TempDir(), "data")
	output(t, serving(data, "--until-idle", "--seeds", seeds, "--blobs", "s3://laundry?endpoint="+away.URL)...)
	if refused.Load() == 0 {
		t.Error("the store was never away")
	}
	for _, seed := range seedsOf(t, data) {
		if !seed.Status.IsFinal() || seed.Error != nil && strings.HasPrefix(string(seed.Error.Code), "local/") {
			t.Errorf("%s%s is %s: %+v", seed.URI, seed.Hash, seed.Status, seed.Error)
		}
	}
	output(t, "verify", "--data", data)
}
