package bolt_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/storetest"
)

// An older list counts a page as HTML alone. It is counted under its syntaxes when the list is opened, once, and a page
// that goes is taken out of the counts again.
func TestPagesOfAnOlderListAreCountedUnderTheirSyntaxes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seeds.db")
	store := storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{}))
	hashes := storetest.Pages(t, store)
	want := storetest.Must[seedlist.Counts](t)(store.Counts(t.Context())).Formats
	if err := store.ForgetSyntaxes(); err != nil {
		t.Fatal(err)
	}
	if before := storetest.Must[seedlist.Counts](t)(store.Counts(t.Context())).Formats; before["RDFa"] != 1 || before["Microdata"] != 0 ||
		before["HTML"] != want["HTML"] {
		t.Errorf("an older list counts %v", before)
	}
	store.Close()
	for range 2 {
		store = storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{}))
		if got := storetest.Must[seedlist.Counts](t)(store.Counts(t.Context())).Formats; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v, want %v", got, want)
		}
		storetest.Audit(t, store)
		if isUnsettled, err := store.Unsettled(t.Context()); isUnsettled || err != nil {
			t.Error("opening it again would change it", err)
		}
		store.Close()
	}
	store = storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{}))
	defer store.Close()
	for _, hash := range hashes {
		if _, err := store.Remove(t.Context(), hash); err != nil {
			t.Fatal(err)
		}
	}
	storetest.Audit(t, store)
}
