package daemon_test

import (
	"testing"
	"time"

	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
	"laundromat/states/daemon"
)

// retain removes what is not kept, and says how many files were named.
func (w *world) retain(kept seedlist.Retention, isDry bool) (sums seedlist.Trimmed, found int) {
	w.t.Helper()
	pass := daemon.Retaining{Seeds: w.seeds, Files: w.files, Kept: kept, DryRun: isDry, Found: func(u daemon.Unkept) error {
		found++
		return nil
	}}
	sums, err := pass.Run(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return sums, found
}

var keepNone = seedlist.Retention{Dirty: seedlist.DirtyKept{Which: "none"}, Notices: 1}

// What is not kept goes, with nothing that a record names; the store is sound, and goes on as before.
func TestWhatIsNotKeptGoesWithNothingThatARecordNames(t *testing.T) {
	w := newWorld(t, seedlist.Options{KeepVersions: 3})
	faulty := nt("a") + "<http://e/broken> oops .\n"
	p := w.page("/a", []byte(faulty))
	w.page("/b.zip", zipOf(t, "x.nt", nt("x"), "y.nt", nt("y")))
	w.page("/c", []byte("neither this nor that"))
	w.add("/a", "/b.zip", "/c")
	w.run()
	before := count(t, w.files)
	dry, named := w.retain(keepNone, true)
	if count(t, w.files) != before || dry.Dirty != 5 || dry.Notices == 0 || int64(named) != dry.Dirty+dry.Notices {
		t.Fatalf("a dry run: %+v, %d named, %d of %d files", dry, named, count(t, w.files), before)
	}
	if is, _ := w.retain(keepNone, false); is != dry {
		t.Errorf("%+v were removed, and a dry run said %+v", is, dry)
	}
	if left := count(t, w.files); left != before-named {
		t.Errorf("%d files are left of %d, %d went", left, before, named)
	}
	if is, _ := w.retain(keepNone, false); is != (seedlist.Trimmed{}) {
		t.Errorf("a second time: %+v", is)
	}
	w.sound()
	// Washed again from the stored bytes is refused aloud; forced, they are fetched.
	mender := daemon.NewMender(w.seeds, w.files)
	for _, seed := range []seedlist.Seed{w.seed("/a"), w.child("/b.zip", "x.nt")} {
		all, err := mender.Again(t.Context(), seedlist.Rewash, false, seed)
		if err != nil || all[0].Err == nil {
			t.Fatalf("%+v %v", all, err)
		}
	}
	for range 2 { // unchanged bytes stay as they are, also those that are not kept
		w.retry("/a", "/b.zip")
		w.run()
		w.sound()
	}
	if seed := w.seed("/a"); seed.HasDirty() || seed.Status != seedlist.Parsed {
		t.Errorf("%s %+v", seed.Status, seed.Removed)
	}
	p.set(200, []byte(nt("other")))
	w.retry("/a")
	w.run()
	w.sound()
	if seed := w.seed("/a"); !seed.HasDirty() || w.stored(seed) != nt("other") {
		t.Errorf("%+v", seed.Removed)
	}
	all, err := mender.Again(t.Context(), seedlist.Force, false, w.seed("/b.zip"))
	if err != nil || all[0].Err != nil {
		t.Fatal(all, err)
	}
	w.run()
	w.sound()
	if x := w.child("/b.zip", "x.nt"); !x.HasDirty() || x.Status != seedlist.Parsed {
		t.Errorf("%s %+v", x.Status, x.Removed)
	}
}

// The bytes of a last good wash that is not the last stay, whatever came since, and those of what came go.
func TestBytesOfALastGoodWashStayWhileItIsNotTheLast(t *testing.T) {
	for name, bad := range map[string]struct {
		status int
		body   string
	}{"not found": {404, "gone"}, "a login page": {200, loginPage}, "an archive": {200, string(zipOf(t, "x.nt", nt("x")))}} {
		for _, isKept := range []bool{true, false} { // the bytes of the good wash, before the others came
			w := newWorld(t, seedlist.Options{})
			w.opt.Retries.Tries = 1
			p := w.page("/a", []byte(nt("good")))
			w.add("/a")
			w.run()
			if !isKept {
				w.retain(keepNone, false)
			}
			p.set(bad.status, []byte(bad.body))
			w.retry("/a")
			w.run()
			w.sound()
			w.retain(keepNone, false)
			w.sound()
			seed := w.seed("/a")
			served := seed.Served()
			if served.HasDirty() != isKept || isKept && w.stored(served) != nt("good") || seed.Behind() == "" {
				t.Errorf("%s, %v: %+v of %+v", name, isKept, served.Removed, seed.Removed)
			}
			p.set(200, []byte(nt("well")))
			w.retry("/a")
			w.run()
			w.sound()
			if seed := w.seed("/a"); !seed.HasDirty() || w.stored(seed) != nt("well") {
				t.Errorf("%s, %v: %+v", name, isKept, seed.Removed)
			}
		}
	}
}

// A kill between the record and the file leaves a file without a record, and nothing else.
func TestAKillWhileRetainingLeavesOnlyFilesWithoutARecord(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.page("/a", []byte(nt("a")))
	w.add("/a")
	w.run()
	was := w.seed("/a")
	all, err := w.seeds.Retain(t.Context(), keepNone, false, was.Hash)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	sums, err := daemon.Verify(t.Context(), w.seeds, w.files, func(d daemon.Damage) error { return nil })
	if err != nil || sums.Bad != 0 || sums.Strays != 1 {
		t.Errorf("%+v %v", sums, err)
	}
	left, err := daemon.RemoveLeftovers(t.Context(), w.seeds, w.files, daemon.LeftoverOptions{Before: time.Now().Add(time.Minute)},
		func(daemon.Leftover) error { return nil })
	if err != nil || left.Files != 1 {
		t.Errorf("%+v %v", left, err)
	}
	if _, err := w.files.Open(seedfile.Key(&was, files.Dirty), files.Dirty); err == nil {
		t.Error("the bytes are still there")
	}
	w.sound()
}
