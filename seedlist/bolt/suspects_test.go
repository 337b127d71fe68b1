package bolt_test

import (
	"path/filepath"
	"testing"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/storetest"
)

// deathbed is a list whose process can die.
type deathbed struct {
	*testing.T
	path  string
	store *bolt.Store
}

func newDeathbed(t *testing.T) *deathbed {
	d := &deathbed{T: t, path: filepath.Join(t.TempDir(), "seeds")}
	d.open()
	t.Cleanup(func() { d.store.Close() })
	return d
}

func (d *deathbed) open() {
	d.Helper()
	d.store = storetest.Must[*bolt.Store](d.T)(bolt.Open(d.path, seedlist.Options{
		HostConnections: 100, HostDelay: -1, Interval: 100 * 24 * time.Hour,
	}))
}

// die leaves claims behind, as a process does that ends without a word.
func (d *deathbed) die() {
	d.Helper()
	if err := d.store.Close(); err != nil {
		d.Fatal(err)
	}
	d.open()
}

func (d *deathbed) suspect() seedlist.Claim {
	d.Helper()
	c, found, err := d.store.ClaimSuspect(d.Context(), "w")
	if err != nil || !found {
		d.Fatalf("no suspect: %v", err)
	}
	return c
}

func (d *deathbed) noSuspect() {
	d.Helper()
	if c, found, err := d.store.ClaimSuspect(d.Context(), "w"); err != nil || found {
		d.Errorf("a suspect: %s %s, %v", c.Stage, c.Seed.URI, err)
	}
}

func (d *deathbed) complete(c seedlist.Claim, next seedlist.State) {
	d.Helper()
	storetest.Complete(d.T, d.store, c, seedlist.Outcome{Next: next})
}

func TestADownloadIsNeverASuspectOfItsOwn(t *testing.T) {
	d := newDeathbed(t)
	storetest.Add(t, d.store, "http://example.org/a")
	for range 5 {
		storetest.Claim(t, d.store, seedlist.Downloading)
		d.die()
		d.noSuspect()
	}
	c := storetest.Claim(t, d.store, seedlist.Downloading)
	if c.Crashes != 1 {
		t.Errorf("%d crashes", c.Crashes)
	}
	// What was washed on the way at the end of a download is found in the stages behind.
	d.complete(c, seedlist.Filed)
	if claims := storetest.Must[[]seedlist.Claim](t)(d.store.Claim(t.Context(), seedlist.Unarchiving, "w", 10)); len(claims) > 0 {
		t.Error("a suspect is claimed among others")
	}
	for _, next := range []seedlist.State{seedlist.Unarchived, seedlist.Guessed, seedlist.Parsed} {
		c := d.suspect()
		if c.Crashes != 1 {
			t.Errorf("%s: %d crashes", c.Stage, c.Crashes)
		}
		d.complete(c, next)
		storetest.Audit(t, d.store)
	}
	d.noSuspect()
}

func TestEachDeathAloneIsCountedUntilAnEnd(t *testing.T) {
	d := newDeathbed(t)
	storetest.Add(t, d.store, "http://example.org/a", "http://example.org/b")
	for range 2 {
		d.complete(storetest.Claim(t, d.store, seedlist.Downloading), seedlist.Filed)
	}
	for range 2 {
		storetest.Claim(t, d.store, seedlist.Unarchiving)
	}
	d.die()
	first := d.suspect()
	d.die()
	// The other comes first: it has not died alone.
	second := d.suspect()
	if second.Seed.Hash == first.Seed.Hash || second.Crashes != 1 {
		t.Fatalf("%s, %d crashes", second.Seed.URI, second.Crashes)
	}
	d.complete(second, seedlist.Failed)
	again := d.suspect()
	if again.Seed.Hash != first.Seed.Hash || again.Crashes != 2 {
		t.Fatalf("%s, %d crashes", again.Seed.URI, again.Crashes)
	}
	// A stage that ends well takes nothing back; the end of all does.
	d.complete(again, seedlist.Unarchived)
	if c := d.suspect(); c.Crashes != 2 || c.Stage != seedlist.Guessing {
		t.Fatalf("%s, %d crashes", c.Stage, c.Crashes)
	} else {
		d.complete(c, seedlist.Failed)
	}
	if errs, err := d.store.Retry(t.Context(), seedlist.Unarchived, first.Seed.Hash); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	d.noSuspect()
	if c := storetest.Claim(t, d.store, seedlist.Guessing); c.Crashes != 0 {
		t.Errorf("%d crashes", c.Crashes)
	}
	storetest.Audit(t, d.store)
}

func TestASuspectThatIsGivenBackRemainsOne(t *testing.T) {
	d := newDeathbed(t)
	storetest.Add(t, d.store, "http://example.org/a")
	d.complete(storetest.Claim(t, d.store, seedlist.Downloading), seedlist.Filed)
	storetest.Claim(t, d.store, seedlist.Unarchiving)
	d.die()
	if err := d.store.GiveBack(t.Context(), d.suspect(), seedlist.Return{}); err != nil {
		t.Fatal(err)
	}
	if c := d.suspect(); c.Crashes != 1 {
		t.Errorf("%d crashes", c.Crashes)
	}
}

func TestWhoWaitsForSuspectsIsWoken(t *testing.T) {
	d := newDeathbed(t)
	storetest.Add(t, d.store, "http://example.org/a")
	storetest.Claim(t, d.store, seedlist.Downloading)
	d.die()
	woken := make(chan error, 1)
	go func() { woken <- d.store.WaitSuspect(t.Context()) }()
	select {
	case err := <-woken:
		t.Fatalf("woken for nothing: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	d.complete(storetest.Claim(t, d.store, seedlist.Downloading), seedlist.Filed)
	if err := <-woken; err != nil {
		t.Error(err)
	}
}

// What the process died of goes back to the stage that failed, as its bytes are there, and
// a single death then blames it again.
func TestWhatIsBlamedIsTriedFromItsStageAndSuspected(t *testing.T) {
	d := newDeathbed(t)
	storetest.Add(t, d.store, "http://example.org/a")
	d.complete(storetest.Claim(t, d.store, seedlist.Downloading), seedlist.Filed)
	storetest.Claim(t, d.store, seedlist.Unarchiving)
	d.die()
	for range 3 {
		d.suspect()
		d.die()
	}
	c := d.suspect()
	if c.Crashes != 4 {
		t.Fatalf("%d crashes", c.Crashes)
	}
	storetest.Complete(t, d.store, c, seedlist.Outcome{Next: seedlist.Failed, Again: time.Millisecond})
	time.Sleep(5 * time.Millisecond)
	// Whoever claims downloads sees to what is due.
	if claims := storetest.Must[[]seedlist.Claim](t)(d.store.Claim(t.Context(), seedlist.Downloading, "w", 1)); len(claims) > 0 {
		t.Error("it is fetched again")
	}
	if c := d.suspect(); c.Stage != seedlist.Unarchiving || c.Crashes != 3 {
		t.Errorf("%s, %d crashes", c.Stage, c.Crashes)
	}
	storetest.Audit(t, d.store)
}
