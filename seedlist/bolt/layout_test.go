package bolt_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/storetest"
)

// A list of another layout is refused with the build that reads it, whether it is opened to be read or to be
// written, and stays as it is.
func TestAListOfAnotherLayoutIsRefused(t *testing.T) {
	packed := storetest.Must[*os.File](t)(os.Open("testdata/layout1.db.gz"))
	defer packed.Close()
	first := storetest.Must[[]byte](t)(io.ReadAll(storetest.Must[*gzip.Reader](t)(gzip.NewReader(packed))))
	marked := func(name string, value []byte) []byte {
		path := filepath.Join(t.TempDir(), "seeds.db")
		store := storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{}))
		storetest.Add(t, store, "http://example.org/")
		if err := store.SetMark(name, value); err != nil {
			t.Fatal(err)
		}
		store.Close()
		return storetest.Must[[]byte](t)(os.ReadFile(path))
	}
	for name, list := range map[string][]byte{
		"the first layout":              first,
		"its version alone":             marked("version", []byte("1")),
		"a version to come":             marked("version", []byte("3")),
		"no version":                    marked("version", nil),
		"an empty version":              marked("version", []byte{}),
		"sums that are still added":     marked("sums", []byte{2}),
		"no identifiers of 2018":        marked("oldkeys", nil),
		"no counts by syntax":           marked("syntaxes", nil),
		"counts by syntax on their way": marked("syntaxes", []byte{0, 0, 0, 0, 0, 0, 0, 9}),
	} {
		path := filepath.Join(t.TempDir(), "seeds.db")
		if err := os.WriteFile(path, list, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, readOnly := range []bool{true, false} {
			store, err := bolt.Open(path, seedlist.Options{ReadOnly: readOnly})
			if err == nil {
				store.Close()
			}
			if err == nil || !strings.Contains(err.Error(), "the build f6570a6e brings older lists to it") {
				t.Errorf("%s, read only %v: %v", name, readOnly, err)
			}
		}
		if after := storetest.Must[[]byte](t)(os.ReadFile(path)); string(after) != string(list) {
			t.Errorf("%s: the list has changed", name)
		}
	}
	path := filepath.Join(t.TempDir(), "seeds.db")
	if err := os.WriteFile(path, marked("another", []byte{1}), 0o600); err != nil {
		t.Fatal(err)
	}
	store, err := bolt.Open(path, seedlist.Options{})
	if err != nil {
		t.Fatalf("a list of this layout: %v", err)
	}
	store.Close()
}
