package bolt_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
)

// zip is an archive's entries: names and what their bytes are.
func zip(entries ...string) (children []seedlist.Child) {
	for _, e := range entries {
		name, bytes, _ := strings.Cut(e, "=")
		size := int64(len(bytes))
		children = append(children, seedlist.Child{
			Name: name, Archive: seedlist.Archive{Format: "zip", Size: &size}, Content: *contentOf(bytes),
		})
	}
	return children
}

// deplete brings the one archive that is added through its stages.
func deplete(t testing.TB, store *bolt.Store, children []seedlist.Child) {
	t.Helper()
	complete(t, store, claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
	complete(t, store, claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Depleted, Children: children})
}

func TestAnArchiveDepletedAgainFilesOnlyWhatChanged(t *testing.T) {
	store := open(t, seedlist.Options{Interval: time.Hour})
	if _, err := store.Add(t.Context(), []seedlist.NewSeed{{URI: "http://example.org/a.zip", Priority: 4, Source: "list"}}); err != nil {
		t.Fatal(err)
	}
	parent := seedlist.Key("http://example.org/a.zip")
	child := func(name string, n int) string { return seedlist.ChildKey(parent, name, n) }
	deplete(t, store, zip("same=1", "changes=1", "goes=1", "twice=1", "twice=2", "caf\xe9=1", "fails=1"))
	p := seed(t, store, parent)
	if p.Status != seedlist.Depleted || *p.ChildrenTotal != 7 || len(p.Children) != 7 || p.Children[0] != child("same", 1) || p.Children[4] != child("twice", 2) {
		t.Fatalf("%+v", p)
	}
	c := seed(t, store, child("caf\xe9", 1))
	if c.Parent != parent || c.Archive.Name() != "caf\xe9" || c.Archive.Entry != "caf\uFFFD" || c.Priority != 4 || c.Source != "list" || *c.Interval != 3600 || c.Gone == nil || *c.Gone {
		t.Errorf("%+v", c)
	}
	if c := seed(t, store, child("twice", 2)); c.Archive.Nth != 2 {
		t.Errorf("%+v", c.Archive)
	}
	if errs, _ := store.Retry(t.Context(), "", parent); errs[0] != seedlist.ErrNotAtRest {
		t.Errorf("retried while its entries are being worked on: %v", errs)
	}
	audit(t, store)

	// All entries end; one fails, one is an archive of its own.
	inner := child("same", 1)
	for range 7 {
		c := claim(t, store, seedlist.Unarchiving)
		switch c.Seed.Hash {
		case child("fails", 1):
			complete(t, store, c, seedlist.Outcome{Next: seedlist.Failed})
		case inner:
			complete(t, store, c, seedlist.Outcome{Next: seedlist.Depleted, Children: zip("x=1")})
		default:
			complete(t, store, c, seedlist.Outcome{Next: seedlist.Unarchived})
		}
	}
	for range 5 {
		complete(t, store, claim(t, store, seedlist.Guessing), seedlist.Outcome{Next: seedlist.Failed})
	}
	if errs, _ := store.Retry(t.Context(), "", parent); errs[0] != seedlist.ErrNotAtRest {
		t.Errorf("retried while an entry's entry is being worked on: %v", errs)
	}
	complete(t, store, claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Failed})
	audit(t, store)
	if errs, err := store.Retry(t.Context(), "", parent); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	if errs, _ := store.Retry(t.Context(), "", child("fails", 1)); errs[0] != seedlist.ErrNotAtRest {
		t.Errorf("a child retried while its archive is being fetched: %v", errs)
	}

	deplete(t, store, zip("same=1", "changes=2", "twice=2", "twice=1", "new=1", "caf\xe9=1", "fails=1"))
	for hash, want := range map[string]seedlist.State{
		inner: seedlist.Depleted, child("changes", 1): seedlist.Filed, child("goes", 1): seedlist.Failed, child("twice", 1): seedlist.Filed,
		child("twice", 2): seedlist.Filed, child("new", 1): seedlist.Filed, child("caf\xe9", 1): seedlist.Failed, child("fails", 1): seedlist.Failed,
	} {
		s := seed(t, store, hash)
		if gone := hash == child("goes", 1); s.Status != want || *s.Gone != gone {
			t.Errorf("%s: %s, gone %v; want %s", s.Archive.Entry, s.Status, *s.Gone, want)
		}
	}
	if c := seed(t, store, child("changes", 1)); c.Content.SHA256 != contentOf("2").SHA256 {
		t.Error("the record has the old content")
	}
	if p := seed(t, store, parent); *p.ChildrenTotal != 8 {
		t.Errorf("%d children", *p.ChildrenTotal)
	}
	audit(t, store)

	// An entry comes back; then the archive is a plain file.
	for range 4 {
		complete(t, store, claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Failed})
	}
	for _, again := range []func(){
		func() { deplete(t, store, zip("goes=1")) },
		func() {
			complete(t, store, claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
			complete(t, store, claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Unarchived})
		},
	} {
		if errs, err := store.Retry(t.Context(), "", parent); err != nil || errs[0] != nil {
			t.Fatal(errs, err)
		}
		again()
		goes := seed(t, store, child("goes", 1))
		if still := seed(t, store, parent).Status == seedlist.Depleted; *goes.Gone == still || goes.Status != seedlist.Failed {
			t.Errorf("%+v", goes.Standing)
		}
		if !*seed(t, store, inner).Gone {
			t.Error("not gone")
		}
		audit(t, store)
	}
}

// A child of which the bytes are the same, but not what is to be made of them, loses what
// is known of it.
func TestAStaleChildIsFiledAgain(t *testing.T) {
	store := open(t, seedlist.Options{})
	parent := add(t, store, "http://example.org/a.zip")[0]
	deplete(t, store, zip("a=1", "b=2"))
	for _, name := range []string{"a", "b"} {
		complete(t, store, claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Unarchived})
		complete(t, store, claim(t, store, seedlist.Guessing), seedlist.Outcome{Next: seedlist.Guessed})
		complete(t, store, claim(t, store, seedlist.Parsing), seedlist.Outcome{Next: seedlist.Parsed, Clean: &seedlist.Clean{Content: *contentOf(name)},
			Update: func(r *seedlist.Record) { r.Washer, r.WashedWith = "1", []string{"--strict"} }})
	}
	if errs, err := store.Retry(t.Context(), "", parent); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	complete(t, store, claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
	a, b := seedlist.ChildKey(parent, "a", 1), seedlist.ChildKey(parent, "b", 1)
	again := zip("a=1", "b=2")
	again[0].Again = true
	complete(t, store, claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Depleted, Children: again})
	wantState(t, store, a, seedlist.Filed)
	wantState(t, store, b, seedlist.Parsed)
	if s := seed(t, store, a); s.Clean != "" || s.WashedWith != nil {
		t.Errorf("%+v", s.Record)
	}
	audit(t, store)
}

func TestAChildBeginsAgainBeforeTheStageThatFailed(t *testing.T) {
	store := open(t, seedlist.Options{})
	parent := add(t, store, "http://example.org/a.zip")[0]
	deplete(t, store, zip("a=1"))
	child := seedlist.ChildKey(parent, "a", 1)
	complete(t, store, claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Unarchived})
	complete(t, store, claim(t, store, seedlist.Guessing), seedlist.Outcome{Next: seedlist.Failed})
	if errs, err := store.Retry(t.Context(), "", child); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	wantState(t, store, child, seedlist.Unarchived)
	complete(t, store, claim(t, store, seedlist.Guessing), seedlist.Outcome{Next: seedlist.Guessed})
	complete(t, store, claim(t, store, seedlist.Parsing), seedlist.Outcome{Next: seedlist.Parsed, Clean: &seedlist.Clean{Content: *contentOf("c")}})
	if errs, _ := store.Retry(t.Context(), "", child); errs[0] != seedlist.ErrNoURI {
		t.Errorf("a child that was parsed began again: %v", errs)
	}
	if errs, _ := store.Retry(t.Context(), "", contentOf("c").MD5); errs[0] != seedlist.ErrNoURI {
		t.Errorf("a clean seed moved: %v", errs)
	}
	audit(t, store)
}

func TestRemovalTakesAllThatIsBelow(t *testing.T) {
	store := open(t, seedlist.Options{})
	parent := add(t, store, "http://example.org/a.zip", "http://example.org/b")[0]
	var entries []string
	for i := range 2500 {
		entries = append(entries, fmt.Sprintf("e%d=%d", i, i))
	}
	complete(t, store, claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
	complete(t, store, claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Depleted, Children: zip(entries...)})
	held := claim(t, store, seedlist.Unarchiving)
	complete(t, store, claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Depleted, Children: zip("inner=1")})
	working := claim(t, store, seedlist.Downloading)
	p := seed(t, store, parent)
	if len(p.Children) != seedlist.MaxLinks || *p.ChildrenTotal != 2500 {
		t.Fatalf("%d of %d", len(p.Children), *p.ChildrenTotal)
	}
	if errs, err := store.Remove(t.Context(), held.Seed.Hash); err != nil || errs[0] != seedlist.ErrDerived {
		t.Fatal(errs, err)
	}
	errs, err := store.Remove(t.Context(), parent, seedlist.Key("http://none.example/"), working.Seed.Hash)
	if err != nil || errs[0] != nil || errs[1] != seedlist.ErrNotFound || errs[2] != nil {
		t.Fatal(errs, err)
	}
	for _, c := range []seedlist.Claim{held, working} {
		if err := store.Complete(t.Context(), c, seedlist.Outcome{Next: c.Stage.Next()[0]}); err != seedlist.ErrLost {
			t.Errorf("%v", err)
		}
	}
	// A new seed of the same URI is not the old one, whatever its fence.
	add(t, store, "http://example.org/b")
	if c := claim(t, store, seedlist.Downloading); c.Fence != working.Fence {
		t.Errorf("fence %d", c.Fence)
	}
	if err := store.Complete(t.Context(), working, seedlist.Outcome{Next: seedlist.Filed}); err != seedlist.ErrLost {
		t.Errorf("%v", err)
	}
	counts := must[seedlist.Counts](t)(store.Counts(t.Context()))
	if counts.Seeds != 1 || counts.Bytes != 0 {
		t.Errorf("%+v", counts)
	}
	audit(t, store)
}

func TestChildrenThatAreFiledInPartsSurviveACrashBetweenThem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seeds.db")
	store, err := bolt.Open(path, seedlist.Options{HostDelay: -1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Add(t.Context(), []seedlist.NewSeed{{URI: "http://example.org/a.zip"}}); err != nil {
		t.Fatal(err)
	}
	parent := seedlist.Key("http://example.org/a.zip")
	parts := [][]seedlist.Child{zip("a=1", "b=1"), zip("b=2", "c=1"), zip("d=1")}
	parts[1][0].Nth = 2 // the second of that name
	for _, part := range parts {
		for i := range part {
			part[i].Nth = max(part[i].Nth, 1)
		}
	}
	unpacked := func(r *seedlist.Record) { r.Archive = &seedlist.Archive{Format: "zip", Unpacked: 5} }
	complete(t, store, claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
	c := claim(t, store, seedlist.Unarchiving)
	for i, part := range parts[:2] {
		update := unpacked
		if i > 0 {
			update = nil
		}
		if filed, err := store.FileChildren(t.Context(), c, part, update); err != nil || len(filed) != 2 {
			t.Fatal(filed, err)
		}
		audit(t, store)
	}
	if p := seed(t, store, parent); p.Status != seedlist.Unarchiving || *p.ChildrenTotal != 4 || p.Archive.Unpacked != 5 {
		t.Fatalf("%+v", p)
	}
	if errs, _ := store.Retry(t.Context(), "", parent); errs[0] == nil {
		t.Error("it is retried while it is being worked on")
	}
	// One entry is done before the crash.
	complete(t, store, claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Failed})
	store.Close()
	if store, err = bolt.Open(path, seedlist.Options{HostDelay: -1}); err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if _, err := store.FileChildren(t.Context(), c, parts[2], nil); err != seedlist.ErrLost {
		t.Errorf("a claim of before the crash files entries: %v", err)
	}
	var again seedlist.Claim
	for again.Seed.Hash != parent {
		again = claim(t, store, seedlist.Unarchiving)
	}
	var filed []uint64
	for _, part := range parts {
		ids, err := store.FileChildren(t.Context(), again, part, nil)
		if err != nil {
			t.Fatal(err)
		}
		filed = append(filed, ids...)
	}
	complete(t, store, again, seedlist.Outcome{Next: seedlist.Depleted, Filed: filed})
	audit(t, store)
	p := seed(t, store, parent)
	if p.Status != seedlist.Depleted || *p.ChildrenTotal != 5 {
		t.Errorf("%d children: %+v", *p.ChildrenTotal, p)
	}
	if c := seed(t, store, seedlist.ChildKey(parent, "b", 2)); c.Archive.Nth != 2 || *c.Gone {
		t.Errorf("%+v", c)
	}
	failed := 0
	for _, hash := range p.Children {
		if seed(t, store, hash).Status == seedlist.Failed {
			failed++
		}
	}
	if failed != 1 {
		t.Errorf("%d entries are failed: the one that was done is done again, or others are", failed)
	}
}

// TestRecordIsTheSeedWithoutItsLinks compares the two ways to ask for a record.
func TestRecordIsTheSeedWithoutItsLinks(t *testing.T) {
	store := open(t, seedlist.Options{})
	if _, err := store.Add(t.Context(), []seedlist.NewSeed{{URI: "http://example.org/a.zip"}}); err != nil {
		t.Fatal(err)
	}
	deplete(t, store, zip("one=1", "two=2"))
	want := seed(t, store, seedlist.Key("http://example.org/a.zip"))
	if len(want.Children) != 2 {
		t.Fatalf("%+v", want)
	}
	got, err := store.Record(t.Context(), want.Hash)
	if want.Children, want.ChildrenTotal = nil, nil; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, where %+v is asked for", got, err, want)
	}
	if _, err := store.Record(t.Context(), strings.Repeat("0", 32)); err != seedlist.ErrNotFound {
		t.Errorf("error %v", err)
	}
}
