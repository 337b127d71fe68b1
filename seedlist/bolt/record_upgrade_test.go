package bolt_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/storetest"
)

// washed makes a store with seeds in many states: an archive with entries, clean files, a
// failure, names in a document, a catalog.
func washed(t testing.TB, path string, documents int) (hashes []string) {
	t.Helper()
	store := storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{HostConnections: 1 << 20, HostDelay: -1}))
	defer store.Close()
	return storetest.Populate(t, store, documents)
}

func TestAListWithoutChecksumsIsReadAndUpgraded(t *testing.T) {
	for kept := range 4 {
		path := filepath.Join(t.TempDir(), "seeds.db")
		washed(t, path, 40)
		store := storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{}))
		want := storetest.Everything(t, store)
		if err := store.ForgetSums(kept); err != nil {
			t.Fatal(err)
		}
		store.Close()
		reader := storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{ReadOnly: true}))
		if got := storetest.Everything(t, reader); got != want {
			t.Errorf("read without sums:\n%s\nwant\n%s", got, want)
		}
		if unsettled, err := reader.Unsettled(t.Context()); err != nil || !unsettled {
			t.Errorf("unsettled is %v, %v", unsettled, err)
		}
		reader.Close()
		store = storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{}))
		if got := storetest.Everything(t, store); got != want {
			t.Errorf("upgraded:\n%s\nwant\n%s", got, want)
		}
		if store.Upgraded() == 0 {
			t.Error("nothing was upgraded")
		}
		storetest.Audit(t, store)
		store.Close()
		store = storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{}))
		if store.Upgraded() != 0 {
			t.Error("it was upgraded twice")
		}
		store.Close()
	}
}

// The list was written by the last version of the program whose records had no checksum.
func TestAListOfAnOlderProgramIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seeds.db")
	packed := storetest.Must[*os.File](t)(os.Open("testdata/layout1.db.gz"))
	defer packed.Close()
	unpacked := storetest.Must[*gzip.Reader](t)(gzip.NewReader(packed))
	data := storetest.Must[[]byte](t)(io.ReadAll(unpacked))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	reader := storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{ReadOnly: true}))
	want := formatCounts.ReplaceAllString(storetest.Everything(t, reader), "")
	reader.Close()
	store := storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{}))
	defer store.Close()
	if got := formatCounts.ReplaceAllString(storetest.Everything(t, store), ""); got != want || store.Upgraded() == 0 {
		t.Errorf("%d upgraded:\n%s\nwant\n%s", store.Upgraded(), got, want)
	}
	storetest.Audit(t, store)
}

// formatCounts are the counts by format. In a list that was opened they count pages under their syntaxes, too.
var formatCounts = regexp.MustCompile(`"formats":\{[^}]*\}`)
