package bolt_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"laundromat/internal/content"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
)

// open opens a store in a folder of the test's own. Downloads need not be polite,
// unless the test says so.
func open(t testing.TB, options seedlist.Options) *bolt.Store {
	t.Helper()
	if options.HostConnections == 0 && options.HostDelay == 0 {
		options.HostConnections, options.HostDelay = 1<<20, -1
	}
	store, err := bolt.Open(filepath.Join(t.TempDir(), "seeds"), options)
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
func add(t testing.TB, store *bolt.Store, uris ...string) []string {
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
func claim(t testing.TB, store *bolt.Store, stage seedlist.State) seedlist.Claim {
	t.Helper()
	claims := must[[]seedlist.Claim](t)(store.Claim(t.Context(), stage, "worker", 1))
	if len(claims) != 1 {
		t.Fatalf("nothing to claim for %s", stage)
	}
	return claims[0]
}

func complete(t testing.TB, store *bolt.Store, c seedlist.Claim, o seedlist.Outcome) {
	t.Helper()
	if err := store.Complete(t.Context(), c, o); err != nil {
		t.Fatalf("%s → %s: %v", c.Stage, o.Next, err)
	}
}

func seed(t testing.TB, store *bolt.Store, hash string) seedlist.Seed {
	t.Helper()
	return must[seedlist.Seed](t)(store.Seed(t.Context(), hash))
}

func wantState(t testing.TB, store *bolt.Store, hash string, want seedlist.State) {
	t.Helper()
	if got := seed(t, store, hash).Status; got != want {
		t.Fatalf("%s is %s, want %s", hash, got, want)
	}
}

// drive brings the one seed that is ready to a state by the straight way; for
// Failed, it fails in the stage before.
func drive(t testing.TB, store *bolt.Store, to seedlist.State) (c seedlist.Claim) {
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

func ExampleStore() {
	dir, _ := os.MkdirTemp("", "seeds")
	defer os.RemoveAll(dir)
	store, err := bolt.Open(filepath.Join(dir, "seeds"), seedlist.Options{})
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
