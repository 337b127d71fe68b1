package storetest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"laundromat/seedlist"
)

func anArchiveDepletedAgainFilesOnlyWhatChanged(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{Interval: time.Hour})
	if _, err := store.Add(t.Context(), []seedlist.NewSeed{{URI: "http://example.org/a.zip", Priority: 4, Source: "list"}}); err != nil {
		t.Fatal(err)
	}
	parent := seedlist.Key("http://example.org/a.zip")
	child := func(name string, n int) string { return seedlist.ChildKey(parent, name, n) }
	Deplete(t, store, Zip("same=1", "changes=1", "goes=1", "twice=1", "twice=2", "caf\xe9=1", "fails=1"))
	p := Seed(t, store, parent)
	if p.Status != seedlist.Depleted || *p.ChildrenTotal != 7 || len(p.Children) != 7 || p.Children[0] != child("same", 1) ||
		p.Children[4] != child("twice", 2) {
		t.Fatalf("%+v", p)
	}
	c := Seed(t, store, child("caf\xe9", 1))
	if c.Parent != parent || c.Archive.Name() != "caf\xe9" || c.Archive.Entry != "caf\uFFFD" || c.Priority != 4 || c.Source != "list" ||
		*c.Interval != 3600 || c.Gone == nil || *c.Gone {
		t.Errorf("%+v", c)
	}
	if c := Seed(t, store, child("twice", 2)); c.Archive.Nth != 2 {
		t.Errorf("%+v", c.Archive)
	}
	if errs, _ := store.Retry(t.Context(), "", parent); errs[0] != seedlist.ErrNotAtRest {
		t.Errorf("retried while its entries are being worked on: %v", errs)
	}
	Audit(t, store)

	// All entries end; one fails, one is an archive of its own.
	inner := child("same", 1)
	for range 7 {
		c := Claim(t, store, seedlist.Unarchiving)
		switch c.Seed.Hash {
		case child("fails", 1):
			Complete(t, store, c, seedlist.Outcome{Next: seedlist.Failed})
		case inner:
			Complete(t, store, c, seedlist.Outcome{Next: seedlist.Depleted, Children: Zip("x=1")})
		default:
			Complete(t, store, c, seedlist.Outcome{Next: seedlist.Unarchived})
		}
	}
	for range 5 {
		Complete(t, store, Claim(t, store, seedlist.Guessing), seedlist.Outcome{Next: seedlist.Failed})
	}
	if errs, _ := store.Retry(t.Context(), "", parent); errs[0] != seedlist.ErrNotAtRest {
		t.Errorf("retried while an entry's entry is being worked on: %v", errs)
	}
	Complete(t, store, Claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Failed})
	Audit(t, store)
	if errs, err := store.Retry(t.Context(), "", parent); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	if errs, _ := store.Retry(t.Context(), "", child("fails", 1)); errs[0] != seedlist.ErrNotAtRest {
		t.Errorf("a child retried while its archive is being fetched: %v", errs)
	}

	Deplete(t, store, Zip("same=1", "changes=2", "twice=2", "twice=1", "new=1", "caf\xe9=1", "fails=1"))
	for hash, want := range map[string]seedlist.State{
		inner: seedlist.Depleted, child("changes", 1): seedlist.Filed, child("goes", 1): seedlist.Failed, child("twice", 1): seedlist.Filed,
		child("twice", 2): seedlist.Filed, child("new", 1): seedlist.Filed, child("caf\xe9", 1): seedlist.Failed,
		child("fails", 1): seedlist.Failed,
	} {
		s := Seed(t, store, hash)
		if gone := hash == child("goes", 1); s.Status != want || *s.Gone != gone {
			t.Errorf("%s: %s, gone %v; want %s", s.Archive.Entry, s.Status, *s.Gone, want)
		}
	}
	if c := Seed(t, store, child("changes", 1)); c.Content.SHA256 != ContentOf("2").SHA256 {
		t.Error("the record has the old content")
	}
	if p := Seed(t, store, parent); *p.ChildrenTotal != 8 {
		t.Errorf("%d children", *p.ChildrenTotal)
	}
	Audit(t, store)

	// An entry comes back; then the archive is a plain file.
	for range 4 {
		Complete(t, store, Claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Failed})
	}
	for _, again := range []func(){
		func() { Deplete(t, store, Zip("goes=1")) },
		func() {
			Complete(t, store, Claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
			Complete(t, store, Claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Unarchived})
		},
	} {
		if errs, err := store.Retry(t.Context(), "", parent); err != nil || errs[0] != nil {
			t.Fatal(errs, err)
		}
		again()
		goes := Seed(t, store, child("goes", 1))
		if still := Seed(t, store, parent).Status == seedlist.Depleted; *goes.Gone == still || goes.Status != seedlist.Failed {
			t.Errorf("%+v", goes.Standing)
		}
		if !*Seed(t, store, inner).Gone {
			t.Error("not gone")
		}
		Audit(t, store)
	}
}

// A child of which the bytes are the same, but not what is to be made of them, loses what
// is known of it.
func aStaleChildIsFiledAgain(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	parent := Add(t, store, "http://example.org/a.zip")[0]
	Deplete(t, store, Zip("a=1", "b=2"))
	for _, name := range []string{"a", "b"} {
		Complete(t, store, Claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Unarchived})
		Complete(t, store, Claim(t, store, seedlist.Guessing), seedlist.Outcome{Next: seedlist.Guessed})
		Complete(t, store, Claim(t, store, seedlist.Parsing),
			seedlist.Outcome{Next: seedlist.Parsed, Clean: &seedlist.Clean{Content: *ContentOf(name)},
				Update: func(r *seedlist.Record) { r.Washer, r.WashedWith = "1", []string{"--strict"} }})
	}
	if errs, err := store.Retry(t.Context(), "", parent); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	Complete(t, store, Claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
	a, b := seedlist.ChildKey(parent, "a", 1), seedlist.ChildKey(parent, "b", 1)
	again := Zip("a=1", "b=2")
	again[0].Again = true
	Complete(t, store, Claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Depleted, Children: again})
	WantState(t, store, a, seedlist.Filed)
	WantState(t, store, b, seedlist.Parsed)
	if s := Seed(t, store, a); s.Clean != "" || s.WashedWith != nil {
		t.Errorf("%+v", s.Record)
	}
	Audit(t, store)
}

func aChildBeginsAgainBeforeTheStageThatFailed(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	parent := Add(t, store, "http://example.org/a.zip")[0]
	Deplete(t, store, Zip("a=1"))
	child := seedlist.ChildKey(parent, "a", 1)
	Complete(t, store, Claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Unarchived})
	Complete(t, store, Claim(t, store, seedlist.Guessing), seedlist.Outcome{Next: seedlist.Failed})
	if errs, err := store.Retry(t.Context(), "", child); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	WantState(t, store, child, seedlist.Unarchived)
	Complete(t, store, Claim(t, store, seedlist.Guessing), seedlist.Outcome{Next: seedlist.Guessed})
	Complete(t, store, Claim(t, store, seedlist.Parsing),
		seedlist.Outcome{Next: seedlist.Parsed, Clean: &seedlist.Clean{Content: *ContentOf("c")}})
	if errs, _ := store.Retry(t.Context(), "", child); errs[0] != seedlist.ErrNoURI {
		t.Errorf("a child that was parsed began again: %v", errs)
	}
	if errs, _ := store.Retry(t.Context(), "", ContentOf("c").MD5); errs[0] != seedlist.ErrNoURI {
		t.Errorf("a clean seed moved: %v", errs)
	}
	Audit(t, store)
}

func removalTakesAllThatIsBelow(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	parent := Add(t, store, "http://example.org/a.zip", "http://example.org/b")[0]
	var entries []string
	for i := range 2500 {
		entries = append(entries, fmt.Sprintf("e%d=%d", i, i))
	}
	Complete(t, store, Claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
	Complete(t, store, Claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Depleted, Children: Zip(entries...)})
	held := Claim(t, store, seedlist.Unarchiving)
	Complete(t, store, Claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Depleted, Children: Zip("inner=1")})
	working := Claim(t, store, seedlist.Downloading)
	p := Seed(t, store, parent)
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
	Add(t, store, "http://example.org/b")
	if c := Claim(t, store, seedlist.Downloading); c.Fence != working.Fence {
		t.Errorf("fence %d", c.Fence)
	}
	if err := store.Complete(t.Context(), working, seedlist.Outcome{Next: seedlist.Filed}); err != seedlist.ErrLost {
		t.Errorf("%v", err)
	}
	counts := Must[seedlist.Counts](t)(store.Counts(t.Context()))
	if counts.Seeds != 1 || counts.Bytes != 0 {
		t.Errorf("%+v", counts)
	}
	Audit(t, store)
}

// recordIsTheSeedWithoutItsLinks compares the two ways to ask for a record.
func recordIsTheSeedWithoutItsLinks(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	if _, err := store.Add(t.Context(), []seedlist.NewSeed{{URI: "http://example.org/a.zip"}}); err != nil {
		t.Fatal(err)
	}
	Deplete(t, store, Zip("one=1", "two=2"))
	want := Seed(t, store, seedlist.Key("http://example.org/a.zip"))
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

func childrenMayBeFiledInParts(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	parent := Add(t, store, "http://example.org/a.zip")[0]
	Complete(t, store, Claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
	lost := Claim(t, store, seedlist.Unarchiving)
	filed := Must[seedlist.FiledChildren](t)(store.FileChildren(t.Context(), lost, Zip("a=1", "goes=1"), func(r *seedlist.Record) {
		r.Archive = &seedlist.Archive{Format: "zip", Unpacked: 5}
	}))
	p := Seed(t, store, parent)
	if len(filed) == 0 || p.Status != seedlist.Unarchiving || *p.ChildrenTotal != 2 || p.Archive.Unpacked != 5 {
		t.Fatalf("%v, %+v", filed, p)
	}
	if errs, _ := store.Retry(t.Context(), "", parent); errs[0] != seedlist.ErrNotAtRest {
		t.Errorf("retried while it is worked on: %v", errs[0])
	}
	// The work is done again, and meets what is there. One entry is done already.
	if err := store.GiveBack(t.Context(), lost, seedlist.Return{}); err != nil {
		t.Fatal(err)
	}
	if _, err := store.FileChildren(t.Context(), lost, Zip("b=1"), nil); err != seedlist.ErrLost {
		t.Errorf("a lost claim files entries: %v", err)
	}
	var again seedlist.Claim
	for range 3 {
		switch c := Claim(t, store, seedlist.Unarchiving); c.Seed.Hash {
		case parent:
			again = c
		case seedlist.ChildKey(parent, "a", 1):
			Complete(t, store, c, seedlist.Outcome{Next: seedlist.Failed})
		}
	}
	filed = nil
	for _, part := range [][]seedlist.Child{Zip("a=1"), Zip("b=1", "c=1")} {
		filed = append(filed, Must[seedlist.FiledChildren](t)(store.FileChildren(t.Context(), again, part, nil))...)
	}
	Complete(t, store, again, seedlist.Outcome{Next: seedlist.Depleted, Filed: filed, Children: Zip("d=1")})
	if p := Seed(t, store, parent); *p.ChildrenTotal != 5 {
		t.Errorf("%d children", *p.ChildrenTotal)
	}
	WantState(t, store, seedlist.ChildKey(parent, "a", 1), seedlist.Failed)
	WantState(t, store, seedlist.ChildKey(parent, "d", 1), seedlist.Filed)
	for name, gone := range map[string]bool{"a": false, "b": false, "goes": true} {
		if s := Seed(t, store, seedlist.ChildKey(parent, name, 1)); *s.Gone != gone {
			t.Errorf("%s: gone is %v", name, *s.Gone)
		}
	}
	Audit(t, store)
}
