package seedlist_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/internal/content"
	"laundromat/seedlist"
)

// open opens a store in a folder of the test's own. Downloads need not be polite,
// unless the test says so.
func open(t testing.TB, options seedlist.Options) *seedlist.Store {
	t.Helper()
	if options.HostConnections == 0 && options.HostDelay == 0 {
		options.HostConnections, options.HostDelay = 1<<20, -1
	}
	store, err := seedlist.Open(filepath.Join(t.TempDir(), "seeds"), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func must[T any](t testing.TB) func(value T, err error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// add adds URIs and returns their hashes.
func add(t testing.TB, store *seedlist.Store, uris ...string) []string {
	t.Helper()
	seeds := make([]seedlist.NewSeed, len(uris))
	for i := range uris {
		seeds[i].URI = uris[i]
	}
	hashes := make([]string, len(uris))
	for i, a := range must[[]seedlist.Addition](t)(store.Add(t.Context(), seeds)) {
		if a.Err != nil {
			t.Fatal(a.Err)
		}
		hashes[i] = a.Hash
	}
	return hashes
}

// claim claims one seed, and fails if there is none.
func claim(t testing.TB, store *seedlist.Store, stage seedlist.State) seedlist.Claim {
	t.Helper()
	claims := must[[]seedlist.Claim](t)(store.Claim(t.Context(), stage, "worker", 1))
	if len(claims) != 1 {
		t.Fatalf("nothing to claim for %s", stage)
	}
	return claims[0]
}

func complete(t testing.TB, store *seedlist.Store, c seedlist.Claim, o seedlist.Outcome) {
	t.Helper()
	if err := store.Complete(t.Context(), c, o); err != nil {
		t.Fatalf("%s → %s: %v", c.Stage, o.Next, err)
	}
}

func seed(t testing.TB, store *seedlist.Store, hash string) seedlist.Seed {
	t.Helper()
	return must[seedlist.Seed](t)(store.Seed(t.Context(), hash))
}

func wantState(t testing.TB, store *seedlist.Store, hash string, want seedlist.State) {
	t.Helper()
	if got := seed(t, store, hash).Status; got != want {
		t.Fatalf("%s is %s, want %s", hash, got, want)
	}
}

// drive brings the one seed that is ready to a state by the straight way; for
// Failed, it fails in the stage before.
func drive(t testing.TB, store *seedlist.Store, to seedlist.State) (c seedlist.Claim) {
	t.Helper()
	for _, stage := range seedlist.Stages() {
		if stage.Ready() == to {
			return c
		}
		c = claim(t, store, stage)
		if stage == to {
			return c
		}
		next := stage.Next()[0]
		for _, n := range stage.Next() {
			if n == to {
				next = n
			}
		}
		o := seedlist.Outcome{Next: next}
		if next == seedlist.Parsed {
			o.Clean = &seedlist.Clean{Content: *contentOf("clean " + c.Seed.Hash)}
		}
		complete(t, store, c, o)
		if next == to {
			return c
		}
	}
	return c
}

func TestSeedsAreAddedOnce(t *testing.T) {
	store := open(t, seedlist.Options{})
	lines := []seedlist.NewSeed{
		{URI: "http://example.org/a", Priority: 3, Source: "list", Title: "A", Claims: map[string]string{"format": "ttl"}},
		{URI: "HTTP://EXAMPLE.org/./a"},
		{URI: "example.org/b"},
		{URI: "../c.nt"},
		{URI: "http://example.org/d", Interval: -1},
	}
	for round := range 2 {
		added := must[[]seedlist.Addition](t)(store.Add(t.Context(), lines))
		first := round == 0
		if !(added[0].New == first && !added[1].New && added[0].Hash == added[1].Hash && added[3].New == first && added[3].Relative && added[4].New == first) {
			t.Fatalf("round %d: %+v", round, added)
		}
		var refused *seedlist.URIError
		if !errors.As(added[2].Err, &refused) || added[2].Hash != "" {
			t.Fatalf("round %d: %+v", round, added[2])
		}
	}
	a, err := store.Find(t.Context(), "http://example.ORG/x/../a")
	if err != nil || a.URI != "http://example.org/a" || a.Priority != 3 || a.Title != "A" || a.Claims["format"] != "ttl" || *a.Interval != 8640000 {
		t.Errorf("%+v, %v", a, err)
	}
	if byHash := seed(t, store, a.Hash); byHash.URI != a.URI {
		t.Errorf("%+v", byHash)
	}
	if d, err := store.Find(t.Context(), seedlist.Key("http://example.org/d")); err != nil || *d.Interval != 0 {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := store.Find(t.Context(), "http://example.org/nothing"); err != seedlist.ErrNotFound {
		t.Errorf("found: %v", err)
	}
	counts := must[seedlist.Counts](t)(store.Counts(t.Context()))
	if counts.Seeds != 3 || counts.Relative != 1 || counts.States[seedlist.Added] != 3 {
		t.Errorf("%+v", counts)
	}
}

func TestRelativeSeedsAreNeverClaimed(t *testing.T) {
	store := open(t, seedlist.Options{})
	add(t, store, "../a.nt", "b.ttl")
	if claims, err := store.Claim(t.Context(), seedlist.Downloading, "w", 10); len(claims) > 0 || err != nil {
		t.Errorf("%v, %v", claims, err)
	}
	if idle := must[bool](t)(store.Idle(t.Context())); !idle {
		t.Error("relative seeds keep the store busy")
	}
	if errs, err := store.Retry(t.Context(), "", seedlist.Key("../a.nt")); err != nil || errs[0] != seedlist.ErrNoURI {
		t.Errorf("%v, %v", errs, err)
	}
}

func TestAWholeLifeLeadsToTheEnd(t *testing.T) {
	store := open(t, seedlist.Options{})
	hash := add(t, store, "http://example.org/a.nt")[0]
	if idle := must[bool](t)(store.Idle(t.Context())); idle {
		t.Error("idle, but a seed is ready")
	}
	for i, stage := range seedlist.Stages() {
		wantState(t, store, hash, stage.Ready())
		c := claim(t, store, stage)
		if c.Fence != uint64(i+1) || c.Try != 1 || c.Stage != stage || c.Seed.Hash != hash || c.Seed.Status != stage || c.Worker != "worker" {
			t.Fatalf("%+v", c)
		}
		store.Progress(c, seedlist.Progress{Bytes: 5, Of: 9, Message: "half"})
		if s := seed(t, store, hash); s.Status != stage || s.Worker != "worker" || s.Progress == nil || s.Progress.Bytes != 5 {
			t.Fatalf("%+v", s.Standing)
		}
		complete(t, store, c, usual(c))
		if s := seed(t, store, hash); s.Worker != "" || s.Progress != nil {
			t.Fatalf("%+v", s.Standing)
		}
	}
	s := seed(t, store, hash)
	if s.Status != seedlist.Parsed || s.Processed.IsZero() || s.Retrieved.IsZero() || !s.Due.After(s.Processed) || s.Tries != 0 || s.Clean == "" {
		t.Errorf("%+v", s)
	}
	clean := seed(t, store, s.Clean)
	if clean.Status != seedlist.Cleaned || clean.Dirty != hash || clean.URI != "" || clean.Due != (time.Time{}) {
		t.Errorf("%+v", clean)
	}
	if idle := must[bool](t)(store.Idle(t.Context())); !idle {
		t.Error("not idle")
	}
	attempts := must[[]seedlist.Attempt](t)(store.Attempts(t.Context(), hash))
	if len(attempts) != 4 || attempts[3].Result != "parsed" || attempts[0].ParserName != "downloading" {
		t.Errorf("%+v", attempts)
	}
}

func TestLateCompletionIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{Lease: time.Minute})
		defer store.Close()
		hash := add(t, store, "http://example.org/a.nt")[0]
		old := claim(t, store, seedlist.Downloading)
		time.Sleep(50 * time.Second)
		store.Progress(old, seedlist.Progress{Bytes: 1})
		time.Sleep(50 * time.Second)
		if overdue := must[[]seedlist.Claim](t)(store.Overdue(t.Context())); len(overdue) != 0 {
			t.Fatal("overdue in spite of a sign of life")
		}
		time.Sleep(11 * time.Second)
		overdue := must[[]seedlist.Claim](t)(store.Overdue(t.Context()))
		if len(overdue) != 1 || overdue[0].Fence != old.Fence || overdue[0].Seed.Hash != hash {
			t.Fatalf("%+v", overdue)
		}
		if err := store.GiveBack(t.Context(), overdue[0], seedlist.Return{CountTry: true}); err != nil {
			t.Fatal(err)
		}
		if err := store.Complete(t.Context(), old, seedlist.Outcome{Next: seedlist.Filed}); err != seedlist.ErrLost {
			t.Errorf("before the next claim: %v", err)
		}
		again := claim(t, store, seedlist.Downloading)
		if again.Fence <= old.Fence || again.Try != 2 {
			t.Errorf("%+v", again)
		}
		if err := store.Complete(t.Context(), old, seedlist.Outcome{Next: seedlist.Filed}); err != seedlist.ErrLost {
			t.Errorf("after the next claim: %v", err)
		}
		if err := store.GiveBack(t.Context(), old, seedlist.Return{}); err != seedlist.ErrLost {
			t.Errorf("given back: %v", err)
		}
		store.Progress(old, seedlist.Progress{Message: "late"})
		if s := seed(t, store, hash); s.Progress != nil {
			t.Error("late progress is shown")
		}
		complete(t, store, again, seedlist.Outcome{Next: seedlist.Filed})
		if err := store.Complete(t.Context(), again, seedlist.Outcome{Next: seedlist.Filed}); err != seedlist.ErrLost {
			t.Errorf("twice: %v", err)
		}
		wantState(t, store, hash, seedlist.Filed)
	})
}

func TestWhatIsGivenBackKeepsItsPlaceAndItsTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{})
		defer store.Close()
		hashes := add(t, store, "http://example.org/a", "http://example.org/b")
		c := claim(t, store, seedlist.Downloading)
		if err := store.GiveBack(t.Context(), c, seedlist.Return{}); err != nil {
			t.Fatal(err)
		}
		c = claim(t, store, seedlist.Downloading)
		if c.Seed.Hash != hashes[0] || c.Try != 1 || c.Fence != 2 {
			t.Fatalf("%+v", c)
		}
		due := time.Now().Add(time.Hour)
		remote := &seedlist.Error{Stage: seedlist.Downloading, Kind: 1, Code: "transport/timeout", Message: "timed out"}
		if err := store.GiveBack(t.Context(), c, seedlist.Return{CountTry: true, Due: due, Error: remote}); err != nil {
			t.Fatal(err)
		}
		s := seed(t, store, hashes[0])
		if s.Tries != 1 || !s.Due.Equal(due) || s.Error == nil || s.Error.Code != "transport/timeout" {
			t.Fatalf("%+v", s)
		}
		counts := must[seedlist.Counts](t)(store.Counts(t.Context()))
		if counts.Waiting != 1 || counts.Errors["transport/timeout"] != 1 {
			t.Errorf("%+v", counts)
		}
		if c = claim(t, store, seedlist.Downloading); c.Seed.Hash != hashes[1] {
			t.Fatal("claimed before it was due")
		}
		complete(t, store, c, seedlist.Outcome{Next: seedlist.Failed})
		if idle := must[bool](t)(store.Idle(t.Context())); idle {
			t.Error("idle, but a retry is waiting")
		}
		start := time.Now()
		if err := store.Wait(t.Context(), seedlist.Downloading); err != nil || time.Since(start) != time.Hour {
			t.Errorf("woken after %v, %v", time.Since(start), err)
		}
		if c = claim(t, store, seedlist.Downloading); c.Seed.Hash != hashes[0] || c.Try != 2 {
			t.Fatalf("%+v", c)
		}
		complete(t, store, c, seedlist.Outcome{Next: seedlist.Filed})
		if s := seed(t, store, hashes[0]); s.Tries != 0 || s.Error != nil {
			t.Errorf("after success: %+v", s)
		}
	})
}

func TestPrioritiesMayComeAtAnyTime(t *testing.T) {
	store := open(t, seedlist.Options{})
	hashes := add(t, store, "http://a.example/1", "http://a.example/2", "http://a.example/3")
	errs, err := store.SetPriority(t.Context(), 9, hashes[2], seedlist.Key("http://none.example/"))
	if err != nil || errs[0] != nil || errs[1] != seedlist.ErrNotFound {
		t.Fatal(errs, err)
	}
	for _, want := range []string{hashes[2], hashes[0], hashes[1]} {
		c := claim(t, store, seedlist.Downloading)
		if c.Seed.Hash != want {
			t.Fatalf("claimed %s", c.Seed.URI)
		}
		complete(t, store, c, seedlist.Outcome{Next: seedlist.Filed})
	}
	if _, err := store.SetPriority(t.Context(), 10, hashes[1]); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{hashes[1], hashes[2], hashes[0]} {
		if c := claim(t, store, seedlist.Unarchiving); c.Seed.Hash != want {
			t.Fatalf("claimed %s", c.Seed.URI)
		}
	}
}

func TestSeedsAreFetchedAgainAfterTheirInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{Interval: 24 * time.Hour})
		defer store.Close()
		hash := add(t, store, "http://example.org/a")[0]
		if _, err := store.Add(t.Context(), []seedlist.NewSeed{{URI: "http://example.org/never", Interval: -1, Priority: -1}}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			c := claim(t, store, seedlist.Downloading)
			complete(t, store, c, seedlist.Outcome{Next: seedlist.Failed})
		}
		time.Sleep(24*time.Hour - time.Second)
		if claims, err := store.Claim(t.Context(), seedlist.Downloading, "w", 10); len(claims) > 0 || err != nil {
			t.Fatal("fetched within its window", claims, err)
		}
		start := time.Now()
		if err := store.Wait(t.Context(), seedlist.Downloading); err != nil || time.Since(start) != time.Second {
			t.Fatalf("woken after %v, %v", time.Since(start), err)
		}
		c := claim(t, store, seedlist.Downloading)
		if c.Seed.Hash != hash || c.Last != seedlist.Failed || c.Try != 1 {
			t.Fatalf("%+v", c)
		}
		complete(t, store, c, seedlist.Outcome{Unchanged: true})
		s := seed(t, store, hash)
		if s.Status != seedlist.Failed || s.Due.Sub(time.Now()) != 24*time.Hour {
			t.Errorf("%+v", s)
		}
		counts := must[seedlist.Counts](t)(store.Counts(t.Context()))
		if counts.Unchanged != 1 {
			t.Errorf("%+v", counts)
		}
		time.Sleep(1000 * time.Hour)
		if claims := must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 10)); len(claims) != 1 || claims[0].Seed.Hash != hash {
			t.Errorf("%+v", claims)
		}
	})
}

func TestCrashGivesEverythingBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seeds")
	store := must[*seedlist.Store](t)(seedlist.Open(path, seedlist.Options{HostConnections: 100, HostDelay: -1}))
	defer store.Close()
	var uris []string
	for i := range 20 {
		uris = append(uris, fmt.Sprintf("http://example.org/%d", i))
	}
	add(t, store, uris...)
	for range 10 {
		complete(t, store, claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
	}
	held := must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 5))
	held = append(held, must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Unarchiving, "w", 3))...)
	if len(held) != 8 {
		t.Fatal(len(held))
	}
	// What the disk holds at this moment is what a killed process leaves.
	copied := filepath.Join(t.TempDir(), "copy")
	if err := os.WriteFile(copied, must[[]byte](t)(os.ReadFile(path)), 0o600); err != nil {
		t.Fatal(err)
	}
	reader := must[*seedlist.Store](t)(seedlist.Open(copied, seedlist.Options{ReadOnly: true}))
	if s := seed(t, reader, held[0].Seed.Hash); s.Status != seedlist.Downloading {
		t.Errorf("reading gave it back: %s", s.Status)
	}
	reader.Close()
	revived := must[*seedlist.Store](t)(seedlist.Open(copied, seedlist.Options{HostConnections: 100, HostDelay: -1}))
	defer revived.Close()
	if revived.Recovered() != 8 {
		t.Errorf("recovered %d", revived.Recovered())
	}
	for _, c := range held {
		s := seed(t, revived, c.Seed.Hash)
		if s.Status != c.Stage.Ready() || s.Tries != 0 || s.Fence != c.Fence {
			t.Errorf("%+v", s.Standing)
		}
		if err := revived.Complete(t.Context(), c, seedlist.Outcome{Next: c.Stage.Next()[0]}); err != seedlist.ErrLost {
			t.Errorf("an old claim: %v", err)
		}
	}
	claims := must[[]seedlist.Claim](t)(revived.Claim(t.Context(), seedlist.Unarchiving, "w", 100))
	crashes := 0
	for _, c := range claims {
		crashes += c.Crashes
	}
	if len(claims) != 10 || crashes != 3 {
		t.Errorf("%d claims, %d crashes", len(claims), crashes)
	}
}

func TestOneProcessHoldsTheStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seeds")
	store := must[*seedlist.Store](t)(seedlist.Open(path, seedlist.Options{}))
	for _, readOnly := range []bool{false, true} {
		_, err := seedlist.Open(path, seedlist.Options{ReadOnly: readOnly, LockWait: time.Millisecond})
		var locked *seedlist.LockedError
		if !errors.As(err, &locked) || locked.PID != os.Getpid() {
			t.Errorf("read only %v: %v", readOnly, err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
	if _, err := store.Add(t.Context(), []seedlist.NewSeed{{URI: "http://example.org/"}}); err != seedlist.ErrClosed {
		t.Errorf("add: %v", err)
	}
	if _, err := store.Counts(t.Context()); err != seedlist.ErrClosed {
		t.Errorf("counts: %v", err)
	}
	if err := store.Wait(t.Context(), seedlist.Parsing); err != seedlist.ErrClosed {
		t.Errorf("wait: %v", err)
	}
	if entries := must[[]os.DirEntry](t)(os.ReadDir(filepath.Dir(path))); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestReadingCreatesAndChangesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "seeds")
	if _, err := seedlist.Open(path, seedlist.Options{ReadOnly: true}); err != seedlist.ErrNoStore {
		t.Errorf("%v", err)
	}
	if entries := must[[]os.DirEntry](t)(os.ReadDir(dir)); len(entries) != 0 {
		t.Fatal(entries)
	}
	store := must[*seedlist.Store](t)(seedlist.Open(path, seedlist.Options{}))
	hash := add(t, store, "http://example.org/")[0]
	store.Close()
	before := must[[]byte](t)(os.ReadFile(path))
	first := must[*seedlist.Store](t)(seedlist.Open(path, seedlist.Options{ReadOnly: true}))
	defer first.Close()
	second := must[*seedlist.Store](t)(seedlist.Open(path, seedlist.Options{ReadOnly: true}))
	defer second.Close()
	wantState(t, first, hash, seedlist.Added)
	wantState(t, second, hash, seedlist.Added)
	if _, err := second.Add(t.Context(), []seedlist.NewSeed{{URI: "http://example.org/2"}}); err != seedlist.ErrReadOnly {
		t.Errorf("%v", err)
	}
	if _, err := second.Claim(t.Context(), seedlist.Downloading, "w", 1); err != seedlist.ErrReadOnly {
		t.Errorf("%v", err)
	}
	if string(must[[]byte](t)(os.ReadFile(path))) != string(before) {
		t.Error("the file changed")
	}
	other := filepath.Join(dir, "other")
	if err := os.WriteFile(other, []byte("this is no seed list, but a text that is longer than a page is not either"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := seedlist.Open(other, seedlist.Options{}); err == nil {
		t.Error("opened a text")
	}
}

func TestAStoppedCallerLeavesNothingBehind(t *testing.T) {
	store := open(t, seedlist.Options{})
	add(t, store, "http://example.org/")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := store.Claim(ctx, seedlist.Downloading, "w", 1); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if err := store.Wait(ctx, seedlist.Parsing); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	claim(t, store, seedlist.Downloading)
}

func TestWaitIsWokenByWhatBecomesReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{HostConnections: 1, HostDelay: time.Minute})
		defer store.Close()
		woken := make(chan error)
		go func() { woken <- store.Wait(t.Context(), seedlist.Downloading) }()
		synctest.Wait()
		add(t, store, "http://example.org/1", "http://example.org/2")
		if err := <-woken; err != nil {
			t.Fatal(err)
		}
		c := claim(t, store, seedlist.Downloading)
		if claims := must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 9)); len(claims) != 0 {
			t.Fatal("two downloads from one host")
		}
		go func() { woken <- store.Wait(t.Context(), seedlist.Downloading) }()
		go func() { woken <- store.Wait(t.Context(), seedlist.Unarchiving) }()
		time.Sleep(time.Hour)
		select {
		case <-woken:
			t.Fatal("woken, but the host is busy and nothing is filed")
		default:
		}
		start := time.Now()
		complete(t, store, c, seedlist.Outcome{Next: seedlist.Filed, Rest: 5 * time.Minute})
		<-woken
		if time.Since(start) != 0 {
			t.Errorf("filed, but woken after %v", time.Since(start))
		}
		<-woken
		if time.Since(start) != 5*time.Minute {
			t.Errorf("the host asked for 5 minutes, and got %v", time.Since(start))
		}
	})
}

func ExampleStore() {
	dir, _ := os.MkdirTemp("", "seeds")
	defer os.RemoveAll(dir)
	store, err := seedlist.Open(filepath.Join(dir, "seeds"), seedlist.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	ctx := context.Background()
	added, _ := store.Add(ctx, []seedlist.NewSeed{{URI: "http://example.org/data.nt"}, {URI: "example.org/data.nt"}})
	fmt.Println(added[0].Hash, added[0].New)
	fmt.Println(added[1].Err)
	claims, _ := store.Claim(ctx, seedlist.Downloading, "worker-1", 10)
	for _, c := range claims {
		err := store.Complete(ctx, c, seedlist.Outcome{
			Next:   seedlist.Filed,
			Update: func(r *seedlist.Record) { r.Content = &content.Content{NumberOfBytes: 12} },
		})
		fmt.Println(c.Seed.URI, err)
	}
	seed, _ := store.Find(ctx, "HTTP://example.org/data.nt")
	fmt.Println(seed.Status, seed.Content.NumberOfBytes)
	// Output:
	// 1a9d8f745d51669123914fa675f66195 true
	// example.org/data.nt: no scheme (did you mean http://example.org/data.nt?)
	// http://example.org/data.nt <nil>
	// filed 12
}
