package bolt_test

import (
	"path/filepath"
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/storetest"
)

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
	parts := [][]seedlist.Child{storetest.Zip("a=1", "b=1"), storetest.Zip("b=2", "c=1"), storetest.Zip("d=1")}
	parts[1][0].Nth = 2 // the second of that name
	for _, part := range parts {
		for i := range part {
			part[i].Nth = max(part[i].Nth, 1)
		}
	}
	unpacked := func(r *seedlist.Record) { r.Archive = &seedlist.Archive{Format: "zip", Unpacked: 5} }
	storetest.Complete(t, store, storetest.Claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
	c := storetest.Claim(t, store, seedlist.Unarchiving)
	for i, part := range parts[:2] {
		update := unpacked
		if i > 0 {
			update = nil
		}
		if filed, err := store.FileChildren(t.Context(), c, part, update); err != nil || len(filed) == 0 {
			t.Fatal(filed, err)
		}
		storetest.Audit(t, store)
	}
	if p := storetest.Seed(t, store, parent); p.Status != seedlist.Unarchiving || *p.ChildrenTotal != 4 || p.Archive.Unpacked != 5 {
		t.Fatalf("%+v", p)
	}
	if errs, _ := store.Retry(t.Context(), "", parent); errs[0] == nil {
		t.Error("it is retried while it is being worked on")
	}
	// One entry is done before the crash.
	storetest.Complete(t, store, storetest.Claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Failed})
	store.Close()
	if store, err = bolt.Open(path, seedlist.Options{HostDelay: -1}); err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if _, err := store.FileChildren(t.Context(), c, parts[2], nil); err != seedlist.ErrLost {
		t.Errorf("a claim of before the crash files entries: %v", err)
	}
	again, found, err := store.ClaimSuspect(t.Context(), "w")
	if err != nil || !found || again.Seed.Hash != parent {
		t.Fatal(found, err, again.Seed.Hash)
	}
	var filed seedlist.FiledChildren
	for _, part := range parts {
		ids, err := store.FileChildren(t.Context(), again, part, nil)
		if err != nil {
			t.Fatal(err)
		}
		filed = append(filed, ids...)
	}
	storetest.Complete(t, store, again, seedlist.Outcome{Next: seedlist.Depleted, Filed: filed})
	storetest.Audit(t, store)
	p := storetest.Seed(t, store, parent)
	if p.Status != seedlist.Depleted || *p.ChildrenTotal != 5 {
		t.Errorf("%d children: %+v", *p.ChildrenTotal, p)
	}
	if c := storetest.Seed(t, store, seedlist.ChildKey(parent, "b", 2)); c.Archive.Nth != 2 || *c.Gone {
		t.Errorf("%+v", c)
	}
	failed := 0
	for _, hash := range p.Children {
		if storetest.Seed(t, store, hash).Status == seedlist.Failed {
			failed++
		}
	}
	if failed != 1 {
		t.Errorf("%d entries are failed: the one that was done is done again, or others are", failed)
	}
}
