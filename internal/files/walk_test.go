package files_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"laundromat/internal/fault"
	"laundromat/internal/files"
)

func TestSweepSparesWhatIsInUse(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	p := sealed(t, s, "a", files.Clean, "x")
	if err := os.WriteFile(filepath.Join(dir, "blobs", "temp", "left"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Sweep(t.Context(), files.SweepOptions{}); n != 1 || err != nil {
		t.Errorf("%d removed, %v", n, err)
	}
	if err := s.Commit(t.Context(), p); err != nil {
		t.Error(err)
	}
}

func TestWalkPassesOverWhatIsNotTheStores(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	if err := s.Commit(t.Context(), sealed(t, s, "a", files.Clean, "x"), sealed(t, s, "b", files.Dirty, "xyz")); err != nil {
		t.Fatal(err)
	}
	h := hashOf("a")
	folder := filepath.Join(dir, "blobs", h[:2], h[2:4])
	for _, stray := range []string{
		filepath.Join(folder, h+".bak"), filepath.Join(folder, "short"), filepath.Join(dir, "blobs", "lost"),
		filepath.Join(folder, "ffff"+h[4:]+".dirty"),
	} {
		if err := os.WriteFile(stray, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{h + ".nq.gz 1", hashOf("b") + ".dirty 3"}
	slices.Sort(want)
	if got := all(t, s); !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
	enough := errors.New("enough")
	if err := s.Walk(t.Context(), func(string, files.Suffix, int64) error { return enough }); err != enough {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Walk(ctx, func(string, files.Suffix, int64) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestStoreIsOpenedWhereItCanBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Open(file); fault.KindOf(err) != fault.Local {
		t.Errorf("error %v", err)
	}
}
