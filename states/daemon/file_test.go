package daemon_test

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/storetest"
)

// Files of this machine are seeds like others, that wait for nobody: what did not change
// is not washed again.
func TestFilesOfThisMachineAreWashed(t *testing.T) {
	w := newWorld(t, seedlist.Options{HostDelay: time.Hour, HostConnections: 1})
	w.fetch.AllowFile, w.fetch.HostDelay = true, time.Hour
	dir := t.TempDir()
	var seeds []seedlist.NewSeed
	for _, name := range []string{"a.nt", "b.nt", "c.nt"} {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(triple), 0o600); err != nil {
			t.Fatal(err)
		}
		seeds = append(seeds, seedlist.NewSeed{URI: (&url.URL{Scheme: "file", Path: filepath.ToSlash(name)}).String()})
	}
	if _, err := w.seeds.Add(t.Context(), seeds); err != nil {
		t.Fatal(err)
	}
	w.run()
	w.sound()
	var hashes []string
	for _, new := range seeds {
		s, err := storetest.Find(t.Context(), w.seeds, new.URI)
		if err != nil || s.Status != seedlist.Parsed || s.HTTP[0].Status != 0 {
			t.Fatalf("%+v %v", s, err)
		}
		hashes = append(hashes, s.Hash)
	}
	if err := os.WriteFile(filepath.Join(dir, "b.nt"), []byte(triple+triple), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := w.seeds.Retry(t.Context(), "", hashes...); err != nil {
		t.Fatal(err)
	}
	w.run()
	w.sound()
	if n := w.counts().Unchanged; n != 2 {
		t.Errorf("%d are unchanged, want 2", n)
	}
}
