package main

import (
	"path/filepath"
	"strings"
	"testing"

	"laundromat/seedlist"
	"laundromat/storage"
)

// A list that goes from a file into a database, and from there into a file, is equal to itself.
func TestSeedListsGoFromOneStoreToAnother(t *testing.T) {
	address := database(t).Address
	data, far, back := washedFolder(t), t.TempDir(), filepath.Join(t.TempDir(), "back")
	text := output(t, "seed", "export", "--data", data)
	one, other := filepath.Join(t.TempDir(), "one.jsonl"), filepath.Join(t.TempDir(), "other.jsonl.gz")
	output(t, "seed", "export", "--data", data, "-o", one)

	list, err := storage.OpenList(t.Context(), far, address, seedlist.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := list.Close(); err != nil {
		t.Fatal(err)
	}
	output(t, "seed", "import", one, "--data", far)
	wantSameList(t, data, address)
	output(t, "seed", "export", "--data", far, "-o", other)
	output(t, "seed", "import", other, "--init", "--data", back)
	wantSameList(t, back, address)
	_, rows, _ := strings.Cut(text, "\n")
	if _, now, _ := strings.Cut(output(t, "seed", "export", "--data", back), "\n"); now != rows {
		t.Errorf("the rows were\n%s\nand are\n%s", rows, now)
	}
}
