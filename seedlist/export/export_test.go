package export_test

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/filenames"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/export"
)

// listed are seeds, in the order of their list.
type listed []seedlist.Seed

func (l listed) Each(_ context.Context, do func(seedlist.Seed) error) error {
	for _, seed := range l {
		if err := do(seed); err != nil {
			return err
		}
	}
	return nil
}

func (l listed) Seed(_ context.Context, hash string) (seedlist.Seed, error) {
	for _, seed := range l {
		if seed.Hash == hash {
			return seed, nil
		}
	}
	return seedlist.Seed{}, fs.ErrNotExist
}

// written are files that are made where they are to be placed.
type written struct{}

func (written) Place(_ string, _ files.Suffix, path string, _ bool) (files.Placed, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return files.Placed{}, err
	}
	return files.Placed{Size: 1}, os.WriteFile(path, []byte("x"), 0o666)
}

func seedsAt(uris ...string) (all listed) {
	for _, uri := range uris {
		all = append(all, seedlist.Seed{Hash: seedlist.Key(uri), URI: uri, Record: seedlist.Record{
			Retrieved: time.Date(2008, 11, 4, 16, 20, 0, 0, time.UTC),
			Content:   &digest.Content{NumberOfBytes: 1, MD5: hex.EncodeToString(md5.New().Sum(nil))},
		}})
	}
	return all
}

func pathsIn(t *testing.T, dir string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && entry.Name() != filenames.Manifest {
			path, err = filepath.Rel(dir, path)
			paths = append(paths, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// A folder of a thousand files or more has tiers; one of fewer has none. The names are read back, tiers or not.
func TestCrowdedFoldersHaveTiers(t *testing.T) {
	var uris []string
	for i := range 1_000 {
		uris = append(uris, fmt.Sprintf("http://example.org/many/%c%d.ttl", 'a'+i%26, i))
	}
	uris = append(uris, "http://example.org/few/a.ttl")
	run := func(dir string, seeds listed) {
		t.Helper()
		sums, err := export.Run(t.Context(), dir, seeds, written{}, export.Options{What: "raw", Note: t.Logf})
		if err != nil || sums.Files != int64(len(seeds)) {
			t.Fatalf("%+v %v", sums, err)
		}
	}
	dir := t.TempDir()
	run(dir, seedsAt(uris...))
	known := map[string]bool{}
	for _, uri := range uris {
		known[uri] = true
	}
	for _, path := range pathsIn(t, dir) {
		if isTiered := strings.Contains(path, "/many/_"); isTiered == strings.Contains(path, "/few/") {
			t.Errorf("%s", path)
		}
		uri, err := export.URI(filepath.Join(dir, path))
		if err != nil || !known[uri] {
			t.Errorf("%s: %s %v", path, uri, err)
		}
		delete(known, uri)
	}
	if len(known) > 0 {
		t.Errorf("%d have no file", len(known))
	}
	// A file less, and the folder is no longer crowded.
	run(dir, seedsAt(uris[1:]...))
	for _, path := range pathsIn(t, dir) {
		if strings.Contains(path, "/many/_") {
			t.Fatalf("%s", path)
		}
	}
}

// A name over the 255 bytes of file systems is cut, and the manifest has its URI.
func TestTheManifestHasTheURIsOfNamesThatWereCut(t *testing.T) {
	uri := "http://example.org/" + strings.Repeat("long/", 20) + strings.Repeat("é", 100) + ".ttl"
	dir := t.TempDir()
	if _, err := export.Run(t.Context(), dir, seedsAt(uri), written{}, export.Options{What: "raw", Note: t.Logf}); err != nil {
		t.Fatal(err)
	}
	path := pathsIn(t, dir)[0]
	if got, err := export.URI(filepath.Join(dir, path)); err != nil || got != uri {
		t.Errorf("%s %v", got, err)
	}
	if _, err := export.URI(path); !errors.Is(err, filenames.ErrCut) {
		t.Errorf("without the manifest: %v", err)
	}
}
