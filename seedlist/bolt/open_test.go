package bolt_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/storetest"
)

func TestCrashGivesEverythingBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seeds")
	store := storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{HostConnections: 100, HostDelay: -1}))
	defer store.Close()
	var uris []string
	for i := range 20 {
		uris = append(uris, fmt.Sprintf("http://example.org/%d", i))
	}
	storetest.Add(t, store, uris...)
	for range 10 {
		storetest.Complete(t, store, storetest.Claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
	}
	held := storetest.Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 5))
	held = append(held, storetest.Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Unarchiving, "w", 3))...)
	if len(held) != 8 {
		t.Fatal(len(held))
	}
	// What the disk holds at this moment is what a killed process leaves.
	copied := filepath.Join(t.TempDir(), "copy")
	if err := os.WriteFile(copied, storetest.Must[[]byte](t)(os.ReadFile(path)), 0o600); err != nil {
		t.Fatal(err)
	}
	reader := storetest.Must[*bolt.Store](t)(bolt.Open(copied, seedlist.Options{ReadOnly: true}))
	if s := storetest.Seed(t, reader, held[0].Seed.Hash); s.Status != seedlist.Downloading {
		t.Errorf("reading gave it back: %s", s.Status)
	}
	reader.Close()
	revived := storetest.Must[*bolt.Store](t)(bolt.Open(copied, seedlist.Options{HostConnections: 100, HostDelay: -1}))
	defer revived.Close()
	if revived.Recovered() != 8 {
		t.Errorf("recovered %d", revived.Recovered())
	}
	for _, c := range held {
		s := storetest.Seed(t, revived, c.Seed.Hash)
		if s.Status != c.Stage.Ready() || s.Tries != 0 || s.Fence != c.Fence {
			t.Errorf("%+v", s.Standing)
		}
		if err := revived.Complete(t.Context(), c, seedlist.Outcome{Next: c.Stage.Next()[0]}); err != seedlist.ErrLost {
			t.Errorf("an old claim: %v", err)
		}
	}
	claims := storetest.Must[[]seedlist.Claim](t)(revived.Claim(t.Context(), seedlist.Unarchiving, "w", 100))
	if len(claims) != 7 {
		t.Errorf("%d claims beside the suspects", len(claims))
	}
	for n := range 4 {
		c, found, err := revived.ClaimSuspect(t.Context(), "w")
		if err != nil || found != (n < 3) || found && (c.Crashes != 1 || c.Stage != seedlist.Unarchiving) {
			t.Errorf("suspect %d: %v %v %+v", n, found, err, c)
		}
	}
}

func TestOneProcessHoldsTheStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seeds")
	store := storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{}))
	for _, readOnly := range []bool{false, true} {
		_, err := bolt.Open(path, seedlist.Options{ReadOnly: readOnly, LockWait: time.Millisecond})
		var locked *bolt.LockedError
		if !errors.As(err, &locked) || locked.PID != os.Getpid() {
			t.Errorf("read only %v: %v", readOnly, err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
	if _, err := store.Add(t.Context(), []seedlist.NewSeed{{URI: "http://example.org/"}}); err != seedlist.ErrClosed {
		t.Errorf("add: %v", err)
	}
	if _, err := store.Counts(t.Context()); err != seedlist.ErrClosed {
		t.Errorf("counts: %v", err)
	}
	if err := store.Wait(t.Context(), seedlist.Parsing); err != seedlist.ErrClosed {
		t.Errorf("wait: %v", err)
	}
	if entries := storetest.Must[[]os.DirEntry](t)(os.ReadDir(filepath.Dir(path))); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestReadingCreatesAndChangesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "seeds")
	if _, err := bolt.Open(path, seedlist.Options{ReadOnly: true}); err != seedlist.ErrNoStore {
		t.Errorf("%v", err)
	}
	if entries := storetest.Must[[]os.DirEntry](t)(os.ReadDir(dir)); len(entries) != 0 {
		t.Fatal(entries)
	}
	store := storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{}))
	hash := storetest.Add(t, store, "http://example.org/")[0]
	store.Close()
	before := storetest.Must[[]byte](t)(os.ReadFile(path))
	first := storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{ReadOnly: true}))
	defer first.Close()
	second := storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{ReadOnly: true}))
	defer second.Close()
	storetest.WantState(t, first, hash, seedlist.Added)
	storetest.WantState(t, second, hash, seedlist.Added)
	if _, err := second.Add(t.Context(), []seedlist.NewSeed{{URI: "http://example.org/2"}}); err != seedlist.ErrReadOnly {
		t.Errorf("%v", err)
	}
	if _, err := second.Claim(t.Context(), seedlist.Downloading, "w", 1); err != seedlist.ErrReadOnly {
		t.Errorf("%v", err)
	}
	if string(storetest.Must[[]byte](t)(os.ReadFile(path))) != string(before) {
		t.Error("the file changed")
	}
	other := filepath.Join(dir, "other")
	if err := os.WriteFile(other, []byte("this isn't a seed list, but a text that is longer than a page is not either"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := bolt.Open(other, seedlist.Options{}); err == nil {
		t.Error("opened a text")
	}
}
